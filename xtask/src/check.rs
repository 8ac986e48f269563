//! `cargo xtask check`: what need not run to be wrong.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::process::{cargo, npm, root, run};
use crate::{frontend, packages};

pub fn check() -> Result<()> {
    packages::ensure(packages::BUILD)?;
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    frontend::build()?;
    run(&mut npm(&["run", "--silent", "lint"]))?;
    let current = frontend::generated()? == frontend::committed()?;
    ensure!(current, "the explorer's types are out of date: run `cargo xtask codegen`");
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]))?;
    unused_dependencies()
}

/// A dependency whose name stands nowhere in its crate's sources is not used.
fn unused_dependencies() -> Result<()> {
    let mut crates: Vec<PathBuf> =
        fs::read_dir(root().join("crates"))?.flatten().map(|entry| entry.path()).collect();
    crates.extend(["src-tauri", "xtask"].map(|name| root().join(name)));
    let mut unused = Vec::new();
    for folder in crates {
        let manifest = fs::read_to_string(folder.join("Cargo.toml"))?;
        let wanted = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let wanted = wanted.split("\n[").next().unwrap_or_default();
        let sources = sources_below(&folder.join("src"))?;
        for name in wanted.lines().filter_map(|line| line.split_once(".workspace")).map(|(name, _)| name) {
            if !sources.contains(&name.replace('-', "_")) {
                unused.push(format!("{} in {}", name, folder.display()));
            }
        }
    }
    ensure!(unused.is_empty(), "unused dependencies: {}", unused.join(", "));
    Ok(())
}

fn sources_below(folder: &Path) -> Result<String> {
    let mut text = String::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            text.push_str(&sources_below(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            text.push_str(&fs::read_to_string(&path)?);
        }
    }
    Ok(text)
}
