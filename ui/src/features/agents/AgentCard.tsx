import { useRef, useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { PlainText } from "../../components/PlainText";
import { useAppInfo, useGraphName } from "../../data/queries";
import { visibleText } from "../../graph/text/visibleText";
import { useNow } from "../../hooks/useNow";
import type { Agent, AgentRights } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { exactTime } from "../../time";
import { pauseAgent, showChanges, showQuestions } from "./agentActs";
import { AgentMenu } from "./AgentMenu";
import { FirstWrite } from "./FirstWrite";
import { isAtWork, isSilent, mayWrite, presenceLine } from "./presence";
import { RevokeConfirm } from "./RevokeConfirm";
import { RightsEditor } from "./RightsEditor";
import { rightsLine } from "./rightsForm";
import { SessionRow } from "./SessionRow";
import styles from "./Agents.module.css";

type Props = { agent: Agent; allPaused: boolean };

/** One agent: where it is, through which clients, what it may do; and what the person can do about it. */
const ALL_RIGHTS: AgentRights = { write: true, delete: true, delete_for_good: false, graphs: [] };

export const AgentCard: FC<Props> = ({ agent, allPaused }) => {
  const app = useApp();
  const graph = useGraphName();
  const now = useNow();
  const [open, setOpen] = useState<"rights" | "revoke" | null>(null);
  const { name, is_paused: paused, has_token: hasToken, last_seen: seen, sessions } = agent;
  const problem = useAppInfo().data?.listener_problem;
  // Whoever comes as a process of its own may do all until something is said of it.
  const rights = agent.rights ?? ALL_RIGHTS;
  const card = useRef<HTMLLIElement>(null);
  const close = () => {
    setOpen(null);
    // What had the focus goes with the box; the hands go on where it came from.
    requestAnimationFrame(() => card.current?.querySelector<HTMLElement>("[data-back]")?.focus());
  };
  return (
    <li ref={card} className={styles.card} aria-label={visibleText(name)}>
      <header className={styles.head}>
        <span className={styles.avatar} data-working={(isAtWork(agent, now) && !paused) || undefined}><Icon name="agent" size={14} /></span>
        <div className={styles.names}>
          <PlainText text={name} className={styles.name} title />
          <span className={paused ? styles.warn : styles.quiet} title={seen === undefined ? undefined : exactTime(seen)}>{presenceLine(agent, now)}</span>
        </div>
        {hasToken && <AgentMenu agent={name} onRights={() => setOpen("rights")} onRevoke={() => setOpen("revoke")} />}
      </header>
      {hasToken && problem !== undefined && <p role="status" className={styles.warn}>{t.agents.stale(visibleText(problem))}</p>}
      {sessions.length > 0 && (
        <ul className={styles.sessions} aria-label={t.agents.sessions}>
          {sessions.map((session) => <SessionRow key={`${session.client} ${session.transport} ${session.connected_at}`} session={session} />)}
        </ul>
      )}
      {open !== "rights" && (
        <button type="button" data-back className={styles.rightsLine} title={t.rights.title(visibleText(name))} onClick={() => setOpen("rights")}>
          <PlainText text={rightsLine(rights)} className={styles.rightsText} />
          <span className={styles.change}>{t.rights.change}</span>
        </button>
      )}
      {open === "rights" && <RightsEditor agent={name} rights={rights} onClose={close} />}
      {open === "revoke" && <RevokeConfirm agent={name} onClose={close} />}
      <div className={styles.buttons}>
        <Button icon={paused ? "play" : "pause"} disabled={allPaused} title={allPaused ? t.agents.pausedWithAll : undefined} onClick={() => void pauseAgent(app, name, !paused)}>{paused ? t.agents.resume : t.agents.pause}</Button>
        <Button variant="quiet" disabled={graph === null} onClick={() => showChanges(app, name)}>{t.agents.changes}</Button>
        <Button variant="quiet" onClick={() => showQuestions(app, name)}>{t.agents.questionsOf}</Button>
      </div>
      {isSilent(agent) && mayWrite(agent) && <FirstWrite />}
    </li>
  );
};
