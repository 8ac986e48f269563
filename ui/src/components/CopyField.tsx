import { useEffect, useState, type FC } from "react";
import { t } from "../strings";
import { IconButton } from "./Button";
import styles from "./CopyField.module.css";

type Props = { label: string; text: string; block?: boolean; /** Prose, in as many lines as it takes. */ wrap?: boolean };

const SHOWN_MS = 1_500;

/** Text to take elsewhere: selectable, and one click to the clipboard. */
export const CopyField: FC<Props> = ({ label, text, block = false, wrap = false }) => {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <div className={styles.field}>
      <span className={styles.label}>{label}</span>
      <div className={`${styles.box} ${block || wrap ? styles.block : ""} ${wrap ? styles.wrap : ""}`}>
        <code className={styles.text} data-selectable tabIndex={0}>{text}</code>
        <IconButton small icon={copied ? "check" : "copy"} label={copied ? t.app.copied : t.app.copy} onClick={() => void copyText(text).then(() => setCopied(true))} />
      </div>
    </div>
  );
};

/** Some webviews refuse the clipboard to a page that was not asked; a selection and the old command still work. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
