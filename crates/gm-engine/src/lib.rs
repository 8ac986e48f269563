//! The verbs of a graph. Everything that changes a graph goes through [`Graph::transact`]: one
//! transaction, its journal rows, rollback on error and a value telling what changed.
//!
//! Reading order: [`library`] (where graphs are), [`graph`] (one open graph), [`transact`] (how a
//! write works), then one module per verb. Wire forms and protocols belong to the crates above.

mod adjacency;
pub mod backup;
pub mod connect;
pub mod connections;
pub mod entities;
pub mod error;
pub mod export;
pub mod graph;
pub mod history;
pub mod import;
pub mod library;
pub mod location;
pub mod meaning;
pub mod merge;
pub mod observations;
pub mod overview;
pub mod purge;
pub mod relationships;
pub mod resolve;
pub mod sample;
pub mod scene;
pub mod search;
pub mod transact;
pub mod trash;
mod traverse;
pub mod undo;
pub mod upkeep;
pub mod validate;
pub mod watch;

pub use error::{Error, Result};
pub use gm_embed as embed;
pub use gm_layout as layout;
pub use gm_store::state::{Identity, Rights};
pub use graph::Graph;
pub use library::{GraphInfo, Library};
pub use location::{Location, LocationOptions, home_folder};
pub use transact::{Applied, Tx};
pub use watch::{Notice, Subscription};

/// Seconds since the Unix epoch, from the system's clock.
pub fn now() -> gm_model::Timestamp {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0.0, |since| since.as_secs_f64())
}
