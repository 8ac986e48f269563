//! The commands that look after a library: each as a person or a script meets it.

use std::path::Path;
use std::process::Output;

use gm_testkit::Home;
use serde_json::{Value, json};

use crate::{data, home};

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs a command in a folder of its own and gives its whole outcome.
fn run_in(home: &Home, folder: &Path, arguments: &[&str]) -> Output {
    home.command().current_dir(folder).args(arguments).output().expect("the binary starts")
}

fn add(home: &Home, names: &[&str]) {
    let entities: Vec<Value> = names.iter().map(|name| json!({ "name": name, "entity_type": "t" })).collect();
    home.server(&["--as", "tester"]).call("add_entities", json!({ "entities": entities }));
}

#[cfg(unix)]
#[test]
fn init_makes_a_private_project_library_that_commands_below_it_find() {
    use std::os::unix::fs::PermissionsExt;
    let home = home();
    let project = home.path().join("project");
    std::fs::create_dir_all(project.join("src")).unwrap();
    std::fs::create_dir(project.join(".git")).unwrap();
    let first = run_in(&home, &project, &["init", "notes"]);
    assert!(first.status.success(), "{}", stderr(&first));
    assert!(stdout(&first).contains("\"--db\""), "it says how to attach: {}", stdout(&first));
    assert!(stderr(&first).contains("add `.graphmem/` to"), "{}", stderr(&first));
    assert!(!project.join(".gitignore").exists(), "a hint writes nothing");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let library = project.join(".graphmem");
    assert_eq!((mode(&library), mode(&library.join("graph.db"))), (0o700, 0o600));
    let file = |folder: &Path| stdout(&run_in(&home, folder, &["status", "--json"]));
    assert!(file(&project.join("src")).contains("project/.graphmem/graph.db"));
    std::fs::write(project.join(".gitignore"), "target\n/.graphmem/\n").unwrap();
    let again = run_in(&home, &project, &["init", "notes"]);
    assert!(again.status.success() && stdout(&again).contains("found library"), "{}", stdout(&again));
    assert!(!stderr(&again).contains(".gitignore"), "{}", stderr(&again));
    let graphs = stdout(&run_in(&home, &project, &["graphs"]));
    assert!(graphs.contains("default") && graphs.contains("notes"), "{graphs}");
    assert_eq!(run_in(&home, &project, &["init", "--db", "x.db"]).status.code(), Some(2));
    assert_eq!(run_in(&home, &project, &["init", "--project-dir", "nowhere"]).status.code(), Some(2));
}

#[test]
fn exit_codes_tell_what_kind_of_failure_it_was() {
    let home = home();
    add(&home, &["A"]);
    let code = |arguments: &[&str]| home.run(arguments).status.code();
    assert_eq!(code(&["status"]), Some(0));
    assert_eq!(code(&["import", &home.file("bad.jsonl", "{\"type\":\"mystery\"}\n")]), Some(1));
    assert_eq!(code(&["no-such-command"]), Some(2));
    assert_eq!(code(&["graphs", "--create", "../x"]), Some(2));
    assert_eq!(code(&["status", "--graph", "nowhere"]), Some(4));
    assert_eq!(code(&["undo", "nothing"]), Some(4));
    assert_eq!(code(&["agents", "--revoke", "nobody"]), Some(4));
    let help = home.ok(&["--help"]);
    assert!(help.contains("Exit status:") && help.contains("3  busy"), "{help}");
}

fn graph_file(home: &Home) -> std::path::PathBuf {
    home.library().join("graph.db")
}

fn tamper(home: &Home, statements: &str) {
    let connection = rusqlite::Connection::open(graph_file(home)).unwrap();
    connection.execute_batch(statements).unwrap();
}

fn findings(home: &Home) -> Vec<String> {
    let output = home.run(&["validate", "--json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer");
    let list = answer["graphs"][0]["findings"].as_array().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(!list.is_empty())), "{answer}");
    list.iter().map(|finding| finding["check"].as_str().unwrap().to_owned()).collect()
}

/// A graph after a life: imported, written by an agent, merged, renamed, deleted, undone.
fn lived_in(home: &Home) {
    home.ok(&["import", &data("graph-mem-1.0.0-export.json")]);
    let mut agent = home.server(&["--as", "tester"]);
    let entity = |name: &str| json!({ "name": name, "entity_type": "t", "description": "d", "properties": { "f": 0.1 }, "observations": ["one", "two"] });
    agent.call("add_entities", json!({ "entities": [entity("Anna"), entity("Ännchen"), entity("Bert")] }));
    agent.call(
        "add_relationships",
        json!({ "relationships": [
        { "source": "Anna", "target": "Bert", "relationship_type": "knows", "weight": 0.3 },
        { "source": "Ännchen", "target": "Bert", "relationship_type": "knows" },
    ] }),
    );
    agent.call("update_entity", json!({ "name": "Bert", "new_name": "Robert" }));
    agent.call("merge_entities", json!({ "target": "Anna", "source": "Ännchen" }));
    agent.call("delete_entities", json!({ "names": ["Robert"] }));
    drop(agent);
    let log = home.ok(&["log", "--json", "-n", "1"]);
    let newest: Value = serde_json::from_str(&log).unwrap();
    home.ok(&["undo", newest["transaction"].as_str().unwrap()]);
}

