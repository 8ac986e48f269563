import type { FC } from "react";
import { CopyField } from "../../components/CopyField";
import { t } from "../../strings";
import styles from "./Agents.module.css";

/** An agent that came and says nothing: the words that make it write once. */
export const FirstWrite: FC = () => (
  <div className={styles.first}>
    <p className={styles.quiet}>{t.agents.silent}</p>
    <CopyField label={t.agents.prompt} text={t.agents.promptText} wrap />
  </div>
);
