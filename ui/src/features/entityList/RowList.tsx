import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState, type FC, type KeyboardEvent, type MouseEvent } from "react";
import { useApp } from "../../app/AppContext";
import { focusCanvas } from "../../actions/focus";
import { addSelected, NOTHING, selectOnly, toggleSelected } from "../../state/selection/selection";
import { t } from "../../strings";
import { ListRow } from "./ListRow";
import { nextIndex } from "./nextIndex";
import styles from "./EntityList.module.css";

export type RowContent = { id: string; name: string; type: string; sub?: string; when?: string; why?: { brief: string; full: string } };

type Props = {
  total: number;
  rowHeight: number;
  rowAt: (index: number) => RowContent | undefined;
  /** Which rows are in sight, so that their pages can be fetched. */
  onRange?: (first: number, last: number) => void;
};

/** A list of any length of which only the visible rows exist. One element has the focus, the rows are its options. */
export const RowList: FC<Props> = ({ total, rowHeight, rowAt, onRange }) => {
  const { stores, scene } = useApp();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const [anchor, setAnchor] = useState(0);
  // The virtualizer is mutable by design; it is read here and nowhere else.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtual = useVirtualizer({ count: total, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 10 });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items[items.length - 1]?.index ?? 0];
  useEffect(() => onRange?.(first, last), [onRange, first, last]);

  const idsBetween = (a: number, b: number) => {
    const ids: string[] = [];
    for (let at = Math.min(a, b); at <= Math.max(a, b); at++) {
      const row = rowAt(at);
      if (row !== undefined) ids.push(row.id);
    }
    return ids;
  };

  const goTo = (index: number, extend: boolean) => {
    setActive(index);
    virtual.scrollToIndex(index);
    const row = rowAt(index);
    if (row === undefined) return;
    if (extend) {
      stores.selection.set((selection) => selectOnly(selection, idsBetween(anchor, index)));
      return;
    }
    setAnchor(index);
    scene.reveal(row.id);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const to = nextIndex(event.key, active, total, page);
    if (to !== undefined) goTo(to, event.shiftKey);
    else if (event.key === "Enter") {
      const row = rowAt(active);
      if (row !== undefined) scene.doings?.activated(row.id);
    } else if (event.key === "Escape") {
      if (stores.selection.get().ids.length > 0) stores.selection.set(() => NOTHING);
      else focusCanvas();
    } else return;
    event.preventDefault();
  };

  const onRowClick = (event: MouseEvent, index: number, id: string) => {
    setActive(index);
    if (event.shiftKey) stores.selection.set((selection) => addSelected(selection, idsBetween(anchor, index)));
    else {
      setAnchor(index);
      if (event.ctrlKey || event.metaKey) stores.selection.set((selection) => toggleSelected(selection, id));
      else scene.reveal(id);
    }
  };

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="listbox"
      aria-label={t.list.label}
      aria-multiselectable="true"
      aria-activedescendant={total > 0 ? `row-${active}` : undefined}
      tabIndex={0}
      data-keys="list"
      data-pane-entry
      onKeyDown={onKeyDown}
    >
      <div className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => (
          <ListRow
            key={item.key}
            index={item.index}
            total={total}
            top={item.start}
            height={item.size}
            active={item.index === active}
            row={rowAt(item.index)}
            onClick={onRowClick}
            onActivate={(id) => scene.doings?.activated(id)}
            onMenu={(id, x, y) => stores.contextMenu.set(() => ({ id, x, y }))}
          />
        ))}
      </div>
    </div>
  );
};
