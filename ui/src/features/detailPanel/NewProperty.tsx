import { useState, type FC, type FormEvent } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { FieldError, TextInput, type Problem } from "../../components/Field";
import { toIpcError } from "../../ipc/ipcError";
import { draftKey, dropDraft, putDraft } from "../../state/drafts/drafts";
import { useStore } from "../../state/createStore";
import { t } from "../../strings";
import { parseProperty } from "./propertyText";
import { refuseProperty } from "./PropertyRow";
import styles from "./DetailPanel.module.css";

/** Drafts, so that the text is not lost when somebody deletes what it is written about. */
export const NEW_PROPERTY = ["new property", "its value"] as const;

type Props = { graph: string; id: string; taken: Record<string, unknown>; write: (properties: Record<string, unknown>) => Promise<unknown>; onDone: () => void };

export const NewProperty: FC<Props> = ({ graph, id, taken, write, onDone }) => {
  const { stores } = useApp();
  const drafts = useStore(stores.drafts, (all) => all);
  const [key, text] = NEW_PROPERTY.map((field) => drafts.get(draftKey(graph, id, field))?.text ?? "") as [string, string];
  const put = (field: string) => (typed: string) => stores.drafts.set((all) => putDraft(all, draftKey(graph, id, field), { base: "", text: typed }));
  const done = () => {
    stores.drafts.set((all) => NEW_PROPERTY.reduce((left, field) => dropDraft(left, draftKey(graph, id, field)), all));
    onDone();
  };
  const [error, setError] = useState<Problem | null>(null);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const name = key.trim();
    const refused = name === "" ? t.detail.noKey : Object.hasOwn(taken, name) ? t.detail.keyExists : refuseProperty(text);
    const parsed = parseProperty(text);
    if (refused !== undefined || !("value" in parsed)) return setError({ message: refused ?? t.detail.badJson });
    try {
      await write({ [name]: parsed.value });
      done();
    } catch (thrown) {
      setError(toIpcError(thrown));
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void add(event)} onKeyDown={(event) => event.key === "Escape" && done()}>
      <div className={styles.formRow}>
        <TextInput value={key} onText={put(NEW_PROPERTY[0])} placeholder={t.detail.key} aria-label={t.detail.key} autoFocus />
        <TextInput value={text} onText={put(NEW_PROPERTY[1])} placeholder={t.detail.value} aria-label={t.detail.value} />
      </div>
      {error !== null && <FieldError error={error} />}
      <div className={styles.formButtons}>
        <Button variant="quiet" onClick={done}>{t.app.cancel}</Button>
        <Button variant="primary" type="submit">{t.detail.add}</Button>
      </div>
    </form>
  );
};
