import type { FC } from "react";
import { useAppInfo } from "../../data/queries";
import { visibleText } from "../../graph/text/visibleText";
import type { McpClient } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { sentence } from "./clientWords";
import styles from "./Client.module.css";

type Props = { client: McpClient; overHttp: boolean; choices: number; disabled: boolean; onPick: (overHttp: boolean) => void };

/** How a client reaches this memory, where there is a choice; else the one way, and why it is the only one. */
export const WayChoice: FC<Props> = ({ client, overHttp, choices, disabled, onPick }) => {
  const info = useAppInfo().data;
  if (choices < 2) {
    const problem = client.can_http ? info?.listener_problem : undefined;
    return (
      <p className={styles.text}>
        {t.clients.onlyProcess}
        {problem !== undefined && <> {sentence(t.clients.listenerDown(visibleText(problem)))}</>}
      </p>
    );
  }
  return (
    <fieldset className={styles.choices} disabled={disabled}>
      <legend>{t.clients.way}</legend>
      {[false, true].map((way) => (
        <label key={String(way)} className={styles.choice}>
          <input type="radio" name="way" checked={overHttp === way} onChange={() => onPick(way)} />
          <span>
            {way ? t.clients.listener : t.clients.ownProcess}
            <span className={styles.hint}>{way ? t.clients.listenerText : t.clients.ownProcessText}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
};
