//! Graphs, their state and their history.

use anyhow::Result;
use gm_engine::graph::Counts;
use gm_engine::meaning::Unmeant;
use gm_engine::undo::{self, OnConflict};
use gm_engine::{library, now};
use gm_host::Endpoint;
use gm_model::{Actor, TransactionId};
use serde_json::json;

use crate::context::Context;
use crate::output::{counted, note, say};

/// Puts a graph's file out of the way, a damaged one above all.
pub fn set_aside(context: &Context, name: &str) -> Result<()> {
    let aside = context.library.set_aside(name)?;
    say(format!("graph `{name}` is kept as `{}`", aside.display()));
    note(
        "hint: salvage what it holds with `sqlite3 FILE .recover`, or put a copy from `backups` in its place",
    );
    Ok(())
}

pub fn graphs(context: &Context, create: Option<&str>, json: bool) -> Result<()> {
    if let Some(name) = create {
        let graph = context.library.create(name)?;
        say(format!("made graph `{}`", graph.name()));
        return Ok(());
    }
    let list = context.library.list()?;
    if json {
        let list: Vec<_> = list
            .iter()
            .map(|info| {
                let counts = info.content.as_ref().copied().unwrap_or_default();
                json!({
                    "name": info.name, "file": info.file, "size_bytes": info.size_bytes,
                    "entities": counts.entities, "relationships": counts.relationships,
                    "observations": counts.observations, "error": info.content.as_ref().err(),
                })
            })
            .collect();
        say(json!(list).to_string());
        return Ok(());
    }
    if list.is_empty() {
        note(format!(
            "no graphs in `{}` yet\nhint: import a file with `graph-mem import FILE`",
            context.library.folder().display()
        ));
    }
    for info in list {
        match info.content {
            Ok(counts) => say(format!(
                "{:<24} {:>8} entities {:>8} relationships {:>8} observations",
                info.name, counts.entities, counts.relationships, counts.observations
            )),
            Err(problem) => say(format!("{:<24} cannot be read: {problem}", info.name)),
        }
    }
    Ok(())
}

pub fn status(context: &Context, json: bool) -> Result<()> {
    let name = context.graph_name.as_deref().unwrap_or(library::DEFAULT_GRAPH);
    // Asking makes nothing: the default graph comes into being with its first use.
    let mut meaning = None;
    let (name, file, counts, exists) = match context.library.file_of(name) {
        Err(gm_engine::Error::NoSuchGraph { name, .. }) if name == library::DEFAULT_GRAPH => {
            let file = context.library.default_file();
            (name, file, Counts::default(), false)
        }
        Err(error) => return Err(error.into()),
        Ok(_) => {
            let graph = context.graph()?;
            meaning = Some(graph.meaning_status()?);
            (graph.name().to_owned(), graph.path().to_owned(), graph.counts()?, true)
        }
    };
    let endpoint = Endpoint::find(&context.home);
    if json {
        say(json!({
            "version": env!("CARGO_PKG_VERSION"),
            "library": context.library.folder(),
            "home": context.home,
            "graph": name,
            "file": file,
            "exists": exists,
            "entities": counts.entities,
            "relationships": counts.relationships,
            "observations": counts.observations,
            "mcp_url": endpoint.as_ref().map(Endpoint::mcp_url),
            "lan_url": endpoint.and_then(|endpoint| endpoint.lan),
            "meaning": meaning.map(|status| json!({
                "model": status.model.as_ref().ok().map(|model| &model.id),
                "problem": status.model.as_ref().err().map(|unmeant| unmeant.reason()),
                "vectors_of": status.file_model.as_ref().map(|model| &model.id),
                "other_model": status.is_other_model,
                "paused": status.is_paused,
                "texts": status.texts,
                "pending": status.progress.wanted - status.progress.failed,
                "failed": status.progress.failed,
            })),
        })
        .to_string());
        return Ok(());
    }
    if let Some(url) = endpoint.as_ref().and_then(|endpoint| endpoint.lan.as_ref()) {
        note(super::serve::lan_warning(url));
    }
    let not_yet = if exists { "" } else { ", not there yet" };
    say(format!("library        {}", context.library.folder().display()));
    say(format!("graph          {name} ({}{not_yet})", file.display()));
    say(format!("entities       {}", counts.entities));
    say(format!("relationships  {}", counts.relationships));
    say(format!("observations   {}", counts.observations));
    if let Some(status) = meaning {
        say(format!("by meaning     {}", told_meaning(&status)));
    }
    say(format!("agents attach  {}", endpoint.map_or("nothing listens".to_owned(), |e| e.mcp_url())));
    Ok(())
}

/// How far search by meaning is, in one line.
fn told_meaning(status: &gm_engine::meaning::Status) -> String {
    let model = match &status.model {
        Ok(model) => model,
        Err(unmeant) => return format!("no: {}", unmeant.reason()),
    };
    if status.is_other_model {
        return format!("no: {}", Unmeant::OtherModel.reason());
    }
    if status.file_model.is_none() {
        return format!(
            "no: {}; a running graph-mem makes them, or `graph-mem reembed`",
            Unmeant::NoVectors.reason()
        );
    }
    let made = status.texts.saturating_sub(status.progress.wanted);
    let failed = match status.progress.failed {
        0 => String::new(),
        n => format!(", {n} failed"),
    };
    let paused = if status.is_paused { ", paused" } else { "" };
    format!("{made} of {} texts, by {}{failed}{paused}", status.texts, model.id)
}

pub fn undo(context: &Context, transaction: Option<&str>, partial: bool) -> Result<()> {
    let graph = context.graph()?;
    let on_conflict = if partial { OnConflict::TakeBackRest } else { OnConflict::Refuse };
    let applied = match transaction {
        Some(id) => undo::revert(&graph, &Actor::cli(), &TransactionId::from_string(id), on_conflict)?,
        None => undo::undo(&graph, &Actor::cli(), on_conflict)?,
    };
    say(format!(
        "took back `{}`: {}",
        applied.value.operation,
        counted(applied.changes, "change", "changes")
    ));
    if !applied.value.conflicts.is_empty() {
        note(format!("left {} that were changed since", applied.value.conflicts.len()));
    }
    Ok(())
}

/// How long ago, for people.
pub fn when(time: f64) -> String {
    let seconds = (now() - time).max(0.0) as u64;
    match seconds {
        0..60 => "just now".into(),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}
