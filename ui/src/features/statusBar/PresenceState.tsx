import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { runAction } from "../../actions/actions";
import { Icon } from "../../components/Icon";
import { useAgents } from "../../data/queries";
import { useNow } from "../../hooks/useNow";
import { t } from "../../strings";
import { presenceChip } from "../agents/presence";
import styles from "./StatusBar.module.css";

/** Who is at work, in two words; all about them is one click away. It is always there, so it asks for all who show them. */
export const PresenceState: FC = () => {
  const app = useApp();
  const list = useAgents(true).data;
  const now = useNow();
  const chip = list === undefined ? null : presenceChip(list, now);
  if (chip === null) return null;
  return (
    <button type="button" className={`${styles.listener} ${chip.warns ? styles.paused : ""}`} title={t.status.showAgents} onClick={() => runAction("agents", app)}>
      {chip.atWork ? <span className={styles.dot} /> : <Icon name={chip.warns ? "pause" : "agent"} size={14} />}
      {chip.text}
    </button>
  );
};
