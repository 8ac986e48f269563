import type { FC } from "react";
import { PlainText } from "../../components/PlainText";
import { TypeMark } from "./TypeMark";
import styles from "./EntityChip.module.css";

type Props = { name: string; type?: string; onClick?: () => void };

/** An entity in running text: click to go there. */
export const EntityChip: FC<Props> = ({ name, type, onClick }) => (
  <button type="button" className={styles.chip} onClick={onClick} disabled={onClick === undefined}>
    {type !== undefined && <TypeMark type={type} size={8} />}
    <PlainText text={name} className={styles.name} title />
  </button>
);
