//! Black box: the real `graph-mem` binary, as people and agents meet it. Tests whose names begin
//! with a letter and three digits stand for a fault that was reported about a product of this
//! kind.

mod agents_http;
mod agents_stdio;
mod agreement;
mod answers;
mod attacks;
mod attendance;
mod clients;
mod commands;
mod concurrency;
mod connections;
mod crowd;
mod files;
mod fuzz_tools;
mod load;
mod meaning;
mod mixed;
mod model_hub;
mod names;
mod older_files;
mod pictures;
mod places;
mod protocol;
mod relevance;
mod safekeeping;
mod search;
mod sessions;
mod undo;

use gm_testkit::Home;

/// `GRAPHMEM_TEST_CLI` names another build, such as the one people use.
fn home() -> Home {
    let given = std::env::var_os("GRAPHMEM_TEST_CLI").map(std::path::PathBuf::from);
    Home::new(given.unwrap_or_else(|| env!("CARGO_BIN_EXE_graph-mem").into()))
}

/// A file of the test data, by name.
fn data(name: &str) -> String {
    format!("{}/../../tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Tests look at files with the same SQLite the program uses.
fn sql(path: &std::path::Path, query: &str) -> String {
    let connection = rusqlite::Connection::open(path).expect("the file opens");
    connection.query_row(query, [], |row| row.get::<_, rusqlite::types::Value>(0)).map_or_else(
        |error| panic!("{query}: {error}"),
        |value| match value {
            rusqlite::types::Value::Text(text) => text,
            rusqlite::types::Value::Integer(n) => n.to_string(),
            other => format!("{other:?}"),
        },
    )
}
