import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { PlainText } from "../../components/PlainText";
import { useStore } from "../../state/createStore";
import { NOTHING } from "../../state/selection/selection";
import { number, t } from "../../strings";
import { EntityChip } from "../entity/EntityChip";
import { TypeMark } from "../entity/TypeMark";
import styles from "./DetailPanel.module.css";

/** Enough to recognise what is selected; the canvas shows them all. */
const NAMED = 30;

export const ManySelected: FC = () => {
  const { stores, scene, edits } = useApp();
  const ids = useStore(stores.selection, (selection) => selection.ids);
  const byType = new Map<string, number>();
  for (const id of ids) {
    const type = scene.nodes.get(id)?.type;
    if (type !== undefined) byType.set(type, (byType.get(type) ?? 0) + 1);
  }
  return (
    <div className={styles.panel}>
      <h2 className={styles.name}>{t.many.title(ids.length)}</h2>
      <ul className={styles.tally}>
        {[...byType].sort((a, b) => b[1] - a[1]).map(([type, n]) => (
          <li key={type}><TypeMark type={type} /><PlainText text={type} className={styles.ellipsis} /><span className={styles.count}>{number(n)}</span></li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button onClick={() => stores.selection.set(() => NOTHING)}>{t.many.clear}</Button>
        <Button variant="danger" icon="trash" onClick={() => void edits.deleteEntities(ids)}>{t.many.delete(ids.length)}</Button>
      </div>
      <div className={styles.chips}>
        {ids.slice(0, NAMED).map((id) => {
          const node = scene.nodes.get(id);
          return node && <EntityChip key={id} name={node.name} type={node.type} onClick={() => scene.reveal(id)} />;
        })}
        {ids.length > NAMED && <span className={styles.quiet}>{t.many.more(ids.length - NAMED)}</span>}
      </div>
    </div>
  );
};
