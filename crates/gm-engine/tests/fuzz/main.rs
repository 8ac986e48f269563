//! Whatever comes from outside ends in a valid result or in a clean refusal: no panic, no message
//! of the inside, no long wait. `PROPTEST_CASES` asks for more cases than the default.

mod import;
mod names;
mod search;

use std::sync::Arc;
use std::time::{Duration, Instant};

use gm_engine::{Error, Graph, Library, Location, export};
use gm_store::StateFile;
use proptest::prelude::*;

/// Long enough for an unoptimised build on a loaded machine; far below what a hang takes.
const PATIENCE: Duration = Duration::from_secs(5);

fn library() -> (Library, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let state = Arc::new(StateFile::open(&folder.path().join("home"), 1.0).unwrap());
    let location = Location { folder: folder.path().join("library"), default_file: None };
    (Library::open(location, state, "test", "test").unwrap(), folder)
}

fn exported(graph: &Graph) -> String {
    export::to_json(&graph.read(export::export).unwrap())
}

/// `PROPTEST_CASES`, else as many as a test asks for. Failures are told, not written beside the
/// sources: the seed is in the message.
fn cases(default: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(default), failure_persistence: None, ..ProptestConfig::default() }
}

/// A refusal says what is wrong with what was sent; failures of storage are none.
fn is_clean(error: &Error) -> bool {
    let message = error.to_string();
    let inside = [
        "SQL logic",
        "SELECT",
        "fts5",
        "syntax error",
        "no such",
        "constraint",
        "malformed",
        "panicked",
        "MATCH",
    ];
    error.code() != "storage" && message.len() < 4_000 && inside.iter().all(|word| !message.contains(word))
}

/// Text as nobody sends it on purpose: operators, quotes, control characters, marks that combine,
/// scripts without spaces, and much of it.
fn odd_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("AND".to_owned()),
        Just("OR NOT".to_owned()),
        Just("NEAR(a b, 3)".to_owned()),
        Just("name:".to_owned()),
        Just("-".to_owned()),
        Just("^".to_owned()),
        Just("*".to_owned()),
        Just("\"".to_owned()),
        Just("'".to_owned()),
        Just("((".to_owned()),
        Just(")".to_owned()),
        Just("{a b}:".to_owned()),
        Just("\0".to_owned()),
        Just("\u{1b}[0m".to_owned()),
        Just("\r\n".to_owned()),
        Just("e\u{301}\u{323}".to_owned()),
        Just("\u{301}".repeat(40)),
        Just("\u{200d}".to_owned()),
        Just("\u{202e}".to_owned()),
        Just("東京タワー".to_owned()),
        Just("한글".to_owned()),
        Just("ไทย".to_owned()),
        Just("🧭".to_owned()),
        Just("İI".to_owned()),
        Just("ß".to_owned()),
        Just("ﬃ".to_owned()),
        Just("\u{10ffff}".to_owned()),
        Just("harbour".to_owned()),
        Just("camelCaseWord".to_owned()),
        Just("%' ESCAPE '".to_owned()),
        "\\PC{0,8}",
        any::<String>(),
    ];
    let few = proptest::collection::vec(piece.clone(), 0..12).prop_map(|pieces| pieces.join(" "));
    let glued = proptest::collection::vec(piece.clone(), 0..12).prop_map(|pieces| pieces.concat());
    let long = (piece, 1usize..2_000).prop_map(|(piece, n)| piece.repeat(n).chars().take(10_000).collect());
    prop_oneof![4 => few, 4 => glued, 1 => long, 2 => any::<String>()]
}

/// Fails if something took longer than a person would wait.
fn in_time<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let outcome = work();
    assert!(began.elapsed() < PATIENCE, "{what} took {:?}", began.elapsed());
    outcome
}
