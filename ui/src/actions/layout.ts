import type { App } from "../app/createApp";
import type { ArrangeKind, LayoutSettings } from "../layout/types";
import { remember } from "../state/remember";
import { t } from "../strings";

const PUT_BACK_MS = 8_000;

/** The new forces at work: where everything stands is where they begin. */
export function changeSettings(app: App, settings: LayoutSettings): void {
  app.stores.layout.set((view) => ({ ...view, settings }));
  goOn(app);
  remember("layout", settings);
  offerPutBack(app, t.layout.movedToast);
  app.scene.layOut(settings);
}

export function layOutAgain(app: App): void {
  offerPutBack(app, t.layout.movedToast);
  goOn(app);
  app.scene.reheat();
}

/** Who asks for movement does not mean to have it paused. */
function goOn(app: App): void {
  if (app.stores.layout.get().paused) pauseLayout(app, false);
}

export function pauseLayout(app: App, paused: boolean): void {
  app.stores.layout.set((view) => ({ ...view, paused }));
  app.scene.pauseLayout(paused);
}

export async function arrange(app: App, kind: ArrangeKind): Promise<void> {
  const places = app.scene.places();
  try {
    if (!(await app.scene.arrange(kind))) return;
  } catch (thrown) {
    app.toaster.fail(thrown, t.layout.failed);
    return;
  }
  if (places === undefined) return;
  // One offer at a time: that of an arrangement before would put back something nobody thinks of.
  if (arrangedToast !== undefined) app.toaster.dismiss(arrangedToast);
  arrangedToast = say(app, t.layout.arranged(t.layout.kinds[kind]), places);
}

export async function collapseClusters(app: App): Promise<void> {
  if (!(await app.scene.collapseClusters())) app.toaster.say(t.collapse.none);
}

let offered: { app: App; id: number } | undefined;
let arrangedToast: number | undefined;

/** Once for a row of changes: putting back means to before the first of them. */
function offerPutBack(app: App, text: string): void {
  if (offered?.app === app && app.stores.toasts.get().some((toast) => toast.id === offered?.id)) return;
  const places = app.scene.places();
  if (places === undefined) return;
  offered = { app, id: say(app, text, places) };
}

function say(app: App, text: string, places: { ids: string[]; xy: Float32Array }): number {
  return app.toaster.say(text, { lasts: PUT_BACK_MS, action: { label: t.layout.putBack, run: () => app.scene.putBack(places) } });
}
