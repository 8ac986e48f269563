//! Taking writes back, per field and from the journal alone.
//!
//! Undo and redo belong to one author: they find that author's newest transaction, whoever wrote
//! since. Revert takes back any transaction of anyone. All three are ordinary, journalled writes.
//! What was changed again since is a conflict: told before anything is applied, never clobbered.

use gm_model::{
    Actor, Change, Entity, EntityId, ObjectKind, Observation, ObservationId, Relationship, RelationshipId,
    TransactionId, text,
};
use gm_store::journal::{self, LinkKind};
use gm_store::{entities, observations, positions, purge, relationships};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::graph::Graph;
use crate::history::{PROPERTY, flattened};
use crate::transact::{Applied, EntityRecord, Tx};
use crate::trash;
use crate::{Error, Result};

/// One thing that cannot be taken back. Holds ids and field names, never text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conflict {
    pub object_kind: ObjectKind,
    pub object_id: String,
    /// The field that was changed since; empty when it is the object as a whole.
    pub field: String,
    pub reason: &'static str,
}

/// What to do when part of a transaction cannot be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnConflict {
    /// Change nothing and report every conflict.
    #[default]
    Refuse,
    /// Take back the rest and report what was left.
    TakeBackRest,
}

/// What was taken back.
#[derive(Debug, Clone, PartialEq)]
pub struct TakenBack {
    /// The verb of the transaction that was taken back.
    pub operation: String,
    pub conflicts: Vec<Conflict>,
}

/// What `undo` and `redo` would act on: the verbs, for menus.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UndoState {
    pub undo: Option<String>,
    pub redo: Option<String>,
}

pub fn state(graph: &Graph, actor: &Actor) -> Result<UndoState> {
    graph.read(|tx| {
        Ok(UndoState {
            undo: journal::undoable(tx, actor)?.map(|(_, operation)| operation),
            redo: journal::redoable(tx, actor)?.map(|(_, operation)| operation),
        })
    })
}

/// Takes back the author's newest write.
pub fn undo(graph: &Graph, actor: &Actor, on_conflict: OnConflict) -> Result<Applied<TakenBack>> {
    let target = graph.read(|tx| Ok(journal::undoable(tx, actor)?))?;
    let (transaction, operation) = target.ok_or(Error::NothingTo("undo"))?;
    take_back(graph, actor, &transaction, operation, LinkKind::Undo, on_conflict)
}

/// Brings back what the author's newest undo took away.
pub fn redo(graph: &Graph, actor: &Actor, on_conflict: OnConflict) -> Result<Applied<TakenBack>> {
    let target = graph.read(|tx| Ok(journal::redoable(tx, actor)?))?;
    let (transaction, operation) = target.ok_or(Error::NothingTo("redo"))?;
    take_back(graph, actor, &transaction, operation, LinkKind::Redo, on_conflict)
}

/// Takes back any transaction, in the name of `actor`.
pub fn revert(
    graph: &Graph,
    actor: &Actor,
    transaction: &TransactionId,
    on_conflict: OnConflict,
) -> Result<Applied<TakenBack>> {
    let rows = graph.read(|tx| Ok(journal::of_transaction(tx, transaction)?))?;
    let operation = rows.first().map(|row| row.operation.clone()).ok_or_else(|| Error::NotFound {
        what: "transaction",
        name: transaction.to_string(),
        suggestions: Vec::new(),
    })?;
    // What a partial undo left may be tried again.
    if on_conflict == OnConflict::Refuse
        && let Some(by) = graph.read(|tx| Ok(journal::taken_back_by(tx, transaction)?))?
    {
        let problem = format!("is taken back already, by `{by}`; take that back to have it again");
        return Err(Error::argument("transaction", problem));
    }
    take_back(graph, actor, transaction, operation, LinkKind::Revert, on_conflict)
}

