import type { ListFilter } from "../state/search/search";

/** Where each answer lives in the cache. Everything about a graph lies below `["graph", name]`. */
export const keys = {
  graphs: ["graphs"] as const,
  agents: ["agents"] as const,
  info: ["info"] as const,
  clients: ["clients"] as const,
  clientPlan: (client: string, overHttp: boolean) => ["clients", client, overHttp] as const,
  everyRecall: ["recalls"] as const,
  recalls: (agent: string | null) => ["recalls", agent] as const,
  graph: (graph: string) => ["graph", graph] as const,
  overview: (graph: string) => ["graph", graph, "overview"] as const,
  undo: (graph: string) => ["graph", graph, "undo"] as const,
  history: (graph: string) => ["graph", graph, "history"] as const,
  changesOf: (graph: string, agent: string) => ["graph", graph, "history", agent] as const,
  trash: (graph: string) => ["graph", graph, "trash"] as const,
  lastRecall: (graph: string, id: string) => ["graph", graph, "recalled", id] as const,
  lists: (graph: string) => ["graph", graph, "list"] as const,
  list: (graph: string, filter: Pick<ListFilter, "type" | "order">, page: number) => ["graph", graph, "list", filter.type, filter.order, page] as const,
  searches: (graph: string) => ["graph", graph, "search"] as const,
  search: (graph: string, query: string, type: string | null) => ["graph", graph, "search", query, type] as const,
  meaning: (graph: string) => ["graph", graph, "meaning"] as const,
  related: (graph: string, id: string) => ["graph", graph, "related", id] as const,
  relateds: (graph: string) => ["graph", graph, "related"] as const,
  entities: (graph: string) => ["graph", graph, "entity"] as const,
  entity: (graph: string, id: string) => ["graph", graph, "entity", id] as const,
  detail: (graph: string, id: string, nested: number) => ["graph", graph, "entity", id, nested] as const,
};
