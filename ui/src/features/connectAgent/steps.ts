import type { ClientAttached, ClientDetached, McpClient } from "../../ipc/generated/wire";
import { t } from "../../strings";

/** What the trial was about. `wrote`: the file was changed, rather than found right. */
export type Connected = { overHttp: boolean; wrote: boolean; attached: ClientAttached };

export type Step =
  /** `from`: where the person comes back from, a client's id or `ELSE`. */
  | { at: "clients"; from?: string }
  | { at: "by_hand"; name: string; from?: string }
  | { at: "client"; client: McpClient }
  | { at: "connected"; client: McpClient; connected: Connected }
  | { at: "undone"; client: McpClient; detached: ClientDetached; left: Left };

/** What taking a configuration back does not reach. */
export type Left = { token: boolean; taught?: string };

export const ELSE = "something else";

export function titleOf(step: Step): string {
  switch (step.at) {
    case "clients":
    case "by_hand": return t.connect.title;
    case "client": return t.clients.title(step.client.name);
    case "connected": return step.connected.attached.problem === undefined ? t.clients.connected(step.client.name) : t.clients.notTried(step.client.name);
    case "undone": return t.clients.undone(step.client.name);
  }
}
