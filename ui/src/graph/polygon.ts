import type { Point } from "./types";

/** Whether a point lies in a closed outline, by the number of its sides to the right (even and odd). */
export function isInside(outline: readonly Point[], { x, y }: Point): boolean {
  let inside = false;
  for (let k = 0, before = outline.length - 1; k < outline.length; before = k++) {
    const [a, b] = [outline[k]!, outline[before]!];
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}
