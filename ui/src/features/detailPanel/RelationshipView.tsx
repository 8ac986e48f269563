import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button, IconButton } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { PlainText } from "../../components/PlainText";
import { visibleText } from "../../graph/text/visibleText";
import { useOverview, useRelationship } from "../../data/queries";
import { hasCode } from "../../ipc/ipcError";
import type { RelationshipDetail } from "../../ipc/generated/wire";
import { draftKey, draftsOf, dropDraft } from "../../state/drafts/drafts";
import { useStore } from "../../state/createStore";
import { t } from "../../strings";
import { EntityChip } from "../entity/EntityChip";
import { AttributionLine } from "./AttributionLine";
import { EditableField } from "./EditableField";
import { PropertiesSection } from "./PropertiesSection";
import { propertyField, PropertyRow } from "./PropertyRow";
import { parseWeight, weightText } from "./relationForm";
import { useRelationshipField } from "./useRelationshipField";
import styles from "./DetailPanel.module.css";

type Props = { graph: string; id: string };

/** One relationship, everything it has, editable where it stands. */
export const RelationshipView: FC<Props> = ({ graph, id }) => {
  const { data, error } = useRelationship(graph, id);
  if (hasCode(error, "not_found")) return <Gone graph={graph} id={id} />;
  if (data === undefined) return <div className={styles.panel}><p className={styles.quiet} role={error === null ? undefined : "alert"}>{error === null ? t.detail.loading : `${t.relation.failed}: ${error.message}`}</p></div>;
  return <Fields graph={graph} relationship={data} />;
};

const Fields: FC<{ graph: string; relationship: RelationshipDetail }> = ({ graph, relationship }) => {
  const { edits, scene, stores, toaster } = useApp();
  const { id, source, target, weight, properties } = relationship;
  const types = useOverview(graph).data?.relationship_types ?? [];
  const type = useRelationshipField(graph, relationship, { field: "type", joint: " / ", read: (r) => r.relationship_type, patch: (text) => ({ relationship_type: text }) });
  const strength = useRelationshipField(graph, relationship, {
    field: "weight",
    joint: null,
    read: (r) => weightText(r.weight),
    patch: (text) => ({ weight: parseWeight(text) }),
    refuse: (text) => (text.trim() === "" || parseWeight(text) === undefined ? t.detail.weightRange : undefined),
  });
  const turn = async () => {
    try {
      await edits.saved();
      const turned = await edits.reverse(id);
      stores.relationship.set((now) => (now === id ? turned : now));
    } catch (thrown) {
      if (hasCode(thrown, "already_exists")) toaster.say(t.relation.twin);
      else toaster.fail(thrown, t.relation.notTurned);
    }
  };
  return (
    <div className={styles.panel}>
      <header className={styles.head}>
        <div className={styles.titleRow}>
          <div className={styles.grow}>
            <EditableField edit={type} label={t.detail.type} suggestions={types.map(({ name }) => name)} inputClass={styles.nameInput} entry>
              <h2 className={styles.name}><PlainText text={relationship.relationship_type} /></h2>
            </EditableField>
          </div>
          <IconButton
            icon="more"
            label={t.app.more}
            onClick={(event) => {
              const box = event.currentTarget.getBoundingClientRect();
              stores.contextMenu.set(() => ({ id: null, relationship: id, x: box.right, y: box.bottom + 4, alignRight: true }));
            }}
          />
        </div>
        <div className={styles.ends}>
          <EntityChip name={source.name} type={source.entity_type} onClick={() => scene.reveal(source.id)} />
          <Icon name="out" size={14} />
          <EntityChip name={target.name} type={target.entity_type} onClick={() => scene.reveal(target.id)} />
        </div>
        <AttributionLine change={relationship.last_change} createdAt={relationship.created_at} />
      </header>
      <dl className={styles.properties}>
        <div className={styles.property}>
          <dt className={styles.key}>{t.detail.weight}</dt>
          <dd className={styles.value}><EditableField edit={strength} label={t.detail.weight}>{weightText(weight)}</EditableField></dd>
        </div>
      </dl>
      <PropertiesSection
        id={id}
        graph={graph}
        properties={properties}
        row={(name) => <Property key={name} graph={graph} relationship={relationship} name={name} />}
        write={(added) => edits.write("update_relationship", { id, properties: added })}
      />
      <div className={styles.actions}>
        {source.id !== target.id && <Button onClick={() => void turn()}>{t.detail.flip}</Button>}
        <Button variant="danger" icon="trash" onClick={() => void edits.deleteRelationships([id])}>{t.relation.remove}</Button>
      </div>
    </div>
  );
};

const Property: FC<{ graph: string; relationship: RelationshipDetail; name: string }> = ({ graph, relationship, name }) => {
  const { edits } = useApp();
  const edit = useRelationshipField(graph, relationship, propertyField(name));
  return <PropertyRow name={name} value={relationship.properties[name]} edit={edit} remove={() => void edits.deleteProperty("update_relationship", relationship.id, name)} />;
};

/** Deleted, here or elsewhere. What was being typed is not thrown away before the person says so. */
const Gone: FC<Props> = ({ graph, id }) => {
  const { stores } = useApp();
  const drafts = useStore(stores.drafts, (all) => all);
  const typed = draftsOf(drafts, graph, id);
  return (
    <div className={styles.panel}>
      <p className={styles.meanwhile} role="alert">{t.relation.gone}</p>
      {typed.length > 0 && (
        <>
          <p className={styles.quiet}>{t.detail.goneText}</p>
          {typed.map(([field, draft]) => (
            <div key={field} className={styles.rescued}>
              <span className={styles.quiet}>{visibleText(t.detail.field(field))}</span>
              <div data-selectable className={styles.longText}><PlainText text={draft.text} lines /></div>
            </div>
          ))}
          <div className={styles.formButtons}>
            <Button variant="quiet" onClick={() => typed.forEach(([field]) => stores.drafts.set((all) => dropDraft(all, draftKey(graph, id, field))))}>{t.detail.discard}</Button>
          </div>
        </>
      )}
    </div>
  );
};
