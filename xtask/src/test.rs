//! `cargo xtask test`: every test there is, with what they need.

use std::ffi::OsStr;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process::{cargo, exists, npm, root, run, say, target};
use crate::{frontend, model, packages};

/// Drives the window through the web view's own driver.
const TAURI_DRIVER: &str = "tauri-driver@2.1.0";

pub fn test(with_window: bool) -> Result<()> {
    packages::ensure(packages::BUILD)?;
    if with_window {
        packages::ensure(packages::DRIVE)?;
    }
    frontend::build()?;
    run(&mut npm(&["run", "--silent", "lint"]))?;
    run(&mut npm(&["run", "--silent", "test"]))?;
    model::ensure(&model::for_tests());
    run(cargo(&["test", "--workspace"]).env("GRAPHMEM_TEST_MODELS", model::for_tests()))?;
    clients()?;
    if with_window {
        window()?;
    }
    say("all tests passed");
    Ok(())
}

/// The client libraries that people have, against the real program.
fn clients() -> Result<()> {
    packages::ensure(packages::CLIENTS)?;
    run(&mut cargo(&["build", "--package", "gm-cli"]))?;
    for script in ["tests/clients/run.mjs", "tests/clients/conformance/run.mjs"] {
        let mut command = Command::new("node");
        command
            .arg(script)
            .current_dir(root())
            .env("GRAPHMEM_TEST_CLI", target().join("debug/graph-mem"))
            .env("GRAPHMEM_TEST_CLIENTS", target().join("clients"));
        run(&mut command)?;
    }
    Ok(())
}

/// The real window under a virtual display, and the same explorer in a real browser.
fn window() -> Result<()> {
    let tests = [
        "--test",
        "--test-concurrency=1",
        "tests/window/window.test.mjs",
        "tests/window/graph.test.mjs",
        "tests/window/browser.test.mjs",
    ];
    drive(&tests, false)
}

/// Runs a script of `tests/window` with the programs it drives.
pub fn drive(script: &[&str], release: bool) -> Result<()> {
    if !cfg!(target_os = "linux") {
        say("the window is driven on Linux only; passed over here");
        return Ok(());
    }
    let mut build = vec!["build", "--package", "graph-mem-desktop", "--package", "gm-cli"];
    if release {
        build.push("--release");
    }
    run(&mut cargo(&build))?;
    let driver = target().join("tools/bin/tauri-driver");
    if !driver.is_file() {
        let tools = target().join("tools");
        let mut install = cargo(&["install", "--locked", "--quiet", TAURI_DRIVER, "--root"]);
        run(install.arg(tools))?;
    }
    for program in ["xvfb-run", "dbus-run-session", "WebKitWebDriver", "chromedriver"] {
        if !exists(program) {
            bail!("`{program}` is missing; install {}", packages::DRIVE.join(" "));
        }
    }
    let built = target().join(if release { "release" } else { "debug" });
    let mut command = Command::new("xvfb-run");
    command
        .args(["--auto-servernum", "--server-args=-screen 0 1400x900x24"])
        .args(["dbus-run-session", "--", "node"])
        .args(script)
        .current_dir(root())
        .env("GRAPHMEM_TEST_WINDOW", built.join("graph-mem-desktop"))
        .env("GRAPHMEM_TEST_CLI", built.join("graph-mem"))
        .env("GRAPHMEM_TEST_DRIVER", &driver)
        .env("GRAPHMEM_TEST_MODELS", model::for_tests())
        // Software drawing: the same picture on every machine.
        .env("LIBGL_ALWAYS_SOFTWARE", OsStr::new("1"));
    run(&mut command)
}
