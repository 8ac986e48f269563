import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { useChangesOf } from "../../data/queries";
import { visibleText } from "../../graph/text/visibleText";
import { showChangesOf } from "../../state/agents/agentsView";
import { t } from "../../strings";
import { Narrowed } from "../agents/Narrowed";
import { WorkList } from "./WorkList";
import styles from "./Activity.module.css";

type Props = { graph: string; agent: string };

/** The changes of one agent alone, for as long as the person wants that. */
export const AgentActivity: FC<Props> = ({ graph, agent }) => {
  const { stores } = useApp();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useChangesOf(graph, agent);
  const name = visibleText(agent);
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <div className={styles.panel}>
      <Narrowed text={t.activity.only(name)} out={t.activity.everybody} onOut={() => stores.agents.set((view) => showChangesOf(view, null))} />
      {entries === undefined && <p className={styles.message} role={error === null ? undefined : "alert"}>{error === null ? t.detail.loading : `${t.activity.failed}: ${error.message}`}</p>}
      {entries?.length === 0 && (
        <div className={styles.message}>
          <p className={styles.emptyTitle}>{hasNextPage ? t.activity.noneOfSoFar(name) : t.activity.noneOf(name)}</p>
          {!hasNextPage && <p>{t.activity.noneOfText}</p>}
        </div>
      )}
      {entries !== undefined && <WorkList entries={entries} more={hasNextPage} busy={isFetchingNextPage} onMore={() => void fetchNextPage()} />}
    </div>
  );
};
