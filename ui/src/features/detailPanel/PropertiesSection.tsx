import { useState, type FC, type ReactNode } from "react";
import { t } from "../../strings";
import { NewProperty } from "./NewProperty";
import { Section } from "./Section";
import styles from "./DetailPanel.module.css";

type Properties = Record<string, unknown>;
type Props = { properties: Properties; row: (name: string) => ReactNode; write: (properties: Properties) => Promise<unknown> };

/** What an entity or a relationship carries by key. */
export const PropertiesSection: FC<Props> = ({ properties, row, write }) => {
  const [adding, setAdding] = useState(false);
  const names = Object.keys(properties);
  return (
    <Section title={t.detail.properties} count={names.length} addLabel={t.detail.addProperty} onAdd={() => setAdding(true)}>
      {adding && <NewProperty taken={properties} write={write} onDone={() => setAdding(false)} />}
      {names.length > 0 && <dl className={styles.properties}>{names.map(row)}</dl>}
      {names.length === 0 && !adding && <button type="button" className={styles.addLine} onClick={() => setAdding(true)}>{t.detail.addProperty}</button>}
    </Section>
  );
};
