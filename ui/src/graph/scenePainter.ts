import type { AttentionState } from "./attentionState";
import { Backdrop, type Underlay } from "./backdrop";
import { toScreen, type Bounds } from "./camera";
import type { CameraControl } from "./cameraControl";
import { Tween } from "./cameraMotion";
import type { SceneColumns } from "./columns";
import type { Folding } from "./folding";
import type { GraphIndex } from "./graphIndex";
import { LabelChooser, type LabelScene } from "./labels/labelChooser";
import { LabelTexts } from "./labels/labelTexts";
import { NodeCards } from "./labels/nodeCards";
import { placeEdgeLabels, type EdgeLabel } from "./labels/edgeLabels";
import { Clusters, clusterStrength, outlineBounds, paintClusters, placeNames, type ClusterName } from "./clusters";
import { levelOfDetail, type LevelOfDetail } from "./lod";
import { Occupancy, type Box } from "./labels/occupancy";
import type { Pulses } from "./pulses";
import { FlatPainter } from "./renderer/flatPainter";
import type { DrawFrame, Ring } from "./renderer/types";
import { paintMarks } from "./marks";
import { edgeWidthScale } from "./sizes";
import type { Stage } from "./stage";
import { THEMES, type Theme } from "./theme";
import { typeLooks, type TypeLook } from "./typeLooks";
import { QUIET, type Emphasis, type Attention } from "./emphasis";
import type { Point, ThemeName } from "./types";

/** How long after the last movement the picture counts as at rest and is finished in full. */
export const REST_MS = 140;
const HIDE_MS = 150;
const CHOOSE_EVERY_MS = 120;
const CHOOSE_EVERY_SLOW_MS = 320;
const CHOOSE_EVERY_MANY_MS = 1_200;
const MANY_NODES = 20_000;
/** From here on a picture is read node by node. */
const NEAR_ZOOM = 0.75;
/** Of the name of a node that stands for others, so that their number fits as well. */
const HOLDER_CHARACTERS = 17;
/** From here on a node is a card: name, type and what is known of it. */
const CARD_ZOOM = 3;
const MOST_DESCRIBED = 2_000;
/** Bundles say how many edges they stand for from here on. */
const BUNDLE_COUNT_ZOOM = 0.5;

/** Puts one frame together: from the state of the scene to what renderer and label layer are told. */
export class ScenePainter {
  theme: Theme;
  readonly backdrop: Backdrop;
  readonly clusters: Clusters;
  private readonly texts = new LabelTexts();
  private readonly cards = new NodeCards();
  /** Nodes that bear a mark, by id. The set is another when it changes. */
  marked: ReadonlySet<string> = new Set();
  /** What is known of nodes seen from near: the observation on their card, empty for none. */
  private readonly observations = new Map<string, string>();
  private readonly outdated = new Set<string>();
  private readonly chooser = new LabelChooser(this.texts);
  private names: readonly ClusterName[] = [];
  private looks: { types: number; theme: Theme; looks: TypeLook[] } | undefined;
  private readonly typeAlpha: Tween[] = [];
  private readonly contrast = window.matchMedia("(prefers-contrast: more)");
  private paintedMotion = -Infinity;
  /** The last frame was one of a picture in motion, so a frame of the picture at rest is due. */
  unfinished = false;
  private last: { at: number; key: unknown[]; origin: Point; fading: boolean } | undefined;
  /** When the present movement began. */
  private setOff = -Infinity;
  private ringsReady = false;
  private still: { attention: Attention; theme: Theme; folds: number; rings: Ring[] } | undefined;

  constructor(
    private readonly columns: SceneColumns,
    private readonly index: GraphIndex,
    private readonly folding: Folding,
    private readonly camera: CameraControl,
    private readonly attention: AttentionState,
    private readonly pulses: Pulses,
    private readonly stage: Stage,
    private readonly reducedMotion: () => boolean,
    themeName: ThemeName,
    becameSlow: () => void,
  ) {
    this.backdrop = new Backdrop(becameSlow);
    this.theme = THEMES[themeName];
    this.clusters = new Clusters(columns);
  }

