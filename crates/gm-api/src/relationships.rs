//! Commands on relationships.

use gm_engine::relationships::{NewRelationship, RelationshipUpdate};
use gm_engine::{entities, relationships};
use gm_model::{EntityId, RelationshipId};
use gm_store::entities::EntityRow;

use crate::app::{App, Caller};
use crate::commands::{Result, attribution, written};
use crate::wire::*;

/// One relationship with its ends.
pub(crate) fn relationship(app: &App, _: Caller, request: ObjectRef) -> Result<RelationshipDetail> {
    let id = RelationshipId::from_string(request.id);
    let (found, source, target, change) = app.graph(&request.graph)?.read(|tx| {
        let found = relationships::require(tx, &id)?;
        let source = entities::require(tx, &found.source_id)?;
        let target = entities::require(tx, &found.target_id)?;
        Ok((found, source, target, relationships::last_change(tx, &id)?))
    })?;
    Ok(RelationshipDetail {
        id: found.id.into_string(),
        relationship_type: found.relationship_type,
        weight: found.weight,
        properties: found.properties,
        source: end(source),
        target: end(target),
        created_at: found.created_at,
        last_change: change.map(|(actor, time)| attribution(&actor, time)),
    })
}

fn end(row: EntityRow) -> RelationshipEnd {
    RelationshipEnd {
        id: row.entity.id.into_string(),
        name: row.entity.name,
        entity_type: row.entity.entity_type,
    }
}

pub(crate) fn add_relationship(app: &App, caller: Caller, request: AddRelationship) -> Result<Written> {
    let new = NewRelationship {
        source_id: EntityId::from_string(request.source_id),
        target_id: EntityId::from_string(request.target_id),
        relationship_type: request.relationship_type,
        weight: request.weight,
        properties: Default::default(),
    };
    let applied = app.graph(&request.graph)?.transact(&app.actor(caller), "add_relationship", |tx| {
        entities::require(tx.read(), &new.source_id)?;
        entities::require(tx.read(), &new.target_id)?;
        relationships::add(tx, "", &new)
    })?;
    let (relationship, status) = &applied.value;
    Ok(written(Some(relationship.id.to_string()), status.as_str(), &applied))
}

pub(crate) fn update_relationship(app: &App, caller: Caller, request: UpdateRelationship) -> Result<Written> {
    let id = RelationshipId::from_string(request.id);
    let update = RelationshipUpdate {
        relationship_type: request.relationship_type,
        weight: request.weight,
        properties: request.properties,
    };
    let applied = app
        .graph(&request.graph)?
        .transact(&app.actor(caller), "update_relationship", |tx| relationships::update(tx, &id, &update))?;
    Ok(written(Some(id.into_string()), "updated", &applied))
}

/// One change, which one undo takes back; `id` is that of the relationship that stands there now.
pub(crate) fn reverse_relationship(
    app: &App,
    caller: Caller,
    request: ReverseRelationship,
) -> Result<Written> {
    let id = RelationshipId::from_string(request.id);
    let update = RelationshipUpdate {
        relationship_type: request.relationship_type,
        weight: request.weight,
        properties: None,
    };
    let applied = app.graph(&request.graph)?.transact(&app.actor(caller), "reverse_relationship", |tx| {
        relationships::reverse(tx, &id, &update)
    })?;
    Ok(written(Some(applied.value.id.to_string()), "updated", &applied))
}

pub(crate) fn delete_relationships(app: &App, caller: Caller, request: IdsRequest) -> Result<Written> {
    let ids: Vec<RelationshipId> = request.ids.into_iter().map(RelationshipId::from_string).collect();
    let graph = app.graph(&request.graph)?;
    let applied =
        graph.transact(&app.actor(caller), "delete_relationships", |tx| relationships::delete(tx, &ids))?;
    Ok(written(None, "deleted", &applied))
}
