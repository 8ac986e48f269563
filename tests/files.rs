//! Import and export.

use serde_json::{Value, json};

use crate::{data, home, sql};

fn counts(home: &gm_testkit::Home, graph: &str) -> (u64, u64, u64) {
    let status: Value = serde_json::from_str(&home.ok(&["status", "--json", "--graph", graph])).unwrap();
    let n = |field: &str| status[field].as_u64().unwrap();
    (n("entities"), n("relationships"), n("observations"))
}

fn count_lines(name: &str, kind: &str) -> u64 {
    let text = std::fs::read_to_string(data(name)).unwrap();
    text.split('\n').filter(|line| line.starts_with(&format!("{{\"type\":\"{kind}\""))).count() as u64
}

#[test]
fn a_file_of_the_official_memory_server_arrives_whole() {
    let home = home();
    home.ok(&["import", &data("server-memory-clean.jsonl")]);
    let (entities, relationships, _) = counts(&home, "default");
    assert!(entities >= 300);
    assert_eq!(entities, count_lines("server-memory-clean.jsonl", "entity"));
    assert_eq!(relationships, count_lines("server-memory-clean.jsonl", "relation"));
    home.ok(&["import", &data("server-memory-tiny.jsonl"), "--graph", "default"]);
}

#[test]
fn b031_relations_to_nobody_are_refused_and_listed() {
    let home = home();
    let output = home.run(&["import", &data("server-memory-320.jsonl"), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let lines: Vec<u64> =
        report["problems"].as_array().unwrap().iter().map(|p| p["line"].as_u64().unwrap()).collect();
    assert_eq!((lines, report["applied"].as_bool()), (vec![799, 800], Some(false)));
    assert_eq!(counts(&home, "default"), (0, 0, 0), "nothing was imported");
}

#[test]
fn b019_bad_lines_are_listed_and_can_be_skipped() {
    let home = home();
    let lines: Vec<String> = (1..=100)
        .map(|i| match i {
            10 => r#"{"type":"entity""#.to_owned(),
            20 => r#"{"type":"entity","name":"n20","observations":[]}"#.to_owned(),
            30 => r#"{"type":"entity","name":"n30","entityType":"t","observations":[null]}"#.to_owned(),
            40 => r#"{"type":"mystery","name":"n40"}"#.to_owned(),
            _ => format!(r#"{{"type":"entity","name":"n{i}","entityType":"t","observations":["o"]}}"#),
        })
        .collect();
    let file = home.file("m.jsonl", lines.join("\n"));
    let refused = home.run(&["import", &file, "--json"]);
    let report: Value = serde_json::from_slice(&refused.stdout).unwrap();
    let bad: Vec<u64> =
        report["problems"].as_array().unwrap().iter().map(|p| p["line"].as_u64().unwrap()).collect();
    assert_eq!((refused.status.code(), bad), (Some(1), vec![10, 20, 30, 40]));
    assert_eq!(counts(&home, "default").0, 0);
    let report: Value =
        serde_json::from_str(&home.ok(&["import", &file, "--skip-invalid", "--json"])).unwrap();
    assert_eq!((report["entities"]["new"].as_u64(), report["problem_count"].as_u64()), (Some(96), Some(4)));
    let rejected = std::fs::read_to_string(report["rejected_file"].as_str().unwrap()).unwrap();
    assert_eq!(rejected.lines().count(), 4);
    assert_eq!(rejected.lines().next(), Some(r#"{"type":"entity""#));
}

#[test]
fn b020_harmless_variations_of_a_text_file_are_read() {
    let record = |i: u32| format!(r#"{{"type":"entity","name":"n{i}","entityType":"t","observations":[]}}"#);
    let five: Vec<String> = (1..=5).map(record).collect();
    let variants = [
        format!("\u{feff}{}\r\n", five.join("\r\n")),
        format!("{}\n\n   \n{}", five[..2].join("\n"), five[2..].join("\n")),
        five.join("\n"),
        format!("{}{}\n{}", five[0], five[1], five[2..].join("\n")),
        format!("[{}]", five.join(",")),
        format!(r#"{{"entities":[{}],"relations":[]}}"#, five.join(",")),
    ];
    for (i, text) in variants.iter().enumerate() {
        let home = home();
        let file = home.file("m.jsonl", text);
        home.ok(&["import", &file]);
        assert_eq!(counts(&home, "default").0, 5, "variant {i}");
    }
}

#[test]
fn b022_a_failed_import_leaves_the_graph_as_it_was() {
    let home = home();
    home.server(&[]).call("add_entities", json!({ "entities": [{ "name": "Before", "entity_type": "t" }] }));
    let before = home.ok(&["export"]);
    let entity = |i: u32| json!({ "id": format!("e{i}"), "name": format!("n{i}"), "entity_type": "t", "created_at": 1.0, "updated_at": 1.0 });
    let mut file = json!({
        "format": "graph-mem", "version": 1,
        "entities": (0..1000).map(entity).collect::<Vec<_>>(),
        "relationships": [{ "id": "r1", "source_id": "e1", "target_id": "e2", "relationship_type": "r", "weight": 7, "created_at": 1.0, "updated_at": 1.0 }],
        "observations": [],
    });
    let path = home.file("snapshot.json", file.to_string());
    let refused = home.run(&["import", &path]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stdout).contains("relationships 1: `weight`"));
    assert_eq!(home.ok(&["export"]), before, "ids and times included");
    file["relationships"][0]["weight"] = json!(0.7);
    home.ok(&["import", &home.file("snapshot.json", file.to_string())]);
    assert_eq!(counts(&home, "default").0, 1001);
}

#[test]
fn b023_importing_twice_changes_nothing() {
    let home = home();
    home.ok(&["import", &data("server-memory-clean.jsonl")]);
    let exported = home.ok(&["export"]);
    let file = home.file("g.json", &exported);
    home.ok(&["graphs", "--create", "copy"]);
    for graph in ["default", "copy"] {
        for _ in 0..2 {
            home.ok(&["import", &file, "--graph", graph]);
        }
        assert_eq!(home.ok(&["export", "--graph", graph]), exported, "lossless, and again the same");
    }
    let report: Value = serde_json::from_str(&home.ok(&["import", &file, "--json"])).unwrap();
    for kind in ["entities", "relationships", "observations"] {
        assert_eq!(
            (report[kind]["new"].as_u64(), report[kind]["changed"].as_u64()),
            (Some(0), Some(0)),
            "{kind}"
        );
    }
}

#[test]
fn b025_exact_strings_survive_export_and_import() {
    let home = home();
    let names = ["R&D <core>", "tab\tname", "bell\u{7}", "esc\u{1b}[31m", "quote\"'", "emoji 🧭"];
    let entities: Vec<Value> = names.iter().map(|name| json!({ "name": name, "entity_type": "t" })).collect();
    home.server(&[]).call("add_entities", json!({ "entities": entities }));
    let export: Value = serde_json::from_str(&home.ok(&["export"])).unwrap();
    let exported: Vec<&str> =
        export["entities"].as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(exported, names);
}

#[test]
fn b028_an_export_of_a_newer_version_is_refused_naming_both() {
    let home = home();
    let file = home.file(
        "new.json",
        r#"{"format":"graph-mem","version":2,"future":1,"entities":[],"relationships":[],"observations":[]}"#,
    );
    let refused = home.run(&["import", &file]);
    let message = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && message.contains("version 2") && message.contains("up to 1"),
        "{message}"
    );
}

#[test]
fn the_json_export_of_graph_mem_1_0_is_read_with_ids_and_times() {
    let home = home();
    home.ok(&["import", &data("graph-mem-1.0.0-export.json")]);
    assert_eq!(counts(&home, "default"), (123, 201, 271));
    let source: Value =
        serde_json::from_str(&std::fs::read_to_string(data("graph-mem-1.0.0-export.json")).unwrap()).unwrap();
    let ours: Value = serde_json::from_str(&home.ok(&["export"])).unwrap();
    let by_id = |list: &Value| -> std::collections::BTreeMap<String, (Value, Value)> {
        let items = list.as_array().unwrap().iter();
        items
            .map(|o| (o["id"].as_str().unwrap().to_owned(), (o["created_at"].clone(), o["content"].clone())))
            .collect()
    };
    assert_eq!(by_id(&source["observations"]), by_id(&ours["observations"]));
}

#[test]
fn exports_and_libraries_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let home = home();
    let out = home.path().join("out.json");
    home.server(&[]).call("add_entities", json!({ "entities": [{ "name": "A", "entity_type": "t" }] }));
    home.ok(&["export", "--output", out.to_str().unwrap()]);
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&home.library()), 0o700);
    for file in [out, home.library().join("graph.db"), home.library().join("state.sqlite")] {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    assert_eq!(sql(&home.library().join("graph.db"), "PRAGMA journal_mode"), "wal");
}

#[test]
fn files_that_are_no_graph_are_refused_and_stay_as_they_are() {
    let home = home();
    home.ok(&["graphs"]);
    let foreign = home.library().join("foreign.db");
    let connection = rusqlite::Connection::open(&foreign).unwrap();
    connection.execute_batch("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('x');").unwrap();
    drop(connection);
    std::fs::write(home.library().join("broken.db"), "just text, no database at all").unwrap();
    let before = (std::fs::read(&foreign).unwrap(), std::fs::read(home.library().join("broken.db")).unwrap());
    let mut agent = home.server(&[]);
    let listed = agent.call("list_graphs", json!({}));
    for name in ["foreign", "broken"] {
        let graph = listed["graphs"].as_array().unwrap().iter().find(|g| g["name"] == name).unwrap();
        assert_eq!(graph["unreadable"], true, "{graph}");
        agent.refused("switch_graph", json!({ "name": name }));
        assert!(!home.run(&["status", "--graph", name]).status.success());
    }
    agent.call("add_entities", json!({ "entities": [{ "name": "A", "entity_type": "t" }] }));
    assert_eq!(
        before,
        (std::fs::read(&foreign).unwrap(), std::fs::read(home.library().join("broken.db")).unwrap())
    );
    assert!(!home.library().join("foreign.db-wal").exists(), "not even a log is left beside it");
}

#[test]
fn ids_that_stand_twice_are_told_and_edits_of_an_export_are_taken() {
    let home = home();
    let object = |id: &str, name: &str| json!({ "id": id, "name": name, "entity_type": "t", "created_at": 1.0, "updated_at": 1.0 });
    let note = |id: &str, entity: &str, text: &str| json!({ "id": id, "entity_id": entity, "content": text, "created_at": 1.0 });
    let file = |entities: Value, observations: Value| {
        json!({ "format": "graph-mem", "version": 1, "entities": entities, "relationships": [], "observations": observations }).to_string()
    };
    let doubled = file(
        json!([object("e1", "A"), object("e2", "B")]),
        json!([note("o1", "e1", "first"), note("o1", "e2", "second")]),
    );
    let refused = home.run(&["import", &home.file("doubled.json", doubled)]);
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stdout).contains("earlier record"));
    home.ok(&[
        "import",
        &home.file("one.json", file(json!([object("e1", "A")]), json!([note("o1", "e1", "first")]))),
    ]);
    let edited = file(json!([object("e1", "A renamed")]), json!([note("o1", "e1", "first, reworded")]));
    let report: Value =
        serde_json::from_str(&home.ok(&["import", &home.file("edited.json", edited), "--json"])).unwrap();
    assert_eq!((&report["entities"]["changed"], &report["observations"]["changed"]), (&json!(1), &json!(1)));
    let export = home.ok(&["export"]);
    assert!(export.contains("A renamed") && export.contains("first, reworded"));
    for bad in [
        object("", "X"),
        object(&"i".repeat(65), "X"),
        json!({ "id": "e9", "name": "X", "entity_type": "t", "created_at": 1e300, "updated_at": 1.0 }),
    ] {
        assert!(
            !home.run(&["import", &home.file("bad.json", file(json!([bad]), json!([])))]).status.success()
        );
    }
}

#[test]
fn a_pipe_is_read_whole() {
    let home = home();
    let fifo = home.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let writer = {
        let fifo = fifo.clone();
        std::thread::spawn(move || std::fs::copy(data("server-memory-tiny.jsonl"), fifo).is_ok())
    };
    home.ok(&["import", fifo.to_str().unwrap()]);
    writer.join().unwrap();
    assert_eq!(counts(&home, "default").0, 6);
}
