import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { PlainText } from "../../components/PlainText";
import { useOverview, useHistory } from "../../data/queries";
import { showChangesOf } from "../../state/agents/agentsView";
import { showTab } from "../../state/panels/panels";
import { number, t } from "../../strings";
import { EntryLine } from "../activity/EntryLine";
import { TypeMark } from "../entity/TypeMark";
import styles from "./DetailPanel.module.css";

const CONNECTED = 6;
const RECENT = 5;

type Props = { graph: string };

/** Nothing is selected: what this graph is about and what happened to it last. */
export const GraphRest: FC<Props> = ({ graph }) => {
  const { stores, host, scene, toaster } = useApp();
  const overview = useOverview(graph).data;
  const recent = useHistory(graph).data?.pages[0]?.entries.slice(0, RECENT) ?? [];
  if (overview === undefined) return <div className={styles.panel} />;
  const showAll = () => {
    stores.agents.set((view) => showChangesOf(view, null));
    stores.panels.set((panels) => showTab(panels, "activity"));
  };
  const goTo = async (name: string, type: string) => {
    try {
      // The overview names them only.
      const { rows } = await host.call("list_entities", { graph, entity_type: type, name_contains: name, limit: 50, offset: 0 });
      const row = rows.find((each) => each.name === name) ?? rows[0];
      if (row !== undefined) scene.reveal(row.id);
    } catch (thrown) {
      toaster.fail(thrown, t.detail.failed);
    }
  };
  return (
    <div className={styles.panel}>
      <h2 className={styles.name}><PlainText text={graph} /></h2>
      <dl className={styles.figures}>
        <div><dd>{number(overview.entities)}</dd><dt>{t.rest.entities}</dt></div>
        <div><dd>{number(overview.relationships)}</dd><dt>{t.rest.relationships}</dt></div>
        <div><dd>{number(overview.observations)}</dd><dt>{t.rest.observations}</dt></div>
      </dl>
      {overview.migration_note !== undefined && <p className={styles.migration}><Icon name="warn" size={14} /> {overview.migration_note}</p>}
      {recent.length > 0 && (
        <section className={styles.section}>
          <header className={styles.sectionHead}>
            <h3 className={styles.sectionTitle}>{t.rest.recent}</h3>
            <Button variant="quiet" onClick={showAll}>{t.rest.all}</Button>
          </header>
          <ul className={styles.items}>{recent.map((entry) => <li key={entry.transaction}><EntryLine entry={entry} /></li>)}</ul>
        </section>
      )}
      {overview.most_connected.length > 0 && (
        <section className={styles.section}>
          <header className={styles.sectionHead}><h3 className={styles.sectionTitle}>{t.rest.connected}</h3></header>
          <ul>
            {overview.most_connected.slice(0, CONNECTED).map(({ name, entity_type: type, degree }) => (
              <li key={`${name}\n${type}`}>
                <button type="button" className={styles.connected} onClick={() => void goTo(name, type)}>
                  <TypeMark type={type} />
                  <PlainText text={name} className={styles.ellipsis} />
                  <span className={styles.count}>{number(degree)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
};
