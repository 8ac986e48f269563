import { describe, expect, it } from "vitest";
import { SceneColumns } from "../../graph/columns";
import { nodesAround, pictureOf, type Focus } from "../../graph/subset";
import { NO_FOCUS, went, wentBack, wentForward, type Look } from "./focusView";

const focus = (id: string, more: Partial<Focus> = {}): Focus => ({ id, depth: 1, direction: "both", hiddenRelations: new Set(), ...more });
const look = (of: Focus | null): Look => ({ focus: of, camera: { x: 1, y: 2, zoom: 3 }, selection: ["s"] });

describe("what was looked at", () => {
  it("is gone back to and forward again, with camera and selection", () => {
    const a = went(NO_FOCUS, look(null), focus("a"));
    const b = went(a, look(focus("a")), focus("b"));
    const back = wentBack(b, look(focus("b")))!;
    expect([back.view.now?.id, back.look.camera]).toEqual(["a", { x: 1, y: 2, zoom: 3 }]);
    const further = wentBack(back.view, look(focus("a")))!;
    expect(further.view.now).toBeNull();
    expect(wentBack(further.view, look(null))).toBeNull();
    const forward = wentForward(further.view, look(null))!;
    expect(forward.view.now?.id).toBe("a");
    // Somewhere new: what lay ahead is forgotten.
    expect(wentForward(went(further.view, look(null), focus("c")), look(focus("c")))).toBeNull();
  });

  it("is remembered for fifty steps", () => {
    let view = NO_FOCUS;
    for (let i = 0; i < 80; i++) view = went(view, look(focus(`n${i}`)), focus(`n${i + 1}`));
    expect(view.past).toHaveLength(50);
  });
});

describe("a neighbourhood", () => {
  const columns = new SceneColumns();
  for (const [at, id] of ["a", "b", "c", "d", "e", "alone"].entries()) columns.putNode({ id, name: id, entityType: "t", x: at * 10, y: 0 });
  for (const [id, source, target, type] of [["1", "a", "b", "knows"], ["2", "b", "c", "knows"], ["3", "d", "a", "owns"], ["4", "c", "e", "owns"], ["5", "e", "e", "owns"]] as const) {
    columns.putEdge({ id, source, target, relationshipType: type, weight: 1 });
  }
  const around = (of: Focus) => nodesAround(columns, of)?.map((node) => columns.ids[node]!).sort().join("");

  it("is what lies within so many steps, one way or both, along what is not hidden", () => {
    expect(around(focus("a"))).toBe("abd");
    expect(around(focus("a", { depth: 2 }))).toBe("abcd");
    expect(around(focus("a", { depth: 4 }))).toBe("abcde");
    expect(around(focus("a", { depth: 4, direction: "out" }))).toBe("abce");
    expect(around(focus("a", { depth: 4, direction: "in" }))).toBe("ad");
    expect(around(focus("a", { depth: 4, hiddenRelations: new Set(["owns"]) }))).toBe("abc");
    expect(around(focus("alone"))).toBe("alone");
    expect(nodesAround(columns, focus("gone"))).toBeNull();
  });

  it("is a picture with its own places and the relationships inside it", () => {
    const picture = pictureOf(columns, "g", focus("a"), (id) => (id === "b" ? { x: 5, y: 6 } : undefined))!;
    expect(picture.ids).toEqual(["a", "b", "d"]);
    expect(picture.edgeIds).toEqual(["1", "3"]);
    expect([...picture.positions]).toEqual([0, 0, 5, 6, 30, 0]);
  });
});
