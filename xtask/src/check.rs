//! `cargo xtask check`: what need not run to be wrong.

use anyhow::{Result, ensure};

use crate::process::{cargo, exists, npm, run, say};
use crate::{frontend, packages};

pub fn check() -> Result<()> {
    packages::ensure(packages::BUILD)?;
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    frontend::build()?;
    run(&mut npm(&["run", "--silent", "lint"]))?;
    let current = frontend::generated()? == frontend::committed()?;
    ensure!(current, "the explorer's types are out of date: run `cargo xtask codegen`");
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]))?;
    if exists("cargo-machete") {
        run(&mut cargo(&["machete"]))?;
    } else {
        say("cargo-machete is not installed: unused dependencies were not looked for");
    }
    Ok(())
}
