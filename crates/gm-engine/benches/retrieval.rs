//! Which turns of a conversation answer a question, by the product's own search: turns are stored as
//! observations of whoever said them, one graph a conversation or one for all.
//!
//! `--data FOLDER` holds a JSON file with `documents` (id, conv, speaker, time, text, caption) and
//! `queries` (id, conv, question). Writes one run file for each way of searching into `--output`, best
//! turns first, and prints where they are. `cargo xtask bench retrieval` scores them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gm_engine::entities::{self, NewEntity};
use gm_engine::meaning::Wishes;
use gm_engine::search::{Channels, Fusion, ObservationQuery};
use gm_engine::{Graph, Library, Location, observations};
use gm_model::Actor;
use gm_store::StateFile;
use serde_json::{Value, json};

/// Turns told for each question.
const DEPTH: u32 = 100;
const METHODS: [(&str, Channels, Fusion); 4] = [
    ("text", Channels::Words, Fusion::Convex),
    ("vector", Channels::Meaning, Fusion::Convex),
    ("rrf", Channels::Both, Fusion::Rrf),
    ("convex", Channels::Both, Fusion::Convex),
];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

struct Options {
    data: PathBuf,
    output: PathBuf,
    pooled: bool,
}

fn main() -> Outcome<()> {
    let options = options()?;
    let data = read_data(&options.data)?;
    let list = |name: &str| data[name].as_array().cloned().unwrap_or_default();
    let (documents, queries) = (list("documents"), list("queries"));
    let corpus = |of: &Value| if options.pooled { "all".into() } else { text(of, "conv") };
    let mut corpora: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    documents.iter().for_each(|document| corpora.entry(corpus(document)).or_default().push(document));
    let mut runs: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    for (name, documents) in &corpora {
        let (graph, _folder) = filled(documents)?;
        for query in queries.iter().filter(|query| corpus(query) == *name) {
            for (method, channels, fusion) in METHODS {
                let asked = ObservationQuery {
                    text: text(query, "question"),
                    limit: DEPTH,
                    channels,
                    fusion: Some(fusion),
                    ..ObservationQuery::default()
                };
                let found = graph.search_observations(&asked)?;
                let ranked: Vec<&str> =
                    found.hits.iter().map(|hit| hit.observation.source.as_str()).collect();
                let line = json!({ "query_id": text(query, "id"), "ranked": ranked });
                writeln!(runs.entry(method).or_default(), "{line}")?;
            }
        }
    }
    fs::create_dir_all(&options.output)?;
    let mut written = serde_json::Map::new();
    for (method, lines) in runs {
        let path = options.output.join(format!("{method}.jsonl"));
        fs::write(&path, lines)?;
        written.insert(method.to_owned(), json!(path));
    }
    writeln!(std::io::stdout(), "{}", Value::Object(written))?;
    Ok(())
}

fn options() -> Outcome<Options> {
    let mut options = Options { data: PathBuf::new(), output: PathBuf::new(), pooled: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("`{argument}` wants a value"));
        match argument.as_str() {
            "--data" => options.data = value()?.into(),
            "--output" => options.output = value()?.into(),
            "--pooled" => options.pooled = true,
            // `cargo bench` adds this.
            "--bench" => {}
            other => return Err(format!("unknown argument `{other}`").into()),
        }
    }
    Ok(options)
}

/// The file of a folder that holds documents and queries.
fn read_data(folder: &Path) -> Outcome<Value> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    for file in files.into_iter().filter(|file| file.extension().is_some_and(|e| e == "json")) {
        let data: Value = serde_json::from_slice(&fs::read(&file)?)?;
        if data["documents"].is_array() && data["queries"].is_array() {
            return Ok(data);
        }
    }
    Err(format!("no file of `{}` has `documents` and `queries`", folder.display()).into())
}

fn text(of: &Value, field: &str) -> String {
    of[field].as_str().unwrap_or_default().to_owned()
}

/// `Caroline (8 May 2023): what was said [shares a photo of …]`
fn rendered(document: &Value) -> String {
    let (speaker, said) = (text(document, "speaker"), text(document, "text"));
    let caption = text(document, "caption");
    let shared = if caption.is_empty() { String::new() } else { format!(" [shares {caption}]") };
    format!("{speaker} ({}): {said}{shared}", day(&text(document, "time")))
}

/// `2023-05-08T13:56` as `8 May 2023`.
fn day(time: &str) -> String {
    let mut parts = time.split('T').next().unwrap_or_default().split('-');
    let mut number = || parts.next().and_then(|part| part.parse::<usize>().ok());
    match (number(), number(), number()) {
        (Some(year), Some(month @ 1..=12), Some(day)) => format!("{day} {} {year}", MONTHS[month - 1]),
        _ => time.to_owned(),
    }
}

fn filled(documents: &[&Value]) -> Outcome<(Arc<Graph>, tempfile::TempDir)> {
    let folder = tempfile::tempdir()?;
    let state = Arc::new(StateFile::open(folder.path(), gm_engine::now())?);
    let location = Location { folder: folder.path().to_owned(), default_file: None };
    let library = Library::open(location, state.clone(), "bench", "bench")?;
    library.search_by_meaning(Wishes::from_environment().settings(folder.path(), &state, false));
    let graph = library.graph("default")?;
    graph.transact(&Actor::agent("bench", ""), "bench", |tx| {
        let mut speakers = BTreeMap::new();
        for document in documents {
            let speaker = text(document, "speaker");
            let id = match speakers.get(&speaker) {
                Some(id) => id,
                None => {
                    let new = NewEntity {
                        name: speaker.clone(),
                        entity_type: "person".into(),
                        ..Default::default()
                    };
                    speakers.entry(speaker).or_insert(entities::add(tx, "", &new, "")?.id)
                }
            };
            observations::add(tx, "", id, &rendered(document), &text(document, "id"))?;
        }
        Ok(())
    })?;
    graph.reembed(false, &mut |_, _| true)?;
    Ok((graph, folder))
}
