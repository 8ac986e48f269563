import { applyOps } from "./applyOps";
import { AttentionState } from "./attentionState";
import type { Camera } from "./camera";
import { CameraControl } from "./cameraControl";
import { easeOut } from "./cameraMotion";
import { CLUSTERS_FROM } from "./clusters";
import { cssColour } from "./colour";
import { SceneColumns } from "./columns";
import { SceneEmitter } from "./emitter";
import { Folding } from "./folding";
import { FrameLoop } from "./frameLoop";
import { GraphIndex } from "./graphIndex";
import { attachKeyboard } from "./interaction/keyboardInput";
import { PointerInput } from "./interaction/pointerInput";
import { attachWheel } from "./interaction/wheelInput";
import { LayoutDriver } from "./layoutDriver";
import { Pulses } from "./pulses";
import { PersonActions } from "./sceneActions";
import { readProbe } from "./probe";
import { REST_MS, ScenePainter } from "./scenePainter";
import { overviewOf, type Overview } from "./overview";
import { wholeOf } from "./subset";
import { Stage } from "./stage";
import { THEMES } from "./theme";
import { D3ForceLayout } from "../layout/d3ForceLayout";
import { decodeGroups, encodePicture } from "../layout/picture";
import type { ArrangeKind, LayoutHost, LayoutSettings, LayoutSource } from "../layout/types";
import type { ChangeOrigin, SceneData, SceneEvents, SceneOp, SceneProbe, ThemeName, TypeColour } from "./types";

export type GraphSceneOptions = { theme: ThemeName; reducedMotion: boolean; layout?: LayoutSource | undefined; host?: LayoutHost | undefined };

const GROUP_AFTER_MS = 400;
const GROUP_ATTEMPTS = 5;
const GLIDE_MS = 350;
const GLIDE_UP_TO = 20_000;
const SLOW_NOTICE = "Drawing is slow on this machine, so the graph is drawn with fewer effects while it moves.";

/**
 * The canvas: give it a container, load a graph, feed it changes. It draws when something changes and is idle
 * otherwise; it knows nothing of React, the host or the store.
 */
export class GraphScene {
  private readonly emitter = new SceneEmitter();
  private readonly columns = new SceneColumns();
  private readonly folding = new Folding(this.columns);
  private readonly index = new GraphIndex(this.columns, this.folding);
  private readonly pulses = new Pulses();
  private readonly loop: FrameLoop;
  private readonly stage: Stage;
  private readonly camera: CameraControl;
  private readonly attention: AttentionState;
  private readonly painter: ScenePainter;
  private readonly layout: LayoutDriver;
  private readonly actions: PersonActions;
  private readonly pointer: PointerInput;
  private readonly detach: (() => void)[];
  private readonly reducedMotion: boolean;
  private readonly cameras = new Map<string, Camera>();
  /** Descriptions that were asked for and have not come. */
  private readonly asked = new Set<string>();
  private readonly folds = new Map<string, ReadonlyMap<string, string>>();
  private graph: string | null = null;
  private restTimer = 0;
  private notices: string[] = [];
  private ready = false;
  private settledData = true;
  private readonly host: LayoutHost | undefined;
  private grouping = 0;
  private glide: { from: Float32Array; to: Float32Array; version: number; start: number } | undefined;

  constructor(container: HTMLElement, options: GraphSceneOptions) {
    const { reducedMotion } = options;
    this.reducedMotion = reducedMotion;
    this.host = options.host;
    const still = () => this.reducedMotion;
    this.loop = new FrameLoop((now) => this.frame(now), () => this.painter.backdrop.slow || this.painter.backdrop.declareSlow());
    this.camera = new CameraControl(() => this.index.bounds(), still, this.loop.request);
    this.stage = new Stage(container, {
      resized: (width, height) => this.camera.resize(width, height),
      stale: () => this.redraw(),
      notice: (text) => this.notice(text),
    });
    this.attention = new AttentionState(this.columns, this.index, this.folding, this.loop.request);
    this.painter = new ScenePainter(this.columns, this.index, this.folding, this.camera, this.attention, this.pulses, this.stage, still, options.theme, () => this.slow());
    this.layout = new LayoutDriver(options.layout ?? new D3ForceLayout(), this.columns, this.index, still, () => this.camera.camera.zoom, {
      moved: this.loop.request,
      settled: (positions) => this.settled(positions),
    });
    this.actions = new PersonActions({
      columns: this.columns, index: this.index, camera: this.camera, attention: this.attention, layout: this.layout,
      stage: this.stage, emitter: this.emitter, folding: this.folding, refold: () => this.refolded(), clusterAt: (at) => this.painter.clusterAt(at), accent: () => this.painter.theme.accent, requestRender: this.loop.request,
    });
    const { root } = this.stage;
    this.pointer = new PointerInput(root, this.actions);
    this.detach = [attachWheel(root, this.actions), attachKeyboard(root, this.actions, () => this.pointer.cancel()), this.showFocus()];
    root.style.background = cssColour(this.painter.theme.canvas);
    this.loop.request();
  }

