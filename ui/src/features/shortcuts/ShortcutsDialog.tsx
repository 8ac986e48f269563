import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { ACTIONS, keysOf } from "../../actions/actions";
import { shown } from "../../actions/shortcuts";
import { Dialog } from "../../components/Dialog";
import { t } from "../../strings";
import styles from "./Shortcuts.module.css";

/** Every key there is, from the list of actions itself. */
export const ShortcutsDialog: FC<{ onClose: () => void }> = ({ onClose }) => {
  const app = useApp();
  const general = ACTIONS.filter((action) => keysOf(action, app).length > 0 && !(action.id === "open_library" && app.host.kind === "browser")).map((action): [string, string] => [
    keysOf(action, app).filter((key) => key !== "Backspace").map((key) => shown(key)).join("  "),
    t.actions[action.id].replace(/…$/, ""),
  ]);
  return (
    <Dialog title={t.shortcuts.title} width={720} onClose={onClose}>
      <div className={styles.columns}>
        <Keys title={t.shortcuts.general} rows={general} />
        <div className={styles.column}>
          <Keys title={t.shortcuts.canvas} rows={t.canvasKeys} />
          <Keys title={t.shortcuts.list} rows={t.listKeys} />
          <Keys title={t.shortcuts.mouse} rows={t.gestures} />
        </div>
      </div>
    </Dialog>
  );
};

const Keys: FC<{ title: string; rows: readonly (readonly [string, string])[] }> = ({ title, rows }) => (
  <section>
    <h3 className={styles.heading}>{title}</h3>
    <dl className={styles.keys}>
      {rows.map(([keys, what]) => (
        <div key={what + keys} className={styles.row}>
          <dt>{what}</dt>
          <dd>{keys.split("  ").map((key) => <kbd key={key} className={styles.kbd}>{key}</kbd>)}</dd>
        </div>
      ))}
    </dl>
  </section>
);
