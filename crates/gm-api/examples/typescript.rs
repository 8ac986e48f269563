//! Prints the explorer's generated types; `cargo xtask codegen` stores them.

use std::io::Write;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(gm_api::typescript().as_bytes())
}
