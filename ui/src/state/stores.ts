import { EVERYBODY } from "./agents/agentsView";
import { createStore } from "./createStore";
import type { Dialog } from "./dialogs/dialogs";
import type { Drafts } from "./drafts/drafts";
import { NO_LOOKS } from "./looks/looks";
import { isSettings, OWN_LAYOUT, type LayoutView } from "./layout/layout";
import { NO_FOCUS, type FocusView } from "./focusView/focusView";
import type { ContextTarget } from "./menu/contextMenu";
import { OPEN_PANELS, type Panels } from "./panels/panels";
import { isThemeChoice, type Theme } from "./theme/theme";
import { remembered } from "./remember";
import { NO_FILTER } from "./search/search";
import { NOTHING } from "./selection/selection";
import type { Toast } from "./toasts/toasts";
import { WHOLE_VIEW } from "./view/view";
import { STARTING } from "./workspace/workspace";

/** Every slice, made once for each page (and each test). */
export function createStores() {
  const theme: Theme = { choice: remembered("theme", isThemeChoice) ?? "system", system: "light" };
  const panels: Panels = { ...OPEN_PANELS, ...remembered("panels", isPanels) };
  return {
    workspace: createStore(STARTING),
    selection: createStore(NOTHING),
    /** The entity the panel shows: the one selected, or one that was deleted while text for it is unsaved. */
    inspected: createStore<string | null>(null),
    /** The relationship that is selected: never together with entities. */
    relationship: createStore<string | null>(null),
    /** What agents changed in the open graph since the person last looked at it. */
    unseen: createStore<ReadonlySet<string>>(new Set()),
    /** How many entities are collapsed into others on the canvas. */
    folded: createStore(0),
    hovered: createStore<string | null>(null),
    panels: createStore(panels),
    agents: createStore(EVERYBODY),
    theme: createStore(theme),
    view: createStore(WHOLE_VIEW),
    focus: createStore<FocusView>(NO_FOCUS),
    layout: createStore<LayoutView>({ ...OWN_LAYOUT, settings: remembered("layout", isSettings) ?? OWN_LAYOUT.settings }),
    filter: createStore(NO_FILTER),
    looks: createStore(NO_LOOKS),
    dialog: createStore<Dialog | null>(null),
    contextMenu: createStore<ContextTarget | null>(null),
    toasts: createStore<readonly Toast[]>([]),
    drafts: createStore<Drafts>(new Map()),
    /** The field that should open for editing, such as `name` after F2; taken by the panel. */
    wantsEdit: createStore<string | null>(null),
  };
}

export type Stores = ReturnType<typeof createStores>;

function isPanels(value: unknown): value is Pick<Panels, "left" | "right" | "legend"> {
  return typeof value === "object" && value !== null && ["left", "right", "legend"].every((key) => typeof (value as Record<string, unknown>)[key] === "boolean");
}
