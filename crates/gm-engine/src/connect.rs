//! Configuration that attaches an agent.

use std::path::PathBuf;

use serde_json::json;

/// For a client that speaks Streamable HTTP: the listener's address and the agent's token.
pub fn http_config(url: &str, token: &str) -> String {
    pretty(&json!({
        "mcpServers": {
            "graph-mem": { "type": "http", "url": url, "headers": { "Authorization": format!("Bearer {token}") } }
        }
    }))
}

/// For a client that starts its own process: our command, under the agent's name.
pub fn stdio_config(name: &str) -> String {
    let command = command_path().to_string_lossy().into_owned();
    pretty(&json!({
        "mcpServers": { "graph-mem": { "command": command, "args": ["server", "--as", name] } }
    }))
}

/// The `graph-mem` command: beside this program if it is there, else whatever the search path has.
fn command_path() -> PathBuf {
    let file = format!("graph-mem{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().map(|program| program.with_file_name(&file));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(file))
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).expect("a configuration is plain data")
}
