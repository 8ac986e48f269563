//! The project's tasks. Each does its own set-up, says what it does, and is quick when nothing is
//! left to do.

mod bench;
mod bundle;
mod check;
mod frontend;
mod model;
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
        what: bench::Bench,
    },
    /// Build packages that hold everything, the embedding model included, and try them.
    Bundle {
        /// Kinds of packages this system can make, such as deb, rpm, appimage, dmg, nsis.
        #[arg(long, value_delimiter = ',', default_value = "deb")]
        formats: Vec<String>,
    },
    /// Formatting, lints, types, generated files, unused dependencies.
    Check,
    /// Make the explorer's types from the command list.
    Codegen,
    /// Install what is missing and build the explorer's pages.
    Setup,
}

fn main() -> ExitCode {
    let outcome = match Args::parse().task {
        Task::Run { release } => run::run(release),
        Task::Test { no_window } => test::test(!no_window),
        Task::Bench { what } => bench::bench(what),
        Task::Bundle { formats } => bundle::bundle(&formats),
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

fn setup() -> Result<()> {
    packages::ensure(packages::BUILD)?;
    frontend::build()
}
