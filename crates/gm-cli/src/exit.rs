//! What the exit status tells a script.

use std::process::ExitCode;

/// Printed after `--help` and in the manual page.
pub const HELP: &str = "\
Exit status:
  0  done
  1  failed, or `validate` found something; a message says what
  2  used wrongly: an argument or a setting has no meaning
  3  busy: another process holds what this one needs; try again
  4  not found: no such graph, entity, change, agent or file";

pub const FAILED: u8 = 1;
pub const USED_WRONGLY: u8 = 2;
pub const BUSY: u8 = 3;
pub const NOT_FOUND: u8 = 4;

/// The status of a failure, from the code its error carries.
pub fn of(error: &anyhow::Error) -> ExitCode {
    if let Some(failure) = error.downcast_ref::<Failure>() {
        return ExitCode::from(failure.status);
    }
    let engine = error.downcast_ref::<gm_engine::Error>().map(gm_engine::Error::code);
    let store = error.downcast_ref::<gm_store::Error>().map(gm_store::Error::code);
    ExitCode::from(match engine.or(store) {
        Some("invalid_argument" | "ambiguous") => USED_WRONGLY,
        Some("busy" | "in_use") => BUSY,
        Some("not_found") => NOT_FOUND,
        _ => FAILED,
    })
}

/// A failure of the command line itself.
#[derive(Debug)]
pub struct Failure {
    status: u8,
    message: String,
}

impl Failure {
    /// Something did not come about; the message says what.
    pub fn failed(message: impl Into<String>) -> Self {
        Self { status: FAILED, message: message.into() }
    }

    /// Arguments or settings that mean nothing.
    pub fn used_wrongly(message: impl Into<String>) -> Self {
        Self { status: USED_WRONGLY, message: message.into() }
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self { status: NOT_FOUND, message: message.into() }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
