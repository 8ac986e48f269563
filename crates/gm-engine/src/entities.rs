//! Verbs on entities.

use gm_model::{Entity, EntityId, Observation, Properties, Relationship, Timestamp, limits, text};
use gm_store::entities::{EntityFilter, EntityOrder, EntityRow};
use gm_store::relationships::NamedRelationship;
use gm_store::{
    ReadTx, counters, entities as table, journal, observations as observation_table,
    relationships as relationship_table,
};
use serde_json::Value;

use crate::resolve::{self, Purpose};
use crate::transact::{EntityRecord, Tx};
use crate::{Error, Result, observations};

/// An entity to be added, as a caller brings it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewEntity {
    pub name: String,
    pub entity_type: String,
    pub description: String,
    pub properties: Properties,
    pub observations: Vec<String>,
}

/// What became of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Created,
    /// The same thing existed and took up what was new.
    Merged,
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Merged => "merged",
        }
    }
}

/// The answer for one added entity.
#[derive(Debug, Clone, PartialEq)]
pub struct AddedEntity {
    pub id: EntityId,
    pub name: String,
    pub entity_type: String,
    pub status: Status,
    /// What it has now, be it from before.
    pub has_description: bool,
    pub has_observations: bool,
}

/// Adds one entity, or merges it into the one of the same name and type. `path` is how errors
/// name the item, such as `entities[2]`.
pub fn add(tx: &Tx<'_>, path: &str, new: &NewEntity, source: &str) -> Result<AddedEntity> {
    let name = text::name(&join(path, "name"), &new.name)?;
    let entity_type = text::type_name(&join(path, "entity_type"), &new.entity_type)?;
    let description = text::description(&join(path, "description"), &new.description)?;
    check_properties(&join(path, "properties"), &new.properties)?;
    let existing = of_name_and_type(tx.read(), &name, &entity_type)?;
    let mut has_description = !description.is_empty();
    let mut has_observations = !new.observations.is_empty();
    let (id, name, status) = match existing {
        Some(row) => {
            has_observations |= counters::of_entity(tx.read(), row.rid)?.1 > 0;
            let before = tx.record_of(row.entity)?;
            let after = merged(&before, path, &description, &new.properties, tx.now())?;
            tx.update_entity(&before, &after)?;
            has_description = !after.entity.description.is_empty();
            (after.entity.id, after.entity.name, Status::Merged)
        }
        None => {
            let entity = Entity {
                id: EntityId::generate(),
                name: name.clone(),
                entity_type: entity_type.clone(),
                description,
                properties: new.properties.clone(),
                created_at: tx.now(),
                updated_at: tx.now(),
            };
            let id = entity.id.clone();
            tx.create_entity(&entity.into())?;
            (id, name, Status::Created)
        }
    };
    for (i, content) in new.observations.iter().enumerate() {
        let field = format!("{}[{i}]", join(path, "observations"));
        observations::add(tx, &field, &id, content, source)?;
    }
    Ok(AddedEntity { id, name, entity_type, status, has_description, has_observations })
}

/// The entity of a type that has a name, or had it before it was renamed or merged: who curates a graph
/// does not see old names come back as doubles.
fn of_name_and_type(tx: &ReadTx<'_>, name: &str, entity_type: &str) -> Result<Option<EntityRow>> {
    let key = text::fold_key(name);
    if let Some(row) = table::by_key_and_type(tx, &key, entity_type)? {
        return Ok(Some(row));
    }
    let mut found = Vec::new();
    for id in gm_store::aliases::entities_of(tx, &key)? {
        found.extend(table::by_id(tx, &id)?.filter(|row| row.entity.entity_type == entity_type));
    }
    // Of several, none is meant for sure.
    Ok(if found.len() == 1 { found.pop() } else { None })
}

/// A non-empty description replaces an empty one and is otherwise appended when it adds
/// something; properties merge key by key, the new value wins.
pub(crate) fn merged(
    before: &EntityRecord,
    path: &str,
    description: &str,
    properties: &Properties,
    now: Timestamp,
) -> Result<EntityRecord> {
    let mut after = before.clone();
    let entity = &mut after.entity;
    let new = description.trim();
    if !new.is_empty() {
        if entity.description.trim().is_empty() {
            entity.description = description.to_owned();
        } else if !entity.description.contains(new) {
            let joined = format!("{}\n{new}", entity.description);
            entity.description = text::description(&join(path, "description"), &joined)?;
        }
    }
    for (key, value) in properties {
        entity.properties.insert(key.clone(), value.clone());
    }
    check_properties(&join(path, "properties"), &entity.properties)?;
    if after != *before {
        after.entity.updated_at = now;
    }
    Ok(after)
}

/// Changes to one entity; what is `None` stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EntityUpdate {
    pub name: Option<String>,
    pub entity_type: Option<String>,
    pub description: Option<String>,
    /// Merged key by key; a null value deletes its key.
    pub properties: Option<Properties>,
}

