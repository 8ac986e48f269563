import type { Point } from "../types";

/** What input can do to the scene. Screen points are CSS pixels from the canvas's corner. */
export type SceneActions = {
  nodeAt(at: Point, touch: boolean): string | null;
  nodesIn(from: Point, to: Point): string[];
  /** Those within an outline drawn by hand. */
  nodesWithin(outline: readonly Point[]): string[];
  /** The relationship whose line is there, where lines can be told apart. */
  edgeAt(at: Point, touch: boolean): string | null;
  hover(id: string | null): void;
  hoverEdge(id: string | null): void;
  chooseEdge(id: string): void;
  /** A click on a node: replace the selection, toggle in it, or add to it. */
  choose(id: string, how: "only" | "toggle" | "add"): void;
  chooseMany(ids: readonly string[], how: "only" | "add"): void;
  /** A click on the name of a cluster goes there; false where there is none. */
  enterCluster(at: Point): boolean;
  deselect(): void;
  selection(): ReadonlySet<string>;
  pan(dx: number, dy: number): void;
  zoom(at: Point, factor: number): void;
  /** Nodes that move together when this one is dragged. */
  grab(id: string): void;
  dragBy(dx: number, dy: number): void;
  /** `keep` pins what was dragged; otherwise it goes back. */
  drop(keep: boolean): void;
  activate(id: string): void;
  /** Enter on a relationship. */
  activateEdge(id: string): void;
  /** Look at what is around a node. */
  enter(id: string): void;
  createAt(at: Point): void;
  contextMenu(id: string | null, clientX: number, clientY: number): void;
  edgeMenu(id: string, clientX: number, clientY: number): void;
  /** Of the cluster whose name is there; false where there is none. */
  clusterMenu(at: Point, clientX: number, clientY: number): boolean;
  /** The neighbours of what has the focus or is selected go into it; false where there is nothing to do. */
  collapse(): boolean;
  /** They come out again. */
  expand(): boolean;
  marquee(from: Point, to: Point | null): void;
  /** The outline so far; null takes it away. */
  lasso(outline: readonly Point[] | null): void;

  focusedNode(): string | null;
  focusNode(id: string | null): void;
  focusedEdge(): string | null;
  /** The next relationship of the node that has the focus, or the one before; leaves the node where it is. */
  focusNextEdge(back: boolean): boolean;
  leaveEdge(): void;
  selectedEdge(): string | null;
  /** The node to begin with when the keyboard enters. */
  entryNode(): string | null;
  /** The nearest node that way: a neighbour if there is one, else any. */
  nodeTowards(id: string, dx: number, dy: number): string | null;
  screenOf(id: string): Point | null;
  /** The middle of a relationship's line. */
  screenOfEdge(id: string): Point | null;
  centreOfView(): Point;
  togglePin(): void;
  fit(): void;
  reheat(): void;
};
