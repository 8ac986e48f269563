import { describe, expect, it } from "vitest";
import { SceneColumns } from "./columns";
import { edgeNear, edgesWithin } from "./edgePick";
import { GraphIndex } from "./graphIndex";

const node = (id: string, x: number, y: number, entityType = "t") => ({ id, name: id, entityType, x, y });
const edge = (id: string, source: string, target: string) => ({ id, source, target, relationshipType: "to", weight: 1 });

const EVERYWHERE = { minX: -1e6, maxX: 1e6, minY: -1e6, maxY: 1e6 };

function scene() {
  const columns = new SceneColumns();
  for (const each of [node("a", 0, 0), node("b", 100, 0), node("c", 0, 100), node("d", 100, 100, "other")]) columns.putNode(each);
  for (const each of [edge("ab", "a", "b"), edge("ac1", "a", "c"), edge("ac2", "a", "c"), edge("bd", "b", "d"), edge("cc", "c", "c")]) columns.putEdge(each);
  const index = new GraphIndex(columns);
  const at = (x: number, y: number, { zoom = 1, slack = 4 } = {}) => {
    const picture = { columns, fan: index.fan(), zoom, shows: (n: number) => index.shows(n) };
    const found = edgeNear(picture, edgesWithin(picture, EVERYWHERE), { x, y }, slack);
    return found < 0 ? null : columns.edgeIds[found]!;
  };
  const within = (minX: number, minY: number, maxX: number, maxY: number) => Array.from(edgesWithin({ columns, fan: index.fan() }, { minX, minY, maxX, maxY }), (e) => columns.edgeIds[e]!);
  return { index, at, within };
}

describe("the edge under the pointer", () => {
  const { index, at, within } = scene();

  it("is the nearest within the slack, counted in pixels of the screen", () => {
    expect(at(50, 3)).toBe("ab");
    expect(at(50, 6)).toBeNull();
    expect(at(50, 6, { zoom: 0.5 })).toBe("ab");
    expect(at(50, 3, { zoom: 2 })).toBeNull();
    expect(at(-10, 0)).toBeNull();
  });

  it("is told from its parallel by the curve", () => {
    // Two between the same ends bend apart by half a step each: 6 units at the middle.
    expect([at(6, 50), at(-6, 50)].sort()).toEqual(["ac1", "ac2"]);
    expect(at(20, 50)).toBeNull();
  });

  it("is a loop where a loop is drawn", () => {
    // c has a radius of 4 + 2·√3; its loop has one of 7, three quarters of which are above the rim.
    const middle = 100 - (4 + 2 * Math.sqrt(3)) - 0.75 * 7;
    expect(at(7, middle)).toBe("cc");
  });

  it("is looked for among those that may be in sight", () => {
    expect(within(40, -5, 60, 5)).toEqual(["ab"]);
    expect(within(3, 40, 8, 60)).toEqual(["ac1", "ac2"]);
    expect(within(-3, 95, 3, 105)).toEqual(["ac1", "ac2", "cc"]);
    expect(within(300, 300, 400, 400)).toEqual([]);
  });

  it("is none that goes to what is hidden", () => {
    expect(at(100, 50)).toBe("bd");
    index.hide(new Set(["other"]));
    expect(at(100, 50)).toBeNull();
  });
});
