import { describe, expect, it } from "vitest";
import { applyOps } from "./applyOps";
import { SceneColumns } from "./columns";
import type { SceneData, SceneEdge, SceneOp } from "./types";

/** `"a-b b-c"` as a graph whose node `a` stands at (0, 0), `b` at (10, 0) and so on. */
function graph(text: string): SceneData {
  const pairs = text.split(" ").filter(Boolean).map((pair) => pair.split("-") as [string, string]);
  const ids = [...new Set(pairs.flat())].sort();
  return {
    graph: "test", seq: 1, ids, names: ids.map((id) => `name of ${id}`), typeIndex: new Uint16Array(ids.length), types: ["person"],
    positions: Float32Array.from(ids.flatMap((_, at) => [at * 10, 0])), pinned: new Uint8Array(ids.length),
    edgeIds: pairs.map((_, at) => `e${at}`),
    edgeSource: Uint32Array.from(pairs, ([from]) => ids.indexOf(from)),
    edgeTarget: Uint32Array.from(pairs, ([, to]) => ids.indexOf(to)),
    edgeTypeIndex: new Uint16Array(pairs.length), edgeTypes: ["knows"], edgeWeight: new Float32Array(pairs.length).fill(1), settled: true,
  };
}

/** The graph read back by id: what must be true whatever the indices are. */
function picture(columns: SceneColumns): string {
  const edges: string[] = [];
  for (let e = 0; e < columns.edgeCount; e++) edges.push(`${columns.ids[columns.edgeSource[e]!]}-${columns.ids[columns.edgeTarget[e]!]}`);
  const nodes = columns.ids.map((id, at) => {
    expect(columns.indexOf(id)).toBe(at);
    return `${id}:${columns.degree[at]}@${columns.positions[2 * at]}`;
  });
  return `${nodes.sort().join(" ")} | ${edges.sort().join(" ")}`;
}

function loaded(text: string): SceneColumns {
  const columns = new SceneColumns();
  columns.load(graph(text));
  return columns;
}

const edge = (id: string, source: string, target: string): SceneEdge => ({ id, source, target, relationshipType: "knows", weight: 0.5 });
const node = (id: string, x?: number): SceneOp => ({ op: "node", node: { id, name: id, entityType: "person", ...(x === undefined ? {} : { x, y: 0 }) } });

describe("columns", () => {
  it("count degrees, a self-loop once", () => {
    expect(picture(loaded("a-b b-c c-c"))).toBe("a:1@0 b:2@10 c:2@20 | a-b b-c c-c");
  });

  it("removing a node moves the last into its place and keeps every edge at its node", () => {
    const columns = loaded("a-b b-c c-d d-e e-b");
    columns.removeNodes(["a"]);
    expect(picture(columns)).toBe("b:2@10 c:2@20 d:2@30 e:2@40 | b-c c-d d-e e-b");
  });

  it("removing several at once follows an item that is moved twice", () => {
    const columns = loaded("a-b c-d e-f e-g g-a");
    columns.removeNodes(["b", "f", "c", "d"]);
    expect(picture(columns)).toBe("a:1@0 e:1@40 g:2@60 | e-g g-a");
  });

  it("agrees with a plain model through a thousand random changes", () => {
    const columns = loaded("a-b b-c");
    const nodes = new Map([["a", 0], ["b", 10], ["c", 20]]);
    const edges = new Map([["e0", "a-b"], ["e1", "b-c"]]);
    let state = 1;
    const random = (below: number) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
    for (let step = 0; step < 1000; step++) {
      const ids = [...nodes.keys()];
      const kind = random(10);
      if (kind < 4) {
        nodes.set(`n${step}`, step);
        applyOps(columns, [node(`n${step}`, step)]);
      } else if (kind < 7 && ids.length > 1) {
        const [from, to] = [ids[random(ids.length)]!, ids[random(ids.length)]!];
        edges.set(`x${step}`, `${from}-${to}`);
        applyOps(columns, [{ op: "edge", edge: edge(`x${step}`, from, to) }]);
      } else if (kind === 7 && edges.size > 0) {
        const id = [...edges.keys()][random(edges.size)]!;
        edges.delete(id);
        applyOps(columns, [{ op: "edge_removed", id }]);
      } else if (ids.length > 2) {
        const gone = new Set(Array.from({ length: 1 + random(3) }, () => ids[random(ids.length)]!));
        for (const id of gone) nodes.delete(id);
        for (const [id, pair] of edges) if (pair.split("-").some((end) => gone.has(end))) edges.delete(id);
        applyOps(columns, [...gone].map((id) => ({ op: "node_removed", id })));
      }
    }
    const degree = (id: string) => [...edges.values()].filter((pair) => pair.split("-").includes(id)).length;
    const expected = [...nodes].map(([id, x]) => `${id}:${degree(id)}@${x}`).sort().join(" ");
    expect(picture(columns)).toBe(`${expected} | ${[...edges.values()].sort().join(" ")}`);
  });
});

describe("a batch of changes", () => {
  it("may name an edge before its nodes", () => {
    const columns = loaded("a-b");
    const changes = applyOps(columns, [{ op: "edge", edge: edge("x", "a", "new") }, node("new")]);
    expect(picture(columns)).toContain("a-new");
    expect(changes.added).toEqual(["new"]);
    expect(changes.touched).toEqual(["a"]);
  });

  it("that says nothing new changes nothing", () => {
    const columns = loaded("a-b");
    const version = columns.version;
    const changes = applyOps(columns, [{ op: "node", node: { id: "a", name: "name of a", entityType: "person" } }]);
    expect(changes.changed).toEqual([]);
    expect(columns.version).toBe(version);
  });

  it("gives a node another type and counts it there", () => {
    const columns = loaded("a-b");
    applyOps(columns, [{ op: "node", node: { id: "a", name: "name of a", entityType: "place" } }]);
    expect(columns.types).toEqual(["person", "place"]);
    expect(columns.typeCounts).toEqual([1, 1]);
  });

  it("ignores edges whose ends are unknown", () => {
    const columns = loaded("a-b");
    applyOps(columns, [{ op: "edge", edge: edge("x", "a", "nowhere") }]);
    expect(columns.edgeCount).toBe(1);
  });

  it("moves an edge whose ends changed under the same id", () => {
    const columns = loaded("a-b b-c");
    applyOps(columns, [{ op: "edge", edge: edge("e0", "a", "c") }]);
    expect(picture(columns)).toBe("a:1@0 b:1@10 c:2@20 | a-c b-c");
  });

  it("pins and unpins", () => {
    const columns = loaded("a-b");
    applyOps(columns, [{ op: "pin", id: "a", x: 7, y: 8 }]);
    expect([columns.pinned[0], columns.positions[0], columns.positions[1]]).toEqual([1, 7, 8]);
    applyOps(columns, [{ op: "pin", id: "a", x: null, y: null }]);
    expect([columns.pinned[0], columns.positions[0]]).toEqual([0, 7]);
  });
});
