import type { App } from "../app/createApp";
import type { t } from "../strings";

export type ActionId = keyof typeof t.actions;
export type ActionGroup = keyof typeof t.actionGroups;

/** One thing a person can do, the same from the menu, the palette, a button or a key. */
export type Action = {
  id: ActionId;
  group: ActionGroup;
  /** Another wording for the moment, such as "Undo add entity". */
  label?: (app: App) => string;
  /** `Mod` is Ctrl, or ⌘ on a Mac. The first is the one shown. */
  shortcuts?: readonly string[];
  /** `graph`: only while the canvas or the list has the focus, because it is a bare key or means text elsewhere. */
  scope?: "graph" | "outside_text";
  enabled?: (app: App) => boolean;
  /** A switch that is on. */
  checked?: (app: App) => boolean;
  /** A key of its own and nothing a menu would list. */
  hidden?: boolean;
  run: (app: App) => void;
};
