//! Import and export.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use gm_engine::import::{self, ImportOptions, ImportReport, SeenDatabase, Tally};
use gm_engine::{Error, export as engine_export};
use gm_model::Actor;
use gm_store::{RepairReport, create_private_file};
use serde_json::json;

use crate::context::Context;
use crate::output::{bytes as human_bytes, counted, note, say, say_raw};
use crate::progress::Progress;

/// Problems printed one by one; all of them are in `--json`.
const PRINTED_PROBLEMS: usize = 50;

pub fn import(
    context: &Context,
    file: &Path,
    options: ImportOptions,
    // A database is merged into the graph that was named; into none, it becomes a graph of its own.
    is_graph_named: bool,
    json: bool,
) -> Result<ExitCode> {
    let ImportOptions { skip_invalid, dry_run } = options;
    let source = import::read_source(file).with_context(|| format!("`{}`", file.display()))?;
    if matches!(source, import::Source::Database) && !is_graph_named {
        return import_database(context, file, dry_run, json);
    }
    let graph = context.graph()?;
    let outcome = match source {
        import::Source::Database => {
            let _progress = Progress::start("merging the database");
            import::merge_database(&graph, &Actor::import(), file, options)
        }
        import::Source::Text(bytes) => {
            let _progress = Progress::start(format!("importing {}", human_bytes(bytes.len() as u64)));
            import::import(&graph, &Actor::import(), &bytes, options)
        }
    };
    let (report, refused) = match outcome {
        Ok(report) => (report, false),
        Err(Error::Import(report)) => (*report, true),
        Err(error) => return Err(error.into()),
    };
    let rejected =
        if report.applied && report.problem_count > 0 { Some(save_rejected(file, &report)?) } else { None };
    if json {
        let mut answer = json!(report);
        answer["graph"] = json!(graph.name());
        answer["rejected_file"] = json!(rejected);
        say(answer.to_string());
    } else {
        tell(graph.name(), &report, dry_run, rejected.as_deref());
    }
    let would_refuse = dry_run && report.problem_count > 0 && !skip_invalid;
    if would_refuse {
        note("hint: as it is, nothing would be imported; `--skip-invalid` imports the rest");
        return Ok(ExitCode::from(1));
    }
    if refused {
        note(
            "error: nothing was imported\nhint: correct the listed records, or import the rest with `--skip-invalid`",
        );
        return Ok(ExitCode::from(1));
    }
    Ok(ExitCode::SUCCESS)
}

fn tell(graph: &str, report: &ImportReport, dry_run: bool, rejected: Option<&Path>) {
    let row = |name: &str, tally: Tally| {
        format!(
            "  {name:<14} {:>7} new {:>7} changed {:>7} unchanged",
            tally.new, tally.changed, tally.unchanged
        )
    };
    let verb = if report.applied {
        "imported into"
    } else if dry_run {
        "would import into"
    } else {
        "checked against"
    };
    say(format!("{verb} graph `{graph}`:"));
    say(row("entities", report.entities));
    say(row("relationships", report.relationships));
    say(row("observations", report.observations));
    if let Some(transaction) = &report.transaction {
        note(format!("hint: take it back with `graph-mem undo {transaction}`"));
    }
    if report.problem_count == 0 {
        return;
    }
    say(format!("{}:", counted(report.problem_count, "bad record", "bad records")));
    for problem in report.problems.iter().take(PRINTED_PROBLEMS) {
        say(format!("  {} {}: {}", problem.place, problem.line, problem.reason));
    }
    if report.problem_count as usize > PRINTED_PROBLEMS {
        say(format!("  … and {} more", report.problem_count as usize - PRINTED_PROBLEMS));
    }
    if let Some(path) = rejected {
        say(format!("saved them to `{}`", path.display()));
    }
}

/// The bad records, as they stood, beside the file they came from.
fn save_rejected(file: &Path, report: &ImportReport) -> Result<PathBuf> {
    // An earlier import's rejects stay as they are.
    let numbered = (1..).map(|n| if n == 1 { String::new() } else { format!("-{n}") });
    let paths = numbered.map(|number| {
        let mut path = file.as_os_str().to_owned();
        path.push(format!(".rejected{number}.jsonl"));
        PathBuf::from(path)
    });
    let path = paths.into_iter().find(|path| !path.exists()).expect("a free name is found");
    drop(create_private_file(&path)?);
    let lines: String = report.problems.iter().map(|problem| format!("{}\n", problem.record)).collect();
    std::fs::write(&path, lines)?;
    Ok(path)
}

fn import_database(context: &Context, file: &Path, dry_run: bool, json: bool) -> Result<ExitCode> {
    let SeenDatabase { graph, counts, is_known } = import::look_at_database(&context.library, file)?;
    let applied = !dry_run && !is_known;
    let mut repaired = None;
    if applied {
        let _progress = Progress::start("copying the database");
        repaired = import::adopt_database(&context.library, file, &graph)?;
    }
    if json {
        say(json!({
            "graph": graph, "format": "database", "applied": applied, "known": is_known,
            "entities": counts.entities, "relationships": counts.relationships,
            "observations": counts.observations,
            "mended": repaired.iter().flat_map(mended).map(|(n, what)| (what, n)).collect::<BTreeMap<_, _>>(),
        })
        .to_string());
        return Ok(ExitCode::SUCCESS);
    }
    let verb = match (is_known, dry_run) {
        (true, _) => "is there already: it became",
        (false, true) => "would become",
        (false, false) => "became",
    };
    say(format!(
        "the database {verb} graph `{graph}`: {}, {}, {}",
        counted(counts.entities, "entity", "entities"),
        counted(counts.relationships, "relationship", "relationships"),
        counted(counts.observations, "observation", "observations"),
    ));
    for (n, what) in repaired.iter().flat_map(mended) {
        note(format!("mended, {what}: {n}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// What was not as a graph has it, and how many of it.
fn mended(report: &RepairReport) -> Vec<(usize, &'static str)> {
    let all = [
        (report.weights_mended.len(), "weights that were no number from 0 to 1"),
        (report.relationships_merged.len(), "relationships that equalled another"),
        (report.dangling_dropped.len(), "objects left out that pointed to no entity"),
        (report.names_mended.len(), "names that were blank, of several lines, or of another entity too"),
        (report.properties_mended.len(), "properties that were no JSON object"),
    ];
    all.into_iter().filter(|(n, _)| *n > 0).collect()
}

pub fn export(context: &Context, output: Option<&Path>, force: bool) -> Result<()> {
    if let Some(file) = output.filter(|file| file.exists() && !force) {
        return Err(Error::FileExists { file: file.to_owned() }.into());
    }
    let graph = context.graph()?;
    let progress = Progress::start("exporting");
    let content = graph.read(engine_export::export)?;
    let text = engine_export::to_json(&content);
    drop(progress);
    match output {
        None => say_raw(&text),
        Some(path) => {
            engine_export::write_file(path, &text)?;
            note(format!(
                "wrote graph `{}` to `{}`: {}, {}, {}",
                graph.name(),
                path.display(),
                counted(content.entities.len() as u64, "entity", "entities"),
                counted(content.relationships.len() as u64, "relationship", "relationships"),
                counted(content.observations.len() as u64, "observation", "observations"),
            ));
        }
    }
    Ok(())
}
