import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { PlainText } from "../../components/PlainText";
import { keys } from "../../data/keys";
import { useGraphName, useMeaning } from "../../data/queries";
import { visibleText } from "../../graph/text/visibleText";
import { t } from "../../strings";
import { meaningLine } from "./meaningLine";
import { Models } from "./Models";
import styles from "./Meaning.module.css";

/** All about search by meaning: the model, how far the open graph is, and what can be done. */
export const MeaningDialog: FC<{ onClose: () => void }> = ({ onClose }) => {
  const { host, queries, toaster } = useApp();
  const graph = useGraphName();
  const status = useMeaning(graph, true).data;
  const refresh = async () => {
    if (graph !== null) await queries.invalidateQueries({ queryKey: keys.meaning(graph) });
  };
  const act = async (what: () => Promise<unknown>) => {
    try {
      await what();
    } catch (thrown) {
      toaster.fail(thrown, t.meaning.failed);
    }
    await refresh();
  };
  const works = status !== undefined && status.state !== "off" && status.state !== "missing";
  return (
    <Dialog title={t.meaning.title} width={440} onClose={onClose}>
      <div className={styles.body}>
        <p className={styles.about}>{t.meaning.about}</p>
        {status !== undefined && graph !== null && (
          <>
            <dl className={styles.facts}>
              <dt>{t.meaning.model}</dt>
              <dd>{status.model === undefined ? t.meaning.none : <PlainText text={status.model} />}</dd>
              <dt>{t.meaning.state}</dt>
              <dd className={meaningLine(status).warns ? styles.warn : undefined}>{meaningLine(status).text}</dd>
              {works && (
                <>
                  <dt>{t.meaning.texts}</dt>
                  <dd>{t.meaning.made(Math.max(0, status.texts - status.pending - status.failed), status.texts)}</dd>
                </>
              )}
              {status.failed > 0 && (
                <>
                  <dt>{t.meaning.failedTexts}</dt>
                  <dd className={styles.warn}>{t.meaning.failedCount(status.failed)}</dd>
                </>
              )}
            </dl>
            {status.problem !== undefined && <p className={styles.problem}><PlainText text={status.problem} /></p>}
            {status.other_model !== undefined && <p className={styles.problem}>{t.meaning.other(visibleText(status.other_model))}</p>}
            {status.state === "off" && (
              <div className={styles.buttons}>
                <Button variant="primary" onClick={() => void act(() => host.call("switch_meaning", { on: true }))}>{t.meaning.switchOn}</Button>
              </div>
            )}
            {works && (
              <div className={styles.buttons}>
                <Button variant="quiet" onClick={() => void act(() => host.call("switch_meaning", { on: false }))}>{t.meaning.switchOff}</Button>
                <Button onClick={() => void act(() => host.call("pause_meaning", { paused: !status.is_paused }))}>{status.is_paused ? t.meaning.resume : t.meaning.pause}</Button>
                <Button variant={status.other_model !== undefined ? "primary" : undefined} onClick={() => void act(() => host.call("reembed", { graph }))}>{t.meaning.anew}</Button>
              </div>
            )}
          </>
        )}
        {status !== undefined && status.state !== "off" && <Models onChange={() => void refresh()} />}
      </div>
    </Dialog>
  );
};
