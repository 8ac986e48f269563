//! MCP tools on the engine.
//!
//! A tool is one [`ToolSpec`](spec::ToolSpec): its name, fields, result schema and a function on
//! the engine. The fields are the single source of the JSON schema and of the check that every
//! call's arguments pass before the function sees them. To add a tool: a module under `tools`
//! and a line in `tools::ALL`.

mod answer;
mod arguments;
mod attendance;
mod call;
mod caller;
mod completion;
mod dashboard;
mod failure;
mod news;
mod prompts;
mod reply;
mod resources;
mod screen;
mod server;
mod spec;
mod stdio;
mod tools;

pub use dashboard::{Dashboard, ShowDashboard, Shown};
pub use screen::{Checked, screen};
pub use server::{GraphMemServer, HttpCaller};
pub use stdio::serve_stdio;
pub use tools::ToolSet;

/// The tool list as agents get it: names, schemas, annotations.
pub fn tool_list() -> serde_json::Value {
    serde_json::to_value(server::tools(ToolSet::ALL)).expect("tool descriptions are plain data")
}
