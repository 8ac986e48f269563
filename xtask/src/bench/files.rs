//! The part of `bench engine` that goes over files: size, export, import.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, ensure};

use super::ours;
use super::report::Run;

/// The graph with whatever lies beside it.
pub fn size_mb(home: &Path) -> Result<f64> {
    let mut bytes = 0;
    for entry in fs::read_dir(home)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("graph.db") {
            bytes += entry.metadata()?.len();
        }
    }
    Ok(bytes as f64 / 1024.0 / 1024.0)
}

/// Exports the library's graph and imports that into a fresh one.
pub fn measure(run: &mut Run, binary: &Path, home: &Path) -> Result<()> {
    let objects = run.objects();
    let fresh = tempfile::tempdir()?;
    let file = fresh.path().join("export.json");
    let seconds = seconds(ours::command(binary, home).arg("export").arg("--output").arg(&file))?;
    run.fact("export", Some(seconds), "s");
    run.fact("exported", Some(objects / seconds), "objects/s");
    let size = fs::metadata(&file)?.len() as f64 / 1024.0 / 1024.0;
    run.fact("export file", Some(size), "MB");
    let seconds = self::seconds(ours::command(binary, fresh.path()).arg("import").arg(&file))?;
    run.fact("import into an empty graph", Some(seconds), "s");
    run.fact("imported", Some(objects / seconds), "objects/s");
    Ok(())
}

fn seconds(command: &mut Command) -> Result<f64> {
    let begun = Instant::now();
    let output = command.stdout(Stdio::null()).stderr(Stdio::piped()).output()?;
    let took = begun.elapsed().as_secs_f64();
    ensure!(
        output.status.success(),
        "the command failed: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(took)
}
