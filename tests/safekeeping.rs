//! What was stored stays: damage is not made worse, counts agree with the rows, copies are whole,
//! and a move from an older file can be cut off anywhere.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::{data, home, sql};

fn named(names: impl IntoIterator<Item = String>) -> Value {
    let items: Vec<Value> =
        names.into_iter().map(|name| json!({ "name": name, "entity_type": "t" })).collect();
    json!({ "entities": items })
}

/// Fills a graph `work` beside the default graph and leaves both in one file each.
fn library_with_work() -> (gm_testkit::Home, PathBuf) {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", named(["Elsewhere".to_owned()]));
    agent.call("create_graph", json!({ "name": "work" }));
    let items: Vec<Value> = (0..300)
        .map(|i| json!({ "name": format!("w{i}"), "entity_type": "t", "observations": [format!("note {i} {}", "x".repeat(200))] }))
        .collect();
    agent.call("add_entities", json!({ "entities": items, "graph": "work" }));
    assert!(agent.close(Duration::from_secs(10)).is_some());
    let file = home.library().join("work.db");
    assert!(!home.library().join("work.db-wal").exists(), "the graph is in its one file");
    (home, file)
}

/// Where the bytes are now: in place, or under a name that says what they are.
fn still_there(home: &gm_testkit::Home, damaged: &[u8]) -> bool {
    let entries = std::fs::read_dir(home.library()).unwrap();
    entries.map(|entry| entry.unwrap().path()).any(|path| std::fs::read(path).is_ok_and(|b| b == damaged))
}

fn nothing_is_made_of_damage(damaged: &[u8], home: &gm_testkit::Home, file: &Path) {
    std::fs::write(file, damaged).unwrap();
    let mut agent = home.server(&[]);
    let listed = agent.call("list_graphs", json!({}));
    let work = listed["graphs"].as_array().unwrap().iter().find(|g| g["name"] == "work").expect("listed");
    assert_eq!(work["unreadable"], true, "the damage is seen: {work}");
    let error = agent.refused("switch_graph", json!({ "name": "work" }));
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("backups") || message.contains(".recover"), "the way out is told: {error}");
    assert!(message.contains("`work.db`"), "the file is named: {error}");
    agent.call("add_entities", named(["Goes on".to_owned()]));
    assert_eq!(agent.call("read_graph", json!({}))["entities"], json!(2), "other graphs work");
    drop(agent);
    assert!(still_there(home, damaged), "the damaged file is as it was, byte for byte");
    assert!(std::fs::metadata(file).is_ok_and(|meta| meta.len() > 0), "no empty graph takes its place");
}

/// The file's bytes with 4 KiB of noise at some places, told in sixteenths.
fn with_damaged_pages(file: &Path, sixteenths: impl IntoIterator<Item = usize>) -> Vec<u8> {
    let mut bytes = std::fs::read(file).unwrap();
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    for place in sixteenths {
        let at = bytes.len() * place / 16;
        for byte in &mut bytes[at..at + 4096] {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            *byte = seed as u8;
        }
    }
    bytes
}

#[test]
fn b007_damaged_pages_are_seen_before_the_graph_is_used() {
    let (home, file) = library_with_work();
    let bytes = with_damaged_pages(&file, [8]);
    nothing_is_made_of_damage(&bytes, &home, &file);
}

#[test]
fn b007_a_file_with_damaged_pages_is_read_as_far_as_it_can_be_and_left_as_it_is() {
    let (home, file) = library_with_work();
    let damaged = with_damaged_pages(&file, 2..15);
    std::fs::write(&file, &damaged).unwrap();
    let mut agent = home.server(&[]);
    agent.call("list_graphs", json!({}));
    let mut n_refused = 0;
    let mut look = |tool: &str, mut arguments: Value| {
        arguments["graph"] = json!("work");
        let result = agent.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        if result["isError"] == true {
            n_refused += 1;
            let text = result["content"][0]["text"].as_str().unwrap();
            let error: Value = serde_json::from_str(text).unwrap();
            assert_eq!(error["error_type"], "damaged", "{tool}: {error}");
        }
    };
    for i in 0..300 {
        look("get_entity", json!({ "name": format!("w{i}") }));
    }
    look("search_nodes", json!({ "query": "note" }));
    look("list_entities", json!({ "limit": 500 }));
    look("audit_graph", json!({}));
    agent.call("add_entities", named(["Goes on".to_owned()]));
    assert_eq!(agent.call("read_graph", json!({}))["entities"], json!(2), "other graphs work");
    drop(agent);
    assert!(n_refused > 0, "the damage lies where something is read");
    assert!(still_there(&home, &damaged), "the damaged file is as it was, byte for byte");
}

