import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import type { Event } from "./generated/wire";
import type { CommandName, Host, Reply, Request } from "./host";
import { toIpcError } from "./ipcError";

export const EVENT_NAME = "graph-mem";

const BYTES: ReadonlySet<CommandName> = new Set<CommandName>(["scene", "layout_frame", "picture"]);

/** The desktop window: commands go to our own process over IPC, files are named by native dialogs. */
export function createTauriHost(): Host {
  async function call<K extends CommandName>(command: K, request: Request<K>): Promise<Reply<K>> {
    const reply = await invoke<unknown>("call", { command, arguments: request }).catch(rethrow);
    return (BYTES.has(command) ? toBuffer(reply) : reply) as Reply<K>;
  }

  return {
    kind: "window",
    call,
    callBytes: (command, bytes) => invoke<unknown>("call_bytes", bytes, { headers: { command } }).then(toBuffer, rethrow),
    onEvent(handler) {
      const listening = listen<Event>(EVENT_NAME, (event) => handler(event.payload));
      return () => void listening.then((stop) => stop());
    },
    // Our own process: it answers, or the window is gone with it.
    onConnection: () => () => undefined,
    async pickImportFile() {
      const path = await ask<string | null>("pick_import");
      return path === null ? null : { path };
    },
    async saveExport(graph) {
      const path = await ask<string | null>("pick_export", { suggested: `${graph}.json` });
      if (path === null) return null;
      return (await call("export_file", { graph, path })).path;
    },
    savePicture: (suggested, request) => ask<string | null>("save_picture", { suggested, request }),
    pickFolder: () => ask<string | null>("pick_folder"),
    setMenuState: (state) => void ask("menu_state", state).catch(() => undefined),
    setTitle: (title) => void ask("set_title", { title }).catch(() => undefined),
  };
}

function ask<T>(command: string, args?: Record<string, unknown>): Promise<T> {
  return invoke<T>(command, args).catch(rethrow);
}

function rethrow(thrown: unknown): never {
  throw toIpcError(thrown);
}

/** Raw answers arrive as a buffer, or, once Tauri fell back to its slower channel, as a list of numbers. */
function toBuffer(reply: unknown): ArrayBuffer {
  if (reply instanceof ArrayBuffer) return reply;
  if (reply instanceof Uint8Array) return reply.slice().buffer;
  // Seen by tests: from here on everything is slower.
  if (typeof document !== "undefined") document.documentElement.dataset.slowChannel = "1";
  if (Array.isArray(reply)) return Uint8Array.from(reply as number[]).buffer;
  throw new TypeError("the answer did not arrive as bytes");
}
