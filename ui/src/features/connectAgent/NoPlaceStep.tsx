import { useState, type FC } from "react";
import { Button } from "../../components/Button";
import { DialogPage } from "../../components/Dialog";
import type { McpClient } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { ClientFacts } from "./ClientFacts";
import type { Step } from "./steps";
import { TeachForm } from "./TeachForm";
import styles from "./Client.module.css";

type Props = { client: McpClient; onStep: (step: Step) => void; onBack: () => void };

/** A client whose vendor names no file of the user's: nothing is guessed; it is configured by hand, and may be taught. */
export const NoPlaceStep: FC<Props> = ({ client, onStep, onBack }) => {
  const [taught, setTaught] = useState<string | undefined>(undefined);
  return (
    <DialogPage
      label={t.clients.title(client.name)}
      footer={
        <>
          <Button variant="quiet" className={styles.start} onClick={onBack}>{t.clients.back}</Button>
          <Button variant="primary" onClick={() => onStep({ at: "by_hand", name: client.id, from: client.id })}>{t.clients.byHand}</Button>
        </>
      }
    >
      <p className={styles.text}>{t.clients.noPlace(client.name)}</p>
      <ClientFacts client={client} />
      {client.can_install && <TeachForm client={client} taught={taught} onTaught={setTaught} />}
    </DialogPage>
  );
};
