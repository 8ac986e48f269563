//! Copies of a graph, and bringing one back.
//!
//! Restoring is an ordinary write: the differences between the graph and the copy, journalled in one
//! transaction. Everybody who has the graph open goes on, sees it, and can take it back.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use gm_model::{Actor, EntityId, Observation, Relationship, Timestamp, new_ulid, text};
use gm_store::positions::{self, Position};
use gm_store::{ReadTx, aliases, create_private_folder, entities, maintain, observations, relationships};

use crate::graph::{Counts, Graph};
use crate::transact::{Applied, EntityRecord, Tx};
use crate::{Error, Library, Result};

/// The folder of a library that holds copies of its graphs.
pub const FOLDER: &str = "backups";

/// A copy that was made and looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Backup {
    pub graph: String,
    pub file: PathBuf,
    pub size_bytes: u64,
    pub counts: Counts,
}

/// Copies a graph while others may write to it. Without `output` the copy goes to the library's
/// `backups` folder, under the graph's name and the time.
pub fn back_up(
    library: &Library,
    name: &str,
    output: Option<&Path>,
    replace: bool,
    now: Timestamp,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Backup> {
    let (graph, source) = library.file_of(name)?;
    let file = match output {
        Some(file) => {
            refuse_graphs(library, file)?;
            if file.exists() && !replace {
                return Err(Error::FileExists { file: file.to_owned() });
            }
            file.to_owned()
        }
        None => {
            let folder = library.folder().join(FOLDER);
            create_private_folder(&folder)?;
            let base = format!("{graph}-{}", stamp(now));
            let numbered = (2..).map(|n| format!("{base}-{n}.db"));
            let names = std::iter::once(format!("{base}.db")).chain(numbered);
            let files = names.map(|name| folder.join(name));
            files.into_iter().find(|file| !file.exists()).expect("a free name is found")
        }
    };
    let (entities, relationships, observations) = maintain::back_up(&source, &file, replace, progress)?;
    let size_bytes = std::fs::metadata(&file).map_or(0, |meta| meta.len());
    Ok(Backup { graph, file, size_bytes, counts: Counts { entities, relationships, observations } })
}

/// A live graph must not be written over: whoever has it open would write into nothing.
fn refuse_graphs(library: &Library, file: &Path) -> Result<()> {
    let Ok(target) = std::fs::canonicalize(file) else { return Ok(()) };
    for name in library.names()? {
        let (name, graph) = library.file_of(&name)?;
        if std::fs::canonicalize(graph).is_ok_and(|graph| graph == target) {
            return Err(Error::GraphExists { stored: name });
        }
    }
    Ok(())
}

/// `20261130-034500`, in UTC, so that names sort by time.
fn stamp(time: Timestamp) -> String {
    let time = chrono::DateTime::from_timestamp(time.max(0.0) as i64, 0).unwrap_or_default();
    time.format("%Y%m%d-%H%M%S").to_string()
}

/// What a restore changed, in objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Restored {
    pub created: u64,
    pub changed: u64,
    pub deleted: u64,
}

/// Gives a graph the contents of a copy. The copy stays as it is.
pub fn restore(graph: &Graph, actor: &Actor, copy: &Path) -> Result<Applied<Restored>> {
    let wanted = read_copy(graph, copy)?;
    graph.transact(actor, "restore", |tx| apply(tx, &wanted))
}

/// Everything restoring compares, by id and in the order of rows.
struct Contents {
    entities: Vec<EntityRecord>,
    relationships: Vec<Relationship>,
    observations: Vec<Observation>,
}

/// Reads a copy through a copy of its own, which is brought up to date if it is an older one.
fn read_copy(graph: &Graph, copy: &Path) -> Result<Contents> {
    let draft = Draft::new(graph.path().parent().unwrap_or(Path::new(".")), "restore")?;
    maintain::back_up(copy, &draft.file, true, &mut |_, _| {})?;
    Graph::open("restore", &draft.file, false)?.read(contents)
}

/// Where a copy is brought up to date before it is used. It goes with this value; one that a killed
/// program left is looked into by a purge of secrets, and goes with a later draft.
pub(crate) struct Draft {
    folder: PathBuf,
    pub file: PathBuf,
}

/// Age in seconds from which nobody can be using a draft any more.
const LEFT_OVER: u64 = 24 * 60 * 60;

impl Draft {
    pub(crate) fn new(library: &Path, what: &str) -> Result<Self> {
        let drafts = library.join(FOLDER);
        remove_left_over(&drafts, what);
        let folder = drafts.join(format!("{what}-{}", new_ulid()));
        create_private_folder(&folder)?;
        Ok(Self { file: folder.join("copy.db"), folder })
    }

