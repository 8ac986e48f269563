//! What was deleted, and having it back.

use anyhow::Result;
use gm_engine::trash::{self, Entry};
use gm_model::{Actor, ObjectKind};
use serde_json::json;

use super::graphs::when;
use crate::args::Trash;
use crate::context::Context;
use crate::output::{counted, note, say};

/// Characters of a text that are printed; `--json` has all.
const PRINTED_CHARS: usize = 60;

pub fn trash(context: &Context, what: Option<&Trash>, json: bool) -> Result<()> {
    match what {
        None => list(context, json),
        Some(Trash::Restore { ids }) => restore(context, ids, json),
        Some(Trash::Empty { ids, yes }) => empty(context, ids, *yes, json),
    }
}

fn list(context: &Context, json: bool) -> Result<()> {
    let graph = context.graph()?;
    let (entries, total) = graph.read(|tx| trash::list(tx, trash::MAX_LISTED))?;
    if json {
        entries.iter().for_each(|entry| say(json!(entry).to_string()));
        return Ok(());
    }
    for entry in &entries {
        say(format!("{}  {}  {} by {}", entry.id, when(entry.deleted_at), described(entry), entry.actor));
    }
    match total {
        0 => note(format!("nothing was deleted from graph `{}` in the last thirty days", graph.name())),
        _ if total > entries.len() as u64 => note(format!("… and {} older", total - entries.len() as u64)),
        _ => note("hint: `graph-mem trash restore ID` brings one back"),
    }
    Ok(())
}

fn described(entry: &Entry) -> String {
    let short: String = entry.label.chars().take(PRINTED_CHARS).collect();
    let label = if short.len() < entry.label.len() { format!("{short}…") } else { short };
    match entry.kind {
        ObjectKind::Entity => format!(
            "entity {label:?} ({}) with {} and {}",
            entry.detail,
            counted(entry.observations, "observation", "observations"),
            counted(entry.relationships, "relationship", "relationships")
        ),
        ObjectKind::Observation => format!("observation of {:?}: {label:?}", entry.detail),
        ObjectKind::Relationship | ObjectKind::Pin => format!("relationship {label:?}: {}", entry.detail),
    }
}

fn restore(context: &Context, ids: &[String], json: bool) -> Result<()> {
    let graph = context.graph()?;
    let restored = trash::restore(&graph, &Actor::cli(), ids)?.value;
    if json {
        say(json!(restored).to_string());
        return Ok(());
    }
    say(format!(
        "restored: {}, {}, {}",
        counted(restored.entities, "entity", "entities"),
        counted(restored.observations, "observation", "observations"),
        counted(restored.relationships, "relationship", "relationships")
    ));
    if !restored.left.is_empty() {
        note(format!(
            "hint: {} stay in the trash: {}",
            counted(restored.left.len() as u64, "thing", "things"),
            restored.left[0].reason
        ));
    }
    Ok(())
}

fn empty(context: &Context, ids: &[String], yes: bool, json: bool) -> Result<()> {
    let graph = context.graph()?;
    let ids = (!ids.is_empty()).then_some(ids);
    if !yes {
        let (_, total) = graph.read(|tx| trash::list(tx, 1))?;
        let n = ids.map_or(total, |ids| ids.len() as u64);
        say(format!("{} would go from the trash for good", counted(n, "thing", "things")));
        note("hint: add `--yes` to do it");
        return Ok(());
    }
    let n = trash::empty(&graph, &Actor::cli(), ids)?;
    if json {
        say(json!({ "graph": graph.name(), "objects": n }).to_string());
    } else {
        say(format!("{} gone from the trash for good", counted(n, "object is", "objects are")));
    }
    Ok(())
}
