import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { PlainText } from "../../components/PlainText";
import type { Conflict } from "../../data/conflicts";
import type { TakeBack } from "../../state/dialogs/dialogs";
import { t } from "../../strings";
import { TypeMark } from "../entity/TypeMark";
import styles from "./Conflicts.module.css";

type Props = { attempt: TakeBack; conflicts: readonly Conflict[]; onClose: () => void };

/** What an undo cannot take back, before anything is touched. */
export const ConflictsDialog: FC<Props> = ({ attempt, conflicts, onClose }) => {
  const { edits, scene } = useApp();
  return (
    <Dialog
      title={t.undo.conflictTitle(attempt.verb)}
      width={460}
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>{t.undo.conflictKeep}</Button>
          <Button
            variant="primary"
            data-autofocus
            onClick={() => {
              onClose();
              void edits.takeBack(attempt, true);
            }}
          >
            {t.undo.conflictRest}
          </Button>
        </>
      }
    >
      <p>{t.undo.conflictText}</p>
      <ul className={styles.list}>
        {conflicts.map((conflict, at) => {
          const node = scene.nodes.get(conflict.object_id);
          return (
            <li key={at} className={styles.row}>
              {node !== undefined ? <TypeMark type={node.type} /> : <span className={styles.dot} />}
              <span className={styles.texts}>
                <span className={styles.name}>
                  {node !== undefined ? <PlainText text={node.name} /> : t.undo.objectKind(conflict.object_kind)}
                  {conflict.field !== "" && <span className={styles.field}> · <PlainText text={conflict.field} /></span>}
                </span>
                <PlainText text={conflict.reason} className={styles.reason} />
              </span>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
};
