import type { FC } from "react";
import { Button } from "../../components/Button";
import { DialogPage } from "../../components/Dialog";
import { Icon } from "../../components/Icon";
import { visibleText } from "../../graph/text/visibleText";
import type { ClientDetached, McpClient } from "../../ipc/generated/wire";
import { t } from "../../strings";
import type { Left } from "./steps";
import styles from "./Client.module.css";

type Props = { client: McpClient; detached: ClientDetached; left: Left; onBack: () => void; onClose: () => void };

/** What became of the file, and what is still there. */
export const UndoneStep: FC<Props> = ({ client, detached: { file, status }, left, onBack, onClose }) => (
  <DialogPage
    label={t.clients.undone(client.name)}
    footer={
      <>
        <Button variant="quiet" className={styles.start} onClick={onBack}>{t.clients.another}</Button>
        <Button variant="primary" onClick={onClose}>{t.app.done}</Button>
      </>
    }
  >
    <div className={styles.passed} role="status">
      <Icon name="undo" />
      <div className={styles.lines}>
        <p><b>{t.clients.undoneTo(status, visibleText(file))}</b></p>
        {left.token && <p>{t.clients.tokenStays}</p>}
        {left.taught !== undefined && <p>{t.clients.taughtStays(visibleText(left.taught))}</p>}
      </div>
    </div>
  </DialogPage>
);
