import type { FC } from "react";
import { Icon } from "../../components/Icon";
import { useLastRecall } from "../../data/queries";
import { visibleText } from "../../graph/text/visibleText";
import { useNow } from "../../hooks/useNow";
import { asked, t } from "../../strings";
import { ago, exactTime } from "../../time";
import styles from "./DetailPanel.module.css";

/** Which agent was told of it last; nothing if none was, or if nobody knows. */
export const RecalledLine: FC<{ graph: string; id: string }> = ({ graph, id }) => {
  const recall = useLastRecall(graph, id).data ?? null;
  const now = useNow();
  if (recall === null) return null;
  return (
    <p className={styles.attribution} title={t.questions.full(exactTime(recall.time), visibleText(`${asked(recall.tool)} ${recall.query}`))}>
      <Icon name="search" size={14} />
      <span>{t.questions.recalledBy(visibleText(recall.agent), ago(recall.time, now))}</span>
    </p>
  );
};
