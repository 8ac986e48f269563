//! `cargo xtask bench layout`: our layout beside d3-force, ForceAtlas2 and ngraph, in one run on the
//! same graphs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};

use super::machine;
use super::table::Table;
use crate::packages;
use crate::process::{cargo, exists, output, root, run, target};

const GRAPHS: [&str; 5] = ["communities", "scale-free", "grid", "tree", "parts"];

pub fn layout(sizes: &[usize], seed: u64, as_json: bool) -> Result<()> {
    run(&mut cargo(&["build", "--release", "--quiet", "--package", "gm-layout", "--example", "measure"]))?;
    let folder = target().join("bench-layout");
    fs::create_dir_all(&folder)?;
    let has_peers = install_peers(&folder);
    let seed = seed.to_string();
    let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    let mut arguments = vec!["ticks", folder.to_str().context("a path of plain text")?, seed.as_str()];
    arguments.extend(sizes.iter().map(String::as_str));
    let mut rows = lines(&mut ours(&arguments))?;
    if has_peers {
        let theirs = lines(peers(&folder).arg("ticks").args(&sizes))?;
        for (row, theirs) in rows.iter_mut().zip(theirs) {
            row.extend(theirs);
            if let (Some(ours), Some(d3)) = (number(row, "tick_ms"), number(row, "d3_ms")) {
                row.insert("d3_ratio".into(), json!(d3 / ours));
            }
        }
    }
    run(ours(&["graphs", arguments[1], &seed]).stdout(std::process::Stdio::null()))?;
    let pictures = if has_peers {
        lines(peers(&folder).arg("pictures").args(GRAPHS))?;
        lines(&mut ours(&["judge", arguments[1]]))?
    } else {
        Vec::new()
    };
    if as_json {
        use std::io::Write;
        let whole = json!({ "bench": "layout", "machine": machine::describe(), "seed": seed,
            "theta": 0.9, "rows": rows, "pictures": pictures });
        writeln!(std::io::stdout(), "{whole}")?;
        return Ok(());
    }
    print(&rows, &pictures, &seed)
}

fn print(rows: &[Map<String, Value>], pictures: &[Map<String, Value>], seed: &str) -> Result<()> {
    use std::io::Write;
    let told = |row: &Map<String, Value>, name: &str, digits: usize| {
        number(row, name).map_or("—".to_owned(), |v| format!("{v:.digits$}"))
    };
    writeln!(
        std::io::stdout(),
        "One tick, median, ms: charge, links, gravity; theta 0.9; seed {seed}; {}",
        machine::describe()
    )?;
    let mut table = Table::new(&[
        "nodes",
        "links",
        "ours",
        "p95",
        "d3-force",
        "× d3",
        "ForceAtlas2",
        "ngraph",
        "RMS error %",
    ]);
    for row in rows {
        table.row(vec![
            told(row, "nodes", 0),
            told(row, "links", 0),
            told(row, "tick_ms", 2),
            told(row, "tick_p95_ms", 2),
            told(row, "d3_ms", 1),
            told(row, "d3_ratio", 0),
            told(row, "forceatlas2_ms", 1),
            told(row, "ngraph_ms", 1),
            number(row, "rms_error").map_or("—".into(), |v| format!("{:.2}", v * 100.0)),
        ]);
    }
    table.print()?;
    writeln!(
        std::io::stdout(),
        "\nSettled pictures, ours / d3-force after 300 ticks (length variation, crossings and stress: less is better)"
    )?;
    let mut table = Table::new(&[
        "graph",
        "nodes",
        "length variation",
        "preservation",
        "crossings %",
        "stress",
        "ticks to settle",
        "first places ms",
    ]);
    for row in pictures {
        let both = |name: &str, digits: usize, factor: f64| {
            let one =
                |name: &str| number(row, name).map_or("—".into(), |v| format!("{:.digits$}", v * factor));
            format!("{} / {}", one(name), one(&format!("d3_{name}")))
        };
        table.row(vec![
            row["graph"].as_str().unwrap_or_default().to_owned(),
            told(row, "nodes", 0),
            both("length_variation", 3, 1.0),
            both("preservation", 3, 1.0),
            both("crossings", 2, 100.0),
            both("stress", 3, 1.0),
            both("settle_ticks", 0, 1.0),
            told(row, "place_ms", 0),
        ]);
    }
    table.print()
}

fn ours(arguments: &[&str]) -> Command {
    let mut command = Command::new(target().join("release/examples/measure"));
    command.args(arguments);
    command
}

fn peers(folder: &Path) -> Command {
    let mut command = Command::new("node");
    command.arg(root().join("tests/layout/peers.mjs")).arg(folder);
    command
}

/// The other layouts, from npm; without them only ours is measured.
fn install_peers(folder: &PathBuf) -> bool {
    if packages::ensure(packages::BUILD).is_err() || !exists("npm") {
        return false;
    }
    let wanted = root().join("tests/layout/package.json");
    let has = |name: &str| folder.join("node_modules").join(name).is_dir();
    let same = fs::read(&wanted).ok() == fs::read(folder.join("package.json")).ok();
    if same && has("ngraph.graph") && has("d3-force") {
        return true;
    }
    let copied = fs::copy(&wanted, folder.join("package.json")).is_ok();
    let mut install = Command::new("npm");
    install.args(["install", "--no-audit", "--no-fund", "--silent"]).current_dir(folder);
    copied && run(&mut install).is_ok()
}

fn lines(command: &mut Command) -> Result<Vec<Map<String, Value>>> {
    let text = output(command)?;
    let rows: Vec<Map<String, Value>> = text
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    ensure!(!rows.is_empty(), "nothing was measured");
    Ok(rows)
}

fn number(row: &Map<String, Value>, name: &str) -> Option<f64> {
    row.get(name).and_then(Value::as_f64)
}
