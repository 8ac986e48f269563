import { describe, expect, it, vi } from "vitest";
import { applyOps } from "./applyOps";
import { SceneColumns } from "./columns";
import { GraphIndex } from "./graphIndex";
import { LayoutDriver } from "./layoutDriver";
import { Mobility, type LayoutFrame, type LayoutParams, type LayoutSource, type LayoutTopology } from "../layout/types";
import type { SceneOp } from "./types";

/** A path n0 – n1 – … of settled nodes, 100 apart. */
function setUp(count: number, settled = true) {
  const columns = new SceneColumns();
  columns.load({
    graph: "test", seq: 1, ids: Array.from({ length: count }, (_, i) => `n${i}`), names: Array<string>(count).fill("n"),
    typeIndex: new Uint16Array(count), types: ["t"], positions: Float32Array.from({ length: 2 * count }, (_, k) => (k % 2 === 0 ? k * 50 : 0)),
    pinned: new Uint8Array(count), edgeIds: Array.from({ length: count - 1 }, (_, e) => `e${e}`),
    edgeSource: Uint32Array.from({ length: count - 1 }, (_, e) => e), edgeTarget: Uint32Array.from({ length: count - 1 }, (_, e) => e + 1),
    edgeTypeIndex: new Uint16Array(count - 1), edgeTypes: ["r"], edgeWeight: new Float32Array(count - 1).fill(1), settled,
  });
  let deliver: (frame: LayoutFrame) => void = () => undefined;
  const calls: { kind: string; version: number; params: LayoutParams }[] = [];
  const note = (kind: string) => (topology: LayoutTopology, _positions: Float32Array, _pinned: Uint8Array, params: LayoutParams = {}) =>
    void calls.push({ kind, version: topology.version, params });
  const source: LayoutSource = {
    start: note("start"), update: note("update"), pin: vi.fn(), unpin: vi.fn(), drag: vi.fn(), drop: vi.fn(), reheat: vi.fn(), stop: vi.fn(),
    onFrame: (callback) => {
      deliver = callback;
      return () => undefined;
    },
    destroy: vi.fn(),
  };
  const settledEvent = vi.fn();
  const driver = new LayoutDriver(source, columns, new GraphIndex(columns), () => false, () => 1, { moved: vi.fn(), settled: settledEvent });
  const apply = (ops: SceneOp[]) => driver.absorb(applyOps(columns, ops));
  return { columns, driver, calls, source, settledEvent, apply, frame: (frame: LayoutFrame) => deliver(frame) };
}

const node = (id: string): SceneOp => ({ op: "node", node: { id, name: id, entityType: "t" } });
const edge = (id: string, source: string, target: string): SceneOp => ({ op: "edge", edge: { id, source, target, relationshipType: "r", weight: 1 } });
const placeOf = (columns: SceneColumns, id: string) => {
  const at = columns.indexOf(id)!;
  return { x: columns.positions[2 * at]!, y: columns.positions[2 * at + 1]! };
};

