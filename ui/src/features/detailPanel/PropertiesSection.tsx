import { useState, type FC, type ReactNode } from "react";
import { useApp } from "../../app/AppContext";
import { draftsOf } from "../../state/drafts/drafts";
import { useStore } from "../../state/createStore";
import { t } from "../../strings";
import { NEW_PROPERTY, NewProperty } from "./NewProperty";
import { PROPERTY } from "./PropertyRow";
import { Section } from "./Section";
import styles from "./DetailPanel.module.css";

type Properties = Record<string, unknown>;
/** `id`: of what holds them. */
type Props = { graph: string; id: string; properties: Properties; row: (name: string) => ReactNode; write: (properties: Properties) => Promise<unknown> };

/** What an entity or a relationship carries by key. */
export const PropertiesSection: FC<Props> = ({ graph, id, properties, row, write }) => {
  const [adding, setAdding] = useState(false);
  const drafts = useStore(useApp().stores.drafts, (all) => all);
  // One that is being written about stays, even if an agent has just deleted it.
  const written = draftsOf(drafts, graph, id).flatMap(([field]) => (field.startsWith(PROPERTY) && !Object.hasOwn(properties, field.slice(PROPERTY.length)) ? [field.slice(PROPERTY.length)] : []));
  const isAdding = adding || draftsOf(drafts, graph, id).some(([field]) => NEW_PROPERTY.some((each) => each === field));
  const names = [...Object.keys(properties), ...written];
  return (
    <Section title={t.detail.properties} count={Object.keys(properties).length} addLabel={t.detail.addProperty} onAdd={() => setAdding(true)}>
      {isAdding && <NewProperty graph={graph} id={id} taken={properties} write={write} onDone={() => setAdding(false)} />}
      {names.length > 0 && <dl className={styles.properties}>{names.map(row)}</dl>}
      {names.length === 0 && !isAdding && <button type="button" className={styles.addLine} onClick={() => setAdding(true)}>{t.detail.addProperty}</button>}
    </Section>
  );
};
