import type { SceneActions } from "./actions";

const PAN_STEP = 60;
const PAN_STEP_FAST = 240;
const ZOOM_STEP = 1.5;

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Keys while the canvas has the focus. Anything with Ctrl, Alt or ⌘ belongs to the window. */
export function keyAction(event: Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "altKey" | "metaKey">, actions: SceneActions): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const focused = actions.focusedNode();
  const arrow = ARROWS[event.key];
  if (arrow !== undefined) {
    const [dx, dy] = arrow;
    if (focused === null) {
      const step = event.shiftKey ? PAN_STEP_FAST : PAN_STEP;
      actions.pan(-dx * step, -dy * step);
    } else {
      const next = actions.nodeTowards(focused, dx, dy);
      if (next !== null) actions.focusNode(next);
    }
    return true;
  }
  switch (event.key) {
    case "Tab": {
      // The first Tab goes into the graph, the next leaves it: the canvas is no trap.
      if (event.shiftKey || focused !== null) return false;
      const entry = actions.entryNode();
      if (entry === null) return false;
      actions.focusNode(entry);
      return true;
    }
    case "e":
    case "E":
      return event.shiftKey ? actions.collapse() : actions.expand();
    case "n":
    case "N":
      return actions.focusNextEdge(event.shiftKey);
    case "Enter": {
      const edge = actions.focusedEdge();
      if (edge !== null) {
        actions.chooseEdge(edge);
        actions.activateEdge(edge);
        return true;
      }
      if (focused === null) return false;
      actions.choose(focused, "only");
      actions.activate(focused);
      return true;
    }
    case " ":
      actions.reheat();
      return true;
    case "f":
    case "F": {
      const id = focused ?? [...actions.selection()][0];
      if (id === undefined) return false;
      actions.enter(id);
      return true;
    }
    case "t":
    case "T":
      actions.togglePin();
      return true;
    case "+":
    case "=":
      actions.zoom(actions.centreOfView(), ZOOM_STEP);
      return true;
    case "-":
    case "_":
      actions.zoom(actions.centreOfView(), 1 / ZOOM_STEP);
      return true;
    case "Escape":
      // One step of the ladder for each press: the relationship walked to, the selection, then the focus.
      if (actions.focusedEdge() !== null) actions.leaveEdge();
      else if (actions.selection().size > 0 || actions.selectedEdge() !== null) actions.deselect();
      else if (focused !== null) actions.focusNode(null);
      else return false;
      return true;
    default:
      return false;
  }
}

export function attachKeyboard(element: HTMLElement, actions: SceneActions, cancelGesture: () => boolean): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    let handled = event.key === "Escape" && cancelGesture();
    handled ||= keyAction(event, actions);
    if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
      const edge = actions.focusedEdge() ?? (actions.focusedNode() === null ? actions.selectedEdge() : null);
      const id = actions.focusedNode() ?? [...actions.selection()][0] ?? null;
      const box = element.getBoundingClientRect();
      const at = (edge !== null ? actions.screenOfEdge(edge) : id === null ? null : actions.screenOf(id)) ?? actions.centreOfView();
      if (edge !== null) actions.edgeMenu(edge, box.left + at.x, box.top + at.y);
      else actions.contextMenu(id, box.left + at.x, box.top + at.y);
      handled = true;
    }
    if (handled) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  element.addEventListener("keydown", onKeyDown);
  return () => element.removeEventListener("keydown", onKeyDown);
}
