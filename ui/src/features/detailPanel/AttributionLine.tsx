import type { FC } from "react";
import { Icon } from "../../components/Icon";
import { visibleText } from "../../graph/text/visibleText";
import { useNow } from "../../hooks/useNow";
import type { EntityDetail } from "../../ipc/generated/wire";
import { actorName, t } from "../../strings";
import { ago, exactTime } from "../../time";
import styles from "./DetailPanel.module.css";

/** Who changed it last, and when. */
export const AttributionLine: FC<{ detail: EntityDetail }> = ({ detail }) => {
  const now = useNow();
  const { last_change: change, entity } = detail;
  if (change === undefined) return <p className={styles.attribution} title={exactTime(entity.created_at)}>{t.detail.created(ago(entity.created_at, now))}</p>;
  const who = visibleText(actorName(change.actor, change.is_agent));
  const client = change.client === "" ? "" : ` · ${visibleText(change.client)}`;
  return (
    <p className={styles.attribution} title={`${exactTime(change.time)}${client}`}>
      <Icon name={change.is_agent ? "agent" : "person"} size={14} />
      <span>{t.detail.changedBy(who, ago(change.time, now))}</span>
    </p>
  );
};
