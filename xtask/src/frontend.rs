//! The explorer's pages: dependencies, build, generated types. Each step leaves a stamp of what it
//! worked on and is passed over while that is unchanged.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::{cargo, npm, root, run, say, target};

const GENERATED: &str = "ui/src/ipc/generated/wire.ts";

/// Installs the explorer's dependencies as locked.
pub fn dependencies() -> Result<()> {
    let ui = root().join("ui");
    let inputs = [ui.join("package.json"), ui.join("package-lock.json")];
    if ui.join("node_modules").is_dir() && stamp_is_current("npm", &inputs)? {
        return Ok(());
    }
    run(&mut npm(&["ci", "--no-audit", "--no-fund"]))?;
    set_stamp("npm", &inputs)
}

/// Builds the pages into `ui/dist`.
pub fn build() -> Result<()> {
    dependencies()?;
    let ui = root().join("ui");
    let mut inputs = files_below(&ui.join("src"))?;
    inputs.extend(files_below(&ui.join("public"))?);
    inputs.extend(
        ["index.html", "package-lock.json", "tsconfig.json", "vite.config.ts", "vite.standalone.config.ts"]
            .map(|file| ui.join(file)),
    );
    if ["dist/index.html", "dist-standalone/picture.js"].iter().all(|file| ui.join(file).is_file())
        && stamp_is_current("pages", &inputs)?
    {
        return Ok(());
    }
    run(&mut npm(&["run", "--silent", "build"]))?;
    set_stamp("pages", &inputs)
}

/// Stores the types made from the command list, if they changed.
pub fn codegen() -> Result<()> {
    let made = generated()?;
    let path = root().join(GENERATED);
    if fs::read_to_string(&path).unwrap_or_default() != made {
        fs::write(&path, made)?;
        say(&format!("wrote {GENERATED}"));
    }
    Ok(())
}

/// The types as they should be now.
pub fn generated() -> Result<String> {
    let output = cargo(&["run", "--quiet", "--package", "gm-api", "--example", "typescript"])
        .stderr(std::process::Stdio::inherit())
        .output()?;
    anyhow::ensure!(output.status.success(), "the types could not be made");
    Ok(String::from_utf8(output.stdout)?)
}

pub fn committed() -> Result<String> {
    Ok(fs::read_to_string(root().join(GENERATED))?)
}

fn stamp_path(name: &str) -> PathBuf {
    target().join("xtask").join(name)
}

fn stamp_is_current(name: &str, inputs: &[PathBuf]) -> Result<bool> {
    let stamp = fs::read_to_string(stamp_path(name)).unwrap_or_default();
    Ok(stamp == fingerprint(inputs)?)
}

fn set_stamp(name: &str, inputs: &[PathBuf]) -> Result<()> {
    let path = stamp_path(name);
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    Ok(fs::write(path, fingerprint(inputs)?)?)
}

fn fingerprint(inputs: &[PathBuf]) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    let mut inputs: Vec<&PathBuf> = inputs.iter().collect();
    inputs.sort();
    for input in inputs {
        input.hash(&mut hasher);
        fs::read(input).with_context(|| format!("{} cannot be read", input.display()))?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files_below(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}