  on<K extends keyof SceneEvents>(event: K, handler: SceneEvents[K]): () => void {
    const off = this.emitter.on(event, handler);
    // Notices of the constructor came before anyone could listen.
    if (event === "notice") for (const text of this.notices.splice(0)) this.emitter.emit("notice", text);
    return off;
  }

  load(data: SceneData): void {
    const same = data.graph === this.graph;
    if (this.graph !== null) {
      this.cameras.set(this.graph, this.camera.camera);
      this.folds.set(this.graph, this.folding.state());
    }
    this.graph = data.graph;
    this.layout.halt();
    this.columns.load(data);
    this.folding.restore(this.folds.get(data.graph));
    this.folding.prune();
    this.emitter.emit("folded", this.folding.folded);
    this.pulses.clear();
    this.painter.backdrop.reassess();
    if (same) {
      if (this.attention.prune()) this.emitter.emit("select", [...this.attention.selected]);
    } else {
      const hadSelection = this.attention.selected.size > 0;
      const hadEdge = this.attention.selectedEdge !== null;
      this.attention.clear();
      this.asked.clear();
      this.painter.forget();
      if (hadSelection) this.emitter.emit("select", []);
      if (hadEdge) this.emitter.emit("selectEdge", null);
    }
    // A neighbourhood is looked at whole, until the person looks elsewhere.
    const camera = data.isFocus === true ? undefined : this.cameras.get(data.graph);
    this.camera.following = false;
    if (camera !== undefined) {
      if (!same) this.camera.jump(camera);
    } else {
      this.camera.open(performance.now());
      this.camera.following = !data.settled;
    }
    this.settledData = data.settled;
    this.layout.begin(data.settled, data.isFocus === true);
    this.ready = true;
    this.painter.clusters.set(null);
    this.groupSoon();
    this.loop.request();
  }

  apply(ops: SceneOp[], _origin: ChangeOrigin): void {
    const now = performance.now();
    const changes = applyOps(this.columns, ops);
    for (const op of ops) if (op.op === "pin") this.notePin(op.id);
    this.layout.absorb(changes);
    this.pulses.start(changes.changed, "changed", now);
    this.pulses.start(changes.added, "added", now);
    this.pruneFolds();
    if (this.attention.prune()) this.emitter.emit("select", [...this.attention.selected]);
    this.groupSoon();
    this.loop.request();
  }

  /** Set from outside, so no `select` event comes back. */
  select(ids: string[], options?: { centre?: boolean }): void {
    this.attention.select(ids);
    const first = ids[0];
    if (options?.centre === true && first !== undefined) this.centre(first, true);
  }

  /** These bear a mark: an agent changed them, and nobody has looked since. */
  mark(ids: ReadonlySet<string>): void {
    this.painter.marked = ids;
    this.loop.request();
  }

  /** A relationship, from outside as well. */
  selectEdge(id: string | null): void {
    this.attention.selectEdge(id);
  }

  /** A relationship's ends and type; undefined where it is not in the picture. */
  relationship(id: string): { source: string; target: string; type: string } | undefined {
    const { columns } = this;
    const edge = columns.edgeIndexOf(id);
    if (edge === undefined) return undefined;
    return { source: columns.ids[columns.edgeSource[edge]!]!, target: columns.ids[columns.edgeTarget[edge]!]!, type: columns.edgeTypes[columns.edgeType[edge]!]! };
  }

  highlight(ids: string[] | null): void {
    this.attention.highlight(ids);
  }

  setHiddenTypes(types: ReadonlySet<string>): void {
    this.index.hide(types);
    this.rehome();
    this.loop.request();
  }

  setTheme(theme: ThemeName): void {
    this.painter.theme = THEMES[theme];
    this.stage.root.style.background = cssColour(this.painter.theme.canvas);
    this.loop.request();
  }

  setInsets(left: number, right: number): void {
    this.camera.setInsets(left, right, performance.now());
  }

