//! The clients: where each keeps its servers and its instructions, in which shape, and which page of its
//! vendor says so.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::surroundings::{Surroundings, System};

/// For one user everywhere, or for one project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    User,
    Project,
}

/// How a client is to reach us.
#[derive(Debug, Clone, PartialEq)]
pub enum Server {
    /// It starts a process of its own.
    Stdio { command: String, arguments: Vec<String>, environment: Vec<(String, String)> },
    /// It calls the listener, with the agent's token.
    Http { url: String, token: String },
}

/// In which form a client writes its servers down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// JSON, comments kept: the keys under which servers stand.
    Json(&'static [&'static str]),
    /// TOML, the table under which servers stand.
    Toml(&'static str),
}

/// An MCP client.
pub struct Client {
    /// What commands call it, and the name of its agent.
    pub id: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// The vendor's page that says where servers stand and in which shape.
    pub source: &'static str,
    /// What its user should know.
    pub remark: &'static str,
    pub(crate) form: Form,
    pub(crate) shape: fn(&Server) -> Option<Value>,
    pub(crate) file: fn(&Surroundings, Scope) -> Option<PathBuf>,
    pub(crate) programs: &'static [&'static str],
    pub(crate) folders: fn(&Surroundings) -> Vec<PathBuf>,
}

impl Client {
    /// Whether there are signs of it on this machine.
    pub fn is_installed(&self, around: &Surroundings) -> bool {
        self.programs.iter().any(|program| around.has_program(program))
            || (self.folders)(around).iter().any(|folder| folder.is_dir())
    }

    /// The file in which its servers stand; `None` where the vendor documents none.
    pub fn file(&self, around: &Surroundings, scope: Scope) -> Option<PathBuf> {
        (self.file)(around, scope)
    }

    /// Whether it can reach a server in this way, as far as its vendor documents it.
    pub fn can(&self, server: &Server) -> bool {
        (self.shape)(server).is_some()
    }
}

pub fn by_id(id: &str) -> Option<&'static Client> {
    ALL.iter().find(|client| client.id.eq_ignore_ascii_case(id))
}

/// The same path below the home folder and below a project.
macro_rules! same_path {
    ($path:literal) => {
        |around: &Surroundings, scope: Scope| {
            Some(match scope {
                Scope::User => around.home.join($path),
                Scope::Project => around.project.join($path),
            })
        }
    };
}

const MCP_SERVERS: Form = Form::Json(&["mcpServers"]);

