import type { Attribution, Entity } from "../generated/wire";
import type { Reply } from "../host";
import { IpcError } from "../ipcError";
import type { TrashEntry } from "../parts";
import type { FakeGraph, FakeObservation, FakeRelation, Row, Transaction } from "./fakeGraph";

const KEPT_SECONDS = 30 * 86_400;
const DISCARDING = ["delete_entities", "delete_relationships", "delete_observations"];

type By = Omit<Attribution, "time">;
type Thrown = { row: Row; transaction: Transaction };

/** What was deleted and is not there again, read out of the journal; each thing once, the newest first. */
function thrown(graph: FakeGraph): Map<string, Thrown> {
  const found = new Map<string, Thrown>();
  for (const transaction of [...graph.journal].reverse()) {
    if (!DISCARDING.includes(transaction.operation)) continue;
    for (const row of transaction.rows) {
      const gone = row.after === undefined && row.kind !== "pin" && graph.table(row.kind).get(row.id) === undefined;
      if (gone && !found.has(row.id) && !graph.forgotten.has(row.id)) found.set(row.id, { row, transaction });
    }
  }
  return found;
}

/** The entities a thing hangs on. */
function endsOf({ kind, before }: Row): string[] {
  if (kind === "observation") return [(before as FakeObservation).entity_id];
  if (kind === "relationship") return [(before as FakeRelation).source_id, (before as FakeRelation).target_id];
  return [];
}

/** What went with an entity in the same change. */
function hangingOn(all: ReadonlyMap<string, Thrown>, entity: string): Row[] {
  const transaction = all.get(entity)?.transaction;
  return [...all.values()].filter((each) => each.transaction === transaction && endsOf(each.row).includes(entity)).map(({ row }) => row);
}

export function trash(graph: FakeGraph): Reply<"trash"> {
  const all = thrown(graph);
  const nameOf = (id: string) => graph.entities.get(id)?.name ?? (all.get(id)?.row.before as Entity | undefined)?.name ?? "";
  const entries = [...all.values()].flatMap(({ row, transaction }): TrashEntry[] => {
    // What went with an entity comes back with it.
    if (endsOf(row).some((id) => all.get(id)?.transaction === transaction)) return [];
    const tail = { id: row.id, kind: row.kind, by: transaction.by, expires_at: transaction.by.time + KEPT_SECONDS, observations: 0, relationships: 0 };
    if (row.kind === "entity") {
      const { name, entity_type: type } = row.before as Entity;
      const hanging = hangingOn(all, row.id);
      const n = (kind: string) => hanging.filter((each) => each.kind === kind).length;
      return [{ ...tail, label: name, detail: type, observations: n("observation"), relationships: n("relationship") }];
    }
    if (row.kind === "observation") return [{ ...tail, label: (row.before as FakeObservation).content, detail: nameOf((row.before as FakeObservation).entity_id) }];
    const relation = row.before as FakeRelation;
    return [{ ...tail, label: relation.relationship_type, detail: `${nameOf(relation.source_id)} → ${nameOf(relation.target_id)}` }];
  });
  return { entries, total: entries.length };
}

export function restore(graph: FakeGraph, by: By, ids: readonly string[]): Reply<"restore_from_trash"> {
  const all = thrown(graph);
  const done = { entities: 0, observations: 0, relationships: 0, left: 0 };
  const count = { entity: "entities", observation: "observations", relationship: "relationships" } as const;
  graph.transact(by, "restore_from_trash", (put) => {
    const bring = (row: Row): boolean => {
      if (row.kind === "pin" || endsOf(row).some((id) => !graph.entities.has(id))) return false;
      put(row.kind, row.id, row.before);
      done[count[row.kind]]++;
      return true;
    };
    const wanted = ids.map((id) => {
      const found = all.get(id);
      if (found === undefined) throw new IpcError("not_found", `there is no object in the trash with id \`${id}\``);
      return found.row;
    });
    const entities = wanted.filter(({ kind }) => kind === "entity");
    entities.forEach(bring);
    for (const row of new Set(entities.flatMap(({ id }) => hangingOn(all, id)))) if (!bring(row)) done.left++;
    const stuck = wanted.filter((row) => row.kind !== "entity" && !bring(row));
    if (stuck.length > 0) throw new IpcError("conflict", "part of it cannot come back", undefined, stuck.map(({ kind, id }) => ({ object_kind: kind, object_id: id, field: "", reason: "one of its ends is gone" })));
  });
  return done;
}

export function emptyTrash(graph: FakeGraph, ids: readonly string[] | undefined): Reply<"empty_trash"> {
  const all = thrown(graph);
  const gone = ids === undefined ? [...all.keys()] : ids.flatMap((id) => [id, ...hangingOn(all, id).map((row) => row.id)]);
  for (const id of gone) graph.forgotten.add(id);
  return { status: "deleted", changes: gone.length };
}
