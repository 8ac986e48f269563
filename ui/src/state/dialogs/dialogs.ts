import type { ImportChoice } from "../../ipc/host";
import type { Conflict } from "../../data/conflicts";

export type TakeBack = { verb: "undo" | "redo" } | { verb: "revert"; transaction: string };

/** One dialog at a time. */
export type Dialog =
  | { kind: "palette" }
  | { kind: "shortcuts" }
  | { kind: "about" }
  | { kind: "meaning" }
  /** `name`: of an agent that gets a new token. */
  | { kind: "connect"; name?: string }
  | { kind: "trash" }
  | { kind: "picture" }
  | { kind: "new_graph" }
  | { kind: "new_entity"; at?: [number, number] }
  | { kind: "import"; choice: ImportChoice; name: string }
  | { kind: "conflicts"; attempt: TakeBack; conflicts: Conflict[] };