  /** Draw now; true when something is still under way and another frame is wanted. */
  paint(now: number, layoutRunning: boolean): boolean {
    const { columns, index, stage } = this;
    const cameraMoving = this.camera.step(now);
    const moving = this.isMoving(now) || layoutRunning;
    if (!moving || !this.unfinished) this.setOff = now;
    this.paintedMotion = this.camera.lastMotion;
    this.unfinished = moving;
    // Where single nodes are looked at, none of them is less than another.
    this.attention.setNear(this.camera.camera.zoom >= NEAR_ZOOM);
    const { attention, emphasis, fade, fading } = this.attention.resolve(this.theme, now, !this.reducedMotion());
    const view = this.camera.view(now);
    const counts = index.shownCounts();
    const detail = levelOfDetail(this.camera.camera, view, index.bounds(), counts.nodes, counts.edges, index.meanEdgeLength(), this.contrast.matches);
    const { alphas, hiding } = this.typeAlphas(now);
    const frame: DrawFrame = {
      camera: this.camera.camera,
      view,
      dpr: stage.dpr,
      theme: this.theme,
      looks: this.typeLooks(),
      columns,
      fan: index.fan(),
      order: index.order(),
      typeAlpha: alphas,
      fade,
      lit: emphasis.lit,
      litOver: emphasis.strong !== null,
      under: emphasis.under,
      underFade: emphasis.under.length > 0 ? QUIET : 1,
      rings: this.rings(attention, now),
      // Where clusters are told, single lines are not what one looks for.
      edgeOpacity: detail.edgeOpacity * (1 - 0.3 * this.strength(layoutRunning)),
      edgeWidthScale: edgeWidthScale(this.camera.camera.zoom),
      arrowOpacity: detail.arrowOpacity,
      letters: detail.letters,
      economy: false,
    };
    const under = this.backdrop.show(frame, stage.renderer, moving, now);
    const labelsFading = this.paintLabels(frame, detail, attention, emphasis, moving, now, under, layoutRunning);
    const pulsing = this.pulses.running && !this.reducedMotion();
    return cameraMoving || fading || hiding || labelsFading || pulsing || this.backdrop.judging;
  }

  /** Moved a moment ago, or since the last frame: where frames take long, the moment may be over when one is drawn. */
  private isMoving(now: number): boolean {
    return now - this.camera.lastMotion < REST_MS || this.camera.lastMotion !== this.paintedMotion;
  }

  typeLooks(): TypeLook[] {
    const types = this.columns.types.length;
    if (this.looks?.types !== types || this.looks.theme !== this.theme || this.columns.dirty.types) {
      this.looks = { types, theme: this.theme, looks: typeLooks(this.columns.types, this.theme) };
    }
    return this.looks.looks;
  }

  /** On screen from near, and not described. */
  undescribed(): string[] {
    if (this.camera.camera.zoom < CARD_ZOOM || this.unfinished) return [];
    return this.stage.labels.visibleLabels().flatMap(({ id }) => (this.observations.has(id) && !this.outdated.has(id) ? [] : [id]));
  }

  describe(observations: Iterable<readonly [id: string, observation: string]>): void {
    if (this.observations.size > MOST_DESCRIBED) this.observations.clear();
    for (const [id, observation] of observations) {
      this.observations.set(id, observation);
      this.outdated.delete(id);
    }
    this.last = undefined;
  }

  /** Something about these has changed: what was told stands until the new is known. */
  outdate(ids: Iterable<string>): void {
    for (const id of ids) if (this.observations.has(id)) this.outdated.add(id);
  }

  forget(): void {
    this.observations.clear();
    this.outdated.clear();
    this.chooser.forget();
    this.last = undefined;
    this.typeAlpha.length = 0;
    this.looks = undefined;
  }

