import { toScreen, type Camera, type Viewport } from "../camera";
import type { SceneColumns } from "../columns";
import type { LevelOfDetail } from "../lod";
import { drawnRadius } from "../sizes";
import type { Attention, Emphasis } from "../emphasis";
import { LABEL_HEIGHT, type LabelTexts } from "./labelTexts";
import type { NodeCard } from "./nodeCards";
import { Occupancy, type Box } from "./occupancy";
import { placeOne, type LabelCandidate, type PlacedLabel, type Side } from "./placement";

export type LabelScene = {
  columns: SceneColumns;
  order: Uint32Array;
  camera: Camera;
  view: Viewport;
  detail: LevelOfDetail;
  attention: Attention;
  emphasis: Emphasis;
  shown: (node: number) => boolean;
  /** What a node is called on the canvas. */
  nameOf: (node: number) => string;
  /** Where nodes are seen from near: what one tells of itself; otherwise its name alone. */
  cardOf?: ((node: number) => NodeCard) | undefined;
  /** Just arrived or changed: their rings ask "what is this?", so their names answer. */
  news: readonly number[];
  /** Kept free of names. */
  reserved?: readonly Box[];
  /** The camera is under way: do only what keeps the picture together, the rest when it stops. */
  moving: boolean;
};

export type ChosenLabel = PlacedLabel & { card: NodeCard | undefined; id: string; text: string; strong: boolean; landmark: boolean; faded: boolean; rightToLeft: boolean };

/** Dots drawn larger than this are better not written across. */
const DOT_OBSTACLE = 3;
const MOST_OBSTACLES = 2500;
/** The most connected nodes on screen are named even across other dots: they are what a picture is read by. */
const LEADERS = 30;
/** So, within limits, is a node drawn this large. */
const LARGE = 9;
const LARGE_MAY_COVER = 4;
/** The only name in its corner of the canvas is worth a few dots. */
const FILL_MAY_COVER = 8;
/** From this radius at zoom 1 a node is one of those that give a picture its landmarks. */
const LANDMARK = 13;
/** A selection of thousands gets labels by rank like everything else. */
const MOST_FORCED = 300;
const MOST_LABELS = 400;
/** Between appearing and disappearing, so that labels do not flicker at the threshold. */
const HYSTERESIS = 0.85;
/** New names measured in one moving frame; measuring is the dear part. */
const NEW_TEXTS_WHILE_MOVING = 24;
const TRIES_PER_CELL = 3;
/** Going through every node for empty corners waits for rest in graphs larger than this. */
const FILL_WHILE_MOVING_UP_TO = 30_000;

/**
 * Decides which names are shown. What was shown stays shown while its node is on screen and the camera moves or
 * zooms in; new ones join by rank where there is room; zooming out chooses again by rank, because there the
 * more important must win.
 */
export class LabelChooser {
  readonly occupied = new Occupancy();
  readonly dots = new Occupancy();
  private readonly strongDots = new Occupancy();
  private visible = new Map<string, Side>();
  private zoom = 0;
  private newTexts = 0;

  constructor(private readonly texts: LabelTexts) {}

  forget(): void {
    this.visible.clear();
  }

