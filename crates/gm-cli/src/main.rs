//! The `graph-mem` command.
//!
//! Exit codes are listed in [`exit`].

mod args;
mod commands;
mod context;
mod exit;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let args = args::Args::parse();
    start_logs();
    match commands::run(args) {
        Ok(code) => code,
        Err(error) => {
            output::fail(&error);
            exit::of(&error)
        }
    }
}

/// Logs go to standard error; standard output belongs to answers and to the protocol.
fn start_logs() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("GRAPHMEM_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
}
