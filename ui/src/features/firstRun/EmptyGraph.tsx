import { useState, type FC, type FormEvent } from "react";
import { useApp } from "../../app/AppContext";
import { runAction } from "../../actions/actions";
import { Button } from "../../components/Button";
import { FieldError, TextInput, type Problem } from "../../components/Field";
import { visibleText } from "../../graph/text/visibleText";
import { toIpcError } from "../../ipc/ipcError";
import { t } from "../../strings";
import { parseFact, type Fact } from "./sentence";
import styles from "./FirstRun.module.css";

type Props = { left: number; right: number };

/** An open graph without a node: type a fact and see it become one. */
export const EmptyGraph: FC<Props> = ({ left, right }) => {
  const app = useApp();
  const [text, setText] = useState("");
  const [error, setError] = useState<Problem | null>(null);
  const fact = parseFact(text);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (fact === null) return setError({ message: t.empty.notUnderstood });
    try {
      await addFact(app, fact);
      setText("");
    } catch (thrown) {
      setError(toIpcError(thrown));
    }
  };
  return (
    <div className={styles.empty} style={{ left, right }}>
      <div className={styles.card}>
        <h2>{t.empty.title}</h2>
        <p>{t.empty.text}</p>
        <form className={styles.sentence} onSubmit={(event) => void add(event)}>
          <TextInput
            className={styles.sentenceInput}
            value={text}
            onText={(typed) => {
              setText(typed);
              setError(null);
            }}
            placeholder={t.empty.example}
            aria-label={t.empty.label}
            autoFocus
          />
          <Button variant="primary" type="submit" disabled={text.trim() === ""}>{t.empty.add}</Button>
        </form>
        <div className={styles.preview} aria-live="polite">
          {error !== null ? <FieldError error={error} /> : fact !== null && visibleText(t.empty.becomes(fact.source, fact.relation, fact.target))}
        </div>
        <div className={styles.or}>
          <span>{t.empty.agent}</span>
          <Button icon="plug" onClick={() => runAction("connect_agent", app)}>{t.first.connect}</Button>
        </div>
      </div>
    </div>
  );
};

/** Names that exist are met, not doubled: the host merges an entity of the same name and type. */
async function addFact({ edits, scene }: Pick<ReturnType<typeof useApp>, "edits" | "scene">, { source, relation, target }: Fact): Promise<void> {
  const make = (name: string) => edits.write("add_entity", { name, entity_type: t.entity.defaultType, description: "", observations: [] });
  const a = await make(source);
  const b = await make(target);
  if (a.id === undefined || b.id === undefined) return;
  await edits.write("add_relationship", { source_id: a.id, target_id: b.id, relationship_type: relation, weight: 1 });
  scene.reveal(a.id);
}
