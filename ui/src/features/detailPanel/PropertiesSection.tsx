import { useState, type FC } from "react";
import type { Entity } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { NewProperty } from "./NewProperty";
import { PropertyRow } from "./PropertyRow";
import { Section } from "./Section";
import styles from "./DetailPanel.module.css";

type Props = { graph: string; entity: Entity };

export const PropertiesSection: FC<Props> = ({ graph, entity }) => {
  const [adding, setAdding] = useState(false);
  const names = Object.keys(entity.properties);
  return (
    <Section title={t.detail.properties} count={names.length} addLabel={t.detail.addProperty} onAdd={() => setAdding(true)}>
      {adding && <NewProperty entity={entity} onDone={() => setAdding(false)} />}
      {names.length > 0 && (
        <dl className={styles.properties}>
          {names.map((name) => <PropertyRow key={name} graph={graph} entity={entity} name={name} />)}
        </dl>
      )}
      {names.length === 0 && !adding && <button type="button" className={styles.addLine} onClick={() => setAdding(true)}>{t.detail.addProperty}</button>}
    </Section>
  );
};
