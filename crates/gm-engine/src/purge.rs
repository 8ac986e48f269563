//! Taking a secret out of a graph, its history and its backups, so that no byte of it is left in
//! the library.
//!
//! First a plan, which changes nothing; then the purge: what lives and holds the secret is deleted,
//! the journal's rows about it become tombstones, the text index is made anew, copies that hold it
//! are deleted, and the file is written anew without the pages it stood on. Who reads the graph
//! meanwhile sees a deletion. The changes it stood in cannot be taken back; all others can.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gm_model::change::is_purged as is_tombstone;
use gm_model::{Actor, Change, EntityId, ObjectKind, ObservationId, RelationshipId, text};
use gm_store::maintain::{self, Vacuumed};
use gm_store::{ReadTx, entities, journal, observations, purge as table, relationships, search, trash};
use serde_json::Value;

use crate::graph::Graph;
use crate::history::{hangs_on, is_known};
use crate::library::{ASIDE, DEFAULT_FILE, DEFAULT_GRAPH, is_set_aside};
use crate::transact::{EntityRecord, Tx};
use crate::{Error, Library, Result, backup};

/// A question that was asked before a purge is told by then.
const RECALLS_TOLD_WITHIN: Duration = Duration::from_millis(1_500);

/// What has to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Secret {
    /// Objects by id, with all that hangs on them and was ever said of them.
    Objects(Vec<String>),
    /// A text, wherever it stands. Objects that do not hold it any more live on.
    Text(String),
}

/// An object that lives and would be deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doomed {
    pub kind: ObjectKind,
    pub id: String,
}

/// What a purge would do.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// What holds the secret; what hangs on it goes with it.
    pub doomed: Vec<Doomed>,
    /// Rows of the journal to be scrubbed, and in how many transactions they stand.
    pub rows: u64,
    pub transactions: u64,
    /// Objects in the trash that hold it.
    pub discarded: u64,
    /// Questions of agents that hold it, or whose answers told of it.
    pub recalls: u64,
    /// Copies of the library that hold it, to be deleted.
    pub copies: Vec<PathBuf>,
    /// Copies of other graphs that hold it; they are left to a purge of those.
    pub elsewhere: Vec<PathBuf>,
    /// Files beside them that could not be looked into.
    pub unreadable: Vec<PathBuf>,
}

impl Plan {
    pub fn is_empty(&self) -> bool {
        self.doomed.is_empty()
            && self.rows == 0
            && self.discarded == 0
            && self.recalls == 0
            && self.copies.is_empty()
    }
}

/// What a purge did.
#[derive(Debug, Clone, PartialEq)]
pub struct Purged {
    pub objects: u64,
    pub rows: u64,
    pub deleted_copies: Vec<PathBuf>,
    /// Other objects and journal rows that mention the name of a purged entity: texts of others,
    /// which are left as they are.
    pub mentions: u64,
    /// The file written anew, or why it could not be: then old bytes are still in it.
    pub space: Result<Vacuumed, String>,
}

/// Finds what holds a secret, and changes nothing.
pub fn plan(library: &Library, graph: &Graph, secret: &Secret) -> Result<Plan> {
    let mut plan = graph.read(|tx| {
        if let Secret::Objects(ids) = secret {
            for id in ids {
                if !is_known(tx, id)? {
                    return Err(Error::NotFound {
                        what: "object with id",
                        name: id.clone(),
                        suggestions: Vec::new(),
                    });
                }
            }
        }
        let rows = rows_of(tx, secret)?;
        let transactions: HashSet<_> = rows.iter().map(|(change, _, _)| &change.transaction).collect();
        Ok(Plan {
            transactions: transactions.len() as u64,
            rows: rows.len() as u64,
            doomed: doomed(tx, secret)?,
            discarded: discarded(tx, secret)?.len() as u64,
            ..Plan::default()
        })
    })?;
    let needles = needles_of(secret);
    plan.recalls = library.state().forget_recalls(&library.real_folder(), graph.name(), &needles, false)?;
    let names = library.names()?;
    for file in copies(library)? {
        match table::holds(&file, &needles) {
            Ok(true) if is_of_another(&file, graph.name(), &names) => plan.elsewhere.push(file),
            Ok(true) => plan.copies.push(file),
            Ok(false) if is_log(&file) && !is_empty(&file) => plan.unreadable.push(file),
            Ok(false) => {}
            Err(_) => plan.unreadable.push(file),
        }
    }
    Ok(plan)
}

