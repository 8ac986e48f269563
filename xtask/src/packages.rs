//! System packages, on Debian and its kin: installed where we may, else told in one command.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::process::{exists, run, say};

/// What building the window takes.
pub const BUILD: &[&str] = &[
    "build-essential",
    "libayatana-appindicator3-dev",
    "librsvg2-dev",
    "libssl-dev",
    "libwebkit2gtk-4.1-dev",
    "libxdo-dev",
    "pkg-config",
];

/// What driving the real window and a real browser takes, beyond building.
pub const DRIVE: &[&str] = &[
    "at-spi2-core",
    "chromium",
    "chromium-driver",
    "dbus-x11",
    "fonts-dejavu-core",
    "gir1.2-atspi-2.0",
    "procps",
    "python3-gi",
    "webkit2gtk-driver",
    "xauth",
    "xvfb",
];

/// What client libraries of other languages take.
pub const CLIENTS: &[&str] = &["python3", "python3-venv"];

/// Oldest Node the explorer's tools run on.
const NODE: (u32, u32) = (20, 19);

/// Makes sure packages are there. Does nothing on systems without `apt-get`.
pub fn ensure(packages: &[&str]) -> Result<()> {
    check_node()?;
    if !exists("apt-get") {
        return Ok(());
    }
    let missing: Vec<&str> = packages.iter().copied().filter(|package| !is_installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    say(&format!("missing system packages: {}", missing.join(" ")));
    if !is_root() {
        bail!("install them with:\n  sudo apt-get install --no-install-recommends -y {}", missing.join(" "));
    }
    run(Command::new("apt-get").arg("update").stdout(Stdio::null()))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "--no-install-recommends", "-y", "-q"]).args(&missing);
    run(install.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()))
}

fn is_installed(package: &str) -> bool {
    let output =
        Command::new("dpkg-query").args(["-W", "-f=${Status}", package]).stderr(Stdio::null()).output();
    output.is_ok_and(|output| output.stdout.ends_with(b" installed"))
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn check_node() -> Result<()> {
    let output = Command::new("node").arg("--version").output();
    let version =
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let mut numbers = version.trim().trim_start_matches('v').split('.').map_while(|part| part.parse().ok());
    let found: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found < NODE {
        let have =
            if found.0 == 0 { "none was found".to_owned() } else { format!("found {}", version.trim()) };
        bail!("Node.js {}.{} or later is needed, with npm; {have}", NODE.0, NODE.1);
    }
    Ok(())
}
