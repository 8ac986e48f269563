//! Commands about other programs: which clients are here, what attaching one would change, and doing it.

use gm_clients::{ALL, Client, Domain, Scope, Server, Surroundings, Undone, by_id, guide_of, try_out};
use gm_engine::{connect as config, now};
use gm_model::text;

use crate::app::{App, Caller};
use crate::commands::Result;
use crate::error::ApiError;
use crate::wire::*;

/// Stands where the token will be, while a change is only looked at.
const PLACEHOLDER: &str = "gmt_0";

pub(crate) fn list_clients(_: &App, _: Caller, _: Nothing) -> Result<ClientList> {
    let around = around()?;
    let clients = ALL.iter().map(|client| {
        let file = client.file(&around, Scope::User);
        let over_http = Server::Http { url: String::new(), token: String::new() };
        McpClient {
            id: client.id.to_owned(),
            name: client.name.to_owned(),
            is_installed: client.is_installed(&around),
            file: file.map(|file| around.shown(&file)),
            can_http: client.can(&over_http),
            can_install: guide_of(client, &around, Scope::User, Domain::General).is_some(),
            remark: client.remark.to_owned(),
            source: client.source.to_owned(),
        }
    });
    Ok(ClientList { clients: clients.collect() })
}

/// What would be changed. Nothing is.
pub(crate) fn plan_client(app: &App, _: Caller, request: ClientRequest) -> Result<ClientPlan> {
    let (client, around) = (client(&request.client)?, around()?);
    let server = server(app, client, &request, PLACEHOLDER)?;
    let plan = gm_clients::connect(client, &around, Scope::User, &server).map_err(failed)?;
    Ok(ClientPlan {
        file: around.shown(&plan.path),
        is_needed: plan.is_needed(),
        diff: plan.diff(),
        based_on: plan.based_on(),
    })
}

/// Changes the configuration and makes a round trip as the client would.
pub(crate) fn attach_client(app: &App, _: Caller, request: ClientRequest) -> Result<ClientAttached> {
    let (client, around) = (client(&request.client)?, around()?);
    let agent = text::agent_name("client", client.id).map_err(gm_engine::Error::from)?;
    // What cannot be written must not cost the token that works now.
    let looked =
        gm_clients::connect(client, &around, Scope::User, &server(app, client, &request, PLACEHOLDER)?)
            .map_err(failed)?;
    if request.based_on.as_ref().is_some_and(|shown| *shown != looked.based_on()) {
        let message = "the file was changed since the change was shown; look at it again";
        return Err(ApiError::new("changed_meanwhile", message));
    }
    let token = match request.over_http {
        true => app.state().issue_token(&agent, now())?,
        false => String::new(),
    };
    app.state().know(&agent, now())?;
    let server = server(app, client, &request, &token)?;
    let plan = gm_clients::connect(client, &around, Scope::User, &server).map_err(failed)?;
    let file = around.shown(&plan.path);
    let backup = if plan.is_needed() { plan.apply(app.home()).map_err(failed)?.backup } else { None };
    app.emit(&Event::AgentsChanged);
    let (tools, problem) = match try_out(&server) {
        Ok(tried) => (tried.tools as u64, None),
        Err(problem) => (0, Some(problem)),
    };
    Ok(ClientAttached { file, backup: backup.map(|backup| around.shown(&backup)), tools, problem })
}

/// Takes back what was changed.
pub(crate) fn detach_client(app: &App, _: Caller, request: NameRequest) -> Result<ClientDetached> {
    let (client, around) = (client(&request.name)?, around()?);
    let undone = gm_clients::undo(client, &around, Scope::User, app.home()).map_err(failed)?;
    let (file, status) = match undone {
        Undone::Restored(path) => (path, "restored"),
        Undone::Deleted(path) => (path, "deleted"),
        Undone::TakenOut(path) => (path, "taken_out"),
    };
    Ok(ClientDetached { file: around.shown(&file), status: status.into() })
}

/// Gives a client our instructions, for all projects of the user.
pub(crate) fn teach_client(app: &App, _: Caller, request: TeachClient) -> Result<ClientTaught> {
    let (client, around) = (client(&request.client)?, around()?);
    let domain = match request.domain.as_str() {
        "code" => Domain::Code,
        "research" => Domain::Research,
        "general" => Domain::General,
        _ => {
            return Err(ApiError::new(
                "invalid_argument",
                "`domain` must be `code`, `research` or `general`",
            ));
        }
    };
    let guide = guide_of(client, &around, Scope::User, domain)
        .ok_or_else(|| ApiError::new("not_found", "this client documents no place for instructions"))?;
    let plan = gm_clients::install(client, &guide).map_err(failed)?;
    if plan.is_needed() {
        plan.apply(app.home()).map_err(failed)?;
    }
    Ok(ClientTaught { file: around.shown(&guide.path) })
}

fn around() -> Result<Surroundings> {
    let none = || ApiError::new("unavailable", "there is no home folder to look for clients in");
    Surroundings::of_this_user(std::env::current_dir().unwrap_or_default()).ok_or_else(none)
}

fn client(id: &str) -> Result<&'static Client> {
    by_id(id).ok_or_else(|| ApiError::new("not_found", "there is no such client"))
}

fn server(app: &App, client: &Client, request: &ClientRequest, token: &str) -> Result<Server> {
    if request.over_http {
        let listener = app.listener();
        let url = listener.url.ok_or_else(|| {
            ApiError::new(
                "no_listener",
                listener.problem.unwrap_or_else(|| "nothing listens for agents".into()),
            )
        })?;
        return Ok(Server::Http { url, token: token.to_owned() });
    }
    let server = config::stdio_server(client.id, &app.library(), app.home());
    Ok(Server::Stdio {
        command: server.command,
        arguments: server.arguments,
        environment: server.environment,
    })
}

fn failed(error: gm_clients::PlanError) -> ApiError {
    use gm_clients::PlanError;
    let code = match &error {
        PlanError::NoPlace { .. } | PlanError::NothingToUndo => "not_found",
        PlanError::ChangedMeanwhile { .. } => "changed_meanwhile",
        PlanError::Io { .. } => "storage",
        _ => "invalid_file",
    };
    ApiError::new(code, error.to_string())
}
