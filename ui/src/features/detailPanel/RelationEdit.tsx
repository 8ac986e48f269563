import { useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import type { Problem } from "../../components/Field";
import { visibleText } from "../../graph/text/visibleText";
import type { Relation } from "../../ipc/generated/wire";
import { toIpcError } from "../../ipc/ipcError";
import { t } from "../../strings";
import { EntityChip } from "../entity/EntityChip";
import { parseWeight, weightText } from "./relationForm";
import { RelationFields } from "./RelationFields";
import styles from "./DetailPanel.module.css";

/** `relation` as it was when editing began; `current` as it is now, or gone. */
type Props = { graph: string; entity: string; relation: Relation; current: Relation | undefined; onDone: () => void };

export const RelationEdit: FC<Props> = ({ graph, entity, relation, current, onDone }) => {
  const { edits } = useApp();
  const [type, setType] = useState(relation.relationship_type);
  const [weight, setWeight] = useState(weightText(relation.weight));
  const [outgoing, setOutgoing] = useState(relation.direction === "outgoing");
  const [error, setError] = useState<Problem | null>(null);
  const flipped = outgoing !== (relation.direction === "outgoing");
  const changedTo = current !== undefined && (current.relationship_type !== relation.relationship_type || current.weight !== relation.weight) ? `${current.relationship_type}, ${weightText(current.weight)}` : undefined;

  const save = async () => {
    const number = parseWeight(weight);
    if (number === undefined) return setError({ message: t.detail.weightRange });
    try {
      if (flipped && current !== undefined) {
        await edits.reverse(current.id, {
          relationship_type: type === relation.relationship_type ? undefined : type,
          weight: number === relation.weight ? undefined : number,
        });
      } else if (current === undefined) {
        // Deleted meanwhile: it is made again, with what it had.
        const [source_id, target_id] = outgoing ? [entity, relation.other_id] : [relation.other_id, entity];
        const { id } = await edits.write("add_relationship", { source_id, target_id, relationship_type: type, weight: number });
        if (id !== undefined && Object.keys(relation.properties).length > 0) await edits.write("update_relationship", { id, properties: relation.properties });
      } else {
        // Only what the person changed: an agent's change of the other field stays.
        await edits.write("update_relationship", {
          id: relation.id,
          relationship_type: type === relation.relationship_type ? undefined : type,
          weight: number === relation.weight ? undefined : number,
        });
      }
      onDone();
    } catch (thrown) {
      setError(toIpcError(thrown));
    }
  };
  return (
    <RelationFields
      graph={graph}
      outgoing={outgoing}
      onFlip={() => setOutgoing(!outgoing)}
      type={type}
      onType={setType}
      weight={weight}
      onWeight={setWeight}
      target={<div className={styles.fixedTarget}><EntityChip name={relation.other_name} type={relation.other_type} /></div>}
      note={current === undefined ? t.conflict.noteGone : changedTo !== undefined ? t.conflict.noteNow(visibleText(changedTo)) : undefined}
      error={error}
      onSubmit={() => void save()}
      onCancel={onDone}
      buttons={
        <>
          <Button variant="quiet" onClick={onDone}>{t.app.cancel}</Button>
          <Button variant="primary" type="submit">{t.app.save}</Button>
        </>
      }
    />
  );
};