  choose(scene: LabelScene): ChosenLabel[] {
    const { columns, camera, detail, attention, emphasis } = scene;
    const zoomingOut = scene.moving && camera.zoom < this.zoom * 0.999;
    this.zoom = camera.zoom;
    this.newTexts = 0;
    this.occupied.clear();
    for (const box of scene.reserved ?? []) this.occupied.add(box);
    this.noteDots(scene);
    const run = new PlacementRun(scene, this.occupied, this.dots, this.strongDots, this.texts, this.visible);

    // The one under the pointer first: it is a single label, and the person is looking at it.
    for (const node of [attention.hovered, attention.focused]) if (node !== undefined) run.put(node, true, true);
    if (attention.selected.size <= MOST_FORCED) for (const node of byDegree(attention.selected, columns)) run.put(node, true, true);
    this.putPinned(scene, run);
    for (const node of scene.news) if (onScreen(scene, node)) run.put(node, true, false);

    const ranked = this.onScreen(scene, detail.labelFromRadius * HYSTERESIS, 4 * MOST_LABELS);
    const leaders = new Set(ranked.slice(0, LEADERS));
    if (emphasis.strong !== null) {
      const strong = byDegree([...emphasis.strong].filter((node) => onScreen(scene, node)), columns).slice(0, MOST_LABELS);
      for (const node of [...strong.filter((node) => this.wasVisible(columns, node)), ...strong]) run.put(node, false, false);
    }
    if (!zoomingOut) {
      for (const node of this.remembered(scene)) run.put(node, false, false, Infinity);
    }
    for (const node of ranked) {
      if (run.labels.length >= MOST_LABELS) break;
      const known = this.wasVisible(columns, node);
      if (!known && drawnRadius(columns.radius[node]!, camera.zoom) < detail.labelFromRadius) continue;
      if (!known && scene.moving && !this.affordsText(columns.ids[node]!)) continue;
      run.put(node, false, false, leaders.has(node) ? Infinity : 0);
    }
    if (!scene.moving || columns.nodeCount <= FILL_WHILE_MOVING_UP_TO) this.fillCells(scene, run);

    // While a neighbourhood is lit its own labels push others aside; those come back afterwards.
    if (emphasis.strong === null) this.visible = new Map(run.labels.map((label) => [label.id, label.side]));
    return run.labels;
  }

  /** At least one label in every square that holds nodes, even if none of them is large. */
  private fillCells(scene: LabelScene, run: PlacementRun): void {
    const { columns, order, camera, view, detail } = scene;
    const origin = toScreen(camera, view, 0, 0);
    // Anchored to the graph, not the screen: panning must not shift nodes between squares.
    const cellOf = (x: number, y: number) => Math.floor((y - origin.y) / detail.labelCell) * 65536 + Math.floor((x - origin.x) / detail.labelCell);
    const tried = new Map<number, number>();
    for (const { box } of run.labels) tried.set(cellOf(box.x + box.width / 2, box.y + box.height / 2), TRIES_PER_CELL);
    for (let at = order.length - 1; at >= 0 && run.labels.length < MOST_LABELS; at--) {
      const node = order[at]!;
      const x = columns.positions[2 * node]! * camera.zoom + origin.x;
      const y = columns.positions[2 * node + 1]! * camera.zoom + origin.y;
      if (x < 0 || y < 0 || x > view.width || y > view.height) continue;
      const cell = cellOf(x, y);
      const tries = tried.get(cell) ?? 0;
      if (tries >= TRIES_PER_CELL || run.has(node) || !scene.shown(node)) continue;
      if (scene.moving && !this.affordsText(columns.ids[node]!)) continue;
      tried.set(cell, run.put(node, false, false, FILL_MAY_COVER) ? TRIES_PER_CELL : tries + 1);
    }
  }

  private putPinned(scene: LabelScene, run: PlacementRun): void {
    const { columns, order } = scene;
    let count = 0;
    for (let at = order.length - 1; at >= 0 && count < MOST_FORCED; at--) {
      const node = order[at]!;
      if (columns.pinned[node] !== 1 || !onScreen(scene, node)) continue;
      run.put(node, true, false);
      count++;
    }
  }

  private remembered(scene: LabelScene): number[] {
    const nodes: number[] = [];
    for (const id of this.visible.keys()) {
      const node = scene.columns.indexOf(id);
      if (node !== undefined && onScreen(scene, node)) nodes.push(node);
    }
    return byDegree(nodes, scene.columns);
  }

  /** Nodes on screen from the highest degree down to those drawn with `fromRadius`. */
  private onScreen(scene: LabelScene, fromRadius: number, limit: number): number[] {
    const { columns, order, camera, view } = scene;
    // No objects in here: on a large graph this runs over every node while the camera moves.
    const { zoom } = camera;
    const origin = toScreen(camera, view, 0, 0);
    const { positions, radius } = columns;
    const found: number[] = [];
    for (let at = order.length - 1; at >= 0 && found.length < limit; at--) {
      const node = order[at]!;
      if (drawnRadius(radius[node]!, zoom) < fromRadius) break;
      const x = positions[2 * node]! * zoom + origin.x;
      const y = positions[2 * node + 1]! * zoom + origin.y;
      if (x >= 0 && y >= 0 && x <= view.width && y <= view.height && scene.shown(node)) found.push(node);
    }
    return found;
  }

