import type { FC } from "react";
import { Button } from "../../components/Button";
import { PlainText } from "../../components/PlainText";
import type { Choice, Clash } from "../../state/drafts/drafts";
import { t } from "../../strings";
import styles from "./Fields.module.css";

type Props = { clash: Clash; joins: boolean; onChoose: (choice: Choice) => void };

/** Somebody else saved this field first: both texts stay until the person says which one counts. */
export const ClashChoice: FC<Props> = ({ clash, joins, onChoose }) => (
  <div className={styles.clash} role="alert">
    <p className={styles.clashTitle}>{t.conflict.title}</p>
    <div className={styles.theirs}><PlainText text={clash.theirs} lines /></div>
    <div className={styles.clashButtons}>
      <Button title={t.conflict.keepMine} onClick={() => onChoose("mine")}>{t.conflict.mine}</Button>
      <Button title={t.conflict.keepTheirs} onClick={() => onChoose("theirs")}>{t.conflict.theirs}</Button>
      {joins && <Button title={t.conflict.keepBoth} onClick={() => onChoose("both")}>{t.conflict.both}</Button>}
    </div>
  </div>
);
