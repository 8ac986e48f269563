import { useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Dialog } from "../../components/Dialog";
import { useGraphName, useTrash } from "../../data/queries";
import { t } from "../../strings";
import { emptyTrash, restore } from "./trashActs";
import type { TrashEntry } from "../../ipc/parts";
import { TrashFoot } from "./TrashFoot";
import { TrashRow } from "./TrashRow";
import styles from "./Trash.module.css";

export const TrashDialog: FC<{ onClose: () => void }> = ({ onClose }) => {
  const graph = useGraphName();
  return graph === null ? null : <TrashOf graph={graph} onClose={onClose} />;
};

/** What was deleted from this graph and can be had back, until its days are over. */
const TrashOf: FC<{ graph: string; onClose: () => void }> = ({ graph, onClose }) => {
  const app = useApp();
  const { data, error } = useTrash(graph);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const entries = data?.entries ?? [];
  // What went meanwhile is selected no more.
  const chosen = entries.filter(({ id }) => selected.has(id));
  const all = chosen.length === entries.length;
  const bringBack = async (wanted: readonly TrashEntry[]) => {
    setBusy(true);
    if (await restore(app, wanted)) onClose();
    else setBusy(false);
  };
  const empty = async () => {
    setBusy(true);
    await emptyTrash(app, chosen.length > 0 ? chosen.map(({ id }) => id) : null);
    setAsking(false);
    setBusy(false);
  };
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  return (
    <Dialog
      title={t.trash.title}
      width={640}
      onClose={asking ? () => setAsking(false) : onClose}
      footer={entries.length > 0 && <TrashFoot total={data?.total ?? 0} chosen={chosen.length} busy={busy} asking={asking} onAsk={setAsking} onEmpty={() => void empty()} onRestore={() => void bringBack(chosen)} />}
    >
      {data === undefined && <p className={styles.quiet} role={error === null ? "status" : "alert"}>{error === null ? t.detail.loading : `${t.trash.failed}: ${error.message}`}</p>}
      {data !== undefined && entries.length === 0 && (
        <div className={styles.none}>
          <p className={styles.noneTitle}>{t.trash.none}</p>
          <p>{t.trash.noneText}</p>
        </div>
      )}
      {entries.length > 0 && (
        <>
          <p className={styles.text}>{t.trash.text}</p>
          <div className={styles.list}>
            <label className={styles.head}>
              <input
                type="checkbox"
                checked={all}
                ref={(box) => {
                  if (box !== null) box.indeterminate = chosen.length > 0 && !all;
                }}
                onChange={() => setSelected(new Set(all ? [] : entries.map(({ id }) => id)))}
              />
              {chosen.length === 0 ? t.trash.selectAll : t.trash.selected(chosen.length)}
            </label>
            <ul className={styles.rows}>
              {entries.map((entry) => <TrashRow key={entry.id} entry={entry} selected={selected.has(entry.id)} busy={busy} onToggle={() => toggle(entry.id)} onRestore={() => void bringBack([entry])} />)}
            </ul>
          </div>
          {data !== undefined && data.total > entries.length && <p className={styles.quiet}>{t.trash.cut(entries.length, data.total)}</p>}
        </>
      )}
    </Dialog>
  );
};
