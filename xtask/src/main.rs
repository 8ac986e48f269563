//! The project's tasks. Each does its own set-up, says what it does, and is quick when nothing is
//! left to do.

mod check;
mod frontend;
mod packages;
mod process;
mod run;
mod test;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Set everything up, build, and open the window (without a display: serve a browser).
    Run {
        /// Build for use rather than for development; takes longer once.
        #[arg(long)]
        release: bool,
    },
    /// Set everything up and run every test, the real window included.
    Test {
        /// Leave out the tests that need a window or a browser.
        #[arg(long)]
        no_window: bool,
    },
    /// Measure, and print a table.
    Bench {
        #[command(subcommand)]
        what: Bench,
    },
    /// Formatting, lints, types, generated files, unused dependencies.
    Check,
    /// Make the explorer's types from the command list.
    Codegen,
    /// Install what is missing and build the explorer's pages.
    Setup,
}

#[derive(Subcommand)]
enum Bench {
    /// From an agent's reply to a drawn frame that shows what it wrote.
    Live {
        /// One line of JSON instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// From starting the program to a picture with every node, and what panning costs.
    Open {
        /// One line of JSON instead of a table.
        #[arg(long)]
        json: bool,
        /// Entities of the generated graph; it has twice as many relationships.
        #[arg(long, default_value_t = 5_000)]
        nodes: u32,
    },
}

fn main() -> ExitCode {
    let outcome = match Args::parse().task {
        Task::Run { release } => run::run(release),
        Task::Test { no_window } => test::test(!no_window),
        Task::Bench { what: Bench::Live { json } } => bench("bench_live", json, &[]),
        Task::Bench { what: Bench::Open { json, nodes } } => {
            bench("bench_open", json, &["--nodes", &nodes.to_string()])
        }
        Task::Check => check::check(),
        Task::Codegen => frontend::codegen(),
        Task::Setup => setup(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            process::say(&format!("error: {error:#}"));
            ExitCode::from(1)
        }
    }
}

/// Benches drive release builds: what people use.
fn bench(script: &str, json: bool, more: &[&str]) -> Result<()> {
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

fn setup() -> Result<()> {
    packages::ensure(packages::BUILD)?;
    frontend::build()
}
