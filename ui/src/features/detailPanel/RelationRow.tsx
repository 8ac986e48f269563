import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { IconButton } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { PlainText } from "../../components/PlainText";
import type { Relation } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { TypeMark } from "../entity/TypeMark";
import styles from "./DetailPanel.module.css";

type Props = { relation: Relation; onEdit: () => void };

export const RelationRow: FC<Props> = ({ relation, onEdit }) => {
  const { scene, edits } = useApp();
  const outgoing = relation.direction === "outgoing";
  return (
    <div className={styles.relation}>
      <span className={styles.direction} title={outgoing ? t.detail.outgoing : t.detail.incoming}><Icon name={outgoing ? "out" : "in"} size={14} /></span>
      <button type="button" className={styles.relationType} onClick={() => scene.revealRelationship(relation.id)}>
        <PlainText text={relation.relationship_type} title />
      </button>
      <button type="button" className={styles.other} onClick={() => scene.reveal(relation.other_id)}>
        <TypeMark type={relation.other_type} size={8} />
        <PlainText text={relation.other_name} className={styles.ellipsis} title />
      </button>
      {relation.weight < 1 && <span className={styles.weight} title={t.detail.weightText(relation.weight)}>{relation.weight.toFixed(2).replace(/0$/, "")}</span>}
      <span className={styles.tools}>
        <IconButton icon="edit" small label={t.detail.edit} onClick={onEdit} />
        <IconButton icon="trash" small label={t.detail.remove} onClick={() => void edits.deleteRelationships([relation.id])} />
      </span>
    </div>
  );
};
