import { useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { PlainText } from "../../components/PlainText";
import { useAgents } from "../../data/queries";
import { useNow } from "../../hooks/useNow";
import { visibleText } from "../../graph/text/visibleText";
import { t } from "../../strings";
import { exactTime } from "../../time";
import { revokeAgent } from "../agents/agentActs";
import { presenceLine } from "../agents/presence";
import styles from "./Connect.module.css";

export const AgentList: FC = () => {
  const app = useApp();
  const agents = useAgents().data?.agents;
  const now = useNow();
  const [asking, setAsking] = useState<string | null>(null);
  if (agents === undefined) return null;
  const revoke = (name: string) => {
    setAsking(null);
    void revokeAgent(app, name);
  };
  return (
    <section className={styles.agents} aria-label={t.connect.agents}>
      <h3>{t.connect.agents}</h3>
      {agents.length === 0 && <p className={styles.text}>{t.connect.none}</p>}
      <ul>
        {agents.map((agent) => (
          <li key={agent.name} className={styles.agent}>
            <span className={styles.avatar}><Icon name="agent" size={14} /></span>
            {asking === agent.name ? (
              <>
                <span className={styles.ask} role="alert">{t.connect.revokeConfirm(visibleText(agent.name))}</span>
                <Button variant="quiet" onClick={() => setAsking(null)}>{t.app.cancel}</Button>
                <Button variant="danger" autoFocus onClick={() => revoke(agent.name)}>{t.connect.revoke}</Button>
              </>
            ) : (
              <>
                <PlainText text={agent.name} className={styles.agentName} />
                <span className={styles.seen} title={agent.last_seen === undefined ? undefined : exactTime(agent.last_seen)}>{presenceLine(agent, now)}</span>
                {agent.has_token && <Button variant="quiet" onClick={() => setAsking(agent.name)}>{t.connect.revoke}</Button>}
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};
