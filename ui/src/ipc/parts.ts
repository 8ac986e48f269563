import type { Agent } from "./generated/wire";
import type { Reply } from "./host";

/** Names for parts of answers that the screens hand around. */
export type AgentRights = NonNullable<Agent["rights"]>;
export type AgentSession = Agent["sessions"][number];
export type Recall = Reply<"recalls">["recalls"][number];
export type TrashEntry = Reply<"trash">["entries"][number];
export type Restored = Reply<"restore_from_trash">;
