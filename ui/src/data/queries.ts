import { keepPreviousData, useInfiniteQuery, useQuery, useQueries } from "@tanstack/react-query";
import { useApp } from "../app/AppContext";
import { useStore } from "../state/createStore";
import type { ListFilter } from "../state/search/search";
import { changesOf, SCAN_PAGE } from "./changesOf";
import { keys } from "./keys";

export const PAGE = 500;
export const SEARCH_LIMIT = 100;
export const FEW = 50;
export const MANY = 500;
const HISTORY_PAGE = 60;
const RELATED = 8;
const LOADING_POLL_MS = 500;
const PENDING_POLL_MS = 1_000;
const IDLE_POLL_MS = 10_000;
/** Agents work in processes of their own, whose coming, going and asking is no change of a graph: nothing tells of it. */
const PRESENCE_POLL_MS = 2_000;
/** While no agent is there at all, one more moment until the first is seen is well spent on being at rest. */
const ABSENCE_POLL_MS = 4_000;
const RECALLS_PAGE = 40;
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
    // While the model is being loaded, or vectors are still to come, the same question says more in a moment.
    refetchInterval: (state) => (state.state.data?.is_loading === true ? LOADING_POLL_MS : (state.state.data?.pending ?? 0) > 0 ? PENDING_POLL_MS : false),
  });
}

export function useRelationship(graph: string, id: string) {
  const { host } = useApp();
  return useQuery({ queryKey: keys.relationship(graph, id), queryFn: () => host.call("relationship", { graph, id }), retry: false });
}

/** How far search by meaning is. Vectors are no changes of the graph, so nothing tells of them: asked more often while some are missing. */
export function useMeaning(graph: string | null, closely = false) {
  const { host } = useApp();
  return useQuery({
    queryKey: keys.meaning(graph ?? ""),
    queryFn: () => host.call("meaning_status", { graph: graph! }),
    enabled: graph !== null,
    refetchInterval: (state) => (closely || (state.state.data?.pending ?? 0) > 0 ? PENDING_POLL_MS : IDLE_POLL_MS),
  });
}

/** The embedding models of this machine. Asked again and again while one is being installed. */
export function useModels() {
  const { host } = useApp();
  return useQuery({
    queryKey: keys.models,
    queryFn: () => host.call("list_models", {}),
    refetchInterval: (state) => (state.state.data?.job?.is_done === false ? LOADING_POLL_MS : false),
  });
}

export function useRelated(graph: string, id: string) {
  const { host } = useApp();
  return useQuery({
    queryKey: keys.related(graph, id),
    queryFn: () => host.call("related", { graph, id, limit: RELATED }),
    refetchInterval: (state) => ((state.state.data?.pending ?? 0) > 0 ? PENDING_POLL_MS : false),
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

/** One agent's changes alone. The journal is read for them here, since the host tells everybody's. */
export function useChangesOf(graph: string, agent: string) {
  const { host } = useApp();
  return useInfiniteQuery({
    queryKey: keys.changesOf(graph, agent),
    queryFn: ({ pageParam }) => changesOf(agent, pageParam, async (before) => (await host.call("history", { graph, before, limit: SCAN_PAGE })).entries),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => last.before,
  });
}

/** Who there is. `poll`: for the one place that is always there; the others read what it hears. A hidden page asks nothing. */
export function useAgents(poll = false) {
  const { host } = useApp();
  return useQuery({
    queryKey: keys.agents,
    queryFn: () => host.call("list_agents", {}),
    refetchInterval: (state) => (!poll ? false : state.state.data?.agents.some((agent) => agent.sessions.length > 0) === true ? PRESENCE_POLL_MS : ABSENCE_POLL_MS),
  });
}

/** Programs on this machine that can be agents. They come and go without a word, so they are looked for whenever the list is opened. */
export function useClients() {
  const { host } = useApp();
  return useQuery({ queryKey: keys.clients, queryFn: () => host.call("list_clients", {}), staleTime: 0 });
}

/** What connecting a client would change, for each way it can go. Its file is somebody else's: a plan of before is never shown. */
export function useClientPlans(client: string, ways: readonly boolean[]) {
  const { host } = useApp();
  return useQueries({
    queries: ways.map((overHttp) => ({ queryKey: keys.clientPlan(client, overHttp), queryFn: () => host.call("plan_client", { client, over_http: overHttp }), staleTime: 0, gcTime: 0 })),
  });
}

/** What agents asked, the newest first, of every graph. */
export function useRecalls(agent: string | null) {
  const { host } = useApp();
  return useInfiniteQuery({
    queryKey: keys.recalls(agent),
    queryFn: ({ pageParam }) => host.call("recalls", { agent: agent ?? undefined, before: pageParam, limit: RECALLS_PAGE }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.recalls.length < RECALLS_PAGE ? undefined : last.recalls[last.recalls.length - 1]?.id),
    staleTime: 0,
    // Every page is asked again; who reads in the past can wait for what is new.
    refetchInterval: (state) => ((state.state.data?.pages.length ?? 1) > 1 ? IDLE_POLL_MS : PRESENCE_POLL_MS),
  });
}

/** The last question that was answered with this entity; null if there is none. */
export function useLastRecall(graph: string, id: string) {
  const { host } = useApp();
  return useQuery({
    queryKey: keys.lastRecall(graph, id),
    queryFn: async () => (await host.call("recalls", { graph, entity: id, limit: 1 })).recalls[0] ?? null,
    staleTime: 0,
    refetchInterval: IDLE_POLL_MS,
  });
}

/** Another program can empty it without a change of the graph, so it is asked for whenever it is opened. */
export function useTrash(graph: string) {
  const { host } = useApp();
  return useQuery({ queryKey: keys.trash(graph), queryFn: () => host.call("trash", { graph }), staleTime: 0 });
}

export function useAppInfo() {
  const { host } = useApp();
  return useQuery({ queryKey: keys.info, queryFn: () => host.call("app_info", {}) });
}
