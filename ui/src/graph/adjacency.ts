import type { SceneColumns } from "./columns";
import type { DrawnEnds } from "./folding";

/** Who is beside whom, as compressed rows: the neighbours of `v` are `neighbours[offsets[v] … offsets[v + 1])`. */
export type Adjacency = { version: number; offsets: Uint32Array; neighbours: Uint32Array; edges: Uint32Array };

export function buildAdjacency(columns: SceneColumns, ends?: DrawnEnds): Adjacency {
  const { nodeCount, edgeCount } = columns;
  const [edgeSource, edgeTarget] = [ends?.source ?? columns.edgeSource, ends?.target ?? columns.edgeTarget];
  const offsets = new Uint32Array(nodeCount + 1);
  for (let e = 0; e < edgeCount; e++) {
    offsets[edgeSource[e]! + 1]!++;
    if (edgeSource[e] !== edgeTarget[e]) offsets[edgeTarget[e]! + 1]!++;
  }
  for (let v = 0; v < nodeCount; v++) offsets[v + 1]! += offsets[v]!;
  const next = offsets.slice(0, nodeCount);
  const neighbours = new Uint32Array(offsets[nodeCount]!);
  const edges = new Uint32Array(neighbours.length);
  const put = (from: number, to: number, edge: number) => {
    const at = next[from]!++;
    neighbours[at] = to;
    edges[at] = edge;
  };
  for (let e = 0; e < edgeCount; e++) {
    const source = edgeSource[e]!;
    const target = edgeTarget[e]!;
    put(source, target, e);
    if (source !== target) put(target, source, e);
  }
  return { version: columns.version, offsets, neighbours, edges };
}

/** Distance in hops from the seeds, up to `depth`; 255 is further away. */
export function hopsFrom(adjacency: Adjacency, nodeCount: number, seeds: Iterable<number>, depth: number): Uint8Array {
  const hops = new Uint8Array(nodeCount).fill(255);
  let frontier: number[] = [];
  for (const seed of seeds) {
    hops[seed] = 0;
    frontier.push(seed);
  }
  for (let distance = 1; distance <= depth; distance++) {
    const next: number[] = [];
    for (const node of frontier) {
      for (let k = adjacency.offsets[node]!; k < adjacency.offsets[node + 1]!; k++) {
        const neighbour = adjacency.neighbours[k]!;
        if (hops[neighbour] !== 255) continue;
        hops[neighbour] = distance;
        next.push(neighbour);
      }
    }
    frontier = next;
  }
  return hops;
}

/**
 * Node indices by rising degree, by counting: the drawing order (hubs on top) and, read backwards, the order in
 * which labels are placed.
 */
export function orderByDegree(degree: Uint32Array, count: number): Uint32Array {
  const TOP = 4096;
  const starts = new Uint32Array(TOP + 2);
  for (let i = 0; i < count; i++) starts[Math.min(TOP, degree[i]!) + 1]!++;
  for (let b = 0; b <= TOP; b++) starts[b + 1]! += starts[b]!;
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[starts[Math.min(TOP, degree[i]!)]!++] = i;
  return order;
}
