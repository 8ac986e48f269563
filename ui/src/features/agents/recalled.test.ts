import { describe, expect, it } from "vitest";
import { asked } from "../../strings";
import { foundBy, placeOf } from "./recalled";

describe("what a question was answered with", () => {
  it("names those still there, counts those gone and those never listed", () => {
    expect(foundBy({ found: [{ id: "a", name: "Ada" }, { id: "b" }, { id: "c", name: "Cy" }], hits: 60 })).toEqual({
      there: [{ id: "a", name: "Ada" }, { id: "c", name: "Cy" }], gone: 1, unlisted: 57,
    });
    expect(foundBy({ found: [], hits: 0 })).toEqual({ there: [], gone: 0, unlisted: 0 });
  });

  it("is shown only where it belongs", () => {
    expect(placeOf({ is_here: true, graph: "a" }, "a")).toBe("here");
    expect(placeOf({ is_here: true, graph: "a" }, "b")).toBe("other_graph");
    expect(placeOf({ is_here: true, graph: "a" }, null)).toBe("other_graph");
    expect(placeOf({ is_here: false, graph: "a" }, "a"), "a graph of the same name elsewhere is another graph").toBe("other_library");
  });

  it("is told in words, also of tools to come", () => {
    expect(asked("search_nodes")).toBe("searched for");
    expect(asked("recall_everything")).toBe("used “recall everything” on");
  });
});
