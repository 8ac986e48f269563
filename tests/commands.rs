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

fn newest_transaction(home: &Home) -> String {
    let row: Value = serde_json::from_str(&home.ok(&["log", "--json", "-n", "1"])).unwrap();
    row["transaction"].as_str().unwrap().to_owned()
}

#[test]
fn a_backup_is_one_checked_file_that_opens_elsewhere() {
    let home = home();
    lived_in(&home);
    let exported = home.ok(&["export"]);
    let copy = home.path().join("copy.db");
    let copy = copy.to_str().unwrap();
    home.ok(&["backup", "--output", copy]);
    assert!(!Path::new(&format!("{copy}-wal")).exists() && !Path::new(&format!("{copy}.part")).exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(copy).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(home.ok(&["export", "--db", copy]), exported);
    let before = std::fs::read(copy).unwrap();
    add(&home, &["Later"]);
    let refused = home.run(&["backup", "-o", copy]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("--force"), "{}", stderr(&refused));
    assert_eq!(std::fs::read(copy).unwrap(), before);
    home.ok(&["backup", "-o", copy, "--force"]);
    assert!(home.ok(&["export", "--db", copy]).contains("Later"));
    let graph = graph_file(&home);
    let onto_itself = home.run(&["backup", "-o", graph.to_str().unwrap(), "--force"]);
    assert_eq!(onto_itself.status.code(), Some(1), "a live graph is never written over");
    for _ in 0..2 {
        let made: Value = serde_json::from_str(&home.ok(&["backup", "--json"])).unwrap();
        let file = made["file"].as_str().unwrap();
        assert!(file.contains("library/backups/default-20") && Path::new(file).exists(), "{file}");
    }
}

#[test]
fn a_backup_made_while_others_write_is_one_moment() {
    let home = home();
    lived_in(&home);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| {
            let mut agent = home.server(&["--as", "busy"]);
            let mut n = 0;
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                let entity = |side: &str| json!({ "name": format!("{side} {n}"), "entity_type": "pair", "observations": ["o"] });
                agent.call("add_entities", json!({ "entities": [entity("left"), entity("right")] }));
                n += 1;
            }
            n
        });
        for i in 0..5 {
            let copy = home.path().join(format!("copy{i}.db"));
            home.ok(&["backup", "-o", copy.to_str().unwrap()]);
            let output = home.run(&["validate", "--json", "--db", copy.to_str().unwrap()]);
            assert!(output.status.success(), "{}", stdout(&output));
            assert_eq!(findings(&home), Vec::<String>::new(), "the live graph, looked at meanwhile");
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(writing.join().unwrap() > 0);
    });
}

#[test]
fn a_restore_is_a_change_like_any_other_and_can_be_taken_back() {
    let home = home();
    lived_in(&home);
    let mut agent = home.server(&["--as", "tester"]);
    agent.call(
        "add_entities",
        json!({ "entities": [{ "name": "X", "entity_type": "t" }, { "name": "Y", "entity_type": "t" }] }),
    );
    let copy = home.path().join("copy.db");
    let copy = copy.to_str().unwrap();
    home.ok(&["backup", "-o", copy]);
    let backed_up = home.ok(&["export"]);
    // Two names swapped, a merge, a deletion, something new: all while an agent has the graph open.
    for (name, new) in [("X", "Z"), ("Y", "X"), ("Z", "Y")] {
        agent.call("update_entity", json!({ "name": name, "new_name": new }));
    }
    agent.call("merge_entities", json!({ "target": "Anna", "source": "Robert" }));
    agent.call(
        "add_relationships",
        json!({ "relationships": [{ "source": "Anna", "target": "X", "relationship_type": "r" }] }),
    );
    agent.call("delete_entities", json!({ "names": ["Y"] }));
    agent.call(
        "add_entities",
        json!({ "entities": [{ "name": "Y", "entity_type": "t", "observations": ["another"] }] }),
    );
    let since = home.ok(&["export"]);
    assert_ne!(since, backed_up);
    home.ok(&["restore", copy]);
    let mut same = backed_up.clone();
    assert_eq!(home.ok(&["export"]), same, "as it was backed up");
    assert_eq!(findings(&home), Vec::<String>::new());
    let seen = agent.call("get_entity", json!({ "name": "X" })).to_string();
    assert!(seen.contains("\"name\":\"X\""), "the agent goes on: {seen}");
    assert!(home.ok(&["restore", copy]).contains("already"), "again changes nothing");
    let restore = newest_transaction(&home);
    home.ok(&["undo", &restore]);
    same = home.ok(&["export"]);
    assert_eq!(same, since, "taken back whole");
    assert_eq!(findings(&home), Vec::<String>::new());
    let leftovers = std::fs::read_dir(home.library().join("backups")).unwrap().count();
    assert_eq!(leftovers, 0, "drafts are gone");
    assert_eq!(home.run(&["restore", "nowhere.db"]).status.code(), Some(4));
    assert_eq!(
        home.run(&["restore", &home.file("x.db", "just text, and enough of it")]).status.code(),
        Some(1)
    );
    agent.call("search_nodes", json!({ "query": "Anna" }));
}

