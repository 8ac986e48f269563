import { useEffect, useRef, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { arrange, changeSettings, layOutAgain, pauseLayout } from "../../actions/layout";
import { Button, IconButton } from "../../components/Button";
import type { ArrangeKind, LayoutSettings } from "../../layout/types";
import { useStore } from "../../state/createStore";
import { OWN_SETTINGS, PRESETS, presetOf, RANGES, type PresetName } from "../../state/layout/layout";
import { t } from "../../strings";
import styles from "./LayoutPanel.module.css";

const ARRANGEMENTS: readonly ArrangeKind[] = ["force", "circle", "tree", "by_type"];

/** How the picture is laid out: another arrangement, the forces, a pause. Beside the canvas, so that one sees what it does. */
export const LayoutPanel: FC = () => {
  const app = useApp();
  const { open, settings, paused } = useStore(app.stores.layout, (view) => view);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (open) panel.current?.querySelector<HTMLElement>("button")?.focus();
  }, [open]);
  if (!open) return null;
  const close = () => app.stores.layout.set((view) => ({ ...view, open: false }));
  const preset = presetOf(settings);
  const set = (key: keyof LayoutSettings, value: number) => changeSettings(app, { ...settings, [key]: value });
  return (
    <section ref={panel} className={styles.panel} aria-label={t.layout.title} onKeyDown={(event) => event.key === "Escape" && (event.stopPropagation(), close())}>
      <header className={styles.head}>
        <span>{t.layout.title}</span>
        <IconButton icon="close" small label={t.layout.close} onClick={close} />
      </header>
      <div className={styles.group} role="group" aria-label={t.layout.arrange}>
        {ARRANGEMENTS.map((kind) => <Button key={kind} className={styles.small} onClick={() => void arrange(app, kind)}>{t.layout.kinds[kind]}</Button>)}
      </div>
      <label className={styles.row}>
        <span>{t.layout.preset}</span>
        <select className={styles.select} value={preset ?? ""} onChange={(event) => changeSettings(app, PRESETS[event.target.value as PresetName])}>
          {preset === null && <option value="">{t.layout.custom}</option>}
          {(Object.keys(PRESETS) as PresetName[]).map((name) => <option key={name} value={name}>{t.layout.presets[name]}</option>)}
        </select>
      </label>
      {(Object.keys(RANGES) as (keyof LayoutSettings)[]).map((key) => (
        <label key={key} className={styles.row} title={t.layout.hints[key]}>
          <span>{t.layout.settings[key]}</span>
          <input type="range" {...RANGES[key]} value={settings[key]} onChange={(event) => set(key, Number(event.target.value))} />
          <output>{settings[key].toFixed(1)}</output>
        </label>
      ))}
      <footer className={styles.foot}>
        <Button className={styles.small} icon={paused ? "play" : "pause"} onClick={() => pauseLayout(app, !paused)}>{paused ? t.layout.resume : t.layout.pause}</Button>
        <Button className={styles.small} onClick={() => layOutAgain(app)}>{t.layout.again}</Button>
        <Button variant="quiet" className={styles.small} onClick={() => changeSettings(app, OWN_SETTINGS)}>{t.layout.reset}</Button>
      </footer>
    </section>
  );
};
