//! A tool's failure as agents see it: what, why, and what to do differently. No SQL, no paths, no
//! memory text beyond the names the caller sent.

use serde_json::{Value, json};

/// Characters of a message: none grows with what was sent, whoever wrote it.
const MAX_MESSAGE_CHARS: usize = 1_000;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failure {
    pub error_type: String,
    pub message: String,
    pub details: Value,
    pub suggestions: Vec<String>,
}

impl Failure {
    pub(crate) fn new(error_type: &str, message: impl Into<String>) -> Self {
        Self {
            error_type: error_type.into(),
            message: message.into(),
            details: json!({}),
            suggestions: Vec::new(),
        }
    }

    /// An argument that cannot be taken: its path, and what was expected.
    pub(crate) fn argument(path: &str, expected: impl AsRef<str>) -> Self {
        let mut failure = Self::new("invalid_argument", format!("`{path}` {}", expected.as_ref()));
        failure.details = json!({ "field": path });
        failure
    }

    pub(crate) fn to_json(&self) -> Value {
        let message = match self.message.char_indices().nth(MAX_MESSAGE_CHARS) {
            Some((at, _)) => format!("{}…", &self.message[..at]),
            None => self.message.clone(),
        };
        json!({
            "error": true,
            "error_type": self.error_type,
            "message": message,
            "details": self.details,
            "suggestions": self.suggestions,
        })
    }
}

impl From<gm_engine::Error> for Failure {
    fn from(error: gm_engine::Error) -> Self {
        let mut message = error.to_string();
        if let Some(hint) = error.hint() {
            message = format!("{message}. {hint}");
        }
        // Storage messages name files; agents get the code and the hint alone.
        if let gm_engine::Error::File { what, .. } = &error {
            message = format!("cannot {what} a file of the library");
        }
        if let gm_engine::Error::Store(gm_store::Error::Io { .. }) = &error {
            message = "a file of the library cannot be used".into();
        }
        let details = match &error {
            gm_engine::Error::Invalid(invalid) => json!({ "field": invalid.field }),
            gm_engine::Error::Argument { field, .. } => json!({ "field": field }),
            gm_engine::Error::NotFound { name, .. } => json!({ "name": gm_engine::error::told(name) }),
            gm_engine::Error::Ambiguous { name, types } => json!({ "name": name, "entity_types": types }),
            _ => json!({}),
        };
        Self {
            error_type: error.code().to_owned(),
            message,
            details,
            suggestions: error.suggestions().to_vec(),
        }
    }
}
