import type { AttentionState } from "./attentionState";
import { toGraph, toScreen, viewCentre, type Bounds, type Camera } from "./camera";
import type { CameraControl } from "./cameraControl";
import type { SceneColumns } from "./columns";
import type { SceneEmitter } from "./emitter";
import type { GraphIndex } from "./graphIndex";
import type { SceneActions } from "./interaction/actions";
import type { LayoutDriver } from "./layoutDriver";
import type { EdgeFan } from "./edgeFan";
import { edgeNear, edgesWithin } from "./edgePick";
import type { Folding } from "./folding";
import { pointAlong } from "./labels/edgeLabels";
import { visibleEdges } from "./lod";
import { isInside } from "./polygon";
import { drawnRadius, MAX_RADIUS } from "./sizes";
import type { Stage } from "./stage";
import { cssColour, type Rgb } from "./colour";
import { visibleText } from "./text/visibleText";
import type { Point } from "./types";

/** Half of the smallest pointer target, whatever the size of the dot. */
const TARGET_PX = 12;
const TARGET_TOUCH_PX = 22;
const EDGE_TARGET_PX = 4;
const EDGE_TARGET_TOUCH_PX = 10;
/** With more lines than this on screen there is one under every pixel, and none that could be meant. */
const EDGES_TOLD_APART = 4_000;
/** The camera sets off after this: the second click of a double click must still find the node. */
const CENTRE_DELAY_MS = 240;

type Parts = {
  columns: SceneColumns;
  index: GraphIndex;
  camera: CameraControl;
  attention: AttentionState;
  layout: LayoutDriver;
  stage: Stage;
  emitter: SceneEmitter;
  folding: Folding;
  /** Something was folded or let out. */
  refold: () => void;
  clusterAt: (at: Point) => { leader: number; count: number; bounds: Bounds } | null;
  accent: () => Rgb;
  requestRender: () => void;
};

/** What mouse and keys do, in terms of the scene's parts. Only here do a person's acts become events. */
export class PersonActions implements SceneActions {
  private held: { node: number; id: string; x: number; y: number; pinned: number }[] = [];
  private centring = 0;

  constructor(private readonly parts: Parts) {}

  nodeAt(at: Point, touch: boolean): string | null {
    const { columns, index, camera, layout, stage } = this.parts;
    // A card lies over the dots and is its node.
    const card = stage.labels.cardAt(at);
    if (card !== null && columns.indexOf(card) !== undefined) return card;
    const now = performance.now();
    const { zoom } = camera.camera;
    const graph = toGraph(camera.camera, camera.view(now), at.x, at.y);
    const node = index.grid(layout.running).nearest(
      graph.x,
      graph.y,
      (candidate) => drawnRadius(columns.radius[candidate]!, zoom) / zoom,
      drawnRadius(MAX_RADIUS, zoom) / zoom,
      (touch ? TARGET_TOUCH_PX : TARGET_PX) / zoom,
      (candidate) => index.shows(candidate),
    );
    return node < 0 ? null : columns.ids[node]!;
  }

  nodesIn(from: Point, to: Point): string[] {
    const { columns, index, camera } = this.parts;
    const view = camera.view(performance.now());
    const a = toGraph(camera.camera, view, Math.min(from.x, to.x), Math.min(from.y, to.y));
    const b = toGraph(camera.camera, view, Math.max(from.x, to.x), Math.max(from.y, to.y));
    const ids: string[] = [];
    index.grid().visit(a.x, a.y, b.x, b.y, (node) => {
      if (index.shows(node)) ids.push(columns.ids[node]!);
    });
    return ids;
  }

