//! Files of graph-mem 1.0 (Python): read whole, taken apart and filled again in our schema, all
//! in the migration's one transaction. What cannot stand as it is gets repaired and reported;
//! the untouched file stays as a backup.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use gm_model::{
    Entity, EntityId, Observation, ObservationId, Properties, Relationship, RelationshipId, text,
};
use rusqlite::types::ValueRef;
use rusqlite::{Row, Transaction, params};
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::file::WriteTx;
use crate::{entities, observations, relationships};

/// A row in graph-mem 1.0's own version table that it does not know: it then refuses to open the
/// file instead of writing past the journal.
const LOCKOUT_VERSION: i64 = 1_000;

/// What the migration kept and what it had to mend. Lists hold ids, never text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RepairReport {
    pub entities: u64,
    pub relationships: u64,
    pub observations: u64,
    /// Relationships whose weight was not a number from 0 to 1.
    pub weights_mended: Vec<String>,
    /// Relationships that became equal to another once types were normalised; the higher weight stays.
    pub relationships_merged: Vec<String>,
    /// Relationships and observations that pointed to no entity; they are in the backup.
    pub dangling_dropped: Vec<String>,
    /// Entities whose name was blank, had line breaks, or equalled another without case.
    pub names_mended: Vec<String>,
    /// Objects whose properties were no JSON object; the text is kept under `legacy_properties`.
    pub properties_mended: Vec<String>,
}

impl RepairReport {
    /// Whether anything had to be mended.
    pub fn is_clean(&self) -> bool {
        [
            &self.weights_mended,
            &self.relationships_merged,
            &self.dangling_dropped,
            &self.names_mended,
            &self.properties_mended,
        ]
        .iter()
        .all(|list| list.is_empty())
    }
}

/// The content of an old file, between taking apart and filling.
pub(crate) struct OldContent {
    entities: Vec<OldEntity>,
    relationships: Vec<OldRelationship>,
    observations: Vec<OldObservation>,
}

struct OldEntity {
    id: String,
    name: String,
    entity_type: String,
    description: String,
    properties: String,
    times: (f64, f64),
}

struct OldRelationship {
    id: String,
    ends: (String, String),
    relationship_type: String,
    weight: Option<f64>,
    properties: String,
    times: (f64, f64),
}

struct OldObservation {
    id: String,
    entity_id: String,
    content: String,
    source: String,
    created_at: f64,
}

/// Reads everything, then drops the old tables, so that the first migration finds an empty place.
pub(crate) fn take_apart(tx: &Transaction<'_>, _path: &Path) -> Result<OldContent> {
    let content = OldContent {
        entities: collect(
            tx,
            "SELECT id, name, entity_type, description, properties, created_at, updated_at FROM entities ORDER BY rowid",
            |row| {
                Ok(OldEntity {
                    id: text_of(row, 0)?,
                    name: text_of(row, 1)?,
                    entity_type: text_of(row, 2)?,
                    description: text_of(row, 3)?,
                    properties: text_of(row, 4)?,
                    times: (number_of(row, 5)?.unwrap_or(0.0), number_of(row, 6)?.unwrap_or(0.0)),
                })
            },
        )?,
        relationships: collect(
            tx,
            "SELECT id, source_id, target_id, relationship_type, weight, properties, created_at, updated_at FROM relationships ORDER BY rowid",
            |row| {
                Ok(OldRelationship {
                    id: text_of(row, 0)?,
                    ends: (text_of(row, 1)?, text_of(row, 2)?),
                    relationship_type: text_of(row, 3)?,
                    weight: number_of(row, 4)?,
                    properties: text_of(row, 5)?,
                    times: (number_of(row, 6)?.unwrap_or(0.0), number_of(row, 7)?.unwrap_or(0.0)),
                })
            },
        )?,
        observations: collect(
            tx,
            "SELECT id, entity_id, content, source, created_at FROM observations ORDER BY rowid",
            |row| {
                Ok(OldObservation {
                    id: text_of(row, 0)?,
                    entity_id: text_of(row, 1)?,
                    content: text_of(row, 2)?,
                    source: text_of(row, 3)?,
                    created_at: number_of(row, 4)?.unwrap_or(0.0),
                })
            },
        )?,
    };
    tx.execute_batch(
        "DROP TABLE IF EXISTS entity_embeddings;
         DROP TABLE IF EXISTS observation_embeddings;
         DROP TABLE IF EXISTS embedding_cache;
         DROP TABLE IF EXISTS metadata;
         DROP TABLE IF EXISTS entities_fts;
         DROP TABLE IF EXISTS observations_fts;
         DROP TABLE observations;
         DROP TABLE relationships;
         DROP TABLE entities;",
    )?;
    Ok(content)
}

/// Writes the old content into the new tables and locks older programs out.
pub(crate) fn fill(
    tx: Transaction<'_>,
    old: OldContent,
    now: f64,
) -> Result<(Transaction<'_>, RepairReport)> {
    let write = WriteTx::from_transaction(tx);
    let mut report = RepairReport::default();
    let known = fill_entities(&write, old.entities, now, &mut report)?;
    fill_relationships(&write, old.relationships, &known, now, &mut report)?;
    for old in old.observations {
        if !known.contains(&old.entity_id) {
            report.dangling_dropped.push(old.id);
            continue;
        }
        observations::insert(
            &write,
            &Observation {
                id: ObservationId::from_string(old.id),
                entity_id: EntityId::from_string(old.entity_id),
                content: old.content,
                source: old.source,
                created_at: sane(old.created_at, now),
            },
        )?;
        report.observations += 1;
    }
    write.execute(
        "INSERT OR IGNORE INTO schema_version (version, applied_at, description) VALUES (?1, ?2, 'migrated: now written by a newer graph-mem')",
        params![LOCKOUT_VERSION, now],
    )?;
    let text = serde_json::to_string(&report).unwrap_or_default();
    write.execute("INSERT INTO meta (key, value) VALUES ('migration_report', ?1)", [text])?;
    Ok((write.finish()?, report))
}

