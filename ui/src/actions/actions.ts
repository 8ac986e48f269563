import { pauseAgent } from "../features/agents/agentActs";
import type { App } from "../app/createApp";
import { keys } from "../data/keys";
import type { UndoState } from "../ipc/generated/wire";
import { showChangesOf } from "../state/agents/agentsView";
import { selectOnly } from "../state/selection/selection";
import { toggle, toggleTab } from "../state/panels/panels";
import type { Dialog } from "../state/dialogs/dialogs";
import type { ThemeChoice } from "../state/theme/theme";
import { showAll } from "../state/view/view";
import { t } from "../strings";
import { arrange, collapseClusters, layOutAgain, pauseLayout } from "./layout";
import { exportGraph, openLibrary, openSample, startImport } from "./files";
import { focusNextPane, focusSearch, openGraphPicker } from "./focus";
import { shown } from "./shortcuts";
import type { Action, ActionId } from "./types";

const ZOOM_STEP = 1.5;

const hasGraph = (app: App) => app.stores.workspace.get().phase === "open";
const hasNodes = (app: App) => hasGraph(app) && app.stores.workspace.get().nodes > 0;
const hasSelection = (app: App) => app.stores.selection.get().ids.length > 0;
const show = (dialog: Dialog) => (app: App) => app.stores.dialog.set(() => dialog);
const theme = (choice: ThemeChoice) => (app: App) => app.stores.theme.set((state) => ({ ...state, choice }));
const isTheme = (choice: ThemeChoice) => (app: App) => app.stores.theme.get().choice === choice;

export function undoState(app: App): UndoState | undefined {
  const { graph } = app.session;
  return graph === null ? undefined : app.queries.getQueryData<UndoState>(keys.undo(graph));
}

/** The list. Ids are those of the native menu; a new action is one more object here. */
export const ACTIONS: readonly Action[] = [
  { id: "palette", group: "edit", shortcuts: ["Mod+K", "Mod+Shift+P"], run: show({ kind: "palette" }) },
  { id: "new_graph", group: "file", shortcuts: ["Mod+Shift+N"], run: show({ kind: "new_graph" }) },
  { id: "open_library", group: "file", shortcuts: ["Mod+O"], enabled: (app) => app.host.kind === "window", run: openLibrary },
  { id: "open_sample", group: "file", run: openSample },
  { id: "switch_graph", group: "file", run: openGraphPicker },
  { id: "import", group: "file", shortcuts: ["Mod+Shift+O"], run: startImport },
  { id: "export", group: "file", shortcuts: ["Mod+Shift+E"], enabled: hasGraph, run: exportGraph },
  { id: "export_picture", group: "file", enabled: hasNodes, run: ({ stores }) => stores.dialog.set(() => ({ kind: "picture" })) },
  {
    id: "undo", group: "edit", shortcuts: ["Mod+Z"], scope: "outside_text",
    label: (app) => t.undo.label("undo", undoState(app)?.undo), enabled: (app) => undoState(app)?.undo !== undefined,
    run: (app) => void app.edits.takeBack({ verb: "undo" }),
  },
  {
    id: "redo", group: "edit", shortcuts: ["Mod+Shift+Z", "Mod+Y"], scope: "outside_text",
    label: (app) => t.undo.label("redo", undoState(app)?.redo), enabled: (app) => undoState(app)?.redo !== undefined,
    run: (app) => void app.edits.takeBack({ verb: "redo" }),
  },
  { id: "find", group: "edit", shortcuts: ["Mod+F"], enabled: hasGraph, run: focusSearch },
  { id: "new_entity", group: "edit", shortcuts: ["Mod+N"], enabled: hasGraph, run: show({ kind: "new_entity" }) },
  { id: "rename", group: "edit", shortcuts: ["F2"], enabled: (app) => app.stores.selection.get().ids.length === 1, run: rename },
  {
    id: "delete", group: "edit", shortcuts: ["Delete", "Backspace"], scope: "graph", enabled: (app) => hasSelection(app) || app.stores.relationship.get() !== null,
    run: deleteSelected,
  },
  { id: "trash", group: "edit", enabled: hasGraph, run: show({ kind: "trash" }) },
  { id: "select_all", group: "edit", shortcuts: ["Mod+A"], scope: "graph", enabled: hasNodes, run: selectAll },
  { id: "fit", group: "view", shortcuts: ["Mod+0"], enabled: hasNodes, run: (app) => app.scene.fit() },
  { id: "fit_selection", group: "view", shortcuts: ["Mod+9"], enabled: hasSelection, run: (app) => app.scene.fitSelection() },
  {
    id: "focus_view", group: "view", shortcuts: ["F"], scope: "graph", enabled: (app) => app.stores.selection.get().ids.length > 0,
    run: (app) => app.scene.focus.enter(app.stores.selection.get().ids[0]!),
  },
  { id: "back", group: "view", shortcuts: ["Alt+ArrowLeft"], scope: "outside_text", enabled: (app) => app.stores.focus.get().past.length > 0, run: (app) => app.scene.focus.back() },
  { id: "forward", group: "view", shortcuts: ["Alt+ArrowRight"], scope: "outside_text", enabled: (app) => app.stores.focus.get().future.length > 0, run: (app) => app.scene.focus.forward() },
  { id: "leave_focus", group: "view", enabled: (app) => app.stores.focus.get().now !== null, run: (app) => app.scene.focus.leave() },
  { id: "zoom_in", group: "view", shortcuts: ["Mod+="], enabled: hasNodes, run: (app) => app.scene.zoomBy(ZOOM_STEP) },
  { id: "zoom_out", group: "view", shortcuts: ["Mod+-"], enabled: hasNodes, run: (app) => app.scene.zoomBy(1 / ZOOM_STEP) },
  { id: "reheat", group: "view", enabled: hasNodes, run: layOutAgain },
  { id: "layout_panel", group: "view", shortcuts: ["Mod+Shift+L"], enabled: hasNodes, checked: (app) => app.stores.layout.get().open, run: ({ stores }) => stores.layout.set((view) => ({ ...view, open: !view.open })) },
  { id: "collapse_clusters", group: "view", enabled: hasNodes, run: (app) => void collapseClusters(app) },
  { id: "expand_all", group: "view", enabled: (app) => app.stores.folded.get() > 0, run: (app) => app.scene.expand() },
  { id: "arrange_circle", group: "view", enabled: hasNodes, run: (app) => void arrange(app, "circle") },
  { id: "arrange_tree", group: "view", enabled: hasNodes, run: (app) => void arrange(app, "tree") },
  { id: "arrange_by_type", group: "view", enabled: hasNodes, run: (app) => void arrange(app, "by_type") },
  { id: "pause_layout", group: "view", enabled: hasNodes, checked: (app) => app.stores.layout.get().paused, run: (app) => pauseLayout(app, !app.stores.layout.get().paused) },
  { id: "show_all", group: "view", enabled: (app) => app.stores.view.get().hiddenTypes.size > 0, run: (app) => app.stores.view.set(showAll) },
  { id: "theme_system", group: "view", checked: isTheme("system"), run: theme("system") },
  { id: "theme_light", group: "view", checked: isTheme("light"), run: theme("light") },
  { id: "theme_dark", group: "view", checked: isTheme("dark"), run: theme("dark") },
  { id: "toggle_left", group: "view", shortcuts: ["Mod+B", "F9"], enabled: hasNodes, checked: (app) => app.stores.panels.get().left, run: (app) => app.stores.panels.set((panels) => toggle(panels, "left")) },
  { id: "toggle_right", group: "view", shortcuts: ["Mod+Shift+B"], enabled: hasNodes, checked: (app) => app.stores.panels.get().right, run: (app) => app.stores.panels.set((panels) => toggle(panels, "right")) },
  { id: "toggle_legend", group: "view", shortcuts: ["Mod+L"], enabled: hasNodes, checked: (app) => app.stores.panels.get().legend, run: (app) => app.stores.panels.set((panels) => toggle(panels, "legend")) },
  { id: "next_pane", group: "view", hidden: true, shortcuts: ["F6"], run: focusNextPane },
  { id: "activity", group: "agents", shortcuts: ["Mod+R", "Mod+Shift+R"], enabled: hasGraph, run: showActivity },
  { id: "agents", group: "agents", run: (app) => app.stores.panels.set((panels) => toggleTab(panels, "agents")) },
  { id: "pause_all", group: "agents", run: (app) => void pauseAgent(app, null, true) },
  { id: "resume_all", group: "agents", run: (app) => void pauseAgent(app, null, false) },
  { id: "connect_agent", group: "agents", run: show({ kind: "connect" }) },
  { id: "meaning", group: "edit", enabled: hasGraph, run: show({ kind: "meaning" }) },
  { id: "shortcuts", group: "help", shortcuts: ["?", "F1"], scope: "outside_text", run: show({ kind: "shortcuts" }) },
  { id: "about", group: "help", run: show({ kind: "about" }) },
];

