import type { Attribution, Entity } from "../generated/wire";
import type { CommandName, Reply, Request } from "../host";
import { IpcError } from "../ipcError";
import type { FakeGraph, FakeRelation } from "./fakeGraph";

type By = Omit<Attribution, "time">;
type Of<K extends CommandName> = Omit<Request<K>, "graph">;

/** The engine's verbs, with the engine's refusals. */

function visible(field: string, text: string, limit = 512): string {
  const trimmed = text.trim();
  if (trimmed.replace(/[\u200b-\u200f\u2060\ufeff\s]/g, "") === "") throw new IpcError("invalid_argument", `\`${field}\` is blank; give at least one visible character`);
  if (trimmed.includes("\n")) throw new IpcError("invalid_argument", `\`${field}\` holds a line break; write it on one line`);
  if (trimmed.length > limit) throw new IpcError("invalid_argument", `\`${field}\` is longer than ${limit} characters; shorten it`);
  return trimmed;
}

export function addEntity(graph: FakeGraph, by: By, request: Of<"add_entity">): Reply<"add_entity"> {
  const [name, entity_type] = [visible("name", request.name), visible("entity_type", request.entity_type, 128).toLowerCase()];
  const known = [...graph.entities.values()].find((entity) => entity.name.toLowerCase() === name.toLowerCase() && entity.entity_type === entity_type);
  const id = known?.id ?? graph.newId("e");
  const { changes } = graph.transact(by, "add_entity", (put) => {
    const now = graph.now();
    if (known === undefined) put("entity", id, { id, name, entity_type, description: request.description, properties: {}, created_at: now, updated_at: now });
    for (const content of request.observations) {
      const observation = graph.newId("o");
      put("observation", observation, { id: observation, entity_id: id, content, source: "", created_at: now });
    }
    if (request.at !== undefined && known === undefined) put("pin", id, { id, x: request.at[0], y: request.at[1] });
  });
  return { id, status: known === undefined ? "created" : "merged", changes };
}

export function updateEntity(graph: FakeGraph, by: By, request: Of<"update_entity">): Reply<"update_entity"> {
  const entity = graph.require(request.id);
  if (request.seen_updated_at !== undefined && request.seen_updated_at !== entity.updated_at) {
    throw new IpcError("changed_meanwhile", "it was changed while you were editing", undefined, { ...entity });
  }
  const properties = { ...entity.properties };
  for (const [key, value] of Object.entries(request.properties ?? {})) {
    if (value === null) delete properties[key];
    else properties[key] = value;
  }
  const next: Entity = {
    ...entity,
    name: request.name === undefined ? entity.name : visible("name", request.name),
    entity_type: request.entity_type === undefined ? entity.entity_type : visible("entity_type", request.entity_type, 128).toLowerCase(),
    description: request.description ?? entity.description,
    properties,
    updated_at: graph.now(),
  };
  const { changes } = graph.transact(by, "update_entity", (put) => put("entity", entity.id, next));
  return { id: entity.id, status: "updated", changes };
}

export function deleteEntities(graph: FakeGraph, by: By, ids: readonly string[]): Reply<"delete_entities"> {
  const { changes } = graph.transact(by, "delete_entities", (put) => {
    for (const id of ids) {
      for (const relation of graph.relations.values()) if (relation.source_id === id || relation.target_id === id) put("relationship", relation.id, undefined);
      for (const observation of graph.observations.values()) if (observation.entity_id === id) put("observation", observation.id, undefined);
      put("pin", id, undefined);
      put("entity", id, undefined);
    }
  });
  return { status: "deleted", changes };
}

export function addObservation(graph: FakeGraph, by: By, request: Of<"add_observation">): Reply<"add_observation"> {
  graph.require(request.entity_id);
  const id = graph.newId("o");
  if (request.content.trim() === "") throw new IpcError("invalid_argument", "`content` is blank; give at least one visible character");
  const { changes } = graph.transact(by, "add_observation", (put) => put("observation", id, { id, entity_id: request.entity_id, content: request.content.trim(), source: "", created_at: graph.now() }));
  return { id, status: "created", changes };
}

export function updateObservation(graph: FakeGraph, by: By, request: Of<"update_observation">): Reply<"update_observation"> {
  const observation = graph.observations.get(request.id);
  if (observation === undefined) throw new IpcError("not_found", "there is no such observation");
  const { changes } = graph.transact(by, "update_observation", (put) => put("observation", request.id, { ...observation, content: request.content }));
  return { id: request.id, status: "updated", changes };
}

export function addRelationship(graph: FakeGraph, by: By, request: Of<"add_relationship">): Reply<"add_relationship"> {
  graph.require(request.source_id);
  graph.require(request.target_id);
  const relationship_type = visible("relationship_type", request.relationship_type, 128).toLowerCase();
  const known = [...graph.relations.values()].find((each) => each.source_id === request.source_id && each.target_id === request.target_id && each.relationship_type === relationship_type);
  const id = known?.id ?? graph.newId("r");
  const relation: FakeRelation = { id, source_id: request.source_id, target_id: request.target_id, relationship_type, weight: request.weight, properties: known?.properties ?? {} };
  const { changes } = graph.transact(by, "add_relationship", (put) => put("relationship", id, relation));
  return { id, status: known === undefined ? "created" : "merged", changes };
}

export function reverseRelationship(graph: FakeGraph, by: By, request: Of<"reverse_relationship">): Reply<"reverse_relationship"> {
  const before = graph.relations.get(request.id);
  if (before === undefined) throw new IpcError("not_found", "there is no such relationship");
  const id = graph.newId("r");
  const turned = { ...before, id, source_id: before.target_id, target_id: before.source_id, relationship_type: request.relationship_type ?? before.relationship_type, weight: request.weight ?? before.weight };
  const twin = [...graph.relations.values()].some((each) => each.source_id === turned.source_id && each.target_id === turned.target_id && each.relationship_type === turned.relationship_type);
  if (twin) throw new IpcError("already_exists", "there is one already");
  const { changes } = graph.transact(by, "reverse_relationship", (put) => {
    put("relationship", id, turned);
    put("relationship", before.id, undefined);
  });
  return { id, status: "updated", changes };
}

export function updateRelationship(graph: FakeGraph, by: By, request: Of<"update_relationship">): Reply<"update_relationship"> {
  const relation = graph.relations.get(request.id);
  if (relation === undefined) throw new IpcError("not_found", "there is no such relationship");
  const next = { ...relation, relationship_type: request.relationship_type ?? relation.relationship_type, weight: request.weight ?? relation.weight, properties: request.properties ?? relation.properties };
  const { changes } = graph.transact(by, "update_relationship", (put) => put("relationship", request.id, next));
  return { id: request.id, status: "updated", changes };
}
