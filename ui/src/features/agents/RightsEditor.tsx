import { useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { FieldError } from "../../components/Field";
import { PlainText } from "../../components/PlainText";
import { keys } from "../../data/keys";
import { useGraphs } from "../../data/queries";
import { visibleText } from "../../graph/text/visibleText";
import { useSubmit } from "../../hooks/useSubmit";
import { IpcError } from "../../ipc/ipcError";
import type { AgentRights } from "../../ipc/parts";
import { t } from "../../strings";
import { formOf, graphChoices, LEVELS, rightsOf, toggleGraph, type RightsForm } from "./rightsForm";
import styles from "./Agents.module.css";

type Props = { agent: string; rights: AgentRights; onClose: () => void };

/** What an agent may do, said where the agent stands. Its rights may change elsewhere meanwhile; saving says them anew. */
export const RightsEditor: FC<Props> = ({ agent, rights, onClose }) => {
  const { host, queries } = useApp();
  const graphs = useGraphs().data?.graphs ?? [];
  const [form, setForm] = useState<RightsForm>(() => formOf(rights));
  const { submit, busy, error, clear } = useSubmit(async () => {
    const wanted = rightsOf(form);
    if (wanted === null) throw new IpcError("invalid_argument", t.rights.chooseOne);
    await host.call("set_agent_rights", { name: agent, rights: wanted });
    onClose();
    await queries.invalidateQueries({ queryKey: keys.agents });
  });
  const change = (next: RightsForm) => {
    clear();
    setForm(next);
  };
  return (
    <form
      className={styles.box}
      aria-label={t.rights.title(visibleText(agent))}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <fieldset className={styles.choices}>
        <legend>{t.rights.write}</legend>
        {LEVELS.map((level) => (
          <label key={level} className={styles.choice}>
            <input type="radio" name="level" checked={form.level === level} autoFocus={form.level === level} onChange={() => change({ ...form, level })} />
            <span>{t.rights.levels[level]}<span className={styles.hint}>{t.rights.hints[level]}</span></span>
          </label>
        ))}
      </fieldset>
      <fieldset className={styles.choices}>
        <legend>{t.rights.graphs}</legend>
        {[true, false].map((everywhere) => (
          <label key={String(everywhere)} className={styles.choice}>
            <input type="radio" name="everywhere" checked={form.everywhere === everywhere} onChange={() => change({ ...form, everywhere })} />
            <span>{everywhere ? t.rights.all : t.rights.some}</span>
          </label>
        ))}
        {!form.everywhere && (
          <div className={styles.graphs}>
            {graphChoices(graphs.map(({ name }) => name), rights.graphs).map(({ name, isHere }) => (
              <label key={name} className={styles.choice}>
                <input type="checkbox" checked={form.graphs.has(name)} onChange={() => change(toggleGraph(form, name))} />
                <span className={styles.ellipsis}><PlainText text={name} title />{!isHere && <span className={styles.quiet}> {t.rights.gone}</span>}</span>
              </label>
            ))}
          </div>
        )}
      </fieldset>
      {error !== null && <FieldError error={error} />}
      <div className={styles.boxButtons}>
        <Button variant="quiet" onClick={onClose}>{t.app.cancel}</Button>
        <Button variant="primary" type="submit" disabled={busy}>{t.app.save}</Button>
      </div>
    </form>
  );
};