/// Updates an entity in place. Id, edges and observations stay; an earlier name becomes an alias.
pub fn update(tx: &Tx<'_>, id: &EntityId, update: &EntityUpdate) -> Result<Entity> {
    let row = require(tx.read(), id)?;
    let before = tx.record_of(row.entity)?;
    let mut after = before.clone();
    let entity = &mut after.entity;
    if let Some(name) = &update.name {
        entity.name = text::name("name", name)?;
    }
    if let Some(entity_type) = &update.entity_type {
        entity.entity_type = text::type_name("entity_type", entity_type)?;
    }
    if let Some(description) = &update.description {
        entity.description = text::description("description", description)?;
    }
    for (key, value) in update.properties.iter().flatten() {
        match value {
            Value::Null => entity.properties.shift_remove(key),
            value => entity.properties.insert(key.clone(), value.clone()),
        };
    }
    check_properties("properties", &entity.properties)?;
    let key = text::fold_key(&entity.name);
    let holder = table::by_key_and_type(tx.read(), &key, &entity.entity_type)?;
    if holder.is_some_and(|holder| holder.entity.id != *id) {
        let field = if update.name.is_some() { "name" } else { "entity_type" };
        return Err(Error::Collision { what: "entity", field, other: entity.name.clone() });
    }
    if before == after {
        return Ok(before.entity);
    }
    let old_key = text::fold_key(&before.entity.name);
    if key != old_key && !after.aliases.iter().any(|alias| text::fold_key(alias) == old_key) {
        after.aliases.push(before.entity.name.clone());
    }
    // Its own name needs no alias.
    after.aliases.retain(|alias| text::fold_key(alias) != key);
    after.entity.updated_at = tx.now();
    tx.update_entity(&before, &after)?;
    Ok(after.entity)
}

/// Deletes entities by id with all that hangs on them. Unknown ids are returned.
pub fn delete(tx: &Tx<'_>, ids: &[EntityId]) -> Result<Vec<EntityId>> {
    let mut unknown = Vec::new();
    for id in ids {
        match table::by_id(tx.read(), id)? {
            Some(row) => tx.delete_entity(&row.entity)?,
            None => unknown.push(id.clone()),
        }
    }
    Ok(unknown)
}

/// What `delete_by_name` did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Deleted {
    pub deleted: Vec<Entity>,
    pub not_found: Vec<String>,
}

/// Deletes entities by name; an ambiguous name is an error, an unknown one is reported.
pub fn delete_by_name(tx: &Tx<'_>, names: &[String], entity_type: Option<&str>) -> Result<Deleted> {
    let mut outcome = Deleted::default();
    for (i, name) in names.iter().enumerate() {
        let field = format!("names[{i}]");
        match resolve::entity(tx.read(), &field, name, entity_type, Purpose::Change) {
            Ok(row) => {
                tx.delete_entity(&row.entity)?;
                outcome.deleted.push(row.entity);
            }
            // The same name twice in one call: it is gone, as asked.
            Err(Error::NotFound { name, .. })
                if outcome.deleted.iter().any(|e| text::fold_key(&e.name) == text::fold_key(&name)) => {}
            Err(Error::NotFound { name, .. }) => outcome.not_found.push(name),
            Err(error) => return Err(error),
        }
    }
    Ok(outcome)
}

/// An entity with its surroundings, bounded; the true counts are told.
#[derive(Debug, Clone, PartialEq)]
pub struct EntityDetail {
    pub entity: Entity,
    pub aliases: Vec<String>,
    pub observations: Vec<Observation>,
    pub observation_count: u64,
    pub relationships: Vec<NamedRelationship>,
    pub relationship_count: u64,
}

/// An entity with up to `nested` observations (newest first) and relationships.
pub fn detail(tx: &ReadTx<'_>, row: EntityRow, nested: u32) -> Result<EntityDetail> {
    let (relationship_count, observation_count) = counters::of_entity(tx, row.rid)?;
    let id = &row.entity.id;
    Ok(EntityDetail {
        aliases: gm_store::aliases::of_entity(tx, id)?,
        observations: observation_table::of_entity(tx, id, nested)?,
        observation_count,
        relationships: relationship_table::named_touching(tx, id, nested)?,
        relationship_count,
        entity: row.entity,
    })
}

/// A page of entities and how many there are in all.
pub fn list(
    tx: &ReadTx<'_>,
    entity_type: Option<&str>,
    name_contains: Option<&str>,
    order: EntityOrder,
    limit: u32,
    offset: u32,
) -> Result<(Vec<EntityRow>, u64)> {
    let filter = EntityFilter {
        entity_type: entity_type.map(|t| text::type_name("entity_type", t)).transpose()?,
        name_contains: name_contains.map(text::fold_key).filter(|key| !key.is_empty()),
    };
    let limit = limit.clamp(1, limits::MAX_LIST_LIMIT);
    Ok(table::list(tx, &filter, order, limit, offset.min(limits::MAX_OFFSET))?)
}

/// The entity of an id, or an error that names it.
pub fn require(tx: &ReadTx<'_>, id: &EntityId) -> Result<EntityRow> {
    table::by_id(tx, id)?.ok_or_else(|| Error::NotFound {
        what: "entity with id",
        name: id.to_string(),
        suggestions: Vec::new(),
    })
}

/// Who last changed an entity, and when; `None` if that was before the journal.
pub fn last_change(tx: &ReadTx<'_>, id: &EntityId) -> Result<Option<(gm_model::Actor, Timestamp)>> {
    Ok(journal::latest_of_object(tx, id.as_str())?.map(|change| (change.actor, change.time)))
}

pub(crate) fn check_properties(field: &str, properties: &Properties) -> Result<()> {
    if properties.values().map(depth).max().unwrap_or(0) > limits::MAX_PROPERTIES_DEPTH {
        let problem = format!("nests deeper than {} levels; flatten it", limits::MAX_PROPERTIES_DEPTH);
        return Err(Error::argument(field, problem));
    }
    let size = serde_json::to_string(properties).map_or(usize::MAX, |text| text.len());
    if size > limits::MAX_PROPERTIES_BYTES {
        let problem = format!("is larger than {} bytes as JSON; shorten it", limits::MAX_PROPERTIES_BYTES);
        return Err(Error::argument(field, problem));
    }
    Ok(())
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

pub(crate) fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

/// The other end of a relationship, seen from one entity.
pub fn other_end<'a>(relationship: &'a Relationship, from: &EntityId) -> &'a EntityId {
    if relationship.source_id == *from { &relationship.target_id } else { &relationship.source_id }
}
