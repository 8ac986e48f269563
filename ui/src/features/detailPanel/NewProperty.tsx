import { useState, type FC, type FormEvent } from "react";
import { Button } from "../../components/Button";
import { FieldError, TextInput, type Problem } from "../../components/Field";
import { toIpcError } from "../../ipc/ipcError";
import { t } from "../../strings";
import { parseProperty } from "./propertyText";
import { refuseProperty } from "./PropertyRow";
import styles from "./DetailPanel.module.css";

type Props = { taken: Record<string, unknown>; write: (properties: Record<string, unknown>) => Promise<unknown>; onDone: () => void };

export const NewProperty: FC<Props> = ({ taken, write, onDone }) => {
  const [key, setKey] = useState("");
  const [text, setText] = useState("");
  const [error, setError] = useState<Problem | null>(null);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const name = key.trim();
    const refused = name === "" ? t.detail.noKey : Object.hasOwn(taken, name) ? t.detail.keyExists : refuseProperty(text);
    const parsed = parseProperty(text);
    if (refused !== undefined || !("value" in parsed)) return setError({ message: refused ?? t.detail.badJson });
    try {
      await write({ [name]: parsed.value });
      onDone();
    } catch (thrown) {
      setError(toIpcError(thrown));
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void add(event)} onKeyDown={(event) => event.key === "Escape" && onDone()}>
      <div className={styles.formRow}>
        <TextInput value={key} onText={setKey} placeholder={t.detail.key} aria-label={t.detail.key} autoFocus />
        <TextInput value={text} onText={setText} placeholder={t.detail.value} aria-label={t.detail.value} />
      </div>
      {error !== null && <FieldError error={error} />}
      <div className={styles.formButtons}>
        <Button variant="quiet" onClick={onDone}>{t.app.cancel}</Button>
        <Button variant="primary" type="submit">{t.detail.add}</Button>
      </div>
    </form>
  );
};
