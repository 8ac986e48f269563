// `generated/wire.ts` names these types and does not declare them yet: they are missing from the list in
// crates/gm-api/src/codegen.rs. Once it declares them, this file goes; nothing else has to change.
type AgentRights = { write: boolean; delete: boolean; delete_for_good: boolean; graphs: Array<string> };
type AgentSession = {
  client: string; transport: string; is_here: boolean; graph: string; connected_at: number; last_seen: number;
  reads: number; writes: number; reads_minute: number; writes_minute: number;
};
type SetAgentRights = { name: string; rights: AgentRights };
type PauseAgent = { name?: string; paused: boolean };
type RecallsRequest = { agent?: string; graph?: string; entity?: string; before?: number; limit?: number };
type RecalledEntity = { id: string; name?: string };
type Recall = {
  id: number; time: number; agent: string; client: string; is_here: boolean; graph: string; tool: string; query: string;
  found: Array<RecalledEntity>; hits: number;
};
type RecallList = { recalls: Array<Recall> };
type TrashEntry = {
  id: string; kind: string; label: string; detail: string; observations: number; relationships: number;
  by: { actor: string; is_agent: boolean; client: string; time: number }; expires_at: number;
};
type TrashList = { entries: Array<TrashEntry>; total: number };
type Restored = { entities: number; observations: number; relationships: number; left: number };
type EmptyTrash = { graph: string; ids?: Array<string> };