#[test]
fn b007_a_file_that_became_text_is_left_as_it_is() {
    let (home, file) = library_with_work();
    nothing_is_made_of_damage(&"words ".repeat(17).as_bytes()[..100], &home, &file);
}

#[test]
fn b013_every_id_of_an_answer_can_be_fetched() {
    let home = home();
    let mut agent = home.server(&[]);
    let items: Vec<Value> = (1..=5)
        .map(|i| {
            let description = if i == 3 { "FAILME for the embedder" } else { "plain" };
            json!({ "name": format!("item {i}"), "entity_type": "t", "description": description, "observations": [format!("said {i}")] })
        })
        .collect();
    let added = agent.call("add_entities", json!({ "entities": items }));
    let results = added["results"].as_array().unwrap();
    assert_eq!((results.len(), &added["count"]), (5, &json!(5)));
    for (i, result) in results.iter().enumerate() {
        let entity = agent.call("get_entity", json!({ "name": format!("item {}", i + 1) }));
        assert_eq!((&entity["id"], &result["status"]), (&result["id"], &json!("created")));
    }
    assert_eq!(agent.call("list_entities", json!({}))["total"], 5);
    assert_eq!(agent.call("search_nodes", json!({ "query": "FAILME" }))["results"][0]["name"], "item 3");
    // The same for the other tools that answer item by item.
    let notes = agent
        .call("add_observations", json!({ "entity_name": "item 1", "observations": ["a", "said 1", "b"] }));
    let known: Vec<Value> = agent.call("get_entity", json!({ "name": "item 1" }))["observations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| o["id"].clone())
        .collect();
    assert!(notes["results"].as_array().unwrap().iter().all(|r| known.contains(&r["id"])), "{notes}");
    assert_eq!(known.len(), 3);
    // What cannot be stored is in no answer, and neither is what came with it.
    let long = "x".repeat(70_000);
    let error = agent.refused(
        "add_entities",
        json!({ "entities": [{ "name": "good", "entity_type": "t" }, { "name": "bad", "entity_type": "t", "description": long }] }),
    );
    assert!(error.get("results").is_none());
    assert_eq!(agent.call("list_entities", json!({}))["total"], 5);
}

#[test]
fn b017_every_count_agrees_after_deletes() {
    let home = home();
    let mut agent = home.server(&[]);
    let items: Vec<Value> = (0..10)
        .map(|i| json!({ "name": format!("e{i}"), "entity_type": "t", "observations": [format!("a{i}"), format!("b{i}"), format!("c{i}")] }))
        .collect();
    agent.call("add_entities", json!({ "entities": items }));
    let edges: Vec<Value> = (0..9)
        .map(|i| json!({ "source": format!("e{i}"), "target": format!("e{}", i + 1), "relationship_type": "to" }))
        .collect();
    agent.call("add_relationships", json!({ "relationships": edges }));
    let all_agree = |agent: &mut gm_testkit::McpProcess, expected: [u64; 3]| {
        let triple = |v: &Value| {
            ["entities", "relationships", "observations"].map(|kind| v[kind].as_u64().unwrap_or(u64::MAX))
        };
        assert_eq!(triple(&agent.call("read_graph", json!({}))), expected, "read_graph");
        assert_eq!(triple(&agent.call("graph_health", json!({}))["counts"]), expected, "graph_health");
        let listed = agent.call("list_graphs", json!({}));
        assert_eq!(triple(&listed["graphs"][0]), expected, "list_graphs");
        let status: Value = serde_json::from_str(&home.ok(&["status", "--json"])).unwrap();
        assert_eq!(triple(&status), expected, "status of another process");
        let rows = ["entities", "relationships", "observations"].map(|table| {
            let counted = sql(&home.library().join("graph.db"), &format!("SELECT count(*) FROM {table}"));
            counted.parse::<u64>().unwrap()
        });
        assert_eq!(rows, expected, "the rows");
        assert_eq!(agent.call("list_entities", json!({}))["total"], expected[0]);
        assert_eq!(agent.call("list_relationships", json!({}))["total"], expected[1]);
    };
    all_agree(&mut agent, [10, 9, 30]);
    // e2 and e3 share an edge; e7 and e9 do not.
    agent.call("delete_entities", json!({ "names": ["e2", "e3", "e7", "e9"] }));
    all_agree(&mut agent, [6, 3, 18]);
    agent.call("merge_entities", json!({ "target": "e0", "source": "e1" }));
    all_agree(&mut agent, [5, 2, 18]);
    let log = home.ok(&["log", "--json", "-n", "2"]);
    for line in log.lines() {
        let transaction = serde_json::from_str::<Value>(line).unwrap()["transaction"].clone();
        home.ok(&["undo", transaction.as_str().unwrap()]);
    }
    all_agree(&mut agent, [10, 9, 30]);
}

#[test]
fn b026_an_export_taken_while_others_write_is_whole() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", named((0..500).map(|i| format!("e{i}"))));
    let mut other = home.server(&[]);
    let writer = std::thread::spawn(move || {
        for i in 0..60 {
            other.call("add_entities", named([format!("late{i}"), format!("later{i}")]));
            let edge = json!({ "source": format!("late{i}"), "target": format!("later{i}"), "relationship_type": "to" });
            other.call("add_relationships", json!({ "relationships": [edge] }));
        }
    });
    let mut exports = Vec::new();
    while !writer.is_finished() {
        exports.push(home.ok(&["export"]));
    }
    writer.join().unwrap();
    exports.push(home.ok(&["export"]));
    for export in &exports {
        let export: Value = serde_json::from_str(export).expect("whole JSON");
        let ids: std::collections::HashSet<&str> =
            export["entities"].as_array().unwrap().iter().map(|e| e["id"].as_str().unwrap()).collect();
        assert!(ids.len() >= 500);
        for edge in export["relationships"].as_array().unwrap() {
            let ends = ["source_id", "target_id"].map(|end| edge[end].as_str().unwrap());
            assert!(ends.iter().all(|end| ids.contains(end)), "an edge without its ends");
        }
    }
    // Alone in another place it is the whole graph.
    let elsewhere = self::home();
    elsewhere.ok(&["import", &elsewhere.file("snapshot.json", exports.last().unwrap())]);
    let copy = elsewhere.library().join("graph.db");
    assert_eq!(sql(&copy, "SELECT count(*) FROM entities"), "620");
    assert_eq!(sql(&copy, "PRAGMA integrity_check"), "ok");
    // The open graph's file, brought into another library as a database, has its log's content too.
    elsewhere.ok(&["import", home.library().join("graph.db").to_str().unwrap()]);
    let listed: Value = serde_json::from_str(&elsewhere.ok(&["graphs", "--json"])).unwrap();
    let adopted = listed.as_array().unwrap().iter().find(|g| g["name"] != "default").unwrap();
    assert_eq!(adopted["entities"], 620, "{adopted}");
}

