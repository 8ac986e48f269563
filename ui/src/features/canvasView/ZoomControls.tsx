import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { runAction } from "../../actions/actions";
import { shown } from "../../actions/shortcuts";
import { IconButton } from "../../components/Button";
import { useStore } from "../../state/createStore";
import { t } from "../../strings";
import styles from "./ZoomControls.module.css";

export const ZoomControls: FC = () => {
  const app = useApp();
  const open = useStore(app.stores.layout, (view) => view.open);
  return (
    <div className={styles.controls} data-over-canvas role="group" aria-label={t.canvas.label}>
      <IconButton icon="layout" label={t.actions.layout_panel} pressed={open} onClick={() => runAction("layout_panel", app)} />
      <IconButton icon="plus" label={`${t.canvas.zoomIn} (${shown("Mod+=")})`} onClick={() => runAction("zoom_in", app)} />
      <IconButton icon="minus" label={`${t.canvas.zoomOut} (${shown("Mod+-")})`} onClick={() => runAction("zoom_out", app)} />
      <IconButton icon="fit" label={`${t.canvas.fit} (${shown("Mod+0")})`} onClick={() => runAction("fit", app)} />
    </div>
  );
};
