import type { ComponentProps, FC } from "react";
import { Icon, type IconName } from "./Icon";
import styles from "./Button.module.css";

type ButtonProps = ComponentProps<"button"> & {
  variant?: "primary" | "plain" | "quiet" | "danger";
  icon?: IconName;
  /** What it began is not done yet. Unlike a disabled button it keeps the focus. */
  busy?: boolean;
};

export const Button: FC<ButtonProps> = ({ variant = "plain", icon, busy = false, children, className = "", onClick, ...rest }) => (
  <button type="button" className={`${styles.button} ${styles[variant]} ${className}`} aria-disabled={busy || undefined} onClick={busy ? undefined : onClick} {...rest}>
    {icon !== undefined && <Icon name={icon} />}
    {children}
  </button>
);

type IconButtonProps = Omit<ComponentProps<"button">, "children"> & { icon: IconName; label: string; pressed?: boolean; small?: boolean };

/** A picture alone is no name: the label is its accessible name and its tooltip. */
export const IconButton: FC<IconButtonProps> = ({ icon, label, pressed, small = false, className = "", ...rest }) => (
  <button type="button" className={`${styles.icon} ${small ? styles.small : ""} ${className}`} aria-label={label} title={label} aria-pressed={pressed} {...rest}>
    <Icon name={icon} size={small ? 14 : 16} />
  </button>
);