/// Entities of the old file that is moved, and moments at which the move is cut off; the whole
/// measure takes minutes without optimisation and is run with `CASES_FULL=1`.
fn old_file_size() -> (usize, u64) {
    if std::env::var_os("CASES_FULL").is_some() { (10_000, 20) } else { (1_500, 6) }
}

/// An old file as a killed program leaves it: the newest rows stand in its log alone.
fn old_file_with_log(folder: &Path, n_entities: usize) -> PathBuf {
    let file = folder.join("old.db");
    std::fs::copy(data("graph-mem-1.0.0.db"), &file).unwrap();
    let old = rusqlite::Connection::open(&file).unwrap();
    old.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; BEGIN;").unwrap();
    let have: i64 = old.query_row("SELECT count(*) FROM entities", [], |row| row.get(0)).unwrap();
    {
        let mut insert = old
            .prepare("INSERT INTO entities (id, name, entity_type, description, properties, created_at, updated_at) VALUES (?1, ?2, 'filler', 'one of many', '{}', 5.5, 6.5)")
            .unwrap();
        for i in have..n_entities as i64 {
            insert.execute([format!("filler{i:020}"), format!("filler {i}")]).unwrap();
        }
    }
    old.execute_batch("COMMIT").unwrap();
    // Copied while open, and so before anything went from the log into the file.
    let dead = folder.join("dead");
    std::fs::create_dir(&dead).unwrap();
    for suffix in ["", "-wal"] {
        std::fs::copy(folder.join(format!("old.db{suffix}")), dead.join(format!("old.db{suffix}"))).unwrap();
    }
    assert!(std::fs::metadata(dead.join("old.db-wal")).unwrap().len() > 0);
    dead
}

