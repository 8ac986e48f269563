//! One call of a tool: who calls, which graph is meant, and where a switch of graphs goes.

use std::sync::Arc;

use gm_engine::{Graph, Identity, Library};
use gm_model::Actor;
use gm_store::StateFile;
use parking_lot::Mutex;

use crate::dashboard::ShowDashboard;
use crate::failure::Failure;

/// Where a caller's active graph lives.
#[derive(Clone)]
pub(crate) enum ActiveGraph {
    /// With the process on stdio, with the session on handshake HTTP.
    Session(Arc<Mutex<Option<String>>>),
    /// With the identity, for callers without sessions.
    Identity(Arc<StateFile>, String),
}

impl ActiveGraph {
    fn get(&self) -> Result<Option<String>, Failure> {
        match self {
            Self::Session(graph) => Ok(graph.lock().clone()),
            Self::Identity(state, name) => Ok(state.active_graph(name).map_err(gm_engine::Error::from)?),
        }
    }

    fn set(&self, graph: &str) -> Result<(), Failure> {
        match self {
            Self::Session(active) => *active.lock() = Some(graph.to_owned()),
            Self::Identity(state, name) => {
                state.set_active_graph(name, graph).map_err(gm_engine::Error::from)?;
            }
        }
        Ok(())
    }
}

/// Everything a tool's function needs of its call.
pub(crate) struct Call<'a> {
    pub library: &'a Library,
    pub actor: Actor,
    /// The attached agent; absent on stdio, where a process is its user's own.
    pub identity: Option<Identity>,
    pub active: ActiveGraph,
    pub dashboard: Option<&'a dyn ShowDashboard>,
    /// The `graph` argument of this call.
    pub explicit: Option<String>,
}

impl Call<'_> {
    /// The graph this call works on: the argument, else the active graph, else the default.
    pub(crate) fn graph(&self) -> Result<Arc<Graph>, Failure> {
        let name = match &self.explicit {
            Some(name) => name.clone(),
            None => self.active_name()?,
        };
        let graph = self.library.graph(&name)?;
        self.check_graph(graph.name())?;
        Ok(graph)
    }

    pub(crate) fn active_name(&self) -> Result<String, Failure> {
        let chosen = self.active.get()?;
        Ok(chosen.unwrap_or_else(|| gm_engine::library::DEFAULT_GRAPH.to_owned()))
    }

    pub(crate) fn switch(&self, name: &str) -> Result<(), Failure> {
        self.active.set(name)
    }

    /// Whether this caller may use a graph of this name.
    pub(crate) fn may_use(&self, name: &str) -> bool {
        let Some(identity) = &self.identity else { return true };
        let graphs = &identity.rights.graphs;
        graphs.is_empty() || graphs.iter().any(|allowed| allowed.eq_ignore_ascii_case(name))
    }

    pub(crate) fn check_graph(&self, name: &str) -> Result<(), Failure> {
        if self.may_use(name) {
            return Ok(());
        }
        Err(Failure::new(
            "permission_denied",
            format!("graph `{name}` is not open to you; ask the person to allow it"),
        ))
    }

    pub(crate) fn check_right(&self, effect: crate::spec::Effect) -> Result<(), Failure> {
        use crate::spec::Effect;
        let Some(identity) = &self.identity else { return Ok(()) };
        let (allowed, verb) = match effect {
            Effect::Read | Effect::Session => (true, ""),
            Effect::Write => (identity.rights.write, "write"),
            Effect::Delete => (identity.rights.write && identity.rights.delete, "delete"),
        };
        if allowed {
            return Ok(());
        }
        Err(Failure::new(
            "permission_denied",
            format!("you may not {verb} in this library; ask the person to allow it"),
        ))
    }
}
