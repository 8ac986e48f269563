import type { FC } from "react";
import { Icon } from "../../components/Icon";
import { PlainText } from "../../components/PlainText";
import type { McpClient } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { sentence } from "./clientWords";
import type { Connected } from "./steps";
import styles from "./Client.module.css";

/** What the round trip showed; if it failed, what to do. */
export const Tried: FC<{ client: McpClient; connected: Connected }> = ({ client, connected: { overHttp, attached } }) => {
  if (attached.problem === undefined) {
    return (
      <div className={styles.passed} role="status">
        <Icon name="check" />
        <p><b>{t.clients.tried(attached.tools)}</b><br />{t.clients.triedText(client.name)}</p>
      </div>
    );
  }
  return (
    <div className={styles.problem} role="alert">
      <Icon name="warn" />
      <p><b><PlainText text={sentence(t.clients.trialFailed(attached.problem))} /></b><br />{overHttp ? t.clients.trialListener : t.clients.trialProcess}</p>
    </div>
  );
};
