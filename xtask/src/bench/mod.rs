//! `cargo xtask bench`: what the product costs, measured where people and agents meet it. A
//! missed target is told and fails nothing: times belong to a machine.

mod corpus;
mod engine;
mod files;
mod layout;
mod machine;
mod meaning;
mod operations;
pub mod ours;
mod peers;
mod random;
mod report;
mod retrieval;
mod samples;
pub mod stdio;
mod table;
mod walk;
mod work;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};

use crate::{frontend, packages, test};

#[derive(Subcommand)]
pub enum Bench {
    /// From an agent's reply to a drawn frame that shows what it wrote.
    Live {
        /// One line of JSON instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// From starting the program to a picture with every node; script per frame while panning, zooming and hovering;
    /// memory; what it costs at rest. In the window and in Chromium.
    Window {
        /// One line of JSON instead of a table.
        #[arg(long)]
        json: bool,
        /// Entities of the generated graphs, with commas between; each has twice as many relationships.
        #[arg(long, default_value = "5000,50000")]
        sizes: String,
        /// Seconds of rest that are watched.
        #[arg(long, default_value_t = 30)]
        rest: u32,
    },
    /// One tick of the force layout beside other layouts, errors, and how settled pictures compare.
    Layout {
        /// One line of JSON instead of tables.
        #[arg(long)]
        json: bool,
        /// Nodes; twice as many links.
        #[arg(long, value_delimiter = ',', default_value = "1000,5000,20000,50000,100000,500000")]
        sizes: Vec<usize>,
        #[arg(long, default_value_t = 7)]
        seed: u64,
    },
    /// Every tool over stdio on a seeded corpus of each size, import, export, start, memory.
    Engine {
        #[command(flatten)]
        common: Common,
        /// Entities; three times as many observations and relationships.
        #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000")]
        sizes: Vec<usize>,
    },
    /// The same work over stdio, ours beside other memory servers.
    Peers {
        #[command(flatten)]
        common: Common,
        #[arg(long, default_value_t = 5_000)]
        entities: usize,
        /// How graph-mem 1.0 in Python is started, such as `graph-mem server`.
        #[arg(long, env = "GRAPHMEM_BENCH_PYTHON", value_name = "CMD")]
        graph_mem_python: Option<String>,
        /// How the official memory server is started, such as `mcp-server-memory`.
        #[arg(long, env = "GRAPHMEM_BENCH_SERVER_MEMORY", value_name = "CMD")]
        server_memory: Option<String>,
    },
    /// What search by meaning costs, on a large graph and beside other work.
    Meaning {
        #[arg(long, default_value_t = 100_000)]
        entities: usize,
        /// One line of JSON instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Which turns of conversations answer questions: by words, by meaning, and by both.
    Retrieval {
        /// A folder with a JSON file of `documents` and `queries`.
        #[arg(long, value_name = "FOLDER")]
        data: PathBuf,
        #[arg(long, value_enum, default_value = "conversation")]
        corpus: Corpus,
        /// Where the run files stay: one line a question, best turns first.
        #[arg(long, value_name = "FOLDER")]
        output: Option<PathBuf>,
        #[arg(long, default_value_t = 7)]
        seed: u64,
        /// One line of JSON instead of a table.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Corpus {
    /// Each question searches its own conversation.
    Conversation,
    /// Each question searches all of them.
    Pooled,
}

#[derive(Args)]
pub struct Common {
    /// One line of JSON instead of tables.
    #[arg(long)]
    json: bool,
    /// Measure this binary instead of building one.
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// The same seed makes the same corpus and the same questions.
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

pub fn bench(what: Bench) -> Result<()> {
    match what {
        Bench::Live { json } => window("bench_live", json, &[]),
        Bench::Window { json, sizes, rest } => {
            window("bench_window", json, &["--sizes", &sizes, "--rest", &rest.to_string()])
        }
        Bench::Layout { json, sizes, seed } => layout::layout(&sizes, seed, json),
        Bench::Engine { common, sizes } => {
            engine::engine(&ours::binary(common.binary)?, &sizes, common.seed, common.json)
        }
        Bench::Peers { common, entities, graph_mem_python, server_memory } => {
            let others = peers::Others { graph_mem_python, server_memory };
            peers::peers(&ours::binary(common.binary)?, &others, entities, common.seed, common.json)
        }
        Bench::Meaning { entities, json } => meaning::meaning(entities, json),
        Bench::Retrieval { data, corpus, output, seed, json } => {
            retrieval::retrieval(&data, corpus == Corpus::Pooled, output, seed, json)
        }
    }
}

/// Benches of the window drive release builds: what people use.
fn window(script: &str, json: bool, more: &[&str]) -> Result<()> {
    packages::ensure(packages::BUILD)?;
    packages::ensure(packages::DRIVE)?;
    frontend::build()?;
    let script = format!("tests/window/{script}.mjs");
    let mut arguments = vec![script.as_str()];
    arguments.extend(more);
    if json {
        arguments.push("--json");
    }
    test::drive(&arguments, true)
}
