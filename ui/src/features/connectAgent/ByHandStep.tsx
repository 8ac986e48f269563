import { useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { DialogPage } from "../../components/Dialog";
import { Field, TextInput } from "../../components/Field";
import { Icon } from "../../components/Icon";
import { useAgents, useAppInfo } from "../../data/queries";
import { visibleText } from "../../graph/text/visibleText";
import { useSubmit } from "../../hooks/useSubmit";
import type { AgentConnection } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { ConnectionView } from "./ConnectionView";
import { ShowAgents } from "./ShowAgents";
import styles from "./Connect.module.css";

type Props = { name: string; onBack?: () => void; onClose: () => void };

/** Give an agent a name and a token of its own, to be copied into whatever client there is. */
export const ByHandStep: FC<Props> = ({ name: given, onBack, onClose }) => {
  const { host } = useApp();
  const problem = useAppInfo().data?.listener_problem;
  const agents = useAgents().data?.agents;
  const [name, setName] = useState(given);
  const [connection, setConnection] = useState<AgentConnection | null>(null);
  const { submit, busy, error } = useSubmit(async () => setConnection(await host.call("connect_agent", { name: name.trim() })));
  const known = agents?.find((agent) => agent.has_token && agent.name.toLowerCase() === name.trim().toLowerCase());
  const footer = (
    <>
      {onBack !== undefined && <Button variant="quiet" onClick={onBack}>{t.clients.back}</Button>}
      <ShowAgents onClose={onClose} />
      <Button className={styles.end} onClick={onClose}>{t.app.done}</Button>
    </>
  );
  return (
    <DialogPage label={t.connect.title} footer={footer}>
      {problem !== undefined && (
        <div className={styles.problem} role="alert">
          <Icon name="warn" />
          <p><b>{t.connect.problem}.</b> {problem}</p>
        </div>
      )}
      {connection === null ? (
        <>
          <p className={styles.text}>{t.connect.text}</p>
          <form
            className={styles.form}
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <div className={styles.grow}>
              <Field label={t.connect.name} hint={known === undefined ? t.connect.nameHint : t.connect.replaces(visibleText(known.name))} error={error}>
                {({ id, describedBy, invalid }) => <TextInput id={id} aria-describedby={describedBy} invalid={invalid} value={name} onText={setName} placeholder={t.connect.placeholder} data-autofocus />}
              </Field>
            </div>
            <Button variant="primary" type="submit" className={styles.create} disabled={busy || name.trim() === ""}>{t.connect.create}</Button>
          </form>
        </>
      ) : (
        <ConnectionView
          connection={connection}
          onAnother={() => {
            setConnection(null);
            setName("");
          }}
        />
      )}
    </DialogPage>
  );
};
