import type { ClientPlan, McpClient } from "../../ipc/generated/wire";

/** Those of this machine, and the rest, each in the order of the host: the likeliest first. */
export function byPresence(clients: readonly McpClient[]): { found: McpClient[]; others: McpClient[] } {
  return { found: clients.filter((client) => client.is_installed), others: clients.filter((client) => !client.is_installed) };
}

/** `renews`: a token is never read back, so one is always made anew, and nothing else of the file changes. */
export type PlanState = "needed" | "renews" | "connected";

export function stateOf({ is_needed: isNeeded, diff }: Pick<ClientPlan, "is_needed" | "diff">): PlanState {
  if (!isNeeded) return "connected";
  return diff.trim() === "" ? "renews" : "needed";
}

/** Which way to begin with: the one it goes already, else a process of its own. */
export function firstWay(plans: readonly { overHttp: boolean; plan: ClientPlan | undefined }[]): boolean {
  return plans.find(({ plan }) => plan !== undefined && stateOf(plan) !== "needed")?.overHttp ?? false;
}

/** A remark of the host as a sentence. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  const begun = trimmed.charAt(0).toLocaleUpperCase() + trimmed.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
