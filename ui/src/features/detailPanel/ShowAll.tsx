import type { FC } from "react";
import { t } from "../../strings";
import type { More } from "./Section";
import styles from "./DetailPanel.module.css";

type Props = { shown: number; count: number; more: More };

/** What is not shown is said, with the way to it. */
export const ShowAll: FC<Props> = ({ shown, count, more }) => {
  if (shown >= count) return null;
  if (more.all) return <p className={styles.quiet}>{t.detail.showFirst(shown, count)}</p>;
  return <button type="button" className={styles.showAll} onClick={more.showAll}>{t.detail.showAll(count)}</button>;
};
