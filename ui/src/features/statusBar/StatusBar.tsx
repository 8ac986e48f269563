import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { runAction } from "../../actions/actions";
import { Icon } from "../../components/Icon";
import { MOST_UNSEEN } from "../../app/sceneLink";
import { useAppInfo, useGraphName, useOverview } from "../../data/queries";
import { useStore } from "../../state/createStore";
import { coreOf, moreInFocus } from "../../state/view/view";
import { t } from "../../strings";
import { MeaningState } from "./MeaningState";
import { PresenceState } from "./PresenceState";
import styles from "./StatusBar.module.css";

export const StatusBar: FC = () => {
  const app = useApp();
  const { stores } = app;
  const overview = useOverview(useGraphName()).data;
  const info = useAppInfo().data;
  const selected = useStore(stores.selection, (selection) => selection.ids.length);
  const unseen = useStore(stores.unseen, (ids) => ids);
  const folded = useStore(stores.folded, (count) => count);
  const hidden = useStore(stores.view, (view) => view.hiddenTypes);
  const nodes = useStore(stores.workspace, (workspace) => workspace.nodes);
  const isFocused = useStore(stores.focus, (view) => view.now !== null);
  const core = useStore(stores.view, (view) => (isFocused ? 0 : coreOf(view, nodes)));
  const lost = useStore(stores.workspace, (workspace) => workspace.connection === "lost");
  const looks = useStore(stores.looks, (state) => state.rows);
  const covered = hidden.size === 0 ? 0 : looks.reduce((sum, row) => sum + (hidden.has(row.type) ? row.count : 0), 0);
  return (
    <footer className={styles.bar}>
      <div className={styles.facts}>
        {overview !== undefined && (
          <>
            <span>{covered > 0 ? t.status.shown(nodes - covered, nodes) : t.status.entities(overview.entities)}</span>
            <span>{t.status.relationships(overview.relationships)}</span>
            {core > 0 && (
              <span className={styles.focus}>
                {t.status.inFocus(core, nodes)}
                <button type="button" className={styles.more} title={t.status.moreTitle} onClick={() => stores.view.set((view) => moreInFocus(view, nodes))}>{t.status.more}</button>
                <button type="button" className={styles.more} title={t.status.allTitle} onClick={() => stores.view.set((view) => ({ ...view, inFocus: Infinity }))}>{t.status.all}</button>
              </span>
            )}
            {unseen.size > 0 && (
              <span className={styles.focus}>
                <span className={styles.mark} aria-hidden="true" />
                {t.status.unseen(unseen.size, unseen.size >= MOST_UNSEEN)}
                <button type="button" className={styles.more} title={t.status.showUnseenTitle} onClick={() => app.scene.revealAll([...unseen])}>{t.status.showUnseen}</button>
                <button type="button" className={styles.more} title={t.status.seenTitle} onClick={() => app.scene.saw()}>{t.status.seen}</button>
              </span>
            )}
            {folded > 0 && (
              <span className={styles.focus}>
                {t.status.folded(folded)}
                <button type="button" className={styles.more} title={t.status.expandTitle} onClick={() => app.scene.expand()}>{t.status.expand}</button>
              </span>
            )}
            {selected > 1 && <span>{t.status.selected(selected)}</span>}
            <span className={lost ? styles.warn : undefined} role="status">{lost ? t.status.reconnecting : t.status.saved}</span>
          </>
        )}
      </div>
      <span className={styles.buttons}>
      <MeaningState />
      <PresenceState />
      {info !== undefined && (
        <button type="button" className={styles.listener} title={info.listener_problem ?? info.mcp_url ?? undefined} onClick={() => runAction("connect_agent", app)}>
          {info.mcp_url !== undefined ? <span className={styles.dot} /> : <span className={styles.warn}><Icon name="warn" size={14} /></span>}
          {info.mcp_url !== undefined ? t.status.listening(addressOf(info.mcp_url)) : t.status.notListening}
        </button>
      )}
      </span>
    </footer>
  );
};

function addressOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
