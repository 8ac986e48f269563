//! Attaching agents.

use anyhow::Result;
use gm_engine::{connect as config, now};
use gm_host::Endpoint;
use gm_model::text;
use serde_json::json;

use crate::context::Context;
use crate::exit::Failure;
use crate::output::{note, say};
use crate::settings::Settings;

pub fn connect(context: &Context, settings: &Settings, name: &str, print_token: bool) -> Result<()> {
    let name = text::agent_name("name", name).map_err(gm_engine::Error::from)?;
    let token = context.library.state().issue_token(&name, now())?;
    if print_token {
        say(token);
        return Ok(());
    }
    let endpoint = Endpoint::find(&context.home);
    let url =
        endpoint.as_ref().map_or_else(|| kept_url(context, settings), |endpoint| Ok(endpoint.mcp_url()))?;
    say(format!("agent `{name}` has a new token; if it had one before, that no longer works\n"));
    say(format!(
        "over HTTP, while the window or `graph-mem server --transport http` runs:\n{}\n",
        config::http_config(&url, &token)
    ));
    say(format!(
        "as a process of its own:\n{}",
        config::stdio_config(&name, &context.library, &context.home)
    ));
    note("agents begin in the graph `default`; tools take `graph`, and switch_graph moves them for good");
    if endpoint.is_none() {
        note(format!("hint: nothing listens now; it will at {url}"));
    }
    Ok(())
}

fn kept_url(context: &Context, settings: &Settings) -> Result<String> {
    let kept = match settings.port() {
        Some(port) => Some(port.to_string()),
        None => context.library.state().setting("listener.port")?,
    };
    Ok(format!("http://127.0.0.1:{}/mcp", kept.as_deref().unwrap_or(super::config::FIRST_PORT)))
}

pub fn agents(context: &Context, revoke: Option<&str>, json: bool) -> Result<()> {
    let state = context.library.state();
    if let Some(name) = revoke {
        if !state.revoke(name)? {
            return Err(Failure::not_found(format!("no agent `{name}`")).into());
        }
        say(format!(
            "the token of agent `{name}` no longer works; a process that the client starts itself ends when you remove it from the client's configuration"
        ));
        return Ok(());
    }
    let identities = state.identities()?;
    if json {
        let list: Vec<_> = identities
            .iter()
            .map(|i| json!({ "name": i.name, "created_at": i.created_at, "last_seen": i.last_seen, "rights": i.rights }))
            .collect();
        say(json!(list).to_string());
        return Ok(());
    }
    if identities.is_empty() {
        note("no agents yet\nhint: attach one with `graph-mem connect NAME`");
    }
    for identity in identities {
        let seen = identity
            .last_seen
            .map_or("never seen".to_owned(), |time| format!("last seen {}", super::graphs::when(time)));
        say(format!("{:<24} {seen}", identity.name));
    }
    Ok(())
}
