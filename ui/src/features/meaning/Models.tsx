import { useEffect, useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { PlainText } from "../../components/PlainText";
import { keys } from "../../data/keys";
import { useModels } from "../../data/queries";
import { visibleText } from "../../graph/text/visibleText";
import type { InstalledModel, ModelList } from "../../ipc/generated/wire";
import { t } from "../../strings";
import styles from "./Meaning.module.css";

/** The embedding models of this machine: choosing one, getting another, removing what is not used. */
export const Models: FC<{ onChange: () => void }> = ({ onChange }) => {
  const { host, queries, toaster } = useApp();
  const models = useModels().data;
  const [doing, setDoing] = useState<string | null>(null);
  const isDone = models?.job?.is_done;
  // What was installed may be what this graph waits for.
  useEffect(() => {
    if (isDone === true) onChange();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when it is done
  }, [isDone]);
  if (models === undefined) return null;
  const act = async (name: string, what: () => Promise<unknown>) => {
    setDoing(name);
    try {
      await what();
    } catch (thrown) {
      toaster.fail(thrown, t.meaning.failed);
    }
    setDoing(null);
    await queries.invalidateQueries({ queryKey: keys.models });
    onChange();
  };
  const install = (name?: string) => void act(name ?? models.default_model, () => host.call("install_model", name === undefined ? {} : { name }));
  return (
    <section className={styles.models} aria-label={t.meaning.models}>
      <h3 className={styles.head}>{t.meaning.models}</h3>
      {models.installed.length > 0 && (
        <ul className={styles.list}>
          {models.installed.map((model) => (
            <ModelRow
              key={model.name}
              model={model}
              inUse={model.name === models.in_use}
              canChoose={host.kind === "window" && !models.is_fixed && doing === null}
              isTried={doing === model.name}
              onUse={() => void act(model.name, () => host.call("use_model", { name: model.name }))}
              onRemove={() => void act(model.name, () => host.call("remove_model", { name: model.name }))}
            />
          ))}
        </ul>
      )}
      {models.is_fixed && <p className={styles.note}>{t.meaning.fixed}</p>}
      {host.kind === "window" ? <Getting models={models} onInstall={install} /> : <p className={styles.note}>{t.meaning.inWindow}</p>}
    </section>
  );
};

const ModelRow: FC<{ model: InstalledModel; inUse: boolean; canChoose: boolean; isTried: boolean; onUse: () => void; onRemove: () => void }> = ({ model, inUse, canChoose, isTried, onUse, onRemove }) => (
  <li className={styles.row} aria-current={inUse || undefined}>
    <span className={styles.name}>
      <PlainText text={model.name} />
      <span className={model.problem === undefined ? styles.note : styles.warn}>{model.problem === undefined ? t.meaning.numbers(model.dimension) : <PlainText text={model.problem} />}</span>
    </span>
    {inUse && <span className={styles.badge}>{t.meaning.inUse}</span>}
    {isTried && !inUse && <span className={styles.note} role="status">{t.meaning.trying}</span>}
    {!inUse && canChoose && !model.is_foreign && <Button variant="quiet" aria-label={t.meaning.removeModel(visibleText(model.name))} onClick={onRemove}>{t.meaning.remove}</Button>}
    {!inUse && canChoose && model.problem === undefined && <Button aria-label={t.meaning.useModel(visibleText(model.name))} onClick={onUse}>{t.meaning.use}</Button>}
  </li>
);

/** The default model where it is missing; else one of the others by name. */
const Getting: FC<{ models: ModelList; onInstall: (name?: string) => void }> = ({ models, onInstall }) => {
  const [wanted, setWanted] = useState("");
  const { job } = models;
  if (job !== undefined && !job.is_done) {
    return (
      <p className={styles.job} role="status">
        <span>{t.meaning.getting(visibleText(job.model))}</span>
        <span className={styles.note}><PlainText text={job.told} /></span>
      </p>
    );
  }
  const known = new Set(models.installed.map((model) => model.name));
  return (
    <>
      {job?.problem !== undefined && <p className={styles.warn} role="alert"><PlainText text={job.problem} /></p>}
      {job !== undefined && job.problem === undefined && <p className={styles.note} role="status">{t.meaning.got(visibleText(job.model))}</p>}
      {models.has_default ? (
        <div className={styles.get}>
          <label className={styles.field}>
            {t.meaning.another}
            <select className={styles.select} value={wanted} onChange={(event) => setWanted(event.target.value)}>
              <option value="">{t.meaning.choose}</option>
              {models.available.filter((model) => !known.has(model.name)).map((model) => (
                <option key={model.name} value={model.name}>{`${model.name} — ${model.description}`}</option>
              ))}
            </select>
          </label>
          <Button disabled={wanted === ""} onClick={() => onInstall(wanted)}>{t.meaning.get}</Button>
          <p className={styles.note}>{t.meaning.getAbout}</p>
        </div>
      ) : (
        <div className={styles.get}>
          <Button variant="primary" onClick={() => onInstall()}>{t.meaning.install}</Button>
          <p className={styles.note}>{t.meaning.installAbout}</p>
        </div>
      )}
    </>
  );
};
