//! Who asks: by a token over HTTP, by a name on stdio.

use std::sync::Arc;

use gm_engine::Rights;
use gm_model::{Actor, text};
use rmcp::model::Implementation;

use crate::call::Progress;

/// The name a process was given by `--as`.
#[derive(Debug, Clone)]
pub(crate) struct StdioName {
    pub given: Option<String>,
}

/// Who asks.
#[derive(Clone)]
pub(crate) struct Caller {
    pub actor: Actor,
    /// It came by a token, and may do nothing without.
    pub needs_token: bool,
    pub rights: Option<Rights>,
    pub is_stateless: bool,
    /// This program looks for it, in its name: nothing that it did itself.
    pub is_watching: bool,
    pub progress: Option<Arc<Progress>>,
}

impl Caller {
    /// In its name, for what it wants to be told of.
    pub(crate) fn watching(&self) -> Self {
        // Looked up anew each time: they may be narrowed, and the token may end.
        Self { is_watching: true, rights: None, ..self.clone() }
    }
}

impl StdioName {
    pub(crate) fn caller(&self, client: Option<&Implementation>) -> Caller {
        let name = self
            .given
            .clone()
            .unwrap_or_else(|| text::sanitised_agent_name(client.map_or("", |client| client.name.as_str())));
        Caller {
            actor: Actor::agent(name, label(client)),
            needs_token: false,
            rights: None,
            is_stateless: false,
            is_watching: false,
            progress: None,
        }
    }
}

/// Bounded, printable, and of one line: it comes from outside and goes into the journal.
pub(crate) fn label(client: Option<&Implementation>) -> String {
    let printable = |text: &str| text.chars().filter(|c| !c.is_control()).take(60).collect::<String>();
    client.map_or_else(String::new, |client| {
        format!("{} {}", printable(&client.name), printable(&client.version)).trim().to_owned()
    })
}
