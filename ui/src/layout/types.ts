/**
 * The one interface behind which positions are made: frames streamed by the native engine, d3-force in a worker. Everything is index-aligned with the topology of the version named; a frame that carries an
 * older version is about nodes that may have other indices by now, and is dropped.
 */

export type LayoutTopology = {
  version: number;
  nodeCount: number;
  edgeSource: Uint32Array;
  edgeTarget: Uint32Array;
  edgeWeight: Float32Array;
  /** Drawn radius at zoom 1, so that dots keep clear of each other. */
  radius: Float32Array;
};

/** How far a node may go: not at all, a few units from its anchor, anywhere. */
export const Mobility = { fixed: 0, leashed: 1, free: 2 } as const;

export type LayoutParams = {
  /** The given positions are a good start: begin at a low temperature. */
  warm?: boolean;
  /** Overrides the starting temperature (0–1). */
  alpha?: number;
  /** A small picture of the page's own, which nobody else lays out. */
  local?: boolean;
  /** Show the end result only, no frames on the way (reduced motion). */
  quiet?: boolean;
  /** One `Mobility` per node; absent means that everything unpinned is free. */
  mobility?: Uint8Array;
  /** Where leashed nodes are tied, x and y per node; absent means where they are now. */
  anchors?: Float32Array;
  /** Length of the leash in graph units. */
  leash?: number;
};

export type LayoutFrame = {
  topologyVersion: number;
  /** Valid during the callback only: the buffer goes back to its maker. */
  positions: Float32Array;
  alpha: number;
  settled: boolean;
};

export type LayoutSource = {
  /** Lay the whole graph out, beginning from `positions`. */
  start(topology: LayoutTopology, positions: Float32Array, pinned: Uint8Array, params?: LayoutParams): void;
  /** The topology changed while everything else stays: only what `params.mobility` frees may move. */
  update(topology: LayoutTopology, positions: Float32Array, pinned: Uint8Array, params?: LayoutParams): void;
  pin(index: number, x: number, y: number): void;
  unpin(index: number): void;
  /** The person holds these nodes at these places; what `mobility` frees follows. */
  drag(indices: Uint32Array, xy: Float32Array, mobility?: Uint8Array): void;
  /** The held nodes were let go; they stay pinned where they are. */
  drop(): void;
  reheat(alpha?: number): void;
  /** For the layouts that begin from now on, and the one under way. */
  settings?(settings: LayoutSettings): void;
  pause?(paused: boolean): void;
  stop(): void;
  onFrame(callback: (frame: LayoutFrame) => void): () => void;
  destroy(): void;
};

/** What a person turns: factors of the explorer's own forces, and the opening angle. */
export type LayoutSettings = { link_distance: number; link_strength: number; repulsion: number; damping: number; gravity: number; theta: number };

export type ArrangeKind = "force" | "circle" | "tree" | "by_type";

/** How a native layout is steered. */
export type LayoutStep =
  | { kind: "pin"; node: number; x: number; y: number }
  | { kind: "unpin"; node: number }
  | { kind: "hold"; nodes: number[]; xy: number[] }
  | { kind: "release" }
  | { kind: "reheat"; alpha: number }
  | ({ kind: "settings" } & LayoutSettings)
  | { kind: "pause"; paused: boolean }
  | { kind: "stop" };

/** The part of the host that lays out. */
export type LayoutHost = {
  callBytes(command: "layout_start" | "communities" | "arrange", bytes: Uint8Array): Promise<ArrayBuffer>;
  layoutOrder(layout: number, order: LayoutStep): Promise<unknown>;
  layoutFrame(layout: number, after: number): Promise<ArrayBuffer>;
};
