import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { useAgents } from "../../data/queries";
import { useStore } from "../../state/createStore";
import type { AgentsView } from "../../state/agents/agentsView";
import { t } from "../../strings";
import { pauseAgent } from "./agentActs";
import { AgentCards } from "./AgentCards";
import { Questions } from "./Questions";
import styles from "./Agents.module.css";

const VIEWS: readonly { id: AgentsView["tab"]; label: string }[] = [
  { id: "list", label: t.agents.list },
  { id: "questions", label: t.agents.questions },
];

/** Who reads and writes here, what each may do, and what each was told. */
export const AgentsPanel: FC = () => {
  const app = useApp();
  const { stores } = app;
  const tab = useStore(stores.agents, (view) => view.tab);
  const of = useStore(stores.agents, (view) => view.questionsOf);
  const list = useAgents().data;
  const allPaused = list?.all_paused === true;
  return (
    <div className={styles.panel}>
      <div className={styles.top}>
        <div className={styles.views} role="radiogroup" aria-label={t.agents.view}>
          {VIEWS.map(({ id, label }) => (
            <button key={id} type="button" role="radio" aria-checked={tab === id} data-pane-entry={tab === id || undefined} className={styles.view} onClick={() => stores.agents.set((view) => ({ ...view, tab: id }))}>{label}</button>
          ))}
        </div>
        {list !== undefined && (allPaused || list.agents.length > 0) && (
          <Button icon={allPaused ? "play" : "pause"} variant={allPaused ? "primary" : "plain"} onClick={() => void pauseAgent(app, null, !allPaused)}>{allPaused ? t.agents.resumeAll : t.agents.pauseAll}</Button>
        )}
      </div>
      {tab === "list" ? <AgentCards /> : <Questions key={of} of={of} />}
    </div>
  );
};
