import { useState, type FC } from "react";
import type { EntityDetail, Relation } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { RelationEdit } from "./RelationEdit";
import { RelationNew } from "./RelationNew";
import { RelationRow } from "./RelationRow";
import { Section } from "./Section";
import { ShowAll } from "./ShowAll";
import styles from "./DetailPanel.module.css";

type Props = { graph: string; detail: EntityDetail; more: () => void };

export const RelationsSection: FC<Props> = ({ graph, detail, more }) => {
  const [adding, setAdding] = useState(false);
  /** As it was when editing began: the form outlives a relation that is deleted meanwhile. */
  const [edited, setEdited] = useState<Relation | null>(null);
  const { relations, relation_count: count, entity } = detail;
  const gone = edited !== null && !relations.some(({ id }) => id === edited.id);
  const form = edited !== null && (
    <RelationEdit graph={graph} entity={entity.id} relation={edited} current={relations.find(({ id }) => id === edited.id)} onDone={() => setEdited(null)} />
  );
  return (
    <Section title={t.detail.relations} count={count} addLabel={t.detail.addRelation} onAdd={() => setAdding(true)}>
      {adding && <RelationNew graph={graph} entity={entity.id} onDone={() => setAdding(false)} />}
      {count === 0 && !adding && <button type="button" className={styles.addLine} onClick={() => setAdding(true)}>{t.detail.addRelation}</button>}
      {gone && form}
      <ul className={styles.relations}>
        {relations.map((relation) => (
          <li key={relation.id}>{relation.id === edited?.id ? form : <RelationRow relation={relation} onEdit={() => setEdited(relation)} />}</li>
        ))}
      </ul>
      <ShowAll shown={relations.length} count={count} more={more} />
    </Section>
  );
};
