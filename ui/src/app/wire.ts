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
    near: (ids) => void describe(app, ids),
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

const CARD_CHARACTERS = 400;
/** At a time: what is on screen comes before the rest is asked. */
const DESCRIBED_AT_ONCE = 8;

/** The newest observation of each, for its card. One that cannot be read has none. */
async function describe({ host, session, scene }: App, ids: readonly string[]): Promise<void> {
  const { graph } = session;
  if (graph === null) return;
  for (let at = 0; at < ids.length; at += DESCRIBED_AT_ONCE) {
    const some = ids.slice(at, at + DESCRIBED_AT_ONCE);
    const found = await Promise.all(some.map((id) => host.call("entity", { graph, id, nested: 1 }).then(({ observations }) => observations[0]?.content ?? "", () => "")));
    if (session.graph !== graph) return;
    scene.describe(some.map((id, k) => [id, found[k]!.slice(0, CARD_CHARACTERS)] as const));
  }
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