  /** What lies over the canvas may be elsewhere: names are placed anew. */
  refresh(): void {
    this.loop.request();
  }

  fit(): void {
    this.actions.fit();
  }

  zoomBy(factor: number): void {
    this.actions.zoom(this.actions.centreOfView(), factor);
  }

  reheat(): void {
    this.actions.reheat();
  }

  /** Everything there is, to be loaded again later. */
  whole(): SceneData {
    return wholeOf(this.columns, this.graph ?? "", this.settledData || !this.layout.running);
  }

  placeOf(id: string): { x: number; y: number } | undefined {
    const node = this.columns.indexOf(id);
    return node === undefined ? undefined : { x: this.columns.positions[2 * node]!, y: this.columns.positions[2 * node + 1]! };
  }

  get isSlow(): boolean {
    return this.painter.backdrop.slow;
  }

  /** The whole picture in small; null while all of it is in sight. */
  overview(): Overview | null {
    return overviewOf(this.columns, this.index.bounds(), this.camera.camera, this.camera.view(performance.now()), (node) => this.index.shows(node));
  }

  /** Where the camera is. */
  lens(): Camera {
    return this.camera.camera;
  }

  setLens(camera: Camera): void {
    this.camera.following = false;
    this.camera.jump(camera);
    this.loop.request();
  }

  /** The picture is read by this many of its most linked nodes; 0 lets all count alike. */
  setCore(size: number): void {
    this.attention.setCore(size);
  }

  /** Gather every group of nodes in its most linked one. False when there are no groups. */
  async collapseClusters(): Promise<boolean> {
    // While somebody writes, the graph may be another before its groups are known.
    for (let attempt = 0; attempt < GROUP_ATTEMPTS && !this.painter.clusters.known; attempt++) await this.group();
    const groups = this.painter.clusters.members((node) => this.index.shows(node));
    for (const [leader, members] of groups) this.folding.fold(leader, members);
    if (groups.size > 0) this.refolded();
    return groups.size > 0;
  }

  /** Gather one group. */
  collapseCluster(leader: string): void {
    const members = this.painter.clusters.members((node) => this.index.shows(node)).get(leader);
    if (members === undefined) return;
    this.folding.fold(leader, members);
    this.refolded();
  }

  collapseAround(id: string): void {
    this.actions.collapseAround(id);
  }

  /** Let out what is gathered in one node, or everything. */
  expand(id?: string): void {
    if (this.folding.unfold(id === undefined ? undefined : new Set([id])).length > 0) this.refolded();
  }

  /** How many nodes are gathered in this one. */
  foldedIn(id: string): number {
    const node = this.columns.indexOf(id);
    return node === undefined ? 0 : this.folding.countIn(node);
  }

  isFolded(id: string): boolean {
    const node = this.columns.indexOf(id);
    return node !== undefined && this.folding.isFolded(node);
  }

  /** What is written on the cards of nodes seen from near. */
  describe(observations: readonly (readonly [id: string, observation: string])[]): void {
    for (const [id] of observations) this.asked.delete(id);
    this.painter.describe(observations);
    this.loop.request();
  }

  /** What was told of these is no longer so. */
  redescribe(ids: readonly string[]): void {
    this.painter.outdate(ids);
    for (const id of ids) this.asked.delete(id);
    this.loop.request();
  }

  /** Nothing of these may be folded away. */
  unfoldFor(ids: readonly string[]): void {
    if (this.folding.reveal(ids)) this.refolded();
  }

  /** Other forces, from where everything stands. */
  layOut(settings: LayoutSettings): void {
    this.glide = undefined;
    this.layout.settings(settings);
    this.layout.reheat(0.4);
    this.loop.request();
  }

  pauseLayout(paused: boolean): void {
    this.layout.pause(paused);
  }

  /** Places for another reason than forces. False when the picture has changed meanwhile. */
  async arrange(kind: ArrangeKind): Promise<boolean> {
    const { host, columns } = this;
    if (host === undefined || columns.nodeCount === 0) return false;
    const topology = this.layout.topology();
    const placed = new Float32Array(await host.callBytes("arrange", encodePicture(topology, { layout: 0, arrange: kind, types: columns.typeOf })));
    if (topology.version !== columns.version) return false;
    this.moveTo(placed);
    return true;
  }

  /** Where everything stands now. */
  places(): { ids: string[]; xy: Float32Array } {
    const { columns } = this;
    return { ids: columns.ids.slice(), xy: columns.positions.slice(0, 2 * columns.nodeCount) };
  }

