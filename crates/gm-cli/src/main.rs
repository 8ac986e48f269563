//! The `graph-mem` command.
//!
//! Exit codes are listed in [`exit`].

mod args;
mod commands;
mod context;
mod exit;
mod output;
mod progress;
mod settings;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;

#[allow(unsafe_code)]
fn main() -> ExitCode {
    // SAFETY: this is the first thing that is done; there is no other thread.
    unsafe { gm_engine::embed::forbid_telemetry() };
    match run(args::Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            output::fail(&error);
            exit::of(&error)
        }
    }
}

fn run(args: args::Args) -> anyhow::Result<ExitCode> {
    if let Some(outcome) = commands::run_without_settings(&args) {
        return outcome;
    }
    let settings = settings::Settings::load(&args)?;
    start_logs(settings.log());
    if let Some(budget) = settings.traversal_node_budget() {
        gm_model::limits::set_traversal_node_budget(budget);
    }
    commands::run(args, &settings)
}

/// Logs go to standard error; standard output belongs to answers and to the protocol.
fn start_logs(filter: Option<&str>) {
    // The protocol's library warns of what clients did wrong, which they are told themselves.
    let filter = match filter.unwrap_or(settings::DEFAULT_LOG) {
        settings::DEFAULT_LOG => format!("{},rmcp=error", settings::DEFAULT_LOG),
        given => given.to_owned(),
    };
    // What draws pictures tells the characters it finds no letters for, and those are memory.
    let filter = tracing_subscriber::EnvFilter::new(format!("{filter},usvg=off,fontdb=off"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
}
