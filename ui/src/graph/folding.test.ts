import { describe, expect, it } from "vitest";
import { SceneColumns } from "./columns";
import { BUNDLED_AWAY } from "./edgeFan";
import { Folding } from "./folding";
import { GraphIndex } from "./graphIndex";

const node = (id: string, entityType = "t") => ({ id, name: id, entityType, x: id.charCodeAt(0), y: 0 });
const edge = (id: string, source: string, target: string) => ({ id, source, target, relationshipType: "to", weight: 1 });

/** a–b–c–d in a row, a–c, and e beside d. */
function scene() {
  const columns = new SceneColumns();
  for (const id of ["a", "b", "c", "d", "e"]) columns.putNode(node(id));
  for (const each of [edge("ab", "a", "b"), edge("bc", "b", "c"), edge("ac", "a", "c"), edge("cd", "c", "d"), edge("de", "d", "e")]) columns.putEdge(each);
  const folding = new Folding(columns);
  const index = new GraphIndex(columns, folding);
  const at = (id: string) => columns.indexOf(id)!;
  const shown = () => columns.ids.filter((_, n) => index.shows(n));
  const drawn = () => Object.fromEntries(columns.edgeIds.map((id, e) => {
    const { bend, bundled, source, target } = index.fan();
    return [id, bend[e] === BUNDLED_AWAY ? "not drawn" : `${columns.ids[source[e]!]}${columns.ids[target[e]!]}${bundled.has(e) ? `×${bundled.get(e)}` : bend[e] === 0 ? "" : " bent"}`];
  }));
  return { columns, folding, index, at, shown, drawn };
}

describe("folding", () => {
  it("draws edges to the node that stands for their end, several as one that says how many, and none within", () => {
    const { folding, shown, drawn, index } = scene();
    folding.fold("a", ["b"]);
    expect(shown()).toEqual(["a", "c", "d", "e"]);
    expect(drawn()).toEqual({ ab: "not drawn", bc: "ac×2", ac: "not drawn", cd: "cd", de: "de" });
    expect(index.shownCounts()).toMatchObject({ nodes: 4, edges: 4 });
  });

  it("takes along what is folded into a member, and lets all of it out at once", () => {
    const { folding, shown, drawn, at } = scene();
    folding.fold("b", ["a"]);
    folding.fold("c", ["b", "d"]);
    expect(shown()).toEqual(["c", "e"]);
    expect(folding.countIn(at("c"))).toBe(3);
    expect(drawn()["de"]).toBe("ce");
    expect(folding.unfold(new Set(["c"])).sort()).toEqual(["a", "b", "d"]);
    expect(shown()).toHaveLength(5);
    expect(drawn()["de"]).toBe("de");
  });

  it("lets one that is folded away come out to stand for others", () => {
    const { folding, shown } = scene();
    folding.fold("a", ["b", "c"]);
    folding.fold("c", ["d"]);
    expect(shown()).toEqual(["a", "c", "e"]);
    folding.fold("c", ["c"]);
    expect(shown()).toContain("c");
  });

  it("shows what is looked for, whatever hid it", () => {
    const { folding, shown } = scene();
    folding.fold("a", ["b"]);
    folding.fold("d", ["e"]);
    expect(folding.reveal(["e", "c"])).toBe(true);
    expect(shown()).toEqual(["a", "c", "d", "e"]);
    expect(folding.reveal(["c"])).toBe(false);
  });

  it("lives through changes: indices move, members go, and who stood for others may be deleted", () => {
    const { columns, folding, shown, drawn } = scene();
    folding.fold("c", ["b", "d"]);
    columns.removeNodes(["a", "b"]);
    folding.prune();
    expect(shown().sort()).toEqual(["c", "e"]);
    expect(drawn()).toEqual({ cd: "not drawn", de: "ce" });
    columns.removeNodes(["c"]);
    folding.prune();
    expect(folding.folded).toBe(0);
    expect(shown().sort()).toEqual(["d", "e"]);
  });

  it("comes back to a graph as it was left", () => {
    const { folding, shown } = scene();
    folding.fold("a", ["b"]);
    const left = folding.state();
    folding.restore(undefined);
    expect(shown()).toHaveLength(5);
    folding.restore(left);
    expect(shown()).toEqual(["a", "c", "d", "e"]);
  });
});