fn place_old(home: &gm_testkit::Home, dead: &Path) -> PathBuf {
    let _ = std::fs::remove_dir_all(home.library());
    std::fs::create_dir_all(home.library()).unwrap();
    for suffix in ["", "-wal"] {
        let name = format!("old.db{suffix}");
        std::fs::copy(dead.join(&name), home.library().join(&name)).unwrap();
    }
    home.library().join("old.db")
}

const OLD_CONTENT: [&str; 3] = [
    "SELECT group_concat(id || name || description || created_at || updated_at, '|') FROM (SELECT * FROM entities ORDER BY id)",
    "SELECT group_concat(id || source_id || target_id || weight, '|') FROM (SELECT * FROM relationships ORDER BY id)",
    "SELECT group_concat(id || entity_id || content || created_at, '|') FROM (SELECT * FROM observations ORDER BY id)",
];

/// Entities, edges and observations as one text. The old file is read as a copy: looking at it
/// would empty its log.
fn content(file: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    for suffix in ["", "-wal"] {
        let from = PathBuf::from(format!("{}{suffix}", file.display()));
        if from.exists() {
            std::fs::copy(from, format!("{}{suffix}", copy.display())).unwrap();
        }
    }
    OLD_CONTENT.map(|query| sql(&copy, query)).join("\n")
}

fn complete_backup_exists(home: &gm_testkit::Home, before: &str) {
    let backups: Vec<PathBuf> = std::fs::read_dir(home.library().join("backups"))
        .expect("there is a folder of copies")
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "db"))
        .collect();
    assert!(!backups.is_empty());
    for backup in &backups {
        assert_eq!(sql(backup, "PRAGMA integrity_check"), "ok");
        assert!(content(backup) == before, "a copy lacks something: {}", backup.display());
    }
}

#[test]
fn b145_a_move_from_an_old_file_can_be_killed_at_any_moment() {
    let (n_entities, n_kills) = old_file_size();
    let home = home();
    let dead = old_file_with_log(home.path(), n_entities);
    let before = content(&dead.join("old.db"));
    // How long the whole takes tells which moments there are.
    let file = place_old(&home, &dead);
    let began = std::time::Instant::now();
    home.ok(&["status", "--graph", "old"]);
    let whole = began.elapsed();
    assert!(content(&file) == before, "all data is equal");
    complete_backup_exists(&home, &before);
    for moment in 0..n_kills {
        let file = place_old(&home, &dead);
        let mut child = home
            .command()
            .args(["status", "--graph", "old"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(whole.mul_f64((moment as f64 + 0.5) / n_kills as f64));
        let _ = child.kill();
        let _ = child.wait();
        home.ok(&["status", "--graph", "old"]);
        assert!(content(&file) == before, "all data is equal after moment {moment}");
        assert_eq!(sql(&file, "PRAGMA integrity_check"), "ok");
        complete_backup_exists(&home, &before);
    }
}

#[test]
fn b145_a_move_without_room_leaves_the_old_file_whole() {
    let home = home();
    let dead = old_file_with_log(home.path(), 1_500);
    let before = content(&dead.join("old.db"));
    let needed = std::fs::metadata(dead.join("old.db")).unwrap().len() / 1024;
    for kilobytes in [8, needed / 2, needed + 64] {
        let file = place_old(&home, &dead);
        // A process that may not write longer files meets the same as a full disk.
        let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec \"$0\" status --graph old");
        let limited = std::process::Command::new("bash")
            .args(["-c", &script, env!("CARGO_BIN_EXE_graph-mem")])
            .current_dir(home.path())
            .env("HOME", home.path())
            .env("GRAPHMEM_HOME", home.library())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&limited.stderr);
        assert!(!limited.status.success() && !errors.contains("panicked"), "{kilobytes} KiB: {errors}");
        assert!(content(&file) == before, "nothing is lost at {kilobytes} KiB");
        home.ok(&["status", "--graph", "old"]);
        assert!(content(&file) == before, "the next start, with room, completes the move");
        complete_backup_exists(&home, &before);
    }
}

