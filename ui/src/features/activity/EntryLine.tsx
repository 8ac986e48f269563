import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { PlainText } from "../../components/PlainText";
import { visibleText } from "../../graph/text/visibleText";
import { useNow } from "../../hooks/useNow";
import type { HistoryEntry } from "../../ipc/generated/wire";
import { actorName, t, told } from "../../strings";
import { ago, exactTime } from "../../time";
import styles from "./Activity.module.css";

/** "claude-code added Ada Lovelace, Acme · 3 min ago": one change as a sentence. */
export const EntryLine: FC<{ entry: HistoryEntry }> = ({ entry }) => {
  const { scene } = useApp();
  const now = useNow();
  const first = entry.subject_ids[0];
  const known = first !== undefined && scene.nodes.get(first) !== undefined;
  return (
    <div className={styles.line}>
      <p className={styles.sentence}>
        <b className={styles.who}>{visibleText(actorName(entry.by.actor, entry.by.is_agent))}</b> {told(entry.operation, entry.changes, entry.subjects.length)}{" "}
        {entry.subjects[0] !== undefined && (
          <button type="button" className={styles.subject} disabled={!known} onClick={() => known && scene.reveal(first)}>
            <PlainText text={entry.subjects[0]} />
          </button>
        )}
        {entry.subjects.length === 2 && entry.changes <= 2 ? <> {t.activity.and} <PlainText text={entry.subjects[1]!} /></> : entry.subjects.length > 1 && <> {t.activity.andMore}</>}
      </p>
      <span className={styles.when} title={exactTime(entry.by.time)}>{ago(entry.by.time, now)}</span>
    </div>
  );
};
