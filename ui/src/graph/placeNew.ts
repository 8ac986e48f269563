import type { Adjacency } from "./adjacency";
import type { SceneColumns } from "./columns";
import type { PickGrid } from "./pickGrid";
import type { Point } from "./types";

/**
 * Where a node that arrives in a settled picture first appears: beside its neighbours, in the emptiest of the
 * directions round them. Without neighbours it stands just outside the picture, where it covers nothing.
 */
const DIRECTIONS = 16;
/** Graph units between a node and the one it hangs on. */
export const BESIDE = 58;

export function placeBeside(columns: SceneColumns, adjacency: Adjacency, grid: PickGrid, node: number, placed: ReadonlySet<number>): Point | null {
  const anchors: Point[] = [];
  for (let k = adjacency.offsets[node]!; k < adjacency.offsets[node + 1]!; k++) {
    const neighbour = adjacency.neighbours[k]!;
    if (neighbour === node || placed.has(neighbour)) continue;
    anchors.push({ x: columns.positions[2 * neighbour]!, y: columns.positions[2 * neighbour + 1]! });
  }
  if (anchors.length === 0) return null;
  const centre = {
    x: anchors.reduce((sum, at) => sum + at.x, 0) / anchors.length,
    y: anchors.reduce((sum, at) => sum + at.y, 0) / anchors.length,
  };
  // Between two or more neighbours the middle is the place, unless someone is already there.
  const reach = anchors.length === 1 ? BESIDE : BESIDE * 0.6;
  const turn = hashAngle(columns.ids[node]!);
  let best: Point = centre;
  let bestRoom = -1;
  for (let ring = 1; ring <= 2; ring++) {
    for (let step = 0; step < DIRECTIONS; step++) {
      const angle = turn + (step / DIRECTIONS) * 2 * Math.PI;
      const at = { x: centre.x + Math.cos(angle) * reach * ring, y: centre.y + Math.sin(angle) * reach * ring };
      const room = roomAt(columns, grid, at, BESIDE * 1.5) / ring ** 0.5;
      if (room > bestRoom) {
        bestRoom = room;
        best = at;
      }
    }
  }
  return best;
}

/** For nodes without neighbours: the next place on a sunflower spiral that begins at the edge of the picture. */
export function placeOutside(centre: Point, extent: number, turn: number): Point {
  const angle = turn * 2.399963;
  const radius = Math.sqrt(extent ** 2 + turn * BESIDE ** 2 * 0.8);
  return { x: centre.x + Math.cos(angle) * radius, y: centre.y + Math.sin(angle) * radius };
}

function roomAt(columns: SceneColumns, grid: PickGrid, at: Point, reach: number): number {
  let nearest = reach;
  grid.visit(at.x - reach, at.y - reach, at.x + reach, at.y + reach, (other) => {
    const distance = Math.hypot(columns.positions[2 * other]! - at.x, columns.positions[2 * other + 1]! - at.y) - columns.radius[other]!;
    if (distance < nearest) nearest = distance;
  });
  return nearest;
}

/** The same id starts at the same angle every time. */
function hashAngle(id: string): number {
  let hash = 2166136261;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 16777619);
  return ((hash >>> 0) / 4294967296) * 2 * Math.PI;
}
