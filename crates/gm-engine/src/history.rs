//! What happened to a graph, from its journal.

use gm_model::change::is_purged;
use gm_model::{Change, EntityId, ObjectKind, ObservationId, RelationshipId, Timestamp, text};
use gm_store::ReadTx;
use gm_store::journal::{self, Extent, TransactionRow};
use serde_json::{Map, Value};

use crate::{Error, Graph, Result, resolve};

/// The newest transactions first.
pub fn transactions(tx: &ReadTx<'_>, before: Option<i64>, limit: u32) -> Result<Vec<TransactionRow>> {
    Ok(journal::transactions(tx, before, limit.clamp(1, gm_model::limits::MAX_LIST_LIMIT))?)
}

/// What followed a journal position.
#[derive(Debug, Clone, PartialEq)]
pub enum Since {
    /// The rows after it, and the position they lead to.
    Changes { changes: Vec<Change>, seq: i64 },
    /// Too many, or rows in between were trimmed or purged: the reader must load anew.
    Reload,
}

pub fn since(tx: &ReadTx<'_>, seq: i64) -> Result<Since> {
    let limit = gm_model::limits::MAX_DELTA_ROWS;
    let head = journal::head(tx)?;
    if head <= seq {
        return Ok(if head < seq { Since::Reload } else { Since::Changes { changes: Vec::new(), seq } });
    }
    if journal::tail(tx)?.is_none_or(|tail| tail > seq + 1) {
        return Ok(Since::Reload);
    }
    let changes = journal::since(tx, seq, limit + 1)?;
    // A purged state of an object cannot be shown, not even on the way to a later one.
    let purged = changes.iter().any(|change| change.after.as_ref().is_some_and(is_purged));
    if purged || changes.len() > limit as usize {
        return Ok(Since::Reload);
    }
    Ok(Since::Changes { changes, seq: head })
}

/// Ids and names of the first entities a transaction touched, as they were then; those of
/// observations and relationships are told as they are now, or were last.
pub fn subjects(tx: &ReadTx<'_>, row: &TransactionRow, limit: usize) -> Result<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    for change in journal::first_of_transaction(tx, &row.transaction, SUBJECT_ROWS)? {
        let value = change.after.as_ref().or(change.before.as_ref());
        let field = |name: &str| value.and_then(|v| v[name].as_str());
        let subjects = match change.kind {
            ObjectKind::Entity => vec![field("name").map(|name| (change.object_id.clone(), name.to_owned()))],
            ObjectKind::Observation => vec![named(tx, field("entity_id"))?],
            ObjectKind::Relationship => vec![named(tx, field("source_id"))?, named(tx, field("target_id"))?],
            ObjectKind::Pin => vec![named(tx, Some(&change.object_id))?],
        };
        for subject in subjects.into_iter().flatten() {
            if found.len() < limit && !found.iter().any(|(id, _)| *id == subject.0) {
                found.push(subject);
            }
        }
        if found.len() == limit {
            break;
        }
    }
    Ok(found)
}

/// Rows looked at for subjects: enough for an entity with many observations to be followed by
/// another.
const SUBJECT_ROWS: u32 = 40;

/// The name an entity has, or had when it was deleted.
fn named(tx: &ReadTx<'_>, id: Option<&str>) -> Result<Option<(String, String)>> {
    let Some(id) = id else { return Ok(None) };
    if let Some(row) = gm_store::entities::by_id(tx, &EntityId::from_string(id))? {
        return Ok(Some((id.to_owned(), row.entity.name)));
    }
    let last = journal::latest_of_object(tx, id)?.and_then(|change| change.before);
    let name = last.as_ref().and_then(|before| before["name"].as_str());
    Ok(name.map(|name| (id.to_owned(), name.to_owned())))
}

/// What one transaction did to each kind of object, by numbers: made, changed, deleted.
pub fn tally(tx: &ReadTx<'_>, row: &TransactionRow) -> Result<Vec<(ObjectKind, [u64; 3])>> {
    let mut tally = journal::tally(tx, &row.transaction)?;
    tally.sort_by_key(|(kind, _)| *kind as u8);
    Ok(tally)
}

/// One step in the life of an object, field by field.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub change: Change,
    /// Fields that differ: what was there, what is there now. Each property is a field of its own.
    pub fields: Vec<(String, Option<Value>, Option<Value>)>,
}

