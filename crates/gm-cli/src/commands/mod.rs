//! One module per group of commands.

mod agents;
mod care;
mod files;
mod graphs;
mod init;
mod serve;
mod validate;

use std::process::ExitCode;

use anyhow::Result;

use crate::args::{Args, Command, Transport};
use crate::context::Context;

pub fn run(args: Args) -> Result<ExitCode> {
    let done = |()| ExitCode::SUCCESS;
    match &args.command {
        Command::Init { name } => init::init(&args, name.as_deref()).map(done),
        Command::Server { transport: Transport::Stdio, name, .. } => {
            serve::stdio(&args, name.clone()).map(done)
        }
        Command::Server { transport: Transport::Http, port, .. } => serve::http(&args, *port).map(done),
        Command::Ui { port } => serve::ui(&args, *port).map(done),
        Command::Import { file, skip_invalid, dry_run, json } => {
            files::import(&command(&args)?, file, *skip_invalid, *dry_run, *json)
        }
        Command::Export { output } => files::export(&command(&args)?, output.as_deref()).map(done),
        Command::Connect { name, print_token } => {
            agents::connect(&command(&args)?, name, *print_token).map(done)
        }
        Command::Agents { revoke, json } => {
            agents::agents(&command(&args)?, revoke.as_deref(), *json).map(done)
        }
        Command::Graphs { create, json } => {
            graphs::graphs(&command(&args)?, create.as_deref(), *json).map(done)
        }
        Command::Status { json } => graphs::status(&command(&args)?, *json).map(done),
        Command::Validate { all, repair, json } => validate::validate(&command(&args)?, *all, *repair, *json),
        Command::Backup { output, force, json } => {
            care::back_up(&command(&args)?, output.as_deref(), *force, *json).map(done)
        }
        Command::Restore { file } => care::restore(&command(&args)?, file).map(done),
        Command::Vacuum { json } => care::vacuum(&command(&args)?, *json).map(done),
        Command::Log { limit, json } => graphs::log(&command(&args)?, *limit, *json).map(done),
        Command::Undo { transaction, partial } => {
            graphs::undo(&command(&args)?, transaction.as_deref(), *partial).map(done)
        }
    }
}

fn command(args: &Args) -> Result<Context> {
    Ok(Context::open(args, "cli", "graph-mem command")?)
}