  private noteDots(scene: LabelScene): void {
    this.dots.clear();
    this.strongDots.clear();
    for (const node of this.onScreen(scene, DOT_OBSTACLE, MOST_OBSTACLES)) this.dots.add(dotBox(scene, node));
    for (const node of scene.emphasis.strong ?? []) this.strongDots.add(dotBox(scene, node));
  }

  private wasVisible(columns: SceneColumns, node: number): boolean {
    return this.visible.has(columns.ids[node]!);
  }

  private affordsText(id: string): boolean {
    return this.texts.has(id) || this.newTexts++ < NEW_TEXTS_WHILE_MOVING;
  }
}

/** One pass: candidates go in one by one, labels come out. */
class PlacementRun {
  readonly labels: ChosenLabel[] = [];
  private readonly done = new Set<number>();
  private readonly room: Box;

  constructor(
    private readonly scene: LabelScene,
    private readonly occupied: Occupancy,
    private readonly dots: Occupancy,
    private readonly strongDots: Occupancy,
    private readonly texts: LabelTexts,
    private readonly sides: ReadonlyMap<string, Side>,
  ) {
    this.room = { x: 0, y: 0, width: scene.view.width, height: scene.view.height };
  }

  has(node: number): boolean {
    return this.done.has(node);
  }

  put(node: number, forced: boolean, strong: boolean, mayCover = 0): boolean {
    if (this.done.has(node)) return false;
    this.done.add(node);
    const { columns, camera, view, attention, emphasis } = this.scene;
    if (!this.scene.shown(node)) return false;
    const id = columns.ids[node]!;
    const label = this.texts.of(id, this.scene.nameOf(node), strong);
    const at = toScreen(camera, view, columns.positions[2 * node]!, columns.positions[2 * node + 1]!);
    const asked = attention.selected.has(node) || attention.focused === node || this.scene.news.includes(node);
    const faded = emphasis.strong !== null && !emphasis.strong.has(node) && !asked;
    const radius = drawnRadius(columns.radius[node]!, camera.zoom);
    const card = this.scene.cardOf?.(node);
    const ringed = attention.selected.has(node) || attention.focused === node;
    const candidate: LabelCandidate = {
      node,
      x: at.x,
      y: at.y,
      radius: radius + (ringed ? 5 : 0),
      width: card?.width ?? label.width,
      height: card?.height ?? LABEL_HEIGHT,
      forced,
      // A faded name must not lie over a node that is in focus; elsewhere it stays where it was.
      mayCover: forced ? Infinity : faded ? 0 : Math.max(mayCover, radius >= LARGE ? LARGE_MAY_COVER : 0),
      side: this.sides.get(id),
    };
    const dots = emphasis.strong !== null ? this.strongDots : this.dots;
    const asCard = placeOne(candidate, this.occupied, dots, this.room);
    // Where there is no room for a card there may be some for a name.
    const placed = asCard ?? (card === undefined ? null : placeOne({ ...candidate, width: label.width, height: LABEL_HEIGHT }, this.occupied, dots, this.room));
    if (placed === null) return false;
    this.labels.push({ ...placed, card: asCard === null ? undefined : card, id, text: label.text, strong, landmark: columns.radius[node]! >= LANDMARK, faded, rightToLeft: label.rightToLeft });
    return true;
  }
}

function dotBox({ columns, camera, view }: LabelScene, node: number): Box {
  const at = toScreen(camera, view, columns.positions[2 * node]!, columns.positions[2 * node + 1]!);
  const reach = drawnRadius(columns.radius[node]!, camera.zoom) * 0.8;
  return { x: at.x - reach, y: at.y - reach, width: 2 * reach, height: 2 * reach };
}

function byDegree(nodes: Iterable<number>, columns: SceneColumns): number[] {
  return [...nodes].sort((a, b) => columns.degree[b]! - columns.degree[a]! || a - b);
}

function onScreen({ columns, camera, view, shown }: LabelScene, node: number): boolean {
  const at = toScreen(camera, view, columns.positions[2 * node]!, columns.positions[2 * node + 1]!);
  return at.x >= 0 && at.y >= 0 && at.x <= view.width && at.y <= view.height && shown(node);
}
