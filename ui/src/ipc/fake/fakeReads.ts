import type { Entity, EntityDetail, History, Overview, RelationshipDetail, SceneDelta, SearchHit, TypeCount } from "../generated/wire";
import type { Reply, Request } from "../host";
import { IpcError } from "../ipcError";
import { encodeScene } from "./encodeScene";
import { opOf, touchedBy, type FakeGraph, type Transaction } from "./fakeGraph";

export function overview(graph: FakeGraph): Overview {
  const degree = new Map<string, number>();
  for (const { source_id, target_id } of graph.relations.values()) for (const id of [source_id, target_id]) degree.set(id, (degree.get(id) ?? 0) + 1);
  return {
    graph: graph.name,
    entities: graph.entities.size,
    relationships: graph.relations.size,
    observations: graph.observations.size,
    entity_types: tally([...graph.entities.values()].map((entity) => entity.entity_type)),
    relationship_types: tally([...graph.relations.values()].map((relation) => relation.relationship_type)),
    most_connected: [...degree].sort((a, b) => b[1] - a[1]).slice(0, 10).map(([id, n]) => ({ name: graph.entities.get(id)!.name, entity_type: graph.entities.get(id)!.entity_type, degree: n })),
  };
}

function tally(names: string[]): TypeCount[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}

export function scene(graph: FakeGraph): ArrayBuffer {
  const entities = [...graph.entities.values()];
  const relations = [...graph.relations.values()];
  const at = new Map(entities.map((entity, index) => [entity.id, index]));
  const types = overview(graph).entity_types.map(({ name }) => name);
  const edgeTypes = overview(graph).relationship_types.map(({ name }) => name);
  const placed = entities.map((entity, index) => graph.pins.get(entity.id) ?? toPoint(graph.places.get(entity.id)) ?? spiral(index));
  return encodeScene({
    graph: graph.name,
    seq: graph.seq,
    settled: entities.every((entity) => graph.places.has(entity.id) || graph.pins.has(entity.id)),
    types,
    edgeTypes,
    ids: entities.map(({ id }) => id),
    names: entities.map(({ name }) => name),
    edgeIds: relations.map(({ id }) => id),
    positions: Float32Array.from(placed.flatMap(({ x, y }) => [x, y])),
    edgeSource: Uint32Array.from(relations, (relation) => at.get(relation.source_id)!),
    edgeTarget: Uint32Array.from(relations, (relation) => at.get(relation.target_id)!),
    edgeWeight: Float32Array.from(relations, ({ weight }) => weight),
    typeIndex: Uint16Array.from(entities, (entity) => types.indexOf(entity.entity_type)),
    edgeTypeIndex: Uint16Array.from(relations, (relation) => edgeTypes.indexOf(relation.relationship_type)),
    pinned: Uint8Array.from(entities, (entity) => (graph.pins.has(entity.id) ? 1 : 0)),
  });
}

function toPoint(place: [number, number] | undefined): { x: number; y: number } | undefined {
  return place && { x: place[0], y: place[1] };
}

function spiral(index: number): { x: number; y: number } {
  const radius = 34 * Math.sqrt(index);
  return { x: radius * Math.cos(index * 2.399963), y: radius * Math.sin(index * 2.399963) };
}

export function changesSince(graph: FakeGraph, seq: number): SceneDelta {
  const batches = graph.journal
    .map((transaction) => ({ transaction, rows: transaction.rows.filter((row) => row.seq > seq) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ transaction, rows }) => ({
      by: transaction.by,
      operation: transaction.operation,
      ops: rows.flatMap((row) => opOf(row) ?? []),
      touched: [...new Set(rows.flatMap(touchedBy))],
    }));
  return { seq: graph.seq, reload: false, batches };
}

export function list(graph: FakeGraph, request: Omit<Request<"list_entities">, "graph">): Reply<"list_entities"> {
  const rows = [...graph.entities.values()]
    .filter((entity) => (request.entity_type === undefined || entity.entity_type === request.entity_type) && (request.name_contains === undefined || entity.name.toLowerCase().includes(request.name_contains.toLowerCase())))
    .sort((a, b) => (request.order === "updated" ? b.updated_at - a.updated_at : a.name.localeCompare(b.name)));
  const page = rows.slice(request.offset, request.offset + request.limit);
  return { rows: page.map(({ id, name, entity_type, updated_at }) => ({ id, name, entity_type, updated_at })), total: rows.length };
}

