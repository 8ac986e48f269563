import type { FC } from "react";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { PlainText } from "../../components/PlainText";
import { visibleText } from "../../graph/text/visibleText";
import { useNow } from "../../hooks/useNow";
import type { TrashEntry } from "../../ipc/parts";
import { actorName, t } from "../../strings";
import { ago, dateOf, exactTime } from "../../time";
import { TypeMark } from "../entity/TypeMark";
import { daysLeft, shortLabel } from "./trashWords";
import styles from "./Trash.module.css";

type Props = { entry: TrashEntry; selected: boolean; busy: boolean; onToggle: () => void; onRestore: () => void };

/** One thing that was deleted: what it was, what went with it, who did it, and until when it is there. */
export const TrashRow: FC<Props> = ({ entry, selected, busy, onToggle, onRestore }) => {
  const now = useNow();
  const { kind, label, detail, observations, relationships, by, expires_at: expires } = entry;
  const short = visibleText(shortLabel(label));
  const went = observations + relationships > 0 ? t.trash.withIt(observations, relationships) : "";
  return (
    <li className={styles.row}>
      <label className={styles.pick}><input type="checkbox" checked={selected} aria-label={t.trash.select(short)} onChange={onToggle} /></label>
      <span className={styles.mark} title={t.trash.kinds(kind)}>{kind === "entity" ? <TypeMark type={detail} /> : <Icon name={kind === "relationship" ? "relation" : "file"} size={14} />}</span>
      <div className={styles.texts}>
        <PlainText text={label.slice(0, 400)} className={styles.label} title />
        <span className={styles.what}>
          <span>{t.trash.kinds(kind)}</span>
          {detail !== "" && <PlainText text={kind === "observation" ? t.trash.about(detail) : detail} className={styles.detail} title />}
          {went !== "" && <span>{went}</span>}
        </span>
        <span className={styles.what}>
          <span className={styles.detail} title={exactTime(by.time)}>{t.trash.deletedBy(visibleText(actorName(by.actor, by.is_agent)), ago(by.time, now))}</span>
          <span title={dateOf(expires)}>{t.trash.goneIn(daysLeft(expires, now))}</span>
        </span>
      </div>
      <Button aria-label={t.trash.restoreOne(short)} disabled={busy} onClick={onRestore}>{t.trash.restore}</Button>
    </li>
  );
};
