import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { FieldError } from "../../components/Field";
import { keys } from "../../data/keys";
import { useSubmit } from "../../hooks/useSubmit";
import type { McpClient } from "../../ipc/generated/wire";
import { t } from "../../strings";
import type { Left, Step } from "./steps";
import styles from "./Client.module.css";

type Props = { client: McpClient; left: Left; onStep: (step: Step) => void };

/** Takes the configuration back. Not asked again: connecting anew is as easy. */
export const Undo: FC<Props> = ({ client, left, onStep }) => {
  const { host, queries } = useApp();
  const { submit, busy, error } = useSubmit(async () => {
    const detached = await host.call("detach_client", { name: client.id });
    onStep({ at: "undone", client, detached, left });
    await queries.invalidateQueries({ queryKey: keys.clients });
  });
  return (
    <div className={styles.act}>
      <Button icon="undo" busy={busy} onClick={() => void submit()}>{busy ? t.clients.undoing : t.clients.undo}</Button>
      {error !== null && <FieldError error={error} />}
    </div>
  );
};
