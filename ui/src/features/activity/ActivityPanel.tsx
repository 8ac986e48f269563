import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { useHistory } from "../../data/queries";
import { useStore } from "../../state/createStore";
import { t } from "../../strings";
import { AgentActivity } from "./AgentActivity";
import { WorkList } from "./WorkList";
import styles from "./Activity.module.css";

type Props = { graph: string };

/** Everything that was written, newest first, by whom; or what one agent wrote. */
export const ActivityPanel: FC<Props> = ({ graph }) => {
  const agent = useStore(useApp().stores.agents, (view) => view.changesOf);
  return agent === null ? <AllActivity graph={graph} /> : <AgentActivity key={agent} graph={graph} agent={agent} />;
};

const AllActivity: FC<Props> = ({ graph }) => {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useHistory(graph);
  if (error !== null) return <p className={styles.message} role="alert">{t.activity.failed}: {error.message}</p>;
  if (data === undefined) return <p className={styles.message}>{t.detail.loading}</p>;
  const entries = data.pages.flatMap((page) => page.entries);
  if (entries.length === 0) {
    return (
      <div className={styles.message}>
        <p className={styles.emptyTitle}>{t.activity.none}</p>
        <p>{t.activity.noneText}</p>
      </div>
    );
  }
  return <div className={styles.panel}><WorkList entries={entries} more={hasNextPage} busy={isFetchingNextPage} onMore={() => void fetchNextPage()} /></div>;
};