/// Carries a plan out. What came to hold the secret since is found as well.
pub fn purge(library: &Library, graph: &Graph, actor: &Actor, secret: &Secret) -> Result<Purged> {
    let Plan { copies, doomed: known, .. } = plan(library, graph, secret)?;
    let names = graph.read(|tx| names_of(tx, &known))?;
    let applied = graph.transact(actor, "purge", |tx| {
        for object in doomed(tx.read(), secret)? {
            delete(tx, &object)?;
        }
        let rows = rows_of(tx.read(), secret)?;
        for (change, before, after) in &rows {
            table::scrub(tx.write(), change, *before, *after)?;
        }
        for id in discarded(tx.read(), secret)? {
            trash::forget(tx.write(), &id)?;
        }
        table::tidy(tx.write(), &needles_of(secret))?;
        // The index forgets deleted words only when its parts are merged; this writes it anew.
        search::rebuild(tx.write())?;
        Ok(rows.len() as u64)
    })?;
    let state = library.state();
    let asked: Vec<String> = needles_of(secret).into_iter().chain(names.iter().cloned()).collect();
    state.forget_recalls(&library.real_folder(), graph.name(), &asked, true)?;
    // One that has only begun is not among those at work yet.
    let others = state.holders(graph.path())?.into_iter().any(|holder| holder.id != library.process());
    if others || !state.present()?.is_empty() {
        // Processes at work tell what they were asked once a second.
        std::thread::sleep(RECALLS_TOLD_WITHIN);
        state.forget_recalls(&library.real_folder(), graph.name(), &asked, true)?;
    }
    let mut deleted_copies = Vec::new();
    for file in copies {
        std::fs::remove_file(&file).map_err(|cause| Error::File { what: "delete", cause })?;
        deleted_copies.push(file);
    }
    let mentions = graph.read(|tx| {
        let mut mentions = 0;
        for name in &names {
            let name = Secret::Text(name.clone());
            mentions += doomed(tx, &name)?.len() + rows_of(tx, &name)?.len();
        }
        Ok(mentions as u64)
    })?;
    let space = maintain::vacuum(graph.path()).map_err(|error| error.to_string());
    Ok(Purged { objects: applied.changes, rows: applied.value, deleted_copies, mentions, space })
}

/// Rows of the journal that hold a secret, and which of their sides do.
fn rows_of(tx: &ReadTx<'_>, secret: &Secret) -> Result<Vec<(Change, bool, bool)>> {
    let mut found: Vec<(Change, bool, bool)> = Vec::new();
    let needles = needles_of(secret);
    let mut seen = HashSet::new();
    for needle in &needles {
        for change in journal::about(tx, needle)? {
            let holds = |value: &Option<Value>| {
                let Some(value) = value.as_ref().filter(|value| !is_tombstone(value)) else { return false };
                match secret {
                    Secret::Objects(_) => change.object_id == *needle || hangs_on(change.kind, value, needle),
                    Secret::Text(_) => says(value, &needles),
                }
            };
            let (before, after) = (holds(&change.before), holds(&change.after));
            if !(before || after) {
                continue;
            }
            if seen.insert(change.seq) {
                found.push((change, before, after));
            } else if let Some(known) = found.iter_mut().find(|(known, _, _)| known.seq == change.seq) {
                known.1 |= before;
                known.2 |= after;
            }
        }
    }
    Ok(found)
}

