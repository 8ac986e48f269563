import { useEffect, useRef, type FC, type KeyboardEvent } from "react";
import { useApp } from "../../app/AppContext";
import { runAction } from "../../actions/actions";
import { Icon, type IconName } from "../../components/Icon";
import { PlainText } from "../../components/PlainText";
import { visibleText } from "../../graph/text/visibleText";
import { useGraphs } from "../../data/queries";
import type { GraphSummary } from "../../ipc/generated/wire";
import { t } from "../../strings";
import styles from "./GraphPicker.module.css";

type Props = { at: { x: number; y: number }; current: string | null; onOpen: (graph: string) => void; onClose: () => void };

/** Every graph of the library with its size; one that cannot be read says why and stays closed. */
export const GraphPopover: FC<Props> = ({ at, current, onOpen, onClose }) => {
  const app = useApp();
  const graphs = useGraphs().data?.graphs ?? [];
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    (element?.querySelector<HTMLElement>('[aria-checked="true"]') ?? element?.querySelector<HTMLElement>("button:not(:disabled)"))?.focus();
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && element?.contains(event.target) !== true) onClose();
    };
    document.addEventListener("pointerdown", outside, true);
    return () => document.removeEventListener("pointerdown", outside, true);
  }, [onClose]);
  const act = (run: () => void) => () => {
    onClose();
    run();
  };
  return (
    <div ref={box} role="menu" aria-label={t.graphs.pick} className={styles.popover} style={{ left: at.x, top: at.y }} onKeyDown={(event) => walk(event, onClose)}>
      <div className={styles.graphs}>
        {graphs.map((graph) => <GraphItem key={graph.name} graph={graph} current={graph.name === current} onOpen={act(() => onOpen(graph.name))} />)}
      </div>
      <div className={styles.foot}>
        <FootItem icon="plus" label={t.graphs.create} onRun={act(() => runAction("new_graph", app))} />
        {!graphs.some(({ name }) => name === "sample") && <FootItem icon="sample" label={t.graphs.sample} onRun={act(() => runAction("open_sample", app))} />}
        {app.host.kind === "window" && <FootItem icon="library" label={t.graphs.openLibrary} onRun={act(() => runAction("open_library", app))} />}
      </div>
    </div>
  );
};

const GraphItem: FC<{ graph: GraphSummary; current: boolean; onOpen: () => void }> = ({ graph, current, onOpen }) => {
  const problem = graph.problem ?? undefined;
  return (
    <button type="button" role="menuitemradio" aria-checked={current} aria-disabled={problem !== undefined} className={styles.item} onClick={problem === undefined ? onOpen : undefined}>
      <span className={styles.check} aria-hidden="true">{current && <Icon name="check" size={14} />}</span>
      <span className={styles.texts}>
        <PlainText text={graph.name} className={styles.name} title />
        {problem === undefined ? (
          <span className={styles.counts}>{graph.entities === 0 ? t.graphs.empty : t.graphs.counts(graph.entities, graph.relationships)}</span>
        ) : (
          <span className={styles.problem}><Icon name="warn" size={14} /> {t.graphs.unreadable}: {visibleText(problem)}</span>
        )}
      </span>
    </button>
  );
};

const FootItem: FC<{ icon: IconName; label: string; onRun: () => void }> = ({ icon, label, onRun }) => (
  <button type="button" role="menuitem" className={styles.item} onClick={onRun}>
    <span className={styles.check} aria-hidden="true"><Icon name={icon} size={14} /></span>
    <span>{label}</span>
  </button>
);

function walk(event: KeyboardEvent<HTMLDivElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("button")];
  const at = items.indexOf(document.activeElement as HTMLElement);
  if (event.key === "ArrowDown") items[(at + 1) % items.length]?.focus();
  else if (event.key === "ArrowUp") items[(at - 1 + items.length) % items.length]?.focus();
  else if (event.key === "Escape") {
    close();
    document.querySelector<HTMLElement>("[data-graph-picker]")?.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
