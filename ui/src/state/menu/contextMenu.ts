/** What was under the pointer when a menu was asked for: a node, a relationship, or the canvas. `alignRight`: it hangs from a button. */
export type ContextTarget = { id: string | null; relationship?: string; x: number; y: number; alignRight?: boolean };
