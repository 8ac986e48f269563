//! Changing the configuration of MCP clients, and teaching them.

use std::io::{BufRead, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use gm_clients::{
    ALL, Client, Guide, PlanError, Scope, Server, Surroundings, Undone, by_id, guide_of, try_out,
};
use gm_engine::{connect as config, now};
use gm_host::Endpoint;
use gm_model::text;
use serde_json::json;

use super::agents::kept_url;
use crate::args::{Domain, Transport};
use crate::context::Context;
use crate::exit::Failure;
use crate::output::{note, say};
use crate::settings::Settings;

/// What is to be connected, and how.
pub struct Request<'a> {
    pub client: &'static Client,
    pub scope: Scope,
    pub transport: Transport,
    pub agent: Option<&'a str>,
    pub print: bool,
    pub yes: bool,
    pub json: bool,
}

pub fn scope(project: bool) -> Scope {
    if project { Scope::Project } else { Scope::User }
}

fn around() -> Result<Surroundings> {
    let project = std::env::current_dir()?;
    Surroundings::of_this_user(project)
        .ok_or_else(|| Failure::used_wrongly("there is no home folder to look for clients in").into())
}

/// Which clients are here, and where they keep their servers.
pub fn list(json: bool) -> Result<()> {
    let around = around()?;
    for client in ALL {
        let user = client.file(&around, Scope::User);
        let project = client.file(&around, Scope::Project);
        if json {
            say(json!({
                "client": client.id, "name": client.name, "installed": client.is_installed(&around),
                "user_file": user, "project_file": project, "source": client.source,
            })
            .to_string());
            continue;
        }
        let file = user.or(project).map_or_else(String::new, |file| around.shown(&file));
        let found = if client.is_installed(&around) { "found" } else { "-" };
        say(format!("{:<16} {:<22} {found:<6} {file}", client.id, client.name));
    }
    if !json {
        note(
            "hint: `graph-mem connect NAME` shows the change of its configuration before it is made; any other name prints one",
        );
    }
    Ok(())
}

pub fn connect(context: &Context, settings: &Settings, request: &Request<'_>) -> Result<ExitCode> {
    let around = around()?;
    let name =
        text::agent_name("as", request.agent.unwrap_or(request.client.id)).map_err(gm_engine::Error::from)?;
    let server = match request.transport {
        Transport::Stdio => {
            let server = config::stdio_server(&name, &context.library, &context.home);
            Server::Stdio {
                command: server.command,
                arguments: server.arguments,
                environment: server.environment,
            }
        }
        Transport::Http => {
            // A look must not end the token that works now.
            let url = match Endpoint::find(&context.home) {
                Some(endpoint) => endpoint.mcp_url(),
                None => kept_url(context, settings)?,
            };
            Server::Http { url, token: PLACEHOLDER.to_owned() }
        }
    };
    let plan = match gm_clients::connect(request.client, &around, request.scope, &server) {
        // What cannot be written can be copied.
        Err(error @ PlanError::NoPlace { .. }) if !request.json => {
            note(format!("note: {error}"));
            say(config::stdio_config(&name, &context.library, &context.home));
            return Ok(ExitCode::from(1));
        }
        planned => planned.map_err(failed)?,
    };
    if request.json {
        say(json!({ "client": request.client.id, "file": plan.path, "needed": plan.is_needed(), "diff": plan.diff() }).to_string());
    } else if plan.is_needed() {
        say(plan.diff().trim_end());
    }
    note(format!("documented at {}", request.client.source));
    if !request.client.remark.is_empty() {
        note(format!("note: {}", request.client.remark));
    }
    if request.scope == Scope::Project && request.transport == Transport::Http {
        note("note: a project's file may be shared with others, and this one would hold a token");
    }
    warn(context, request, &name, &plan)?;
    if request.print {
        return Ok(ExitCode::SUCCESS);
    }
    if !plan.is_needed() {
        say(format!("{} knows graph-mem already", request.client.name));
        return tried(request, &server);
    }
    if !(request.yes || agreed()?) {
        note("nothing was changed; `--yes` makes the change");
        return Ok(ExitCode::from(1));
    }
    let (plan, server) = match server {
        Server::Http { url, .. } => {
            let token = context.library.state().issue_token(&name, now())?;
            let server = Server::Http { url, token };
            (gm_clients::connect(request.client, &around, request.scope, &server).map_err(failed)?, server)
        }
        server => (plan, server),
    };
    let applied = plan.apply(&context.home).map_err(failed)?;
    context.library.state().know(&name, now())?;
    say(format!("wrote {}", around.shown(&applied.path)));
    if let Some(backup) = &applied.backup {
        note(format!("what stood there is kept in {}", around.shown(backup)));
    }
    let outcome = tried(request, &server)?;
    let project = if request.scope == Scope::Project { " --project" } else { "" };
    note(format!("hint: `graph-mem connect {}{project} --undo` takes it back", request.client.id));
    Ok(outcome)
}

/// Says what a change means beyond the file that it is made in.
fn warn(context: &Context, request: &Request<'_>, name: &str, plan: &gm_clients::Plan) -> Result<()> {
    let is_home = context.library.folder() == context.home;
    match request.transport {
        Transport::Stdio if !is_home && request.scope == Scope::User => note(format!(
            "note: it will use the library {} in every project; `--project` connects this one alone",
            context.library.folder().display()
        )),
        Transport::Http if !is_home => note(format!(
            "note: the listener serves the library that it was started in, which need not be {}; without `--transport http` it is this one",
            context.library.folder().display()
        )),
        _ => {}
    }
    if request.transport == Transport::Stdio {
        return Ok(());
    }
    if context.library.state().identity(name)?.is_some_and(|known| known.has_token) {
        note(format!(
            "note: agent `{name}` gets a new token; wherever its present one stands, it ends. `--as` gives this place a name of its own"
        ));
    }
    if plan.is_open_to_others() {
        note("note: others on this machine may read this file, and it will hold a token");
    }
    Ok(())
}