fn fill_entities(
    write: &WriteTx<'_>,
    olds: Vec<OldEntity>,
    now: f64,
    report: &mut RepairReport,
) -> Result<HashSet<String>> {
    let mut known = HashSet::with_capacity(olds.len());
    let mut taken: HashSet<(String, String)> = HashSet::with_capacity(olds.len());
    for old in olds {
        let entity_type =
            text::type_name("entity_type", &old.entity_type).unwrap_or_else(|_| "unknown".into());
        let one_line =
            old.name.split(['\n', '\r', '\u{2028}', '\u{2029}', '\0']).collect::<Vec<_>>().join(" ");
        let mut name = text::nfc(one_line.trim());
        let mut mended = one_line != old.name;
        if text::fold_key(&name).is_empty() {
            name = format!("unnamed {}", old.id);
            mended = true;
        }
        let plain = name.clone();
        let mut copy = 1;
        while !taken.insert((text::fold_key(&name), entity_type.clone())) {
            copy += 1;
            name = format!("{plain} ({copy})");
            mended = true;
        }
        if mended {
            report.names_mended.push(old.id.clone());
        }
        let properties = properties(&old.properties, &old.id, report);
        let created_at = sane(old.times.0, now);
        entities::insert(
            write,
            &Entity {
                id: EntityId::from_string(old.id.clone()),
                name,
                entity_type,
                description: old.description,
                properties,
                created_at,
                updated_at: sane(old.times.1, created_at),
            },
        )?;
        known.insert(old.id);
        report.entities += 1;
    }
    Ok(known)
}

fn fill_relationships(
    write: &WriteTx<'_>,
    olds: Vec<OldRelationship>,
    known: &HashSet<String>,
    now: f64,
    report: &mut RepairReport,
) -> Result<()> {
    let mut stored: HashMap<(String, String, String), Relationship> = HashMap::with_capacity(olds.len());
    for old in olds {
        if !known.contains(&old.ends.0) || !known.contains(&old.ends.1) {
            report.dangling_dropped.push(old.id);
            continue;
        }
        let relationship_type = text::type_name("relationship_type", &old.relationship_type)
            .unwrap_or_else(|_| "related_to".into());
        let weight = match old.weight {
            Some(weight) if (0.0..=1.0).contains(&weight) => weight,
            out => {
                report.weights_mended.push(old.id.clone());
                // Above the range means strong, below it weak; no number at all is the default.
                out.filter(|w| !w.is_nan()).map_or(1.0, |w| w.clamp(0.0, 1.0))
            }
        };
        let properties = properties(&old.properties, &old.id, report);
        let created_at = sane(old.times.0, now);
        let relationship = Relationship {
            id: RelationshipId::from_string(old.id.clone()),
            source_id: EntityId::from_string(old.ends.0.clone()),
            target_id: EntityId::from_string(old.ends.1.clone()),
            relationship_type: relationship_type.clone(),
            weight,
            properties,
            created_at,
            updated_at: sane(old.times.1, created_at),
        };
        let key = (old.ends.0, old.ends.1, relationship_type);
        if let Some(before) = stored.get_mut(&key) {
            report.relationships_merged.push(old.id);
            let merged = Relationship { weight: before.weight.max(weight), ..before.clone() };
            relationships::update(write, before, &merged)?;
            *before = merged;
            continue;
        }
        relationships::insert(write, &relationship)?;
        stored.insert(key, relationship);
        report.relationships += 1;
    }
    Ok(())
}

fn properties(text: &str, id: &str, report: &mut RepairReport) -> Properties {
    if text.trim().is_empty() {
        return Properties::new();
    }
    serde_json::from_str(text).unwrap_or_else(|_| {
        report.properties_mended.push(id.to_owned());
        Properties::from_iter([("legacy_properties".to_owned(), text.into())])
    })
}

fn sane(time: f64, otherwise: f64) -> f64 {
    if time.is_finite() && time > 0.0 { time } else { otherwise }
}

fn collect<T>(tx: &Transaction<'_>, sql: &str, read: impl Fn(&Row<'_>) -> Result<T>) -> Result<Vec<T>> {
    let mut statement = tx.prepare(sql)?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// Old columns are loosely typed: whatever stands there is read as text.
fn text_of(row: &Row<'_>, column: usize) -> Result<String> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => String::new(),
        ValueRef::Integer(n) => n.to_string(),
        ValueRef::Real(n) => n.to_string(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
    })
}

fn number_of(row: &Row<'_>, column: usize) -> Result<Option<f64>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Integer(n) => Some(n as f64),
        ValueRef::Real(n) => Some(n),
        ValueRef::Text(bytes) => std::str::from_utf8(bytes).ok().and_then(|t| t.trim().parse().ok()),
        ValueRef::Null | ValueRef::Blob(_) => None,
    })
}
