import { useId, type ComponentProps, type FC, type ReactNode } from "react";
import styles from "./Field.module.css";

/** What went wrong, and what to do about it. */
export type Problem = { message: string; hint?: string };

type FieldProps = { label: string; hint?: string; error?: Problem | null; children: (ids: { id: string; describedBy: string | undefined; invalid: boolean }) => ReactNode };

/** A labelled field; what is wrong stands under it, with what to do about it. */
export const Field: FC<FieldProps> = ({ label, hint, error = null, children }) => {
  const id = useId();
  const note = useId();
  const noted = error !== null || hint !== undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>{label}</label>
      {children({ id, describedBy: noted ? note : undefined, invalid: error !== null })}
      {error !== null ? <FieldError id={note} error={error} /> : hint !== undefined && <p id={note} className={styles.hint}>{hint}</p>}
    </div>
  );
};

export const FieldError: FC<{ id?: string; error: Problem }> = ({ id, error }) => (
  <p id={id} role="alert" className={styles.error}>
    {error.message}
    {error.hint !== undefined && <span className={styles.errorHint}> {error.hint}</span>}
  </p>
);

type TextInputProps = Omit<ComponentProps<"input">, "onChange"> & { onText: (text: string) => void; invalid?: boolean };

export const TextInput: FC<TextInputProps> = ({ onText, invalid = false, className = "", ...rest }) => (
  <input type="text" dir="auto" autoComplete="off" spellCheck={false} className={`${styles.input} ${className}`} aria-invalid={invalid || undefined} onChange={(event) => onText(event.target.value)} {...rest} />
);
