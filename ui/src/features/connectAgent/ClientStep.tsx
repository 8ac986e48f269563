import { useState, type FC } from "react";
import { Button } from "../../components/Button";
import { DialogPage } from "../../components/Dialog";
import { FieldError } from "../../components/Field";
import { useAppInfo, useClientPlans } from "../../data/queries";
import type { McpClient } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { ClientFacts } from "./ClientFacts";
import { firstWay, stateOf } from "./clientWords";
import { PlanView } from "./PlanView";
import type { Step } from "./steps";
import { useAttach } from "./useAttach";
import { WayChoice } from "./WayChoice";
import styles from "./Client.module.css";

type Props = { client: McpClient; onStep: (step: Step) => void; onBack: () => void };

/** What connecting a client changes, shown before it is done. */
export const ClientStep: FC<Props> = ({ client, onStep, onBack }) => {
  const listener = useAppInfo().data?.mcp_url;
  const ways = client.can_http && listener !== undefined ? [false, true] : [false];
  const plans = useClientPlans(client.id, ways);
  const [picked, setPicked] = useState<boolean | null>(null);
  const overHttp = picked ?? firstWay(ways.map((way, at) => ({ overHttp: way, plan: plans[at]?.data })));
  const { data: plan, error, refetch } = plans[ways.indexOf(overHttp)] ?? plans[0]!;
  // Before all are known it is not clear which way it goes already.
  const waiting = picked === null && plans.some(({ isPending }) => isPending);
  const attach = useAttach(client, (attached) => onStep({ at: "connected", client, connected: { overHttp, wrote: plan?.is_needed === true, attached } }));
  const replaces = plans.some(({ data }, at) => ways[at] !== overHttp && data !== undefined && stateOf(data) !== "needed");
  const isNew = plan === undefined || stateOf(plan) === "needed";
  const [act, acting] = isNew ? [t.clients.connect(client.name), t.clients.connecting] : [t.clients.testAgain, t.clients.testing];
  return (
    <DialogPage
      label={t.clients.title(client.name)}
      footer={
        <>
          <Button variant="quiet" onClick={onBack}>{t.clients.back}</Button>
          <div className={styles.said}>
            {attach.busy && <p className={styles.quiet} role="status">{t.clients.trying}</p>}
            {attach.error !== null && <FieldError error={attach.error} />}
          </div>
          <Button variant="primary" busy={attach.busy} disabled={waiting || plan === undefined || error !== null} onClick={() => void attach.submit(overHttp)}>{attach.busy ? acting : act}</Button>
        </>
      }
    >
      <WayChoice client={client} overHttp={overHttp} choices={ways.length} disabled={attach.busy || waiting} onPick={setPicked} />
      {waiting ? (
        <p className={styles.quiet} role="status">{t.clients.reading}</p>
      ) : (
        <PlanView client={client} overHttp={overHttp} plan={plan} error={error} replaces={replaces} onAgain={() => void refetch()} onStep={onStep} />
      )}
      <ClientFacts client={client} />
    </DialogPage>
  );
};
