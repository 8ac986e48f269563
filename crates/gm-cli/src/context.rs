//! The library and graph a command works on.

use std::path::PathBuf;
use std::sync::Arc;

use gm_engine::{Graph, Library, Result, now};
use gm_store::StateFile;

use crate::settings::Settings;

pub struct Context {
    pub home: PathBuf,
    pub library: Library,
    /// The graph that was chosen, if any.
    pub graph_name: Option<String>,
}

impl Context {
    /// Opens the library. `kind` tells other processes what this one is.
    pub fn open(settings: &Settings, kind: &str, label: &str) -> Result<Self> {
        let home = settings.home.clone();
        let state = Arc::new(StateFile::open(&home, now())?);
        let library = Library::open(settings.location.locate(), state.clone(), kind, label)?;
        // A command is over before vectors could be made beside it.
        library.search_by_meaning(settings.meaning().settings(&home, &state, kind == "server"));
        Ok(Self { home, library, graph_name: settings.graph() })
    }

    pub fn graph(&self) -> Result<Arc<Graph>> {
        self.library.graph(self.graph_name.as_deref().unwrap_or(gm_engine::library::DEFAULT_GRAPH))
    }
}
