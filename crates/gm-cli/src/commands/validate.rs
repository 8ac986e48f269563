//! Whether graphs are sound.

use std::process::ExitCode;

use anyhow::Result;
use gm_engine::library::DEFAULT_GRAPH;
use gm_engine::validate::{self, Validation};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit;
use crate::output::{counted, note, say};
use crate::progress::Progress;

/// Ids printed per finding; `--json` has more.
const PRINTED_IDS: usize = 5;

pub fn validate(context: &Context, all: bool, repair: bool, json: bool) -> Result<ExitCode> {
    let names = match (all, &context.graph_name) {
        (true, _) => context.library.names()?,
        (false, name) => vec![name.clone().unwrap_or_else(|| DEFAULT_GRAPH.into())],
    };
    let mut sound = true;
    let mut answers = Vec::new();
    for name in names {
        let look = || {
            let progress = Progress::start(format!("looking at graph `{name}`"));
            validate::validate(&context.library, &name, &mut |what| progress.tell(what))
        };
        let mut validation = match look() {
            // One graph that cannot be looked at does not hide the others.
            Err(error) if all => {
                sound = false;
                if json {
                    answers.push(json!({ "graph": name, "error": error.to_string() }));
                } else {
                    say(format!("graph `{name}` cannot be looked at: {error}"));
                }
                continue;
            }
            outcome => outcome?,
        };
        let mut repaired = Vec::new();
        let only_derived = !validation.findings.is_empty()
            && validation.findings.iter().all(|finding| finding.check != "pages" && finding.check != "file")
            && validation.findings.iter().any(|finding| finding.repairable);
        if repair && only_derived && validation.complete {
            repaired = validate::repair(&context.library, &name)?;
            validation = look()?;
        }
        sound &= validation.findings.is_empty();
        if json {
            answers.push(as_json(&validation, &repaired));
            continue;
        }
        for repaired in &repaired {
            say(format!("made {} anew: {}", repaired.what, repaired.count));
        }
        tell(&validation, repair);
    }
    if json {
        say(json!({ "sound": sound, "graphs": answers }).to_string());
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::from(exit::FAILED) })
}

fn tell(validation: &Validation, repair: bool) {
    let name = &validation.graph;
    if validation.findings.is_empty() {
        say(format!("graph `{name}` is sound"));
        if !validation.complete {
            note(
                "hint: it is a file of graph-mem 1.0; only its pages were looked at. Opening it brings it up to date, after a backup",
            );
        }
        return;
    }
    let n = validation.findings.len() as u64;
    say(format!("graph `{name}` ({}): {}", validation.file.display(), counted(n, "finding", "findings")));
    for finding in &validation.findings {
        let shown = &finding.ids[..finding.ids.len().min(PRINTED_IDS)];
        let more = if finding.count as usize > shown.len() { ", …" } else { "" };
        say(format!("  {} {}: {}{more}", finding.count, finding.message, shown.join(", ")));
    }
    let damaged = validation.findings.iter().any(|f| f.check == "pages" || f.check == "file");
    if damaged {
        note(
            "hint: the file was left as it is. Put it aside and `graph-mem restore` a backup into a new graph, or salvage it with `sqlite3 FILE .recover`",
        );
    } else if validation.findings.iter().any(|finding| finding.repairable) && !repair {
        note(
            "hint: `graph-mem validate --repair` makes indexes, keys and counts anew; nothing else is touched",
        );
    } else {
        note(
            "hint: what is left is no derived data. `graph-mem log` tells what happened, `graph-mem restore` brings back a backup",
        );
    }
}

fn as_json(validation: &Validation, repaired: &[gm_store::repair::Repaired]) -> Value {
    let findings: Vec<Value> = validation
        .findings
        .iter()
        .map(|f| {
            json!({
                "check": f.check, "message": f.message, "count": f.count, "ids": f.ids,
                "repairable": f.repairable,
            })
        })
        .collect();
    let repaired: Vec<Value> = repaired.iter().map(|r| json!({ "what": r.what, "count": r.count })).collect();
    json!({
        "graph": validation.graph, "file": validation.file, "complete": validation.complete,
        "sound": validation.findings.is_empty(), "findings": findings, "repaired": repaired,
    })
}
