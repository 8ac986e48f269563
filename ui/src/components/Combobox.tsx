import { useId, useState, type ComponentProps, type FC, type KeyboardEvent, type ReactNode, type Ref } from "react";
import { visibleText } from "../graph/text/visibleText";
import styles from "./Combobox.module.css";

export type Option = { key: string; label: string; node?: ReactNode };

type Props = Omit<ComponentProps<"input">, "onChange" | "ref"> & {
  value: string;
  onText: (text: string) => void;
  options: readonly Option[];
  onPick: (key: string) => void;
  /** The options answer the text already; otherwise they are narrowed by it here. */
  answered?: boolean;
  ref?: Ref<HTMLInputElement>;
};

const MOST = 8;

/** A text field with suggestions below. Any text is allowed; picking one is a shortcut. */
export const Combobox: FC<Props> = ({ value, onText, options, onPick, answered = false, onKeyDown, onBlur, ref, ...rest }) => {
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const listId = useId();
  const needle = value.trim().toLocaleLowerCase();
  const fitting = answered ? options : options.filter((option) => option.label.toLocaleLowerCase().includes(needle) && option.label !== value);
  const shown = open ? fitting.slice(0, MOST) : [];

  const pick = (option: Option) => {
    setOpen(false);
    setActive(-1);
    onPick(option.key);
  };
  const keyed = (event: KeyboardEvent<HTMLInputElement>) => {
    const picked = shown[active];
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!open) setOpen(true);
      else if (shown.length > 0) setActive((active + (event.key === "ArrowDown" ? 1 : -1) + shown.length + (active < 0 && event.key === "ArrowUp" ? 1 : 0)) % shown.length);
      event.preventDefault();
    } else if (event.key === "Enter" && picked !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      pick(picked);
    } else if (event.key === "Escape" && shown.length > 0 && active >= 0) {
      event.preventDefault();
      event.stopPropagation();
      setActive(-1);
      setOpen(false);
    } else onKeyDown?.(event);
  };
  return (
    <div className={styles.combobox}>
      <input
        ref={ref}
        type="text"
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
        value={value}
        onChange={(event) => {
          setOpen(true);
          setActive(-1);
          onText(event.target.value);
        }}
        onKeyDown={keyed}
        onBlur={(event) => {
          setOpen(false);
          onBlur?.(event);
        }}
        {...rest}
      />
      {shown.length > 0 && (
        <ul id={listId} role="listbox" className={styles.options}>
          {shown.map((option, at) => (
            <li
              key={option.key}
              id={`${listId}-${at}`}
              role="option"
              aria-selected={at === active}
              className={styles.option}
              // Before the field loses the focus, which would save what was only half typed.
              onMouseDown={(event) => {
                event.preventDefault();
                pick(option);
              }}
            >
              {option.node ?? visibleText(option.label)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
