import { describe, expect, it } from "vitest";
import { buildAdjacency, hopsFrom, orderByDegree } from "./adjacency";
import { SceneColumns } from "./columns";
import { BEND_STEP, BUNDLED_AWAY, fanEdges } from "./edgeFan";

function columnsOf(pairs: [number, number][]): SceneColumns {
  const count = Math.max(...pairs.flat()) + 1;
  const columns = new SceneColumns();
  columns.load({
    graph: "test", seq: 1, ids: Array.from({ length: count }, (_, i) => `n${i}`), names: Array<string>(count).fill("n"),
    typeIndex: new Uint16Array(count), types: ["t"], positions: new Float32Array(2 * count), pinned: new Uint8Array(count),
    edgeIds: pairs.map((_, e) => `e${e}`), edgeSource: Uint32Array.from(pairs, ([s]) => s), edgeTarget: Uint32Array.from(pairs, ([, t]) => t),
    edgeTypeIndex: new Uint16Array(pairs.length), edgeTypes: ["r"], edgeWeight: new Float32Array(pairs.length), settled: true,
  });
  return columns;
}

function fanOf(pairs: [number, number][]) {
  const columns = columnsOf(pairs);
  return fanEdges(columns, buildAdjacency(columns));
}

describe("edge fan", () => {
  it("leaves single edges straight", () => {
    expect([...fanOf([[0, 1], [1, 2], [2, 0]]).bend]).toEqual([0, 0, 0]);
  });

  it("bends opposite directions apart", () => {
    // Each is bent to its own left; seen from one end that is two different sides.
    const { bend } = fanOf([[0, 1], [1, 0]]);
    expect(bend[0]).toBeCloseTo(-BEND_STEP / 2, 6);
    expect(bend[1]).toBeCloseTo(-BEND_STEP / 2, 6);
  });

  it("fans parallel edges out evenly around the middle", () => {
    const { bend, curved } = fanOf([[0, 1], [0, 1], [0, 1]]);
    expect([...bend].map((apex) => Math.round(apex * 100))).toEqual([-12, 0, 12]);
    expect([...curved]).toEqual([0, 2]);
  });

  it("draws more than five as one with a count", () => {
    const { bend, bundled } = fanOf(Array.from({ length: 7 }, () => [0, 1] as [number, number]));
    expect([...bundled]).toEqual([[0, 7]]);
    expect([...bend].filter((apex) => apex === BUNDLED_AWAY)).toHaveLength(6);
  });

  it("numbers self-loops outwards and keeps them out of other fans", () => {
    expect([...fanOf([[0, 0], [0, 1], [0, 0]]).bend]).toEqual([1, 0, 2]);
  });
});

describe("adjacency", () => {
  it("counts hops up to the depth asked for", () => {
    const columns = columnsOf([[0, 1], [1, 2], [2, 3], [3, 4]]);
    expect([...hopsFrom(buildAdjacency(columns), 5, [0], 2)]).toEqual([0, 1, 2, 255, 255]);
  });

  it("orders nodes by degree, equal ones by index", () => {
    expect([...orderByDegree(Uint32Array.from([3, 1, 9000, 1]), 4)]).toEqual([1, 3, 0, 2]);
  });
});
