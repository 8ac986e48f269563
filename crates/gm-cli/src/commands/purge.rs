//! Taking a secret out for good.

use std::io::Read;
use std::process::ExitCode;

use anyhow::Result;
use gm_engine::history;
use gm_engine::purge::{self, Plan, Secret};
use gm_model::{Actor, ObjectKind};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::{self, Failure};
use crate::output::{counted, note, say};
use crate::progress::Progress;

/// Ids and files printed one by one; `--json` has all.
const PRINTED: usize = 50;
/// A text that stands on standard input to be purged has at least this many characters: one
/// letter would take the whole graph.
const MIN_TEXT_CHARS: usize = 4;

pub struct Request<'a> {
    pub ids: &'a [String],
    pub entity: Option<&'a str>,
    pub entity_type: Option<&'a str>,
    pub text: bool,
    pub yes: bool,
    pub json: bool,
}

pub fn purge(context: &Context, request: &Request<'_>) -> Result<ExitCode> {
    let graph = context.graph()?;
    let secret = if request.text {
        Secret::Text(text_from_stdin()?)
    } else {
        let mut ids = request.ids.to_vec();
        if let Some(name) = request.entity {
            ids.push(graph.read(|tx| history::find(tx, name, request.entity_type))?);
        }
        Secret::Objects(ids)
    };
    let progress = Progress::start("looking for it");
    let plan = purge::plan(&context.library, &graph, &secret)?;
    drop(progress);
    if !request.json {
        tell(graph.name(), &plan);
    }
    if !request.yes || plan.is_empty() {
        if request.json {
            say(as_json(&plan, false).to_string());
        }
        if plan.is_empty() {
            return Ok(ExitCode::SUCCESS);
        }
        note("error: nothing was purged\nhint: this cannot be taken back; if it is meant, add `--yes`");
        return Ok(ExitCode::from(exit::FAILED));
    }
    let progress = Progress::start("purging");
    let purged = purge::purge(&context.library, &graph, &Actor::cli(), &secret)?;
    drop(progress);
    if request.json {
        say(as_json(&plan, true).to_string());
    } else {
        say(format!(
            "purged: {} deleted, {} scrubbed, {} deleted",
            counted(purged.objects, "object", "objects"),
            counted(purged.rows, "journal row", "journal rows"),
            counted(purged.deleted_copies.len() as u64, "copy", "copies"),
        ));
    }
    if purged.mentions > 0 {
        note(format!(
            "hint: its name still stands in {} of others; `graph-mem purge --text` with the name on standard input takes those too",
            counted(purged.mentions, "text or journal row", "texts or journal rows")
        ));
    }
    let problem = match &purged.space {
        Ok(space) if !space.log_left => None,
        Ok(_) => Some("others are reading, and need its log".to_owned()),
        Err(problem) => Some(problem.clone()),
    };
    if let Some(problem) = problem {
        note(format!(
            "error: the graph is rid of it, but its file could not be written anew, so that old bytes are still there: {problem}\nhint: run `graph-mem vacuum` when nobody has the graph open"
        ));
        return Ok(ExitCode::from(exit::BUSY));
    }
    note("hint: copies elsewhere, exports, and what agents were told are beyond this program");
    Ok(ExitCode::SUCCESS)
}

/// An argument would stay in the shell's history; what is typed here does not.
fn text_from_stdin() -> Result<String> {
    let mut text = String::new();
    std::io::stdin()
        .lock()
        .read_to_string(&mut text)
        .map_err(|error| Failure::used_wrongly(format!("standard input cannot be read: {error}")))?;
    let text = text.trim_end_matches(['\n', '\r']).to_owned();
    if text.chars().count() < MIN_TEXT_CHARS {
        let message = format!("the text on standard input must have at least {MIN_TEXT_CHARS} characters");
        return Err(Failure::used_wrongly(message).into());
    }
    Ok(text)
}

fn tell(graph: &str, plan: &Plan) {
    if plan.is_empty() {
        say(format!("graph `{graph}` and its backups hold nothing of it"));
    }
    let kinds = [
        (ObjectKind::Entity, "entity", "entities, with all that hangs on them"),
        (ObjectKind::Observation, "observation", "observations"),
        (ObjectKind::Relationship, "relationship", "relationships"),
    ];
    for (kind, one, many) in kinds {
        let ids: Vec<&str> = plan.doomed.iter().filter(|d| d.kind == kind).map(|d| d.id.as_str()).collect();
        if ids.is_empty() {
            continue;
        }
        let more = if ids.len() > PRINTED { ", …" } else { "" };
        let shown = &ids[..ids.len().min(PRINTED)];
        say(format!("{}: {}{more}", counted(ids.len() as u64, one, many), shown.join(", ")));
    }
    if plan.rows > 0 {
        say(format!(
            "{} in {} that can no longer be taken back",
            counted(plan.rows, "journal row", "journal rows"),
            counted(plan.transactions, "change", "changes")
        ));
    }
    if plan.discarded > 0 {
        say(format!("{} in the trash", counted(plan.discarded, "object", "objects")));
    }
    if plan.recalls > 0 {
        say(format!("{} of agents", counted(plan.recalls, "remembered question", "remembered questions")));
    }
    for copy in plan.copies.iter().take(PRINTED) {
        say(format!("the whole copy `{}`", copy.display()));
    }
    if plan.copies.len() > PRINTED {
        say(format!("… and {} more copies", plan.copies.len() - PRINTED));
    }
    for file in &plan.elsewhere {
        note(format!(
            "hint: `{}` is of another graph and holds it too; purge that with `--graph`, or delete the file",
            file.display()
        ));
    }
    for file in &plan.unreadable {
        note(format!(
            "hint: `{}` cannot be looked into; see yourself whether it holds the secret",
            file.display()
        ));
    }
}

fn as_json(plan: &Plan, done: bool) -> Value {
    let objects: Vec<Value> =
        plan.doomed.iter().map(|d| json!({ "kind": d.kind.as_str(), "id": d.id })).collect();
    json!({
        "purged": done, "objects": objects, "journal_rows": plan.rows, "in_trash": plan.discarded, "questions": plan.recalls, "changes": plan.transactions,
        "copies": plan.copies, "copies_of_other_graphs": plan.elsewhere, "unreadable": plan.unreadable,
    })
}
