//! Attaching agents.

use anyhow::Result;
use gm_engine::{Rights, connect as config, now};
use gm_host::Endpoint;
use gm_model::text;
use gm_store::state::{Presence, RecallFilter};
use serde_json::json;

use crate::args::{Agents, May};
use crate::context::Context;
use crate::exit::Failure;
use crate::output::{counted, note, say};
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

pub(super) fn kept_url(context: &Context, settings: &Settings) -> Result<String> {
    let kept = match settings.port() {
        Some(port) => Some(port.to_string()),
        None => context.library.state().setting("listener.port")?,
    };
    Ok(format!("http://127.0.0.1:{}/mcp", kept.as_deref().unwrap_or(super::config::FIRST_PORT)))
}

pub fn revoke(context: &Context, name: &str) -> Result<()> {
    if !context.library.state().revoke(name)? {
        return Err(Failure::not_found(format!("no agent `{name}`")).into());
    }
    say(format!(
        "the token of agent `{name}` no longer works; a process that the client starts itself ends when you remove it from the client's configuration"
    ));
    Ok(())
}

/// Those that have a token, and those at work without one.
pub fn list(context: &Context, json: bool) -> Result<()> {
    let state = context.library.state();
    let (identities, present, (paused, all_paused)) =
        (state.identities()?, state.present()?, state.pauses()?);
    let is_paused = |name: &str| all_paused || paused.iter().any(|known| known.eq_ignore_ascii_case(name));
    let mut names: Vec<String> = identities.iter().map(|known| known.name.clone()).collect();
    for presence in &present {
        if !names.iter().any(|name| name.eq_ignore_ascii_case(&presence.agent)) {
            names.push(presence.agent.clone());
        }
    }
    let mut told = Vec::new();
    for name in &names {
        let identity = identities.iter().find(|known| known.name == *name);
        let sessions: Vec<&Presence> =
            present.iter().filter(|presence| presence.agent.eq_ignore_ascii_case(name)).collect();
        let latest = sessions.iter().map(|session| session.last_seen).reduce(f64::max);
        let seen = identity.and_then(|known| known.last_seen).into_iter().chain(latest).reduce(f64::max);
        if json {
            let sessions = sessions.iter().map(|session| {
                json!({
                    "client": session.client, "transport": session.transport, "process": session.pid,
                    "library": session.library, "graph": session.graph, "connected_at": session.connected_at,
                    "last_seen": session.last_seen, "reads": session.reads, "writes": session.writes,
                })
            });
            told.push(json!({
                "name": name, "has_token": identity.is_some(), "paused": is_paused(name), "last_seen": seen,
                "created_at": identity.map(|known| known.created_at), "rights": identity.map(|known| &known.rights),
                "sessions": sessions.collect::<Vec<_>>(),
            }));
            continue;
        }
        let seen =
            seen.map_or("never seen".to_owned(), |time| format!("last seen {}", super::graphs::when(time)));
        let rights = identity.map_or("all rights, no token".to_owned(), |known| in_words(&known.rights));
        let paused = if is_paused(name) { ", paused" } else { "" };
        say(format!("{name:<24} {seen}; {rights}{paused}"));
        for session in sessions {
            let client = if session.client.is_empty() { "unnamed client" } else { &session.client };
            say(format!(
                "  {client} over {} in process {}, graph `{}`: {} reads, {} writes",
                session.transport, session.pid, session.graph, session.reads, session.writes
            ));
        }
    }
    if json {
        say(json!(told).to_string());
    } else if names.is_empty() {
        note("no agents yet\nhint: attach one with `graph-mem connect NAME`");
    } else if all_paused {
        note("the writes of all agents are paused; `graph-mem agents resume` lets them go on");
    }
    Ok(())
}

fn in_words(rights: &Rights) -> String {
    let may = match (rights.write, rights.delete, rights.delete_for_good) {
        (false, ..) => "may read",
        (true, false, _) => "may read and write",
        (true, true, false) => "may read, write and delete",
        (true, true, true) => "may read, write and delete for good",
    };
    match rights.graphs.as_slice() {
        [] => may.to_owned(),
        graphs => format!("{may} in {}", graphs.join(", ")),
    }
}

pub fn change(context: &Context, what: &Agents, json: bool) -> Result<()> {
    let state = context.library.state();
    match what {
        Agents::Revoke { name } => return revoke(context, name),
        Agents::Recalls { name, limit } => return recalls(context, name.as_deref(), *limit, json),
        Agents::Pause { name } => {
            state.pause(name.as_deref(), true, now())?;
            let whose = name.as_ref().map_or("all agents".to_owned(), |name| format!("agent `{name}`"));
            say(format!("writes of {whose} are refused until `graph-mem agents resume`"));
        }
        Agents::Resume { name } => {
            state.pause(name.as_deref(), false, now())?;
            let (paused, all) = state.pauses()?;
            let whose = name.as_ref().map_or("agents".to_owned(), |name| format!("agent `{name}`"));
            say(format!("writes of {whose} are taken again"));
            match paused.as_slice() {
                _ if all => {
                    note("hint: all agents are paused; `graph-mem agents resume` without a name ends that")
                }
                [] => {}
                names => note(format!("still paused by name: {}", names.join(", "))),
            }
        }
        Agents::Rights { name, may, graphs } => {
            let identity = state.identity(name)?.ok_or_else(|| {
                Failure::not_found(format!(
                    "no agent `{name}` with a token; `graph-mem connect {name}` makes it"
                ))
            })?;
            let mut rights = identity.rights;
            if let Some(may) = may {
                rights.write = *may != May::Read;
                rights.delete = matches!(may, May::Delete | May::DeleteForGood);
                rights.delete_for_good = *may == May::DeleteForGood;
            }
            if let Some(graphs) = graphs {
                rights.graphs = match graphs.as_slice() {
                    [all] if all == "*" => Vec::new(),
                    names => names
                        .iter()
                        .map(|name| text::graph_name("graphs", name))
                        .collect::<std::result::Result<_, _>>()
                        .map_err(gm_engine::Error::from)?,
                };
            }
            state.set_rights(&identity.name, &rights)?;
            say(format!("agent `{}` {}", identity.name, in_words(&rights)));
        }
    }
    Ok(())
}

fn recalls(context: &Context, name: Option<&str>, limit: u32, json: bool) -> Result<()> {
    let filter = RecallFilter { agent: name.map(str::to_owned), ..RecallFilter::default() };
    let recalls = context.library.state().recalls(&filter, limit)?;
    if recalls.is_empty() && !json {
        note("nothing was asked yet");
    }
    for recall in recalls {
        if json {
            say(json!({
                "time": recall.time, "agent": recall.agent, "client": recall.client, "library": recall.library,
                "graph": recall.graph, "tool": recall.tool, "query": recall.query, "hits": recall.hits, "found": recall.found,
            })
            .to_string());
            continue;
        }
        say(format!(
            "{}  {:<16} {} in `{}`: {:?} → {}",
            super::graphs::when(recall.time),
            recall.agent,
            recall.tool,
            recall.graph,
            recall.query,
            counted(recall.hits, "entity", "entities")
        ));
    }
    Ok(())
}