const BY_ID = new Map(ACTIONS.map((action) => [action.id as string, action]));

export function actionById(id: string): Action | undefined {
  return BY_ID.get(id);
}

export function labelOf(action: Action, app: App): string {
  return action.label?.(app) ?? t.actions[action.id];
}

/** Browsers keep these for their own windows, whatever a page says. */
const KEPT_BY_BROWSERS = new Set(["Mod+N", "Mod+Shift+N"]);

/** The keys that reach us here; the first is the one shown. */
export function keysOf(action: Action, app: App): readonly string[] {
  return (action.shortcuts ?? []).filter((key) => app.host.kind === "window" || !KEPT_BY_BROWSERS.has(key));
}

/** The key as it is shown beside the action. */
export function keyOf(action: Action, app: App): string | undefined {
  const key = keysOf(action, app)[0];
  return key === undefined ? undefined : shown(key);
}

export function isEnabled(action: Action, app: App): boolean {
  return action.enabled?.(app) ?? true;
}

export function runAction(id: ActionId, app: App): void {
  const action = actionById(id);
  if (action !== undefined && isEnabled(action, app)) action.run(app);
}

function selectAll(app: App): void {
  const ids = app.scene.nodes.idsShown(app.stores.view.get().hiddenTypes);
  app.stores.selection.set((selection) => selectOnly(selection, ids));
}

/** Asked for by itself it is everybody's; one agent's is a choice made at that agent. */
function showActivity(app: App): void {
  app.stores.agents.set((view) => showChangesOf(view, null));
  app.stores.panels.set((panels) => toggleTab(panels, "activity"));
}

function deleteSelected({ stores, edits }: App): void {
  const relationship = stores.relationship.get();
  if (relationship !== null) void edits.deleteRelationships([relationship]);
  else void edits.deleteEntities(stores.selection.get().ids);
}

function rename(app: App): void {
  app.stores.panels.set((panels) => ({ ...panels, right: true, tab: "details" }));
  app.stores.wantsEdit.set(() => "name");
}