#[test]
fn an_older_file_is_restored_as_well() {
    let home = home();
    let old = home.path().join("old.db");
    std::fs::copy(data("graph-mem-1.0.0.db"), &old).unwrap();
    let before = std::fs::read(&old).unwrap();
    home.ok(&["restore", old.to_str().unwrap()]);
    assert_eq!(std::fs::read(&old).unwrap(), before);
    assert_eq!(findings(&home), Vec::<String>::new());
    let status: Value = serde_json::from_str(&home.ok(&["status", "--json"])).unwrap();
    assert!(status["entities"].as_u64().unwrap() > 100);
}

#[test]
fn trim_ends_the_history_and_leaves_the_graph() {
    let home = home();
    let mut agent = home.server(&["--as", "tester"]);
    agent.call("add_entities", json!({ "entities": [{ "name": "old", "entity_type": "t" }, { "name": "gone", "entity_type": "t" }] }));
    agent.call("delete_entities", json!({ "names": ["gone"] }));
    agent.call("find_connections", json!({ "entity_name": "old" }));
    // As if it had been long ago.
    tamper(&home, "UPDATE transactions SET time = time - 864000;");
    agent.call("add_entities", json!({ "entities": [{ "name": "new", "entity_type": "t" }] }));
    let exported = home.ok(&["export"]);
    let log = || home.ok(&["log", "--json"]).lines().count();
    assert_eq!(log(), 3);

    let told: Value = serde_json::from_str(&home.ok(&["trim", "--keep-days", "9", "--json"])).unwrap();
    assert_eq!(
        (&told["applied"], &told["transactions"], &told["changes"]),
        (&json!(false), &json!(2), &json!(3))
    );
    assert_eq!(log(), 3, "only told");
    assert!(home.ok(&["trim", "--keep-days", "11", "--yes"]).contains("0 transactions"));
    home.ok(&["trim", "--keep-days", "9", "--yes"]);
    assert_eq!(log(), 1);
    assert_eq!(home.ok(&["export"]), exported);
    assert_eq!(findings(&home), Vec::<String>::new());
    // Whoever follows the graph goes on, and what is left can be taken back.
    agent.call(
        "add_relationships",
        json!({ "relationships": [{ "source": "old", "target": "new", "relationship_type": "r" }] }),
    );
    assert_eq!(agent.call("find_connections", json!({ "entity_name": "old" }))["count"], 1);
    assert!(!home.run(&["log", "--entity", "gone"]).status.success());
    let newest: Value = serde_json::from_str(home.ok(&["log", "--json"]).lines().next().unwrap()).unwrap();
    home.ok(&["undo", newest["transaction"].as_str().unwrap()]);
    assert_eq!(home.ok(&["export"]), exported);
    // An empty journal still counts on.
    home.ok(&["trim", "--keep-days", "0", "--yes"]);
    assert_eq!(log(), 0);
    agent.call("add_entities", json!({ "entities": [{ "name": "last", "entity_type": "t" }] }));
    assert_eq!(log(), 1);
    assert_eq!(findings(&home), Vec::<String>::new());
}

