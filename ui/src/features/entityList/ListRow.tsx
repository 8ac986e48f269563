import type { FC, MouseEvent } from "react";
import { useApp } from "../../app/AppContext";
import { PlainText } from "../../components/PlainText";
import { useStore } from "../../state/createStore";
import { TypeMark } from "../entity/TypeMark";
import type { RowContent } from "./RowList";
import styles from "./EntityList.module.css";

type Props = {
  index: number;
  total: number;
  top: number;
  height: number;
  active: boolean;
  row: RowContent | undefined;
  onClick: (event: MouseEvent, index: number, id: string) => void;
  onActivate: (id: string) => void;
  onMenu: (id: string, x: number, y: number) => void;
};

export const ListRow: FC<Props> = ({ index, total, top, height, active, row, onClick, onActivate, onMenu }) => {
  const selected = useStore(useApp().stores.selection, (selection) => row !== undefined && selection.set.has(row.id));
  const place = { top, height };
  if (row === undefined) return <div className={styles.row} style={place} aria-hidden="true"><span className={styles.skeleton} /></div>;
  return (
    <div
      id={`row-${index}`}
      role="option"
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={total}
      className={`${styles.row} ${active ? styles.active : ""}`}
      style={place}
      onClick={(event) => onClick(event, index, row.id)}
      onDoubleClick={() => onActivate(row.id)}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(row.id, event.clientX, event.clientY);
      }}
    >
      <TypeMark type={row.type} size={10} />
      <span className={styles.text}>
        <PlainText text={row.name} className={styles.name} title />
        {row.sub !== undefined && row.sub !== "" && <PlainText text={row.sub} className={styles.sub} title />}
      </span>
      {row.why !== undefined && <span className={styles.when} title={row.why.full}>{row.why.brief}</span>}
      {row.when !== undefined && <span className={styles.when}>{row.when}</span>}
    </div>
  );
};
