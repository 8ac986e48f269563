//! What the numbers were measured on.

use std::fs;

use serde_json::{Value, json};

pub fn describe() -> Value {
    json!({
        "cpu": cpu(),
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
        "os": os(),
        "memory_mb": field("/proc/meminfo", "MemTotal").map(|kilobytes| kilobytes / 1024),
    })
}

fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    model.unwrap_or(std::env::consts::ARCH).to_owned()
}

fn os() -> String {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.unwrap_or(std::env::consts::OS).trim_matches('"');
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{name}, {}", kernel.trim())
}

/// Resident memory of a process and its children, in megabytes; `None` where it cannot be told.
pub fn resident_mb(pid: u32) -> Option<f64> {
    let own = field(&format!("/proc/{pid}/status"), "VmRSS")? as f64 / 1024.0;
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let children = children.split_whitespace().filter_map(|child| resident_mb(child.parse().ok()?));
    Some(own + children.sum::<f64>())
}

/// The number after a name in a file of lines `Name: number unit`.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}
