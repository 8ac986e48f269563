//! The commands that look after a library: each as a person or a script meets it.

use std::path::Path;
use std::process::Output;

use gm_testkit::Home;
use serde_json::{Value, json};

use crate::home;

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
