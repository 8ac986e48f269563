//! Failures of a verb, as values with codes.

use std::borrow::Cow;

use gm_model::Invalid;

use crate::import::ImportReport;
use crate::undo::Conflict;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(transparent)]
    Invalid(#[from] Invalid),
    #[error("`{field}` {problem}")]
    Argument { field: String, problem: String, suggestions: Vec<String> },
    /// A name that is not in the graph. Names the caller sent may be told back.
    #[error("no {what} `{}` in this graph", told(name))]
    NotFound { what: &'static str, name: String, suggestions: Vec<String> },
    #[error("`{name}` is the name of several entities, of types {}; say which", types.join(", "))]
    Ambiguous { name: String, types: Vec<String> },
    #[error("`{field}` would equal that of the {what} `{other}`")]
    Collision { what: &'static str, field: &'static str, other: String },
    #[error("graph `{stored}` exists already")]
    GraphExists { stored: String },
    #[error("graph `{graph}` is open elsewhere: {}", holders.join(", "))]
    GraphInUse { graph: String, holders: Vec<String> },
    #[error("no graph `{}` in this library", told(name))]
    NoSuchGraph { name: String, known: Vec<String> },
    /// Whoever asked wants it no more; nothing was changed.
    #[error("cancelled; nothing was changed")]
    Cancelled,
    #[error("nothing to {0}")]
    NothingTo(&'static str),
    #[error("{} of the changes cannot be taken back: others built on them since", .0.len())]
    Conflicts(Vec<Conflict>),
    #[error("{} of the things cannot be brought back: {}", .0.len(), .0.first().map_or("", |conflict| conflict.reason))]
    Obstructed(Vec<Conflict>),
    #[error("transaction `{0}` cannot be taken back: what it changed was purged")]
    Purged(gm_model::TransactionId),
    #[error("nothing was imported: {} problem(s) in the file", .0.problem_count)]
    Import(Box<ImportReport>),
    #[error("the file cannot be imported: {0}")]
    ImportFormat(String),
    #[error(transparent)]
    Store(#[from] gm_store::Error),
    /// The embedding model cannot do what was asked.
    #[error("{reason}")]
    Model { code: &'static str, reason: String },
    #[error("the file exists already: `{}`", file.display())]
    FileExists { file: std::path::PathBuf },
    #[error("cannot {what} the file: {cause}")]
    File { what: &'static str, cause: std::io::Error },
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Characters of a name that are told back: no message grows with what was sent.
const MAX_TOLD_CHARS: usize = 120;

/// What was sent as a name, cut to what an error tells back.
pub fn told(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(MAX_TOLD_CHARS) {
        Some((at, _)) => Cow::Owned(format!("{}…", &name[..at])),
        None => Cow::Borrowed(name),
    }
}

impl Error {
    pub fn argument(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Argument { field: field.into(), problem: problem.into(), suggestions: Vec::new() }
    }

    /// A stable word on which a program can act.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) | Self::Argument { .. } => "invalid_argument",
            Self::NotFound { .. } | Self::NoSuchGraph { .. } => "not_found",
            Self::File { cause, .. } if cause.kind() == std::io::ErrorKind::NotFound => "not_found",
            Self::Ambiguous { .. } => "ambiguous",
            Self::Collision { .. } | Self::GraphExists { .. } | Self::FileExists { .. } => "already_exists",
            Self::GraphInUse { .. } => "in_use",
            Self::NothingTo(_) => "nothing_to_do",
            Self::Cancelled => "cancelled",
            Self::Conflicts(_) | Self::Obstructed(_) => "conflict",
            Self::Purged(_) => "purged",
            Self::Import(_) | Self::ImportFormat(_) => "invalid_file",
            Self::Model { code, .. } => code,
            Self::Store(error) => error.code(),
            Self::File { .. } => "io",
        }
    }

    /// Names close to one that was not found.
    pub fn suggestions(&self) -> &[String] {
        match self {
            Self::NotFound { suggestions, .. } | Self::Argument { suggestions, .. } => suggestions,
            Self::NoSuchGraph { known, .. } => known,
            Self::Ambiguous { types, .. } => types,
            _ => &[],
        }
    }

    /// What to do about it, where that is not plain from the message.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Store(gm_store::Error::Busy { .. }) => "Try again; if it stays, look which process writes".into(),
            Self::Store(gm_store::Error::TooNew { .. }) => "Update graph-mem".into(),
            Self::Store(gm_store::Error::Damaged { .. }) => {
                "It was left as it is. Set it aside with `graph-mem graphs --set-aside NAME`, then put a copy from the library's `backups` folder in its place, or salvage it with `sqlite3 FILE .recover`".into()
            }
            Self::Store(gm_store::Error::Replaced { .. }) => "Open the graph again".into(),
            Self::Store(gm_store::Error::ReadOnly { .. }) => "Make the file and its folder writable".into(),
            Self::Conflicts(_) => "The rest is taken back with `--partial`; `graph-mem log --entity` tells what came since".into(),
            Self::Obstructed(_) => "Rename what stands in its place, or bring back what it hung on first".into(),
            Self::FileExists { .. } => "Choose another name, or replace it with `--force`".into(),
            Self::Import(_) => "Correct the listed records, or import the rest with `--skip-invalid`".into(),
            _ => return None,
        })
    }
}
