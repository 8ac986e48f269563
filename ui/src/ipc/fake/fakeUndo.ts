import type { TakenBack, UndoState } from "../generated/wire";
import { IpcError } from "../ipcError";
import { PERSON, type FakeGraph, type Transaction } from "./fakeGraph";

type Conflict = { object_kind: string; object_id: string; field: string; reason: string };

/** Undo, redo and revert out of the journal alone, per object; what was changed since is a conflict. */

export function undoState(graph: FakeGraph): UndoState {
  return { undo: undoable(graph)?.operation, redo: redoable(graph)?.operation };
}

export function takeBack(graph: FakeGraph, verb: "undo" | "redo" | "revert", partial: boolean, transaction?: string): TakenBack {
  const target = verb === "revert" ? graph.journal.find(({ id }) => id === transaction) : verb === "undo" ? undoable(graph) : redoable(graph);
  if (target === undefined) throw new IpcError(verb === "revert" ? "not_found" : "nothing_to_do", `there is nothing to ${verb}`);
  const conflicts: Conflict[] = [];
  const { changes } = graph.transact(
    PERSON,
    verb,
    (put) => {
      for (const row of [...target.rows].reverse()) {
        const now = graph.table(row.kind).get(row.id);
        if (JSON.stringify(now) !== JSON.stringify(row.after)) {
          conflicts.push({ object_kind: row.kind, object_id: row.id, field: changedField(row.after, now), reason: now === undefined ? "it was deleted since" : "it was changed since" });
        } else put(row.kind, row.id, row.before);
      }
      if (conflicts.length > 0 && !partial) throw new IpcError("conflict", "part of it was changed since", undefined, conflicts);
    },
    { takes: target.id, link: verb },
  );
  target.undone = true;
  if (verb === "redo") {
    const undone = graph.journal.find(({ id }) => id === target.takes);
    if (undone !== undefined) undone.undone = false;
  }
  return { operation: verb === "redo" ? (graph.journal.find(({ id }) => id === target.takes)?.operation ?? "undo") : target.operation, changes, left: conflicts.length };
}

const mine = (transaction: Transaction) => transaction.by.actor === "person";

function undoable(graph: FakeGraph): Transaction | undefined {
  return graph.journal.findLast((each) => mine(each) && each.link === undefined && !each.undone);
}

/** An undo of the person after which nothing else of theirs was written. */
function redoable(graph: FakeGraph): Transaction | undefined {
  for (const each of [...graph.journal].reverse()) {
    if (!mine(each)) continue;
    if (each.link === "undo" && !each.undone) return each;
    if (each.link === undefined) return undefined;
  }
  return undefined;
}

function changedField(then: unknown, now: unknown): string {
  if (typeof then !== "object" || typeof now !== "object" || then === null || now === null) return "";
  const [a, b] = [then as Record<string, unknown>, now as Record<string, unknown>];
  return Object.keys(a).find((key) => key !== "updated_at" && JSON.stringify(a[key]) !== JSON.stringify(b[key])) ?? "";
}
