import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { openGraphPicker } from "../../actions/focus";
import { Button } from "../../components/Button";
import { visibleText } from "../../graph/text/visibleText";
import { useStore } from "../../state/createStore";
import { t } from "../../strings";
import styles from "./FirstRun.module.css";

export const FailedGraph: FC<{ right: number }> = ({ right }) => {
  const { stores, session } = useApp();
  const { problem, graph } = useStore(stores.workspace, (workspace) => workspace);
  return (
    <div className={styles.page} style={{ right }} role="alert">
      <div className={styles.card}>
        <h2>{t.failed.title}</h2>
        {problem !== null && <p>{visibleText(problem.message)}</p>}
        {problem?.hint !== undefined && <p>{visibleText(problem.hint)}</p>}
        <div className={styles.or}>
          <Button onClick={() => void (graph === null ? session.start() : session.open(graph))}>{t.app.retry}</Button>
          <Button onClick={openGraphPicker}>{t.failed.other}</Button>
        </div>
      </div>
    </div>
  );
};