export function search(graph: FakeGraph, request: Omit<Request<"search">, "graph">): Reply<"search"> {
  const words = request.query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const has = (text: string) => words.some((word) => text.toLowerCase().includes(word));
  const hits: SearchHit[] = [];
  for (const entity of graph.entities.values()) {
    if (request.entity_types !== undefined && !request.entity_types.includes(entity.entity_type)) continue;
    const observation = [...graph.observations.values()].find((each) => each.entity_id === entity.id && has(each.content));
    const score = (words.filter((word) => entity.name.toLowerCase().includes(word)).length * 4 + (has(entity.description) ? 1 : 0) + (observation === undefined ? 0 : 1)) / (words.length * 6);
    if (score > 0) hits.push({ id: entity.id, name: entity.name, entity_type: entity.entity_type, description: entity.description, relevance_score: score, matched_observation: has(entity.name) || has(entity.description) ? "" : (observation?.content ?? ""), matched_words: words, is_near: false });
  }
  return { hits: hits.sort((a, b) => b.relevance_score - a.relevance_score).slice(0, request.limit), is_loading: false, pending: 0 };
}

export function detail(graph: FakeGraph, request: Omit<Request<"entity">, "graph">): EntityDetail {
  const entity = graph.require(request.id);
  const nested = request.nested ?? 50;
  const observations = [...graph.observations.values()].filter((each) => each.entity_id === entity.id).reverse();
  const relations = [...graph.relations.values()].filter((each) => each.source_id === entity.id || each.target_id === entity.id).sort((a, b) => b.weight - a.weight);
  const last = graph.journal.findLast((transaction) => transaction.rows.some((row) => touchedBy(row).includes(entity.id)));
  return {
    entity: { ...entity },
    aliases: entity.name === "Tidewater Archive" ? ["Tidewater", "TA"] : [],
    observations: observations.slice(0, nested).map(({ id, content, source, created_at }) => ({ id, content, source, created_at })),
    observation_count: observations.length,
    relations: relations.slice(0, nested).map((relation) => {
      const outgoing = relation.source_id === entity.id;
      const other = graph.entities.get(outgoing ? relation.target_id : relation.source_id)!;
      return { id: relation.id, relationship_type: relation.relationship_type, direction: outgoing ? "outgoing" : "incoming", weight: relation.weight, properties: relation.properties, other_id: other.id, other_name: other.name, other_type: other.entity_type };
    }),
    relation_count: relations.length,
    last_change: last?.by,
  };
}

export function relationship(graph: FakeGraph, id: string): RelationshipDetail {
  const found = graph.relations.get(id);
  if (found === undefined) throw new IpcError("not_found", "there is no such relationship");
  const end = (entity: string) => {
    const { name, entity_type } = graph.require(entity);
    return { id: entity, name, entity_type };
  };
  const { relationship_type, weight, properties, source_id, target_id } = found;
  const last = graph.journal.findLast((transaction) => transaction.rows.some((row) => row.id === id));
  return { id, relationship_type, weight, properties, source: end(source_id), target: end(target_id), created_at: 0, last_change: last?.by };
}

export function history(graph: FakeGraph, request: Omit<Request<"history">, "graph">): History {
  const entries = [...graph.journal].reverse().filter((transaction) => request.before === undefined || transaction.rows[0]!.seq < request.before).slice(0, request.limit);
  return {
    entries: entries.map((transaction) => {
      // Entities that were written themselves come before those that were merely concerned.
      const own = transaction.rows.filter((row) => row.kind === "entity").map((row) => row.id);
      const ids = [...new Set([...own, ...transaction.rows.flatMap(touchedBy)])].slice(0, 3);
      return { transaction: transaction.id, first_seq: transaction.rows[0]!.seq, by: transaction.by, operation: transaction.operation, changes: transaction.rows.length, subjects: ids.map((id) => nameThen(graph, transaction, id)), subject_ids: ids, undone: transaction.undone };
    }),
  };
}

function nameThen(graph: FakeGraph, transaction: Transaction, id: string): string {
  const row = transaction.rows.find((each) => each.kind === "entity" && each.id === id);
  const thing = (row?.after ?? row?.before) as Entity | undefined;
  return thing?.name ?? graph.entities.get(id)?.name ?? id;
}
