import type { ImportProblem, ImportReport } from "../generated/wire";
import { IpcError } from "../ipcError";
import { addEntity, addObservation, addRelationship } from "./fakeWrites";
import type { FakeGraph } from "./fakeGraph";

const IMPORT = { actor: "import", is_agent: false, client: "" };

type Line = { type?: string; name?: unknown; entityType?: unknown; observations?: unknown; from?: unknown; to?: unknown; relationType?: unknown };

/** JSONL of the official memory server, enough of it to show a report with problems. */
export function importContent(graph: FakeGraph, content: string, options: { skip_invalid: boolean; dry_run: boolean }): ImportReport {
  if (content.trim() === "") throw new IpcError("invalid_file", "the file cannot be imported: it is empty");
  const report: ImportReport = { graph: graph.name, format: "server_memory", entities: none(), relationships: none(), observations: none(), problem_count: 0, problems: [], applied: false };
  const act: (() => void)[] = [];
  const byName = new Map([...graph.entities.values()].map((entity) => [entity.name, entity.id]));
  content.split("\n").forEach((text, at) => {
    if (text.trim() === "") return;
    const problem = (reason: string): void => void report.problems.push({ line: at + 1, place: "line", reason } satisfies ImportProblem);
    let line: Line;
    try {
      line = JSON.parse(text) as Line;
    } catch {
      return problem("it is no complete JSON object");
    }
    if (line.type === "entity") {
      const { name, entityType } = line;
      if (typeof name !== "string") return problem("an entity needs a `name`");
      if (typeof entityType !== "string") return problem("an entity needs an `entityType`");
      const notes = Array.isArray(line.observations) ? line.observations.filter((each): each is string => typeof each === "string") : [];
      report.entities[byName.has(name) ? "unchanged" : "new"]++;
      report.observations.new += notes.length;
      act.push(() => {
        const { id } = addEntity(graph, IMPORT, { name, entity_type: entityType, description: "", observations: [] });
        byName.set(name, id!);
        for (const note of notes) addObservation(graph, IMPORT, { entity_id: id!, content: note });
      });
    } else if (line.type === "relation") {
      const { from, to, relationType } = line;
      if (typeof from !== "string" || typeof to !== "string" || typeof relationType !== "string") return problem("a relation needs `from`, `to` and `relationType`");
      report.relationships.new++;
      act.push(() => addRelationship(graph, IMPORT, { source_id: byName.get(from) ?? "", target_id: byName.get(to) ?? "", relationship_type: relationType, weight: 1 }));
    } else problem(`\`type\` is \`${String(line.type)}\`; it must be \`entity\` or \`relation\``);
  });
  report.problem_count = report.problems.length;
  if (options.dry_run || (report.problem_count > 0 && !options.skip_invalid)) return report;
  for (const each of act) each();
  return { ...report, applied: true };
}

const none = () => ({ new: 0, changed: 0, unchanged: 0 });
