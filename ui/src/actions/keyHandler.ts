import type { App } from "../app/createApp";
import { ACTIONS, isEnabled } from "./actions";
import { focusSearch } from "./focus";
import { matches } from "./shortcuts";
import type { Action } from "./types";

/** The window's keys. Fields keep theirs; bare letters act only on the canvas and in the list. */
export function handleKey(event: KeyboardEvent, app: App): void {
  if (event.defaultPrevented || event.isComposing) return;
  const typing = isTextField(event.target);
  // With nothing focused the keys are the picture's, as they are right after opening.
  const onGraph = event.target === document.body || (event.target instanceof Element && event.target.closest("[data-keys]") !== null);
  if (app.stores.dialog.get() !== null) return;

  // A bare character is a command only there; elsewhere somebody may be dictating or searching in a list (WCAG 2.1.4).
  const bare = bareKey(event);
  if (bare && (typing || !onGraph)) return;
  if (bare && event.key === "/") {
    event.preventDefault();
    focusSearch(app);
    return;
  }
  const { focus } = app.stores;
  if (focus.get().now !== null && !typing && onGraph) {
    const depth = /^Digit([1-4])$/.exec(event.code)?.[1];
    if (bareKey(event) && depth !== undefined) {
      event.preventDefault();
      app.scene.focus.change({ depth: Number(depth) });
      return;
    }
    // One step of the ladder: what the canvas itself lets go of first has been let go of.
    if (event.key === "Escape") {
      event.preventDefault();
      app.scene.focus.leave();
      return;
    }
  }
  const digit = event.altKey && !event.ctrlKey && !event.metaKey ? /^Digit([1-9])$/.exec(event.code)?.[1] : undefined;
  if (digit !== undefined && !typing) {
    event.preventDefault();
    switchToNth(app, Number(digit) - 1);
    return;
  }
  const action = ACTIONS.find((each) => each.shortcuts?.some((shortcut) => matches(shortcut, event)) === true && inScope(each, typing, onGraph));
  if (action === undefined) return;
  // A field that went away under the hands leaves the focus nowhere, and the next key was meant for its text.
  if (action.id === "delete" && event.target === document.body) return;
  // The browser's own meaning (bookmarks, print, reload) never applies, even while ours is greyed out.
  event.preventDefault();
  if (isEnabled(action, app)) dispatch(action, "key", app);
}

function bareKey(event: KeyboardEvent): boolean {
  return event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
}

function inScope(action: Action, typing: boolean, onGraph: boolean): boolean {
  if (action.scope === "graph") return onGraph && !typing;
  if (action.scope === "outside_text") return !typing;
  return true;
}

/** In a field these are about its text, also when the native menu sends them. */
const TEXT_COMMANDS: Record<string, string> = { undo: "undo", redo: "redo", select_all: "selectAll", delete: "forwardDelete" };

/** An action of the native menu. */
export function handleMenu(id: string, app: App): void {
  const action = ACTIONS.find((each) => each.id === id);
  if (action === undefined) return;
  const text = TEXT_COMMANDS[id];
  if (text !== undefined && isTextField(document.activeElement)) {
    // Deprecated, and still the one way to reach a field's own undo stack.
    document.execCommand(text);
    return;
  }
  if (isEnabled(action, app)) dispatch(action, "menu", app);
}

/** A key with a native accelerator may reach us twice, through the menu and through the page; once is meant. */
const TWICE_MS = 120;
let last: { id: string; source: string; time: number } | undefined;

function dispatch(action: Action, source: "key" | "menu", app: App): void {
  const now = performance.now();
  const twice = last !== undefined && last.id === action.id && last.source !== source && now - last.time < TWICE_MS;
  last = { id: action.id, source, time: now };
  if (!twice) action.run(app);
}

export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "range"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target.isContentEditable;
}

function switchToNth(app: App, index: number): void {
  const graphs = app.queries.getQueryData<{ graphs: { name: string; problem?: string }[] }>(["graphs"])?.graphs ?? [];
  const graph = graphs[index];
  if (graph !== undefined && graph.problem === undefined && graph.name !== app.session.graph) void app.session.open(graph.name);
}