#[test]
fn vacuum_gives_space_back_unless_somebody_writes() {
    let home = home();
    let text = "word ".repeat(2_000);
    let entities: Vec<Value> = (0..200)
        .map(|i| json!({ "name": format!("n{i}"), "entity_type": "t", "description": format!("{text} {i}") }))
        .collect();
    let mut agent = home.server(&["--as", "tester"]);
    agent.call("add_entities", json!({ "entities": entities }));
    tamper(&home, "DELETE FROM journal WHERE seq < 100;");
    let exported = home.ok(&["export"]);
    let done: Value = serde_json::from_str(&home.ok(&["vacuum", "--json"])).unwrap();
    assert!(done["bytes_after"].as_u64() < done["bytes_before"].as_u64(), "{done}");
    assert_eq!(home.ok(&["export"]), exported);
    agent.call("add_entities", json!({ "entities": [{ "name": "after", "entity_type": "t" }] }));
    let mut writer = rusqlite::Connection::open(graph_file(&home)).unwrap();
    let writing = writer.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    let refused = home.run(&["vacuum"]);
    assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("write lock"), "{}", stderr(&refused));
    drop(writing);
    // A reader in the middle of its work keeps its moment.
    let reading = writer.transaction().unwrap();
    let count = |tx: &rusqlite::Transaction<'_>| {
        tx.query_row("SELECT count(*) FROM entities", [], |row| row.get::<_, i64>(0)).unwrap()
    };
    assert_eq!(count(&reading), 201);
    home.ok(&["vacuum"]);
    assert_eq!(count(&reading), 201);
    assert_eq!(home.ok(&["export"]).matches("\"name\"").count(), 201);
}

#[test]
fn config_tells_every_setting_and_where_it_comes_from() {
    let home = home();
    let sources = |home: &Home,
                   more: &[&str],
                   variable: Option<&str>|
     -> std::collections::BTreeMap<String, (String, String)> {
        let mut command = home.command();
        command.args(["config", "--json"]).args(more);
        if let Some(value) = variable {
            command.env("GRAPHMEM_GRAPH", value).env("GRAPHMEM_TRAVERSAL_NODE_BUDGET", "70");
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let rows = answer["settings"].as_array().unwrap().iter();
        rows.map(|row| (text(&row["key"]), (text(&row["value"]), text(&row["source"])))).collect()
    };
    let pair = |value: &str, source: &str| (value.to_owned(), source.to_owned());
    let first = sources(&home, &[], None);
    assert_eq!(first["graph"], pair("default", "default"));
    assert_eq!(first["home"].1, "environment");
    assert_eq!(first["port"], pair("7437", "default"));
    assert_eq!(first["log"], pair("warn", "default"));
    assert_eq!(first["traversal_node_budget"], pair("5000", "default"));
    assert!(!home.library().exists(), "asking makes nothing");
    home.ok(&["config", "--edit", "graph=notes", "port=7555", "traversal_node_budget=60"]);
    let set = sources(&home, &[], None);
    assert_eq!(set["graph"], pair("notes", "configuration"));
    assert_eq!(set["port"], pair("7555", "configuration"));
    assert_eq!(set["traversal_node_budget"], pair("60", "configuration"));
    let set = sources(&home, &[], Some("work"));
    assert_eq!(set["graph"], pair("work", "environment"));
    assert_eq!(set["traversal_node_budget"], pair("70", "environment"));
    assert_eq!(sources(&home, &["--graph", "third"], Some("work"))["graph"], pair("third", "flag"));
    let shown = home.ok(&["config"]);
    assert!(shown.contains("traversal_node_budget") && shown.contains("configuration"), "{shown}");
}

#[test]
fn a_configuration_is_obeyed_and_its_mistakes_are_named() {
    let home = home();
    home.ok(&["graphs", "--create", "notes"]);
    home.ok(&["config", "--edit", "graph=notes"]);
    assert!(home.ok(&["status"]).contains("graph          notes"));
    let file = home.library().join("config.toml");
    std::fs::write(&file, "# mine\ngraph = \"notes\" # stays\n").unwrap();
    home.ok(&["config", "--edit", "log=info"]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("# mine") && text.contains("# stays") && text.contains("log = \"info\""), "{text}");
    let refused = |expected: &str, output: Output| {
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    };
    refused("1 to 65535", home.run(&["config", "--edit", "port=high"]));
    refused("did you mean `graph`", home.run(&["config", "--edit", "grahp=x"]));
    refused("KEY=VALUE", home.run(&["config", "--edit", "graph"]));
    refused("GRAPHMEM_HOME", home.run(&["config", "--edit", "home=/x"]));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "all or nothing");
    std::fs::write(&file, "graph = \"notes\"\ntraversal_budget = 5\n").unwrap();
    refused("did you mean `traversal_node_budget`", home.run(&["status"]));
    home.ok(&["config", "--edit", "traversal_budget="]);
    home.ok(&["status"]);
    std::fs::write(&file, "graph = \n").unwrap();
    refused("line 1", home.run(&["status"]));
    std::fs::write(&file, "traversal_node_budget = 0\n").unwrap();
    refused("above 0", home.run(&["status"]));
}

