import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { useAgents } from "../../data/queries";
import { showTab } from "../../state/panels/panels";
import { t } from "../../strings";

/** Those there are, with all that can be done about them, are in their panel. */
export const ShowAgents: FC<{ onClose: () => void }> = ({ onClose }) => {
  const { stores } = useApp();
  const n = useAgents().data?.agents.length ?? 0;
  if (n === 0) return null;
  const show = () => {
    onClose();
    stores.agents.set((view) => ({ ...view, tab: "list" }));
    stores.panels.set((panels) => showTab(panels, "agents"));
  };
  return <Button variant="quiet" icon="agent" title={t.status.showAgents} onClick={show}>{t.status.agents(n)}</Button>;
};
