import type { Overview } from "../graph/overview";
import { GraphScene } from "../graph/GraphScene";
import type { ChangeOrigin, SceneData, SceneOp, SceneProbe } from "../graph/types";
import { CombinedLayout } from "../layout/combinedLayout";
import type { ArrangeKind, LayoutHost, LayoutSettings } from "../layout/types";
import { OWN_SETTINGS } from "../state/layout/layout";
import { coreOf } from "../state/view/view";
import { FocusViews } from "./focusViews";
import type { Attribution, SceneBatch } from "../ipc/generated/wire";
import { lookAt } from "../state/looks/looks";
import { selectOnly } from "../state/selection/selection";
import type { Stores } from "../state/stores";
import { resolveTheme } from "../state/theme/theme";
import { NodeIndex } from "./nodeIndex";

/** The legend follows the canvas at this pace; while a stream of writes runs, every frame would be too often. */
const LOOKS_MS = 200;

/** Marks beyond this would say "everywhere", which the number says already. */
export const MOST_UNSEEN = 5_000;

/** What a person does on the canvas and the program has to write down or answer. */
export type SceneDoings = {
  pinned: (id: string, at: { x: number; y: number } | null) => void;
  settled: (ids: string[], xy: number[]) => void;
  activated: (id: string) => void;
  relationshipActivated: (id: string) => void;
  createAt: (x: number, y: number) => void;
  near: (ids: readonly string[]) => void;
  notice: (text: string) => void;
};

/** Connects the canvas with the slices. Everything else speaks to the picture through this. */
export class SceneLink {
  readonly nodes = new NodeIndex();
  doings: SceneDoings | undefined;
  /** Asks the host for the picture once more. */
  reread: (() => void) | undefined;
  readonly focus: FocusViews;
  private readonly watchers = new Set<() => void>();
  private scene: GraphScene | null = null;
  private data: SceneData | null = null;
  /** Chosen before they arrived: selected as soon as the live follow has brought them all. */
  private awaited: readonly string[] = [];
  private echo = false;
  private looksTimer = 0;
  private insets: [number, number] = [0, 0];
  private container: HTMLElement | null = null;
  private framesAtLoad = Infinity;

  constructor(private readonly stores: Stores, private readonly host?: LayoutHost) {
    this.focus = new FocusViews(stores, () => this.scene, () => this.reread?.());
    stores.selection.subscribe(() => {
      const { ids } = stores.selection.get();
      if (!this.echo) this.scene?.select([...ids]);
      if (ids.length > 0) stores.relationship.set(() => null);
    });
    stores.relationship.subscribe(() => {
      const id = stores.relationship.get();
      if (id !== null) stores.selection.set((selection) => selectOnly(selection, []));
      this.scene?.selectEdge(id);
    });
    stores.unseen.subscribe(() => this.scene?.mark(stores.unseen.get()));
    stores.selection.subscribe(() => this.saw(stores.selection.get().ids));
    // What lies over the canvas changes with them, once they are drawn.
    stores.panels.subscribe(() => requestAnimationFrame(() => this.scene?.refresh()));
    stores.view.subscribe(() => {
      this.scene?.setHiddenTypes(stores.view.get().hiddenTypes);
      this.scene?.setCore(coreOf(stores.view.get(), this.nodes.size));
    });
    stores.theme.subscribe(() => {
      this.scene?.setTheme(resolveTheme(stores.theme.get()));
      this.refreshLooks();
    });
  }

  /** Give the canvas its place on the page; answers how to take it away. */
  attach(container: HTMLElement): () => void {
    const reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const layout = this.host === undefined ? undefined : new CombinedLayout(this.host);
    const scene = new GraphScene(container, { theme: resolveTheme(this.stores.theme.get()), reducedMotion, layout, host: this.host });
    const { settings } = this.stores.layout.get();
    if (settings !== OWN_SETTINGS) layout?.settings(settings);
    scene.setCore(coreOf(this.stores.view.get(), this.nodes.size));
    scene.mark(this.stores.unseen.get());
    this.scene = scene;
    this.container = container;
    scene.setInsets(...this.insets);
    scene.on("select", (ids) => {
      this.echo = true;
      this.stores.selection.set((selection) => selectOnly(selection, ids));
      this.echo = false;
    });
    scene.on("selectEdge", (id) => this.stores.relationship.set(() => id));
    scene.on("clustermenu", (leader, count, x, y) => this.stores.contextMenu.set(() => ({ id: null, cluster: { leader, count }, x, y })));
    scene.on("near", (ids) => this.doings?.near(ids));
    scene.on("folded", (count) => this.stores.folded.set(() => count));
    scene.on("edgemenu", (relationship, x, y) => this.stores.contextMenu.set(() => ({ id: null, relationship, x, y })));
    scene.on("activateEdge", (id) => this.doings?.relationshipActivated(id));
    scene.on("hover", (id) => this.stores.hovered.set(() => id));
    scene.on("contextmenu", (id, x, y) => this.stores.contextMenu.set(() => ({ id, x, y })));
    scene.on("pin", (id, at) => {
      // Where things stand in a neighbourhood is nobody's place for them.
      if (this.focus.active) return;
      this.nodes.pin(id, at !== null);
      this.doings?.pinned(id, at);
    });
    scene.on("settled", ({ ids, xy }) => {
      if (!this.focus.active) this.doings?.settled(ids, Array.from(xy));
    });
    scene.on("enter", (id) => this.focus.enter(id));
    scene.on("activate", (id) => this.doings?.activated(id));
    scene.on("createAt", (x, y) => this.doings?.createAt(x, y));
    scene.on("notice", (text) => this.doings?.notice(text));
    scene.on("stats", () => {
      this.scheduleLooks();
      this.watchers.forEach((watcher) => watcher());
    });
    if (this.data !== null) this.load(this.data);
    return () => {
      window.clearTimeout(this.looksTimer);
      this.looksTimer = 0;
      scene.destroy();
      if (this.scene === scene) this.scene = null;
    };
  }

