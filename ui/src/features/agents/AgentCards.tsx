import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { runAction } from "../../actions/actions";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { useAgents } from "../../data/queries";
import { t } from "../../strings";
import { AgentCard } from "./AgentCard";
import styles from "./Agents.module.css";

export const AgentCards: FC = () => {
  const app = useApp();
  const { data: list, error } = useAgents();
  if (list === undefined) return <p className={styles.message} role={error === null ? undefined : "alert"}>{error === null ? t.detail.loading : `${t.agents.failed}: ${error.message}`}</p>;
  const { agents, all_paused: allPaused } = list;
  const none = agents.length === 0;
  return (
    <>
      {allPaused && <p className={styles.note} role="status"><Icon name="warn" size={14} /> {t.agents.allPaused}</p>}
      {none && (
        <div className={styles.message}>
          <p className={styles.emptyTitle}>{t.agents.none}</p>
          <p>{t.agents.noneText}</p>
        </div>
      )}
      <ul className={styles.cards}>{agents.map((agent) => <AgentCard key={agent.name} agent={agent} allPaused={allPaused} />)}</ul>
      <div className={none ? styles.middle : styles.foot}>
        <Button icon="plug" variant={none ? "primary" : "plain"} onClick={() => runAction("connect_agent", app)}>{t.agents.connect}</Button>
      </div>
    </>
  );
};
