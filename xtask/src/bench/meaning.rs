//! `cargo xtask bench meaning`: what search by meaning costs. `crates/gm-engine/benches/meaning.rs`
//! measures.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::machine;
use super::samples::Samples;
use super::table::{Table, number, print_line};
use crate::model;
use crate::process::{cargo, say};

/// Rows of the table: field, name, what is promised of the p95 in milliseconds.
const TIMES: [(&str, &str, Option<f64>); 6] = [
    ("similar", "entities like one", None),
    ("words", "search by words", Some(20.0)),
    ("meaning", "search by meaning", None),
    ("hybrid", "search by both", Some(40.0)),
    ("hybrid_filtered", "the same, 2 % of the entities", Some(40.0)),
    ("question", "a question's vector", None),
];
/// Adding beside the worker takes at most so many times as long.
const INGEST_RATIO: f64 = 1.1;

pub fn meaning(entities: usize, as_json: bool) -> Result<()> {
    model::ensure(&model::for_tests());
    say("· filling, embedding and asking");
    let mut bench = cargo(&["bench", "--quiet", "--package", "gm-engine", "--bench", "meaning"]);
    bench.env("GRAPHMEM_BENCH_SIZE", entities.to_string());
    if std::env::var_os("GRAPHMEM_MODELS").is_none() {
        bench.env("GRAPHMEM_MODELS", model::for_tests());
    }
    let ran = bench.stderr(Stdio::inherit()).output()?;
    ensure!(ran.status.success(), "search by meaning could not be measured");
    let told: Value = serde_json::from_slice(&ran.stdout).context("the bench tells no JSON")?;
    let samples = |field: &str| -> Option<Samples> {
        let times = told[field].as_array()?.iter().filter_map(Value::as_u64).map(Duration::from_nanos);
        Some(times.collect())
    };
    let once = |field: &str| told[field].as_u64().map(|nanoseconds| nanoseconds as f64 / 1e6);
    let ratio = match (once("ingest_with"), once("ingest_without")) {
        (Some(with), Some(without)) => Some(with / without),
        _ => None,
    };
    let mut about = json!({
        "bench": "meaning", "machine": machine::describe(), "entities": told["entities"],
        "observations": told["observations"], "vectors": "hashed words, 384 numbers", "seed": 7,
    });
    if as_json {
        for (field, ..) in TIMES {
            about[field] = samples(field).map(|samples| samples.to_json()).into();
        }
        for field in ["first_search", "model_load", "ingest_with", "ingest_without"] {
            about[format!("{field}_ms")] = json!(once(field));
        }
        about["texts_per_second"] = told["texts_per_second"].clone();
        about["ingest_ratio"] = json!(ratio);
        about["file_bytes"] = told["file_bytes"].clone();
        return print_line(&about.to_string());
    }
    print_line(&about.to_string())?;
    let mut table = Table::new(&["milliseconds", "median", "p95", "target", "holds"]);
    for (field, name, target) in TIMES {
        let Some(samples) = samples(field) else { continue };
        let target_told = target.map_or_else(String::new, |target| format!("≤ {target} p95"));
        let holds = target.map_or("", |target| if samples.p95() <= target { "yes" } else { "NO" });
        table.row(vec![
            name.to_owned(),
            number(samples.median()),
            number(samples.p95()),
            target_told,
            holds.to_owned(),
        ]);
    }
    let mut single = |name: &str, value: Option<f64>, target: &str, holds: &str| {
        let value = value.map_or_else(|| "—".to_owned(), number);
        table.row(vec![name.to_owned(), value, String::new(), target.to_owned(), holds.to_owned()]);
    };
    single("first search, which reads all vectors", once("first_search"), "", "");
    single("the model is loaded", once("model_load"), "", "");
    single("1,000 entities added without model", once("ingest_without"), "", "");
    let holds = ratio.map_or("", |ratio| if ratio <= INGEST_RATIO { "yes" } else { "NO" });
    single("1,000 entities added beside the worker", once("ingest_with"), "≤ 1.1 times", holds);
    table.print()?;
    print_line("")?;
    if let Some(speed) = told["texts_per_second"].as_f64() {
        print_line(&format!("{speed:.0} texts of twelve words embedded per second"))?;
    }
    print_line(&format!("file: {:.0} MB", told["file_bytes"].as_f64().unwrap_or(0.0) / 1e6))
}