  load(data: SceneData): void {
    // Kept until a canvas has it: the answer of the host may be quicker than the first render.
    this.data = this.scene === null ? data : null;
    this.focus.reset(data.graph);
    this.nodes.load(data);
    if (this.scene !== null) this.framesAtLoad = this.scene.probe().frameStats.frames;
    this.scene?.load(data);
    this.scene?.setHiddenTypes(this.stores.view.get().hiddenTypes);
    this.counted();
    this.refreshLooks();
  }

  apply(batches: readonly SceneBatch[], isEcho: (op: SceneOp) => boolean): void {
    for (const batch of batches) {
      const ops = batch.ops.filter((op) => !isEcho(op)) as SceneOp[];
      if (ops.length === 0) continue;
      this.nodes.apply(ops);
      if (this.focus.active) this.focus.apply(ops);
      else this.scene?.apply(ops, originOf(batch.by));
    }
    this.scene?.redescribe(batches.flatMap((batch) => batch.touched));
    this.noteUnseen(batches);
    this.counted();
    if (this.awaited.length > 0) this.revealAll(this.awaited);
  }

  /** Select and show, now or as soon as it is in the picture. */
  reveal(id: string): void {
    this.revealAll([id]);
  }

  revealAll(ids: readonly string[]): void {
    const all = ids.every((id) => this.nodes.get(id) !== undefined);
    this.awaited = all ? [] : ids;
    if (!all || ids.length === 0) return;
    this.scene?.unfoldFor(ids);
    this.stores.selection.set((selection) => selectOnly(selection, ids));
    if (ids.length === 1) this.scene?.centre(ids[0]!, true);
    else this.scene?.show(ids);
  }

  /** Select a relationship and bring both its ends into sight. */
  revealRelationship(id: string): void {
    this.stores.relationship.set(() => id);
    const found = this.scene?.relationship(id);
    if (found === undefined) return;
    this.scene?.unfoldFor([found.source, found.target]);
    this.scene?.show([found.source, found.target]);
  }

  /** What a relationship of the picture links, by name. */
  relationship(id: string): { source: string; target: string; type: string; ends: string[] } | undefined {
    const found = this.scene?.relationship(id);
    if (found === undefined) return undefined;
    const name = (end: string) => this.nodes.get(end)?.name ?? end;
    return { source: name(found.source), target: name(found.target), type: found.type, ends: [found.source, found.target] };
  }

  highlight(ids: string[] | null): void {
    this.scene?.highlight(ids);
  }

  setInsets(left: number, right: number): void {
    this.insets = [left, right];
    this.scene?.setInsets(left, right);
  }

  overview(): Overview | null {
    return this.scene?.overview() ?? null;
  }

  /** Drawing cannot keep up with frames here. */
  get isSlow(): boolean {
    return this.scene?.isSlow ?? false;
  }

  /** Calls back when the picture or the camera has changed. */
  onStats(callback: () => void): () => void {
    this.watchers.add(callback);
    return () => this.watchers.delete(callback);
  }

  /** Brings a place of the graph to the middle, at the present zoom. */
  lookAt(x: number, y: number): void {
    const lens = this.scene?.lens();
    if (lens !== undefined) this.scene?.setLens({ ...lens, x, y });
  }

  /** As near as shows all that is selected. */
  fitSelection(): void {
    this.scene?.fitTo([...this.stores.selection.get().ids]);
  }

  fit(): void {
    this.scene?.fit();
  }

  zoomBy(factor: number): void {
    this.scene?.zoomBy(factor);
  }

  async collapseClusters(): Promise<boolean> {
    const any = (await this.scene?.collapseClusters()) ?? false;
    if (any) this.scene?.fit();
    return any;
  }

