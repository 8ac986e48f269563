import type { FC } from "react";
import { useApp } from "./app/AppContext";
import { ErrorBoundary } from "./components/ErrorBoundary";
import { Dialogs } from "./features/Dialogs";
import { CanvasView } from "./features/canvasView/CanvasView";
import { Minimap } from "./features/canvasView/Minimap";
import { Tooltip } from "./features/canvasView/Tooltip";
import { ZoomControls } from "./features/canvasView/ZoomControls";
import { ContextMenu } from "./features/contextMenu/ContextMenu";
import { EntityList } from "./features/entityList/EntityList";
import { EmptyGraph } from "./features/firstRun/EmptyGraph";
import { ExpiredPage } from "./features/firstRun/ExpiredPage";
import { FailedGraph } from "./features/firstRun/FailedGraph";
import { FirstRun } from "./features/firstRun/FirstRun";
import { DropTarget } from "./features/importDialog/DropTarget";
import { FocusBar } from "./features/focusBar/FocusBar";
import { LayoutPanel } from "./features/layoutPanel/LayoutPanel";
import { Legend } from "./features/legend/Legend";
import { RightPanel } from "./features/rightPanel/RightPanel";
import { StatusBar } from "./features/statusBar/StatusBar";
import { Toasts } from "./features/toasts/Toasts";
import { Toolbar } from "./features/toolbar/Toolbar";
import { usePanelWidths } from "./hooks/usePanelWidths";
import { useWindowSize } from "./hooks/useWindowSize";
import { useStore } from "./state/createStore";
import { t } from "./strings";
import styles from "./App.module.css";

export const App: FC = () => {
  const { stores } = useApp();
  const phase = useStore(stores.workspace, (workspace) => workspace.phase);
  const graph = useStore(stores.workspace, (workspace) => workspace.graph);
  const empty = useStore(stores.workspace, (workspace) => workspace.phase === "open" && workspace.nodes === 0);
  const expired = useStore(stores.workspace, (workspace) => workspace.connection === "expired");
  const { left, right } = usePanelWidths();
  const size = useWindowSize();
  if (expired) return <ExpiredPage />;
  const open = phase === "open" && graph !== null;
  return (
    <div className={styles.shell}>
      <Toolbar leftOpen={left > 0} rightOpen={right > 0} />
      <main className={styles.stage}>
        <CanvasView left={left} right={right} />
        <div className={styles.overlay} style={{ left, right }}>
          {open && !empty && (
            <>
              <div className={styles.bottomLeft}><Legend width={size.width - left - right} height={size.height} /></div>
              <div className={styles.bottomRight}><LayoutPanel /><Minimap /><ZoomControls /></div>
            </>
          )}
          {open && <FocusBar />}
          <Toasts />
        </div>
        {empty && <EmptyGraph left={left} right={right} />}
        {phase === "first_run" && <FirstRun right={right} />}
        {phase === "failed" && <FailedGraph right={right} />}
        <aside className={`${styles.panel} ${styles.left}`} data-pane="list" data-open={left > 0} aria-label={t.toolbar.leftPanel} inert={left === 0}>
          {open && <ErrorBoundary><EntityList key={graph} graph={graph} /></ErrorBoundary>}
        </aside>
        <aside className={`${styles.panel} ${styles.right}`} data-pane="panel" data-open={right > 0} aria-label={t.toolbar.rightPanel} inert={right === 0}>
          {(graph !== null || right > 0) && <ErrorBoundary><RightPanel graph={graph} open={open} /></ErrorBoundary>}
        </aside>
        <Tooltip />
        <DropTarget />
      </main>
      <StatusBar />
      <ErrorBoundary><Dialogs /></ErrorBoundary>
      <ContextMenu />
    </div>
  );
};
