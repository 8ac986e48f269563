/**
 * What the canvas is given and what it tells. The scene knows nodes, edges and types by name and place only;
 * entities, observations and the host behind them stay outside.
 */

export type SceneNode = { id: string; name: string; entityType: string; x?: number; y?: number; pinned?: boolean };

export type SceneEdge = { id: string; source: string; target: string; relationshipType: string; weight: number };

/** The whole graph as index-aligned columns, decoded from the host's bytes. */
export type SceneData = {
  graph: string;
  seq: number;
  ids: string[];
  names: string[];
  typeIndex: Uint16Array;
  /** In the order of their palette slots: the first eight have a colour of their own. */
  types: string[];
  /** x0, y0, x1, y1 …; always finite, because the host places everything. */
  positions: Float32Array;
  pinned: Uint8Array;
  edgeIds: string[];
  edgeSource: Uint32Array;
  edgeTarget: Uint32Array;
  edgeTypeIndex: Uint16Array;
  edgeTypes: string[];
  edgeWeight: Float32Array;
  /** The positions come from an earlier session: nothing may move. */
  settled: boolean;
  /** A neighbourhood looked at closely: laid out in the page, and nobody saves its places. */
  isFocus?: boolean;
};

export type SceneOp =
  | { op: "node"; node: SceneNode }
  | { op: "node_removed"; id: string }
  | { op: "edge"; edge: SceneEdge }
  | { op: "edge_removed"; id: string }
  | { op: "pin"; id: string; x: number | null; y: number | null };

/** Who caused a live change: it decides nothing but the ring that marks it. */
export type ChangeOrigin = "agent" | "person" | "other";

export type ThemeName = "light" | "dark";

export type SceneEvents = {
  select: (ids: string[]) => void;
  /** A relationship, by its line; null when it is no longer the one. */
  selectEdge: (id: string | null) => void;
  hover: (id: string | null) => void;
  /** After a drag (the node now stays there), or `null` when it was let go. */
  pin: (id: string, at: { x: number; y: number } | null) => void;
  /** Where the nodes that moved have come to rest, to be saved by the host. */
  settled: (positions: { ids: string[]; xy: Float32Array }) => void;
  /** Enter on a node. */
  activate: (id: string) => void;
  activateEdge: (id: string) => void;
  /** A double click on a node, or F: look at what is around it. */
  enter: (id: string) => void;
  /** `clientX`, `clientY` are page coordinates, as in the DOM event. */
  contextmenu: (id: string | null, clientX: number, clientY: number) => void;
  /** `leader` stands for the cluster, of `count` nodes. */
  clustermenu: (leader: string, count: number, clientX: number, clientY: number) => void;
  /** These are seen from near and their observations are not known: `describe` tells them. */
  near: (ids: string[]) => void;
  /** So many nodes are folded away now. */
  folded: (count: number) => void;
  edgemenu: (id: string, clientX: number, clientY: number) => void;
  /** Double click on empty canvas, in graph coordinates. */
  createAt: (x: number, y: number) => void;
  /** Counts, camera or renderer changed: read `probe()`. At most once a frame. */
  stats: () => void;
  /** One sentence for a person, such as "WebGL is not available …". */
  notice: (text: string) => void;
};

export type Point = { x: number; y: number };

/** `lines`: of the observation on its card, where it has one. */
export type VisibleLabel = { id: string; text: string; x: number; y: number; width: number; height: number; lines?: string[] };

export type FrameStats = {
  frames: number;
  lastScriptMs: number;
  p50ScriptMs: number;
  p95ScriptMs: number;
  /** Of the last frames, the newest at the end. */
  recent: number[];
  renderer: "webgl2" | "canvas2d";
  /** Whether a next frame is already asked for; false means that the canvas is at rest. */
  running: boolean;
};

/** A reading of the scene for tests and the status bar. Screen values are CSS pixels from the container's corner. */
export type SceneProbe = {
  ready: boolean;
  counts: { nodes: number; edges: number; shownNodes: number; shownEdges: number; folded: number };
  positions: () => Record<string, Point>;
  /** `x`, `y`: the graph point in the middle of the uncovered part of the canvas. */
  edges: () => { id: string; source: string; target: string }[];
  camera: { x: number; y: number; zoom: number; width: number; height: number };
  selection: string[];
  selectedEdge: string | null;
  clusterName: Point | null;
  visibleLabels: VisibleLabel[];
  frameStats: FrameStats;
  screenOf: (id: string) => Point | null;
  /** The middle of a relationship's line. */
  screenOfEdge: (id: string) => Point | null;
};

export type TypeShape = "circle" | "square" | "diamond" | "triangle" | "hexagon" | "plus";

/** One row of the legend. */
export type TypeColour = {
  type: string;
  colour: string;
  /** One or two characters, as drawn inside the node when there is room. */
  icon: string;
  shape: TypeShape;
  count: number;
};
