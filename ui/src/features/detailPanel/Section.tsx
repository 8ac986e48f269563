import type { FC, ReactNode } from "react";
import { IconButton } from "../../components/Button";
import { number } from "../../strings";
import styles from "./DetailPanel.module.css";

type Props = { title: string; count?: number; addLabel?: string; onAdd?: () => void; children: ReactNode };

export const Section: FC<Props> = ({ title, count, addLabel, onAdd, children }) => (
  <section className={styles.section} aria-label={title}>
    <header className={styles.sectionHead}>
      <h3 className={styles.sectionTitle}>
        {title}
        {count !== undefined && count > 0 && <span className={styles.count}>{number(count)}</span>}
      </h3>
      {onAdd !== undefined && addLabel !== undefined && <IconButton icon="plus" small label={addLabel} onClick={onAdd} />}
    </header>
    {children}
  </section>
);
