import { useEffect, useId, useRef, type FC, type ReactNode } from "react";
import { t } from "../strings";
import { IconButton } from "./Button";
import styles from "./Dialog.module.css";

type Props = {
  title: string;
  width?: number;
  onClose: () => void;
  footer?: ReactNode;
  children: ReactNode;
  bare?: boolean;
  /** The child is a `DialogPage`, which another may follow. */
  paged?: boolean;
};

/** A modal of the platform: it traps focus, gives it back, and closes on Esc. */
export const Dialog: FC<Props> = ({ title, width = 480, onClose, footer, children, bare = false, paged = false }) => {
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
        {paged ? children : <div className={bare ? styles.bareBody : styles.body}>{children}</div>}
        {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
      </div>
    </dialog>
  );
};

type PageProps = { /** Said when the page comes: its title, as a rule. */ label: string; footer: ReactNode; children: ReactNode };

/** One page of a dialog that has several. Coming up, it takes the focus: what had it went with the page before. */
export const DialogPage: FC<PageProps> = ({ label, footer, children }) => {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => (page.current?.querySelector<HTMLElement>("[data-autofocus]") ?? page.current)?.focus(), []);
  return (
    <>
      <div ref={page} tabIndex={-1} role="group" aria-label={label} className={styles.body}>{children}</div>
      <footer className={styles.footer}>{footer}</footer>
    </>
  );
};
