//! A graph as JSON, lossless: read back into an empty graph it is the same graph.

use std::collections::HashMap;

use gm_model::{Entity, Observation, Relationship, Timestamp};
use gm_store::{ReadTx, aliases, entities, observations, positions, relationships};
use serde::{Deserialize, Serialize};

use crate::Result;

/// The word by which our exports are recognised.
pub const FORMAT: &str = "graph-mem";
/// The version of the export format this program writes; older ones are read too.
pub const VERSION: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Export {
    pub format: String,
    pub version: u32,
    pub entities: Vec<ExportedEntity>,
    pub relationships: Vec<Relationship>,
    pub observations: Vec<Observation>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExportedEntity {
    #[serde(flatten)]
    pub entity: Entity,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Where a person pinned the node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<(f64, f64)>,
}

/// Reads the whole graph. The order is by creation and id, so that equal graphs export equally
/// whatever was deleted and restored in between.
pub fn export(tx: &ReadTx<'_>) -> Result<Export> {
    let mut pins = HashMap::new();
    positions::each(tx, |rid, position| {
        if position.pinned {
            pins.insert(rid, (position.x, position.y));
        }
    })?;
    let mut exported = Vec::new();
    entities::each(tx, |row| {
        exported.push(ExportedEntity {
            aliases: aliases::of_entity(tx, &row.entity.id)?,
            pin: pins.get(&row.rid).copied(),
            entity: row.entity,
        });
        Ok(())
    })?;
    let mut edges = Vec::new();
    relationships::each(tx, |relationship| {
        edges.push(relationship);
        Ok(())
    })?;
    let mut notes = Vec::new();
    observations::each(tx, |observation| {
        notes.push(observation);
        Ok(())
    })?;
    by_creation(&mut exported, |e| (e.entity.created_at, e.entity.id.as_str()));
    by_creation(&mut edges, |r| (r.created_at, r.id.as_str()));
    by_creation(&mut notes, |o| (o.created_at, o.id.as_str()));
    Ok(Export {
        format: FORMAT.to_owned(),
        version: VERSION,
        entities: exported,
        relationships: edges,
        observations: notes,
    })
}

/// The export as text, one object a line: a change of one object changes one line.
pub fn to_json(export: &Export) -> String {
    let mut out = format!("{{\n  \"format\": \"{FORMAT}\",\n  \"version\": {},\n", export.version);
    section(&mut out, "entities", &export.entities);
    out.push_str(",\n");
    section(&mut out, "relationships", &export.relationships);
    out.push_str(",\n");
    section(&mut out, "observations", &export.observations);
    out.push_str("\n}\n");
    out
}

/// Writes an export whole or not at all, readable by its owner alone.
pub fn write_file(path: &std::path::Path, text: &str) -> Result<()> {
    write_bytes(path, text.as_bytes())
}

/// The same for anything: a draft beside it takes its place once it is whole.
pub fn write_bytes(path: &std::path::Path, bytes: &[u8]) -> Result<()> {
    use std::io::Write;
    let failed = |cause| crate::Error::File { what: "write", cause };
    // Told before the draft, whose name would be told instead.
    if path.parent().is_some_and(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        return Err(failed(std::io::Error::new(std::io::ErrorKind::NotFound, "its folder does not exist")));
    }
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}.part", gm_model::new_ulid()));
    let draft = std::path::PathBuf::from(draft);
    let mut file = gm_store::create_private_file(&draft)?;
    let outcome =
        file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| std::fs::rename(&draft, path));
    if outcome.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    outcome.map_err(failed)
}

fn section<T: Serialize>(out: &mut String, name: &str, objects: &[T]) {
    out.push_str(&format!("  \"{name}\": ["));
    for (i, object) in objects.iter().enumerate() {
        out.push_str(if i == 0 { "\n    " } else { ",\n    " });
        out.push_str(&serde_json::to_string(object).expect("objects of a graph are plain data"));
    }
    out.push_str(if objects.is_empty() { "]" } else { "\n  ]" });
}

fn by_creation<T>(objects: &mut [T], key: impl Fn(&T) -> (Timestamp, &str)) {
    objects.sort_by(|a, b| {
        let ((time_a, id_a), (time_b, id_b)) = (key(a), key(b));
        time_a.total_cmp(&time_b).then_with(|| id_a.cmp(id_b))
    });
}
