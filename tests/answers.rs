//! What answers look like: they fit their schema, and errors tell nothing of the inside.

use gm_testkit::McpProcess;
use serde_json::{Map, Value, json};

use crate::agents_stdio::check;
use crate::{data, home};

pub(crate) fn tools() -> Vec<Value> {
    serde_json::from_str(&std::fs::read_to_string(data("tools.json")).unwrap()).unwrap()
}

/// Words that only the inside of the program knows.
const INSIDE: [&str; 22] = [
    "SELECT ",
    "INSERT ",
    "UPDATE entities",
    "DELETE FROM",
    "sqlite",
    "SQLite",
    "rusqlite",
    "fts5",
    "entities_fts",
    "observations_fts",
    "name_key",
    "entity_rid",
    "sqlite_master",
    "constraint",
    "panicked",
    ".rs:",
    "backtrace",
    "unwrap",
    "RUST_",
    "Some(",
    "None)",
    "Err(",
];

/// Checks what a tool answered: valid structure equal to its text, or an error of the agreed shape
/// that keeps the inside to itself. Returns whether it was an error.
pub(crate) fn answer_is_right(home: &gm_testkit::Home, tool: &Value, result: &Value, at: &str) -> bool {
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{at}: no text in {result}"));
    let told: Value = serde_json::from_str(text).unwrap_or_else(|_| panic!("{at}: {text}"));
    if result["isError"] != true {
        assert_eq!(told, result["structuredContent"], "{at}: text and structure differ");
        check(&tool["outputSchema"], &told, at);
        return false;
    }
    assert!(result.get("structuredContent").is_none(), "{at}: an error has no structure");
    assert_eq!(told["error"], true, "{at}: {told}");
    assert!(
        told["error_type"].is_string() && told["details"].is_object() && told["suggestions"].is_array(),
        "{at}: {told}"
    );
    let message = told["message"].as_str().unwrap_or_else(|| panic!("{at}: {told}"));
    assert!(message.chars().count() <= 1_001, "{at}: a message of {} bytes", message.len());
    // The way out of a damaged file names the tool for it.
    let message = message.replace("`sqlite3 FILE .recover`", "");
    for word in INSIDE {
        assert!(!message.contains(word), "{at}: `{word}` in {message}");
    }
    for place in [home.path().to_string_lossy(), home.library().to_string_lossy()] {
        assert!(!text.contains(&*place), "{at}: a path in {text}");
    }
    true
}

fn raw(agent: &mut McpProcess, tool: &str, arguments: Value) -> Value {
    agent.request("tools/call", json!({ "name": tool, "arguments": arguments }))
}

/// One call of every tool against whatever the graph holds.
fn calls(name: &str, other: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("search_nodes", json!({ "query": name, "include_observations": true, "limit": 100 })),
        ("search_observations", json!({ "query": "note" })),
        ("get_entity", json!({ "name": name })),
        ("find_connections", json!({ "entity_name": name, "max_hops": 10 })),
        ("find_paths", json!({ "source": name, "target": other })),
        ("get_subgraph", json!({ "entity_names": [name, other] })),
        ("list_entities", json!({ "limit": 500 })),
        ("list_relationships", json!({ "limit": 500 })),
        ("read_graph", json!({})),
        ("graph_health", json!({})),
        ("audit_graph", json!({})),
        ("suggest_connections", json!({ "entity_name": name })),
        ("list_graphs", json!({})),
        ("add_observations", json!({ "entity_name": name, "observations": ["note", "note"] })),
        (
            "add_relationships",
            json!({ "relationships": [{ "source": name, "target": other, "relationship_type": "to" }] }),
        ),
        ("update_entity", json!({ "name": name, "properties": { "k": 1, "nested": { "required": ["x"] } } })),
        (
            "update_relationship",
            json!({ "source": name, "target": other, "relationship_type": "to", "new_weight": 0.25 }),
        ),
        ("update_observation", json!({ "entity_name": name, "observation_id": "nosuchid", "content": "x" })),
        (
            "compact_observations",
            json!({ "entity_name": name, "keep_ids": [], "new_observations": ["short"] }),
        ),
        ("delete_observations", json!({ "entity_name": name, "observation_ids": ["nosuchid"] })),
        ("delete_relationships", json!({ "source": name, "target": other })),
        ("create_graph", json!({ "name": "second" })),
        ("switch_graph", json!({ "name": "second" })),
        ("switch_graph", json!({ "name": "default" })),
        ("delete_graph", json!({ "name": "second" })),
        ("merge_entities", json!({ "target": name, "source": other })),
        ("delete_entities", json!({ "names": [other, "nobody"] })),
        (
            "add_entities",
            json!({ "entities": [{ "name": name, "entity_type": "t" }, { "name": other, "entity_type": "t", "description": "d", "observations": ["o"] }] }),
        ),
    ]
}

