/** What was under the pointer when a menu was asked for: a node, a relationship, the name of a cluster, or the canvas. `alignRight`: it hangs from a button. */
export type ContextTarget = { id: string | null; relationship?: string; cluster?: { leader: string; count: number }; x: number; y: number; alignRight?: boolean };
