import type { FC } from "react";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { visibleText } from "../../graph/text/visibleText";
import { useHistory } from "../../data/queries";
import { useNow } from "../../hooks/useNow";
import { actorName, t } from "../../strings";
import { ago, exactTime } from "../../time";
import { EntryRow } from "./EntryRow";
import { groupEntries } from "./groupEntries";
import styles from "./Activity.module.css";

type Props = { graph: string };

/** Everything that was written, newest first, by whom; each can be taken back. */
export const ActivityPanel: FC<Props> = ({ graph }) => {
  const history = useHistory(graph);
  const now = useNow();
  if (history.error !== null) return <p className={styles.message} role="alert">{t.activity.failed}: {history.error.message}</p>;
  if (history.data === undefined) return <p className={styles.message}>{t.detail.loading}</p>;
  const entries = history.data.pages.flatMap((page) => page.entries);
  if (entries.length === 0) {
    return (
      <div className={styles.message}>
        <p className={styles.emptyTitle}>{t.activity.none}</p>
        <p>{t.activity.noneText}</p>
      </div>
    );
  }
  return (
    <div className={styles.panel}>
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
      {history.hasNextPage && <Button variant="quiet" disabled={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>{t.activity.more}</Button>}
    </div>
  );
};