fn take_back(
    graph: &Graph,
    actor: &Actor,
    target: &TransactionId,
    operation: String,
    kind: LinkKind,
    on_conflict: OnConflict,
) -> Result<Applied<TakenBack>> {
    let verb = match kind {
        LinkKind::Undo => "undo",
        LinkKind::Redo => "redo",
        LinkKind::Revert => "revert",
    };
    graph.transact_linked(actor, verb, Some((target, kind)), |tx| {
        if on_conflict == OnConflict::Refuse && purge::is_purged(tx.read(), target)? {
            return Err(Error::Purged(target.clone()));
        }
        let mut rows = journal::of_transaction(tx.read(), target)?;
        rows.reverse();
        // What a person or an agent deleted, and had back, goes where it went before.
        let deletes_again =
            matches!(kind, LinkKind::Redo) || ["undo", "revert"].contains(&operation.as_str());
        let puts_back = deletes_again || operation == trash::RESTORE;
        if puts_back {
            tx.discard_from_now();
        }
        let mut conflicts = Vec::new();
        for row in &rows {
            take_back_row(tx, row, &mut conflicts)?;
        }
        if !conflicts.is_empty() && on_conflict == OnConflict::Refuse {
            return Err(Error::Conflicts(conflicts));
        }
        if puts_back {
            tx.gather_discarded()?;
        }
        Ok(TakenBack { operation: operation.clone(), conflicts })
    })
}

fn take_back_row(tx: &Tx<'_>, row: &Change, conflicts: &mut Vec<Conflict>) -> Result<()> {
    if row.is_purged() {
        conflicts.push(Conflict {
            object_kind: row.kind,
            object_id: row.object_id.clone(),
            field: String::new(),
            reason: "what it was is purged",
        });
        return Ok(());
    }
    match row.kind {
        ObjectKind::Entity => object::<EntityObject>(tx, row, conflicts),
        ObjectKind::Relationship => object::<Relationship>(tx, row, conflicts),
        ObjectKind::Observation => object::<Observation>(tx, row, conflicts),
        ObjectKind::Pin => pin(tx, row, conflicts),
    }
}