#[test]
fn b086_every_answer_of_every_tool_fits_its_schema() {
    let home = home();
    let tools = tools();
    let tool =
        |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("{name}"));
    let mut agent = home.server(&[]);
    let all = |agent: &mut McpProcess, situation: &str, name: &str, other: &str| {
        calls(name, other)
            .into_iter()
            .filter(|(called, arguments)| {
                let result = raw(agent, called, arguments.clone());
                !answer_is_right(&home, tool(called), &result, &format!("{situation}: {called}"))
            })
            .map(|(called, _)| called)
            .collect::<std::collections::HashSet<_>>()
    };
    let mut succeeded = all(&mut agent, "empty", "Nobody", "Nothing");
    succeeded.extend(all(&mut agent, "one", "Nobody", "Nothing"));
    let many: Vec<Value> = (0..400)
        .map(|i| json!({ "name": format!("e{i}"), "entity_type": format!("t{}", i % 20), "description": if i % 3 == 0 { String::new() } else { "d".repeat(3_000) },
                         "properties": { "n": i, "deep": { "list": [1, null, "x"] } }, "observations": (0..3).map(|k| format!("note {i} {k}")).collect::<Vec<_>>() }))
        .collect();
    let hub: Vec<Value> = (1..400)
        .map(|i| json!({ "source": "e0", "target": format!("e{i}"), "relationship_type": format!("r{}", i % 15), "properties": { "since": i } }))
        .collect();
    agent.call("add_entities", json!({ "entities": many }));
    agent.call("add_relationships", json!({ "relationships": hub }));
    let notes: Vec<String> = (0..120).map(|i| format!("note many {i}")).collect();
    agent.call("add_observations", json!({ "entity_name": "e0", "observations": notes }));
    for (truncated, arguments) in [
        ("find_connections", json!({ "entity_name": "e0" })),
        ("get_subgraph", json!({ "entity_names": ["e0"] })),
        ("list_entities", json!({ "limit": 500 })),
    ] {
        assert_eq!(agent.call(truncated, arguments)["truncated"], true, "{truncated} is cut and says so");
    }
    assert_eq!(agent.call("get_entity", json!({ "name": "e0" }))["observations_truncated"], true);
    succeeded.extend(all(&mut agent, "many", "e0", "e1"));
    all(&mut agent, "missing", "no such entity", "e2");
    let id = agent.call("get_entity", json!({ "name": "e5" }))["observations"][0]["id"].clone();
    let result = raw(
        &mut agent,
        "update_observation",
        json!({ "entity_name": "e5", "observation_id": id, "content": "new" }),
    );
    if !answer_is_right(&home, tool("update_observation"), &result, "update_observation") {
        succeeded.insert("update_observation");
    }
    let result = raw(&mut agent, "open_dashboard", json!({}));
    if !answer_is_right(&home, tool("open_dashboard"), &result, "open_dashboard") {
        succeeded.insert("open_dashboard");
    }
    let unseen: Vec<&Value> = tools
        .iter()
        .map(|tool| &tool["name"])
        .filter(|name| !succeeded.contains(name.as_str().unwrap()))
        .collect();
    assert!(unseen.is_empty(), "never seen to succeed: {unseen:?}");
}

/// An argument of the right form everywhere, with `evil` wherever text stands.
fn filled(schema: &Value, evil: &str) -> Value {
    match schema["type"].as_str() {
        Some("object") if schema["properties"].is_object() => {
            let fields = schema["properties"].as_object().unwrap().iter();
            Value::Object(fields.map(|(name, field)| (name.clone(), filled(field, evil))).collect())
        }
        Some("object") => json!({ evil: evil }),
        Some("array") => json!([filled(&schema["items"], evil)]),
        Some("string") => schema["enum"][0].as_str().map_or_else(|| json!(evil), |word| json!(word)),
        Some("integer") => schema["default"].clone(),
        Some("number") => json!(0.5),
        _ => json!(true),
    }
}