  putBack({ ids, xy }: { ids: string[]; xy: Float32Array }): void {
    const { columns } = this;
    const placed = columns.positions.slice(0, 2 * columns.nodeCount);
    ids.forEach((id, at) => {
      const node = columns.indexOf(id);
      if (node !== undefined) placed.set(xy.subarray(2 * at, 2 * at + 2), 2 * node);
    });
    this.moveTo(placed);
  }

  centre(id: string, onlyIfOutside = false): void {
    const node = this.columns.indexOf(id);
    if (node === undefined) return;
    const at = { x: this.columns.positions[2 * node]!, y: this.columns.positions[2 * node + 1]! };
    this.camera.centre(at, performance.now(), onlyIfOutside);
  }

  /** Bring all of these into sight; nothing moves if they are. */
  show(ids: readonly string[]): void {
    const bounds = this.index.boundsOf(ids);
    if (bounds !== null) this.camera.show(bounds, performance.now());
  }

  /** As near as shows all of these. */
  fitTo(ids: readonly string[]): void {
    const bounds = this.index.boundsOf(ids);
    if (bounds !== null) this.camera.fitTo(bounds, performance.now());
    this.loop.request();
  }

  typeColours(): TypeColour[] {
    const looks = this.painter.typeLooks();
    return this.columns.types.map((type, at) => {
      const { colour, icon, shape } = looks[at]!;
      return { type, colour: cssColour(colour), icon, shape, count: this.columns.typeCounts[at] ?? 0 };
    });
  }

  probe(): SceneProbe {
    return readProbe({
      ready: this.ready, columns: this.columns, index: this.index, folding: this.folding, camera: this.camera, attention: this.attention,
      stage: this.stage, actions: this.actions, frames: this.loop.stats(), clusterName: this.painter.clusterName(),
    });
  }

  destroy(): void {
    window.clearTimeout(this.restTimer);
    window.clearTimeout(this.grouping);
    this.loop.cancel();
    this.emitter.clear();
    for (const detach of this.detach) detach();
    this.pointer.destroy();
    this.actions.destroy();
    this.attention.destroy();
    this.layout.destroy();
    this.stage.destroy();
  }

  private frame(now: number): boolean {
    const gliding = this.step(now);
    const again = this.painter.paint(now, this.layout.running || gliding) || gliding;
    // Labels are completed once everything is still. A timer, not frames: waiting must cost nothing.
    window.clearTimeout(this.restTimer);
    if (!again && this.painter.unfinished && !this.layout.running) this.restTimer = window.setTimeout(this.loop.request, REST_MS + 10);
    this.emitter.emit("stats");
    if (!again) this.askForDescriptions();
    return again;
  }

  private askForDescriptions(): void {
    const ids = this.painter.undescribed().filter((id) => !this.asked.has(id));
    if (ids.length === 0) return;
    for (const id of ids) this.asked.add(id);
    this.emitter.emit("near", ids);
  }

  private refolded(): void {
    this.followFolds();
    this.columns.dirty.edges.addAll(this.columns.edgeCount);
    this.emitter.emit("folded", this.folding.folded);
    this.loop.request();
  }

  /** What was selected, focused or pointed at and is folded away now is so through the node that stands for it. */
  private followFolds(): void {
    const { attention, columns, folding } = this;
    const drawn = (id: string) => columns.ids[folding.drawnAs(columns.indexOf(id)!)]!;
    if (attention.hovered !== null && drawn(attention.hovered) !== attention.hovered) {
      attention.hover(null);
      this.emitter.emit("hover", null);
    }
    if (attention.focused !== null && drawn(attention.focused) !== attention.focused) this.actions.focusNode(drawn(attention.focused));
    const selected = [...new Set([...attention.selected].map(drawn))];
    if (selected.every((id) => attention.selected.has(id)) && selected.length === attention.selected.size) return;
    attention.select(selected);
    this.emitter.emit("select", selected);
  }

  /** One that stands for others and is hidden by its type gives its place to one that is not. */
  private rehome(): void {
    const { columns, folding, index } = this;
    let changed = false;
    for (const holder of [...folding.holders()]) {
      if (index.showsType(holder)) continue;
      const next = folding.membersOf(columns.ids[holder]!).flatMap((id) => columns.indexOf(id) ?? []).filter((node) => index.showsType(node))
        .reduce<number | undefined>((best, node) => (best === undefined || columns.degree[node]! > columns.degree[best]! ? node : best), undefined);
      if (next === undefined) continue;
      folding.fold(columns.ids[next]!, [columns.ids[holder]!, ...folding.membersOf(columns.ids[holder]!)]);
      changed = true;
    }
    if (changed) this.refolded();
  }

