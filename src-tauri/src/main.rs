//! The desktop window.

// No console window beside the real one.
#![cfg_attr(all(not(debug_assertions), windows), windows_subsystem = "windows")]

use std::process::ExitCode;

#[allow(unsafe_code)]
fn main() -> ExitCode {
    // SAFETY: this is the first thing that is done; there is no other thread.
    unsafe { gm_engine::embed::forbid_telemetry() };
    match graph_mem_desktop::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::from(1)
        }
    }
}
