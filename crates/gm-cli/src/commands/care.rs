//! Copies of a graph, and its space on the disk.

use std::path::Path;

use anyhow::Result;
use gm_engine::library::DEFAULT_GRAPH;
use gm_engine::{backup, now};
use gm_model::Actor;
use serde_json::json;

use crate::context::Context;
use crate::output::{bytes, counted, note, say};
use crate::progress::Progress;

pub fn back_up(context: &Context, output: Option<&Path>, force: bool, json: bool) -> Result<()> {
    let name = context.graph_name.as_deref().unwrap_or(DEFAULT_GRAPH);
    let progress = Progress::start("copying");
    let copy = backup::back_up(&context.library, name, output, force, now(), &mut |done, all| {
        progress.tell(format!("{} %", done * 100 / all.max(1)));
    })?;
    drop(progress);
    let counts = copy.counts;
    if json {
        say(json!({
            "graph": copy.graph, "file": copy.file, "size_bytes": copy.size_bytes, "entities": counts.entities,
            "relationships": counts.relationships, "observations": counts.observations,
        })
        .to_string());
        return Ok(());
    }
    say(format!("copied graph `{}` to `{}` and checked it", copy.graph, copy.file.display()));
    note(format!(
        "{}, {}, {}, {}",
        counted(counts.entities, "entity", "entities"),
        counted(counts.relationships, "relationship", "relationships"),
        counted(counts.observations, "observation", "observations"),
        bytes(copy.size_bytes)
    ));
    Ok(())
}

pub fn restore(context: &Context, file: &Path) -> Result<()> {
    let graph = context.graph()?;
    let progress = Progress::start("restoring");
    let applied = backup::restore(&graph, &Actor::cli(), file)?;
    drop(progress);
    if applied.changes == 0 {
        say(format!("graph `{}` holds what `{}` holds already", graph.name(), file.display()));
        return Ok(());
    }
    let restored = applied.value;
    say(format!(
        "graph `{}` is as in `{}`: {} came back, {} changed, {} went",
        graph.name(),
        file.display(),
        counted(restored.created, "object", "objects"),
        restored.changed,
        restored.deleted
    ));
    note(format!("hint: take it back with `graph-mem undo {}`", applied.transaction));
    Ok(())
}

pub fn vacuum(context: &Context, json: bool) -> Result<()> {
    // Opening brings an older file up to date first.
    let graph = context.graph()?;
    let progress = Progress::start("writing the file anew");
    let done = gm_store::maintain::vacuum(graph.path())?;
    drop(progress);
    if json {
        say(json!({
            "graph": graph.name(), "bytes_before": done.before, "bytes_after": done.after, "log_left": done.log_left,
        })
        .to_string());
        return Ok(());
    }
    say(format!("graph `{}`: {} before, {} now", graph.name(), bytes(done.before), bytes(done.after)));
    if done.log_left {
        note("others are reading: the log beside the file is emptied when they end");
    }
    Ok(())
}
