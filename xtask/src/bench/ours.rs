//! The binary that is measured: built for use, run in a library of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::frontend;
use crate::process::{cargo, run, target};

/// The binary a person named, or the one of this checkout, built now.
pub fn binary(named: Option<PathBuf>) -> Result<PathBuf> {
    if let Some(named) = named {
        return named.canonicalize().with_context(|| format!("there is no `{}`", named.display()));
    }
    frontend::build()?;
    run(&mut cargo(&["build", "--release", "--package", "gm-cli"]))?;
    Ok(target().join("release").join(format!("graph-mem{}", std::env::consts::EXE_SUFFIX)))
}

/// The binary with a home and nothing of the surroundings.
pub fn command(binary: &Path, home: &Path) -> Command {
    let mut command = Command::new(binary);
    command
        .current_dir(home)
        .env("HOME", home)
        .env("GRAPHMEM_HOME", home)
        .env_remove("GRAPHMEM_DB_PATH")
        .env_remove("GRAPHMEM_LOG");
    command
}

pub fn server(binary: &Path, home: &Path) -> Command {
    let mut command = command(binary, home);
    command.arg("server");
    command
}

pub fn version(binary: &Path) -> Result<String> {
    let output = Command::new(binary).arg("--version").output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
