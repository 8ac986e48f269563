import type { App } from "../../app/createApp";
import type { ImportReport } from "../../ipc/generated/wire";
import type { ImportChoice } from "../../ipc/host";
import { IpcError } from "../../ipc/ipcError";
import { t } from "../../strings";

/** Where files go while no graph is open: the graph that comes into being on first use. */
const DEFAULT_GRAPH = "default";
const SQLITE_MAGIC = "SQLite format 3";

export async function runImport(app: App, choice: ImportChoice, how: { dry_run: boolean; skip_invalid: boolean }): Promise<ImportReport> {
  const graph = app.session.graph ?? DEFAULT_GRAPH;
  if ("path" in choice) return app.host.call("import_file", { graph, path: choice.path, ...how });
  // As text a database is broken already; only a path can hand it over.
  if (choice.content.startsWith(SQLITE_MAGIC)) throw new IpcError("window_only", t.import.browserDatabase);
  return app.host.call("import_content", { graph, content: choice.content, ...how });
}

export function changesOf({ entities, relationships, observations }: ImportReport): number {
  return [entities, relationships, observations].reduce((sum, tally) => sum + tally.new + tally.changed, 0);
}
