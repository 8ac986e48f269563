import type { FC, ReactNode } from "react";
import { IconButton } from "../../components/Button";
import { Combobox } from "../../components/Combobox";
import { FieldError, TextInput, type Problem } from "../../components/Field";
import fieldStyles from "../../components/Field.module.css";
import { useOverview } from "../../data/queries";
import { t } from "../../strings";
import styles from "./DetailPanel.module.css";

type Props = {
  graph: string;
  outgoing: boolean;
  onFlip: () => void;
  type: string;
  onType: (type: string) => void;
  weight: string;
  onWeight: (weight: string) => void;
  target: ReactNode;
  error: Problem | null;
  buttons: ReactNode;
  note?: string;
  onSubmit: () => void;
  onCancel: () => void;
};

/** The fields a relation has, whether it is new or edited. */
export const RelationFields: FC<Props> = (props) => {
  const types = useOverview(props.graph).data?.relationship_types ?? [];
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        props.onCancel();
      }}
    >
      <div className={styles.formRow}>
        <IconButton icon={props.outgoing ? "out" : "in"} label={`${t.detail.flip} (${props.outgoing ? t.detail.outgoing : t.detail.incoming})`} onClick={props.onFlip} />
        <div className={styles.grow}>
          <Combobox className={fieldStyles.input} value={props.type} onText={props.onType} options={types.map(({ name }) => ({ key: name, label: name }))} onPick={props.onType} placeholder={t.detail.relationType} aria-label={t.detail.relationType} autoFocus />
        </div>
        <TextInput className={styles.weightInput} value={props.weight} onText={props.onWeight} inputMode="decimal" aria-label={t.detail.weight} title={t.detail.weight} />
      </div>
      {props.target}
      {props.note !== undefined && <p className={styles.meanwhile}>{props.note}</p>}
      {props.error !== null && <FieldError error={props.error} />}
      <div className={styles.formButtons}>{props.buttons}</div>
    </form>
  );
};
