import { describe, expect, it } from "vitest";
import type { EntityDetail, SceneBatch } from "../ipc/generated/wire";
import { outOfDate, outOfDateAfter } from "./invalidation";
import { keys } from "./keys";

const batch = (touched: string[]): SceneBatch => ({ by: { actor: "claude", is_agent: true, client: "", time: 0 }, operation: "add_entity", ops: [], touched });
const detail = (...others: string[]) => ({ relations: others.map((other_id) => ({ other_id })) }) as EntityDetail;

describe("what an event makes stale", () => {
  it("is everything about a graph that is not open, and the picker's counts", () => {
    expect(outOfDate({ event: "graph_changed", graph: "b", seq: 3 }, "a")).toEqual([keys.graphs, keys.graph("b")]);
  });

  it("is only the picker for the open graph: its changes say the rest", () => {
    expect(outOfDate({ event: "graph_changed", graph: "a", seq: 3 }, "a")).toEqual([keys.graphs]);
  });

  it("is all of it after another library was opened", () => {
    expect(outOfDate({ event: "library_changed" }, "a")).toContainEqual(["graph"]);
  });

  it("is nothing for what is no change", () => {
    expect(outOfDate({ event: "menu", action: "fit" }, "a")).toEqual([]);
    expect(outOfDate({ event: "files_dropped", paths: [] }, "a")).toEqual([]);
  });

  it("names agents when agents changed", () => {
    expect(outOfDate({ event: "agents_changed" }, null)).toEqual([keys.agents]);
  });
});

describe("what a live change makes stale", () => {
  it("covers list, overview, search, undo and history, and the panels it touched", () => {
    const stale = outOfDateAfter("g", [batch(["x"])], [{ id: "x", detail: detail() }, { id: "y", detail: detail() }]);
    expect(stale).toEqual([keys.overview("g"), keys.lists("g"), keys.searches("g"), keys.meaning("g"), keys.relateds("g"), keys.undo("g"), keys.history("g"), keys.trash("g"), keys.relationships("g"), keys.entity("g", "x")]);
  });

  it("covers panels that name a touched entity in their relations", () => {
    expect(outOfDateAfter("g", [batch(["x"])], [{ id: "y", detail: detail("x") }])).toContainEqual(keys.entity("g", "y"));
  });

  it("is nothing when nothing happened", () => {
    expect(outOfDateAfter("g", [], [{ id: "x", detail: undefined }])).toEqual([]);
  });
});
