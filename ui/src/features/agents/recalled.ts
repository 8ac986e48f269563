import type { Recall } from "../../ipc/parts";

/** Chips of a question that is not opened: enough to know what it was about. */
export const FEW = 3;

/** What a question was answered with: those that are still there, how many are not, how many are not listed. */
export type Found = { there: { id: string; name: string }[]; gone: number; unlisted: number };

export function foundBy({ found, hits }: Pick<Recall, "found" | "hits">): Found {
  const there = found.flatMap(({ id, name }) => (name === undefined ? [] : [{ id, name }]));
  return { there, gone: found.length - there.length, unlisted: Math.max(0, hits - found.length) };
}

/** Whether what it found can be shown now, after opening its graph, or not from here. */
export function placeOf({ is_here: isHere, graph }: Pick<Recall, "is_here" | "graph">, open: string | null): "here" | "other_graph" | "other_library" {
  if (!isHere) return "other_library";
  return graph === open ? "here" : "other_graph";
}
