import type { FC } from "react";
import { t } from "../../strings";
import { Picture } from "./Picture";
import styles from "./ExpiredPage.module.css";

/** A page without a session: what it needs, and the one command that gives it. */
export const ExpiredPage: FC = () => (
  <main className={styles.page}>
    <Picture />
    <h1>{t.expired.title}</h1>
    <p>{t.expired.text}</p>
    <p>{t.expired.how}</p>
    <code data-selectable>{t.expired.command}</code>
  </main>
);
