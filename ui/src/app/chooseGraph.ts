import type { GraphSummary } from "../ipc/generated/wire";

/** Which graph to begin with: the one of last time, else the fullest. None while there is nothing in any of them. */
export function chooseGraph(graphs: readonly GraphSummary[], last: string | undefined): string | null {
  const readable = graphs.filter((graph) => graph.problem === undefined || graph.problem === null);
  const filled = readable.filter((graph) => graph.entities > 0);
  if (filled.length === 0) return null;
  if (readable.some((graph) => graph.name === last)) return last!;
  return filled.reduce((best, graph) => (graph.last_modified > best.last_modified ? graph : best)).name;
}
