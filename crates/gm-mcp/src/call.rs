//! One call of a tool: who calls, which graph is meant, and where a switch of graphs goes.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gm_engine::{Graph, Library, Rights};
use gm_model::{Actor, EntityId};
use gm_store::StateFile;
use parking_lot::Mutex;

use crate::attendance::Recalled;
use crate::dashboard::ShowDashboard;
use crate::failure::Failure;
use crate::spec::Effect;

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

    /// The graph that calls go to which name none.
    pub(crate) fn name(&self) -> Result<String, Failure> {
        Ok(self.get()?.unwrap_or_else(|| gm_engine::library::DEFAULT_GRAPH.to_owned()))
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
    /// What the person allowed; everything where nothing was said, as of a process of the user's own.
    pub rights: Option<Rights>,
    pub active: ActiveGraph,
    pub dashboard: Option<&'a dyn ShowDashboard>,
    /// The `graph` argument of this call.
    pub explicit: Option<String>,
    /// The graph it is for: the argument, else the active one when the call began, whoever switches meanwhile.
    pub meant: String,
    /// That graph under its stored name, once it was opened.
    pub used: Cell<Option<String>>,
    /// What this call told of entities.
    pub recalled: Cell<Option<Recalled>>,
    /// Of a caller that wants to hear of it.
    pub progress: Option<Arc<Progress>>,
}

/// Tells a client how far its call is, and hears whether it still wants it.
pub(crate) struct Progress {
    tell: Box<dyn Fn(u64, u64) + Send + Sync>,
    is_cancelled: Box<dyn Fn() -> bool + Send + Sync>,
    told: Mutex<Option<Instant>>,
}

/// Items between two looks, and the time between two notices.
const ITEMS_A_LOOK: u64 = 50;
const NOTICE_EACH: Duration = Duration::from_millis(100);

impl Progress {
    pub(crate) fn new(
        tell: impl Fn(u64, u64) + Send + Sync + 'static,
        is_cancelled: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { tell: Box::new(tell), is_cancelled: Box::new(is_cancelled), told: Mutex::default() }
    }

    fn step(&self, done: u64, total: u64) -> gm_engine::Result<()> {
        if !done.is_multiple_of(ITEMS_A_LOOK) {
            return Ok(());
        }
        if (self.is_cancelled)() {
            return Err(gm_engine::Error::Cancelled);
        }
        let is_due = {
            let mut told = self.told.lock();
            let is_due = told.is_none_or(|told| told.elapsed() >= NOTICE_EACH);
            if is_due {
                *told = Some(Instant::now());
            }
            is_due
        };
        if is_due {
            (self.tell)(done, total);
        }
        Ok(())
    }
}

impl Call<'_> {
    /// The graph this call works on: the argument, else the active graph, else the default.
    pub(crate) fn graph(&self) -> Result<Arc<Graph>, Failure> {
        let graph = self.library.graph(&self.meant).map_err(|error| self.hide(error))?;
        self.check_graph(graph.name())?;
        self.used.set(Some(graph.name().to_owned()));
        Ok(graph)
    }

    pub(crate) fn active_name(&self) -> Result<String, Failure> {
        self.active.name()
    }

    pub(crate) fn switch(&self, name: &str) -> Result<(), Failure> {
        self.active.set(name)
    }

    /// An error that names no graph which is not for this caller.
    pub(crate) fn hide(&self, error: gm_engine::Error) -> gm_engine::Error {
        match error {
            gm_engine::Error::NoSuchGraph { name, mut known } => {
                known.retain(|known| self.may_use(known));
                gm_engine::Error::NoSuchGraph { name, known }
            }
            error => error,
        }
    }

    /// Whether this caller may use a graph of this name.
    pub(crate) fn may_use(&self, name: &str) -> bool {
        let Some(rights) = &self.rights else { return true };
        rights.graphs.is_empty() || rights.graphs.iter().any(|allowed| allowed.eq_ignore_ascii_case(name))
    }

    pub(crate) fn check_graph(&self, name: &str) -> Result<(), Failure> {
        if self.may_use(name) {
            return Ok(());
        }
        Err(Failure::new(
            "permission_denied",
            format!(
                "graph `{name}` is not open to you; the person can open it under Agents, or with `graph-mem agents rights`"
            ),
        ))
    }

    /// What the person allowed, and whether writes are paused.
    pub(crate) fn check_right(&self, effect: Effect) -> Result<(), Failure> {
        let verb = match effect {
            Effect::Read | Effect::Session => return Ok(()),
            Effect::Write => "write",
            Effect::Delete => "delete",
        };
        let allowed = self.rights.as_ref().is_none_or(|rights| match effect {
            Effect::Delete => rights.write && rights.delete,
            _ => rights.write,
        });
        if !allowed {
            return Err(Failure::new(
                "permission_denied",
                format!(
                    "you may not {verb} here; the person can allow it under Agents, or with `graph-mem agents rights`"
                ),
            ));
        }
        if self.library.state().is_paused(&self.actor.name).map_err(gm_engine::Error::from)? {
            return Err(Failure::new(
                "paused",
                "the person has paused your writes; nothing was changed, and reading goes on. The person lets you go on under Agents, or with `graph-mem agents resume`",
            ));
        }
        Ok(())
    }

    /// Called before each item of long work. Fails if the caller wants it no more; what was begun is then
    /// rolled back.
    pub(crate) fn step(&self, done: usize, total: usize) -> gm_engine::Result<()> {
        match &self.progress {
            Some(progress) => progress.step(done as u64, total as u64),
            None => Ok(()),
        }
    }

    /// Notes for the person what was asked and which entities were told, the best first.
    pub(crate) fn recalled<'i>(&self, query: &str, found: impl IntoIterator<Item = &'i EntityId>) {
        let found: Vec<String> = found.into_iter().map(|id| id.as_str().to_owned()).collect();
        let hits = found.len();
        self.recalled.set(Some(Recalled { query: query.to_owned(), found, hits }));
    }
}