#[test]
fn the_traversal_budget_of_the_configuration_bounds_a_walk() {
    let home = home();
    let mut agent = home.server(&["--as", "tester"]);
    let entities: Vec<Value> =
        (0..12).map(|i| json!({ "name": format!("n{i}"), "entity_type": "t" })).collect();
    agent.call("add_entities", json!({ "entities": entities }));
    let edges: Vec<Value> = (1..12)
        .map(|i| json!({ "source": "n0", "target": format!("n{i}"), "relationship_type": "r" }))
        .collect();
    agent.call("add_relationships", json!({ "relationships": edges }));
    drop(agent);
    home.ok(&["config", "--edit", "traversal_node_budget=4"]);
    let found = home.server(&["--as", "tester"]).call("find_connections", json!({ "entity_name": "n0" }));
    assert_eq!(found["truncated"], true, "{found}");
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    let home = home();
    let help = home.ok(&["--help"]);
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() > 15 && commands.contains(&"validate"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = home.ok(&["completions", shell]);
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    let page = home.ok(&["man"]);
    let pages = home.path().join("man");
    home.ok(&["man", "--output", pages.to_str().unwrap()]);
    for command in commands.iter().filter(|command| **command != "help") {
        assert!(page.contains(&command.replace('-', "\\-")), "{command}");
        let own = std::fs::read_to_string(pages.join(format!("graph-mem-{command}.1"))).unwrap();
        assert!(own.contains(".SH SYNOPSIS"), "{command}");
    }
    assert!(page.contains("Exit status"), "exit codes are in the manual");
    assert!(!home.library().exists(), "none of this makes a library");
}

#[test]
fn the_log_names_what_was_touched_and_what_changed() {
    let home = home();
    let mut agent = home.server(&["--as", "tester"]);
    agent.call("add_entities", json!({ "entities": [{ "name": "Anna", "entity_type": "person", "description": "old" }, { "name": "Bert", "entity_type": "person" }] }));
    agent.call("add_observations", json!({ "entity_name": "Anna", "observations": ["one", "two", "three"] }));
    agent.call(
        "update_entity",
        json!({ "name": "Anna", "description": "new\u{1b}[31m", "properties": { "born": 1970 } }),
    );
    agent.call("delete_entities", json!({ "names": ["Anna"] }));
    let log = home.ok(&["log"]);
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines[0].contains("Anna") && lines[0].contains("-3 observations"), "{log}");
    assert!(lines[1].contains("Anna") && lines[1].contains("1 entity changed"), "{log}");
    assert!(lines[2].contains("Anna") && lines[2].contains("+3 observations"), "deleted since: {log}");
    assert!(lines[3].contains("Anna, Bert") && lines[3].contains("+2 entities"), "{log}");
    let life = home.ok(&["log", "--entity", "anna"]);
    assert!(life.contains("description: old → new") && life.contains("properties.born: 1970"), "{life}");
    assert!(life.contains("content: two") && life.contains("entity deleted"), "{life}");
    assert!(!life.contains('\u{1b}') && !life.contains("Bert"), "{life}");
    let json = home.ok(&["log", "--entity", "Anna", "--json"]);
    let steps: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(steps.len(), 9, "made, 3 observations, changed, 3 observations gone, deleted");
    assert!(steps.iter().any(|step| step["after"]["description"] == "new\u{1b}[31m"), "{json}");
    let row: Value = serde_json::from_str(home.ok(&["log", "--json"]).lines().next().unwrap()).unwrap();
    assert_eq!(row["objects"]["observation"]["deleted"], 3);
    assert_eq!(row["entities"][0]["name"], "Anna");
    assert_eq!(home.run(&["log", "--entity", "nobody"]).status.code(), Some(4));
}

