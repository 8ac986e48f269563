import type { FC } from "react";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { visibleText } from "../../graph/text/visibleText";
import { useNow } from "../../hooks/useNow";
import type { HistoryEntry } from "../../ipc/generated/wire";
import { actorName, t } from "../../strings";
import { ago, exactTime } from "../../time";
import { EntryRow } from "./EntryRow";
import { groupEntries } from "./groupEntries";
import styles from "./Activity.module.css";

type Props = { entries: readonly HistoryEntry[]; /** There are older ones. */ more: boolean; busy: boolean; onMore: () => void };

/** Changes as pieces of work, each by somebody; each change can be taken back. */
export const WorkList: FC<Props> = ({ entries, more, busy, onMore }) => {
  const now = useNow();
  return (
    <>
      {groupEntries(entries).map(({ key, by, entries: work }) => (
        <section key={key} className={styles.work} aria-label={actorName(by.actor, by.is_agent)}>
          <header className={styles.workHead}>
            <span className={`${styles.avatar} ${by.is_agent ? styles.agent : ""}`}><Icon name={by.is_agent ? "agent" : "person"} size={14} /></span>
            <b className={styles.who}>{visibleText(actorName(by.actor, by.is_agent))}</b>
            {work.length > 1 && <span className={styles.quiet}>{t.activity.changes(work.length)}</span>}
            <span className={styles.when} title={exactTime(by.time)}>{ago(by.time, now)}</span>
          </header>
          <ol className={styles.entries}>{work.map((entry) => <EntryRow key={entry.transaction} entry={entry} />)}</ol>
        </section>
      ))}
      {more && <Button variant="quiet" disabled={busy} onClick={onMore}>{t.activity.more}</Button>}
    </>
  );
};
