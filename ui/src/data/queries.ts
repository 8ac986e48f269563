import { keepPreviousData, useInfiniteQuery, useQuery, useQueries } from "@tanstack/react-query";
import { useApp } from "../app/AppContext";
import { useStore } from "../state/createStore";
import type { ListFilter } from "../state/search/search";
import { keys } from "./keys";

export const PAGE = 500;
export const SEARCH_LIMIT = 100;
export const FEW = 50;
export const MANY = 500;
const HISTORY_PAGE = 60;
/** While nothing exists there is nothing to watch, so the first-run page looks again itself. */
const FIRST_RUN_POLL_MS = 1_500;

export function useGraphName(): string | null {
  return useStore(useApp().stores.workspace, (workspace) => workspace.graph);
}

export function useGraphs(poll = false) {
  const { host } = useApp();
  return useQuery({ queryKey: keys.graphs, queryFn: () => host.call("list_graphs", {}), refetchInterval: poll ? FIRST_RUN_POLL_MS : false });
}

export function useOverview(graph: string | null) {
  const { host } = useApp();
  return useQuery({ queryKey: keys.overview(graph ?? ""), queryFn: () => host.call("overview", { graph: graph! }), enabled: graph !== null });
}

export function useUndoState(graph: string | null) {
  const { host } = useApp();
  return useQuery({ queryKey: keys.undo(graph ?? ""), queryFn: () => host.call("undo_state", { graph: graph! }), enabled: graph !== null });
}

export function useDetail(graph: string | null, id: string | null, nested: number = FEW) {
  const { host } = useApp();
  return useQuery({
    queryKey: keys.detail(graph ?? "", id ?? "", nested),
    queryFn: () => host.call("entity", { graph: graph!, id: id!, nested }),
    enabled: graph !== null && id !== null,
    // "Show all" must not empty the panel while the rest is on its way; another entity's content never stands in.
    placeholderData: (previous) => (previous?.entity.id === id ? previous : undefined),
  });
}

/** The pages of the list that are in sight. Any of 100,000 rows is one request away, whatever was seen before. */
export function useListPages(graph: string, filter: Pick<ListFilter, "type" | "order">, pages: readonly number[]) {
  const { host } = useApp();
  return useQueries({
    queries: pages.map((page) => ({
      queryKey: keys.list(graph, filter, page),
      queryFn: () => host.call("list_entities", { graph, entity_type: filter.type ?? undefined, order: filter.order, limit: PAGE, offset: page * PAGE }),
    })),
  });
}

export function useSearch(graph: string | null, query: string, type: string | null, limit = SEARCH_LIMIT) {
  const { host } = useApp();
  return useQuery({
    queryKey: [...keys.search(graph ?? "", query, type), limit],
    queryFn: () => host.call("search", { graph: graph!, query, limit, entity_types: type === null ? undefined : [type] }),
    enabled: graph !== null && query.trim() !== "",
    placeholderData: keepPreviousData,
  });
}

export function useHistory(graph: string | null) {
  const { host } = useApp();
  return useInfiniteQuery({
    queryKey: keys.history(graph ?? ""),
    queryFn: ({ pageParam }) => host.call("history", { graph: graph!, before: pageParam, limit: HISTORY_PAGE }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.entries.length < HISTORY_PAGE ? undefined : last.entries[last.entries.length - 1]?.first_seq),
    enabled: graph !== null,
  });
}

export function useAgents() {
  const { host } = useApp();
  return useQuery({ queryKey: keys.agents, queryFn: () => host.call("list_agents", {}) });
}

export function useAppInfo() {
  const { host } = useApp();
  return useQuery({ queryKey: keys.info, queryFn: () => host.call("app_info", {}) });
}
