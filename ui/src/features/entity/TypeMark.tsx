import type { CSSProperties, FC } from "react";
import { useApp } from "../../app/AppContext";
import { shapePath } from "../../graph/typeLooks";
import { useStore } from "../../state/createStore";
import styles from "./TypeMark.module.css";

type Props = { type: string; size?: number };

/** The dot of a type, with the colour and shape it has on the canvas. */
export const TypeMark: FC<Props> = ({ type, size = 10 }) => {
  const look = useStore(useApp().stores.looks, (looks) => looks.byType.get(type));
  const style: CSSProperties = look === undefined ? {} : { color: look.colour };
  return (
    <svg className={styles.mark} style={style} width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" focusable="false">
      <path d={shapePath(look?.shape ?? "circle")} />
    </svg>
  );
};
