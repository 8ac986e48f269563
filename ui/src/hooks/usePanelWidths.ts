import { useApp } from "../app/AppContext";
import { useStore } from "../state/createStore";
import { useWindowSize } from "./useWindowSize";

export const LEFT_PX = 280;
export const RIGHT_PX = 360;
/** Narrower than this, a right panel that shows nothing selected gives its place to the canvas. */
const ROOMY_PX = 1180;

/** How much of the canvas the panels cover, 0 for a closed one. */
export function usePanelWidths(): { left: number; right: number } {
  const { stores } = useApp();
  const wide = useWindowSize().width >= ROOMY_PX;
  const filled = useStore(stores.workspace, (workspace) => (workspace.phase === "open" || workspace.phase === "opening") && workspace.nodes > 0);
  const left = useStore(stores.panels, (panels) => panels.left);
  const right = useStore(stores.panels, (panels) => panels.right);
  const tab = useStore(stores.panels, (panels) => panels.tab);
  const graph = useStore(stores.workspace, (workspace) => workspace.graph !== null);
  const something = useStore(stores.selection, (selection) => selection.ids.length > 0);
  const kept = useStore(stores.inspected, (id) => id !== null);
  // These say something of their own: agents always, the activity of any graph, an empty one too.
  const telling = tab === "agents" || (tab === "activity" && graph);
  return {
    left: filled && left ? LEFT_PX : 0,
    right: (filled || kept || telling) && right && (wide || telling || something || kept) ? RIGHT_PX : 0,
  };
}
