import { useState, type FC, type MouseEvent } from "react";
import { useApp } from "../../app/AppContext";
import { IconButton } from "../../components/Button";
import { PlainText } from "../../components/PlainText";
import { shapePath } from "../../graph/typeLooks";
import { visibleText } from "../../graph/text/visibleText";
import { useStore } from "../../state/createStore";
import { selectOnly } from "../../state/selection/selection";
import { toggle } from "../../state/panels/panels";
import { showAll, soloType, toggleType } from "../../state/view/view";
import { number, t } from "../../strings";
import styles from "./Legend.module.css";

const ROW_PX = 24;
const MOST_ROWS = 10;
/** Of a small canvas the legend may take this much and no more; of a narrow one, a line of swatches. */
const SHARE_OF_HEIGHT = 0.28;
const NARROW_PX = 460;

type Props = { width: number; height: number };

/** Which colour and shape is which type, how many there are; and the handle to select, hide or isolate them. */
export const Legend: FC<Props> = ({ width, height }) => {
  const { stores, scene } = useApp();
  const [all, setAll] = useState(false);
  const [asked, setAsked] = useState(false);
  const looks = useStore(stores.looks, (state) => state.rows);
  const hidden = useStore(stores.view, (view) => view.hiddenTypes);
  const open = useStore(stores.panels, (panels) => panels.legend);
  const rows = looks.filter((row) => row.count > 0);
  if (rows.length === 0) return null;
  const narrow = width < NARROW_PX;
  const flip = () => (narrow ? setAsked(!asked) : stores.panels.set((panels) => toggle(panels, "legend")));
  const few = Math.max(4, Math.min(MOST_ROWS, Math.floor((height * SHARE_OF_HEIGHT) / ROW_PX)));
  const shown = all ? rows : rows.slice(0, rows.length <= few + 1 ? rows.length : few);

  const onClick = (event: MouseEvent, type: string) => {
    if (event.altKey) stores.view.set((view) => soloType(view, type, rows.map((row) => row.type)));
    else if (event.shiftKey) stores.view.set((view) => toggleType(view, type));
    else if (hidden.has(type)) stores.view.set((view) => toggleType(view, type));
    else stores.selection.set((selection) => selectOnly(selection, scene.nodes.idsOfType(type)));
  };

  if (narrow ? !asked : !open) {
    return (
      <button type="button" className={styles.collapsed} aria-label={t.legend.expand} title={t.legend.expand} onClick={flip}>
        {rows.slice(0, MOST_ROWS).map((row) => (
          <svg key={row.type} width="10" height="10" viewBox="0 0 24 24" fill={row.colour} opacity={hidden.has(row.type) ? 0.3 : 1} aria-hidden="true"><path d={shapePath(row.shape)} /></svg>
        ))}
      </button>
    );
  }
  return (
    <section className={styles.legend} data-over-canvas aria-label={t.legend.label} title={t.legend.hint}>
      <header className={styles.head}>
        <span>{hidden.size === 0 ? t.legend.label : t.legend.hidden(hidden.size)}</span>
        {hidden.size > 0 && <button type="button" className={styles.link} onClick={() => stores.view.set(showAll)}>{t.legend.showAll}</button>}
        <IconButton icon="chevron" small label={t.legend.collapse} onClick={flip} />
      </header>
      <ul className={styles.rows}>
        {shown.map((row) => (
          <li key={row.type}>
            <button type="button" className={styles.row} data-hidden={hidden.has(row.type) || undefined} aria-label={t.legend.row(visibleText(row.type), row.count, hidden.has(row.type))} onClick={(event) => onClick(event, row.type)}>
              <svg width="11" height="11" viewBox="0 0 24 24" fill={row.colour} aria-hidden="true"><path d={shapePath(row.shape)} /></svg>
              <PlainText text={row.type} className={styles.type} />
              <span className={styles.count}>{number(row.count)}</span>
            </button>
          </li>
        ))}
      </ul>
      {rows.length > shown.length && <button type="button" className={styles.more} onClick={() => setAll(true)}>{t.legend.more(rows.length - shown.length)}</button>}
      {all && rows.length > few + 1 && <button type="button" className={styles.more} onClick={() => setAll(false)}>{t.legend.fewer}</button>}
    </section>
  );
};
