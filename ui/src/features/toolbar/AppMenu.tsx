import { useCallback, useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { ACTIONS, isEnabled, keyOf, labelOf } from "../../actions/actions";
import type { Action, ActionGroup } from "../../actions/types";
import type { App } from "../../app/createApp";
import { IconButton } from "../../components/Button";
import { Menu, type MenuItem } from "../../components/Menu";
import { t } from "../../strings";

const GROUPS: readonly ActionGroup[] = ["file", "edit", "view", "agents", "help"];

/** The browser has no native menu: the same actions behind one button. */
export const AppMenu: FC = () => {
  const app = useApp();
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const close = useCallback(() => setAt(null), []);
  return (
    <>
      <IconButton
        icon="menu"
        label={t.toolbar.menu}
        aria-haspopup="menu"
        aria-expanded={at !== null}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          setAt({ x: box.left, y: box.bottom + 6 });
        }}
      />
      {at !== null && <Menu wide x={at.x} y={at.y} label={t.toolbar.menu} items={itemsOf(app)} onClose={close} />}
    </>
  );
};

function itemsOf(app: App): MenuItem[] {
  return GROUPS.flatMap((group): MenuItem[] => [
    { kind: "heading", label: t.actionGroups[group], column: group === "view" },
    ...ACTIONS.filter((action) => action.group === group && action.hidden !== true && !(action.id === "open_library" && app.host.kind === "browser")).map((action) => menuItem(action, app)),
  ]);
}

export function menuItem(action: Action, app: App): MenuItem {
  return { label: labelOf(action, app), shortcut: keyOf(action, app), disabled: !isEnabled(action, app), checked: action.checked?.(app), run: () => action.run(app) };
}
