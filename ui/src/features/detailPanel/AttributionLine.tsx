import type { FC } from "react";
import { Icon } from "../../components/Icon";
import { visibleText } from "../../graph/text/visibleText";
import { useNow } from "../../hooks/useNow";
import type { Attribution } from "../../ipc/generated/wire";
import { actorName, t } from "../../strings";
import { ago, exactTime } from "../../time";
import styles from "./DetailPanel.module.css";

/** Who changed it last, and when. */
export const AttributionLine: FC<{ change: Attribution | undefined; createdAt: number }> = ({ change, createdAt }) => {
  const now = useNow();
  if (change === undefined) return <p className={styles.attribution} title={exactTime(createdAt)}>{t.detail.created(ago(createdAt, now))}</p>;
  const who = visibleText(actorName(change.actor, change.is_agent));
  const client = change.client === "" ? "" : ` · ${visibleText(change.client)}`;
  return (
    <p className={styles.attribution} title={`${exactTime(change.time)}${client}`}>
      <Icon name={change.is_agent ? "agent" : "person"} size={14} />
      <span>{t.detail.changedBy(who, ago(change.time, now))}</span>
    </p>
  );
};
