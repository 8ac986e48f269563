//! One module per group of commands.

mod about;
mod agents;
mod care;
mod clients;
mod config;
mod files;
mod graphs;
mod history;
mod init;
mod model;
mod picture;
mod purge;
mod serve;
mod trash;
mod validate;

use std::process::ExitCode;

use anyhow::Result;
use gm_engine::import::ImportOptions;

use crate::args::{Args, Command, Transport};
use crate::context::Context;
use crate::settings::{self, Settings};

/// Commands that look at no library: they work whatever the settings are.
pub fn run_without_settings(args: &Args) -> Option<Result<ExitCode>> {
    let done = |()| ExitCode::SUCCESS;
    match &args.command {
        Command::Completions { shell } => {
            about::completions(*shell);
            Some(Ok(ExitCode::SUCCESS))
        }
        Command::Man { output } => Some(about::man(output.as_deref()).map(done)),
        Command::Config { edit, .. } if !edit.is_empty() => {
            let home = gm_engine::home_folder();
            settings::edit(&home, edit).err().map(Err)
        }
        _ => None,
    }
}

pub fn run(args: Args, settings: &Settings) -> Result<ExitCode> {
    let done = |()| ExitCode::SUCCESS;
    match &args.command {
        Command::Completions { .. } | Command::Man { .. } => Ok(ExitCode::SUCCESS),
        Command::Config { json, .. } => config::show(settings, *json).map(done),
        Command::Init { name } => init::init(&args, settings, name.as_deref()).map(done),
        Command::Server { transport: Transport::Stdio, name, tools, .. } => {
            serve::stdio(settings, name.clone(), *tools).map(done)
        }
        Command::Server { transport: Transport::Http, port, lan, .. } => {
            serve::http(settings, *port, *lan).map(done)
        }
        Command::Ui { port } => serve::ui(settings, *port).map(done),
        Command::Import { file, skip_invalid, dry_run, json } => {
            let options = ImportOptions { skip_invalid: *skip_invalid, dry_run: *dry_run };
            files::import(&command(settings)?, file, options, args.graph.is_some(), *json)
        }
        Command::Export { output, force } => {
            files::export(&command(settings)?, output.as_deref(), *force).map(done)
        }
        Command::Picture { output, theme, layout, width, height, scale, hide, no_legend, force } => {
            let wish = picture::Wish {
                output,
                options: picture::options(*theme, *width, *height, hide, !no_legend),
                layout: *layout,
                scale: *scale,
                force: *force,
            };
            picture::picture(&command(settings)?, &wish).map(done)
        }
        Command::Connect { name: None, json, .. } => clients::list(*json).map(done),
        Command::Connect {
            name: Some(name),
            print_token,
            print,
            project,
            transport,
            agent,
            yes,
            undo,
            json,
        } => {
            let context = command(settings)?;
            match gm_clients::by_id(name) {
                Some(client) if !*print_token => {
                    let request = clients::Request {
                        client,
                        scope: clients::scope(*project),
                        transport: *transport,
                        agent: agent.as_deref(),
                        print: *print,
                        yes: *yes,
                        json: *json,
                    };
                    match *undo {
                        true => clients::undo(&context, &request).map(done),
                        false => clients::connect(&context, settings, &request),
                    }
                }
                None if *undo => Err(clients::unknown(name)),
                None if *print => agents::print(&context, settings, name).map(done),
                _ => agents::connect(&context, settings, name, *print_token).map(done),
            }
        }
        Command::Install { client, global, domain, dry_run } => {
            clients::install(&context_home(settings)?, client, *global, *domain, *dry_run).map(done)
        }
        Command::Uninstall { client, global } => {
            clients::uninstall(&context_home(settings)?, client, *global).map(done)
        }
        Command::Agents { what, revoke, json } => {
            let context = command(settings)?;
            match (what, revoke) {
                (None, None) => agents::list(&context, *json),
                (None, Some(name)) => agents::revoke(&context, name),
                (Some(what), _) => agents::change(&context, what, *json),
            }
            .map(done)
        }
        Command::Trash { what, json } => trash::trash(&command(settings)?, what.as_ref(), *json).map(done),
        Command::Graphs { set_aside: Some(name), .. } => {
            graphs::set_aside(&command(settings)?, name).map(done)
        }
        Command::Graphs { create, json, .. } => {
            graphs::graphs(&command(settings)?, create.as_deref(), *json).map(done)
        }
        Command::Status { json } => graphs::status(&command(settings)?, *json).map(done),
        Command::Validate { all, repair, json } => {
            validate::validate(&command(settings)?, *all, *repair, *json)
        }
        Command::Backup { output, force, json } => {
            care::back_up(&command(settings)?, output.as_deref(), *force, *json).map(done)
        }
        Command::Restore { file } => care::restore(&command(settings)?, file).map(done),
        Command::Vacuum { json } => care::vacuum(&command(settings)?, *json).map(done),
        Command::Purge { ids, entity, entity_type, text, yes, json } => {
            let (entity, entity_type) = (entity.as_deref(), entity_type.as_deref());
            let request = purge::Request { ids, entity, entity_type, text: *text, yes: *yes, json: *json };
            purge::purge(&command(settings)?, &request)
        }
        Command::Model { what } => model::model(settings, what),
        Command::Reembed { anew, json } => model::reembed(&command(settings)?, *anew, *json),
        Command::Trim { keep_days, yes, json } => {
            history::trim(&command(settings)?, *keep_days, *yes, *json).map(done)
        }
        Command::Log { limit, entity, entity_type, json } => {
            let (entity, entity_type) = (entity.as_deref(), entity_type.as_deref());
            history::log(&command(settings)?, *limit, entity, entity_type, *json).map(done)
        }
        Command::Undo { transaction, partial } => {
            graphs::undo(&command(settings)?, transaction.as_deref(), *partial).map(done)
        }
    }
}

/// The home library, which need not be opened for changes of other programs' files.
fn context_home(settings: &Settings) -> Result<std::path::PathBuf> {
    Ok(command(settings)?.home)
}

fn command(settings: &Settings) -> Result<Context> {
    Ok(Context::open(settings, "cli", "graph-mem command")?)
}
