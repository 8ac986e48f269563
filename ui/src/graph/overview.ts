import { freeWidth, viewCentre, type Bounds, type Camera, type Viewport } from "./camera";
import type { SceneColumns } from "./columns";

/** The whole picture in few points, and the part of it that is in sight. */
export type Overview = { points: Float32Array; bounds: Bounds; seen: Bounds };

const MOST_POINTS = 2_500;

/** Null while everything is in sight: there is nothing to find one's way in. */
export function overviewOf(columns: SceneColumns, bounds: Bounds | null, camera: Camera, view: Viewport, shows: (node: number) => boolean): Overview | null {
  if (bounds === null) return null;
  const [halfX, halfY] = [freeWidth(view) / 2 / camera.zoom, viewCentre(view).y / camera.zoom];
  const seen = { minX: camera.x - halfX, maxX: camera.x + halfX, minY: camera.y - halfY, maxY: camera.y + halfY };
  if (bounds.minX >= seen.minX && bounds.maxX <= seen.maxX && bounds.minY >= seen.minY && bounds.maxY <= seen.maxY) return null;
  const step = Math.max(1, Math.ceil(columns.nodeCount / MOST_POINTS));
  const points: number[] = [];
  for (let node = 0; node < columns.nodeCount; node += step) {
    if (shows(node)) points.push(columns.positions[2 * node]!, columns.positions[2 * node + 1]!);
  }
  return { points: Float32Array.from(points), bounds, seen };
}
