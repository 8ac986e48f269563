//! Commands about agents: who may come, what they may do, who is at work, what they were told.

use std::collections::HashMap;

use gm_engine::{Rights, now};
use gm_model::{EntityId, text};
use gm_store::entities;
use gm_store::state::{Presence, RecallFilter};

use crate::app::{App, Caller};
use crate::commands::Result;
use crate::error::ApiError;
use crate::wire::*;

/// Most questions that are told at once.
const MAX_RECALLS: u32 = 500;

pub(crate) fn list_agents(app: &App, _: Caller, _: Nothing) -> Result<AgentList> {
    let state = app.state();
    let (paused, all_paused) = state.pauses()?;
    let mut present: HashMap<String, Vec<Presence>> = HashMap::new();
    for presence in state.present()? {
        present.entry(presence.agent.to_lowercase()).or_default().push(presence);
    }
    let is_paused = |name: &str| all_paused || paused.iter().any(|known| known.eq_ignore_ascii_case(name));
    let mut agents: Vec<Agent> = state
        .identities()?
        .into_iter()
        .map(|known| Agent {
            sessions: told_sessions(app, present.remove(&known.name.to_lowercase()).unwrap_or_default()),
            is_paused: is_paused(&known.name),
            has_token: known.has_token,
            rights: Some(AgentRights {
                write: known.rights.write,
                delete: known.rights.delete,
                delete_for_good: known.rights.delete_for_good,
                graphs: known.rights.graphs,
            }),
            created_at: Some(known.created_at),
            last_seen: known.last_seen,
            name: known.name,
        })
        .collect();
    // Those that started a process of their own have a name and nothing else.
    let mut others: Vec<Agent> = present
        .into_values()
        .map(|sessions| {
            let name = sessions[0].agent.clone();
            Agent {
                is_paused: is_paused(&name),
                has_token: false,
                rights: None,
                created_at: None,
                last_seen: sessions.iter().map(|session| session.last_seen).reduce(f64::max),
                sessions: told_sessions(app, sessions),
                name,
            }
        })
        .collect();
    // Whoever is paused must be seen to be let go on.
    for name in &paused {
        let is_told = |agents: &[Agent]| agents.iter().any(|agent| agent.name.eq_ignore_ascii_case(name));
        if !is_told(&agents) && !is_told(&others) {
            others.push(Agent {
                name: name.clone(),
                has_token: false,
                rights: None,
                is_paused: true,
                created_at: None,
                last_seen: None,
                sessions: Vec::new(),
            });
        }
    }
    others.sort_by(|one, other| one.name.cmp(&other.name));
    agents.extend(others);
    Ok(AgentList { agents, all_paused })
}

fn told_sessions(app: &App, sessions: Vec<Presence>) -> Vec<AgentSession> {
    let folder = app.library().real_folder().to_string_lossy().into_owned();
    let minute_ago = now() - 60.0;
    sessions
        .into_iter()
        .map(|session| {
            let is_busy = session.last_seen >= minute_ago;
            AgentSession {
                client: session.client,
                transport: session.transport,
                is_here: session.library == folder,
                graph: session.graph,
                connected_at: session.connected_at,
                last_seen: session.last_seen,
                reads: session.reads,
                writes: session.writes,
                reads_minute: if is_busy { session.reads_minute } else { 0 },
                writes_minute: if is_busy { session.writes_minute } else { 0 },
            }
        })
        .collect()
}

pub(crate) fn connect_agent(app: &App, _: Caller, request: NameRequest) -> Result<AgentConnection> {
    let name = text::agent_name("name", &request.name).map_err(gm_engine::Error::from)?;
    let listener = app.listener();
    let url = listener.url.ok_or_else(|| {
        ApiError::new("no_listener", listener.problem.unwrap_or_else(|| "nothing listens for agents".into()))
    })?;
    let token = app.state().issue_token(&name, now())?;
    app.emit(&Event::AgentsChanged);
    let http_config = gm_engine::connect::http_config(&url, &token);
    let stdio_config = gm_engine::connect::stdio_config(&name, &app.library(), app.home());
    Ok(AgentConnection { name, token, url, http_config, stdio_config })
}

pub(crate) fn revoke_agent(app: &App, _: Caller, request: NameRequest) -> Result<Written> {
    let had_token = app.state().revoke(&request.name)?;
    // One without a token is forgotten: there is nothing else to end.
    let known = had_token || app.state().forget(&request.name)?;
    app.emit(&Event::AgentsChanged);
    let status = if known { "deleted" } else { "not_found" };
    Ok(Written { id: None, status: status.into(), changes: u64::from(known) })
}

