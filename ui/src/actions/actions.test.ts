import { beforeEach, describe, expect, it } from "vitest";
import { createApp, type App } from "../app/createApp";
import { keys } from "../data/keys";
import { FakeHost } from "../ipc/fake/fakeHost";
import { selectOnly } from "../state/selection/selection";
import { t } from "../strings";
import { ACTIONS, actionById, isEnabled, labelOf, runAction } from "./actions";
import { menuState } from "./undoLabels";

/** What the native menu sends (src-tauri/src/menu.rs) and the brief promises. */
const MENU = [
  "new_graph", "open_library", "open_sample", "import", "export", "export_picture", "undo", "redo", "find", "delete", "rename", "new_entity", "select_all",
  "fit", "zoom_in", "zoom_out", "reheat", "theme_system", "theme_light", "theme_dark", "toggle_left", "toggle_right", "connect_agent", "agents", "pause_all", "resume_all", "activity", "trash", "shortcuts", "about", "switch_graph", "palette",
];

let app: App;
beforeEach(() => {
  app = createApp(new FakeHost());
});

describe("the list of actions", () => {
  it("knows every entry of the native menu", () => {
    for (const id of MENU) expect(actionById(id), id).toBeDefined();
  });

  it("has no key twice in the same scope", () => {
    const used = new Map<string, string>();
    for (const action of ACTIONS) {
      for (const key of action.shortcuts ?? []) {
        expect(used.get(key), `${key} of ${action.id}`).toBeUndefined();
        used.set(key, action.id);
      }
    }
  });

  it("keeps bare letters away from fields", () => {
    for (const action of ACTIONS) {
      const bare = (action.shortcuts ?? []).filter((key) => !key.includes("+") && !/^F\d+$/.test(key));
      if (bare.length > 0) expect(action.scope, action.id).toBeDefined();
    }
  });

  it("greys out what cannot be done", () => {
    for (const id of ["export", "new_entity", "delete", "undo", "fit"] as const) expect(isEnabled(actionById(id)!, app), id).toBe(false);
    app.stores.workspace.set((workspace) => ({ ...workspace, phase: "open", graph: "g", nodes: 3 }));
    expect(isEnabled(actionById("new_entity")!, app)).toBe(true);
    app.stores.selection.set((selection) => selectOnly(selection, ["a"]));
    expect(isEnabled(actionById("delete")!, app)).toBe(true);
  });

  it("names what undo would undo", () => {
    app.stores.workspace.set((workspace) => ({ ...workspace, phase: "open", graph: "g", nodes: 3 }));
    app.queries.setQueryData(keys.undo("g"), { undo: "add_entity" });
    expect(labelOf(actionById("undo")!, app)).toBe("Undo add entity");
    expect(labelOf(actionById("redo")!, app)).toBe("Redo");
    expect(isEnabled(actionById("redo")!, app)).toBe(false);
  });

  it("switches the theme", () => {
    runAction("theme_dark", app);
    expect(app.stores.theme.get().choice).toBe("dark");
  });
});

describe("the native menu's state", () => {
  it("is null where there is nothing to take back", () => {
    expect(menuState(undefined, false)).toEqual({ undo: null, redo: null, hasGraph: false });
  });

  it("speaks as a person would, also about verbs it does not know", () => {
    expect(menuState({ undo: "delete_relationships", redo: "tag_everything" }, true)).toEqual({ undo: "Undo delete relation", redo: "Redo tag everything", hasGraph: true });
    expect(t.undo.done("undo", "add_entity", 2)).toBe("Undid add entity, 2 changes left as it is");
  });
});
