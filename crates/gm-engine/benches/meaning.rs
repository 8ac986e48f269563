//! What search by meaning costs: the comparison with every vector, whole searches on a large graph, adding
//! beside the worker, and the model itself where there is one. Prints one line of JSON, which
//! `cargo xtask bench meaning` puts into a table.
//!
//! The large graph has vectors of hashed words, 384 numbers each as the default model's: making those of
//! the model itself would take an hour.

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gm_engine::embed::Embeddings;
use gm_engine::embed::model::{DEFAULT_MODEL, Places};
use gm_engine::entities::{self, NewEntity};
use gm_engine::meaning::{Model, Settings, Wishes};
use gm_engine::search::{Channels, Fusion, SearchQuery};
use gm_engine::{Graph, Library, Location, Result};
use gm_model::Actor;
use gm_store::StateFile;
use serde_json::json;

const HASHED: &str = "test:hashed-words:1:384";
const OBSERVATIONS_EACH: usize = 3;
const BATCH: usize = 2_000;
const QUESTIONS: usize = 200;
const VOCABULARY: usize = 20_000;
const INGESTED: usize = 1_000;
/// Texts of some fifteen words for the model's own speed.
const EMBEDDED: usize = 400;

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Words as texts have them: the n-th most frequent is met 1/n as often as the first (Zipf).
    fn text(&mut self, words: usize) -> String {
        let word = |random: &mut Self| {
            let rank = ((VOCABULARY as f64).powf(random.unit()) as usize).min(VOCABULARY - 1);
            format!("w{rank}")
        };
        (0..words).map(|_| word(self)).collect::<Vec<_>>().join(" ")
    }
}

fn main() -> Result<()> {
    let size: usize =
        std::env::var("GRAPHMEM_BENCH_SIZE").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let mut told = json!({ "entities": size, "observations": size * OBSERVATIONS_EACH });
    large(size, &mut told)?;
    beside_the_worker(&mut told)?;
    model(&mut told);
    let _ = writeln!(std::io::stdout(), "{told}");
    Ok(())
}

fn open(embeddings: Embeddings, in_background: bool) -> Result<(Arc<Graph>, tempfile::TempDir)> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let state = Arc::new(StateFile::open(folder.path(), gm_engine::now())?);
    let location = Location { folder: folder.path().to_owned(), default_file: None };
    let library = Library::open(location, state, "bench", "bench")?;
    library.search_by_meaning(Settings {
        model: Model::fixed(embeddings),
        fusion: Fusion::default(),
        in_background,
    });
    Ok((library.graph("default")?, folder))
}

fn add(graph: &Graph, random: &mut Random, from: usize, count: usize, observations: usize) -> Result<()> {
    graph
        .transact(&Actor::agent("bench", ""), "bench", |tx| {
            for n in from..from + count {
                let new = NewEntity {
                    name: format!("Entity {n} {}", random.text(1)),
                    entity_type: if n % 50 == 0 { "rare".into() } else { format!("type{}", n % 12) },
                    description: random.text(8),
                    observations: (0..observations).map(|_| random.text(12)).collect(),
                    ..NewEntity::default()
                };
                entities::add(tx, "", &new, "")?;
            }
            Ok(())
        })
        .map(drop)
}

fn nanoseconds(times: &[Duration]) -> Vec<u64> {
    times.iter().map(|time| time.as_nanos() as u64).collect()
}

fn timed(count: usize, mut work: impl FnMut(usize) -> Result<()>) -> Result<Vec<u64>> {
    let mut times = Vec::with_capacity(count);
    for at in 0..count {
        let begun = Instant::now();
        work(at)?;
        times.push(begun.elapsed());
    }
    Ok(nanoseconds(&times))
}