#[test]
fn b007_a_damaged_graph_is_set_aside_and_its_name_is_free() {
    let (home, file) = library_with_work();
    let damaged = with_damaged_pages(&file, [8]);
    std::fs::write(&file, &damaged).unwrap();
    let refused = home.run(&["export", "--graph", "work"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--set-aside"), "the way out is told");
    home.ok(&["graphs", "--set-aside", "work"]);
    assert!(!file.exists() && still_there(&home, &damaged), "under another name, byte for byte");
    home.ok(&["graphs", "--create", "work"]);
}

#[test]
fn b146_many_processes_may_meet_on_an_old_file() {
    for _ in 0..3 {
        let home = home();
        std::fs::create_dir_all(home.library()).unwrap();
        std::fs::copy(data("graph-mem-1.0.0.db"), home.library().join("old.db")).unwrap();
        let mut agents: Vec<_> = (0..8)
            .map(|_| {
                let mut command = home.command();
                command.args(["server", "--graph", "old"]);
                gm_testkit::McpProcess::start_silent(command)
            })
            .collect();
        // Each is asked before any has answered.
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
        for agent in &mut agents {
            agent.send("initialize", hello.clone());
            agent.send_line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
            agent.send("tools/call", json!({ "name": "read_graph", "arguments": {} }));
        }
        for agent in &mut agents {
            let begun = agent.receive(Duration::from_secs(30)).expect("it begins");
            assert!(begun["error"].is_null(), "{begun}");
            let seen = agent.receive(Duration::from_secs(30)).expect("it answers");
            assert_eq!(seen["result"]["structuredContent"]["entities"], 123, "{seen}");
        }
        let backups = std::fs::read_dir(home.library().join("backups")).unwrap().count();
        assert_eq!(backups, 1, "moved once");
        let file = home.library().join("old.db");
        assert_eq!(sql(&file, "SELECT count(*) FROM applied_migrations WHERE name = '0001_init'"), "1");
        assert_eq!(sql(&file, "PRAGMA integrity_check"), "ok");
    }
}

#[test]
fn b148_files_of_other_stores_arrive_whole_and_stay_as_they_are() {
    let home = home();
    let source = data("server-memory-clean.jsonl");
    let original = std::fs::read(&source).unwrap();
    let report: Value = serde_json::from_str(&home.ok(&["import", &source, "--json"])).unwrap();
    assert_eq!((&report["applied"], &report["problem_count"]), (&json!(true), &json!(0)));
    let export: Value = serde_json::from_str(&home.ok(&["export"])).unwrap();
    let names: std::collections::HashMap<&str, &str> = export["entities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| (e["id"].as_str().unwrap(), e["name"].as_str().unwrap()))
        .collect();
    let text = String::from_utf8(original.clone()).unwrap();
    let records: Vec<Value> =
        text.split('\n').filter(|l| !l.is_empty()).map(|l| serde_json::from_str(l).unwrap()).collect();
    let mut edges: Vec<[String; 3]> = export["relationships"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| {
            let name = |end: &str| names[r[end].as_str().unwrap()].to_lowercase();
            [name("source_id"), name("target_id"), r["relationship_type"].as_str().unwrap().to_owned()]
        })
        .collect();
    let mut expected: Vec<[String; 3]> = records
        .iter()
        .filter(|r| r["type"] == "relation")
        .map(|r| ["from", "to", "relationType"].map(|field| r[field].as_str().unwrap().trim().to_lowercase()))
        .collect();
    edges.sort();
    expected.sort();
    expected.dedup();
    assert_eq!(edges, expected, "direction and type of every edge");
    let n_observations: usize = records
        .iter()
        .filter_map(|r| r["observations"].as_array())
        .map(|list| list.iter().collect::<std::collections::HashSet<_>>().len())
        .sum();
    assert_eq!(export["observations"].as_array().unwrap().len(), n_observations);
    assert_eq!(std::fs::read(&source).unwrap(), original, "the source is as it was");
    let again = home.ok(&["export"]);
    home.ok(&["import", &source]);
    assert_eq!(home.ok(&["export"]), again, "twice changes nothing");
}

#[test]
fn b148_a_database_of_graph_mem_1_0_arrives_with_dates_and_is_only_read() {
    let home = home();
    let source = home.path().join("theirs.db");
    std::fs::copy(data("graph-mem-1.0.0.db"), &source).unwrap();
    let original = std::fs::read(&source).unwrap();
    let mut permissions = std::fs::metadata(&source).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&source, permissions).unwrap();
    home.ok(&["import", source.to_str().unwrap()]);
    assert!(content(&home.library().join("theirs.db")) == content(&source), "ids, dates, weights, texts");
    assert_eq!(std::fs::read(&source).unwrap(), original);
    assert!(!home.path().join("theirs.db-wal").exists() && !home.path().join("theirs.db-shm").exists());
}

#[test]
fn b148_a_database_imported_twice_changes_nothing() {
    let home = home();
    let source = data("graph-mem-1.0.0.db");
    home.ok(&["import", &source]);
    let again: Value = serde_json::from_str(&home.ok(&["import", &source, "--json"])).unwrap();
    assert_eq!((&again["applied"], &again["known"]), (&json!(false), &json!(true)), "{again}");
    let listed: Value = serde_json::from_str(&home.ok(&["graphs", "--json"])).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
}

#[test]
fn a_database_leaves_nothing_behind_on_its_way_in() {
    let home = home();
    let source = data("graph-mem-1.0.0.db");
    home.ok(&["graphs", "--create", "notes"]);
    home.ok(&["--graph", "notes", "import", &source, "--dry-run"]);
    home.ok(&["--graph", "notes", "import", &source]);
    home.ok(&["import", &source]);
    let drafts = std::fs::read_dir(home.library().join("backups")).unwrap().count();
    assert_eq!(drafts, 0, "neither drafts nor backups of them");
    let mut beside: Vec<String> = std::fs::read_dir(home.library())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains(".db"))
        .collect();
    beside.sort();
    assert_eq!(beside, ["graph-mem-1-0-0.db", "notes.db"]);
    // A draft that a killed import left is looked into by a purge.
    let left = home.library().join("backups/import-01m0");
    std::fs::create_dir(&left).unwrap();
    std::fs::copy(home.library().join("notes.db"), left.join("copy.db")).unwrap();
    let plan = home.run(&["purge", "--graph", "notes", "--entity", &any_name(&home), "--json"]);
    let plan: Value = serde_json::from_slice(&plan.stdout).unwrap();
    assert_eq!(plan["copies"].as_array().unwrap().len(), 1, "{plan}");
}

fn any_name(home: &gm_testkit::Home) -> String {
    sql(&home.library().join("notes.db"), "SELECT name FROM entities LIMIT 1").trim().to_owned()
}

#[test]
fn a_file_put_in_place_of_an_open_one_is_not_mixed_with_the_old_log() {
    let home = home();
    let entity = |name: &str| json!({ "entities": [{ "name": name, "entity_type": "t" }] });
    let mut first = home.server(&[]);
    first.call("add_entities", entity("new"));
    assert!(first.close(std::time::Duration::from_secs(10)).is_some());
    let path = home.library().join("graph.db");
    let other = home.library().join("other");
    std::fs::rename(&path, &other).unwrap();
    let mut agent = home.server(&[]);
    agent.call("add_entities", entity("old"));
    std::fs::rename(&other, &path).unwrap();
    assert!(agent.close(std::time::Duration::from_secs(10)).is_some());
    let listed = home.server(&[]).call("list_entities", json!({}));
    assert_eq!((&listed["count"], &listed["results"][0]["name"]), (&json!(1), &json!("new")));
    home.ok(&["validate"]);
}

#[test]
fn one_graph_that_cannot_be_looked_at_does_not_hide_the_others() {
    let home = home();
    home.ok(&["graphs", "--create", "good"]);
    std::fs::write(home.library().join("empty.db"), "").unwrap();
    std::fs::write(home.library().join("text.db"), "not a database, not a database").unwrap();
    let looked = home.run(&["validate", "--all"]);
    let told = String::from_utf8_lossy(&looked.stdout).into_owned();
    assert_eq!(looked.status.code(), Some(1), "{told}");
    assert!(
        told.contains("`empty`") && told.contains("`good` is sound") && told.contains("`text`"),
        "{told}"
    );
}

#[test]
fn b148_a_database_is_merged_into_the_graph_that_was_named() {
    let home = home();
    let source = data("graph-mem-1.0.0.db");
    home.ok(&["graphs", "--create", "notes"]);
    home.ok(&["--graph", "notes", "import", &source]);
    let notes = home.library().join("notes.db");
    assert!(content(&notes) == content(std::path::Path::new(&source)), "ids, dates, weights, texts");
    let again: Value =
        serde_json::from_str(&home.ok(&["--graph", "notes", "import", &source, "--json"])).unwrap();
    for kind in ["entities", "relationships", "observations"] {
        assert_eq!((&again[kind]["new"], &again[kind]["changed"]), (&json!(0), &json!(0)), "{kind}: {again}");
    }
    let left: Vec<_> = std::fs::read_dir(home.library()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!left.iter().any(|file| file.to_string_lossy().starts_with('.')), "{left:?}");
}