  nodesWithin(outline: readonly Point[]): string[] {
    const { columns, index, camera } = this.parts;
    const view = camera.view(performance.now());
    const inGraph = outline.map(({ x, y }) => toGraph(camera.camera, view, x, y));
    const [xs, ys] = [inGraph.map(({ x }) => x), inGraph.map(({ y }) => y)];
    // Not by spreading: an outline may have more points than a call takes arguments.
    const [least, most] = [(values: number[]) => values.reduce((a, b) => Math.min(a, b), Infinity), (values: number[]) => values.reduce((a, b) => Math.max(a, b), -Infinity)];
    const ids: string[] = [];
    index.grid().visit(least(xs), least(ys), most(xs), most(ys), (node) => {
      if (index.shows(node) && isInside(inGraph, this.placeOf(node))) ids.push(columns.ids[node]!);
    });
    return ids;
  }

  edgeAt(at: Point, touch: boolean): string | null {
    const { columns, index, camera } = this.parts;
    const view = camera.view(performance.now());
    const { zoom } = camera.camera;
    if (visibleEdges(index.shownCounts().edges, index.meanEdgeLength(), camera.camera, view, index.bounds()) > EDGES_TOLD_APART) return null;
    const picture = { columns, fan: index.fan(), zoom, shows: (node: number) => index.shows(node) };
    const edge = edgeNear(picture, this.edgesInSight(), toGraph(camera.camera, view, at.x, at.y), touch ? EDGE_TARGET_TOUCH_PX : EDGE_TARGET_PX);
    return edge < 0 ? null : columns.edgeIds[edge]!;
  }

  private sight: { camera: Camera; fan: EdgeFan; moved: number; middle: number; width: number; height: number; edges: Uint32Array } | undefined;

  private edgesInSight(): Uint32Array {
    const { columns, index, camera, stage } = this.parts;
    const [fan, { moved }, { width, height }] = [index.fan(), columns, stage];
    const { sight } = this;
    const view = camera.view(performance.now());
    const middle = viewCentre(view).x;
    if (sight?.camera === camera.camera && sight.fan === fan && sight.moved === moved && sight.middle === middle && sight.width === width && sight.height === height) return sight.edges;
    const [from, to] = [toGraph(camera.camera, view, -EDGE_TARGET_TOUCH_PX, -EDGE_TARGET_TOUCH_PX), toGraph(camera.camera, view, width + EDGE_TARGET_TOUCH_PX, height + EDGE_TARGET_TOUCH_PX)];
    const edges = edgesWithin({ columns, fan }, { minX: from.x, minY: from.y, maxX: to.x, maxY: to.y });
    this.sight = { camera: camera.camera, fan, moved, middle, width, height, edges };
    return edges;
  }

  hoverEdge(id: string | null): void {
    this.parts.attention.hoverEdge(id);
  }

  chooseEdge(id: string): void {
    this.setSelection(new Set());
    this.parts.attention.selectEdge(id);
    this.parts.emitter.emit("selectEdge", id);
  }

  selectedEdge(): string | null {
    return this.parts.attention.selectedEdge;
  }

  activateEdge(id: string): void {
    this.parts.emitter.emit("activateEdge", id);
  }

  clusterMenu(at: Point, clientX: number, clientY: number): boolean {
    const cluster = this.parts.clusterAt(at);
    if (cluster !== null) this.parts.emitter.emit("clustermenu", this.parts.columns.ids[cluster.leader]!, cluster.count, clientX, clientY);
    return cluster !== null;
  }

  collapse(): boolean {
    const id = this.attended();
    return id !== undefined && this.collapseAround(id);
  }

  /** Its neighbours, as they are drawn, go into it. */
  collapseAround(id: string): boolean {
    const { columns, folding, index, refold } = this.parts;
    const node = columns.indexOf(id);
    if (node === undefined) return false;
    const { offsets, neighbours } = index.drawnAdjacency();
    const around: string[] = [];
    for (let k = offsets[node]!; k < offsets[node + 1]!; k++) if (neighbours[k] !== node && index.shows(neighbours[k]!)) around.push(columns.ids[neighbours[k]!]!);
    if (around.length === 0) return false;
    folding.fold(id, around);
    refold();
    return true;
  }

  expand(): boolean {
    const id = this.attended();
    const { folding, refold } = this.parts;
    if (id === undefined || folding.unfold(new Set([id])).length === 0) return false;
    refold();
    return true;
  }

