import type { PictureFormat } from "../ipc/generated/wire";
import type { App } from "../app/createApp";
import type { ImportChoice } from "../ipc/host";
import { t } from "../strings";

/** What leaves and enters the library. Each tells its failure itself: menus and palette have nowhere to show it. */

export function openSample(app: App): void {
  void guarded(app, t.failed.title, async () => {
    const { name } = await app.host.call("open_sample", {});
    await app.session.open(name);
  });
}

export function openLibrary(app: App): void {
  void guarded(app, t.failed.title, async () => {
    const folder = await app.host.pickFolder();
    // The `library_changed` event that follows makes the session start again.
    if (folder !== null) await app.host.call("open_library", { folder });
  });
}

export function startImport(app: App): void {
  void guarded(app, t.import.failed, async () => {
    const choice = await app.host.pickImportFile();
    if (choice !== null) openImport(app, choice);
  });
}

export function openImport(app: App, choice: ImportChoice): void {
  const name = "path" in choice ? fileName(choice.path) : choice.name;
  app.stores.dialog.set(() => ({ kind: "import", choice, name }));
}

export function exportGraph(app: App): void {
  const { graph } = app.session;
  if (graph === null) return;
  void guarded(app, t.export.failed, async () => {
    const where = await app.host.saveExport(graph);
    if (where !== null) app.toaster.say(t.export.done(where));
  });
}

export type PictureWish = { format: PictureFormat; whole: boolean; legend: boolean; dark: boolean };

/** Draws what is on the canvas, or all of it, and hands it to the person as a file. True when it was written. */
export async function savePicture(app: App, wish: PictureWish): Promise<boolean> {
  const { graph } = app.session;
  if (graph === null) return false;
  const seen = app.scene.view();
  const request = {
    graph, format: wish.format, dark: wish.dark, legend: wish.legend,
    width: wish.whole || seen === undefined ? 1600 : Math.round(seen.width),
    height: wish.whole || seen === undefined ? 1000 : Math.round(seen.height),
    hidden_types: [...app.stores.view.get().hiddenTypes],
    ...(wish.whole || seen === undefined ? {} : { view: [seen.x, seen.y, seen.zoom] as [number, number, number] }),
  };
  let written = false;
  await guarded(app, t.export.failed, async () => {
    const where = await app.host.savePicture(`${graph}.${wish.format}`, request);
    written = where !== null;
    if (where !== null) app.toaster.say(t.export.picture(where));
  });
  return written;
}

export function fileName(path: string): string {
  return path.split(/[\\/]/).pop() ?? path;
}

async function guarded(app: App, failed: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (thrown) {
    app.toaster.fail(thrown, failed);
  }
}
