//! The library and graph a command works on.

use std::path::PathBuf;
use std::sync::Arc;

use gm_engine::{Graph, Library, LocationOptions, Result, now};
use gm_store::StateFile;

use crate::args::Args;

pub struct Context {
    pub home: PathBuf,
    pub library: Library,
    /// The graph named on the command line, if any.
    pub graph_name: Option<String>,
}

impl Context {
    /// Opens the library. `kind` tells other processes what this one is.
    pub fn open(args: &Args, kind: &str, label: &str) -> Result<Self> {
        let mut options = LocationOptions::from_environment();
        options.db = args.db.clone();
        options.project_dir = args.project_dir.clone();
        let home = options.home_library();
        let state = Arc::new(StateFile::open(&home, now())?);
        let library = Library::open(options.locate(), state, kind, label)?;
        Ok(Self { home, library, graph_name: args.graph.clone() })
    }

    pub fn graph(&self) -> Result<Arc<Graph>> {
        self.library.graph(self.graph_name.as_deref().unwrap_or(gm_engine::library::DEFAULT_GRAPH))
    }
}
