import { toScreen, type Camera, type Viewport } from "../camera";
import type { SceneColumns } from "../columns";
import { BUNDLED_AWAY, type EdgeFan } from "../edgeFan";
import { drawnRadius } from "../sizes";
import type { Point } from "../types";
import type { Occupancy, Box } from "./occupancy";

export type EdgeLabel = { edge: number; text: string; box: Box };

export const EDGE_LABEL_HEIGHT = 16;
const PLATE_PADDING = 5;
/** More would be a wall of plates, whatever is hovered. */
const MOST_EDGE_LABELS = 80;
/** Places along the edge that a plate may take, the middle first. */
const STOPS = [0.5, 0.42, 0.58, 0.34, 0.66] as const;

type EdgeLabelScene = { columns: SceneColumns; fan: EdgeFan; camera: Camera; view: Viewport };

/** Relationship types on plates in the middle of their edges, where no name stands and the edge is long enough. */
export function placeEdgeLabels(
  scene: EdgeLabelScene,
  edges: Iterable<number>,
  textOf: (edge: number) => { text: string; width: number },
  occupied: Occupancy,
  dots: Occupancy,
  /** Named whatever it hides: the person points at these. */
  always = false,
): EdgeLabel[] {
  const { columns, fan, camera, view } = scene;
  const labels: EdgeLabel[] = [];
  const seen = new Set<number>();
  for (const edge of edges) {
    if (labels.length >= MOST_EDGE_LABELS) break;
    if (seen.has(edge)) continue;
    seen.add(edge);
    const bend = fan.drawnFor.has(edge) ? 0 : fan.bend[edge]!;
    if (bend <= BUNDLED_AWAY / 2 || (fan.drawnFor.has(edge) && !always)) continue;
    const [s, t] = [fan.source[edge]!, fan.target[edge]!];
    const from = toScreen(camera, view, columns.positions[2 * s]!, columns.positions[2 * s + 1]!);
    const to = toScreen(camera, view, columns.positions[2 * t]!, columns.positions[2 * t + 1]!);
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    if (middle.x < 0 || middle.y < 0 || middle.x > view.width || middle.y > view.height) continue;
    const { text, width } = textOf(edge);
    const plate = width + 2 * PLATE_PADDING;
    const free = Math.hypot(to.x - from.x, to.y - from.y) - drawnRadius(columns.radius[s]!, camera.zoom) - drawnRadius(columns.radius[t]!, camera.zoom);
    // A plate as long as its edge would hide what it names.
    if (!always && s !== t && free < (Math.abs(to.x - from.x) > Math.abs(to.y - from.y) ? plate + 16 : EDGE_LABEL_HEIGHT + 22)) continue;
    const loop = drawnRadius(columns.radius[s]!, camera.zoom) + 22;
    const places = s === t ? [{ x: from.x, y: from.y - loop }] : STOPS.map((stop) => pointAlong(from, to, bend, stop));
    const box = places
      .map(({ x, y }) => ({ x: x - plate / 2, y: y - EDGE_LABEL_HEIGHT / 2, width: plate, height: EDGE_LABEL_HEIGHT }))
      .find((place) => !occupied.hits(place) && !dots.hits(place));
    if (box === undefined) continue;
    occupied.add(box);
    labels.push({ edge, text, box });
  }
  return labels;
}

/** A point of the quadratic whose apex lies `bend` lengths off the chord. */
export function pointAlong(from: Point, to: Point, bend: number, t: number): Point {
  const cx = (from.x + to.x) / 2 + (to.y - from.y) * bend * 2;
  const cy = (from.y + to.y) / 2 - (to.x - from.x) * bend * 2;
  const u = 1 - t;
  return { x: u * u * from.x + 2 * u * t * cx + t * t * to.x, y: u * u * from.y + 2 * u * t * cy + t * t * to.y };
}
