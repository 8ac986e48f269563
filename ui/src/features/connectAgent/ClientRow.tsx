import type { FC } from "react";
import { Icon } from "../../components/Icon";
import { PlainText } from "../../components/PlainText";
import { useNow } from "../../hooks/useNow";
import type { Agent } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { isAtWork, presenceLine } from "../agents/presence";
import styles from "./Clients.module.css";

type Props = {
  name: string;
  detail: string;
  isPath?: boolean;
  isFound?: boolean;
  /** The agent of this name: who works already needs no look. */
  agent?: Agent;
  cameFrom: boolean;
  onPick: () => void;
};

export const ClientRow: FC<Props> = ({ name, detail, isPath = false, isFound = false, agent, cameFrom, onPick }) => {
  const now = useNow();
  const was = agent !== undefined && agent.last_seen !== undefined;
  return (
    <li>
      <button type="button" className={styles.row} data-autofocus={cameFrom || undefined} onClick={onPick}>
        <span className={styles.names}>
          <PlainText text={name} className={styles.name} />
          <PlainText text={detail} className={isPath ? styles.path : styles.detail} title />
        </span>
        {was && <span className={styles.mark} data-working={isAtWork(agent, now) || undefined}>{presenceLine(agent, now)}</span>}
        {!was && isFound && <span className={styles.mark}><Icon name="check" size={12} /> {t.clients.found}</span>}
        <Icon name="chevronRight" size={14} />
      </button>
    </li>
  );
};