fn large(size: usize, told: &mut serde_json::Value) -> Result<()> {
    let (graph, _folder) = open(Embeddings::of(&Places(vec![]), HASHED), false)?;
    let mut random = Random(7);
    let mut from = 0;
    while from < size {
        let count = BATCH.min(size - from);
        add(&graph, &mut random, from, count, OBSERVATIONS_EACH)?;
        from += count;
    }
    graph.reembed(false, &mut |_, _| true)?;
    told["file_bytes"] = json!(std::fs::metadata(graph.path()).map_or(0, |meta| meta.len()));
    let query = |text: String, channels, rare: bool| SearchQuery {
        text,
        limit: 10,
        channels,
        entity_types: if rare { vec!["rare".into()] } else { Vec::new() },
        ..SearchQuery::default()
    };
    let begun = Instant::now();
    graph.search(&query(random.text(6), Channels::Both, false))?;
    told["first_search"] = json!(begun.elapsed().as_nanos() as u64);
    // The question's own vector is remembered by the second time, and so left out.
    let questions: Vec<String> = (0..QUESTIONS).map(|_| random.text(6)).collect();
    let ids: Vec<_> = graph.search(&query(random.text(6), Channels::Words, false))?.hits;
    let times = timed(QUESTIONS, |at| graph.similar(&ids[at % ids.len()].row.entity.id, 10).map(drop))?;
    told["similar"] = json!(times);
    for (name, channels, rare) in [
        ("words", Channels::Words, false),
        ("meaning", Channels::Meaning, false),
        ("hybrid", Channels::Both, false),
        ("hybrid_filtered", Channels::Both, true),
    ] {
        let mut times = Vec::new();
        for text in &questions {
            let query = query(text.clone(), channels, rare);
            graph.search(&query)?;
            let begun = Instant::now();
            graph.search(&query)?;
            times.push(begun.elapsed());
        }
        told[name] = json!(nanoseconds(&times));
    }
    Ok(())
}

/// Adding in batches of ten, with the model and without.
fn beside_the_worker(told: &mut serde_json::Value) -> Result<()> {
    let home = tempfile::tempdir().expect("a temporary folder can be made");
    let state = StateFile::open(home.path(), gm_engine::now())?;
    let with_model = Wishes::from_environment().settings(home.path(), &state, true).model.get();
    for round in 0..3 {
        for (name, embeddings) in [("ingest_without", Embeddings::off()), ("ingest_with", with_model.clone())]
        {
            let (graph, _folder) = open(embeddings, true)?;
            // The worker has something to do, and the model is loaded, before the clock runs.
            add(&graph, &mut Random(3), 0, 100, 1)?;
            std::thread::sleep(Duration::from_millis(1_500));
            let mut random = Random(5 + round);
            let times = timed(INGESTED / 10, |at| add(&graph, &mut random, 1_000 + at * 10, 10, 1))?;
            let known = told[name].as_u64().unwrap_or(u64::MAX);
            told[name] = json!(times.iter().sum::<u64>().min(known));
        }
    }
    Ok(())
}

fn model(told: &mut serde_json::Value) {
    let home = tempfile::tempdir().expect("a temporary folder can be made");
    let model = Embeddings::of(&Wishes::from_environment().places(home.path()), DEFAULT_MODEL);
    let begun = Instant::now();
    if model.query("warm", Duration::from_secs(60)).is_err() {
        return;
    }
    told["model_load"] = json!(begun.elapsed().as_nanos() as u64);
    let mut random = Random(9);
    let texts: Vec<String> = (0..EMBEDDED).map(|_| random.text(12)).collect();
    let begun = Instant::now();
    if model.passages(texts).is_ok() {
        told["texts_per_second"] = json!(EMBEDDED as f64 / begun.elapsed().as_secs_f64());
    }
    let times = (0..50).filter_map(|_| {
        let question = random.text(6);
        let begun = Instant::now();
        model.query(&question, Duration::from_secs(5)).ok().map(|_| begun.elapsed())
    });
    told["question"] = json!(nanoseconds(&times.collect::<Vec<_>>()));
}