/// What lives and holds a secret itself.
fn doomed(tx: &ReadTx<'_>, secret: &Secret) -> Result<Vec<Doomed>> {
    let mut found = Vec::new();
    let mut doom = |kind, id: &str| found.push(Doomed { kind, id: id.to_owned() });
    match secret {
        Secret::Objects(ids) => {
            for id in ids {
                if entities::by_id(tx, &EntityId::from_string(id))?.is_some() {
                    doom(ObjectKind::Entity, id);
                } else if observations::by_id(tx, &ObservationId::from_string(id))?.is_some() {
                    doom(ObjectKind::Observation, id);
                } else if relationships::by_id(tx, &RelationshipId::from_string(id))?.is_some() {
                    doom(ObjectKind::Relationship, id);
                }
            }
        }
        Secret::Text(text) => {
            let needles = spellings(text);
            observations::each(tx, |observation| {
                if says(&as_value(&observation), &needles) {
                    doom(ObjectKind::Observation, observation.id.as_str());
                }
                Ok(())
            })?;
            relationships::each(tx, |relationship| {
                if says(&as_value(&relationship), &needles) {
                    doom(ObjectKind::Relationship, relationship.id.as_str());
                }
                Ok(())
            })?;
            entities::each(tx, |row| {
                let aliases = gm_store::aliases::of_entity(tx, &row.entity.id)?;
                let record = EntityRecord { entity: row.entity, aliases, position: None };
                if says(&as_value(&record), &needles) {
                    doom(ObjectKind::Entity, record.entity.id.as_str());
                }
                Ok(())
            })?;
        }
    }
    Ok(found)
}

/// What is in the trash and holds a secret, or hangs on what does.
fn discarded(tx: &ReadTx<'_>, secret: &Secret) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let needles = needles_of(secret);
    trash::each(tx, |object| {
        let is_meant = match secret {
            Secret::Objects(ids) => {
                let about = [Some(&object.id), Some(&object.entity_id), object.target_id.as_ref()];
                about.into_iter().flatten().any(|id| ids.contains(id))
            }
            // What cannot be read may hold anything.
            Secret::Text(_) => {
                serde_json::from_str(&object.content).map_or(true, |content| says(&content, &needles))
            }
        };
        if is_meant {
            found.push(object.id);
        }
    })?;
    Ok(found)
}

fn names_of(tx: &ReadTx<'_>, objects: &[Doomed]) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for object in objects.iter().filter(|object| object.kind == ObjectKind::Entity) {
        if let Some(rid) = entities::rid_of(tx, &object.id)? {
            names.extend(entities::name_of(tx, rid)?);
        }
    }
    Ok(names)
}

/// Deletes an object if it has not gone with another already.
fn delete(tx: &Tx<'_>, object: &Doomed) -> Result<()> {
    match object.kind {
        ObjectKind::Entity | ObjectKind::Pin => {
            if let Some(row) = entities::by_id(tx.read(), &EntityId::from_string(&object.id))? {
                tx.delete_entity(&row.entity)?;
            }
        }
        ObjectKind::Relationship => {
            let id = RelationshipId::from_string(&object.id);
            if let Some(relationship) = relationships::by_id(tx.read(), &id)? {
                tx.delete_relationship(&relationship)?;
            }
        }
        ObjectKind::Observation => {
            if let Some(observation) =
                observations::by_id(tx.read(), &ObservationId::from_string(&object.id))?
            {
                tx.delete_observation(&observation)?;
            }
        }
    }
    Ok(())
}

/// What gives a secret away, as it may stand in a file.
fn needles_of(secret: &Secret) -> Vec<String> {
    match secret {
        Secret::Objects(ids) => ids.clone(),
        Secret::Text(text) => spellings(text),
    }
}

