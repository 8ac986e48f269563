import type { Adjacency } from "./adjacency";
import type { SceneColumns } from "./columns";
import type { DrawnEnds, Folding } from "./folding";

/** Apex of the curve, as a share of the edge's length, for each step of the fan. */
export const BEND_STEP = 0.12;
/** More parallel edges than this become one line with a count. */
export const FAN_LIMIT = 5;
/** Stands in `bend` for an edge that a bundle stands for. */
export const BUNDLED_AWAY = -1e9;

export type EdgeFan = DrawnEnds & {
  /**
   * Per edge: 0 for a straight line, the apex as a share of the length for a curve (positive is left of source to
   * target), the 1-based step for a self-loop, `BUNDLED_AWAY` for one that is not drawn.
   */
  bend: Float32Array;
  /** Edges that need the curve program. */
  curved: Uint32Array;
  /** The edge drawn for many, and how many. */
  bundled: Map<number, number>;
  /** The edge that is drawn for one that is not. */
  drawnFor: Map<number, number>;
};

/**
 * Spread edges between the same two nodes into a fan. Opposite directions bend apart, because both are measured
 * from the lower index and turned round for the edge that runs the other way.
 */
export function fanEdges(columns: SceneColumns, adjacency: Adjacency, folding?: Folding): EdgeFan {
  const ends: DrawnEnds = folding?.ends() ?? { source: columns.edgeSource, target: columns.edgeTarget };
  const bend = new Float32Array(columns.edgeCount);
  const bundled = new Map<number, number>();
  const drawnFor = new Map<number, number>();
  const curved: number[] = [];
  const groups = new Map<number, number[]>();
  const firstTo = new Int32Array(columns.nodeCount).fill(-1);

  for (let v = 0; v < columns.nodeCount; v++) {
    groups.clear();
    const from = adjacency.offsets[v]!;
    const to = adjacency.offsets[v + 1]!;
    // Most neighbours have one edge only: note the first, and make a list at the second.
    for (let k = from; k < to; k++) {
      const neighbour = adjacency.neighbours[k]!;
      if (neighbour < v) continue;
      if (neighbour === v && folding?.isInner(adjacency.edges[k]!) === true) {
        bend[adjacency.edges[k]!] = BUNDLED_AWAY;
        continue;
      }
      const first = firstTo[neighbour]!;
      if (first < 0) firstTo[neighbour] = adjacency.edges[k]!;
      else {
        const group = groups.get(neighbour);
        if (group === undefined) groups.set(neighbour, [first, adjacency.edges[k]!]);
        else group.push(adjacency.edges[k]!);
      }
      if (neighbour === v && !groups.has(v)) groups.set(v, [adjacency.edges[k]!]);
    }
    for (let k = from; k < to; k++) firstTo[adjacency.neighbours[k]!] = -1;
    for (const [neighbour, edges] of groups) {
      if (neighbour === v) edges.forEach((edge, step) => (bend[edge] = step + 1));
      // What links two crowds is one line that says how many; which of them is which is not to be seen there.
      else if (edges.length > FAN_LIMIT || (edges.length > 1 && folding !== undefined && edges.some((edge) => folding.isMoved(edge)))) {
        bundled.set(edges[0]!, edges.length);
        for (const edge of edges.slice(1)) {
          bend[edge] = BUNDLED_AWAY;
          drawnFor.set(edge, edges[0]!);
        }
        continue;
      } else {
        edges.forEach((edge, at) => {
          const apex = (at - (edges.length - 1) / 2) * BEND_STEP;
          bend[edge] = ends.source[edge] === v ? apex : -apex;
        });
      }
      for (const edge of edges) if (bend[edge] !== 0) curved.push(edge);
    }
  }
  return { ...ends, bend, curved: Uint32Array.from(curved), bundled, drawnFor };
}
