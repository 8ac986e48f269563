//! Who made a change.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the trial of `graph-mem connect` introduces itself as a client: nobody at work.
pub const TRIAL_CLIENT: &str = "graph-mem connect";

/// The kinds of author the journal tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    /// The person at the window.
    Person,
    /// An agent attached over MCP; has a name.
    Agent,
    /// The command line.
    Cli,
    /// A file that was imported.
    Import,
    /// Automatic upkeep.
    Consolidation,
}

/// An author with, for agents, a name and the client program that spoke for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Actor {
    pub kind: ActorKind,
    /// The agent's name; empty for the other kinds.
    pub name: String,
    /// Client program and version as it introduced itself, such as `inspector 0.14`; may be empty.
    pub client: String,
    /// What it deletes passes by the trash.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deletes_for_good: bool,
}

impl Actor {
    pub fn person() -> Self {
        Self::of_kind(ActorKind::Person)
    }

    pub fn cli() -> Self {
        Self::of_kind(ActorKind::Cli)
    }

    pub fn import() -> Self {
        Self::of_kind(ActorKind::Import)
    }

    pub fn agent(name: impl Into<String>, client: impl Into<String>) -> Self {
        Self { name: name.into(), client: client.into(), ..Self::of_kind(ActorKind::Agent) }
    }

    fn of_kind(kind: ActorKind) -> Self {
        Self { kind, name: String::new(), client: String::new(), deletes_for_good: false }
    }

    /// Reads the journal's form back.
    pub fn from_label(label: &str, client: &str) -> Self {
        let (kind, name) = match label {
            "person" => (ActorKind::Person, ""),
            "cli" => (ActorKind::Cli, ""),
            "import" => (ActorKind::Import, ""),
            "consolidation" => (ActorKind::Consolidation, ""),
            other => (ActorKind::Agent, other.strip_prefix("agent:").unwrap_or(other)),
        };
        Self { name: name.to_owned(), client: client.to_owned(), ..Self::of_kind(kind) }
    }
}

/// The journal's form: `person`, `agent:NAME`, `cli`, `import`, `consolidation`.
impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ActorKind::Person => f.write_str("person"),
            ActorKind::Agent => write!(f, "agent:{}", self.name),
            ActorKind::Cli => f.write_str("cli"),
            ActorKind::Import => f.write_str("import"),
            ActorKind::Consolidation => f.write_str("consolidation"),
        }
    }
}
