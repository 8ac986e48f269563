import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import type { HistoryEntry } from "../../ipc/generated/wire";
import { t, told } from "../../strings";
import { exactTime } from "../../time";
import { EntityChip } from "../entity/EntityChip";
import styles from "./Activity.module.css";

export const EntryRow: FC<{ entry: HistoryEntry }> = ({ entry }) => {
  const { scene, edits } = useApp();
  const { subjects, subject_ids: ids } = entry;
  return (
    <li className={`${styles.entry} ${entry.undone ? styles.undone : ""}`} title={exactTime(entry.by.time)}>
      <div className={styles.entryText}>
        <span className={styles.verb}>{told(entry.operation, entry.changes, subjects.length)}</span>
        {subjects.map((name, at) => {
          const id = ids[at];
          const node = id === undefined ? undefined : scene.nodes.get(id);
          return <EntityChip key={`${id} ${at}`} name={name} type={node?.type} onClick={node === undefined ? undefined : () => scene.reveal(id!)} />;
        })}
        {entry.changes > subjects.length && <span className={styles.quiet}>{t.activity.changes(entry.changes)}</span>}
      </div>
      {entry.undone ? (
        <span className={styles.quiet}>{t.activity.undone}</span>
      ) : (
        <Button variant="quiet" className={styles.revert} icon="undo" onClick={() => void edits.takeBack({ verb: "revert", transaction: entry.transaction })}>{t.activity.revert}</Button>
      )}
    </li>
  );
};
