//! What happened to a graph, and to one object of it.

use anyhow::Result;
use gm_engine::history::{self, Step};
use gm_engine::now;
use gm_model::ObjectKind;
use serde_json::{Map, Value, json};

use super::graphs::when;
use crate::context::Context;
use crate::output::{counted, note, say};

/// Entities named per transaction; `--json` has more.
const NAMED: usize = 3;
const NAMED_IN_JSON: usize = 1_000;
/// Characters of a value that are printed; `--json` has all.
const PRINTED_CHARS: usize = 100;

const SECONDS_A_DAY: f64 = 86_400.0;

pub fn trim(context: &Context, keep_days: u32, yes: bool, json: bool) -> Result<()> {
    let graph = context.graph()?;
    let before = now() - f64::from(keep_days) * SECONDS_A_DAY;
    let gone = history::trim(&graph, before, !yes)?;
    if json {
        say(json!({
            "graph": graph.name(), "applied": yes, "before": before, "transactions": gone.transactions, "changes": gone.rows,
        })
        .to_string());
        return Ok(());
    }
    let transactions = counted(gone.transactions, "transaction", "transactions");
    let changes = counted(gone.rows, "change", "changes");
    if yes {
        say(format!("graph `{}`: {transactions} with {changes} forgotten", graph.name()));
        note("hint: `graph-mem vacuum` gives their space back to the disk");
    } else {
        say(format!("graph `{}`: {transactions} with {changes} would be forgotten", graph.name()));
        note("hint: add `--yes` to do it; what is forgotten can no longer be undone");
    }
    Ok(())
}

pub fn log(
    context: &Context,
    limit: u32,
    entity: Option<&str>,
    entity_type: Option<&str>,
    json: bool,
) -> Result<()> {
    if let Some(entity) = entity {
        return life(context, entity, entity_type, limit, json);
    }
    let graph = context.graph()?;
    let wanted = if json { NAMED_IN_JSON } else { NAMED + 1 };
    let rows = graph.read(|tx| {
        let rows = history::transactions(tx, None, limit)?;
        let told = rows.into_iter().map(|row| {
            let (subjects, tally) = (history::subjects(tx, &row, wanted)?, history::tally(tx, &row)?);
            Ok((row, subjects, tally))
        });
        told.collect::<gm_engine::Result<Vec<_>>>()
    })?;
    let oldest_shown = rows.last().filter(|_| rows.len() == limit as usize).map(|(row, ..)| row.first_seq);
    if rows.is_empty() && !json {
        note("nothing has happened here, or its history was trimmed");
    }
    for (row, subjects, tally) in rows {
        if json {
            let subjects: Vec<Value> =
                subjects.iter().map(|(id, name)| json!({ "id": id, "name": name })).collect();
            say(json!({
                "transaction": row.transaction.as_str(), "first_seq": row.first_seq, "last_seq": row.last_seq,
                "time": row.time, "actor": row.actor.to_string(), "client": row.actor.client,
                "operation": row.operation, "changes": row.changes, "objects": numbers(&tally),
                "entities": subjects, "undone_by": row.undone_by,
            })
            .to_string());
            continue;
        }
        let mut names: Vec<String> = subjects.iter().take(NAMED).map(|(_, name)| shown(name)).collect();
        if subjects.len() > NAMED {
            names.push("…".into());
        }
        let undone = if row.undone_by.is_some() { "  (taken back)" } else { "" };
        say(format!(
            "{}  {:<10} {:<20} {:<20} {}  {}{undone}",
            row.transaction,
            when(row.time),
            row.actor.to_string(),
            row.operation,
            names.join(", "),
            in_short(&tally),
        ));
    }
    if !json && oldest_shown.is_some_and(|seq| seq > 1) {
        note("hint: there may be more; `-n` shows it");
    }
    Ok(())
}

/// `+3 observations, -1 relationship, 2 entities changed`.
fn in_short(tally: &[(ObjectKind, [u64; 3])]) -> String {
    let mut parts = Vec::new();
    for (kind, [made, changed, deleted]) in tally {
        let (one, many) = match kind {
            ObjectKind::Entity => ("entity", "entities"),
            ObjectKind::Relationship => ("relationship", "relationships"),
            ObjectKind::Observation => ("observation", "observations"),
            ObjectKind::Pin => ("pin", "pins"),
        };
        if *made > 0 {
            parts.push(format!("+{}", counted(*made, one, many)));
        }
        if *deleted > 0 {
            parts.push(format!("-{}", counted(*deleted, one, many)));
        }
        if *changed > 0 {
            parts.push(format!("{} changed", counted(*changed, one, many)));
        }
    }
    parts.join(", ")
}

fn numbers(tally: &[(ObjectKind, [u64; 3])]) -> Value {
    let kinds = tally.iter().map(|(kind, [made, changed, deleted])| {
        let numbers = json!({ "created": made, "changed": changed, "deleted": deleted });
        (kind.as_str().to_owned(), numbers)
    });
    Value::Object(kinds.collect::<Map<_, _>>())
}

fn life(context: &Context, entity: &str, entity_type: Option<&str>, limit: u32, json: bool) -> Result<()> {
    let graph = context.graph()?;
    let steps =
        graph.read(|tx| history::life(tx, &history::find(tx, entity, entity_type)?, limit as usize))?;
    let may_be_more = !json && steps.len() == limit as usize;
    for step in steps {
        let change = &step.change;
        if json {
            let fields: Vec<Value> = step
                .fields
                .iter()
                .map(|(name, before, after)| json!({ "field": name, "before": before, "after": after }))
                .collect();
            say(json!({
                "seq": change.seq, "transaction": change.transaction.as_str(), "time": change.time,
                "actor": change.actor.to_string(), "client": change.actor.client,
                "operation": change.operation, "kind": change.kind.as_str(), "id": change.object_id,
                "before": change.before, "after": change.after, "fields": fields,
            })
            .to_string());
            continue;
        }
        let verb = match (&change.before, &change.after) {
            (None, _) => "new",
            (_, None) => "deleted",
            _ => "changed",
        };
        say(format!(
            "{}  {:<10} {:<20} {:<20} {} {verb}  {}",
            change.transaction,
            when(change.time),
            change.actor.to_string(),
            change.operation,
            change.kind.as_str(),
            change.object_id,
        ));
        tell_fields(&step);
    }
    if may_be_more {
        note("hint: there may be more; `-n` shows it");
    }
    Ok(())
}

fn tell_fields(step: &Step) {
    if step.change.is_purged() {
        say("    what it was is purged");
        return;
    }
    for (name, before, after) in &step.fields {
        // Told by the line above already, or of no use to a person.
        if ["id", "created_at", "updated_at", "position"].contains(&name.as_str()) {
            continue;
        }
        let text = |value: &Option<Value>| match value {
            None => String::new(),
            Some(Value::String(text)) => shown(text),
            Some(value) => shown(&value.to_string()),
        };
        match (before, after) {
            (None, after) if text(after).is_empty() => {}
            (None, after) => say(format!("    {name}: {}", text(after))),
            (before, None) => say(format!("    {name}: was {}", text(before))),
            (before, after) => say(format!("    {name}: {} → {}", text(before), text(after))),
        }
    }
}

/// One line of text, without anything that would act on a terminal.
fn shown(text: &str) -> String {
    let mut line: String =
        text.chars().take(PRINTED_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(PRINTED_CHARS).is_some() {
        line.push('…');
    }
    line
}