  edgeMenu(id: string, clientX: number, clientY: number): void {
    if (this.parts.columns.edgeIndexOf(id) === undefined) return;
    this.parts.emitter.emit("edgemenu", id, clientX, clientY);
  }

  hover(id: string | null): void {
    if (id === this.parts.attention.hovered) return;
    this.parts.attention.hover(id);
    this.parts.emitter.emit("hover", id);
  }

  choose(id: string, how: "only" | "toggle" | "add"): void {
    const { attention, columns, camera } = this.parts;
    const ids = how === "only" ? new Set<string>() : new Set(attention.selected);
    if (how === "toggle" && ids.has(id)) ids.delete(id);
    else ids.add(id);
    this.setSelection(ids);
    if (attention.focused !== null && attention.focused !== id) attention.focus(null);
    if (how !== "only") return;
    window.clearTimeout(this.centring);
    this.centring = window.setTimeout(() => {
      const node = columns.indexOf(id);
      if (node !== undefined && attention.selected.has(id)) camera.centre(this.placeOf(node), performance.now(), true);
    }, CENTRE_DELAY_MS);
  }

  chooseMany(ids: readonly string[], how: "only" | "add"): void {
    this.setSelection(how === "add" ? new Set([...this.parts.attention.selected, ...ids]) : new Set(ids));
  }

  enterCluster(at: Point): boolean {
    const cluster = this.parts.clusterAt(at);
    if (cluster !== null) this.parts.camera.fitTo(cluster.bounds, performance.now());
    return cluster !== null;
  }

  deselect(): void {
    const { attention } = this.parts;
    if (attention.selected.size > 0 || attention.selectedEdge !== null) this.setSelection(new Set());
  }

  selection(): ReadonlySet<string> {
    return this.parts.attention.selected;
  }

  pan(dx: number, dy: number): void {
    this.stopCentring();
    this.parts.camera.pan(dx, dy, performance.now());
  }

  zoom(at: Point, factor: number): void {
    this.stopCentring();
    this.parts.camera.zoom(at, factor, performance.now());
  }

  grab(id: string): void {
    const { attention, columns, folding, layout } = this.parts;
    this.stopCentring();
    this.parts.camera.following = false;
    // What is folded away is not under the hand.
    const ids = attention.selected.has(id) ? [...attention.selected].filter((each) => !folding.isFolded(columns.indexOf(each) ?? -1)) : [id];
    this.held = ids.flatMap((held) => {
      const node = columns.indexOf(held);
      return node === undefined ? [] : [{ node, id: held, ...this.placeOf(node), pinned: columns.pinned[node]! }];
    });
    layout.grab(this.held.map((held) => held.node));
  }

  dragBy(dx: number, dy: number): void {
    const { columns, layout, camera, requestRender } = this.parts;
    const nodes = this.heldNodes();
    for (const node of nodes) {
      const at = this.placeOf(node);
      columns.place(node, at.x + dx / camera.camera.zoom, at.y + dy / camera.camera.zoom);
    }
    layout.drag(nodes);
    requestRender();
  }

  drop(keep: boolean): void {
    const { columns, layout, emitter, requestRender } = this.parts;
    const nodes = this.heldNodes();
    this.held.forEach((held) => {
      const node = columns.indexOf(held.id);
      if (node === undefined) return;
      if (!keep) columns.place(node, held.x, held.y);
      columns.pinned[node] = keep ? 1 : held.pinned;
      columns.unsettled[node] = 0;
      columns.dirty.nodes.add(node);
    });
    if (!keep) layout.drag(nodes);
    layout.drop();
    if (keep) for (const node of nodes) emitter.emit("pin", columns.ids[node]!, this.placeOf(node));
    this.held = [];
    requestRender();
  }

  enter(id: string): void {
    this.parts.emitter.emit("enter", id);
  }

  activate(id: string): void {
    this.parts.emitter.emit("activate", id);
  }

