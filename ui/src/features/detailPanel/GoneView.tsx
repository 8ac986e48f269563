import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { PlainText } from "../../components/PlainText";
import { visibleText } from "../../graph/text/visibleText";
import { useSubmit } from "../../hooks/useSubmit";
import { FieldError } from "../../components/Field";
import type { EntityDetail } from "../../ipc/generated/wire";
import { draftKey, draftsOf, dropDraft } from "../../state/drafts/drafts";
import { useStore } from "../../state/createStore";
import { t } from "../../strings";
import styles from "./DetailPanel.module.css";

type Props = { graph: string; id: string; last: EntityDetail | undefined };

/** Somebody deleted what the person was writing about. The text is theirs still. */
export const GoneView: FC<Props> = ({ graph, id, last }) => {
  const { stores, edits } = useApp();
  const drafts = useStore(stores.drafts, (all) => all);
  const typed = draftsOf(drafts, graph, id);
  const drop = () => typed.forEach(([field]) => stores.drafts.set((all) => dropDraft(all, draftKey(graph, id, field))));
  const { submit, busy, error } = useSubmit(async () => {
    if (last === undefined) return;
    const text = (field: string, other: string) => typed.find(([name]) => name === field)?.[1].text ?? other;
    const { entity } = last;
    const notes = typed.filter(([field]) => field.startsWith("observation:")).map(([, draft]) => draft.text);
    await edits.addEntity({ name: text("name", entity.name), entity_type: text("type", entity.entity_type), description: text("description", entity.description), observations: notes });
    drop();
  });
  return (
    <div className={styles.panel}>
      {last !== undefined && <h2 className={`${styles.name} ${styles.struck}`}><PlainText text={last.entity.name} /></h2>}
      <p className={styles.meanwhile} role="alert">{t.detail.gone}</p>
      {typed.length > 0 && (
        <>
          <p className={styles.quiet}>{t.detail.goneText}</p>
          {typed.map(([field, draft]) => (
            <div key={field} className={styles.rescued}>
              <span className={styles.quiet}>{visibleText(t.detail.field(field))}</span>
              <div data-selectable className={styles.longText}><PlainText text={draft.text} lines /></div>
            </div>
          ))}
          {error !== null && <FieldError error={error} />}
          <div className={styles.formButtons}>
            <Button variant="quiet" onClick={drop}>{t.detail.discard}</Button>
            {last !== undefined && <Button variant="primary" disabled={busy} onClick={() => void submit()}>{t.detail.recreate}</Button>}
          </div>
        </>
      )}
    </div>
  );
};
