import type { FC } from "react";
import { PlainText } from "../../components/PlainText";
import { t } from "../../strings";
import { Section } from "./Section";
import styles from "./DetailPanel.module.css";

export const AliasesSection: FC<{ aliases: readonly string[] }> = ({ aliases }) => (
  <Section title={t.detail.aliases}>
    <ul className={styles.aliases}>
      {aliases.map((alias) => <li key={alias} className={styles.alias} data-selectable><PlainText text={alias} /></li>)}
    </ul>
  </Section>
);