/// Stands where the token will be.
const PLACEHOLDER: &str = "gmt_0";

fn tried(request: &Request<'_>, server: &Server) -> Result<ExitCode> {
    if matches!(server, Server::Http { token, .. } if token == PLACEHOLDER) {
        return Ok(ExitCode::SUCCESS);
    }
    match try_out(server) {
        Ok(tried) => {
            say(format!(
                "tried it as {} would: {} tools, graph `{}` with {} entities, in {:.1} s",
                request.client.name,
                tried.tools,
                tried.graph,
                tried.entities,
                tried.took.as_secs_f64()
            ));
            Ok(ExitCode::SUCCESS)
        }
        Err(problem) => {
            note(format!("error: the configuration is written, but a trial failed: {problem}"));
            Ok(ExitCode::from(1))
        }
    }
}

fn agreed() -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    note("make this change? [y/N]");
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

pub fn undo(context: &Context, request: &Request<'_>) -> Result<()> {
    let around = around()?;
    let undone = gm_clients::undo(request.client, &around, request.scope, &context.home).map_err(failed)?;
    say(match undone {
        Undone::Restored(path) => format!("{} is what it was before", around.shown(&path)),
        Undone::Deleted(path) => format!("{} was made by graph-mem, and is gone", around.shown(&path)),
        Undone::TakenOut(path) => {
            format!(
                "{} was changed by others since: graph-mem alone was taken out of it",
                around.shown(&path)
            )
        }
    });
    let name = request.agent.unwrap_or(request.client.id);
    if context.library.state().identity(name)?.is_some_and(|known| known.has_token) {
        note(format!(
            "hint: agent `{name}` has a token that still works; `graph-mem agents revoke {name}` ends it"
        ));
    }
    Ok(())
}

fn client(id: &str) -> Result<&'static Client> {
    by_id(id).ok_or_else(|| unknown(id))
}

pub fn unknown(id: &str) -> anyhow::Error {
    let names: Vec<&str> = ALL.iter().map(|client| client.id).collect();
    Failure::not_found(format!("no client `{id}`; there are {}", names.join(", "))).into()
}

fn guide(client: &Client, around: &Surroundings, global: bool, domain: Option<Domain>) -> Result<Guide> {
    let domain = domain.map(|domain| match domain {
        Domain::Code => gm_clients::Domain::Code,
        Domain::Research => gm_clients::Domain::Research,
        Domain::General => gm_clients::Domain::General,
    });
    let scope = if global { Scope::User } else { Scope::Project };
    let guide = guide_of(client, around, scope, domain.unwrap_or_default());
    // What is there already says what the graph is for.
    let known = guide.as_ref().and_then(|guide| std::fs::read_to_string(&guide.path).ok());
    let known = known.and_then(|text| gm_clients::Domain::of_text(&text)).filter(|_| domain.is_none());
    let guide = match known {
        Some(known) => guide_of(client, around, scope, known),
        None => guide,
    };
    guide.ok_or_else(|| {
        let message =
            format!("{} documents no file for instructions; the tools explain themselves there", client.name);
        Failure::not_found(message).into()
    })
}

pub fn install(home: &Path, id: &str, global: bool, domain: Option<Domain>, dry_run: bool) -> Result<()> {
    let (client, around) = (client(id)?, around()?);
    let guide = guide(client, &around, global, domain)?;
    let plan = gm_clients::install(client, &guide).map_err(failed)?;
    note(format!("documented at {}", guide.source));
    if !plan.is_needed() {
        say(format!("{} is up to date", around.shown(&plan.path)));
        return Ok(());
    }
    if dry_run {
        say(plan.diff().trim_end());
        return Ok(());
    }
    let applied = plan.apply(home).map_err(failed)?;
    say(format!("wrote {}", around.shown(&applied.path)));
    let global = if global { " --global" } else { "" };
    note(format!("hint: `graph-mem uninstall {id}{global}` takes it out again"));
    Ok(())
}

pub fn uninstall(home: &Path, id: &str, global: bool) -> Result<()> {
    let (client, around) = (client(id)?, around()?);
    let guide = guide(client, &around, global, None)?;
    let plan = match gm_clients::uninstall(client, &guide) {
        Err(PlanError::NothingToUndo) => {
            let other = if global {
                "leave `--global` out for this project's"
            } else {
                "`--global` for all projects'"
            };
            let message = format!("nothing of graph-mem is in {}; {other}", around.shown(&guide.path));
            return Err(Failure::not_found(message).into());
        }
        planned => planned.map_err(failed)?,
    };
    let applied = plan.apply(home).map_err(failed)?;
    say(format!("graph-mem is out of {}", around.shown(&applied.path)));
    Ok(())
}

fn failed(error: PlanError) -> anyhow::Error {
    match error {
        PlanError::NothingToUndo | PlanError::NoPlace { .. } => Failure::not_found(error.to_string()).into(),
        other => Failure::used_wrongly(other.to_string()).into(),
    }
}
