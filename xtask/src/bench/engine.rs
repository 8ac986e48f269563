//! `cargo xtask bench engine`: the tools on a seeded corpus of each size, over stdio, and the walk
//! in process.

use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::corpus::Corpus;
use super::operations::{Operation, READS, WRITES};
use super::random::Random;
use super::report::{Fact, Row, Run};
use super::samples::Samples;
use super::stdio::Server;
use super::{files, machine, ours, report, walk};
use crate::process::say;

/// Items of one call while the corpus is stored.
const BATCH: usize = 100;
const READ_SAMPLES: usize = 200;
const WRITE_SAMPLES: usize = 100;
const STARTS: usize = 7;
/// What we hold ourselves to, in milliseconds.
const START_TARGET: f64 = 50.0;

pub fn engine(binary: &Path, sizes: &[usize], seed: u64, json: bool) -> Result<()> {
    // Smaller ones have no middle, no rare words and no tail.
    ensure!(sizes.iter().all(|size| *size >= 100), "sizes are 100 or more");
    let walk = walk::measure()?;
    let mut runs = Vec::new();
    for &size in sizes {
        say(&format!("· {size} entities"));
        runs.push(measure(binary, &Corpus::new(size, seed), seed)?);
    }
    let about =
        json!({ "bench": "engine", "version": ours::version(binary)?, "machine": machine::describe() });
    report::engine(about, &walk, &runs, json)
}

fn measure(binary: &Path, corpus: &Corpus, seed: u64) -> Result<Run> {
    let home = tempfile::tempdir()?;
    let mut run = Run { corpus: corpus.describe(seed), rows: Vec::new(), facts: Vec::new() };
    let mut server = Server::start(ours::server(binary, home.path()), home.path())?;
    run.fact("resident memory after start", machine::resident_mb(server.pid()), "MB");
    fill(&mut run, &mut server, corpus)?;
    for operation in READS {
        run.rows.push(repeat(operation, READ_SAMPLES, &mut server, corpus, seed)?);
    }
    for operation in WRITES {
        run.rows.push(repeat(operation, WRITE_SAMPLES, &mut server, corpus, seed)?);
    }
    run.fact("resident memory after the run", machine::resident_mb(server.pid()), "MB");
    server.close()?;
    run.fact("file on disk", Some(files::size_mb(home.path())?), "MB");
    open_again(&mut run, binary, home.path(), corpus, seed)?;
    files::measure(&mut run, binary, home.path())?;
    Ok(run)
}

fn fill(run: &mut Run, server: &mut Server, corpus: &Corpus) -> Result<()> {
    let batches = corpus.entities.chunks(BATCH).map(|batch| {
        let entities: Vec<Value> = batch.iter().map(|entity| corpus.entity_json(entity)).collect();
        server.call("add_entities", json!({ "entities": entities }))
    });
    let samples: Samples = batches.collect::<Result<_>>()?;
    run.rows.push(Row::batches("add_entities, batches of 100", samples, corpus.entities.len()));
    let batches = corpus.edges.chunks(BATCH).map(|batch| {
        let edges: Vec<Value> = batch.iter().map(|edge| corpus.edge_json(edge)).collect();
        server.call("add_relationships", json!({ "relationships": edges }))
    });
    let samples: Samples = batches.collect::<Result<_>>()?;
    run.rows.push(Row::batches("add_relationships, batches of 100", samples, corpus.edges.len()));
    Ok(())
}

fn repeat(
    operation: &Operation,
    most: usize,
    server: &mut Server,
    corpus: &Corpus,
    seed: u64,
) -> Result<Row> {
    say(&format!("  {}", operation.name));
    // Each kind of question has its own sequence, whatever was asked before it.
    let mut random = Random::new(
        operation.name.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte))),
    );
    let samples = Samples::take(most, || {
        let arguments = (operation.arguments)(corpus, &mut random);
        server.call(operation.tool, arguments)
    })?;
    Ok(Row::new(operation.name, samples, operation.target))
}

/// New processes on the filled library: start, first answer, and the first walk, which has to read
/// every edge. The system's file cache is warm.
fn open_again(run: &mut Run, binary: &Path, home: &Path, corpus: &Corpus, seed: u64) -> Result<()> {
    let mut random = Random::new(seed);
    let (mut starts, mut answers, mut walks) = (Vec::new(), Vec::new(), Vec::new());
    let mut growth = None;
    for _ in 0..STARTS {
        let mut server = Server::start(ours::server(binary, home), home)?;
        starts.push(server.start);
        answers
            .push(server.start + server.call("get_entity", json!({ "name": corpus.any_name(&mut random) }))?);
        let before = machine::resident_mb(server.pid());
        walks.push(server.call("find_connections", json!({ "entity_name": corpus.any_name(&mut random) }))?);
        growth = machine::resident_mb(server.pid()).zip(before).map(|(after, before)| after - before);
        server.close()?;
    }
    let target = Some(START_TARGET);
    run.rows.push(Row::new("start to handshake, file open anew", starts.into_iter().collect(), target));
    run.rows.push(Row::new("start to first entity read", answers.into_iter().collect(), target));
    run.rows.push(Row::new("first find_connections after start", walks.into_iter().collect(), None));
    // The index of edges, and beside it pages and the answer: an upper bound.
    let per_edge = growth.map(|mb| mb * 1024.0 * 1024.0 / corpus.edges.len() as f64);
    run.facts.push(Fact {
        name: "memory gained by the first walk, per edge",
        value: per_edge,
        unit: "bytes",
    });
    Ok(())
}