#[test]
fn an_export_does_not_replace_a_file_unless_told_so() {
    let home = home();
    add(&home, &["A"]);
    let file = home.file("out.json", "mine");
    let refused = home.run(&["export", "--output", &file]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("--force"), "{}", stderr(&refused));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    home.ok(&["export", "--output", &file, "--force"]);
    assert!(std::fs::read_to_string(&file).unwrap().contains("\"A\""));
}

#[test]
fn status_of_an_empty_home_makes_no_graph() {
    let home = home();
    let status: Value = serde_json::from_str(&home.ok(&["status", "--json"])).unwrap();
    assert_eq!((&status["exists"], &status["entities"]), (&json!(false), &json!(0)));
    assert!(home.ok(&["status"]).contains("not there yet"));
    assert!(!graph_file(&home).exists());
    assert_eq!(home.run(&["status", "--graph", "other"]).status.code(), Some(4));
}

/// Files below a folder that hold a text, as `grep -a` finds them.
fn grep(folder: &Path, text: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(grep(&entry.path(), text));
        } else if std::fs::read(entry.path())
            .unwrap()
            .windows(text.len())
            .any(|bytes| bytes == text.as_bytes())
        {
            found.push(entry.path());
        }
    }
    found
}

#[test]
fn a_purge_looks_into_what_was_set_aside() {
    let home = home();
    let secret = "zyxwsetasideword";
    let write = || {
        home.ok(&["graphs", "--create", "work"]);
        let mut agent = home.server(&["--graph", "work"]);
        let vault = json!({ "name": "Vault", "entity_type": "t", "observations": [secret] });
        agent.call("add_entities", json!({ "entities": [vault] }));
        assert!(agent.close(std::time::Duration::from_secs(10)).is_some());
    };
    write();
    home.ok(&["graphs", "--set-aside", "work"]);
    write();
    assert_eq!(grep(&home.library(), secret).len(), 2);
    let given = home.file("secret.txt", secret);
    let mut purge = home.command();
    purge.args(["purge", "--graph", "work", "--text", "--yes"]).stdin(std::fs::File::open(given).unwrap());
    assert!(purge.status().unwrap().success());
    assert_eq!(grep(&home.library(), secret), Vec::<std::path::PathBuf>::new());
}