    /// Whether something of the copy still stands in its log alone.
    pub(crate) fn has_log(&self) -> bool {
        std::fs::metadata(self.folder.join("copy.db-wal")).is_ok_and(|meta| meta.len() > 0)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn remove_left_over(drafts: &Path, what: &str) {
    for entry in std::fs::read_dir(drafts).into_iter().flatten().flatten() {
        let is_draft = entry.file_name().to_string_lossy().starts_with(&format!("{what}-"))
            && entry.file_type().is_ok_and(|kind| kind.is_dir());
        let changed = entry.metadata().and_then(|meta| meta.modified()).ok();
        let age = changed.and_then(|changed| changed.elapsed().ok());
        if is_draft && age.is_some_and(|age| age.as_secs() > LEFT_OVER) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn contents(tx: &ReadTx<'_>) -> Result<Contents> {
    let mut places: HashMap<i64, Position> = HashMap::new();
    positions::each(tx, |rid, position| {
        places.insert(rid, position);
    })?;
    let mut records = Vec::new();
    entities::each(tx, |row| {
        let aliases = aliases::of_entity(tx, &row.entity.id)?;
        let position = places.get(&row.rid).map(|p| (p.x, p.y, p.pinned));
        records.push(EntityRecord { entity: row.entity, aliases, position });
        Ok(())
    })?;
    let (mut edges, mut notes) = (Vec::new(), Vec::new());
    relationships::each(tx, |relationship| {
        edges.push(relationship);
        Ok(())
    })?;
    observations::each(tx, |observation| {
        notes.push(observation);
        Ok(())
    })?;
    Ok(Contents { entities: records, relationships: edges, observations: notes })
}

/// What must go goes first, so that names and ends are free for what comes.
fn apply(tx: &Tx<'_>, wanted: &Contents) -> Result<Restored> {
    let mut present = contents(tx.read())?;
    let mut restored = Restored::default();
    let wanted_edges: HashMap<_, _> = wanted.relationships.iter().map(|r| (&r.id, r)).collect();
    let mut kept_edges = HashMap::new();
    for edge in &present.relationships {
        match wanted_edges.get(&edge.id) {
            Some(same) if ends(same) == ends(edge) => {
                kept_edges.insert(&edge.id, edge);
            }
            other => {
                tx.delete_relationship(edge)?;
                restored.deleted += u64::from(other.is_none());
            }
        }
    }
    let wanted_notes: HashMap<_, _> = wanted.observations.iter().map(|o| (&o.id, o)).collect();
    let mut kept_notes = HashMap::new();
    for note in &present.observations {
        match wanted_notes.get(&note.id) {
            Some(same) if same.entity_id == note.entity_id => {
                kept_notes.insert(&note.id, note);
            }
            other => {
                tx.delete_observation(note)?;
                restored.deleted += u64::from(other.is_none());
            }
        }
    }
    let wanted_ids: HashSet<&EntityId> = wanted.entities.iter().map(|record| &record.entity.id).collect();
    let mut kept = HashMap::new();
    for record in present.entities.drain(..) {
        if wanted_ids.contains(&record.entity.id) {
            kept.insert(record.entity.id.clone(), record);
        } else {
            tx.delete_entity(&record.entity)?;
            restored.deleted += 1;
        }
    }
    restore_entities(tx, wanted, kept, &mut restored)?;
    for edge in &wanted.relationships {
        match kept_edges.get(&edge.id) {
            Some(before) => {
                restored.changed += u64::from(**before != *edge);
                tx.update_relationship(before, edge)?;
            }
            None => {
                tx.create_relationship(edge)?;
                restored.created += 1;
            }
        }
    }
    for note in &wanted.observations {
        match kept_notes.get(&note.id) {
            Some(before) => {
                restored.changed += u64::from(**before != *note);
                tx.update_observation(before, note)?;
            }
            None => {
                tx.create_observation(note)?;
                restored.created += 1;
            }
        }
    }
    Ok(restored)
}

fn restore_entities(
    tx: &Tx<'_>,
    wanted: &Contents,
    mut kept: HashMap<EntityId, EntityRecord>,
    restored: &mut Restored,
) -> Result<()> {
    let key =
        |record: &EntityRecord| (text::fold_key(&record.entity.name), record.entity.entity_type.clone());
    let holders: HashMap<_, EntityId> = kept.iter().map(|(id, record)| (key(record), id.clone())).collect();
    for record in &wanted.entities {
        let id = &record.entity.id;
        // A name that another has now, and gives up below, is given up first: two may have swapped.
        if let Some(other) = holders.get(&key(record)).filter(|other| *other != id)
            && let Some(before) = kept.get_mut(other)
        {
            let mut aside = before.clone();
            aside.entity.name = other.to_string();
            tx.update_entity(before, &aside)?;
            *before = aside;
        }
    }
    for record in &wanted.entities {
        let id = &record.entity.id;
        let Some(before) = kept.remove(id) else {
            tx.create_entity(record)?;
            restored.created += 1;
            continue;
        };
        let after = EntityRecord { position: None, ..record.clone() };
        let before_alive = EntityRecord { position: None, ..before.clone() };
        let pin = |record: &EntityRecord| record.position.filter(|p| p.2).map(|(x, y, _)| (x, y));
        restored.changed += u64::from(before_alive != after || pin(&before) != pin(record));
        tx.update_entity(&before_alive, &after)?;
        if pin(&before) != pin(record) {
            tx.set_pin(id, pin(record))?;
        }
    }
    Ok(())
}

fn ends(relationship: &Relationship) -> (&EntityId, &EntityId, &str) {
    (&relationship.source_id, &relationship.target_id, &relationship.relationship_type)
}

#[cfg(test)]
mod tests {
    #[test]
    fn stamps_are_dates() {
        assert_eq!(super::stamp(0.0), "19700101-000000");
        assert_eq!(super::stamp(951_827_696.0), "20000229-123456");
        assert_eq!(super::stamp(1_798_761_599.9), "20261231-235959");
    }
}