/// A text as it may stand in the file: as it was given and in normal form, plain and inside JSON.
fn spellings(secret: &str) -> Vec<String> {
    let mut found = Vec::new();
    for plain in [secret.to_owned(), text::nfc(secret)] {
        let quoted = Value::String(plain.clone()).to_string();
        for spelling in [quoted[1..quoted.len() - 1].to_owned(), plain] {
            if !found.contains(&spelling) {
                found.push(spelling);
            }
        }
    }
    found
}

/// Fields of an object that we made ourselves: digits of a time are no secret.
const OURS: [&str; 7] = ["id", "entity_id", "source_id", "target_id", "created_at", "updated_at", "position"];

/// Whether what somebody wrote of an object holds one of some texts.
fn says(object: &Value, texts: &[String]) -> bool {
    let fields = object.as_object().into_iter().flatten();
    fields.filter(|(name, _)| !OURS.contains(&name.as_str())).any(|(_, value)| holds_text(value, texts))
}

/// Whether any text of a value, keys included, holds one of some texts.
fn holds_text(value: &Value, texts: &[String]) -> bool {
    let holds = |text: &str| texts.iter().any(|wanted| text.contains(wanted.as_str()));
    match value {
        Value::String(text) => holds(text),
        Value::Number(number) => holds(&number.to_string()),
        Value::Array(items) => items.iter().any(|item| holds_text(item, texts)),
        Value::Object(map) => map.iter().any(|(key, value)| holds(key) || holds_text(value, texts)),
        Value::Null | Value::Bool(_) => false,
    }
}

fn as_value<T: serde::Serialize>(object: &T) -> Value {
    serde_json::to_value(object).expect("objects of a graph are plain data")
}

/// Files of the library that may hold what a graph once held: its backups, drafts of such, and
/// what was put aside. None of them is open.
fn copies(library: &Library) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    files_below(&library.folder().join(backup::FOLDER), &mut found)?;
    let mut beside = Vec::new();
    files_in(library.folder(), &mut beside)?;
    found.extend(beside.into_iter().filter(|file| {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("state.sqlite.damaged")
            || is_set_aside(file)
            || file.extension().is_some_and(|extension| extension == "part")
    }));
    found.sort();
    Ok(found)
}

/// Whether a copy was made of another graph of the library: by the longest name it begins with. One
/// that nobody else claims is looked after by this purge.
fn is_of_another(file: &Path, graph: &str, names: &[String]) -> bool {
    let file = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if let Some((stem, _)) = file.split_once(".db").filter(|(_, rest)| rest.contains(ASIDE)) {
        // It is the graph itself, and no graph has its name any more.
        let is_default = stem == DEFAULT_FILE.trim_end_matches(".db");
        return !(stem == graph || is_default && graph == DEFAULT_GRAPH);
    }
    let claims = |stem: &str| {
        let rest = file.strip_prefix(stem);
        rest.is_some_and(|rest| rest.starts_with('-') || rest.starts_with(".db"))
    };
    // Copies made before migrations carry the file's name.
    let stems = names.iter().map(|name| (name.as_str(), name.as_str()));
    let default = (DEFAULT_GRAPH, DEFAULT_FILE.trim_end_matches(".db"));
    let owner = stems.chain([default]).filter(|(_, stem)| claims(stem)).max_by_key(|(_, stem)| stem.len());
    owner.is_some_and(|(owner, _)| owner != graph)
}

/// A log, which is no database that could be asked: its pages may cut a text in two.
fn is_log(file: &Path) -> bool {
    is_set_aside(file) && file.to_string_lossy().contains("-wal")
}

fn is_empty(file: &Path) -> bool {
    std::fs::metadata(file).is_ok_and(|meta| meta.len() == 0)
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for inner in files_in(folder, found)? {
        files_below(&inner, found)?;
    }
    Ok(())
}

/// Adds the files of a folder and returns the folders in it. A link is neither: it is not ours.
fn files_in(folder: &Path, found: &mut Vec<PathBuf>) -> Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(Error::File { what: "list", cause }),
    };
    let mut folders = Vec::new();
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => folders.push(entry.path()),
            Ok(kind) if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
    Ok(folders)
}
