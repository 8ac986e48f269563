import type { AgentRights } from "../../ipc/parts";
import { t } from "../../strings";

/** Each level allows what those before it do. */
export const LEVELS = ["read", "write", "delete", "forGood"] as const;
export type Level = (typeof LEVELS)[number];

export type RightsForm = { level: Level; everywhere: boolean; graphs: ReadonlySet<string> };

export function levelOf({ write, delete: mayDelete, delete_for_good: forGood }: AgentRights): Level {
  if (!write) return "read";
  if (!mayDelete) return "write";
  return forGood ? "forGood" : "delete";
}

export function formOf(rights: AgentRights): RightsForm {
  return { level: levelOf(rights), everywhere: rights.graphs.length === 0, graphs: new Set(rights.graphs) };
}

/** Null while it says nothing that can be saved: no graph at all would be read as every graph. */
export function rightsOf({ level, everywhere, graphs }: RightsForm): AgentRights | null {
  if (!everywhere && graphs.size === 0) return null;
  const at = LEVELS.indexOf(level);
  return { write: at >= 1, delete: at >= 2, delete_for_good: at >= 3, graphs: everywhere ? [] : [...graphs].sort() };
}

export function toggleGraph(form: RightsForm, graph: string): RightsForm {
  const graphs = new Set(form.graphs);
  if (!graphs.delete(graph)) graphs.add(graph);
  return { ...form, graphs };
}

/** The graphs there are, and those of the rights that are not among them: they must not be lost by saving. */
export function graphChoices(known: readonly string[], chosen: Iterable<string>): { name: string; isHere: boolean }[] {
  const here = new Set(known);
  const others = [...chosen].filter((name) => !here.has(name));
  return [...[...here].map((name) => ({ name, isHere: true })), ...others.map((name) => ({ name, isHere: false }))];
}

/** More names than this are counted. */
const NAMED = 2;

export function rightsLine(rights: AgentRights): string {
  const { graphs } = rights;
  const where = graphs.length === 0 ? t.rights.everywhere : graphs.length <= NAMED ? graphs.join(", ") : t.rights.nGraphs(graphs.length);
  return t.rights.summary(t.rights.levels[levelOf(rights)], where);
}
