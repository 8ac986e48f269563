//! Files of graph-mem 1.0 (Python), opened in place.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::{data, home, sql};

/// Puts a peer's file into a library under a name.
fn placed(home: &gm_testkit::Home, source: &str, name: &str) -> PathBuf {
    std::fs::create_dir_all(home.library()).unwrap();
    let target = home.library().join(format!("{name}.db"));
    std::fs::copy(data(source), &target).unwrap();
    target
}

#[test]
fn a_1_0_file_opens_in_place_after_a_backup() {
    let home = home();
    let file = placed(&home, "graph-mem-1.0.0.db", "old");
    let original = std::fs::read(&file).unwrap();
    let listed = home.ok(&["graphs"]);
    assert!(listed.contains("123 entities"), "{listed}");
    assert_eq!(std::fs::read(&file).unwrap(), original, "listing migrates nothing");
    let status: Value = serde_json::from_str(&home.ok(&["status", "--json", "--graph", "old"])).unwrap();
    assert_eq!(
        (&status["entities"], &status["relationships"], &status["observations"]),
        (&json!(123), &json!(201), &json!(271))
    );
    let backups: Vec<_> =
        std::fs::read_dir(home.library().join("backups")).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(backups.len(), 1);
    assert_eq!(sql(&backups[0], "SELECT count(*) FROM entities"), "123");
    assert_eq!(sql(&backups[0], "PRAGMA integrity_check"), "ok");
    assert_eq!(sql(&file, "PRAGMA integrity_check"), "ok");
    assert_eq!(sql(&file, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
    let mut agent = home.server(&["--graph", "old"]);
    assert_eq!(
        agent.call("search_nodes", json!({ "query": "Воронцова" }))["results"][0]["name"],
        "Наталья Воронцова"
    );
    // Ids, times, weights and properties are those of the old file.
    let column = "SELECT group_concat(id || name || description || created_at || updated_at, '|') FROM (SELECT * FROM entities ORDER BY id)";
    assert_eq!(sql(&backups[0], column), sql(&file, column));
    let edges = "SELECT group_concat(id || source_id || target_id || weight, '|') FROM (SELECT * FROM relationships ORDER BY id)";
    assert_eq!(sql(&backups[0], edges), sql(&file, edges));
}

#[test]
fn a_weight_the_old_server_should_not_have_stored_is_mended_and_reported() {
    let home = home();
    let file = placed(&home, "graph-mem-1.0.0-badweight.db", "old");
    home.ok(&["status", "--graph", "old"]);
    assert_eq!(sql(&file, "SELECT max(weight) <= 1.0 FROM relationships"), "1");
    let report: Value =
        serde_json::from_str(&sql(&file, "SELECT value FROM meta WHERE key = 'migration_report'")).unwrap();
    assert_eq!(report["weights_mended"].as_array().unwrap().len(), 1);
}

#[test]
fn vector_tables_of_the_old_server_are_left_behind() {
    let home = home();
    std::fs::create_dir_all(home.library()).unwrap();
    let file = home.library().join("old.db");
    let mut unpacked = Vec::new();
    let packed = std::fs::File::open(data("graph-mem-1.0.0-embeddings.db.gz")).unwrap();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(packed), &mut unpacked).unwrap();
    std::fs::write(&file, unpacked).unwrap();
    home.ok(&["status", "--graph", "old"]);
    assert_eq!(sql(&file, "SELECT count(*) FROM entities"), "10");
    assert_eq!(sql(&file, "SELECT count(*) FROM sqlite_master WHERE sql LIKE '%vec0%'"), "0");
}

#[test]
fn the_old_server_can_no_longer_write_past_the_journal() {
    let home = home();
    let file = placed(&home, "graph-mem-1.0.0.db", "old");
    // The old server has the file open while it is migrated.
    let old_server = rusqlite::Connection::open(&file).unwrap();
    assert_eq!(
        old_server.query_row("SELECT count(*) FROM entities", [], |r| r.get::<_, i64>(0)).unwrap(),
        123
    );
    home.ok(&["status", "--graph", "old"]);
    let insert = "INSERT INTO entities (id, name, entity_type, description, properties, created_at, updated_at) VALUES ('x', 'x', 't', '', '{}', 1, 1)";
    let refused = old_server.execute(insert, []).unwrap_err().to_string();
    assert!(refused.contains("NOT NULL"), "{refused}");
    let unknown_to_it = "SELECT count(*) > 0 FROM schema_version WHERE version NOT IN (1, 2)";
    assert_eq!(sql(&file, unknown_to_it), "1", "it refuses versions it does not know");
}

#[test]
fn importing_a_database_leaves_the_source_alone() {
    let home = home();
    let source = home.path().join("elsewhere.db");
    std::fs::copy(data("graph-mem-1.0.0.db"), &source).unwrap();
    let before = std::fs::read(&source).unwrap();
    let answer: Value =
        serde_json::from_str(&home.ok(&["import", source.to_str().unwrap(), "--json"])).unwrap();
    assert_eq!((&answer["graph"], &answer["entities"]), (&json!("elsewhere"), &json!(123)));
    assert_eq!(std::fs::read(&source).unwrap(), before);
    assert!(!home.path().join("elsewhere.db-wal").exists());
}

#[test]
fn a_file_of_a_newer_program_is_refused_untouched() {
    let home = home();
    home.server(&[]).call("add_entities", json!({ "entities": [{ "name": "A", "entity_type": "t" }] }));
    let file = home.library().join("graph.db");
    let mut open_already = home.server(&[]);
    open_already.call("read_graph", json!({}));
    let newer = rusqlite::Connection::open(&file).unwrap();
    newer.execute("UPDATE meta SET value = '99' WHERE key IN ('min_writer', 'format')", []).unwrap();
    drop(newer);
    let error =
        open_already.refused("add_entities", json!({ "entities": [{ "name": "B", "entity_type": "t" }] }));
    assert_eq!(error["error_type"], "too_new", "an older binary that has the file open stops: {error}");
    let refused = home.run(&["status"]);
    let message = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && message.contains("Update graph-mem"), "{message}");
}

#[test]
fn code_of_strangers_in_a_file_is_refused_and_never_run() {
    let home = home();
    let old = placed(&home, "graph-mem-1.0.0.db", "old");
    let stranger = rusqlite::Connection::open(&old).unwrap();
    stranger
        .execute_batch("CREATE TABLE mine (x); INSERT INTO mine VALUES (1); CREATE TRIGGER t1 AFTER INSERT ON schema_version BEGIN DELETE FROM mine; END;")
        .unwrap();
    drop(stranger);
    let refused = home.run(&["status", "--graph", "old"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("trigger `t1`"));
    assert_eq!(sql(&old, "SELECT count(*) FROM mine"), "1", "it did not run");
    home.server(&[]).call("add_entities", json!({ "entities": [{ "name": "A", "entity_type": "t" }] }));
    let ours = home.library().join("graph.db");
    let stranger = rusqlite::Connection::open(&ours).unwrap();
    let disguised = "DROP TRIGGER IF EXISTS entities_fts_insert; CREATE TRIGGER entities_fts_insert AFTER INSERT ON entities BEGIN DELETE FROM observations; END;";
    stranger.execute_batch(disguised).unwrap();
    drop(stranger);
    assert!(!home.run(&["status"]).status.success(), "a known name with another text is no better");
}