#[test]
fn a_purge_leaves_another_graph_that_was_set_aside() {
    let home = home();
    let secret = "zyxwothergraph";
    for graph in ["work", "home"] {
        home.ok(&["graphs", "--create", graph]);
        let mut agent = home.server(&["--graph", graph]);
        let vault = json!({ "name": "Vault", "entity_type": "t", "observations": [secret] });
        agent.call("add_entities", json!({ "entities": [vault] }));
        assert!(agent.close(std::time::Duration::from_secs(10)).is_some());
    }
    home.ok(&["graphs", "--set-aside", "work"]);
    let given = home.file("secret.txt", secret);
    let mut purge = home.command();
    purge.args(["purge", "--graph", "home", "--text", "--yes"]).stdin(std::fs::File::open(given).unwrap());
    let told = purge.output().unwrap();
    assert!(told.status.success(), "{}", stderr(&told));
    let left = grep(&home.library(), secret);
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(left[0].to_string_lossy().contains("work.db.set-aside"), "{left:?}");
    assert!(stderr(&told).contains("of another graph"), "{}", stderr(&told));
}

#[test]
fn a_purged_entity_is_in_no_byte_of_the_library() {
    let home = home();
    let secret = "zyxwsecretword";
    home.ok(&["import", &data("server-memory-tiny.jsonl")]);
    let imported = newest_transaction(&home);
    let mut agent = home.server(&["--as", "tester"]);
    agent.call("add_entities", json!({ "entities": [
        { "name": format!("Vault {secret}"), "entity_type": "t", "description": format!("holds {secret}"), "properties": { secret: "x" } },
        { "name": "Anna", "entity_type": "t" },
    ] }));
    let added = newest_transaction(&home);
    let vault = format!("Vault {secret}");
    let said: Vec<String> = (0..300)
        .map(|i| format!("{secret} number {i}, said at length {}", "and again ".repeat(30)))
        .collect();
    agent.call("add_observations", json!({ "entity_name": vault, "observations": said }));
    agent.call("add_relationships", json!({ "relationships": [{ "source": "Anna", "target": vault, "relationship_type": "opens", "properties": { "with": secret } }] }));
    agent.call("find_connections", json!({ "entity_name": "Anna" }));
    agent.call("update_entity", json!({ "name": vault, "new_name": "Vault" }));
    agent.call(
        "add_entities",
        json!({ "entities": [{ "name": "Other", "entity_type": "t", "observations": ["harmless"] }] }),
    );
    let other = newest_transaction(&home);
    home.ok(&["backup"]);
    assert!(!grep(&home.library(), secret).is_empty());
    let before = home.ok(&["export"]);
    let rehearsal = home.run(&["purge", "--entity", "Vault"]);
    assert_eq!(rehearsal.status.code(), Some(1));
    assert!(stdout(&rehearsal).contains("backups/default-") && stderr(&rehearsal).contains("--yes"));
    assert!(!stdout(&rehearsal).contains(secret), "{}", stdout(&rehearsal));
    assert_eq!(home.ok(&["export"]), before, "a rehearsal changes nothing");
    let purged = home.run(&["purge", "--entity", "Vault", "--yes"]);
    assert!(purged.status.success() && !stderr(&purged).contains("still stands"), "{}", stderr(&purged));
    assert_eq!(
        grep(&home.library(), secret),
        Vec::<std::path::PathBuf>::new(),
        "while an agent has the graph open"
    );
    assert_eq!(std::fs::read_dir(home.library().join("backups")).unwrap().count(), 0);
    assert_eq!(findings(&home), Vec::<String>::new());
    let connected = agent.call("find_connections", json!({ "entity_name": "Anna" })).to_string();
    assert!(!connected.contains("opens"), "{connected}");
    assert!(agent.call("search_nodes", json!({ "query": secret })).to_string().contains("\"results\":[]"));
    let refused = home.run(&["undo", &added]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("purged"), "{}", stderr(&refused));
    home.ok(&["undo", &other]);
    home.ok(&["undo", &imported]);
    let rest: Value = serde_json::from_str(&home.ok(&["export"])).unwrap();
    let names: Vec<&str> =
        rest["entities"].as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Anna"]);
    assert_eq!(findings(&home), Vec::<String>::new());
    // The agent said it again in its question.
    assert!(home.fed(&["purge", "--text", "--yes"], secret).status.success());
    assert_eq!(grep(&home.library(), secret), Vec::<std::path::PathBuf>::new());
    home.ok(&["undo", &added, "--partial"]);
    assert!(home.ok(&["log"]).contains("purge"));
    agent.call("add_entities", json!({ "entities": [{ "name": "Zed", "entity_type": "t" }, { "name": "Z2", "entity_type": "t", "observations": ["knows Zed"] }] }));
    let purged = home.run(&["purge", "--entity", "Zed", "--yes"]);
    assert!(stderr(&purged).contains("still stands"), "others speak of it: {}", stderr(&purged));
}

