import { useState, type FC } from "react";
import { Button } from "../../components/Button";
import { DialogPage } from "../../components/Dialog";
import { FieldError } from "../../components/Field";
import { Icon } from "../../components/Icon";
import { useAgents, useClients } from "../../data/queries";
import { toIpcError } from "../../ipc/ipcError";
import type { McpClient } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { ClientRow } from "./ClientRow";
import { byPresence } from "./clientWords";
import { ShowAgents } from "./ShowAgents";
import { ELSE, type Step } from "./steps";
import styles from "./Clients.module.css";

type Props = { from?: string; onStep: (step: Step) => void; onClose: () => void };

/** Which program to connect: those of this machine, the others it could have, or any else by hand. */
export const ClientsStep: FC<Props> = ({ from, onStep, onClose }) => {
  const { data, error } = useClients();
  return (
    <DialogPage
      label={t.connect.title}
      footer={
        <>
          <ShowAgents onClose={onClose} />
          <Button className={styles.end} onClick={onClose}>{t.app.close}</Button>
        </>
      }
    >
      <p className={styles.text}>{t.clients.text}</p>
      {data === undefined && error === null && <p className={styles.quiet} role="status">{t.clients.looking}</p>}
      {error !== null && <FieldError error={{ message: `${t.clients.failed}: ${error.message}`, hint: toIpcError(error).hint }} />}
      {data !== undefined && <Clients clients={data.clients} from={from} onPick={(client) => onStep({ at: "client", client })} />}
      <ul className={styles.rows} aria-label={t.clients.else}>
        <ClientRow name={t.clients.else} detail={t.clients.elseText} cameFrom={from === ELSE} onPick={() => onStep({ at: "by_hand", name: "", from: ELSE })} />
      </ul>
    </DialogPage>
  );
};

type ClientsProps = { clients: readonly McpClient[]; from?: string; onPick: (client: McpClient) => void };

const Clients: FC<ClientsProps> = ({ clients, from, onPick }) => {
  const agents = useAgents().data?.agents ?? [];
  const { found, others } = byPresence(clients);
  const [open, setOpen] = useState(found.length === 0 || others.some(({ id }) => id === from));
  const rows = (some: readonly McpClient[]) =>
    some.map((client) => (
      <ClientRow
        key={client.id}
        name={client.name}
        detail={client.file ?? t.clients.noFile}
        isPath={client.file !== undefined}
        isFound={client.is_installed}
        agent={agents.find(({ name }) => name === client.id)}
        cameFrom={from === client.id}
        onPick={() => onPick(client)}
      />
    ));
  return (
    <>
      {found.length > 0 ? <ul className={styles.rows} aria-label={t.clients.list}>{rows(found)}</ul> : <p className={styles.quiet}>{t.clients.none}</p>}
      {others.length > 0 && (
        <div className={styles.others}>
          <button type="button" className={styles.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name={open ? "chevron" : "chevronRight"} size={14} /> {t.clients.others(others.length)}
          </button>
          {open && <ul className={styles.rows} aria-label={t.clients.others(others.length)}>{rows(others)}</ul>}
        </div>
      )}
    </>
  );
};
