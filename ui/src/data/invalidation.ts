import type { QueryKey } from "@tanstack/react-query";
import type { EntityDetail, Event, SceneBatch } from "../ipc/generated/wire";
import { keys } from "./keys";

type Table = { [K in Event["event"]]: (event: Extract<Event, { event: K }>, openGraph: string | null) => readonly QueryKey[] };

/** The one table from what happened to what is out of date. A new event does not compile until it has its line. */
const OUT_OF_DATE: Table = {
  // For the open graph the changes themselves say more (`outOfDateAfter`); only the picker's counts are due at once.
  graph_changed: ({ graph }, open) => (graph === open ? [keys.graphs] : [keys.graphs, keys.graph(graph)]),
  graphs_changed: () => [keys.graphs],
  // Another folder: nothing known before is true of it.
  library_changed: () => [keys.graphs, keys.info, keys.agents, keys.everyRecall, ["graph"]],
  agents_changed: () => [keys.agents],
  menu: () => [],
  files_dropped: () => [],
};

export function outOfDate(event: Event, openGraph: string | null): readonly QueryKey[] {
  const row = OUT_OF_DATE[event.event] as (event: Event, openGraph: string | null) => readonly QueryKey[];
  return row(event, openGraph);
}

/** What a live change of the open graph makes stale: its lists always, of the panels only those it touched. */
export function outOfDateAfter(graph: string, batches: readonly SceneBatch[], cached: readonly CachedDetail[]): QueryKey[] {
  if (batches.length === 0) return [];
  const touched = new Set(batches.flatMap((batch) => batch.touched));
  const stale = cached.filter(({ id, detail }) => touched.has(id) || detail?.relations.some((relation) => touched.has(relation.other_id)) === true);
  return [keys.overview(graph), keys.lists(graph), keys.searches(graph), keys.meaning(graph), keys.relateds(graph), keys.undo(graph), keys.history(graph), keys.trash(graph), keys.relationships(graph), ...stale.map(({ id }) => keys.entity(graph, id))];
}

/** A panel in the cache: other entities' names stand in its relations, so a rename elsewhere concerns it. */
export type CachedDetail = { id: string; detail: EntityDetail | undefined };
