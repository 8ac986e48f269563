import { useEffect, useId, useRef, type FC, type ReactNode } from "react";
import { t } from "../strings";
import { IconButton } from "./Button";
import styles from "./Dialog.module.css";

type Props = { title: string; width?: number; onClose: () => void; footer?: ReactNode; children: ReactNode; bare?: boolean };

/** A modal of the platform: it traps focus, gives it back, and closes on Esc. */
export const Dialog: FC<Props> = ({ title, width = 480, onClose, footer, children, bare = false }) => {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    if (dialog === null || dialog.open) return;
    // jsdom has no modals; the attribute shows it all the same.
    if (typeof dialog.showModal === "function") dialog.showModal();
    else dialog.setAttribute("open", "");
    // Else the first button would be ringed, which is the one that closes it.
    (dialog.querySelector<HTMLElement>("[data-autofocus]") ?? dialog).focus();
  }, []);
  return (
    <dialog
      ref={element}
      tabIndex={-1}
      className={`${styles.dialog} ${bare ? styles.bare : ""}`}
      style={{ width }}
      aria-labelledby={bare ? undefined : titleId}
      aria-label={bare ? title : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div className={styles.box}>
        {!bare && (
          <header className={styles.header}>
            <h2 id={titleId} className={styles.title}>{title}</h2>
            <IconButton icon="close" label={t.app.close} onClick={onClose} />
          </header>
        )}
        <div className={bare ? styles.bareBody : styles.body}>{children}</div>
        {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
      </div>
    </dialog>
  );
};
