import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { runAction } from "../../actions/actions";
import { shown } from "../../actions/shortcuts";
import { IconButton } from "../../components/Button";
import { t } from "../../strings";
import styles from "./ZoomControls.module.css";

export const ZoomControls: FC = () => {
  const app = useApp();
  return (
    <div className={styles.controls} role="group" aria-label={t.canvas.label}>
      <IconButton icon="plus" label={`${t.canvas.zoomIn} (${shown("Mod+=")})`} onClick={() => runAction("zoom_in", app)} />
      <IconButton icon="minus" label={`${t.canvas.zoomOut} (${shown("Mod+-")})`} onClick={() => runAction("zoom_out", app)} />
      <IconButton icon="fit" label={`${t.canvas.fit} (${shown("Mod+0")})`} onClick={() => runAction("fit", app)} />
    </div>
  );
};
