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
    let command = command_path().to_string_lossy().into_owned();
    let mut arguments = vec!["server".to_owned(), "--as".to_owned(), name.to_owned()];
    let mut environment = Map::new();
    let usual_home = std::env::home_dir().map(|user| user.join(".graphmem"));
    if usual_home.as_deref() != Some(home) {
        environment.insert("GRAPHMEM_HOME".into(), home.to_string_lossy().into());
    }
    // A client may start the command from any folder, where a project's library could be nearer:
    // the file is named, and with it the library.
    let location = library.location();
    let file = location.default_file.clone().unwrap_or_else(|| location.folder.join(DEFAULT_FILE));
    arguments.extend(["--db".to_owned(), file.to_string_lossy().into_owned()]);
    let mut server = json!({ "command": command, "args": arguments });
    if !environment.is_empty() {
        server["env"] = Value::Object(environment);
    }
    pretty(&json!({ "mcpServers": { "graph-mem": server } }))
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
