import { buildAdjacency } from "./adjacency";
import type { SceneColumns } from "./columns";
import type { SceneData } from "./types";

export type Direction = "both" | "out" | "in";

/** What is looked at closely: one entity and what is within some steps of it, along certain relationships. */
export type Focus = { id: string; depth: number; direction: Direction; hiddenRelations: ReadonlySet<string> };

/** The places a picture has at the moment, to go on from. */
export type Known = (id: string) => { x: number; y: number } | undefined;

/** The columns as they came, so that a picture can be left and be come back to. */
export function wholeOf(columns: SceneColumns, graph: string, settled: boolean): SceneData {
  const { nodeCount: n, edgeCount: m } = columns;
  return {
    graph, seq: 0, settled,
    ids: columns.ids.slice(), names: columns.names.slice(), types: columns.types.slice(), edgeTypes: columns.edgeTypes.slice(), edgeIds: columns.edgeIds.slice(),
    typeIndex: columns.typeOf.slice(0, n), positions: columns.positions.slice(0, 2 * n), pinned: columns.pinned.slice(0, n),
    edgeSource: columns.edgeSource.slice(0, m), edgeTarget: columns.edgeTarget.slice(0, m), edgeTypeIndex: columns.edgeType.slice(0, m), edgeWeight: columns.edgeWeight.slice(0, m),
  };
}

/** Nodes within `depth` steps of the one in focus, breadth first; null when it is not there. */
export function nodesAround(columns: SceneColumns, focus: Focus): number[] | null {
  const start = columns.indexOf(focus.id);
  if (start === undefined) return null;
  const adjacency = buildAdjacency(columns);
  const hidden = columns.edgeTypes.map((type) => focus.hiddenRelations.has(type));
  const seen = new Uint8Array(columns.nodeCount);
  const found = [start];
  seen[start] = 1;
  for (let distance = 0, from = 0; distance < focus.depth; distance++) {
    const to = found.length;
    for (; from < to; from++) {
      const node = found[from]!;
      for (let k = adjacency.offsets[node]!; k < adjacency.offsets[node + 1]!; k++) {
        const edge = adjacency.edges[k]!;
        const next = adjacency.neighbours[k]!;
        if (seen[next] === 1 || hidden[columns.edgeType[edge]!] === true) continue;
        if (focus.direction === "out" && columns.edgeSource[edge] !== node) continue;
        if (focus.direction === "in" && columns.edgeTarget[edge] !== node) continue;
        seen[next] = 1;
        found.push(next);
      }
    }
  }
  return found;
}

/** The neighbourhood as a picture of its own, begun from where its nodes stand. */
export function pictureOf(columns: SceneColumns, graph: string, focus: Focus, known: Known): SceneData | null {
  const nodes = nodesAround(columns, focus);
  if (nodes === null) return null;
  const indexOf = new Map(nodes.map((node, at) => [node, at]));
  const edges: number[] = [];
  for (let e = 0; e < columns.edgeCount; e++) {
    if (indexOf.has(columns.edgeSource[e]!) && indexOf.has(columns.edgeTarget[e]!) && !focus.hiddenRelations.has(columns.edgeTypes[columns.edgeType[e]!]!)) edges.push(e);
  }
  const positions = new Float32Array(2 * nodes.length);
  const [cx, cy] = [columns.positions[2 * nodes[0]!]!, columns.positions[2 * nodes[0]! + 1]!];
  nodes.forEach((node, at) => {
    const place = known(columns.ids[node]!);
    positions[2 * at] = place?.x ?? columns.positions[2 * node]! - cx;
    positions[2 * at + 1] = place?.y ?? columns.positions[2 * node + 1]! - cy;
  });
  return {
    graph, seq: 0, settled: false, isFocus: true,
    ids: nodes.map((node) => columns.ids[node]!), names: nodes.map((node) => columns.names[node]!), types: columns.types.slice(), edgeTypes: columns.edgeTypes.slice(),
    typeIndex: Uint16Array.from(nodes, (node) => columns.typeOf[node]!), positions, pinned: new Uint8Array(nodes.length),
    edgeIds: edges.map((e) => columns.edgeIds[e]!),
    edgeSource: Uint32Array.from(edges, (e) => indexOf.get(columns.edgeSource[e]!)!), edgeTarget: Uint32Array.from(edges, (e) => indexOf.get(columns.edgeTarget[e]!)!),
    edgeTypeIndex: Uint16Array.from(edges, (e) => columns.edgeType[e]!), edgeWeight: Float32Array.from(edges, (e) => columns.edgeWeight[e]!),
  };
}