#[test]
fn a_purged_text_goes_and_what_no_longer_holds_it_stays() {
    let home = home();
    let secret = "zyxw \"quoted\" secretword";
    let bare = "secretword";
    let mut agent = home.server(&["--as", "tester"]);
    agent.call(
        "add_entities",
        json!({ "entities": [
        { "name": "Clean", "entity_type": "t", "description": format!("was {secret}") },
        { "name": "Host", "entity_type": "t", "observations": [format!("says {secret}"), "says nothing"] },
    ] }),
    );
    agent.call("update_entity", json!({ "name": "Clean", "description": "is fine" }));
    drop(agent);
    let purge = |arguments: &[&str], text: &str| home.fed(&[&["purge"], arguments].concat(), text);
    assert_eq!(purge(&["--text", "--yes"], "a\n").status.code(), Some(2), "one letter would take everything");
    assert_eq!(purge(&["--yes"], "").status.code(), Some(2), "something has to be named");
    // Another graph's copies are its own business.
    home.ok(&["graphs", "--create", "default-2"]);
    home.ok(&[
        "import",
        &home.file(
            "m.jsonl",
            format!(
                "{{\"type\":\"entity\",\"name\":\"n\",\"entityType\":\"t\",\"observations\":[{}]}}",
                json!(secret)
            ),
        ),
        "--graph",
        "default-2",
    ]);
    home.ok(&["backup", "--graph", "default-2"]);
    home.ok(&["backup"]);
    let nothing = purge(&["--text", "--yes"], "nowhere at all\n");
    assert!(nothing.status.success() && stdout(&nothing).contains("hold nothing"), "{}", stderr(&nothing));
    let told: Value = serde_json::from_slice(&purge(&["--text", "--json"], secret).stdout).unwrap();
    assert_eq!((&told["purged"], told["objects"].as_array().unwrap().len()), (&json!(false), 1), "{told}");
    let done = purge(&["--text", "--yes"], &format!("{secret}\n"));
    assert!(done.status.success(), "{}", stderr(&done));
    assert!(stderr(&done).contains("is of another graph"), "{}", stderr(&done));
    let left = grep(&home.library(), bare);
    assert!(
        !left.is_empty() && left.iter().all(|file| file.to_string_lossy().contains("default-2")),
        "{left:?}"
    );
    assert!(purge(&["--text", "--yes", "--graph", "default-2"], secret).status.success());
    assert_eq!(grep(&home.library(), bare), Vec::<std::path::PathBuf>::new());
    let rest = home.ok(&["export"]);
    assert!(rest.contains("is fine") && rest.contains("Host") && rest.contains("says nothing"), "{rest}");
    assert_eq!(findings(&home), Vec::<String>::new());
    let id =
        serde_json::from_str::<Value>(&rest).unwrap()["observations"][0]["id"].as_str().unwrap().to_owned();
    home.ok(&["purge", &id, "--yes"]);
    assert!(!home.ok(&["export"]).contains("says nothing"));
    assert_eq!(home.run(&["purge", "nobody", "--yes"]).status.code(), Some(4));
}