describe("layout driver", () => {
  it("starts nothing for a graph that comes settled, and from the places that came for one that does not", () => {
    const settled = setUp(5);
    settled.driver.begin(true);
    expect(settled.calls).toHaveLength(0);
    const fresh = setUp(5, false);
    fresh.driver.begin(false);
    expect(fresh.calls.map((call) => [call.kind, call.params.warm])).toEqual([["start", true]]);
  });

  it("puts a new node beside its neighbour and frees it alone", () => {
    const { columns, calls, apply } = setUp(10);
    apply([node("new"), edge("x", "new", "n5")]);
    const at = placeOf(columns, "new");
    expect(Math.hypot(at.x - 500, at.y)).toBeLessThan(130);
    const mobility = [...calls[0]!.params.mobility!];
    expect(mobility).toEqual([0, 0, 0, 0, 1, 1, 1, 0, 0, 0, Mobility.free]);
  });

  it("places a chain of new nodes one beside the other", () => {
    const { columns, apply } = setUp(4);
    apply([edge("x2", "far", "near"), node("far"), node("near"), edge("x1", "near", "n0")]);
    const [near, far] = [placeOf(columns, "near"), placeOf(columns, "far")];
    expect(Math.hypot(near.x, near.y)).toBeLessThan(130);
    expect(Math.hypot(near.x - far.x, near.y - far.y)).toBeLessThan(130);
  });

  it("moves nothing for removals, edges between known nodes and changed names", () => {
    const { calls, apply, columns } = setUp(6);
    const before = columns.positions.slice();
    apply([edge("x", "n0", "n5")]);
    apply([{ op: "edge_removed", id: "e2" }]);
    apply([{ op: "node", node: { id: "n1", name: "other", entityType: "place" } }]);
    apply([{ op: "node_removed", id: "n5" }]);
    expect(calls).toHaveLength(0);
    expect([...columns.positions.subarray(0, 10)]).toEqual([...before.subarray(0, 10)]);
  });

  it("leaves a node that comes with a place exactly there", () => {
    const { calls, apply, columns } = setUp(3);
    apply([{ op: "node", node: { id: "back", name: "back", entityType: "t", x: 77, y: -5 } }, edge("x", "back", "n0")]);
    expect(placeOf(columns, "back")).toEqual({ x: 77, y: -5 });
    expect(calls).toHaveLength(0);
  });

  it("parks a node without neighbours outside, and brings it in with its first edge", () => {
    const { columns, calls, apply, settledEvent } = setUp(5);
    apply([node("stray")]);
    expect(settledEvent).toHaveBeenCalledTimes(1);
    const outside = placeOf(columns, "stray");
    expect(Math.hypot(outside.x - 200, outside.y)).toBeGreaterThan(200);
    expect(calls).toHaveLength(0);
    apply([edge("x", "stray", "n2")]);
    const inside = placeOf(columns, "stray");
    expect(Math.hypot(inside.x - 200, inside.y)).toBeLessThan(130);
    expect(calls).toHaveLength(1);
  });

  it("gives strays that are linked to each other places of their own, side by side", () => {
    const { columns, apply } = setUp(1);
    apply([node("ada")]);
    apply([node("acme")]);
    apply([edge("works", "ada", "acme")]);
    const [ada, acme] = [placeOf(columns, "ada"), placeOf(columns, "acme")];
    const apart = Math.hypot(ada.x - acme.x, ada.y - acme.y);
    expect(apart).toBeGreaterThan(20);
    expect(apart).toBeLessThan(150);
  });

  it("drops frames of another topology", () => {
    const { columns, frame, apply } = setUp(4);
    apply([node("new"), edge("x", "new", "n0")]);
    const before = columns.positions.slice();
    frame({ topologyVersion: columns.version - 1, positions: new Float32Array(10).fill(9), alpha: 0.2, settled: false });
    expect(columns.positions).toEqual(before);
    frame({ topologyVersion: columns.version, positions: new Float32Array(10).fill(9), alpha: 0.2, settled: false });
    expect(columns.positions[0]).toBe(9);
  });

  it("keeps a dragged node under the hand whatever a frame says", () => {
    const { columns, driver, frame } = setUp(4);
    driver.grab([1]);
    columns.place(1, 333, 44);
    driver.drag([1]);
    frame({ topologyVersion: columns.version, positions: new Float32Array(8), alpha: 0.2, settled: false });
    expect(placeOf(columns, "n1")).toEqual({ x: 333, y: 44 });
  });

  it("reports what came to rest, and only that", () => {
    const { columns, frame, apply, settledEvent } = setUp(10);
    apply([node("new"), edge("x", "new", "n5")]);
    frame({ topologyVersion: columns.version, positions: columns.positions.slice(0, 22), alpha: 0, settled: true });
    const [{ ids }] = settledEvent.mock.calls[0] as [{ ids: string[] }];
    expect(ids).toEqual(["n4", "n5", "n6", "new"]);
  });
});
