import { useState, type FC } from "react";
import { Button } from "../../components/Button";
import { CopyField } from "../../components/CopyField";
import { DialogPage } from "../../components/Dialog";
import { FieldError } from "../../components/Field";
import type { McpClient } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { Facts, type Fact } from "./Facts";
import { sentence } from "./clientWords";
import { titleOf, type Connected, type Step } from "./steps";
import { TeachForm } from "./TeachForm";
import { Tried } from "./Tried";
import { Undo } from "./Undo";
import { useAttach } from "./useAttach";
import styles from "./Client.module.css";

type Props = { client: McpClient; connected: Connected; onStep: (step: Step) => void; onClose: () => void };

/** What was written and whether it works; then what makes an agent use it. */
export const ConnectedStep: FC<Props> = ({ client, connected, onStep, onClose }) => {
  const [taught, setTaught] = useState<string | undefined>(undefined);
  const { overHttp, attached } = connected;
  const failed = attached.problem !== undefined;
  // A second trial finds the file right and keeps no copy; what was done stays told.
  const again = useAttach(client, (next) => onStep({ at: "connected", client, connected: { ...connected, attached: { ...next, backup: next.backup ?? attached.backup } } }));
  return (
    <DialogPage
      // What was pressed to try again is gone with the problem.
      key={String(failed)}
      label={titleOf({ at: "connected", client, connected })}
      footer={
        <>
          <div className={styles.said}>
            {again.busy && <p className={styles.quiet} role="status">{t.clients.testing}</p>}
            {again.error !== null && <FieldError error={again.error} />}
          </div>
          {failed && <Button busy={again.busy} onClick={() => void again.submit(overHttp)}>{t.app.retry}</Button>}
          <Button variant="primary" onClick={onClose}>{t.app.done}</Button>
        </>
      }
    >
      <Tried client={client} connected={connected} />
      <section className={styles.part} aria-label={t.clients.wrote}>
        <h3>{t.clients.wrote}</h3>
        <div className={styles.beside}>
          <Facts rows={[...factsOf(connected), ...(client.remark === "" ? [] : [{ name: t.clients.remark, value: sentence(client.remark) }])]} />
          <Undo client={client} left={{ token: overHttp, taught }} onStep={onStep} />
        </div>
      </section>
      {client.can_install && <TeachForm client={client} taught={taught} onTaught={setTaught} />}
      {!failed && (
        <section className={styles.part} aria-label={t.clients.first}>
          <h3>{t.clients.first}</h3>
          <CopyField label={t.clients.firstText(client.name)} text={t.agents.promptText} wrap />
        </section>
      )}
    </DialogPage>
  );
};

function factsOf({ wrote, attached: { file, backup } }: Connected): Fact[] {
  if (!wrote) return [{ name: t.clients.file, value: t.clients.unchanged(file) }];
  return [
    { name: t.clients.file, value: file, isPath: true },
    { name: t.clients.copy, value: backup ?? t.clients.noCopy, isPath: backup !== undefined },
  ];
}