  private paintLabels(frame: DrawFrame, detail: LevelOfDetail, attention: Attention, emphasis: Emphasis, moving: boolean, now: number, under: Underlay | null, layoutRunning: boolean): boolean {
    const { columns, index, stage } = this;
    const origin = toScreen(frame.camera, frame.view, 0, 0);
    // Panning carries the labels along, those of the picture at rest to begin with; now and then it is looked whether
    // others have come into view.
    const key = [frame.camera.zoom, columns.moved, columns.version, columns.dirty.nodes.to, this.folding.version, emphasis, under?.over?.rings, under?.fade, under === null ? 0 : this.backdrop.serial, this.theme, stage.width, stage.height, this.clusters.known, this.marked];
    const { last } = this;
    if (last !== undefined && moving && !last.fading && now - Math.max(last.at, this.setOff) < this.chooseEvery() && key.every((value, at) => value === last.key[at])) {
      stage.labels.shift(origin.x - last.origin.x, origin.y - last.origin.y);
      return false;
    }
    const strength = this.strength(layoutRunning);
    const clusters = strength > 0 ? this.clusters.at(layoutRunning).filter(({ leader }) => index.shows(leader) && this.folding.countIn(leader) === 0) : [];
    const overlays = stage.overlays();
    const names: ClusterName[] = clusters.length > 0 && emphasis.strong === null && stage.labels.context !== null
      ? placeNames(stage.labels.context, clusters, frame.camera, frame.view, stage.width, stage.height, overlays) : [];
    this.names = names;
    const textOf = (edge: number) => this.edgeText(edge, frame);
    const pointedAt = [attention.pointedEdge, attention.chosenEdge].filter((edge) => edge !== undefined);
    const pointed = placeEdgeLabels(frame, pointedAt, (edge) => this.ownText(edge, frame), new Occupancy(), new Occupancy(), true);
    const leaders = new Set(names.map(({ cluster }) => cluster.leader));
    const scene: LabelScene = {
      // A name half under a panel would be cut.
      reserved: [...names.map(({ box }) => box), ...pointed.map(({ box }) => box), ...covered(frame.view), ...overlays],
      columns,
      order: frame.order,
      camera: frame.camera,
      view: frame.view,
      detail,
      attention,
      emphasis,
      // A cluster bears the name of its leader, which need not say it once more.
      shown: (node) => index.shows(node) && !leaders.has(node),
      nameOf: (node) => this.nameOf(node),
      cardOf: frame.camera.zoom < CARD_ZOOM ? undefined : (node) => this.cards.of(columns.ids[node]!, this.nameOf(node), columns.types[columns.typeOf[node]!]!, this.observations.get(columns.ids[node]!)),
      news: this.pulses.nodes(columns),
      moving,
    };
    const labels = this.chooser.choose(scene);
    const edgeLabels = [...pointed, ...placeEdgeLabels(frame, this.edgesWithLabels(detail, emphasis, frame, pointedAt), textOf, this.chooser.occupied, this.chooser.dots)];
    const fading = stage.labels.draw(labels, edgeLabels, this.theme, now, !this.reducedMotion() && !this.backdrop.slow, (context) => {
      if (under !== null) paintUnderlay(context, under, stage);
      context.setTransform(stage.dpr, 0, 0, stage.dpr, 0, 0);
      paintMarks(context, this.markedNodes(), frame);
      if (clusters.length > 0) paintClusters(context, clusters, emphasis.strong === null ? strength : strength * 0.3, this.theme, frame.camera, frame.view, names);
    });
    this.last = { at: now, key, origin, fading };
    return fading;
  }

  private markedNodes(): Set<number> {
    const nodes = new Set<number>();
    for (const id of this.marked) {
      const node = this.columns.indexOf(id);
      if (node !== undefined && this.index.shows(this.folding.drawnAs(node))) nodes.add(this.folding.drawnAs(node));
    }
    return nodes;
  }

  /** One that stands for others says for how many: its own name, shortened where both do not fit. */
  private nameOf(node: number): string {
    const name = this.columns.names[node]!;
    const within = this.folding.countIn(node);
    if (within === 0) return name;
    const kept = [...name];
    return `${kept.length > HOLDER_CHARACTERS ? `${kept.slice(0, HOLDER_CHARACTERS).join("")}…` : name} +${within.toLocaleString("en")}`;
  }

