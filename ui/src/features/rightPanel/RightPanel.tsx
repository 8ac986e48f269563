import type { FC, KeyboardEvent } from "react";
import { useApp } from "../../app/AppContext";
import { IconButton } from "../../components/Button";
import { useStore } from "../../state/createStore";
import { toggle, type RightTab } from "../../state/panels/panels";
import { t } from "../../strings";
import { ActivityPanel } from "../activity/ActivityPanel";
import { DetailPanel } from "../detailPanel/DetailPanel";
import styles from "./RightPanel.module.css";

const TABS: readonly { id: RightTab; label: string }[] = [
  { id: "details", label: t.detail.label },
  { id: "activity", label: t.activity.title },
];

export const RightPanel: FC<{ graph: string }> = ({ graph }) => {
  const { stores } = useApp();
  const tab = useStore(stores.panels, (panels) => panels.tab);
  const choose = (id: RightTab) => stores.panels.set((panels) => ({ ...panels, tab: id }));
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    choose(tab === "details" ? "activity" : "details");
    [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')].find((each) => each !== document.activeElement)?.focus();
    event.preventDefault();
  };
  return (
    <>
      <div className={styles.bar}>
        <div className={styles.tabs} role="tablist" onKeyDown={onKeyDown}>
          {TABS.map(({ id, label }) => (
            <button key={id} type="button" role="tab" aria-selected={tab === id} tabIndex={tab === id ? 0 : -1} className={styles.tab} onClick={() => choose(id)}>{label}</button>
          ))}
        </div>
        <IconButton icon="close" small label={t.app.close} onClick={() => stores.panels.set((panels) => toggle(panels, "right"))} />
      </div>
      <div className={styles.content} role="tabpanel" aria-label={tab === "details" ? t.detail.label : t.activity.title}>
        {tab === "details" ? <DetailPanel graph={graph} /> : <ActivityPanel graph={graph} />}
      </div>
    </>
  );
};
