import { useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { Combobox } from "../../components/Combobox";
import { Dialog } from "../../components/Dialog";
import { Field, TextInput } from "../../components/Field";
import fieldStyles from "../../components/Field.module.css";
import { useGraphName, useOverview } from "../../data/queries";
import { useSubmit } from "../../hooks/useSubmit";
import { t } from "../../strings";
import styles from "./NewEntity.module.css";

const FORM = "new-entity";

type Props = { at?: [number, number]; onClose: () => void };

export const NewEntityDialog: FC<Props> = ({ at, onClose }) => {
  const { edits } = useApp();
  const types = useOverview(useGraphName()).data?.entity_types ?? [];
  const [name, setName] = useState("");
  const [type, setType] = useState("");
  const [description, setDescription] = useState("");
  const { submit, busy, error } = useSubmit(async () => {
    const chosen = type.trim() === "" ? t.entity.defaultType : type;
    await edits.addEntity({ name, entity_type: chosen, description, observations: [], at });
    onClose();
  });
  return (
    <Dialog
      title={t.entity.title}
      width={420}
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>{t.app.cancel}</Button>
          <Button variant="primary" type="submit" form={FORM} disabled={busy || name.trim() === ""}>{t.entity.create}</Button>
        </>
      }
    >
      <form
        id={FORM}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label={t.entity.name} error={error}>
          {({ id, describedBy, invalid }) => <TextInput id={id} aria-describedby={describedBy} invalid={invalid} value={name} onText={setName} data-autofocus />}
        </Field>
        <Field label={t.entity.type}>
          {({ id }) => <Combobox id={id} className={fieldStyles.input} value={type} onText={setType} onPick={setType} options={types.map(({ name: each }) => ({ key: each, label: each }))} placeholder={t.entity.defaultType} />}
        </Field>
        <Field label={t.entity.description}>
          {({ id }) => <textarea id={id} dir="auto" rows={3} className={`${fieldStyles.input} ${styles.area}`} value={description} onChange={(event) => setDescription(event.target.value)} />}
        </Field>
      </form>
    </Dialog>
  );
};
