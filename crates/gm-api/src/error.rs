//! A failed command, as the explorer sees it.

use serde::Serialize;
use serde_json::{Value, json};
use ts_rs::TS;

/// Code and message; `details` where a screen has use for them.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct ApiError {
    pub code: String,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "Value::is_null")]
    #[ts(type = "unknown")]
    pub details: Value,
}

impl ApiError {
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), hint: None, details: Value::Null }
    }
}

impl From<gm_engine::Error> for ApiError {
    fn from(error: gm_engine::Error) -> Self {
        let details = match &error {
            gm_engine::Error::Import(report) => json!(report),
            gm_engine::Error::Conflicts(conflicts) | gm_engine::Error::Obstructed(conflicts) => {
                json!(conflicts)
            }
            other if !other.suggestions().is_empty() => json!({ "suggestions": other.suggestions() }),
            _ => Value::Null,
        };
        Self { code: error.code().to_owned(), message: error.to_string(), hint: error.hint(), details }
    }
}

impl From<gm_store::Error> for ApiError {
    fn from(error: gm_store::Error) -> Self {
        gm_engine::Error::from(error).into()
    }
}
