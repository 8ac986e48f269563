import { useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { Field, TextInput } from "../../components/Field";
import { useSubmit } from "../../hooks/useSubmit";
import { t } from "../../strings";

const FORM = "new-graph";

export const NewGraphDialog: FC<{ onClose: () => void }> = ({ onClose }) => {
  const { host, session } = useApp();
  const [name, setName] = useState("");
  const { submit, busy, error } = useSubmit(async () => {
    const graph = await host.call("create_graph", { name });
    onClose();
    await session.open(graph.name);
  });
  return (
    <Dialog
      title={t.graphs.createTitle}
      width={400}
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>{t.app.cancel}</Button>
          <Button variant="primary" type="submit" form={FORM} disabled={busy || name.trim() === ""}>{t.graphs.createButton}</Button>
        </>
      }
    >
      <form
        id={FORM}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label={t.graphs.name} hint={t.graphs.nameHint} error={error}>
          {({ id, describedBy, invalid }) => <TextInput id={id} aria-describedby={describedBy} invalid={invalid} value={name} onText={setName} data-autofocus />}
        </Field>
      </form>
    </Dialog>
  );
};
