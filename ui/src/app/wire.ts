import { handleKey, handleMenu } from "../actions/keyHandler";
import { menuState } from "../actions/undoLabels";
import { undoState } from "../actions/actions";
import { openImport } from "../actions/files";
import type { Event } from "../ipc/generated/wire";
import { remember } from "../state/remember";
import { showTab } from "../state/panels/panels";
import { resolveTheme } from "../state/theme/theme";
import type { App } from "./createApp";
import { followSelection } from "./inspector";

/** Ties the parts to the page: events of the host, keys, theme, preferences, the native menu. */
export function wire(app: App): () => void {
  const { host, session, stores, scene, edits, toaster } = app;
  scene.doings = {
    pinned: (id, at) => edits.pin(id, at),
    settled: (ids, xy) => edits.savePositions(ids, xy),
    activated: (id) => {
      scene.reveal(id);
      stores.panels.set((panels) => showTab(panels, "details"));
      // Enter means "open": the hands go on in the panel. After it is drawn.
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-pane="panel"] [data-pane-entry]')?.focus());
    },
    relationshipActivated: (id) => {
      scene.revealRelationship(id);
      stores.panels.set((panels) => showTab(panels, "details"));
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-pane="panel"] [data-pane-entry]')?.focus());
    },
    createAt: (x, y) => stores.dialog.set(() => ({ kind: "new_entity", at: [x, y] })),
    notice: (text) => toaster.say(text, { lasts: 8_000 }),
  };
  const onKey = (event: KeyboardEvent) => handleKey(event, app);
  window.addEventListener("keydown", onKey);
  const offs = [
    host.onConnection((connection) => session.connection(connection)),
    host.onEvent((event) => receive(event, app)),
    followSelection(stores, scene.nodes),
    followTheme(app),
    stores.panels.subscribe(() => {
      const { left, right, legend } = stores.panels.get();
      remember("panels", { left, right, legend });
    }),
    tellMenu(app),
    () => window.removeEventListener("keydown", onKey),
  ];
  return () => offs.forEach((off) => off());
}

function receive(event: Event, app: App): void {
  app.session.handle(event);
  if (event.event === "menu") handleMenu(event.action, app);
  if (event.event === "files_dropped" && event.paths[0] !== undefined) openImport(app, { path: event.paths[0] });
}

function followTheme({ stores }: App): () => void {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const measure = () => stores.theme.set((theme) => ({ ...theme, system: dark.matches ? "dark" : "light" }));
  const show = () => {
    const theme = stores.theme.get();
    document.documentElement.dataset.theme = resolveTheme(theme);
    remember("theme", theme.choice);
  };
  dark.addEventListener("change", measure);
  const off = stores.theme.subscribe(show);
  measure();
  show();
  return () => {
    dark.removeEventListener("change", measure);
    off();
  };
}

/** The native menu greys out and names its items; it hears only of real changes. */
function tellMenu(app: App): () => void {
  let told = "";
  const tell = () => {
    const state = menuState(undoState(app), app.stores.workspace.get().phase === "open");
    const text = JSON.stringify(state);
    if (text === told) return;
    told = text;
    app.host.setMenuState(state);
  };
  const offs = [app.stores.workspace.subscribe(tell), app.queries.getQueryCache().subscribe(tell)];
  tell();
  return () => offs.forEach((off) => off());
}
