/** Rectangles on screen, found by a grid: what labels must not cover. */
export type Box = { x: number; y: number; width: number; height: number };

const CELL = 100;

export class Occupancy {
  private readonly cells = new Map<number, Box[]>();

  clear(): void {
    this.cells.clear();
  }

  add(box: Box): void {
    this.visit(box, (key) => {
      const cell = this.cells.get(key);
      if (cell === undefined) this.cells.set(key, [box]);
      else cell.push(box);
      return false;
    });
  }

  hits(box: Box): boolean {
    return this.visit(box, (key) => this.cells.get(key)?.some((other) => overlaps(box, other)) ?? false);
  }

  /** How many boxes it touches, counting no further than `limit`. */
  count(box: Box, limit: number): number {
    const touched = new Set<Box>();
    this.visit(box, (key) => {
      for (const other of this.cells.get(key) ?? []) if (overlaps(box, other)) touched.add(other);
      return touched.size > limit;
    });
    return touched.size;
  }

  /** Calls `look` for each cell under the box until one says true. */
  private visit(box: Box, look: (key: number) => boolean): boolean {
    const [left, right] = [Math.floor(box.x / CELL), Math.floor((box.x + box.width) / CELL)];
    const [top, bottom] = [Math.floor(box.y / CELL), Math.floor((box.y + box.height) / CELL)];
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) if (look(row * 65536 + column)) return true;
    }
    return false;
  }
}

export function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