  clusterName(): Point | null {
    const box = this.names[0]?.box;
    return box === undefined ? null : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** The cluster whose name is there. */
  clusterAt(at: Point): { leader: number; count: number; bounds: Bounds } | null {
    const hit = this.names.find(({ box }) => at.x >= box.x - 4 && at.x <= box.x + box.width + 4 && at.y >= box.y - 4 && at.y <= box.y + box.height + 4);
    return hit === undefined ? null : { leader: hit.cluster.leader, count: hit.cluster.count, bounds: outlineBounds(hit.cluster) };
  }

  private strength(layoutRunning: boolean): number {
    return layoutRunning || !this.clusters.known ? 0 : clusterStrength(this.camera.camera.zoom, this.columns.nodeCount);
  }

  /** Which names are shown is looked at less often where looking takes long; what rests is always looked at. */
  private chooseEvery(): number {
    if (this.columns.nodeCount > MANY_NODES) return CHOOSE_EVERY_MANY_MS;
    return this.backdrop.slow ? CHOOSE_EVERY_SLOW_MS : CHOOSE_EVERY_MS;
  }

  private *edgesWithLabels(detail: LevelOfDetail, emphasis: Emphasis, frame: DrawFrame, placed: readonly number[]): Iterable<EdgeLabel["edge"]> {
    for (const layer of emphasis.lit) if (!emphasis.under.includes(layer)) yield* layer.edges.filter((edge) => !placed.some((each) => (frame.fan.drawnFor.get(each) ?? each) === edge));
    if (emphasis.strong !== null) return;
    if (detail.edgeLabels) {
      for (let e = 0; e < frame.columns.edgeCount; e++) {
        if (!placed.includes(e) && this.index.shows(frame.fan.source[e]!) && this.index.shows(frame.fan.target[e]!)) yield e;
      }
    } else if (frame.camera.zoom >= BUNDLE_COUNT_ZOOM) yield* frame.fan.bundled.keys();
  }

  /** Of one that is pointed at or chosen: what it is, and with how many it shares its line. */
  private ownText(edge: number, frame: DrawFrame): { text: string; width: number } {
    const type = frame.columns.edgeTypes[frame.columns.edgeType[edge]!]!;
    const count = frame.fan.bundled.get(frame.fan.drawnFor.get(edge) ?? edge);
    return this.stage.labels.edgeText(count === undefined ? type : `${type} · 1 of ${count}`);
  }

  private edgeText(edge: number, frame: DrawFrame): { text: string; width: number } {
    const count = frame.fan.bundled.get(edge);
    return this.stage.labels.edgeText(count === undefined ? frame.columns.edgeTypes[frame.columns.edgeType[edge]!]! : `×${count}`);
  }

  /** The same array as long as nothing about it changed, so that a frame can be recognised as the one before. */
  private rings(attention: Attention, now: number): readonly Ring[] {
    if (!this.pulses.running && this.still?.attention === attention && this.still.theme === this.theme && this.still.folds === this.folding.version) return this.still.rings;
    const { accent, neutral } = this.theme;
    const rings = this.pulses.rings(this.columns, this.theme, this.reducedMotion(), now).map((ring) => ({ ...ring, node: this.folding.drawnAs(ring.node) }));
    // A pile of dots, seen from above.
    for (const node of this.folding.holders()) {
      if (this.index.shows(node)) rings.push({ node, colour: neutral, opacity: 0.9, gap: 2, width: 1.5, dashed: false }, { node, colour: neutral, opacity: 0.55, gap: 5, width: 1.5, dashed: false });
    }
    for (const node of attention.selected) rings.push({ node, colour: accent, opacity: 1, gap: 3, width: 2, dashed: false });
    // Outside the selection's ring, so that both can be seen at once.
    if (attention.focused !== undefined) {
      const gap = attention.selected.has(attention.focused) ? 7 : 3;
      rings.push({ node: attention.focused, colour: accent, opacity: 1, gap, width: 2, dashed: true });
    }
    if (!this.ringsReady && rings.length === 0 && this.columns.nodeCount > 0) {
      // Drawn once unseen: a driver prepares a program at its first use, which must not fall on the first live change.
      rings.push({ node: 0, colour: accent, opacity: 0, gap: 3, width: 2, dashed: false });
    }
    this.ringsReady ||= rings.length > 0;
    this.still = this.pulses.running ? undefined : { attention, theme: this.theme, folds: this.folding.version, rings };
    return rings;
  }

  private typeAlphas(now: number): { alphas: number[]; hiding: boolean } {
    const { types } = this.columns;
    const { hidden } = this.index;
    let hiding = false;
    const alphas = types.map((type, at) => {
      const target = hidden.has(type) ? 0 : 1;
      const tween = (this.typeAlpha[at] ??= new Tween(target));
      tween.to(target, this.reducedMotion() ? 0 : HIDE_MS, now);
      if (tween.running(now)) hiding = true;
      return tween.at(now);
    });
    return { alphas, hiding };
  }
}

/** Longest part of a name that could lie beyond an edge. */
const BEYOND = 200;

/** What lies under the panels and beyond the edges of the canvas. */
function covered({ left, right, width, height }: DrawFrame["view"]): Box[] {
  return [
    { x: -BEYOND, y: 0, width: BEYOND + left, height },
    { x: width - right, y: 0, width: BEYOND + right, height },
    { x: 0, y: -BEYOND, width, height: BEYOND },
    { x: 0, y: height, width, height: BEYOND },
  ];
}

/** Fading is the picture over the canvas colour: the root of the stage shows through. */
function paintUnderlay(context: CanvasRenderingContext2D, { paint, fade, over }: Underlay, stage: Stage): void {
  context.globalAlpha = fade;
  paint(context);
  context.globalAlpha = 1;
  if (over === null) return;
  const painter = new FlatPainter(context, { ...over, dpr: stage.dpr });
  painter.litEdges();
  painter.litNodes();
  painter.rings();
}
