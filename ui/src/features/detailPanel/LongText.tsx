import { useState, type FC } from "react";
import { PlainText } from "../../components/PlainText";
import { t } from "../../strings";
import styles from "./DetailPanel.module.css";

/** Longer than this is folded; 64 KB in one paragraph would bury everything below it. */
const LONG_CHARACTERS = 600;
const LONG_LINES = 10;

export const LongText: FC<{ text: string }> = ({ text }) => {
  const [open, setOpen] = useState(false);
  const long = text.length > LONG_CHARACTERS || text.split("\n", LONG_LINES + 1).length > LONG_LINES;
  return (
    <>
      <div className={`${styles.longText} ${long && !open ? styles.folded : ""}`} data-selectable>
        <PlainText text={long && !open ? text.slice(0, 4 * LONG_CHARACTERS) : text} lines />
      </div>
      {long && (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={open}
          onClick={(event) => {
            event.stopPropagation();
            setOpen(!open);
          }}
          onKeyDown={(event) => event.stopPropagation()}
        >
          {open ? t.detail.showLess : t.detail.showMore}
        </button>
      )}
    </>
  );
};