/// In the order in which people are likely to have them.
pub static ALL: &[Client] = &[
    Client {
        id: "claude-code",
        name: "Claude Code",
        source: "https://code.claude.com/docs/en/mcp",
        remark: "a server of a project must be approved there once",
        form: MCP_SERVERS,
        shape: |server| Some(typed(server, "stdio", "http", "url")),
        file: |around, scope| match scope {
            Scope::User => Some(around.home.join(".claude.json")),
            Scope::Project => Some(around.project.join(".mcp.json")),
        },
        programs: &["claude"],
        folders: |around| vec![around.home.join(".claude")],
    },
    Client {
        id: "claude-desktop",
        name: "Claude Desktop",
        source: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
        remark: "restart it afterwards; its file knows only servers that it starts itself",
        form: MCP_SERVERS,
        shape: |server| match server {
            Server::Stdio { .. } => Some(plain(server, "url")),
            Server::Http { .. } => None,
        },
        file: |around, scope| match (scope, around.system) {
            (Scope::User, System::Mac) => {
                Some(around.home.join("Library/Application Support/Claude/claude_desktop_config.json"))
            }
            (Scope::User, System::Windows) => Some(around.app_data.join("Claude/claude_desktop_config.json")),
            // The vendor documents no place on other systems.
            _ => None,
        },
        programs: &[],
        folders: |around| match around.system {
            System::Mac => vec![around.home.join("Library/Application Support/Claude")],
            System::Windows => vec![around.app_data.join("Claude")],
            System::Linux => vec![],
        },
    },
    Client {
        id: "codex",
        name: "Codex CLI",
        source: "https://developers.openai.com/codex/mcp",
        remark: "a project's file counts only in projects that are trusted",
        form: Form::Toml("mcp_servers"),
        shape: |server| {
            Some(match server {
                Server::Stdio { .. } => plain(server, "url"),
                Server::Http { url, token } => {
                    json!({ "url": url, "http_headers": { "Authorization": bearer(token) } })
                }
            })
        },
        file: |around, scope| match scope {
            Scope::User => Some(around.codex.join("config.toml")),
            Scope::Project => Some(around.project.join(".codex/config.toml")),
        },
        programs: &["codex"],
        folders: |around| vec![around.codex.clone()],
    },
    Client {
        id: "cursor",
        name: "Cursor",
        source: "https://cursor.com/docs/mcp",
        remark: "",
        form: MCP_SERVERS,
        shape: |server| {
            Some(match server {
                Server::Stdio { .. } => typed(server, "stdio", "", "url"),
                Server::Http { .. } => plain(server, "url"),
            })
        },
        file: same_path!(".cursor/mcp.json"),
        programs: &["cursor"],
        folders: |around| vec![around.home.join(".cursor")],
    },
    Client {
        id: "windsurf",
        name: "Windsurf",
        source: "https://docs.windsurf.com/windsurf/cascade/mcp",
        remark: "this is the file of Cascade; other agents of the editor have one of their own",
        form: MCP_SERVERS,
        shape: |server| Some(plain(server, "serverUrl")),
        file: |around, scope| match scope {
            Scope::User => Some(around.home.join(".codeium/windsurf/mcp_config.json")),
            Scope::Project => None,
        },
        programs: &["windsurf"],
        folders: |around| vec![around.home.join(".codeium/windsurf")],
    },
    Client {
        id: "vscode",
        name: "VS Code with Copilot",
        source: "https://code.visualstudio.com/docs/agents/reference/mcp-configuration",
        remark: "the user's file is that of the default profile",
        form: Form::Json(&["servers"]),
        shape: |server| Some(typed(server, "stdio", "http", "url")),
        file: |around, scope| match scope {
            Scope::User => Some(around.code_user().join("mcp.json")),
            Scope::Project => Some(around.project.join(".vscode/mcp.json")),
        },
        programs: &["code"],
        folders: |around| vec![around.code_user()],
    },
    Client {
        id: "gemini",
        name: "Gemini CLI",
        source: "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md",
        remark: "",
        form: MCP_SERVERS,
        shape: |server| Some(plain(server, "httpUrl")),
        file: same_path!(".gemini/settings.json"),
        programs: &["gemini"],
        folders: |around| vec![around.home.join(".gemini")],
    },
    Client {
        id: "opencode",
        name: "OpenCode",
        source: "https://opencode.ai/docs/mcp-servers",
        remark: "",
        form: Form::Json(&["mcp"]),
        shape: |server| {
            Some(match server {
                Server::Stdio { command, arguments, environment } => {
                    let whole: Vec<&String> = std::iter::once(command).chain(arguments).collect();
                    let mut entry = json!({ "type": "local", "command": whole, "enabled": true });
                    if !environment.is_empty() {
                        entry["environment"] = environment_of(environment);
                    }
                    entry
                }
                // Without the last, it would begin an OAuth round.
                Server::Http { url, token } => json!({
                    "type": "remote", "url": url, "headers": { "Authorization": bearer(token) }, "enabled": true,
                    "oauth": false,
                }),
            })
        },
        file: |around, scope| {
            let folder = match scope {
                Scope::User => around.config.join("opencode"),
                Scope::Project => around.project.clone(),
            };
            Some(either(folder.join("opencode.jsonc"), folder.join("opencode.json")))
        },
        programs: &["opencode"],
        folders: |around| vec![around.config.join("opencode")],
    },
    Client {
        id: "zed",
        name: "Zed",
        source: "https://zed.dev/docs/ai/mcp",
        remark: "",
        form: Form::Json(&["context_servers"]),
        shape: |server| Some(plain(server, "url")),
        file: |around, scope| match (scope, around.system) {
            (Scope::User, System::Windows) => Some(around.app_data.join("Zed/settings.json")),
            (Scope::User, System::Mac) => Some(around.home.join(".config/zed/settings.json")),
            (Scope::User, System::Linux) => Some(around.config.join("zed/settings.json")),
            (Scope::Project, _) => None,
        },
        programs: &["zed", "zeditor"],
        folders: |around| match around.system {
            System::Windows => vec![around.app_data.join("Zed")],
            System::Mac => vec![around.home.join(".config/zed")],
            System::Linux => vec![around.config.join("zed")],
        },
    },
    Client {
        id: "continue",
        name: "Continue",
        source: "https://docs.continue.dev/customize/deep-dives/mcp",
        remark: "servers are used in agent mode",
        form: MCP_SERVERS,
        shape: |server| match server {
            Server::Stdio { .. } => Some(plain(server, "url")),
            // Headers have another place in its own format, which such a file does not have.
            Server::Http { .. } => None,
        },
        // A file of the common shape is documented for projects alone; the user's own is YAML.
        file: |around, scope| match scope {
            Scope::User => None,
            Scope::Project => Some(around.project.join(".continue/mcpServers/graph-mem.json")),
        },
        programs: &["cn"],
        folders: |around| vec![around.home.join(".continue")],
    },
    Client {
        id: "roo",
        name: "Roo Code",
        source: "https://docs.roocode.com/features/mcp/using-mcp-in-roo",
        remark: "its user file has no documented place; the project's has",
        form: MCP_SERVERS,
        shape: |server| {
            Some(match server {
                Server::Stdio { .. } => plain(server, "url"),
                Server::Http { .. } => typed(server, "", "streamable-http", "url"),
            })
        },
        file: |around, scope| match scope {
            Scope::User => None,
            Scope::Project => Some(around.project.join(".roo/mcp.json")),
        },
        programs: &[],
        folders: |around| vec![around.home.join(".roo"), around.project.join(".roo")],
    },
    Client {
        id: "kiro",
        name: "Kiro",
        source: "https://kiro.dev/docs/mcp/configuration",
        remark: "",
        form: MCP_SERVERS,
        shape: |server| Some(plain(server, "url")),
        file: same_path!(".kiro/settings/mcp.json"),
        programs: &["kiro-cli"],
        folders: |around| vec![around.home.join(".kiro")],
    },
    Client {
        id: "amp",
        name: "Amp",
        source: "https://ampcode.com/manual",
        remark: "a server of a project must be let in with `amp mcp approve graph-mem`",
        form: Form::Json(&["amp.mcpServers"]),
        shape: |server| Some(plain(server, "url")),
        file: |around, scope| {
            let folder = match scope {
                Scope::User => around.home.join(".config/amp"),
                Scope::Project => around.project.join(".amp"),
            };
            Some(either(folder.join("settings.jsonc"), folder.join("settings.json")))
        },
        programs: &["amp"],
        folders: |around| vec![around.home.join(".config/amp")],
    },
    Client {
        id: "droid",
        name: "Droid",
        source: "https://docs.factory.ai/cli/configuration/mcp",
        remark: "",
        form: MCP_SERVERS,
        shape: |server| Some(typed(server, "stdio", "http", "url")),
        file: same_path!(".factory/mcp.json"),
        programs: &["droid"],
        folders: |around| vec![around.home.join(".factory")],
    },
];

/// The first if it is there, else the second.
fn either(first: PathBuf, second: PathBuf) -> PathBuf {
    if first.is_file() { first } else { second }
}

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

fn environment_of(environment: &[(String, String)]) -> Value {
    environment
        .iter()
        .map(|(name, value)| (name.clone(), Value::from(value.clone())))
        .collect::<Map<_, _>>()
        .into()
}

/// The common shape, with the address under this name.
fn plain(server: &Server, address: &str) -> Value {
    match server {
        Server::Stdio { command, arguments, environment } => {
            let mut entry = json!({ "command": command, "args": arguments });
            if !environment.is_empty() {
                entry["env"] = environment_of(environment);
            }
            entry
        }
        Server::Http { url, token } => json!({ address: url, "headers": { "Authorization": bearer(token) } }),
    }
}

/// The same with its kind said first; empty says none.
fn typed(server: &Server, stdio: &str, http: &str, address: &str) -> Value {
    let kind = match server {
        Server::Stdio { .. } => stdio,
        Server::Http { .. } => http,
    };
    let mut entry = Map::new();
    if !kind.is_empty() {
        entry.insert("type".into(), kind.into());
    }
    if let Value::Object(rest) = plain(server, address) {
        entry.extend(rest);
    }
    entry.into()
}
