import type { AppInfo } from "../../ipc/generated/wire";
import type { Connection } from "../../ipc/host";

/** `first_run`: there is nothing to show yet. `failed`: the graph could not be opened, and why. */
export type Phase = "starting" | "first_run" | "opening" | "open" | "failed";

export type Workspace = {
  phase: Phase;
  graph: string | null;
  info: AppInfo | null;
  problem: { message: string; hint?: string } | null;
  connection: Connection;
  /** Nodes in the picture; the empty-graph page appears at 0. */
  nodes: number;
};

export const STARTING: Workspace = { phase: "starting", graph: null, info: null, problem: null, connection: "live", nodes: 0 };
