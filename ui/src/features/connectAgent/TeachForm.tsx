import { useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { FieldError } from "../../components/Field";
import { Icon } from "../../components/Icon";
import { visibleText } from "../../graph/text/visibleText";
import { useSubmit } from "../../hooks/useSubmit";
import type { McpClient } from "../../ipc/generated/wire";
import { t } from "../../strings";
import styles from "./Client.module.css";

const DOMAINS = ["code", "research", "general"] as const;

type Props = { client: McpClient; taught: string | undefined; onTaught: (file: string | undefined) => void };

/** Tools alone do not say when to use them: instructions, written where the client's agents read them. */
export const TeachForm: FC<Props> = ({ client, taught, onTaught }) => {
  const { host } = useApp();
  const [domain, setDomain] = useState<(typeof DOMAINS)[number]>("general");
  const { submit, busy, error } = useSubmit(async () => onTaught((await host.call("teach_client", { client: client.id, domain })).file));
  return (
    <section className={styles.part} aria-label={t.clients.teach}>
      <h3>{t.clients.teach}</h3>
      <p className={styles.text}>{t.clients.teachText}</p>
      <div className={styles.beside}>
        <fieldset className={styles.domains}>
          <legend>{t.clients.domain}</legend>
          {DOMAINS.map((each) => (
            <label key={each} className={styles.domain} title={t.clients.domainTexts[each]}>
              <input type="radio" name="domain" checked={domain === each} onChange={() => setDomain(each)} />
              {t.clients.domains[each]}
            </label>
          ))}
        </fieldset>
        <Button busy={busy} onClick={() => void submit()}>{busy ? t.clients.teaching : t.clients.teach}</Button>
      </div>
      <p className={styles.quiet}>{t.clients.domainTexts[domain]}</p>
      {error !== null && <FieldError error={error} />}
      {taught !== undefined && error === null && <p className={styles.good} role="status"><Icon name="check" size={14} /> <span data-selectable>{t.clients.taught(visibleText(taught))}</span></p>}
    </section>
  );
};
