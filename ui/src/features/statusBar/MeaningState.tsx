import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { useGraphName, useMeaning } from "../../data/queries";
import { t } from "../../strings";
import { meaningLine } from "../meaning/meaningLine";
import styles from "./StatusBar.module.css";

/** How far search by meaning is, in a few words; all about it is one click away. */
export const MeaningState: FC = () => {
  const { stores } = useApp();
  const status = useMeaning(useGraphName()).data;
  if (status === undefined) return null;
  const line = meaningLine(status);
  return (
    <button type="button" className={styles.listener} title={t.meaning.title} onClick={() => stores.dialog.set(() => ({ kind: "meaning" }))}>
      {line.share !== undefined && <span className={styles.meter} aria-hidden="true"><span style={{ width: `${line.share * 100}%` }} /></span>}
      <span className={line.warns ? styles.warnText : undefined}>{line.text}</span>
    </button>
  );
};
