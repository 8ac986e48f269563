import { describe, expect, it } from "vitest";
import { edgeOpacity, levelOfDetail, visibleEdges } from "./lod";

const view = { width: 1000, height: 800, left: 0, right: 0 };
const bounds = { minX: -5000, minY: -5000, maxX: 5000, maxY: 5000 };
const at = (zoom: number, length: number) => visibleEdges(100_000, length, { x: 0, y: 0, zoom }, view, bounds);

describe("how many edges cross the screen", () => {
  it("is all of them where all of the graph is seen", () => {
    expect(at(0.05, 100)).toBe(100_000);
  });

  it("counts those that only pass: long edges fill a small window", () => {
    const [short, long] = [at(1, 50), at(1, 3000)];
    expect(short).toBeLessThan(1000);
    expect(long).toBeGreaterThan(4000);
    expect(edgeOpacity(long)).toBeLessThan(edgeOpacity(short) / 1.8);
  });

  it("falls smoothly with the zoom", () => {
    for (let zoom = 0.05; zoom < 8; zoom *= 1.05) expect(at(zoom * 1.05, 800)).toBeLessThanOrEqual(at(zoom, 800));
  });
});

describe("how faint edges are", () => {
  const opacity = (zoom: number, edges: number, length: number) => levelOfDetail({ x: 0, y: 0, zoom }, view, bounds, 1000, edges, length).edgeOpacity;

  it("lets the ground be seen through many long lines, and keeps few as they are", () => {
    expect(opacity(1, 100_000, 3000)).toBeLessThan(0.2);
    expect(opacity(1, 1000, 300)).toBe(1);
    expect(opacity(0.05, 1_000_000, 5000)).toBeGreaterThan(0.05);
  });
});
