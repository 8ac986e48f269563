//! What an explorer can ask and what it is told: one list of commands with typed requests and
//! answers, one enum of events, and the TypeScript made from both.
//!
//! [`App`] is the state behind them. The desktop window and the HTTP listener share one `App` and
//! call [`App::call`]; nothing here knows how the bytes travel. To add a command: its request and
//! answer in `wire`, its handler in `commands`, one line in the list there, then
//! `cargo xtask codegen`.

mod agents;
mod app;
mod clients;
mod codegen;
mod commands;
mod error;
mod layout;
mod models;
mod picture;
mod relationships;
mod scene_bytes;
mod search;
pub mod wire;

pub use app::{App, Caller, EventSink};
pub use codegen::typescript;
pub use commands::Reply;
pub use error::ApiError;
pub use picture::drawn;
