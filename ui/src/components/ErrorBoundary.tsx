import { Component, type ReactNode } from "react";
import { t } from "../strings";
import { Button } from "./Button";
import styles from "./ErrorBoundary.module.css";

type Props = { children: ReactNode };

/** A fault in one panel leaves the rest of the window standing. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className={styles.broken} role="alert">
        <p>{t.app.broken}</p>
        <Button onClick={() => this.setState({ failed: false })}>{t.app.retry}</Button>
      </div>
    );
  }
}
