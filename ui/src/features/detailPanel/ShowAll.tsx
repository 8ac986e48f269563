import type { FC } from "react";
import { MANY } from "../../data/queries";
import { t } from "../../strings";
import styles from "./DetailPanel.module.css";

/** What the host tells of one entity at most. */
const MOST = 20_000;

type Props = { shown: number; count: number; more: () => void };

/** What is not shown is said, with the way to it. */
export const ShowAll: FC<Props> = ({ shown, count, more }) => {
  if (shown >= count) return null;
  if (shown >= MOST) return <p className={styles.quiet}>{t.detail.showFirst(shown, count)}</p>;
  const left = count - shown;
  return <button type="button" className={styles.showAll} onClick={more}>{left <= MANY ? t.detail.showAll(count) : t.detail.showSome(MANY, left)}</button>;
};
