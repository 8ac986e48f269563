import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { PlainText } from "../../components/PlainText";
import { visibleText } from "../../graph/text/visibleText";
import { useNow } from "../../hooks/useNow";
import type { HistoryEntry } from "../../ipc/generated/wire";
import { actorName, t, told } from "../../strings";
import { ago, exactTime } from "../../time";
import styles from "./Activity.module.css";

/** "claude-code added Ada Lovelace and more · 3 min ago": one change as a sentence; click to go to what it is about. */
export const EntryLine: FC<{ entry: HistoryEntry }> = ({ entry }) => {
  const { scene } = useApp();
  const now = useNow();
  const [first, second] = entry.subjects;
  const id = entry.subject_ids.find((each) => scene.nodes.get(each) !== undefined);
  const exactlyTwo = entry.subjects.length === 2 && entry.changes <= 2;
  return (
    <button type="button" className={styles.line} disabled={id === undefined} onClick={() => id !== undefined && scene.reveal(id)}>
      <span className={styles.sentence}>
        <b className={styles.who}>{visibleText(actorName(entry.by.actor, entry.by.is_agent))}</b> {told(entry.operation, entry.changes, entry.subjects.length)}{" "}
        {first !== undefined && <PlainText text={first} className={styles.subject} />}
        {exactlyTwo && <> {t.activity.and} <PlainText text={second!} className={styles.subject} /></>}
        {entry.subjects.length > 1 && !exactlyTwo && <> {t.activity.andMore}</>}
      </span>
      <span className={styles.when} title={exactTime(entry.by.time)}>{ago(entry.by.time, now)}</span>
    </button>
  );
};
