//! `cargo xtask run`.

use std::process::Command;

use anyhow::Result;

use crate::process::{cargo, root, run as start, say, target};
use crate::{frontend, model, packages};

/// Builds the window and the command beside it, and opens the window.
pub fn run(release: bool) -> Result<()> {
    packages::ensure(packages::BUILD)?;
    frontend::build()?;
    let mut arguments = vec!["build", "--package", "graph-mem-desktop", "--package", "gm-cli"];
    if release {
        arguments.push("--release");
    }
    start(&mut cargo(&arguments))?;
    if let Some(models) = model::of_home() {
        model::ensure(&models);
    }
    let folder = target().join(if release { "release" } else { "debug" });
    say("opening the window; agents attach as README.md says");
    start(Command::new(folder.join("graph-mem-desktop")).current_dir(root()))
}
