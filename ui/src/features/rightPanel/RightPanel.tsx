import type { FC, KeyboardEvent } from "react";
import { useApp } from "../../app/AppContext";
import { IconButton } from "../../components/Button";
import { useStore } from "../../state/createStore";
import { toggle, type RightTab } from "../../state/panels/panels";
import { t } from "../../strings";
import { ActivityPanel } from "../activity/ActivityPanel";
import { AgentsPanel } from "../agents/AgentsPanel";
import { DetailPanel } from "../detailPanel/DetailPanel";
import styles from "./RightPanel.module.css";

const TABS: readonly { id: RightTab; label: string }[] = [
  { id: "details", label: t.detail.label },
  { id: "activity", label: t.activity.title },
  { id: "agents", label: t.agents.title },
];

/** `graph` null: there is none, and agents are all there is to tell of. Not `open`: it is on its way. */
type Props = { graph: string | null; open: boolean };

export const RightPanel: FC<Props> = ({ graph, open }) => {
  const { stores } = useApp();
  const tab = useStore(stores.panels, (panels) => panels.tab);
  const choose = (id: RightTab) => stores.panels.set((panels) => ({ ...panels, tab: id }));
  const tabs = TABS.filter(({ id }) => graph !== null || id === "agents");
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const at = tabs.findIndex(({ id }) => id === tab) + (event.key === "ArrowRight" ? 1 : -1);
    const next = (at + tabs.length) % tabs.length;
    choose(tabs[next]!.id);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
    event.preventDefault();
  };
  return (
    <>
      <div className={styles.bar}>
        <div className={styles.tabs} role="tablist" onKeyDown={onKeyDown}>
          {tabs.map(({ id, label }) => (
            <button key={id} type="button" role="tab" aria-selected={tab === id} tabIndex={tab === id ? 0 : -1} className={styles.tab} onClick={() => choose(id)}>{label}</button>
          ))}
        </div>
        <IconButton icon="close" small label={t.app.close} onClick={() => stores.panels.set((panels) => toggle(panels, "right"))} />
      </div>
      <div className={styles.content} role="tabpanel" aria-label={TABS.find(({ id }) => id === tab)?.label}>
        {tab === "agents" && <AgentsPanel />}
        {tab === "activity" && open && graph !== null && <ActivityPanel graph={graph} />}
        {tab === "details" && open && graph !== null && <DetailPanel graph={graph} />}
      </div>
    </>
  );
};
