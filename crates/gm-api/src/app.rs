//! The state behind an explorer.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use gm_engine::{Graph, Library, Location, Subscription, now};
use gm_model::Actor;
use gm_store::StateFile;
use parking_lot::RwLock;
use serde_json::Value;

use crate::commands::{self, Reply};
use crate::error::ApiError;
use crate::layout::{self, Layouts};
use crate::models::Installing;
use crate::wire::Event;

/// Who hands a command over: only the window may name files of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    Window,
    Browser,
}

/// Where events go. Called from any thread; must not block.
pub type EventSink = Arc<dyn Fn(&Event) + Send + Sync>;

/// Where agents attach.
#[derive(Debug, Clone, Default)]
pub(crate) struct Listener {
    pub url: Option<String>,
    pub problem: Option<String>,
}

struct Watched {
    graph: Arc<Graph>,
    _subscription: Subscription,
}

/// One explorer's (or listener's) state: a library, its watched graphs, and those who listen.
pub struct App {
    state: Arc<StateFile>,
    home: PathBuf,
    /// How this process names itself to others that find a graph open.
    label: &'static str,
    library: RwLock<Library>,
    listener: RwLock<Listener>,
    sinks: Arc<RwLock<Vec<EventSink>>>,
    watched: RwLock<HashMap<String, Watched>>,
    layouts: Layouts,
    installing: Installing,
}

impl App {
    pub fn new(state: Arc<StateFile>, home: PathBuf, library: Library, label: &'static str) -> Arc<Self> {
        Arc::new(Self {
            state,
            home,
            label,
            library: RwLock::new(library),
            listener: RwLock::default(),
            sinks: Arc::default(),
            watched: RwLock::default(),
            layouts: Layouts::default(),
            installing: Installing::default(),
        })
    }

    /// Runs one command. Blocks on storage: call it off any async thread.
    pub fn call(&self, caller: Caller, command: &str, arguments: Value) -> Result<Reply, ApiError> {
        commands::dispatch(self, caller, command, arguments)
    }

    /// Runs one command whose argument is bytes; see `layout` for their form.
    pub fn call_bytes(&self, command: &str, bytes: &[u8]) -> Result<Reply, ApiError> {
        layout::dispatch(self, command, bytes).map(Reply::Bytes)
    }

    pub(crate) fn installing(&self) -> &Installing {
        &self.installing
    }

    pub(crate) fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// Lets go of every graph, before the program ends.
    pub fn close(&self) {
        self.watched.write().clear();
        self.library().close();
    }

    /// The id of the entity a name means in a graph.
    pub fn resolve(&self, graph: &str, name: &str) -> Result<String, ApiError> {
        let row = self.graph(graph)?.read(|tx| {
            gm_engine::resolve::entity(tx, "name", name, None, gm_engine::resolve::Purpose::Use)
        })?;
        Ok(row.entity.id.into_string())
    }

    pub fn library(&self) -> Library {
        self.library.read().clone()
    }

    pub fn state(&self) -> &Arc<StateFile> {
        &self.state
    }

    pub fn on_event(&self, sink: EventSink) {
        self.sinks.write().push(sink);
    }

    pub fn emit(&self, event: &Event) {
        for sink in self.sinks.read().iter() {
            sink(event);
        }
    }

    /// Tells where agents attach, or why they cannot.
    pub fn set_listener(&self, outcome: Result<String, String>) {
        *self.listener.write() = match outcome {
            Ok(url) => Listener { url: Some(url), problem: None },
            Err(problem) => Listener { url: None, problem: Some(problem) },
        };
    }

    /// The address of this program's listener, if it runs; it carries no credential.
    pub fn listener_address(&self) -> Option<String> {
        self.listener().url.and_then(|url| url.strip_suffix("mcp").map(str::to_owned))
    }

    pub(crate) fn listener(&self) -> Listener {
        self.listener.read().clone()
    }

    pub(crate) fn home(&self) -> &PathBuf {
        &self.home
    }

    /// Opens another folder of graphs in place of the present one.
    pub(crate) fn open_library(&self, folder: PathBuf) -> Result<(), ApiError> {
        let location = Location { folder: folder.clone(), default_file: None };
        let library = Library::open(location, self.state.clone(), "desktop", self.label)?;
        let meaning = self.library().meaning_settings();
        library.search_by_meaning(meaning);
        library.list()?;
        self.watched.write().clear();
        *self.library.write() = library;
        self.state.note_recent(&folder, now())?;
        self.emit(&Event::LibraryChanged);
        Ok(())
    }

    /// An open graph whose changes are told from now on.
    pub(crate) fn graph(&self, name: &str) -> Result<Arc<Graph>, ApiError> {
        if let Some(watched) = self.watched.read().get(name).filter(|watched| !watched.graph.is_replaced()) {
            return Ok(watched.graph.clone());
        }
        // A file that was swapped is let go of first, so that the new one can be opened.
        self.watched.write().retain(|_, watched| !watched.graph.is_replaced());
        let graph = self.library().graph(name)?;
        let sinks = self.sinks.clone();
        let subscription = graph.subscribe(move |notice| {
            let event = Event::GraphChanged { graph: notice.graph.clone(), seq: notice.seq };
            for sink in sinks.read().iter() {
                sink(&event);
            }
        })?;
        let watched = Watched { graph: graph.clone(), _subscription: subscription };
        self.watched.write().insert(graph.name().to_owned(), watched);
        Ok(graph)
    }

    /// Everything an explorer writes is the person's.
    pub(crate) fn actor(&self, caller: Caller) -> Actor {
        let client = match caller {
            Caller::Window => "window",
            Caller::Browser => "browser",
        };
        Actor { client: client.into(), ..Actor::person() }
    }
}
