//! Everything that touches SQLite, and the only SQL of the product.
//!
//! [`GraphFile`] is one graph: it is recognised read-only before anything is written, migrated
//! under a backup, written through one connection with immediate transactions and read through a
//! small pool. [`StateFile`] is the user's one file for what is not a graph.
//!
//! One module per table holds that table's statements. Reads take a [`ReadTx`], writes a
//! [`WriteTx`]; rules of the domain (resolution, merging, undo) belong to the engine.

mod connection;
mod counted;
mod error;
mod file;
mod keeper;
mod legacy;
mod migrate;
mod pending;
mod recognise;
mod watch;

pub mod aliases;
pub mod counters;
pub mod entities;
pub mod journal;
pub mod maintain;
pub mod memory;
pub mod observations;
pub mod origin;
pub mod positions;
pub mod purge;
pub mod relationships;
pub mod repair;
pub mod search;
pub mod state;
pub mod trash;
pub mod validate;
pub mod vectors;

pub use error::{Error, Result, at};
pub use file::{GraphFile, ReadTx, WriteTx, create_private_file, create_private_folder};
pub use legacy::RepairReport;
pub use migrate::{FORMAT, MIN_READER, MIN_WRITER, Migrated, copy_database as copy};
pub use recognise::{Recognised, Soundness, look_for_damage, peek, recognise};
pub use state::StateFile;
pub use watch::GraphWatch;