#[test]
fn b142_text_is_never_code_and_errors_keep_the_inside_to_themselves() {
    let home = home();
    let tools = tools();
    let mut agent = home.server(&[]);
    agent.call("add_entities", json!({ "entities": [
        { "name": "Alpha", "entity_type": "t", "observations": ["kept"] }, { "name": "Beta", "entity_type": "t" } ]}));
    let quotes = "'".repeat(10_000);
    let double = "\"".repeat(10_000);
    for evil in ["'); DROP TABLE entities;--", "\" OR 1=1 --", "%' ESCAPE '", "x\0'", &quotes, &double] {
        for tool in &tools {
            let name = tool["name"].as_str().unwrap();
            let schema = &tool["inputSchema"];
            let whole = filled(schema, evil);
            let mut variants = vec![whole.clone()];
            // Each text alone beside sound arguments, so that no other field's error hides it.
            for field in schema["properties"].as_object().unwrap().keys() {
                let mut sound: Map<String, Value> = filled(schema, "Alpha").as_object().unwrap().clone();
                sound.shift_remove("graph");
                sound.insert(field.clone(), whole[field.as_str()].clone());
                variants.push(Value::Object(sound));
            }
            for arguments in variants {
                if name == "delete_entities" || name == "merge_entities" {
                    // These do what they are told with the sound names.
                    if arguments.to_string().contains("Alpha") {
                        continue;
                    }
                }
                let result = raw(&mut agent, name, arguments);
                answer_is_right(&home, tool, &result, &format!("{name} {:.20}", evil));
            }
        }
    }
    // A name that is sound for an entity is sound for a graph: some calls moved there.
    agent.call("switch_graph", json!({ "name": "default" }));
    // Values are literal.
    let evil = "'); DROP TABLE entities;--";
    agent.call("add_entities", json!({ "entities": [{ "name": evil, "entity_type": evil, "properties": { evil: evil }, "observations": [evil] }] }));
    let stored = agent.call("get_entity", json!({ "name": evil }));
    assert_eq!((&stored["name"], &stored["properties"][evil]), (&json!(evil), &json!(evil)));
    assert!(stored["observations"].as_array().unwrap().iter().any(|o| o["content"] == evil));
    assert_eq!(agent.call("get_entity", json!({ "name": "Beta" }))["name"], "Beta");
    assert!(agent.call("read_graph", json!({}))["entities"].as_u64().unwrap() >= 3);
    // A rule of uniqueness.
    let clash =
        raw(&mut agent, "update_entity", json!({ "name": "Beta", "new_name": evil, "entity_type": evil }));
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap();
    assert!(answer_is_right(&home, tool("update_entity"), &clash, "a clash"));
    // Files that cannot be used.
    std::fs::create_dir(home.library().join("folder.db")).unwrap();
    std::fs::write(home.library().join("text.db"), "no database").unwrap();
    for graph in ["folder", "text"] {
        for (name, arguments) in [
            ("read_graph", json!({ "graph": graph })),
            ("switch_graph", json!({ "name": graph })),
            ("delete_graph", json!({ "name": graph })),
        ] {
            if graph == "text" && name == "delete_graph" {
                continue;
            }
            let result = raw(&mut agent, name, arguments);
            assert!(answer_is_right(&home, tool(name), &result, &format!("{name} {graph}")));
        }
    }
    answer_is_right(&home, tool("list_graphs"), &raw(&mut agent, "list_graphs", json!({})), "list_graphs");
    std::fs::remove_file(home.library().join("graph.db")).unwrap();
    for name in ["read_graph", "add_entities"] {
        let result = raw(&mut agent, name, filled(&tool(name)["inputSchema"], "Alpha"));
        answer_is_right(&home, tool(name), &result, &format!("{name} without a file"));
    }
}

#[test]
#[ignore = "slow: waits out the 30 seconds a writer waits for another process"]
fn b142_a_lock_that_stays_is_told_without_the_inside() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("read_graph", json!({}));
    let other = rusqlite::Connection::open(home.library().join("graph.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let write =
        json!({ "name": "add_entities", "arguments": { "entities": [{ "name": "A", "entity_type": "t" }] } });
    let id = agent.send("tools/call", write);
    let reply = agent.receive(std::time::Duration::from_secs(45)).expect("an answer");
    assert_eq!(reply["id"], id);
    let tools = tools();
    let tool = tools.iter().find(|tool| tool["name"] == "add_entities").unwrap();
    assert!(answer_is_right(&home, tool, &reply["result"], "busy"), "{reply}");
}
