import type { Host } from "./host";
import { createHttpHost, EXPIRED, openSession } from "./httpHost";
import { IpcError } from "./ipcError";
import { createTauriHost } from "./tauriHost";

/** The host this page was opened by. Rejects with `session_expired` when the address holds no usable code. */
export async function connectHost(): Promise<Host> {
  if ("__TAURI_INTERNALS__" in window) return createTauriHost();
  const code = window.location.hash.slice(1);
  // Out of the address bar before anything else, so that no history entry or screenshot keeps it.
  window.history.replaceState(null, "", window.location.pathname + window.location.search);
  if (code === "") throw new IpcError(EXPIRED, "the address holds no code");
  return createHttpHost({ token: await openSession(code) });
}
