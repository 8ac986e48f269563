import type { FC } from "react";
import { Button } from "../../components/Button";
import { FieldError } from "../../components/Field";
import { Icon } from "../../components/Icon";
import type { ClientPlan, McpClient } from "../../ipc/generated/wire";
import { toIpcError } from "../../ipc/ipcError";
import { t } from "../../strings";
import { sentence, stateOf } from "./clientWords";
import { DiffView } from "./DiffView";
import { Facts } from "./Facts";
import { parseDiff } from "./parseDiff";
import type { Step } from "./steps";
import { Undo } from "./Undo";
import styles from "./Client.module.css";

type Props = {
  client: McpClient;
  overHttp: boolean;
  plan: ClientPlan | undefined;
  error: Error | null;
  /** It is connected the other way. */
  replaces: boolean;
  onAgain: () => void;
  onStep: (step: Step) => void;
};

/** The change of a client's file; or that there is none to make; or why its file cannot be worked with. */
export const PlanView: FC<Props> = ({ client, overHttp, plan, error, replaces, onAgain, onStep }) => {
  if (error !== null) {
    const { message, hint } = toIpcError(error);
    return (
      <section className={styles.part} aria-label={t.clients.change}>
        <h3>{t.clients.change}</h3>
        <FieldError error={{ message: `${t.clients.notRead}: ${sentence(message)}`, hint }} />
        <div className={styles.buttons}>
          <Button onClick={onAgain}>{t.app.retry}</Button>
          <Button variant="quiet" onClick={() => onStep({ at: "by_hand", name: client.id, from: client.id })}>{t.clients.byHand}</Button>
        </div>
      </section>
    );
  }
  if (plan === undefined) return <p className={styles.quiet} role="status">{t.clients.reading}</p>;
  const state = stateOf(plan);
  if (state === "needed") {
    return (
      <section className={styles.part} aria-label={t.clients.change}>
        <h3>{t.clients.change}</h3>
        {replaces && <p className={styles.text}>{t.clients.replaces}</p>}
        <DiffView file={plan.file} text={plan.diff} />
        <p className={styles.quiet}>{parseDiff(plan.diff).isNewFile ? t.clients.makes : t.clients.keeps}</p>
      </section>
    );
  }
  return (
    <section className={styles.card} aria-label={t.clients.isConnected(client.name)}>
      <p className={styles.good}><Icon name="check" /> <b>{t.clients.isConnected(client.name)}</b></p>
      <p className={styles.text}>{state === "renews" ? t.clients.isCalling : t.clients.isRight}</p>
      <Facts rows={[{ name: t.clients.file, value: plan.file, isPath: true }]} />
      <Undo client={client} left={{ token: overHttp }} onStep={onStep} />
    </section>
  );
};
