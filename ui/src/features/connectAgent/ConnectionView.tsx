import { useState, type FC } from "react";
import { Button } from "../../components/Button";
import { CopyField } from "../../components/CopyField";
import { Icon } from "../../components/Icon";
import type { AgentConnection } from "../../ipc/generated/wire";
import { t } from "../../strings";
import styles from "./Connect.module.css";

type Props = { connection: AgentConnection; onAnother: () => void };

/** The token, this once, and the two ways to hand it to a client. */
export const ConnectionView: FC<Props> = ({ connection, onAnother }) => {
  const [way, setWay] = useState<"http" | "stdio">("http");
  const http = way === "http";
  return (
    <section className={styles.connection} aria-label={connection.name}>
      <p className={styles.once}><Icon name="check" /> <b>{connection.name}</b> — {t.connect.tokenOnce}</p>
      <CopyField label={t.connect.token} text={connection.token} />
      <CopyField label={t.connect.url} text={connection.url} />
      <div className={styles.ways} role="radiogroup" aria-label={t.connect.http}>
        {(["http", "stdio"] as const).map((each) => (
          <button key={each} type="button" role="radio" aria-checked={way === each} className={styles.way} onClick={() => setWay(each)}>{t.connect[each]}</button>
        ))}
      </div>
      <CopyField label={http ? t.connect.httpText : t.connect.stdioText} text={http ? connection.http_config : connection.stdio_config} block />
      <div><Button variant="quiet" icon="plus" onClick={onAnother}>{t.connect.another}</Button></div>
    </section>
  );
};