  private pruneFolds(): void {
    const before = this.folding.version;
    this.folding.prune();
    if (this.folding.version !== before) this.refolded();
  }

  private settled(positions: { ids: string[]; xy: Float32Array }): void {
    if (this.camera.following) this.camera.fit(performance.now());
    this.emitter.emit("settled", positions);
    this.loop.request();
  }

  /** Everything goes to its new place, in sight where that costs little; what is pinned stays. */
  private moveTo(placed: Float32Array): void {
    const { columns } = this;
    this.layout.halt();
    const to = placed.slice();
    for (let node = 0; node < columns.nodeCount; node++) {
      if (columns.pinned[node] === 1) to.set(columns.positions.subarray(2 * node, 2 * node + 2), 2 * node);
    }
    const still = this.reducedMotion || columns.nodeCount > GLIDE_UP_TO;
    this.glide = { from: columns.positions.slice(0, 2 * columns.nodeCount), to, version: columns.version, start: still ? -Infinity : performance.now() };
    this.loop.request();
  }

  /** True while nodes are under way to where they were sent. */
  private step(now: number): boolean {
    const { glide, columns } = this;
    if (glide === undefined) return false;
    if (glide.version !== columns.version) {
      this.glide = undefined;
      return false;
    }
    const t = Math.min(1, (now - glide.start) / GLIDE_MS);
    const share = easeOut(t);
    for (let k = 0; k < glide.to.length; k++) columns.positions[k] = glide.from[k]! + (glide.to[k]! - glide.from[k]!) * share;
    columns.dirty.positions.addAll(columns.nodeCount);
    columns.moved++;
    if (t < 1) return true;
    this.glide = undefined;
    this.layout.settleAll();
    this.camera.fit(now);
    return false;
  }

  /** Groups are worked out once a picture has been the same for a while. */
  private groupSoon(): void {
    window.clearTimeout(this.grouping);
    if (this.host === undefined || this.columns.nodeCount < CLUSTERS_FROM || this.painter.clusters.known) return;
    this.grouping = window.setTimeout(() => void this.group(), GROUP_AFTER_MS);
  }

  private async group(): Promise<void> {
    const { host, columns } = this;
    if (host === undefined) return;
    const topology = this.layout.topology();
    // Without groups the picture lacks their outlines, and nothing else.
    const groups = await host.callBytes("communities", encodePicture(topology, { layout: 0 })).then(decodeGroups, () => null);
    if (groups === null || topology.version !== columns.version) return;
    this.painter.clusters.set({ version: topology.version, of: groups.of, count: groups.count });
    this.loop.request();
  }

  private slow(): void {
    this.stage.limitDpr(1);
    // The 2D fallback has already said why it is plainer.
    if (this.stage.renderer.kind === "webgl2") this.notice(SLOW_NOTICE);
  }

  private redraw(): void {
    // The stage measures itself before there is a painter; the first frame is due anyway.
    (this.painter as ScenePainter | undefined)?.backdrop.invalidate();
    this.loop.request();
  }

  private notice(text: string): void {
    this.notices.push(text);
    // Handlers registered later get it from `on`.
    if (this.emitter.has("notice")) for (const waiting of this.notices.splice(0)) this.emitter.emit("notice", waiting);
  }

  private notePin(id: string): void {
    const node = this.columns.indexOf(id);
    if (node === undefined) return;
    const { pinned, positions } = this.columns;
    this.layout.pin(node, pinned[node] === 1 ? { x: positions[2 * node]!, y: positions[2 * node + 1]! } : null);
  }

  /** The ring of the page round the canvas, for keyboards only and only while no node carries a ring of its own. */
  private showFocus(): () => void {
    const { root } = this.stage;
    const update = () => {
      const bare = document.activeElement === root && root.matches(":focus-visible") && this.attention.focused === null;
      this.stage.outline(bare ? cssColour(this.painter.theme.accent) : null);
    };
    const left = () => {
      this.actions.focusNode(null);
      update();
    };
    const keyed = () => queueMicrotask(update);
    root.addEventListener("focus", update);
    root.addEventListener("blur", left);
    root.addEventListener("keydown", keyed);
    update();
    return () => {
      root.removeEventListener("focus", update);
      root.removeEventListener("blur", left);
      root.removeEventListener("keydown", keyed);
    };
  }
}
