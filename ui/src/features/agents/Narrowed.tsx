import type { FC } from "react";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import styles from "./Narrowed.module.css";

type Props = { text: string; out: string; onOut: () => void };

/** A list shows one agent only: said above it for as long as that is so, with the way out. */
export const Narrowed: FC<Props> = ({ text, out, onOut }) => (
  <div className={styles.bar}>
    <Icon name="agent" size={14} />
    <span className={styles.text} title={text}>{text}</span>
    <Button variant="quiet" icon="close" onClick={onOut}>{out}</Button>
  </div>
);
