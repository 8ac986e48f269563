//! Taking things back.

use serde_json::{Value, json};

use crate::{data, home};

fn newest_transaction(home: &gm_testkit::Home) -> String {
    let log = home.ok(&["log", "--json", "-n", "1"]);
    serde_json::from_str::<Value>(&log).unwrap()["transaction"].as_str().unwrap().to_owned()
}

#[test]
fn an_import_and_its_reversal_leave_the_graph_as_it_was() {
    let home = home();
    home.ok(&["import", &data("server-memory-tiny.jsonl")]);
    let before = home.ok(&["export"]);
    home.ok(&["import", &data("server-memory-clean.jsonl")]);
    let import = newest_transaction(&home);
    assert_ne!(home.ok(&["export"]), before);
    home.ok(&["undo", &import]);
    assert_eq!(home.ok(&["export"]), before);
    let reversal = newest_transaction(&home);
    home.ok(&["undo", &reversal]);
    home.ok(&["undo", &newest_transaction(&home)]);
    assert_eq!(home.ok(&["export"]), before, "a reversal can be taken back, and that again");
}

#[test]
fn a_deleted_entity_comes_back_with_everything_that_hung_on_it() {
    let home = home();
    home.ok(&["import", &data("graph-mem-1.0.0-export.json")]);
    let before = home.ok(&["export"]);
    let mut agent = home.server(&[]);
    let busy = agent.call("read_graph", json!({}))["most_connected"][0].clone();
    agent.call("delete_entities", json!({ "names": [busy["name"]], "entity_type": busy["entity_type"] }));
    home.ok(&["undo", &newest_transaction(&home)]);
    assert_eq!(home.ok(&["export"]), before, "byte for byte");
}

#[test]
fn what_was_built_on_since_is_a_conflict_and_nothing_is_clobbered() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call(
        "add_entities",
        json!({ "entities": [{ "name": "A", "entity_type": "t" }, { "name": "B", "entity_type": "t" }] }),
    );
    let added = newest_transaction(&home);
    agent.call("add_observations", json!({ "entity_name": "A", "observations": ["built on it"] }));
    let before = home.ok(&["export"]);
    let refused = home.run(&["undo", &added]);
    assert!(!refused.status.success());
    assert_eq!(home.ok(&["export"]), before);
    home.ok(&["undo", &added, "--partial"]);
    let rest: Value = serde_json::from_str(&home.ok(&["export"])).unwrap();
    let names: Vec<&str> =
        rest["entities"].as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["A"], "B went, A stayed with what was built on it");
}

#[test]
fn a_merge_of_what_was_merged_is_taken_back() {
    let home = home();
    let mut agent = home.server(&[]);
    let entities: Vec<Value> =
        ["B", "A", "b2", "T"].iter().map(|name| json!({ "name": name, "entity_type": "t" })).collect();
    agent.call("add_entities", json!({ "entities": entities }));
    agent.call("merge_entities", json!({ "target": "B", "source": "A" }));
    let before = home.ok(&["export"]);
    // The names come in the merge's order, and are kept in that of their keys.
    agent.call("merge_entities", json!({ "target": "T", "source": "B" }));
    let merged = home.ok(&["export"]);
    home.ok(&["undo", &newest_transaction(&home)]);
    assert_eq!(home.ok(&["export"]), before);
    home.ok(&["undo", &newest_transaction(&home)]);
    assert_eq!(home.ok(&["export"]), merged);
}
