import { IpcError } from "../ipc/ipcError";
import type { Entity } from "../ipc/generated/wire";

/** One thing an undo or revert could not take back: ids and field names, never text. */
export type Conflict = { object_kind: string; object_id: string; field: string; reason: string };

export function conflictsOf(error: unknown): Conflict[] | null {
  if (!(error instanceof IpcError) || error.code !== "conflict") return null;
  return Array.isArray(error.details) ? error.details.filter(isConflict) : [];
}

function isConflict(value: unknown): value is Conflict {
  return typeof value === "object" && value !== null && "object_id" in value && "reason" in value;
}

/** The entity as it is now, out of a `changed_meanwhile`. */
export function entityNow(error: unknown): Entity | null {
  if (!(error instanceof IpcError) || error.code !== "changed_meanwhile") return null;
  const { details } = error;
  return typeof details === "object" && details !== null && "updated_at" in details ? (details as Entity) : null;
}