#[test]
fn a_graph_after_a_life_is_sound() {
    let home = home();
    lived_in(&home);
    assert_eq!(findings(&home), Vec::<String>::new());
    assert!(home.ok(&["validate"]).contains("graph `default` is sound"));
    home.ok(&["graphs", "--create", "other"]);
    let all: Value = serde_json::from_str(&home.ok(&["validate", "--all", "--json"])).unwrap();
    assert_eq!(all["graphs"].as_array().unwrap().len(), 2);
    assert_eq!(home.run(&["validate", "--graph", "nowhere"]).status.code(), Some(4));
}

#[test]
fn derived_data_that_is_wrong_is_found_and_made_anew() {
    let damages = [
        ("UPDATE counters SET n = n + 1 WHERE kind = 'entity' AND key = '';", "counters"),
        ("UPDATE entity_stats SET degree = degree + 1;", "entity_stats"),
        ("UPDATE entities SET name_key = name_key || 'x';", "name_keys"),
        ("UPDATE entities SET search_body = 'other';", "search_text"),
        ("UPDATE observations SET search_text = 'other';", "search_text"),
        ("UPDATE observations SET entity_rid = 7;", "row_numbers"),
        ("DELETE FROM entities_fts_data WHERE id > 10;", "text_index"),
        ("INSERT INTO observations_fts (observations_fts) VALUES ('delete-all');", "text_index"),
    ];
    let home = home();
    lived_in(&home);
    let before = home.ok(&["export"]);
    for (statement, check) in damages {
        tamper(&home, statement);
        let found = findings(&home);
        assert!(found.contains(&check.to_owned()), "{statement}: {found:?}");
        let repaired = home.ok(&["validate", "--repair"]);
        assert!(repaired.contains("anew") && repaired.contains("is sound"), "{statement}: {repaired}");
        assert_eq!(findings(&home), Vec::<String>::new(), "{statement}");
    }
    assert_eq!(home.ok(&["export"]), before, "what was written is left as it is");
}

#[test]
fn data_that_is_wrong_is_found_and_left_as_it_is() {
    let damages = [
        ("UPDATE entities SET properties = '[]' WHERE name = 'Anna';", "properties"),
        (
            "UPDATE entities SET description = 'secretly', search_body = 't secretly' WHERE name = 'Anna';",
            "journal_state",
        ),
        ("DELETE FROM journal WHERE seq = (SELECT max(seq) - 1 FROM journal);", "journal_sequence"),
        ("UPDATE journal SET after = '{' WHERE seq = (SELECT max(seq) FROM journal);", "journal_rows"),
        ("INSERT INTO undo_links VALUES ('nobody', 'nothing', 'undo');", "undo_links"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM entities WHERE name = 'Robert';", "dangling"),
        ("PRAGMA ignore_check_constraints = ON; UPDATE relationships SET weight = 3;", "weights"),
    ];
    for (statement, check) in damages {
        let home = home();
        lived_in(&home);
        tamper(&home, statement);
        let found = findings(&home);
        assert!(found.contains(&check.to_owned()), "{statement}: {found:?}");
        let told = stdout(&home.run(&["validate", "--repair"]));
        assert!(!told.contains("secretly") && !told.contains("Anna"), "no memory text: {told}");
        assert!(findings(&home).contains(&check.to_owned()), "{statement}: a person has to decide");
    }
}

#[test]
fn a_damaged_file_is_a_finding_and_stays_byte_for_byte() {
    let home = home();
    lived_in(&home);
    let file = graph_file(&home);
    // Leaves everything in the one file.
    tamper(&home, "PRAGMA journal_mode = DELETE;");
    let whole = std::fs::read(&file).unwrap();
    let mut holed = whole.clone();
    let half = holed.len() / 2;
    holed[half..half + 20_000].fill(0x5a);
    for bytes in [holed, whole[..5_000].to_vec(), b"no database at all, just some text".to_vec()] {
        std::fs::write(&file, &bytes).unwrap();
        for arguments in [&["validate"][..], &["validate", "--repair"]] {
            let output = home.run(arguments);
            assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
            assert!(stdout(&output).contains("finding"), "{}", stdout(&output));
        }
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
        assert!(!home.library().join("graph.db-wal").exists());
    }
}