pub(crate) fn set_agent_rights(app: &App, _: Caller, request: SetAgentRights) -> Result<Nothing> {
    let AgentRights { write, delete, delete_for_good, graphs } = request.rights;
    for graph in &graphs {
        text::graph_name("graphs", graph).map_err(gm_engine::Error::from)?;
    }
    let rights = Rights {
        write,
        delete: write && delete,
        delete_for_good: write && delete && delete_for_good,
        graphs,
    };
    let name = text::agent_name("name", &request.name).map_err(gm_engine::Error::from)?;
    app.state().know(&name, now())?;
    app.state().set_rights(&name, &rights)?;
    app.emit(&Event::AgentsChanged);
    Ok(Nothing {})
}

pub(crate) fn pause_agent(app: &App, _: Caller, request: PauseAgent) -> Result<Nothing> {
    app.state().pause(request.name.as_deref(), request.paused, now())?;
    app.emit(&Event::AgentsChanged);
    Ok(Nothing {})
}

pub(crate) fn recalls(app: &App, _: Caller, request: RecallsRequest) -> Result<RecallList> {
    let library = app.library().real_folder().to_string_lossy().into_owned();
    let filter = RecallFilter {
        agent: request.agent,
        graph: request.graph.map(|graph| (library.clone(), graph)),
        before: request.before,
        entity: request.entity,
    };
    let limit = request.limit.unwrap_or(100).clamp(1, MAX_RECALLS);
    let recalls = app.state().recalls(&filter, limit)?;
    // Names as they are now, of graphs that are here.
    let mut names: HashMap<(String, String), String> = HashMap::new();
    for recall in recalls.iter().filter(|recall| recall.library == library) {
        let Ok(graph) = app.graph(&recall.graph) else { continue };
        graph.read(|tx| {
            for id in &recall.found {
                let key = (recall.graph.clone(), id.clone());
                if !names.contains_key(&key)
                    && let Some(row) = entities::by_id(tx, &EntityId::from_string(id))?
                {
                    names.insert(key, row.entity.name);
                }
            }
            Ok(())
        })?;
    }
    let told = recalls.into_iter().map(|recall| {
        let found = recall.found.iter().map(|id| RecalledEntity {
            name: names.get(&(recall.graph.clone(), id.clone())).cloned(),
            id: id.clone(),
        });
        Recall {
            id: recall.id,
            time: recall.time,
            agent: recall.agent,
            client: recall.client,
            found: found.collect(),
            is_here: recall.library == library,
            graph: recall.graph,
            tool: recall.tool,
            query: recall.query,
            hits: recall.hits,
        }
    });
    Ok(RecallList { recalls: told.collect() })
}

pub(crate) fn trash(app: &App, _: Caller, request: GraphRef) -> Result<TrashList> {
    let graph = app.graph(&request.graph)?;
    let (entries, total) = graph.read(|tx| gm_engine::trash::list(tx, gm_engine::trash::MAX_LISTED))?;
    let entries = entries.into_iter().map(|entry| TrashEntry {
        id: entry.id,
        kind: entry.kind.as_str().to_owned(),
        label: entry.label,
        detail: entry.detail,
        observations: entry.observations,
        relationships: entry.relationships,
        by: crate::commands::attribution(&entry.actor, entry.deleted_at),
        expires_at: entry.expires_at,
    });
    Ok(TrashList { entries: entries.collect(), total })
}

pub(crate) fn restore_from_trash(app: &App, caller: Caller, request: IdsRequest) -> Result<Restored> {
    let graph = app.graph(&request.graph)?;
    let applied = gm_engine::trash::restore(&graph, &app.actor(caller), &request.ids)?;
    let restored = applied.value;
    Ok(Restored {
        entities: restored.entities,
        observations: restored.observations,
        relationships: restored.relationships,
        left: restored.left.len() as u64,
    })
}

pub(crate) fn empty_trash(app: &App, caller: Caller, request: EmptyTrash) -> Result<Written> {
    let graph = app.graph(&request.graph)?;
    let n = gm_engine::trash::empty(&graph, &app.actor(caller), request.ids.as_deref())?;
    Ok(Written { id: None, status: "deleted".into(), changes: n })
}
