import type { UndoState } from "../ipc/generated/wire";
import type { MenuState } from "../ipc/host";
import { t } from "../strings";

/** What the menu says: the label that names the act, or null while there is nothing. */
export function menuState(undo: UndoState | undefined, hasGraph: boolean): MenuState {
  return {
    undo: undo?.undo === undefined ? null : t.undo.label("undo", undo.undo),
    redo: undo?.redo === undefined ? null : t.undo.label("redo", undo.redo),
    hasGraph,
  };
}
