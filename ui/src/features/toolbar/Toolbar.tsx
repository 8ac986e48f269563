import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { runAction, keyOf, labelOf, actionById, isEnabled } from "../../actions/actions";
import { shown } from "../../actions/shortcuts";
import type { ActionId } from "../../actions/types";
import { IconButton } from "../../components/Button";
import { Icon, type IconName } from "../../components/Icon";
import { useGraphName, useUndoState } from "../../data/queries";
import { useStore } from "../../state/createStore";
import { t } from "../../strings";
import { GraphPicker } from "../graphPicker/GraphPicker";
import { AppMenu } from "./AppMenu";
import styles from "./Toolbar.module.css";

/** The bar at the top: where one is, one box to go anywhere, and what is needed at any moment. */
export const Toolbar: FC<{ rightOpen: boolean; leftOpen: boolean }> = ({ leftOpen, rightOpen }) => {
  const app = useApp();
  const open = useStore(app.stores.workspace, (workspace) => workspace.phase === "open");
  const tab = useStore(app.stores.panels, (panels) => panels.tab);
  // The labels of undo and redo come out of this answer.
  useUndoState(useGraphName());
  return (
    <header className={styles.bar}>
      <div className={styles.start}>
        {app.host.kind === "browser" && <AppMenu />}
        <GraphPicker />
      </div>
      <button type="button" className={styles.search} onClick={() => runAction("palette", app)}>
        <Icon name="search" size={14} />
        <span className={styles.searchText}>{t.toolbar.search}</span>
        <kbd className={styles.kbd}>{shown("Mod+K")}</kbd>
      </button>
      <div className={styles.end}>
        <Tool id="undo" icon="undo" />
        <Tool id="redo" icon="redo" />
        <span className={styles.gap} />
        <Tool id="new_entity" icon="plus" />
        <Tool id="connect_agent" icon="plug" />
        <Tool id="agents" icon="agent" pressed={rightOpen && tab === "agents"} />
        <Tool id="activity" icon="activity" pressed={open && rightOpen && tab === "activity"} />
        <span className={styles.gap} />
        <Tool id="toggle_left" icon="left" pressed={open && leftOpen} />
        <Tool id="toggle_right" icon="right" pressed={open && rightOpen} />
      </div>
    </header>
  );
};

const Tool: FC<{ id: ActionId; icon: IconName; pressed?: boolean }> = ({ id, icon, pressed }) => {
  const app = useApp();
  const action = actionById(id);
  if (action === undefined) return null;
  const key = keyOf(action, app);
  const label = labelOf(action, app).replace(/…$/, "");
  return <IconButton icon={icon} label={key === undefined ? label : `${label} (${key})`} pressed={pressed} disabled={!isEnabled(action, app)} onClick={() => runAction(id, app)} />;
};
