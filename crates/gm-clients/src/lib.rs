//! Other programs' files: where MCP clients keep their servers and their instructions, and changing those
//! files so that nothing else in them is touched and everything can be taken back.
//!
//! [`Client`] says where each client keeps what, with the vendor's page that says so; none is guessed. A
//! [`Plan`] shows a change before it is made; applying it keeps a copy of the file, and [`undo`] gives
//! that back byte for byte.

mod client;
mod edit;
mod instructions;
mod plan;
mod section;
mod surroundings;
mod trial;

pub use client::{ALL, Client, Scope, Server, by_id};
pub use edit::EditError;
pub use instructions::{Domain, Guide, guide_of};
pub use plan::{Applied, Plan, PlanError, Undone, connect, install, undo, uninstall};
pub use surroundings::{Surroundings, System};
pub use trial::{Tried, try_out};

/// Under which name clients know us.
pub const NAME: &str = "graph-mem";
