import { useEffect, useRef, useState, type FC, type KeyboardEvent } from "react";
import { useApp } from "../../app/AppContext";
import { Dialog } from "../../components/Dialog";
import { Icon } from "../../components/Icon";
import { PlainText } from "../../components/PlainText";
import { useGraphName, useGraphs, useSearch } from "../../data/queries";
import { useDebounced } from "../../hooks/useDebounced";
import { t } from "../../strings";
import { TypeMark } from "../entity/TypeMark";
import { commandEntries, graphEntries, type Entry } from "./entries";
import styles from "./Palette.module.css";

const ENTITIES = 8;

/** One box for entities, graphs and commands. Enter goes there. */
export const CommandPalette: FC<{ onClose: () => void }> = ({ onClose }) => {
  const app = useApp();
  const graph = useGraphName();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const query = useDebounced(text, 80);
  const hits = useSearch(graph, query, null, ENTITIES).data?.hits;
  const graphs = useGraphs().data?.graphs ?? [];
  const entities: Entry[] = text.trim() === "" ? [] : (hits ?? []).map((hit) => ({
    key: hit.id, group: t.palette.entities, label: hit.name, aside: hit.entity_type, mark: <TypeMark type={hit.entity_type} />, run: () => app.scene.reveal(hit.id),
  }));
  const entries = [...entities, ...commandEntries(app, text), ...graphEntries(app, graphs, text)];
  const at = Math.min(active, entries.length - 1);

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    // After the dialog has given the focus back: the command may want it elsewhere.
    setTimeout(entry.run, 0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") setActive((at + 1) % Math.max(1, entries.length));
    else if (event.key === "ArrowUp") setActive((at - 1 + entries.length) % Math.max(1, entries.length));
    else if (event.key === "Enter") run(entries[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t.palette.label} width={560} onClose={onClose} bare>
      <div className={styles.head}>
        <Icon name="search" />
        <input
          data-autofocus
          className={styles.input}
          dir="auto"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={entries.length > 0 ? `palette-${at}` : undefined}
          aria-label={t.palette.label}
          placeholder={t.palette.placeholder}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} id="palette-list" role="listbox" aria-label={t.palette.label} className={styles.list}>
        {entries.length === 0 && <p className={styles.none}>{t.palette.none}</p>}
        {entries.map((entry, index) => (
          <div key={`${entry.group}/${entry.key}`}>
            {entry.group !== entries[index - 1]?.group && <div className={styles.group} aria-hidden="true">{entry.group}</div>}
            <div id={`palette-${index}`} role="option" aria-selected={index === at} className={styles.entry} onMouseMove={() => setActive(index)} onClick={() => run(entry)}>
              <span className={styles.mark}>{entry.mark}</span>
              <PlainText text={entry.label} className={styles.label} />
              {entry.aside !== undefined && <PlainText text={entry.aside} className={styles.aside} />}
            </div>
          </div>
        ))}
      </div>
    </Dialog>
  );
};
