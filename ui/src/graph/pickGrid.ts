/**
 * Finds the node under the pointer without asking the GPU: reading pixels back stalls a software renderer. A
 * uniform grid over the bounds, filled by counting sort, rebuilt when positions have changed and someone asks.
 */
export class PickGrid {
  private cell = 1;
  private columns = 1;
  private rows = 1;
  private minX = 0;
  private minY = 0;
  private starts = new Uint32Array(2);
  private items = new Uint32Array(0);
  private positions: Float32Array = new Float32Array(0);
  private count = 0;

  build(positions: Float32Array, count: number): void {
    this.positions = positions;
    this.count = count;
    let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < count; i++) {
      const x = positions[2 * i]!;
      const y = positions[2 * i + 1]!;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
    if (count === 0) [minX, minY, maxX, maxY] = [0, 0, 1, 1];
    const [width, height] = [Math.max(1, maxX - minX), Math.max(1, maxY - minY)];
    // About two nodes a cell; capped, because one outlier far away must not ask for a million cells.
    this.cell = Math.max(Math.sqrt((width * height * 2) / Math.max(1, count)), width / 2048, height / 2048);
    this.columns = Math.floor(width / this.cell) + 1;
    this.rows = Math.floor(height / this.cell) + 1;
    this.minX = minX;
    this.minY = minY;
    this.fill();
  }

  /** The node whose rim is nearest to the point, if that is within its own radius or `slack`. */
  nearest(x: number, y: number, radiusOf: (node: number) => number, maxRadius: number, slack: number, shown: (node: number) => boolean): number {
    const reach = Math.max(maxRadius, slack);
    let best = -1;
    let bestScore = Infinity;
    this.visit(x - reach, y - reach, x + reach, y + reach, (node) => {
      const distance = Math.hypot(this.positions[2 * node]! - x, this.positions[2 * node + 1]! - y);
      const radius = radiusOf(node);
      if (distance > Math.max(radius, slack) || !shown(node)) return;
      // Inside a dot beats near a dot; among several, the centre nearest to the pointer.
      const score = distance <= radius ? distance / radius - 1 : distance;
      if (score < bestScore) {
        bestScore = score;
        best = node;
      }
    });
    return best;
  }

  /** Every node whose centre lies in the box. */
  visit(minX: number, minY: number, maxX: number, maxY: number, found: (node: number) => void): void {
    if (this.count === 0) return;
    const c0 = Math.max(0, Math.floor((minX - this.minX) / this.cell));
    const c1 = Math.min(this.columns - 1, Math.floor((maxX - this.minX) / this.cell));
    const r0 = Math.max(0, Math.floor((minY - this.minY) / this.cell));
    const r1 = Math.min(this.rows - 1, Math.floor((maxY - this.minY) / this.cell));
    for (let row = r0; row <= r1; row++) {
      for (let k = this.starts[row * this.columns + c0]!, end = this.starts[row * this.columns + c1 + 1]!; c0 <= c1 && k < end; k++) {
        const node = this.items[k]!;
        const x = this.positions[2 * node]!;
        const y = this.positions[2 * node + 1]!;
        if (x >= minX && x <= maxX && y >= minY && y <= maxY) found(node);
      }
    }
  }

  private fill(): void {
    const { positions, count } = this;
    const cells = this.columns * this.rows;
    if (this.starts.length < cells + 1) this.starts = new Uint32Array(cells + 1);
    else this.starts.fill(0);
    if (this.items.length < count) this.items = new Uint32Array(Math.max(count, this.items.length * 2));
    const cellOf = (i: number) =>
      Math.floor((positions[2 * i + 1]! - this.minY) / this.cell) * this.columns + Math.floor((positions[2 * i]! - this.minX) / this.cell);
    for (let i = 0; i < count; i++) this.starts[cellOf(i) + 1]!++;
    for (let c = 0; c < cells; c++) this.starts[c + 1]! += this.starts[c]!;
    // Filling backwards from each cell's end leaves every start in place.
    const next = this.starts.slice(1, cells + 1);
    for (let i = 0; i < count; i++) this.items[--next[cellOf(i)]!] = i;
  }
}
