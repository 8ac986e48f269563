import { toScreen } from "./camera";
import { cssColour } from "./colour";
import { drawnRadius } from "./sizes";
import type { DrawFrame } from "./renderer/types";

/** Side of a mark; from nearer than this zoom on it is drawn. */
const SIZE = 6;
const FROM_ZOOM = 0.45;

/**
 * What agents changed and nobody has looked at since: a small square at the dot's upper right. A square, because a
 * colour alone says nothing to many.
 */
export function paintMarks(context: CanvasRenderingContext2D, nodes: Iterable<number>, { camera, view, columns, theme }: DrawFrame): void {
  if (camera.zoom < FROM_ZOOM) return;
  const side = SIZE + 2;
  for (const node of nodes) {
    const at = toScreen(camera, view, columns.positions[2 * node]!, columns.positions[2 * node + 1]!);
    const out = drawnRadius(columns.radius[node]!, camera.zoom) * Math.SQRT1_2;
    const [x, y] = [Math.round(at.x + out), Math.round(at.y - out)];
    if (x < -side || y < -side || x > view.width + side || y > view.height + side) continue;
    context.fillStyle = cssColour(theme.canvas);
    context.fillRect(x - side / 2, y - side / 2, side, side);
    context.fillStyle = cssColour(theme.accent);
    context.fillRect(x - SIZE / 2, y - SIZE / 2, SIZE, SIZE);
  }
}
