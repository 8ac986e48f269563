import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SceneBatch, SceneDelta } from "../ipc/generated/wire";
import { LiveFollow } from "./liveFollow";

const batch = (operation: string): SceneBatch => ({ by: { actor: "claude", is_agent: true, client: "", time: 0 }, operation, ops: [], touched: [] });
const delta = (seq: number, ...operations: string[]): SceneDelta => ({ seq, reload: false, batches: operations.map(batch) });

/** A host whose answers are given by hand. */
function setUp() {
  const asked: { graph: string; seq: number; answer: (delta: SceneDelta) => void; fail: () => void }[] = [];
  const applied: string[] = [];
  const reload = vi.fn(() => Promise.resolve(50));
  const follow = new LiveFollow({
    changesSince: (graph, seq) => new Promise((resolve, reject) => asked.push({ graph, seq, answer: resolve, fail: () => reject(new Error("busy")) })),
    apply: (batches) => applied.push(...batches.map((each) => each.operation)),
    reload,
  });
  return { follow, asked, applied, reload };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("LiveFollow", () => {
  it("asks from where the picture stands and applies every batch in order", async () => {
    const { follow, asked, applied } = setUp();
    follow.begin("g", 10);
    follow.notify(12);
    asked[0]!.answer(delta(12, "a", "b"));
    await settle();
    expect(asked.map(({ seq }) => seq)).toEqual([10]);
    expect(applied).toEqual(["a", "b"]);
    expect(follow.seq).toBe(12);
  });

  it("makes one more pull of any number of notices that came meanwhile", async () => {
    const { follow, asked, applied } = setUp();
    follow.begin("g", 0);
    for (let seq = 1; seq <= 20; seq++) follow.notify(seq);
    expect(asked).toHaveLength(1);
    asked[0]!.answer(delta(3, "a"));
    await settle();
    expect(asked.map(({ seq }) => seq)).toEqual([0, 3]);
    asked[1]!.answer(delta(20, "b"));
    await settle();
    expect(asked).toHaveLength(2);
    expect(applied).toEqual(["a", "b"]);
  });

  it("does not ask for what it shows already", async () => {
    const { follow, asked } = setUp();
    follow.begin("g", 10);
    follow.notify(10);
    await settle();
    expect(asked).toHaveLength(0);
  });

  it("loads anew when the host says so, and goes on from there", async () => {
    const { follow, asked, reload } = setUp();
    follow.begin("g", 1);
    follow.notify(9);
    asked[0]!.answer({ seq: 1, reload: true, batches: [] });
    await settle();
    expect(reload).toHaveBeenCalledWith("g");
    expect(follow.seq).toBe(50);
    follow.notify(51);
    expect(asked[1]!.seq).toBe(50);
  });

  it("tries again after a failure and loses nothing", async () => {
    const { follow, asked, applied } = setUp();
    follow.begin("g", 0);
    follow.notify(1);
    asked[0]!.fail();
    await settle();
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(300);
    asked[1]!.answer(delta(1, "a"));
    await settle();
    expect(applied).toEqual(["a"]);
  });

  it("drops an answer for a graph that was left meanwhile", async () => {
    const { follow, asked, applied } = setUp();
    follow.begin("old", 0);
    follow.notify(1);
    follow.begin("new", 5);
    follow.notify(6);
    asked[0]!.answer(delta(1, "of the old"));
    asked[1]!.answer(delta(6, "of the new"));
    await settle();
    expect(applied).toEqual(["of the new"]);
    expect(follow.seq).toBe(6);
  });
});
