//! The loopback HTTP listener of the desktop app, of `graph-mem ui` and of
//! `graph-mem server --transport http`.
//!
//! Loopback is not a boundary: any web page the user visits can reach it. So every request passes
//! the [`guard`]: a Host allow-list, an Origin allow-list, and, for everything but the static
//! pages, a token in a header. Agents' tokens open `/mcp` alone; a browser's token, got for a
//! single-use code, opens `/api` and `/ws` alone.

mod api;
mod body;
mod dashboard;
mod guard;
mod limits;
mod listener;
mod mcp;
mod pages;
mod reply;
mod sessions;
mod ws;

pub use dashboard::{ProcessDashboard, has_screen};
pub use listener::{Endpoint, Host, HostError, HostOptions, PortChoice};
