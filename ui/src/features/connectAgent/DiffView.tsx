import { useMemo, type FC } from "react";
import { visibleText } from "../../graph/text/visibleText";
import { t } from "../../strings";
import { firstLines, parseDiff, type DiffLine } from "./parseDiff";
import styles from "./Diff.module.css";

const MOST_LINES = 400;
/** A configuration without line breaks is one line of any length. */
const MOST_CHARACTERS = 2_000;
const SIGNS: Record<DiffLine["kind"], string> = { added: "+", removed: "-", same: " ", note: " " };

/** A change of a file, line by line. What is added and what is removed is told by its sign, and by colour only besides. */
export const DiffView: FC<{ file: string; text: string }> = ({ file, text }) => {
  const diff = useMemo(() => parseDiff(text), [text]);
  const { hunks, left } = firstLines(diff, MOST_LINES);
  const path = visibleText(file);
  return (
    <figure className={styles.box}>
      <figcaption className={styles.head}>
        <code className={styles.file} title={path} data-selectable>{path}</code>
        {diff.isNewFile && <span className={styles.new}>{t.clients.newFile}</span>}
        <span className={styles.counts} aria-hidden>{t.clients.lines(diff.added, diff.removed)}</span>
      </figcaption>
      <div className={styles.scroll} tabIndex={0} role="group" aria-label={t.clients.diff(path, diff.added, diff.removed)}>
        <code className={styles.lines} dir="ltr" data-selectable>
          {hunks.map((hunk) => (
            <span key={hunk.line} className={styles.hunk}>
              {hunk.line > 1 && <span className={styles.where}>{t.clients.line(hunk.line)}</span>}
              {hunk.lines.map((line, at) => <Line key={at} {...line} />)}
            </span>
          ))}
          {left > 0 && <span className={styles.where}>{t.clients.moreLines(left)}</span>}
        </code>
      </div>
    </figure>
  );
};

const Line: FC<DiffLine> = ({ kind, text }) => (
  <span className={styles.line} data-kind={kind}>
    <span className={styles.sign}>{SIGNS[kind]}</span>
    <span className={styles.text}>{shown(text)}</span>
    {text.length > MOST_CHARACTERS && <span className={styles.cut}>{t.clients.longer(text.length - MOST_CHARACTERS)}</span>}
  </span>
);

/** Tabs stay tabs: a change of the indentation is a change. */
function shown(text: string): string {
  return text.slice(0, MOST_CHARACTERS).split("\t").map(visibleText).join("\t");
}
