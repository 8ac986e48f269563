import { describe, expect, it } from "vitest";
import { areaWithin, clustersOf, clusterStrength, convexHull } from "./clusters";
import { SceneColumns } from "./columns";

describe("clusters", () => {
  it("fade in as the camera goes away, and only where there are many nodes", () => {
    expect(clusterStrength(1, 5000)).toBe(0);
    expect(clusterStrength(0.1, 5000)).toBe(1);
    expect(clusterStrength(0.3, 5000)).toBeGreaterThan(0);
    expect(clusterStrength(0.1, 60)).toBe(0);
  });

  it("have a convex outline", () => {
    expect([...convexHull([[0, 0], [4, 0], [4, 4], [0, 4], [2, 2], [2, 0]])]).toEqual([0, 0, 4, 0, 4, 4, 0, 4]);
    expect(convexHull([[1, 1]]).length).toBe(2);
  });

  it("are left out where they lie over the whole picture", () => {
    const columns = new SceneColumns();
    for (let i = 0; i < 400; i++) columns.putNode({ id: `n${i}`, name: `Node ${i}`, entityType: "a", x: (i % 20) * 10, y: Math.floor(i / 20) * 10 });
    const groups = (of: (i: number) => number) => ({ version: columns.version, count: 4, of: Uint32Array.from({ length: 400 }, (_, i) => of(i)) });
    // Four quarters side by side, and four that are mixed all over.
    expect(clustersOf(columns, groups((i) => (i % 20 < 10 ? 0 : 1) + (i < 200 ? 0 : 2)))).toHaveLength(4);
    expect(clustersOf(columns, groups((i) => (i * 7) % 4 ^ (i % 3 === 0 ? 1 : 0)))).toHaveLength(0);
    expect(areaWithin(Float32Array.of(0, 0, 4, 0, 4, 4, 0, 4))).toBe(16);
  });

  it("are named after their most linked node and left out when small", () => {
    const columns = new SceneColumns();
    for (let i = 0; i < 24; i++) columns.putNode({ id: `n${i}`, name: `Node ${i}`, entityType: i % 3 === 0 ? "b" : "a", x: i < 20 ? i : 5000, y: i % 5 });
    for (let i = 1; i < 9; i++) columns.putEdge({ id: `e${i}`, source: "n4", target: `n${i === 4 ? 0 : i}`, relationshipType: "r", weight: 1 });
    const groups = { version: columns.version, count: 2, of: Uint32Array.from({ length: 24 }, (_, i) => (i < 21 ? 0 : 1)) };
    const clusters = clustersOf(columns, groups);
    expect(clusters.map(({ name, count }) => [name, count])).toEqual([["Node 4", 21]]);
    // The stray far away does not widen it.
    expect(Math.max(...clusters[0]!.outline)).toBeLessThan(30);
  });
});
