import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { runAction } from "../../actions/actions";
import { shown } from "../../actions/shortcuts";
import { IconButton } from "../../components/Button";
import { PlainText } from "../../components/PlainText";
import type { Direction } from "../../graph/subset";
import { visibleText } from "../../graph/text/visibleText";
import { useStore } from "../../state/createStore";
import { MAX_DEPTH, MIN_DEPTH } from "../../state/focusView/focusView";
import { t } from "../../strings";
import styles from "./FocusBar.module.css";

const DIRECTIONS: readonly Direction[] = ["both", "out", "in"];

/** Over the canvas while one entity's surroundings are looked at: how far, which way, along what; and the way back. */
export const FocusBar: FC = () => {
  const app = useApp();
  const { now, count, relations, past, future } = useStore(app.stores.focus, (view) => view);
  const all = useStore(app.stores.workspace, (workspace) => workspace.nodes);
  if (now === null) return null;
  const { focus } = app.scene;
  const toggle = (relation: string) => {
    const hidden = new Set(now.hiddenRelations);
    if (!hidden.delete(relation)) hidden.add(relation);
    focus.change({ hiddenRelations: hidden });
  };
  return (
    <section className={styles.bar} aria-label={t.focus.label}>
      <IconButton icon="chevronLeft" small label={`${t.focus.back} (${shown("Alt+ArrowLeft")})`} disabled={past.length === 0} onClick={() => runAction("back", app)} />
      <IconButton icon="chevronRight" small label={`${t.focus.forward} (${shown("Alt+ArrowRight")})`} disabled={future.length === 0} onClick={() => runAction("forward", app)} />
      <PlainText text={app.scene.nodes.get(now.id)?.name ?? ""} className={styles.name} />
      <span className={styles.count} role="status">{t.focus.count(count, all)}</span>
      <span className={styles.group} role="group" aria-label={t.focus.depth}>
        {Array.from({ length: MAX_DEPTH - MIN_DEPTH + 1 }, (_, at) => at + MIN_DEPTH).map((depth) => (
          <button key={depth} type="button" className={styles.step} aria-pressed={now.depth === depth} title={t.focus.steps(depth)} onClick={() => focus.change({ depth })}>{depth}</button>
        ))}
      </span>
      <select className={styles.select} aria-label={t.focus.direction} value={now.direction} onChange={(event) => focus.change({ direction: event.target.value as Direction })}>
        {DIRECTIONS.map((direction) => <option key={direction} value={direction}>{t.focus.directions[direction]}</option>)}
      </select>
      {relations.length > 1 && (
        <details className={styles.more}>
          <summary>{t.focus.relations(relations.length - now.hiddenRelations.size, relations.length)}</summary>
          <div className={styles.list}>
            {relations.map((relation) => (
              <label key={relation}><input type="checkbox" checked={!now.hiddenRelations.has(relation)} onChange={() => toggle(relation)} /><span title={visibleText(relation)}>{visibleText(relation)}</span></label>
            ))}
          </div>
        </details>
      )}
      <IconButton icon="close" small label={`${t.focus.leave} (${shown("Esc")})`} onClick={() => focus.leave()} />
    </section>
  );
};
