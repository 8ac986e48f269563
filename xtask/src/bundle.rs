//! `cargo xtask bundle`: packages of this system that hold the window, the command, the embedding model
//! and its runtime, so that a fresh install searches by meaning without a network.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use gm_embed::install;
use gm_embed::model::{DEFAULT_MODEL, Places, RUNTIME_FOLDER};
use serde_json::{Value, json};

use crate::bench::{ours, stdio::Server};
use crate::process::{cargo, root, run, say, target};
use crate::{frontend, model, packages};

/// Where the programs of a Debian package look for models, beside their own folder.
const LIBRARY: &str = "/usr/lib/graph-mem";
/// How long a fresh install may take to find something by its meaning.
const PATIENCE: Duration = Duration::from_secs(60);

/// Builds for use, bundles, and tries what was made where that can be done without installing it.
pub fn bundle(formats: &[String]) -> Result<()> {
    packages::ensure(packages::BUILD)?;
    frontend::build()?;
    run(&mut cargo(&["build", "--release", "--package", "graph-mem-desktop", "--package", "gm-cli"]))?;
    let stage = target().join("bundle");
    let models = stage.join("models");
    model::ensure(&models);
    ensure!(
        install::is_installed(&Places(vec![models.clone()])),
        "a bundle needs the embedding model, which could not be put into {}",
        models.display()
    );
    let config = stage.join("tauri.json");
    fs::write(&config, config_of(&stage, formats)?.to_string())?;
    let mut tauri = Command::new("node");
    tauri
        .arg(root().join("ui/node_modules/@tauri-apps/cli/tauri.js"))
        .args(["bundle", "--bundles", &formats.join(","), "--config"])
        .arg(&config)
        .current_dir(root().join("src-tauri"))
        .env("CARGO_TARGET_DIR", target());
    run(&mut tauri)?;
    for format in formats {
        let made = newest(&target().join("release/bundle").join(format))?;
        say(&format!("made {} ({} MB)", made.display(), fs::metadata(&made)?.len() / 1_000_000));
        if format == "deb" {
            try_debian(&made)?;
        }
    }
    Ok(())
}

/// What goes into a bundle besides the window's program.
fn config_of(stage: &Path, formats: &[String]) -> Result<Value> {
    let models = stage.join("models");
    let mut resources = serde_json::Map::new();
    for folder in [DEFAULT_MODEL, RUNTIME_FOLDER] {
        for entry in fs::read_dir(models.join(folder))? {
            let path = entry?.path();
            let name = path.file_name().and_then(OsStr::to_str).context("a name of the model's files")?;
            resources.insert(text(&path)?, json!(format!("models/{folder}/{name}")));
        }
    }
    let notice = root().join("src-tauri/THIRD_PARTY_MODELS.md");
    resources.insert(text(&notice)?, json!("models/NOTICE.md"));
    let mut config = json!({ "bundle": { "resources": resources } });
    if formats.iter().any(|format| format == "deb") {
        config["bundle"]["linux"]["deb"]["files"] = debian_files(stage)?;
    }
    Ok(config)
}

/// The command with its manual and completions, where Debian keeps them.
fn debian_files(stage: &Path) -> Result<Value> {
    let command = target().join("release/graph-mem");
    let (manual, completions) = (stage.join("man"), stage.join("completions"));
    fs::create_dir_all(&completions)?;
    let _ = fs::remove_dir_all(&manual);
    run(Command::new(&command).args(["man", "--output"]).arg(&manual))?;
    let mut files = serde_json::Map::new();
    files.insert("/usr/bin/graph-mem".into(), json!(text(&command)?));
    for entry in fs::read_dir(&manual)? {
        let path = entry?.path();
        let name = path.file_name().and_then(OsStr::to_str).context("a name of the manual's pages")?;
        files.insert(format!("/usr/share/man/man1/{name}"), json!(text(&path)?));
    }
    for (shell, place) in [
        ("bash", "/usr/share/bash-completion/completions/graph-mem"),
        ("zsh", "/usr/share/zsh/vendor-completions/_graph-mem"),
        ("fish", "/usr/share/fish/vendor_completions.d/graph-mem.fish"),
    ] {
        let output = Command::new(&command).args(["completions", shell]).output()?;
        ensure!(output.status.success(), "the completions of {shell} could not be made");
        let path = completions.join(shell);
        fs::write(&path, output.stdout)?;
        files.insert(place.into(), json!(text(&path)?));
    }
    Ok(files.into())
}

fn text(path: &Path) -> Result<String> {
    Ok(path.to_str().with_context(|| format!("{} is no plain text", path.display()))?.to_owned())
}

/// The bundle just made.
fn newest(folder: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| format!("nothing is in {}", folder.display()))?;
    let files = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file());
    files
        .max_by_key(|path| fs::metadata(path).and_then(|meta| meta.modified()).ok())
        .with_context(|| format!("nothing is in {}", folder.display()))
}

/// Unpacks a Debian package elsewhere, and asks the command in it what shares no word with the answer:
/// with an empty home, and with nothing of this checkout's.
fn try_debian(package: &Path) -> Result<()> {
    let place = tempfile::tempdir()?;
    run(Command::new("dpkg-deb").arg("-x").arg(package).arg(place.path()))?;
    let at = |path: &str| place.path().join(path.trim_start_matches('/'));
    for file in ["/usr/bin/graph-mem-desktop", "/usr/bin/graph-mem", "/usr/share/man/man1/graph-mem.1"] {
        ensure!(at(file).exists(), "{file} is not in the package");
    }
    ensure!(at(LIBRARY).join("models").join(DEFAULT_MODEL).is_dir(), "the model is not in {LIBRARY}");
    let home = tempfile::tempdir()?;
    let mut command = ours::server(&at("/usr/bin/graph-mem"), home.path());
    for setting in ["ORT_DYLIB_PATH", "GRAPHMEM_MODELS", "GRAPHMEM_EMBEDDINGS", "GRAPHMEM_EMBEDDING_MODEL"] {
        command.env_remove(setting);
    }
    let mut server = Server::start(command, home.path())?;
    let said = "Uses bcrypt for password hashing";
    server.call(
        "add_entities",
        json!({ "entities": [
            { "name": "Gatekeeper", "entity_type": "service", "observations": [said] },
            { "name": "Kitchen", "entity_type": "place", "observations": ["The kettle is by the window"] },
        ] }),
    )?;
    let begun = Instant::now();
    loop {
        let answer = server.answer("search_nodes", json!({ "query": "how are credentials kept safe" }))?;
        if answer["results"][0]["name"] == "Gatekeeper" {
            break;
        }
        if begun.elapsed() > PATIENCE {
            bail!("the unpacked package does not search by meaning: {answer}");
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    server.close()?;
    say("tried: unpacked elsewhere, with an empty home, its command finds a note by its meaning");
    Ok(())
}
