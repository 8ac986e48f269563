import type { FC } from "react";
import { focusCanvas } from "../../actions/focus";
import { IconButton } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { t } from "../../strings";
import styles from "./SearchBox.module.css";

type Props = { text: string; onText: (text: string) => void; onEnter: () => void };

export const SearchBox: FC<Props> = ({ text, onText, onEnter }) => (
  <div className={styles.box} role="search">
    <span className={styles.icon}><Icon name="search" size={14} /></span>
    <input
      data-search-box
      type="text"
      dir="auto"
      className={styles.input}
      placeholder={t.list.search}
      aria-label={t.list.search}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") onEnter();
        else if (event.key === "ArrowDown") document.querySelector<HTMLElement>('[data-pane="list"] [role="listbox"]')?.focus();
        else if (event.key === "Escape" && text !== "") onText("");
        else if (event.key === "Escape") focusCanvas();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
    {text !== "" && <IconButton icon="close" small label={t.list.clear} className={styles.clear} onClick={() => onText("")} />}
  </div>
);
