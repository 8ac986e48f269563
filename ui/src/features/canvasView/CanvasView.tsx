import { useEffect, useRef, type FC } from "react";
import { useApp } from "../../app/AppContext";
import styles from "./CanvasView.module.css";

type Props = { left: number; right: number };

/** The place of the canvas on the page. It fills the window below the bars; panels lie over its edges. */
export const CanvasView: FC<Props> = ({ left, right }) => {
  const { scene } = useApp();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => (place.current === null ? undefined : scene.attach(place.current)), [scene]);
  useEffect(() => scene.setInsets(left, right), [scene, left, right]);
  return <div ref={place} className={styles.canvas} data-pane="canvas" data-keys="canvas" />;
};