  collapseCluster(leader: string): void {
    this.scene?.collapseCluster(leader);
  }

  collapseAround(id: string): void {
    this.scene?.collapseAround(id);
  }

  /** Let out what is collapsed in an entity, or everything. */
  expand(id?: string): void {
    this.scene?.expand(id);
  }

  /** The person has looked at these; at all of them if none is named. */
  saw(ids?: Iterable<string>): void {
    this.stores.unseen.set((unseen) => {
      if (ids === undefined) return unseen.size === 0 ? unseen : new Set();
      const left = new Set(unseen);
      for (const id of ids) left.delete(id);
      return left.size === unseen.size ? unseen : left;
    });
  }

  /** By agents, and not what is looked at just now. */
  private noteUnseen(batches: readonly SceneBatch[]): void {
    const selected = this.stores.selection.get().set;
    const changed = batches.filter(({ by }) => by.is_agent).flatMap(({ touched }) => touched);
    const removed = batches.flatMap(({ ops }) => ops.flatMap((op) => (op.op === "node_removed" ? [op.id] : [])));
    this.stores.unseen.set((unseen) => {
      const fresh = unseen.size >= MOST_UNSEEN ? [] : changed.filter((id) => !unseen.has(id) && !selected.has(id) && this.nodes.get(id) !== undefined);
      if (fresh.length === 0 && !removed.some((id) => unseen.has(id))) return unseen;
      const next = new Set([...unseen, ...fresh.slice(0, MOST_UNSEEN - unseen.size)]);
      for (const id of removed) if (this.nodes.get(id) === undefined) next.delete(id);
      return next;
    });
  }

  describe(observations: readonly (readonly [id: string, observation: string])[]): void {
    this.scene?.describe(observations);
  }

  isHidden(id: string): boolean {
    return this.scene?.isFolded(id) ?? false;
  }

  foldedIn(id: string): number {
    return this.scene?.foldedIn(id) ?? 0;
  }

  reheat(): void {
    this.scene?.reheat();
  }

  layOut(settings: LayoutSettings): void {
    this.scene?.layOut(settings);
  }

  pauseLayout(paused: boolean): void {
    this.scene?.pauseLayout(paused);
  }

  arrange(kind: ArrangeKind): Promise<boolean> {
    return this.scene?.arrange(kind) ?? Promise.resolve(false);
  }

  places(): { ids: string[]; xy: Float32Array } | undefined {
    return this.scene?.places();
  }

  putBack(places: { ids: string[]; xy: Float32Array }): void {
    this.scene?.putBack(places);
  }

  centre(id: string): void {
    this.scene?.centre(id);
  }

  /** What the canvas shows: the place in the middle of what panels leave free, the zoom, and the size of that part. */
  view(): { x: number; y: number; zoom: number; width: number; height: number } | undefined {
    const camera = this.probe()?.camera;
    if (camera === undefined) return undefined;
    const [left, right] = this.insets;
    return { x: camera.x, y: camera.y, zoom: camera.zoom, width: camera.width - left - right, height: camera.height };
  }

  /** The loaded graph has been drawn at least once. */
  get drawn(): boolean {
    const probe = this.probe();
    return probe?.ready === true && probe.frameStats.frames > this.framesAtLoad;
  }

  /** The place in the graph under a point of the page. */
  graphPoint(clientX: number, clientY: number): [number, number] | undefined {
    const camera = this.probe()?.camera;
    const box = this.container?.getBoundingClientRect();
    if (camera === undefined || box === undefined) return undefined;
    // The camera looks at the middle of what the panels leave uncovered.
    const [left, right] = this.insets;
    const [middleX, middleY] = [left + (camera.width - left - right) / 2, camera.height / 2];
    return [camera.x + (clientX - box.left - middleX) / camera.zoom, camera.y + (clientY - box.top - middleY) / camera.zoom];
  }

  placeOf(id: string): { x: number; y: number } | undefined {
    return this.probe()?.positions()[id];
  }

  probe(): SceneProbe | undefined {
    return this.scene?.probe();
  }

  private counted(): void {
    const nodes = this.nodes.size;
    this.scene?.setCore(coreOf(this.stores.view.get(), nodes));
    this.stores.workspace.set((workspace) => (workspace.nodes === nodes ? workspace : { ...workspace, nodes }));
  }

  private scheduleLooks(): void {
    if (this.looksTimer !== 0) return;
    this.looksTimer = window.setTimeout(() => {
      this.looksTimer = 0;
      this.refreshLooks();
    }, LOOKS_MS);
  }

  private refreshLooks(): void {
    const { scene } = this;
    if (scene !== null) this.stores.looks.set((looks) => lookAt(looks, scene.typeColours()));
  }
}

export function originOf(by: Attribution): ChangeOrigin {
  if (by.is_agent) return "agent";
  return by.actor === "person" ? "person" : "other";
}
