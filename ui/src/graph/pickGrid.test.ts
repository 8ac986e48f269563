import { describe, expect, it } from "vitest";
import { PickGrid } from "./pickGrid";

function scattered(count: number, spread: number): Float32Array {
  let state = 42;
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  return Float32Array.from({ length: 2 * count }, () => (random() - 0.5) * spread);
}

const always = () => true;

describe("pick grid", () => {
  it("finds what a search through everything finds", () => {
    const positions = scattered(3000, 4000);
    const grid = new PickGrid();
    grid.build(positions, 3000);
    const radius = (node: number) => 5 + (node % 7);
    for (let probe = 0; probe < 500; probe++) {
      const [x, y] = [positions[2 * probe]! + (probe % 13) - 6, positions[2 * probe + 1]! + (probe % 11) - 5];
      let best = -1;
      let bestScore = Infinity;
      for (let node = 0; node < 3000; node++) {
        const distance = Math.hypot(positions[2 * node]! - x, positions[2 * node + 1]! - y);
        if (distance > Math.max(radius(node), 12)) continue;
        const score = distance <= radius(node) ? distance / radius(node) - 1 : distance;
        if (score < bestScore) [best, bestScore] = [node, score];
      }
      expect(grid.nearest(x, y, radius, 12, 12, always)).toBe(best);
    }
  });

  it("passes over hidden nodes", () => {
    const grid = new PickGrid();
    grid.build(Float32Array.from([0, 0, 4, 0]), 2);
    expect(grid.nearest(0, 0, () => 5, 5, 12, (node) => node !== 0)).toBe(1);
  });

  it("gives a dot the pointer is in before one it is merely near", () => {
    const grid = new PickGrid();
    grid.build(Float32Array.from([0, 0, 20, 0]), 2);
    // 9 from the small dot's centre, 11 from that of the large one, whose rim is at 12.
    expect(grid.nearest(9, 0, (node) => (node === 0 ? 3 : 12), 12, 12, always)).toBe(1);
  });

  it("survives no nodes, one node and all nodes on one spot", () => {
    const grid = new PickGrid();
    grid.build(new Float32Array(0), 0);
    expect(grid.nearest(0, 0, () => 5, 5, 12, always)).toBe(-1);
    grid.build(Float32Array.from([3, 3]), 1);
    expect(grid.nearest(3, 3, () => 5, 5, 12, always)).toBe(0);
    grid.build(new Float32Array(2000), 1000);
    expect(grid.nearest(0, 0, () => 5, 5, 12, always)).toBeGreaterThanOrEqual(0);
  });

  it("answers in well under a millisecond among 100,000", () => {
    const positions = scattered(100_000, 20_000);
    const grid = new PickGrid();
    grid.build(positions, 100_000);
    const started = performance.now();
    for (let probe = 0; probe < 200; probe++) grid.nearest(positions[2 * probe]!, positions[2 * probe + 1]!, () => 15, 22, 12, always);
    expect((performance.now() - started) / 200).toBeLessThan(1);
  });
});
