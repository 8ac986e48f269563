//! The command line about itself: completions and manual pages, made from its definition.

use std::path::Path;

use anyhow::{Context as _, Result};
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Args;
use crate::output::{note, say_raw};

pub fn completions(shell: Shell) {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "graph-mem", &mut out);
    say_raw(&String::from_utf8_lossy(&out));
}

/// The manual page of the whole command, or a page for each of its commands into a folder.
pub fn man(output: Option<&Path>) -> Result<()> {
    let Some(folder) = output else {
        let mut out = Vec::new();
        clap_mangen::Man::new(Args::command()).render(&mut out)?;
        say_raw(&String::from_utf8_lossy(&out));
        return Ok(());
    };
    let failed = || format!("cannot write manual pages to `{}`", folder.display());
    std::fs::create_dir_all(folder).with_context(failed)?;
    clap_mangen::generate_to(Args::command(), folder).with_context(failed)?;
    note(format!("wrote manual pages to `{}`", folder.display()));
    Ok(())
}
