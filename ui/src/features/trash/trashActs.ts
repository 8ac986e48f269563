import type { App } from "../../app/createApp";
import { conflictsOf } from "../../data/conflicts";
import { keys } from "../../data/keys";
import { IpcError } from "../../ipc/ipcError";
import type { TrashEntry } from "../../ipc/parts";
import { t } from "../../strings";
import { inTheWay, restoredText } from "./trashWords";

/** Long enough to read what came back and what did not. */
const TOLD_MS = 8_000;

/** All of it comes back, or nothing; whether it did. What is selected then is what came back. */
export async function restore(app: App, entries: readonly TrashEntry[]): Promise<boolean> {
  try {
    const restored = await app.edits.write("restore_from_trash", { ids: entries.map(({ id }) => id) });
    app.toaster.say(restoredText(entries, restored), { lasts: TOLD_MS });
    const entities = entries.filter(({ kind }) => kind === "entity").map(({ id }) => id);
    if (entities.length > 0) app.scene.revealAll(entities);
    return true;
  } catch (thrown) {
    const conflicts = conflictsOf(thrown);
    // The host's own hint is about taking back in part, which restoring does not know.
    app.toaster.fail(conflicts === null ? thrown : new IpcError("conflict", inTheWay(conflicts, entries)), t.trash.notRestored);
    await refresh(app);
    return false;
  }
}

/** For good: some of it, or for null all. */
export async function emptyTrash(app: App, ids: readonly string[] | null): Promise<void> {
  try {
    const { changes } = await app.edits.write("empty_trash", { ids: ids === null ? undefined : [...ids] });
    app.toaster.say(ids === null ? t.trash.emptied(changes) : t.trash.deleted(ids.length));
  } catch (thrown) {
    app.toaster.fail(thrown, t.trash.notEmptied);
  }
  await refresh(app);
}

/** What goes for good is no change of the graph, so no event tells of it. */
async function refresh({ queries, session }: App): Promise<void> {
  if (session.graph !== null) await queries.invalidateQueries({ queryKey: keys.trash(session.graph) });
}
