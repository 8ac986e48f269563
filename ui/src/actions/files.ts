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

export function exportPicture(app: App): void {
  const { graph } = app.session;
  if (graph === null) return;
  void guarded(app, t.export.failed, async () => {
    const picture = await app.scene.picture();
    if (picture === undefined) return;
    const where = await app.host.savePicture(`${graph}.png`, picture);
    if (where !== null) app.toaster.say(t.export.picture(where));
  });
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
