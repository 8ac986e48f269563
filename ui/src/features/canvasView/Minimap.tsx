import { useEffect, useRef, useState, type FC, type PointerEvent } from "react";
import { useApp } from "../../app/AppContext";
import { cssColour } from "../../graph/colour";
import type { Overview } from "../../graph/overview";
import { THEMES } from "../../graph/theme";
import { useStore } from "../../state/createStore";
import { resolveTheme } from "../../state/theme/theme";
import { t } from "../../strings";
import styles from "./Minimap.module.css";

const WIDTH = 180;
const HEIGHT = 120;
const PADDING = 8;
const EACH_MS = 160;

/** Where the camera is in the whole picture, once not everything is in sight; a click or drag goes there. */
export const Minimap: FC = () => {
  const { scene, stores } = useApp();
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useStore(stores.theme, resolveTheme);
  const [overview, setOverview] = useState<Overview | null>(null);
  useEffect(() => {
    let timer = 0;
    const look = () => {
      timer = 0;
      setOverview(scene.overview());
    };
    const off = scene.onStats(() => {
      // Where the page is put together in software, one more picture in motion is what panning cannot afford.
      if (scene.isSlow) window.clearTimeout(timer);
      else if (timer !== 0) return;
      timer = window.setTimeout(look, EACH_MS);
    });
    return () => {
      off();
      window.clearTimeout(timer);
    };
  }, [scene]);
  useEffect(() => {
    const context = canvas.current?.getContext("2d", { willReadFrequently: true });
    if (overview === null || context === undefined || context === null) return;
    const dpr = window.devicePixelRatio || 1;
    context.canvas.width = WIDTH * dpr;
    context.canvas.height = HEIGHT * dpr;
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    const { scale, x, y } = placed(overview);
    const colours = THEMES[theme];
    context.fillStyle = cssColour(colours.neutral, 0.75);
    for (let k = 0; k < overview.points.length; k += 2) context.fillRect(overview.points[k]! * scale + x - 0.6, overview.points[k + 1]! * scale + y - 0.6, 1.3, 1.3);
    const { seen } = overview;
    context.strokeStyle = cssColour(colours.accent);
    context.lineWidth = 1.5;
    context.strokeRect(seen.minX * scale + x, seen.minY * scale + y, (seen.maxX - seen.minX) * scale, (seen.maxY - seen.minY) * scale);
  }, [overview, theme]);
  if (overview === null) return null;
  const go = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const { scale, x, y } = placed(overview);
    scene.lookAt((event.clientX - box.left - x) / scale, (event.clientY - box.top - y) / scale);
  };
  return <canvas ref={canvas} data-over-canvas className={styles.map} style={{ width: WIDTH, height: HEIGHT }} role="img" aria-label={t.canvas.minimap} title={t.canvas.minimap} onPointerDown={(event) => { event.currentTarget.setPointerCapture(event.pointerId); go(event); }} onPointerMove={go} />;
};

function placed({ bounds }: Overview): { scale: number; x: number; y: number } {
  const scale = Math.min((WIDTH - 2 * PADDING) / Math.max(1, bounds.maxX - bounds.minX), (HEIGHT - 2 * PADDING) / Math.max(1, bounds.maxY - bounds.minY));
  return { scale, x: WIDTH / 2 - ((bounds.minX + bounds.maxX) / 2) * scale, y: HEIGHT / 2 - ((bounds.minY + bounds.maxY) / 2) * scale };
}