/// The life of an entity with its observations and relationships, or of one such object,
/// newest first. Reads the whole journal.
pub fn life(tx: &ReadTx<'_>, id: &str, limit: usize) -> Result<Vec<Step>> {
    let mut changes = journal::about(tx, id)?;
    changes.retain(|change| concerns(change, id));
    changes.reverse();
    changes.truncate(limit);
    Ok(changes.into_iter().map(|change| Step { fields: differing(&change), change }).collect())
}

/// Whether a row is about an object, or about something that hangs on that entity.
fn concerns(change: &Change, id: &str) -> bool {
    let values = [&change.before, &change.after];
    change.object_id == id || values.into_iter().flatten().any(|value| hangs_on(change.kind, value, id))
}

/// Whether one side of a row belongs to an entity: it names it as the one it hangs on.
pub(crate) fn hangs_on(kind: ObjectKind, value: &Value, entity: &str) -> bool {
    let ends: &[&str] = match kind {
        ObjectKind::Observation => &["entity_id"],
        ObjectKind::Relationship => &["source_id", "target_id"],
        ObjectKind::Entity | ObjectKind::Pin => &[],
    };
    ends.iter().any(|end| value[*end].as_str() == Some(entity))
}

fn differing(change: &Change) -> Vec<(String, Option<Value>, Option<Value>)> {
    let (before, after) = (flat(&change.before), flat(&change.after));
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.as_str()));
    let fields = names.into_iter().filter(|name| before.get(*name) != after.get(*name));
    fields.map(|name| (name.clone(), before.get(name).cloned(), after.get(name).cloned())).collect()
}

fn flat(value: &Option<Value>) -> Map<String, Value> {
    value.as_ref().and_then(Value::as_object).cloned().map(flattened).unwrap_or_default()
}

/// What stands before the key of a property that is told as a field of its own.
pub(crate) const PROPERTY: &str = "properties.";

/// An object's fields; each property is a field of its own.
pub(crate) fn flattened(mut object: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Object(properties)) = object.shift_remove("properties") {
        object.extend(properties.into_iter().map(|(key, value)| (format!("{PROPERTY}{key}"), value)));
    }
    object
}

/// Ends the history before a time, or tells what would go. The graph stays as it is; what is forgotten
/// can no longer be undone, reverted or looked up.
pub fn trim(graph: &Graph, before: Timestamp, dry_run: bool) -> Result<Extent> {
    if dry_run {
        return graph.read(|tx| Ok(journal::written_before(tx, before)?));
    }
    graph.file().write(|tx| Ok(journal::trim(tx, before)?))
}

/// The id of the object a person means: an id that the graph or its journal knows, the name of an
/// entity, or the name a deleted entity had.
pub fn find(tx: &ReadTx<'_>, name: &str, entity_type: Option<&str>) -> Result<String> {
    let not_found = match resolve::entity(tx, "entity", name, entity_type, resolve::Purpose::Change) {
        Ok(row) => return Ok(row.entity.id.into_string()),
        Err(error @ Error::NotFound { .. }) => error,
        Err(error) => return Err(error),
    };
    if is_known(tx, name)? {
        return Ok(name.to_owned());
    }
    let key = text::fold_key(name);
    let mut found = None;
    journal::deleted_entities(tx, |change| {
        let had = |field: &str| change.before.as_ref().and_then(|before| before[field].as_str());
        let same_type = entity_type.is_none_or(|wanted| had("entity_type") == Some(wanted));
        if same_type && had("name").is_some_and(|name| text::fold_key(name) == key) {
            found = Some(change.object_id);
        }
        found.is_none()
    })?;
    found.ok_or(not_found)
}

/// Whether an object of this id lives or is told of by the journal.
pub fn is_known(tx: &ReadTx<'_>, id: &str) -> Result<bool> {
    Ok(gm_store::entities::by_id(tx, &EntityId::from_string(id))?.is_some()
        || gm_store::observations::by_id(tx, &ObservationId::from_string(id))?.is_some()
        || gm_store::relationships::by_id(tx, &RelationshipId::from_string(id))?.is_some()
        || journal::latest_of_object(tx, id)?.is_some())
}