  createAt(at: Point): void {
    const { camera, emitter } = this.parts;
    const graph = toGraph(camera.camera, camera.view(performance.now()), at.x, at.y);
    emitter.emit("createAt", graph.x, graph.y);
  }

  contextMenu(id: string | null, clientX: number, clientY: number): void {
    this.parts.emitter.emit("contextmenu", id, clientX, clientY);
  }

  marquee(from: Point, to: Point | null): void {
    const { style } = this.parts.stage.marquee;
    if (to === null) {
      style.display = "none";
      return;
    }
    Object.assign(style, {
      display: "block",
      left: `${Math.min(from.x, to.x)}px`,
      top: `${Math.min(from.y, to.y)}px`,
      width: `${Math.abs(to.x - from.x)}px`,
      height: `${Math.abs(to.y - from.y)}px`,
      border: `1px solid ${cssColour(this.parts.accent())}`,
      background: cssColour(this.parts.accent(), 0.1),
    });
  }

  lasso(outline: readonly Point[] | null): void {
    this.parts.stage.drawLasso(outline, cssColour(this.parts.accent()), cssColour(this.parts.accent(), 0.1));
  }

  focusedNode(): string | null {
    return this.parts.attention.focused;
  }

  focusNode(id: string | null): void {
    const { attention, columns, folding, index, camera, stage } = this.parts;
    attention.focus(id);
    const node = id === null ? undefined : columns.indexOf(id);
    if (node === undefined) {
      stage.say("");
      return;
    }
    const { offsets } = index.adjacency();
    const relations = offsets[node + 1]! - offsets[node]!;
    const within = folding.countIn(node);
    stage.say(`${visibleText(columns.names[node]!)}, ${visibleText(columns.types[columns.typeOf[node]!]!)}, ${relations} ${relations === 1 ? "relation" : "relations"}${within === 0 ? "" : `, ${within} collapsed in it`}`);
    camera.centre(this.placeOf(node), performance.now(), true);
  }

  focusedEdge(): string | null {
    return this.parts.attention.focusedEdge;
  }

  focusNextEdge(back: boolean): boolean {
    const { attention, columns, folding, index, stage } = this.parts;
    const node = columns.indexOf(this.attended() ?? "");
    if (node === undefined) return false;
    const { offsets, edges, neighbours } = index.drawnAdjacency();
    const around: number[] = [];
    for (let k = offsets[node]!; k < offsets[node + 1]!; k++) if (index.shows(neighbours[k]!) && !folding.isInner(edges[k]!)) around.push(edges[k]!);
    if (around.length === 0) return false;
    const now = around.findIndex((edge) => columns.edgeIds[edge] === attention.focusedEdge);
    const next = around[now < 0 ? (back ? around.length - 1 : 0) : (now + (back ? around.length - 1 : 1)) % around.length]!;
    if (attention.focused === null) attention.focus(columns.ids[node]!);
    attention.focusEdge(columns.edgeIds[next]!);
    const name = (end: number) => visibleText(columns.names[end]!);
    stage.say(`${name(columns.edgeSource[next]!)} ${visibleText(columns.edgeTypes[columns.edgeType[next]!]!)} ${name(columns.edgeTarget[next]!)}`);
    return true;
  }

  leaveEdge(): void {
    const { attention } = this.parts;
    attention.focusEdge(null);
    this.focusNode(attention.focused);
  }

  entryNode(): string | null {
    const { attention, columns, index, camera } = this.parts;
    const selected = [...attention.selected][0];
    if (selected !== undefined) return selected;
    // The most connected one on screen is where a look would land, too.
    const view = camera.view(performance.now());
    const order = index.order();
    for (let at = order.length - 1; at >= 0; at--) {
      const node = order[at]!;
      const { x, y } = this.placeOf(node);
      const screen = toScreen(camera.camera, view, x, y);
      if (index.shows(node) && screen.x >= 0 && screen.y >= 0 && screen.x <= view.width && screen.y <= view.height) return columns.ids[node]!;
    }
    return columns.ids[order[order.length - 1] ?? -1] ?? null;
  }

