//! Attaching agents.

use anyhow::Result;
use gm_engine::{Rights, connect as config, now};
use gm_host::Endpoint;
use gm_model::{EntityId, text};
use gm_store::state::{Presence, Recall, RecallFilter};
use serde_json::json;

use crate::args::{Agents, May};
use crate::context::Context;
use crate::exit::Failure;
use crate::output::{counted, note, say};
use crate::settings::Settings;

pub fn connect(context: &Context, settings: &Settings, name: &str, print_token: bool) -> Result<()> {
    let name = text::agent_name("name", name).map_err(gm_engine::Error::from)?;
    let near = gm_clients::ALL.iter().find(|client| {
        let distance = strsim::levenshtein(client.id, &name.to_lowercase());
        client.id.len() > 3 && (1..=2).contains(&distance)
    });
    if let Some(near) = near.filter(|_| !print_token) {
        note(format!(
            "note: `{name}` is a name of your own; did you mean the client `{}`? `graph-mem agents forget {name}` takes this back",
            near.id
        ));
    }
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

/// How a client of any name attaches, with nothing changed: no token is given.
pub fn print(context: &Context, settings: &Settings, name: &str) -> Result<()> {
    let name = text::agent_name("name", name).map_err(gm_engine::Error::from)?;
    let url = match Endpoint::find(&context.home) {
        Some(endpoint) => endpoint.mcp_url(),
        None => kept_url(context, settings)?,
    };
    say(format!(
        "as a process of its own:\n{}\n\nover HTTP, with the token of `graph-mem connect {name} --print-token`:\n{}",
        config::stdio_config(&name, &context.library, &context.home),
        config::http_config(&url, "TOKEN")
    ));
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
        return Err(Failure::not_found(format!("no agent `{name}` has a token")).into());
    }
    say(format!(
        "the token of agent `{name}` no longer works; what it may do still holds for a process of that name, which ends when you remove it from the client's configuration"
    ));
    Ok(())
}

/// The name under which an agent is known here, by a token, by what was said of it, or by being at work.
fn known(context: &Context, name: &str) -> Result<String> {
    let state = context.library.state();
    if let Some(identity) = state.identity(name)? {
        return Ok(identity.name);
    }
    let (present, (paused, _)) = (state.present()?, state.pauses()?);
    let mut names = present.into_iter().map(|presence| presence.agent).chain(paused);
    names.find(|known| known.eq_ignore_ascii_case(name)).ok_or_else(|| {
        Failure::not_found(format!("no agent `{name}` is known; `graph-mem agents` lists them")).into()
    })
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
                "name": name, "has_token": identity.is_some_and(|known| known.has_token), "paused": is_paused(name), "last_seen": seen,
                "created_at": identity.map(|known| known.created_at), "rights": identity.map(|known| &known.rights),
                "sessions": sessions.collect::<Vec<_>>(),
            }));
            continue;
        }
        let seen =
            seen.map_or("never seen".to_owned(), |time| format!("last seen {}", super::graphs::when(time)));
        let rights = in_words(&identity.map_or_else(Rights::default, |known| known.rights.clone()));
        let token = if identity.is_some_and(|known| known.has_token) { "" } else { ", no token" };
        let paused = if is_paused(name) { ", paused" } else { "" };
        say(format!("{name:<24} {seen}; {rights}{token}{paused}"));
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
        Agents::Forget { name } => {
            if !state.forget(name)? {
                return Err(Failure::not_found(format!("no agent `{name}`")).into());
            }
            say(format!("agent `{name}` is forgotten, with its token and what it might do"));
        }
        Agents::Recalls { name, limit } => return recalls(context, name.as_deref(), *limit, json),
        Agents::Pause { name } => {
            let name = name.as_ref().map(|name| known(context, name)).transpose()?;
            state.pause(name.as_deref(), true, now())?;
            let whose = name.as_ref().map_or("all agents".to_owned(), |name| format!("agent `{name}`"));
            let until = name.as_ref().map_or(String::new(), |name| format!(" {name}"));
            say(format!("writes of {whose} are refused until `graph-mem agents resume{until}`"));
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
            let name = text::agent_name("name", name).map_err(gm_engine::Error::from)?;
            // One that only comes as a process of its own has rights by its name, too.
            if known(context, &name).is_err() {
                note(format!("note: no agent `{name}` was seen yet; this holds when one of that name comes"));
            }
            state.know(&name, now())?;
            let identity =
                state.identity(&name)?.ok_or_else(|| Failure::not_found(format!("no agent `{name}`")))?;
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
            let there = context.library.names()?;
            let is_there = |graph: &String| there.iter().any(|name| name.eq_ignore_ascii_case(graph));
            for graph in rights.graphs.iter().filter(|graph| !is_there(graph)) {
                note(format!("note: there is no graph `{graph}` in this library yet"));
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
        let names = names_of(context, &recall);
        let more = if recall.hits > names.len() as u64 { ", …" } else { "" };
        let named = if names.is_empty() { String::new() } else { format!(": {}{more}", names.join(", ")) };
        say(format!(
            "{}  {:<16} {} in `{}`: {:?} → {}{named}",
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

/// The first entities that were told, by the names they have now, if they are of this library.
fn names_of(context: &Context, recall: &Recall) -> Vec<String> {
    const NAMED: usize = 3;
    if recall.library != context.library.real_folder().to_string_lossy() {
        return Vec::new();
    }
    let Ok(graph) = context.library.graph(&recall.graph) else { return Vec::new() };
    let names = graph.read(|tx| {
        let found = recall.found.iter().take(NAMED);
        let rows = found.map(|id| Ok(gm_store::entities::by_id(tx, &EntityId::from_string(id))?));
        let rows = rows.collect::<gm_engine::Result<Vec<_>>>()?;
        Ok(rows.into_iter().flatten().map(|row| format!("{:?}", row.entity.name)).collect())
    });
    names.unwrap_or_default()
}
