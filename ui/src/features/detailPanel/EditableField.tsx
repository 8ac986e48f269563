import { useEffect, useRef, type FC, type KeyboardEvent, type ReactNode } from "react";
import { FieldError } from "../../components/Field";
import { visibleText } from "../../graph/text/visibleText";
import { t } from "../../strings";
import { ClashChoice } from "./ClashChoice";
import { AutoTextArea } from "./AutoTextArea";
import { Combobox } from "../../components/Combobox";
import type { FieldEdit } from "./useFieldEdit";
import styles from "./Fields.module.css";

type Props = {
  edit: FieldEdit;
  label: string;
  /** Several lines: Enter breaks the line, Ctrl+Enter saves. */
  multiline?: boolean;
  mono?: boolean;
  suggestions?: readonly string[];
  inputClass?: string;
  entry?: boolean;
  /** How the value looks at rest. */
  children: ReactNode;
};

/** A value that turns into a field where it stands. Leaving it saves; Esc puts back what was there. */
export const EditableField: FC<Props> = ({ edit, label, multiline = false, mono = false, suggestions, inputClass = "", entry = false, children }) => {
  const { draft } = edit;
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const rest = useRef<HTMLDivElement>(null);
  const editing = draft !== undefined;
  const returning = useRef(false);

  useEffect(() => {
    if (editing) {
      input.current?.focus();
      input.current?.select();
    } else if (returning.current) {
      returning.current = false;
      rest.current?.focus();
    }
  }, [editing]);

  if (!editing) {
    const begin = () => {
      // A click that ended a text selection wanted the text.
      if (window.getSelection()?.isCollapsed !== false) edit.begin();
    };
    return (
      <div
        ref={rest}
        role="button"
        tabIndex={0}
        aria-label={`${t.detail.edit}: ${label}`}
        data-selectable
        data-pane-entry={entry || undefined}
        className={styles.rest}
        onClick={begin}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          edit.begin();
        }}
      >
        {children}
      </div>
    );
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      returning.current = true;
      edit.cancel();
    } else if (event.key === "Enter" && (!multiline || event.ctrlKey || event.metaKey)) {
      returning.current = true;
      void edit.save();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shared = {
    ref: input,
    className: `${styles.input} ${mono ? styles.mono : ""} ${inputClass}`,
    "aria-label": label,
    "aria-invalid": draft.error !== undefined || undefined,
    value: draft.text,
    onKeyDown,
    onBlur: () => void edit.save(),
  };
  return (
    <div className={styles.editing}>
      {multiline ? (
        <AutoTextArea {...shared} onText={edit.change} />
      ) : suggestions === undefined ? (
        <input type="text" dir="auto" autoComplete="off" spellCheck={false} onChange={(event) => edit.change(event.target.value)} {...shared} />
      ) : (
        <Combobox {...shared} onText={edit.change} options={suggestions.map((suggestion) => ({ key: suggestion, label: suggestion }))} onPick={edit.change} />
      )}
      {draft.error !== undefined && <FieldError error={draft.error} />}
      {draft.clash !== undefined ? (
        <ClashChoice clash={draft.clash} joins={edit.joins} onChoose={(choice) => void edit.choose(choice)} />
      ) : edit.meanwhile !== undefined ? (
        <p className={styles.note} role="status">{edit.meanwhile.length <= 60 ? t.conflict.noteNow(visibleText(edit.meanwhile)) : t.conflict.note}</p>
      ) : (
        draft.error === undefined && draft.text !== draft.base && <p className={styles.hint}>{multiline ? t.detail.ctrlEnterSaves : t.detail.enterSaves}</p>
      )}
    </div>
  );
};
