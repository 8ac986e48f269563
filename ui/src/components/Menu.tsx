import { useEffect, useLayoutEffect, useRef, type FC, type KeyboardEvent, type ReactNode } from "react";
import styles from "./Menu.module.css";

export type MenuItem =
  | { kind?: "item"; label: string; shortcut?: string; disabled?: boolean; checked?: boolean; danger?: boolean; run: () => void }
  | { kind: "separator" }
  | { kind: "heading"; label: string; /** Begins the second column of a wide menu. */ column?: boolean };

type Props = { x: number; y: number; /** Grow to the left of `x`. */ alignRight?: boolean; /** A long menu in two columns. */ wide?: boolean; title?: ReactNode; label: string; items: readonly MenuItem[]; onClose: () => void };

/** A popup menu at a point of the page, kept inside the window; arrows walk, Esc closes and gives the focus back. */
export const Menu: FC<Props> = ({ x, y, alignRight = false, wide = false, title, label, items, onClose }) => {
  const element = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const menu = element.current;
    if (menu === null) return;
    const { width, height } = menu.getBoundingClientRect();
    const left = alignRight ? x - width : x;
    menu.style.left = `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`;
    menu.style.top = `${Math.max(8, Math.min(y, window.innerHeight - height - 8))}px`;
  }, [x, y, alignRight, items]);

  useEffect(() => {
    const before = document.activeElement;
    element.current?.querySelector<HTMLElement>('[role^="menuitem"]:not(:disabled)')?.focus();
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && element.current?.contains(event.target) !== true) onClose();
    };
    document.addEventListener("pointerdown", outside, true);
    window.addEventListener("blur", onClose);
    return () => {
      document.removeEventListener("pointerdown", outside, true);
      window.removeEventListener("blur", onClose);
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (lost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [onClose]);

  return (
    <div ref={element} role="menu" aria-label={label} className={`${styles.menu} ${wide ? styles.wide : ""}`} onKeyDown={(event) => walk(event, onClose)} onContextMenu={(event) => event.preventDefault()}>
      {title !== undefined && <div className={styles.title}>{title}</div>}
      {items.map((item, at) => {
        if (item.kind === "separator") return <div key={at} role="separator" className={styles.separator} />;
        if (item.kind === "heading") return <div key={at} className={`${styles.heading} ${item.column === true ? styles.column : ""}`}>{item.label}</div>;
        return (
          <button
            key={at}
            type="button"
            role={item.checked === undefined ? "menuitem" : "menuitemcheckbox"}
            aria-checked={item.checked}
            disabled={item.disabled}
            className={`${styles.item} ${item.danger === true ? styles.danger : ""}`}
            onClick={() => {
              onClose();
              item.run();
            }}
          >
            <span className={styles.check} aria-hidden="true">{item.checked === true ? "✓" : ""}</span>
            <span className={styles.label}>{item.label}</span>
            {item.shortcut !== undefined && <kbd className={styles.shortcut}>{item.shortcut}</kbd>}
          </button>
        );
      })}
    </div>
  );
};

function walk(event: KeyboardEvent<HTMLDivElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const go = (index: number) => items[(index + items.length) % items.length]?.focus();
  if (event.key === "ArrowDown") go(at + 1);
  else if (event.key === "ArrowUp") go(at - 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(-1);
  else if (event.key === "Escape" || event.key === "Tab") close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