/// What taking back needs to know of a kind of object.
pub(crate) trait Journalled: Serialize + DeserializeOwned + Clone + PartialEq {
    fn current(tx: &Tx<'_>, id: &str) -> Result<Option<Self>>;
    /// Why it cannot be created now, if it cannot.
    fn obstacle(&self, tx: &Tx<'_>) -> Result<Option<&'static str>>;
    /// Why it cannot be deleted now, if it cannot.
    fn dependants(&self, tx: &Tx<'_>) -> Result<Option<&'static str>>;
    fn create(&self, tx: &Tx<'_>) -> Result<()>;
    fn delete(&self, tx: &Tx<'_>) -> Result<()>;
    fn update(before: &Self, after: &Self, tx: &Tx<'_>) -> Result<()>;
}

type EntityObject = EntityRecord;

fn object<T: Journalled>(tx: &Tx<'_>, row: &Change, conflicts: &mut Vec<Conflict>) -> Result<()> {
    let mut conflict = |field: &str, reason| {
        conflicts.push(Conflict {
            object_kind: row.kind,
            object_id: row.object_id.clone(),
            field: field.to_owned(),
            reason,
        });
    };
    let current = T::current(tx, &row.object_id)?;
    match (&row.before, &row.after, current) {
        (Some(before), None, None) => {
            let object: T = read(before, row)?;
            match object.obstacle(tx)? {
                Some(reason) => conflict("", reason),
                None => object.create(tx)?,
            }
        }
        (Some(_), None, Some(_)) => conflict("", "it exists again"),
        (_, Some(_), None) => conflict("", "it was deleted since"),
        (None, Some(after), Some(current)) => {
            let made: T = read(after, row)?;
            let changed = changed_fields(&fields(&made), &fields(&current));
            if let Some(reason) = current.dependants(tx)? {
                conflict("", reason);
            } else if changed.is_empty() {
                current.delete(tx)?;
            } else {
                for field in changed {
                    conflict(&field, "it was changed since");
                }
            }
        }
        (Some(before), Some(after), Some(current)) => {
            let (before, after) = (fields(&read::<T>(before, row)?), fields(&read::<T>(after, row)?));
            let now = fields(&current);
            let mut wanted = now.clone();
            for field in changed_fields(&before, &after) {
                if now.get(&field) == after.get(&field) {
                    put(&mut wanted, &field, before.get(&field));
                } else if field != UPDATED_AT {
                    conflict(&field, "it was changed since");
                }
            }
            let wanted: T = read(&unflatten(in_order_of(&before, wanted)), row)?;
            match wanted.obstacle(tx)? {
                Some(reason) => conflict("name", reason),
                None => T::update(&current, &wanted, tx)?,
            }
        }
        (None, None, _) => {}
    }
    Ok(())
}

fn pin(tx: &Tx<'_>, row: &Change, conflicts: &mut Vec<Conflict>) -> Result<()> {
    let id = EntityId::from_string(row.object_id.clone());
    let mut conflict = |reason| {
        conflicts.push(Conflict {
            object_kind: row.kind,
            object_id: row.object_id.clone(),
            field: String::new(),
            reason,
        });
    };
    if entities::by_id(tx.read(), &id)?.is_none() {
        conflict("its entity was deleted since");
        return Ok(());
    }
    let place = |value: &Option<Value>| -> Option<(f64, f64)> {
        let value = value.as_ref()?;
        Some((value.get("x")?.as_f64()?, value.get("y")?.as_f64()?))
    };
    let now = positions::of_entity(tx.read(), &id)?.filter(|p| p.pinned).map(|p| (p.x, p.y));
    if now != place(&row.after) {
        conflict("it was moved since");
        return Ok(());
    }
    tx.set_pin(&id, place(&row.before))
}

const UPDATED_AT: &str = "updated_at";

/// An object as flat fields; each property is a field of its own, so that two writers of
/// different keys do not clash.
fn fields<T: Serialize>(object: &T) -> Map<String, Value> {
    let Ok(Value::Object(object)) = serde_json::to_value(object) else { return Map::new() };
    let has_properties = object.contains_key("properties");
    let mut map = flattened(object);
    if has_properties {
        // Says that the object has properties, should all of them go.
        map.insert("properties".into(), Value::Object(Map::new()));
    }
    // Told only at deletion; never a field to compare.
    map.shift_remove("position");
    map
}

fn unflatten(mut fields: Map<String, Value>) -> Value {
    let keys: Vec<String> = fields.keys().filter(|key| key.starts_with(PROPERTY)).cloned().collect();
    let mut properties = Map::new();
    for key in keys {
        if let Some(value) = fields.shift_remove(&key) {
            properties.insert(key[PROPERTY.len()..].to_owned(), value);
        }
    }
    if fields.contains_key("properties") {
        fields.insert("properties".into(), Value::Object(properties));
    }
    Value::Object(fields)
}

fn changed_fields(one: &Map<String, Value>, other: &Map<String, Value>) -> Vec<String> {
    let mut names: Vec<&String> = one.keys().chain(other.keys()).collect();
    names.sort();
    names.dedup();
    names.into_iter().filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}

/// Fields in the order they have in another object; those it does not have, as they stand, after them.
fn in_order_of(other: &Map<String, Value>, mut fields: Map<String, Value>) -> Map<String, Value> {
    let mut ordered: Map<String, Value> =
        other.keys().filter_map(|name| fields.shift_remove_entry(name)).collect();
    ordered.extend(fields);
    ordered
}

fn put(fields: &mut Map<String, Value>, name: &str, value: Option<&Value>) {
    match value {
        Some(value) => fields.insert(name.to_owned(), value.clone()),
        None => fields.shift_remove(name),
    };
}

fn read<T: DeserializeOwned>(value: &Value, row: &Change) -> Result<T> {
    serde_json::from_value(value.clone())
        .map_err(|_| gm_store::Error::Corrupt { kind: "journal row", id: row.seq.to_string() }.into())
}

impl Journalled for EntityRecord {
    fn current(tx: &Tx<'_>, id: &str) -> Result<Option<Self>> {
        let row = entities::by_id(tx.read(), &EntityId::from_string(id))?;
        row.map(|row| tx.record_of(row.entity)).transpose()
    }

    fn obstacle(&self, tx: &Tx<'_>) -> Result<Option<&'static str>> {
        let Entity { id, name, entity_type, .. } = &self.entity;
        let holder = entities::by_key_and_type(tx.read(), &text::fold_key(name), entity_type)?;
        Ok(holder.filter(|row| row.entity.id != *id).map(|_| "another entity has its name and type now"))
    }

    fn dependants(&self, tx: &Tx<'_>) -> Result<Option<&'static str>> {
        let id = &self.entity.id;
        let built_on = !relationships::touching(tx.read(), id)?.is_empty()
            || !observations::of_entity(tx.read(), id, 1)?.is_empty();
        Ok(built_on.then_some("others have built on it since"))
    }

    fn create(&self, tx: &Tx<'_>) -> Result<()> {
        tx.create_entity(self)?;
        tx.revive(self.entity.id.as_str())
    }

    fn delete(&self, tx: &Tx<'_>) -> Result<()> {
        tx.delete_entity(&self.entity)
    }

    fn update(before: &Self, after: &Self, tx: &Tx<'_>) -> Result<()> {
        tx.update_entity(before, after)
    }
}

impl Journalled for Relationship {
    fn current(tx: &Tx<'_>, id: &str) -> Result<Option<Self>> {
        Ok(relationships::by_id(tx.read(), &RelationshipId::from_string(id))?)
    }

    fn obstacle(&self, tx: &Tx<'_>) -> Result<Option<&'static str>> {
        for end in [&self.source_id, &self.target_id] {
            if entities::by_id(tx.read(), end)?.is_none() {
                return Ok(Some("one of its ends is gone"));
            }
        }
        let twin =
            relationships::by_ends(tx.read(), &self.source_id, &self.target_id, &self.relationship_type)?;
        Ok(twin.filter(|twin| twin.id != self.id).map(|_| "an equal relationship exists now"))
    }

    fn dependants(&self, _tx: &Tx<'_>) -> Result<Option<&'static str>> {
        Ok(None)
    }

    fn create(&self, tx: &Tx<'_>) -> Result<()> {
        tx.create_relationship(self)?;
        tx.revive(self.id.as_str())
    }

    fn delete(&self, tx: &Tx<'_>) -> Result<()> {
        tx.delete_relationship(self)
    }

    fn update(before: &Self, after: &Self, tx: &Tx<'_>) -> Result<()> {
        tx.update_relationship(before, after)
    }
}

impl Journalled for Observation {
    fn current(tx: &Tx<'_>, id: &str) -> Result<Option<Self>> {
        Ok(observations::by_id(tx.read(), &ObservationId::from_string(id))?)
    }

    fn obstacle(&self, tx: &Tx<'_>) -> Result<Option<&'static str>> {
        let entity = entities::by_id(tx.read(), &self.entity_id)?;
        if entity.is_none() {
            return Ok(Some("its entity is gone"));
        }
        let twin = observations::with_content(tx.read(), &self.entity_id, &self.content)?;
        Ok(twin.filter(|twin| twin.id != self.id).map(|_| "an equal observation exists now"))
    }

    fn dependants(&self, _tx: &Tx<'_>) -> Result<Option<&'static str>> {
        Ok(None)
    }

    fn create(&self, tx: &Tx<'_>) -> Result<()> {
        tx.create_observation(self)?;
        tx.revive(self.id.as_str())
    }

    fn delete(&self, tx: &Tx<'_>) -> Result<()> {
        tx.delete_observation(self)
    }

    fn update(before: &Self, after: &Self, tx: &Tx<'_>) -> Result<()> {
        tx.update_observation(before, after)
    }
}
