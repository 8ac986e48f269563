//! The walk in process, which `crates/gm-engine/benches/walk.rs` measures.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::report::Row;
use super::samples::Samples;
use crate::process::{cargo, say};

/// What we hold ourselves to, in milliseconds.
const TARGET: f64 = 0.1;

pub fn measure() -> Result<Row> {
    say("· the walk in process");
    let output = cargo(&["bench", "--quiet", "--package", "gm-engine", "--bench", "walk"])
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "the walk could not be measured");
    let told: Value = serde_json::from_slice(&output.stdout)?;
    let times = told["nanoseconds"].as_array().context("the walk tells no times")?;
    let samples: Samples = times.iter().filter_map(Value::as_u64).map(Duration::from_nanos).collect();
    Ok(Row::new("walk to depth 6, 60 nodes / 1,770 edges", samples, Some(TARGET)))
}
