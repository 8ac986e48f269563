import { useState, type FC } from "react";
import { Button } from "../../components/Button";
import { t } from "../../strings";
import styles from "./Trash.module.css";

type Props = { total: number; chosen: number; busy: boolean; asking: boolean; onAsk: (asking: boolean) => void; onEmpty: () => void; onRestore: () => void };

/** What can be done with the selected, or with all; what cannot be taken back is asked once more. */
export const TrashFoot: FC<Props> = ({ total, chosen, busy, asking, onAsk, onEmpty, onRestore }) => {
  const some = chosen > 0;
  // The focus comes back to where the question was asked.
  const [asked, setAsked] = useState(false);
  const ask = () => {
    setAsked(true);
    onAsk(true);
  };
  if (asking) {
    return (
      <>
        <p className={styles.ask} role="alert">{some ? t.trash.confirmSome(chosen) : t.trash.confirmAll(total)}</p>
        <Button variant="quiet" autoFocus onClick={() => onAsk(false)}>{t.app.cancel}</Button>
        <Button variant="danger" disabled={busy} onClick={onEmpty}>{some ? t.trash.deleteNow : t.trash.emptyNow}</Button>
      </>
    );
  }
  return (
    <>
      <Button variant="danger" className={styles.start} icon="trash" disabled={busy} autoFocus={asked} onClick={ask}>{some ? t.trash.deleteMany(chosen) : t.trash.empty}</Button>
      <Button variant="primary" icon="undo" disabled={busy || !some} onClick={onRestore}>{some ? t.trash.restoreMany(chosen) : t.trash.restore}</Button>
    </>
  );
};
