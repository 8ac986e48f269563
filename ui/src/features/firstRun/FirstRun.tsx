import { useEffect, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { chooseGraph } from "../../app/chooseGraph";
import { runAction } from "../../actions/actions";
import type { ActionId } from "../../actions/types";
import { Icon, type IconName } from "../../components/Icon";
import { useGraphs } from "../../data/queries";
import { t } from "../../strings";
import { Picture } from "./Picture";
import styles from "./FirstRun.module.css";

const CHOICES: readonly { action: ActionId; icon: IconName; title: string; text: string }[] = [
  { action: "open_sample", icon: "sample", title: t.first.sample, text: t.first.sampleText },
  { action: "new_graph", icon: "plus", title: t.first.create, text: t.first.createText },
  { action: "import", icon: "file", title: t.first.import, text: t.first.importText },
  { action: "connect_agent", icon: "plug", title: t.first.connect, text: t.first.connectText },
];

/** Nothing to show yet: four ways to begin, and what one will see. */
export const FirstRun: FC<{ right: number }> = ({ right }) => {
  const app = useApp();
  const graphs = useGraphs(true).data?.graphs;
  const filled = graphs === undefined ? null : chooseGraph(graphs, undefined);
  useEffect(() => {
    // An agent was quicker: what it wrote is the best first screen.
    if (filled !== null) void app.session.open(filled);
  }, [app, filled]);
  return (
    <div className={styles.page} style={{ right }}>
      <div className={styles.inner}>
        <Picture />
        <h1 className={styles.title}>{t.first.title}</h1>
        <p className={styles.text}>{t.first.text}</p>
        <div className={styles.choices}>
          {CHOICES.map(({ action, icon, title, text }, at) => (
            <button key={action} type="button" className={`${styles.choice} ${at === 0 ? styles.first : ""}`} onClick={() => runAction(action, app)}>
              <span className={styles.choiceIcon}><Icon name={icon} /></span>
              <span className={styles.choiceTexts}>
                <b>{title}</b>
                <span>{text}</span>
              </span>
            </button>
          ))}
        </div>
      </div>
    </div>
  );
};
