// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from "vitest";
import { createApp, type App } from "../app/createApp";
import { FakeHost } from "../ipc/fake/fakeHost";
import { selectOnly } from "../state/selection/selection";
import { handleKey, handleMenu } from "./keyHandler";

let app: App;
beforeEach(() => {
  document.body.innerHTML = '<input id="field"><button id="button"></button><div id="list" data-keys="list" tabindex="0"></div>';
  app = createApp(new FakeHost());
  vi.useFakeTimers();
  vi.advanceTimersByTime(10_000);
});

const press = (target: string | HTMLElement, key: string, init: KeyboardEventInit = {}) => {
  const element = typeof target === "string" ? document.getElementById(target)! : target;
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  const listen = (e: Event) => handleKey(e as KeyboardEvent, app);
  window.addEventListener("keydown", listen);
  element.dispatchEvent(event);
  window.removeEventListener("keydown", listen);
  return event;
};
const dialog = () => app.stores.dialog.get()?.kind;

it("a bare character is a command on the canvas and in the list, and text anywhere else", () => {
  press("field", "?");
  expect(dialog()).toBeUndefined();
  press("button", "?");
  expect(dialog()).toBeUndefined();
  press("list", "?");
  expect(dialog()).toBe("shortcuts");
});

it("keys with Ctrl work from everywhere, except where they are the field's own", () => {
  expect(press("field", "k", { ctrlKey: true }).defaultPrevented).toBe(true);
  expect(dialog()).toBe("palette");
  app.stores.dialog.set(() => null);
  expect(press("field", "z", { ctrlKey: true }).defaultPrevented, "undo of the text typed").toBe(false);
  expect(press("field", "a", { ctrlKey: true }).defaultPrevented).toBe(false);
});

it("does nothing behind a dialog", () => {
  app.stores.dialog.set(() => ({ kind: "about" }));
  press("list", "k", { ctrlKey: true });
  expect(dialog()).toBe("about");
});

it("one press that arrives through the menu and through the page counts once", () => {
  const before = app.stores.panels.get().legend;
  app.stores.workspace.set((workspace) => ({ ...workspace, phase: "open", graph: "g", nodes: 1 }));
  press("list", "l", { ctrlKey: true });
  handleMenu("toggle_legend", app);
  expect(app.stores.panels.get().legend).toBe(!before);
  vi.advanceTimersByTime(500);
  handleMenu("toggle_legend", app);
  expect(app.stores.panels.get().legend).toBe(before);
});

it("an unknown entry of a newer menu is no fault", () => {
  expect(() => handleMenu("merge", app)).not.toThrow();
});

it("what was meant for a field that has just gone deletes nothing", () => {
  const removed: string[][] = [];
  app.edits.deleteEntities = (ids) => Promise.resolve(void removed.push([...ids]));
  app.stores.selection.set((selection) => selectOnly(selection, ["a"]));
  press(document.body, "Backspace");
  press("field", "Backspace");
  expect(removed).toEqual([]);
  press("list", "Delete");
  expect(removed).toEqual([["a"]]);
});
