import { useEffect, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { useStore } from "../../state/createStore";
import type { Toast } from "../../state/toasts/toasts";
import { t } from "../../strings";
import { visibleText } from "../../graph/text/visibleText";
import { IconButton } from "../../components/Button";
import styles from "./Toasts.module.css";

export const Toasts: FC = () => {
  const { stores } = useApp();
  const toasts = useStore(stores.toasts, (all) => all);
  const isFocused = useStore(stores.focus, (view) => view.now !== null);
  return (
    <div className={`${styles.stack} ${isFocused ? styles.below : ""}`} role="status" aria-live="polite">
      {toasts.map((toast) => <ToastRow key={toast.id} toast={toast} />)}
    </div>
  );
};

const ToastRow: FC<{ toast: Toast }> = ({ toast }) => {
  const { toaster } = useApp();
  useEffect(() => {
    if (toast.lasts === null) return;
    const timer = setTimeout(() => toaster.dismiss(toast.id), toast.lasts);
    return () => clearTimeout(timer);
  }, [toast, toaster]);
  const { action } = toast;
  return (
    <div className={`${styles.toast} ${toast.tone === "error" ? styles.error : ""}`}>
      <bdi dir="auto" className={styles.text}>{visibleText(toast.text)}</bdi>
      {action !== undefined && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            toaster.dismiss(toast.id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton icon="close" small label={t.app.dismiss} onClick={() => toaster.dismiss(toast.id)} />
    </div>
  );
};
