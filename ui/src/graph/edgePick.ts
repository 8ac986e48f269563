import type { Bounds } from "./camera";
import type { SceneColumns } from "./columns";
import { BUNDLED_AWAY, type EdgeFan } from "./edgeFan";
import { drawnRadius } from "./sizes";
import type { Point } from "./types";

type Pick = {
  columns: SceneColumns;
  fan: EdgeFan;
  zoom: number;
  shows: (node: number) => boolean;
};

/** Straight pieces a curve is taken for; at the bends there are, they stay within a pixel of it. */
const PIECES = 12;
/** A self-loop as the edge program draws it: its radius, and how much of it lies above the rim. */
function loopRadius(step: number, zoom: number): number {
  return (7 + 4 * (step - 1)) * Math.min(1.6, Math.max(0.5, zoom));
}
const LOOP_ABOVE = 0.75;

/**
 * The edges of which something may be in a box of the graph. The pointer asks many times for each move of the camera:
 * what it asks about is gathered once.
 */
export function edgesWithin({ columns, fan }: Omit<Pick, "zoom" | "shows">, box: Bounds): Uint32Array {
  const { positions, edgeCount } = columns;
  const found: number[] = [];
  for (let edge = 0; edge < edgeCount; edge++) {
    const bend = fan.bend[edge]!;
    if (bend <= BUNDLED_AWAY / 2) continue;
    const [s, t] = [2 * fan.source[edge]!, 2 * fan.target[edge]!];
    const [ax, ay, bx, by] = [positions[s]!, positions[s + 1]!, positions[t]!, positions[t + 1]!];
    // A curve leaves the box of its ends by no more than its apex; a loop is where its node is.
    const room = bend === 0 || s === t ? 0 : Math.abs(bend) * Math.hypot(bx - ax, by - ay);
    if (Math.max(ax, bx) + room < box.minX || Math.min(ax, bx) - room > box.maxX || Math.max(ay, by) + room < box.minY || Math.min(ay, by) - room > box.maxY) continue;
    found.push(edge);
  }
  return Uint32Array.from(found);
}

/** Of the edges given, the one whose line passes nearest to a point of the graph, within `slack` screen pixels; -1 for none. */
export function edgeNear({ columns, fan, zoom, shows }: Pick, edges: Uint32Array, at: Point, slack: number): number {
  const { positions } = columns;
  const reach = slack / zoom;
  let best = -1;
  let bestDistance = reach;
  for (const edge of edges) {
    const bend = fan.bend[edge]!;
    const [s, t] = [fan.source[edge]!, fan.target[edge]!];
    const [ax, ay, bx, by] = [positions[2 * s]!, positions[2 * s + 1]!, positions[2 * t]!, positions[2 * t + 1]!];
    let distance: number;
    if (s === t) {
      const loop = loopRadius(bend, zoom);
      const stands = (drawnRadius(columns.radius[s]!, zoom) + LOOP_ABOVE * loop) / zoom;
      distance = Math.abs(Math.hypot(at.x - ax, at.y - (ay - stands)) - loop / zoom);
    } else {
      // Most are nowhere near: their box says so. A curve leaves it by no more than its apex.
      const room = reach + (bend === 0 ? 0 : Math.abs(bend) * Math.hypot(bx - ax, by - ay));
      if ((at.x < ax - room && at.x < bx - room) || (at.x > ax + room && at.x > bx + room) || (at.y < ay - room && at.y < by - room) || (at.y > ay + room && at.y > by + room)) continue;
      distance = bend === 0 ? toSegment(at, ax, ay, bx, by) : toCurve(at, ax, ay, bx, by, bend);
    }
    if (distance <= bestDistance && shows(s) && shows(t)) [best, bestDistance] = [edge, distance];
  }
  return best;
}

function toSegment(at: Point, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((at.x - ax) * dx + (at.y - ay) * dy) / length));
  return Math.hypot(at.x - ax - along * dx, at.y - ay - along * dy);
}

function toCurve(at: Point, ax: number, ay: number, bx: number, by: number, bend: number): number {
  const [cx, cy] = [(ax + bx) / 2 + (by - ay) * bend * 2, (ay + by) / 2 - (bx - ax) * bend * 2];
  let best = Infinity;
  let [px, py] = [ax, ay];
  for (let k = 1; k <= PIECES; k++) {
    const [t, u] = [k / PIECES, 1 - k / PIECES];
    const [x, y] = [u * u * ax + 2 * u * t * cx + t * t * bx, u * u * ay + 2 * u * t * cy + t * t * by];
    best = Math.min(best, toSegment(at, px, py, x, y));
    [px, py] = [x, y];
  }
  return best;
}
