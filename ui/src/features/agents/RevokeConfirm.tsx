import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { visibleText } from "../../graph/text/visibleText";
import { t } from "../../strings";
import { revokeAgent } from "./agentActs";
import styles from "./Agents.module.css";

type Props = { agent: string; onClose: () => void };

export const RevokeConfirm: FC<Props> = ({ agent, onClose }) => {
  const app = useApp();
  return (
    <div
      className={styles.box}
      role="alertdialog"
      aria-label={t.agents.revoke}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <p>{t.connect.revokeConfirm(visibleText(agent))}</p>
      <div className={styles.boxButtons}>
        <Button variant="quiet" autoFocus onClick={onClose}>{t.app.cancel}</Button>
        <Button
          variant="danger"
          onClick={() => {
            onClose();
            void revokeAgent(app, agent);
          }}
        >
          {t.connect.revoke}
        </Button>
      </div>
    </div>
  );
};
