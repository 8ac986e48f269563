import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Icon } from "../../components/Icon";
import { PlainText } from "../../components/PlainText";
import { useGraphName, useGraphs } from "../../data/queries";
import { visibleText } from "../../graph/text/visibleText";
import type { AgentSession } from "../../ipc/parts";
import { t } from "../../strings";
import { exactTime } from "../../time";
import styles from "./Agents.module.css";

/** One client of an agent: what it is, where it works, how busy it is. */
export const SessionRow: FC<{ session: AgentSession }> = ({ session }) => {
  const { client, transport, reads, writes, reads_minute: readsNow, writes_minute: writesNow, connected_at: since } = session;
  return (
    <li className={styles.session}>
      <p className={styles.line}>
        {client === "" ? <span>{t.agents.someClient}</span> : <PlainText text={client} className={styles.ellipsis} title />}
        <span className={styles.aside}>{t.agents.transport(transport)}</span>
      </p>
      <p className={styles.line}>
        <SessionGraph session={session} />
        <span className={styles.aside} title={t.agents.soFar(reads, writes, exactTime(since))}>{t.agents.pace(readsNow, writesNow)}</span>
      </p>
    </li>
  );
};

/** The graph it works in, with the way there if that leads anywhere. */
const SessionGraph: FC<{ session: AgentSession }> = ({ session: { graph, is_here: isHere } }) => {
  const { session } = useApp();
  const open = useGraphName();
  const graphs = useGraphs().data?.graphs;
  if (!isHere) return <span className={styles.ellipsis}><PlainText text={graph} /> {t.agents.elsewhere}</span>;
  const name = <><Icon name="library" size={14} /> <PlainText text={graph} className={styles.ellipsis} title /></>;
  const canOpen = graph !== open && graphs?.some((each) => each.name === graph && each.problem === undefined) === true;
  if (!canOpen) return <span className={styles.graph}>{name}</span>;
  return <button type="button" className={`${styles.graph} ${styles.link}`} aria-label={t.agents.toGraph(visibleText(graph))} onClick={() => void session.open(graph)}>{name}</button>;
};
