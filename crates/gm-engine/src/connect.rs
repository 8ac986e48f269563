//! Configuration that attaches an agent.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::Library;
use crate::library::DEFAULT_FILE;

/// For a client that speaks Streamable HTTP: the listener's address and the agent's token.
pub fn http_config(url: &str, token: &str) -> String {
    pretty(&json!({
        "mcpServers": {
            "graph-mem": { "type": "http", "url": url, "headers": { "Authorization": format!("Bearer {token}") } }
        }
    }))
}

/// For a client that starts its own process: our command, under the agent's name, on this
/// library wherever the client is started.
pub fn stdio_config(name: &str, library: &Library, home: &Path) -> String {
    let StdioServer { command, arguments, environment } = stdio_server(name, library, home);
    let mut server = json!({ "command": command, "args": arguments });
    if !environment.is_empty() {
        let environment: Map<String, Value> =
            environment.into_iter().map(|(name, value)| (name, value.into())).collect();
        server["env"] = environment.into();
    }
    pretty(&json!({ "mcpServers": { "graph-mem": server } }))
}

/// A process of a client's own: what it starts, and with which variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StdioServer {
    pub command: String,
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
}

/// Our command under an agent's name, on this library wherever the client is started.
pub fn stdio_server(name: &str, library: &Library, home: &Path) -> StdioServer {
    let command = command_path().to_string_lossy().into_owned();
    let mut arguments = vec!["server".to_owned(), "--as".to_owned(), name.to_owned()];
    let mut environment = Vec::new();
    let usual_home = std::env::home_dir().map(|user| user.join(".graphmem"));
    if usual_home.as_deref() != Some(home) {
        environment.push(("GRAPHMEM_HOME".to_owned(), home.to_string_lossy().into_owned()));
    }
    // A client may start the command from any folder, where a project's library could be nearer:
    // the file is named, and with it the library.
    let location = library.location();
    let file = location.default_file.clone().unwrap_or_else(|| location.folder.join(DEFAULT_FILE));
    arguments.extend(["--db".to_owned(), file.to_string_lossy().into_owned()]);
    StdioServer { command, arguments, environment }
}

/// The `graph-mem` command: beside this program if it is there, else whatever the search path has.
fn command_path() -> PathBuf {
    let file = format!("graph-mem{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().map(|program| program.with_file_name(&file));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(file))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("a configuration is plain data")
}