  nodeTowards(id: string, dx: number, dy: number): string | null {
    const { columns, index } = this.parts;
    const node = columns.indexOf(id);
    if (node === undefined) return null;
    const from = this.placeOf(node);
    const nearest = (candidates: Iterable<number>) => {
      let best: number | undefined;
      let bestScore = Infinity;
      for (const candidate of candidates) {
        if (candidate === node || !index.shows(candidate)) continue;
        const at = this.placeOf(candidate);
        const along = (at.x - from.x) * dx + (at.y - from.y) * dy;
        const across = Math.abs((at.x - from.x) * dy - (at.y - from.y) * dx);
        // Within 60° of the arrow; straight ahead counts for more than near by.
        if (along <= 0 || across > along * 1.73) continue;
        const score = along + 2 * across;
        if (score < bestScore) [best, bestScore] = [candidate, score];
      }
      return best;
    };
    const { offsets, neighbours } = index.drawnAdjacency();
    const next = nearest(neighbours.subarray(offsets[node], offsets[node + 1])) ?? nearest(columns.ids.keys());
    return next === undefined ? null : columns.ids[next]!;
  }

  screenOf(id: string): Point | null {
    const { columns, camera, folding } = this.parts;
    const node = columns.indexOf(id);
    if (node === undefined) return null;
    const at = this.placeOf(folding.drawnAs(node));
    return toScreen(camera.camera, camera.view(performance.now()), at.x, at.y);
  }

  screenOfEdge(id: string): Point | null {
    const { columns, index } = this.parts;
    const edge = columns.edgeIndexOf(id);
    if (edge === undefined) return null;
    const from = this.screenOf(columns.ids[columns.edgeSource[edge]!]!);
    const to = this.screenOf(columns.ids[columns.edgeTarget[edge]!]!);
    return from === null || to === null ? null : pointAlong(from, to, index.fan().drawnFor.has(edge) ? 0 : Math.max(-1, index.fan().bend[edge]!), 0.5);
  }

  centreOfView(): Point {
    return viewCentre(this.parts.camera.view(performance.now()));
  }

  togglePin(): void {
    const { attention, columns, layout, emitter, requestRender } = this.parts;
    const ids = attention.focused !== null ? [attention.focused] : [...attention.selected];
    for (const id of ids) {
      const node = columns.indexOf(id);
      if (node === undefined) continue;
      const at = columns.pinned[node] === 1 ? null : this.placeOf(node);
      columns.pinned[node] = at === null ? 0 : 1;
      columns.dirty.nodes.add(node);
      layout.pin(node, at);
      emitter.emit("pin", id, at);
    }
    requestRender();
  }

  fit(): void {
    this.stopCentring();
    this.parts.camera.fit(performance.now());
  }

  reheat(): void {
    this.parts.layout.reheat();
    this.parts.requestRender();
  }

  destroy(): void {
    this.stopCentring();
  }

  /** Where the keyboard is, else the first that is selected. */
  private attended(): string | undefined {
    const { attention, columns, folding } = this.parts;
    const id = attention.focused ?? [...attention.selected][0];
    const node = id === undefined ? undefined : columns.indexOf(id);
    return node === undefined ? undefined : columns.ids[folding.drawnAs(node)]!;
  }

  private setSelection(ids: ReadonlySet<string>): void {
    const { attention, emitter } = this.parts;
    attention.select(ids);
    emitter.emit("select", [...attention.selected]);
    if (attention.selectedEdge === null) return;
    attention.selectEdge(null);
    emitter.emit("selectEdge", null);
  }

  private stopCentring(): void {
    window.clearTimeout(this.centring);
  }

  private placeOf(node: number): Point {
    const { positions } = this.parts.columns;
    return { x: positions[2 * node]!, y: positions[2 * node + 1]! };
  }

  /** By id: a live removal during the drag gives nodes other indices. */
  private heldNodes(): number[] {
    return this.held.flatMap((held) => this.parts.columns.indexOf(held.id) ?? []);
  }
}
