//! `cargo xtask bench retrieval`: which turns of a conversation answer a question, by the product's own
//! search: words, meaning, and both by each fusion. `crates/gm-engine/benches/retrieval.rs` searches.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::machine;
use super::random::Random;
use super::samples::rounded;
use super::table::{Table, print_line};
use crate::model;
use crate::process::{cargo, say};

/// Draws of questions for an interval.
const DRAWS: usize = 2_000;
/// The first so many turns that count.
const DEPTHS: [usize; 3] = [5, 10, 20];
/// In which the figures are told.
const METHODS: [&str; 4] = ["text", "vector", "rrf", "convex"];
/// The fusion that is used unless another is chosen.
const DEFAULT: &str = "convex";

/// One question as it was answered.
#[derive(Debug, Clone, Copy)]
struct Answered {
    recall: [f64; 3],
    /// One over the place of the first turn that answers.
    reciprocal: f64,
}

pub fn retrieval(data: &Path, pooled: bool, output: Option<PathBuf>, seed: u64, as_json: bool) -> Result<()> {
    let data = data.canonicalize().with_context(|| format!("no folder `{}`", data.display()))?;
    model::ensure(&model::for_tests());
    let temporary = tempfile::tempdir()?;
    let output = match output {
        Some(folder) => {
            std::fs::create_dir_all(&folder)?;
            folder.canonicalize()?
        }
        None => temporary.path().to_owned(),
    };
    say("· storing, embedding and asking");
    let mut bench = cargo(&["bench", "--quiet", "--package", "gm-engine", "--bench", "retrieval", "--"]);
    bench.arg("--data").arg(&data).arg("--output").arg(&output);
    if pooled {
        bench.arg("--pooled");
    }
    if std::env::var_os("GRAPHMEM_MODELS").is_none() {
        bench.env("GRAPHMEM_MODELS", model::for_tests());
    }
    let ran = bench.stderr(Stdio::inherit()).output()?;
    ensure!(ran.status.success(), "the search could not be measured");
    let runs: BTreeMap<String, PathBuf> = serde_json::from_slice(&ran.stdout)?;
    let gold = gold(&data)?;
    let mut answers = BTreeMap::new();
    for (method, path) in &runs {
        answers.insert(method.as_str(), answered(path, &gold)?);
    }
    let about = json!({
        "bench": "retrieval", "machine": machine::describe(), "data": data, "pooled": pooled,
        "questions": gold.len(), "seed": seed, "runs": runs,
    });
    report(about, &answers, seed, as_json)
}

/// The turns that answer each question that counts, by its id.
fn gold(data: &Path) -> Result<BTreeMap<String, HashSet<String>>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(data)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let file: Value = serde_json::from_slice(&std::fs::read(&path)?)?;
        for query in file["queries"].as_array().into_iter().flatten() {
            let turns: HashSet<String> = query["gold"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(Into::into)
                .collect();
            if query["scored"] != json!(false) && !turns.is_empty() {
                found.insert(query["id"].as_str().unwrap_or_default().to_owned(), turns);
            }
        }
    }
    ensure!(!found.is_empty(), "no question of `{}` says what answers it", data.display());
    Ok(found)
}

fn answered(run: &Path, gold: &BTreeMap<String, HashSet<String>>) -> Result<Vec<Answered>> {
    let text = std::fs::read_to_string(run)?;
    let mut ranked: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line)?;
        let ids = line["ranked"].as_array().into_iter().flatten().filter_map(Value::as_str).map(Into::into);
        ranked.insert(line["query_id"].as_str().unwrap_or_default().to_owned(), ids.collect());
    }
    let none = Vec::new();
    let answer = |(id, gold): (&String, &HashSet<String>)| {
        let places: Vec<usize> = ranked
            .get(id)
            .unwrap_or(&none)
            .iter()
            .enumerate()
            .filter(|(_, turn)| gold.contains(*turn))
            .map(|(place, _)| place + 1)
            .collect();
        let recall = DEPTHS
            .map(|depth| places.iter().filter(|place| **place <= depth).count() as f64 / gold.len() as f64);
        Answered { recall, reciprocal: places.first().map_or(0.0, |first| 1.0 / *first as f64) }
    };
    Ok(gold.iter().map(answer).collect())
}

fn report(mut about: Value, answers: &BTreeMap<&str, Vec<Answered>>, seed: u64, as_json: bool) -> Result<()> {
    let mean = |of: &[Answered], value: &dyn Fn(&Answered) -> f64| {
        of.iter().map(value).sum::<f64>() / of.len().max(1) as f64 * 100.0
    };
    let best = answers.get(DEFAULT).context("the default was not measured")?;
    let mut table =
        Table::new(&["per cent", "recall@5", "recall@10", "recall@20", "MRR", "default at 10, less this"]);
    let mut told = serde_json::Map::new();
    for (method, of) in METHODS.iter().filter_map(|method| Some((method, answers.get(method)?))) {
        let recalls: Vec<f64> = (0..DEPTHS.len()).map(|at| mean(of, &|a| a.recall[at])).collect();
        let reciprocal = mean(of, &|a| a.reciprocal);
        let pairs: Vec<f64> = best.iter().zip(of).map(|(a, b)| (a.recall[1] - b.recall[1]) * 100.0).collect();
        let (low, high) = interval(&pairs, seed);
        let mut cells = vec![(*method).to_owned()];
        cells.extend(recalls.iter().chain([&reciprocal]).map(|value| format!("{value:.1}")));
        let average = pairs.iter().sum::<f64>() / pairs.len().max(1) as f64;
        cells.push(match *method {
            DEFAULT => "—".to_owned(),
            _ => format!("{average:+.1} ({low:+.1} to {high:+.1})"),
        });
        table.row(cells);
        told.insert(
            (*method).to_owned(),
            json!({
                "recall_5": rounded(recalls[0]), "recall_10": rounded(recalls[1]), "recall_20": rounded(recalls[2]),
                "mrr": rounded(reciprocal), "default_less_this": [rounded(average), rounded(low), rounded(high)],
            }),
        );
    }
    if as_json {
        about["methods"] = told.into();
        return print_line(&about.to_string());
    }
    print_line(&about.to_string())?;
    table.print()?;
    print_line("in brackets: 95 % of the differences, from paired draws of questions")
}

/// The 95 % interval of a mean, by drawing the values again (bootstrap).
fn interval(values: &[f64], seed: u64) -> (f64, f64) {
    let mut random = Random::new(seed);
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| {
            (0..values.len()).map(|_| values[random.below(values.len())]).sum::<f64>()
                / values.len().max(1) as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    (means[DRAWS * 25 / 1_000], means[DRAWS * 975 / 1_000 - 1])
}
