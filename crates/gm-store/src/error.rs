//! What can go wrong below the engine.

use std::path::PathBuf;

/// A storage failure. Messages carry ids and file names, never memory text or SQL.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("another process held the graph's write lock for more than {seconds} s")]
    Busy { seconds: u64 },
    #[error("{} is not a graph: {reason}", told(path))]
    NotAGraph { path: PathBuf, reason: String },
    #[error("{} is damaged", told(path))]
    Damaged { path: PathBuf },
    #[error("{} needs graph-mem format {needed}; this program knows up to {known}", told(path))]
    TooNew { path: PathBuf, needed: u32, known: u32 },
    #[error("{} was replaced or deleted while it was open; nothing was written", told(path))]
    Replaced { path: PathBuf },
    #[error("{} or its folder cannot be written", told(path))]
    ReadOnly { path: PathBuf },
    #[error("{} does not exist", told(path))]
    Missing { path: PathBuf },
    #[error("the disk is full")]
    DiskFull,
    #[error("a uniqueness rule of the graph would be broken")]
    Conflict,
    #[error("file error on {path}: {cause}", path = .path.display())]
    Io { path: PathBuf, cause: std::io::Error },
    #[error("stored data of {kind} {id} cannot be read")]
    Corrupt { kind: &'static str, id: String },
    #[error("storage error (SQLite code {code})")]
    Sqlite { code: i32, source: rusqlite::Error },
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// How long a writer waits for another process before it answers `busy`.
pub(crate) const BUSY_SECONDS: u64 = 30;

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |cause| Self::Io { path, cause }
    }

    /// Whether this says that the place cannot be written to, rather than that something is wrong
    /// with what stands there.
    pub fn forbids_writing(&self) -> bool {
        matches!(self, Self::ReadOnly { .. } | Self::DiskFull)
    }

    /// A stable word a program can act on.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Busy { .. } => "busy",
            Self::NotAGraph { .. } => "not_a_graph",
            Self::Damaged { .. } | Self::Corrupt { .. } => "damaged",
            Self::TooNew { .. } => "too_new",
            Self::Replaced { .. } => "replaced",
            Self::ReadOnly { .. } => "read_only",
            Self::Missing { .. } => "not_found",
            Self::DiskFull => "disk_full",
            Self::Conflict => "conflict",
            Self::Io { .. } => "io",
            Self::Sqlite { .. } => "storage",
        }
    }
}

/// A file as agents may know it: by its own name, without the folders above it.
fn told(path: &std::path::Path) -> String {
    match path.file_name() {
        Some(name) => format!("the file `{}`", name.to_string_lossy()),
        None => "the file".to_owned(),
    }
}

impl From<rusqlite::Error> for Error {
    fn from(source: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let Some(code) = source.sqlite_error_code() else {
            // A value of another kind than its column's was not written by any program of ours. It does
            // not lie in the text index, so that making that anew, as for damaged pages, is no help.
            if matches!(
                source,
                rusqlite::Error::FromSqlConversionFailure(..)
                    | rusqlite::Error::InvalidColumnType(..)
                    | rusqlite::Error::IntegralValueOutOfRange(..)
                    | rusqlite::Error::Utf8Error(..)
            ) {
                return Self::Corrupt { kind: "a column", id: String::new() };
            }
            return Self::Sqlite { code: 0, source };
        };
        match code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Self::Busy { seconds: BUSY_SECONDS },
            ErrorCode::NotADatabase => {
                Self::NotAGraph { path: PathBuf::new(), reason: "it is not an SQLite database".into() }
            }
            ErrorCode::DatabaseCorrupt => Self::Damaged { path: PathBuf::new() },
            ErrorCode::DiskFull => Self::DiskFull,
            // The index of a log could not be given its size.
            ErrorCode::SystemIoFailure
                if source
                    .sqlite_error()
                    .is_some_and(|e| e.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE) =>
            {
                Self::DiskFull
            }
            // A log or its index that cannot be made beside the file is `CannotOpen`.
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen => {
                Self::ReadOnly { path: PathBuf::new() }
            }
            ErrorCode::ConstraintViolation => Self::Conflict,
            _ => {
                let code = source.sqlite_error().map_or(0, |e| e.extended_code);
                Self::Sqlite { code, source }
            }
        }
    }
}

/// Puts the file's name into errors that SQLite reports without one.
pub fn at(path: &std::path::Path) -> impl Fn(Error) -> Error + '_ {
    move |error| match error {
        Error::NotAGraph { reason, path: p } if p.as_os_str().is_empty() => {
            Error::NotAGraph { path: path.into(), reason }
        }
        Error::Damaged { path: p } if p.as_os_str().is_empty() => Error::Damaged { path: path.into() },
        Error::ReadOnly { path: p } if p.as_os_str().is_empty() => Error::ReadOnly { path: path.into() },
        other => other,
    }
}
