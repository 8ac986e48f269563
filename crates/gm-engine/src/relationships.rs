//! Verbs on relationships.

use gm_model::{Actor, EntityId, Properties, Relationship, RelationshipId, Timestamp, text};
use gm_store::{ReadTx, journal, relationships as table};
use serde_json::Value;

use crate::entities::{Status, check_properties, join};
use crate::transact::Tx;
use crate::{Error, Result};

/// An edge to be added between two entities that exist.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRelationship {
    pub source_id: EntityId,
    pub target_id: EntityId,
    pub relationship_type: String,
    pub weight: f64,
    pub properties: Properties,
}

/// Adds an edge, or merges it into the one of the same ends and type: the higher weight stays,
/// properties merge. `path` is how errors name the item.
pub fn add(tx: &Tx<'_>, path: &str, new: &NewRelationship) -> Result<(Relationship, Status)> {
    if new.source_id == new.target_id {
        return Err(Error::argument(join(path, "target"), "is the source itself; name another entity"));
    }
    put(tx, path, new)
}

/// As [`add`], for stored data: a self-loop is taken as it is.
pub(crate) fn put(tx: &Tx<'_>, path: &str, new: &NewRelationship) -> Result<(Relationship, Status)> {
    let relationship_type = text::type_name(&join(path, "relationship_type"), &new.relationship_type)?;
    check_weight(&join(path, "weight"), new.weight)?;
    check_properties(&join(path, "properties"), &new.properties)?;
    if let Some(before) = table::by_ends(tx.read(), &new.source_id, &new.target_id, &relationship_type)? {
        let mut after = before.clone();
        after.weight = after.weight.max(new.weight);
        after.properties.extend(new.properties.clone());
        check_properties(&join(path, "properties"), &after.properties)?;
        if after != before {
            after.updated_at = tx.now();
            tx.update_relationship(&before, &after)?;
        }
        return Ok((after, Status::Merged));
    }
    let relationship = Relationship {
        id: RelationshipId::generate(),
        source_id: new.source_id.clone(),
        target_id: new.target_id.clone(),
        relationship_type,
        weight: new.weight,
        properties: new.properties.clone(),
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    tx.create_relationship(&relationship)?;
    Ok((relationship, Status::Created))
}

/// Changes to one edge; what is `None` stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RelationshipUpdate {
    pub relationship_type: Option<String>,
    pub weight: Option<f64>,
    /// Merged key by key; a null value deletes its key.
    pub properties: Option<Properties>,
}

/// The relationship of an id, or an error that names it.
pub fn require(tx: &ReadTx<'_>, id: &RelationshipId) -> Result<Relationship> {
    table::by_id(tx, id)?.ok_or_else(|| Error::NotFound {
        what: "relationship with id",
        name: id.to_string(),
        suggestions: Vec::new(),
    })
}

/// Who last changed a relationship, and when; `None` if that was before the journal.
pub fn last_change(tx: &ReadTx<'_>, id: &RelationshipId) -> Result<Option<(Actor, Timestamp)>> {
    Ok(journal::latest_of_object(tx, id.as_str())?.map(|change| (change.actor, change.time)))
}

pub fn update(tx: &Tx<'_>, id: &RelationshipId, update: &RelationshipUpdate) -> Result<Relationship> {
    let before = require(tx.read(), id)?;
    let mut after = before.clone();
    if let Some(relationship_type) = &update.relationship_type {
        after.relationship_type = text::type_name("relationship_type", relationship_type)?;
    }
    if let Some(weight) = update.weight {
        check_weight("weight", weight)?;
        after.weight = weight;
    }
    for (key, value) in update.properties.iter().flatten() {
        match value {
            Value::Null => after.properties.shift_remove(key),
            value => after.properties.insert(key.clone(), value.clone()),
        };
    }
    check_properties("properties", &after.properties)?;
    let twin = table::by_ends(tx.read(), &after.source_id, &after.target_id, &after.relationship_type)?;
    if twin.is_some_and(|twin| twin.id != after.id) {
        return Err(Error::Collision {
            what: "relationship",
            field: "relationship_type",
            other: after.relationship_type,
        });
    }
    if after != before {
        after.updated_at = tx.now();
        tx.update_relationship(&before, &after)?;
    }
    Ok(after)
}

/// Turns an edge round, with what else is to be changed: its ends are what it is, so it becomes another
/// one, with its properties. An edge that runs that way already is not merged into, but refused.
pub fn reverse(tx: &Tx<'_>, id: &RelationshipId, update: &RelationshipUpdate) -> Result<Relationship> {
    let before = require(tx.read(), id)?;
    if before.source_id == before.target_id {
        return Err(Error::argument(
            "id",
            "is a relationship of an entity to itself; it has no other direction",
        ));
    }
    let relationship_type = match &update.relationship_type {
        Some(name) => text::type_name("relationship_type", name)?,
        None => before.relationship_type.clone(),
    };
    if table::by_ends(tx.read(), &before.target_id, &before.source_id, &relationship_type)?.is_some() {
        return Err(Error::Collision {
            what: "relationship",
            field: "relationship_type",
            other: relationship_type,
        });
    }
    let (turned, _) = put(
        tx,
        "",
        &NewRelationship {
            source_id: before.target_id.clone(),
            target_id: before.source_id.clone(),
            relationship_type,
            weight: update.weight.unwrap_or(before.weight),
            properties: before.properties.clone(),
        },
    )?;
    tx.delete_relationship(&before)?;
    Ok(turned)
}

/// Deletes edges by id. Unknown ids are returned.
pub fn delete(tx: &Tx<'_>, ids: &[RelationshipId]) -> Result<Vec<RelationshipId>> {
    let mut unknown = Vec::new();
    for id in ids {
        match table::by_id(tx.read(), id)? {
            Some(relationship) => tx.delete_relationship(&relationship)?,
            None => unknown.push(id.clone()),
        }
    }
    Ok(unknown)
}

pub(crate) fn check_weight(field: &str, weight: f64) -> Result<()> {
    // Written so that NaN fails too.
    if (0.0..=1.0).contains(&weight) {
        return Ok(());
    }
    Err(Error::argument(field, "is outside 0 to 1; give a number from 0 to 1"))
}

/// The edges from one entity to another, of one type or of all.
pub fn between(
    tx: &Tx<'_>,
    source: &EntityId,
    target: &EntityId,
    relationship_type: Option<&str>,
) -> Result<Vec<Relationship>> {
    let wanted = relationship_type.map(|t| text::type_name("relationship_type", t)).transpose()?;
    let touching = table::touching(tx.read(), source)?;
    Ok(touching
        .into_iter()
        .filter(|r| r.source_id == *source && r.target_id == *target)
        .filter(|r| wanted.as_ref().is_none_or(|wanted| r.relationship_type == *wanted))
        .collect())
}

/// Deletes the edges from one entity to another; what was deleted.
pub fn delete_between(
    tx: &Tx<'_>,
    source: &EntityId,
    target: &EntityId,
    relationship_type: Option<&str>,
) -> Result<Vec<Relationship>> {
    let found = between(tx, source, target, relationship_type)?;
    found.iter().try_for_each(|relationship| tx.delete_relationship(relationship))?;
    Ok(found)
}
