//! What the protocol offers beside tools: resources, prompts, completion, notices, progress, cancellation.

use std::time::{Duration, Instant};

use gm_testkit::McpProcess;
use serde_json::{Value, json};

use crate::home;

fn entity(name: &str) -> Value {
    json!({ "name": name, "entity_type": "place", "observations": [format!("{name} is by the sea")] })
}

fn add(agent: &mut McpProcess, names: &[&str]) {
    let entities: Vec<Value> = names.iter().map(|name| entity(name)).collect();
    agent.call("add_entities", json!({ "entities": entities }));
}

fn read(agent: &mut McpProcess, uri: &str) -> Value {
    let read = agent.request("resources/read", json!({ "uri": uri }));
    assert_eq!(
        (&read["contents"][0]["uri"], &read["contents"][0]["mimeType"]),
        (&json!(uri), &json!("application/json"))
    );
    serde_json::from_str(read["contents"][0]["text"].as_str().unwrap()).unwrap()
}

/// The next notice of a method, other messages passed over.
fn notice(agent: &mut McpProcess, method: &str, patience: Duration) -> Option<Value> {
    let give_up = Instant::now() + patience;
    while let Some(left) = give_up.checked_duration_since(Instant::now()) {
        match agent.receive(left) {
            Some(message) if message["method"] == method => return Some(message["params"].clone()),
            Some(_) => {}
            None => return None,
        }
    }
    None
}

#[test]
fn resources_are_listed_read_and_completed() {
    let home = home();
    let mut agent = home.server(&[]);
    add(&mut agent, &["Harbour", "Hafen/Süd", "harbour master"]);
    agent.call("create_graph", json!({ "name": "notes" }));
    let listed = agent.request("resources/list", json!({}));
    let uris: Vec<&str> =
        listed["resources"].as_array().unwrap().iter().map(|r| r["uri"].as_str().unwrap()).collect();
    assert_eq!(uris, ["graphmem://default/overview", "graphmem://notes/overview", "graphmem://embedding"]);
    assert_eq!(read(&mut agent, "graphmem://default/overview")["entities"], 3);
    assert_eq!(read(&mut agent, "graphmem://default/entity/Hafen%2FS%C3%BCd")["observation_count"], 1);
    assert_eq!(read(&mut agent, "graphmem://embedding")["works"], false);
    let templates = agent.request("resources/templates/list", json!({}));
    assert_eq!(templates["resourceTemplates"][0]["uriTemplate"], "graphmem://{graph}/entity/{name}");
    for (uri, says) in [
        ("graphmem://default/entity/Harbor", "Harbour"),
        ("graphmem://nope/overview", "nope"),
        ("graphmem://..%2F..%2Fetc/overview", "letters"),
        ("file:///etc/passwd", "no such resource"),
    ] {
        let refused = agent.exchange("resources/read", json!({ "uri": uri }));
        assert_eq!(refused["error"]["code"], -32002, "{refused}");
        assert!(refused["error"]["message"].as_str().unwrap().contains(says), "{refused}");
    }
    let mut complete = |reference: Value, name: &str, value: &str, context: Value| {
        let mut params = json!({ "ref": reference, "argument": { "name": name, "value": value } });
        if !context.is_null() {
            params["context"] = json!({ "arguments": context });
        }
        agent.exchange("completion/complete", params)
    };
    let entity = json!({ "type": "ref/resource", "uri": "graphmem://{graph}/entity/{name}" });
    let found = complete(entity.clone(), "name", "HARB", json!({ "graph": "default" }));
    assert_eq!(found["result"]["completion"]["values"], json!(["Harbour", "harbour master"]));
    let found = complete(entity.clone(), "name", "", json!({ "graph": "notes" }));
    assert_eq!(found["result"]["completion"]["values"], json!([]));
    let found = complete(entity.clone(), "graph", "n", Value::Null);
    assert_eq!(found["result"]["completion"]["values"], json!(["notes"]));
    let prompt = json!({ "type": "ref/prompt", "name": "tidy_graph" });
    assert_eq!(
        complete(prompt, "graph", "", Value::Null)["result"]["completion"]["values"],
        json!(["default", "notes"])
    );
    assert_eq!(complete(entity, "nope", "", Value::Null)["error"]["code"], -32602);
}

#[test]
fn prompts_bring_what_is_known_and_name_what_is_wrong() {
    let home = home();
    let mut agent = home.server(&[]);
    add(&mut agent, &["Harbour"]);
    let listed = agent.request("prompts/list", json!({}));
    let names: Vec<&str> =
        listed["prompts"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["recall_context", "capture_learnings", "tidy_graph"]);
    let text = |got: &Value| got["messages"][0]["content"]["text"].as_str().unwrap().to_owned();
    let recalled = agent.request(
        "prompts/get",
        json!({ "name": "recall_context", "arguments": { "task": "rebuild the harbour" } }),
    );
    assert!(
        text(&recalled).contains("rebuild the harbour") && text(&recalled).contains("is by the sea"),
        "{recalled}"
    );
    let captured = agent.request("prompts/get", json!({ "name": "capture_learnings" }));
    assert!(text(&captured).contains("search_nodes first"));
    let tidied =
        agent.request("prompts/get", json!({ "name": "tidy_graph", "arguments": { "graph": "default" } }));
    assert!(text(&tidied).contains("\"entities\":1"));
    for (params, says) in [
        (json!({ "name": "nope" }), "recall_context"),
        (json!({ "name": "recall_context" }), "arguments.task"),
        (json!({ "name": "recall_context", "arguments": { "task": 7 } }), "arguments.task"),
        (json!({ "name": "tidy_graph", "arguments": { "tsk": "x" } }), "graph"),
        (json!({ "name": "tidy_graph", "arguments": { "graph": "nope" } }), "nope"),
    ] {
        let refused = agent.exchange("prompts/get", params);
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
        assert!(refused["error"]["message"].as_str().unwrap().contains(says), "{refused}");
    }
}

#[test]
fn what_is_watched_is_told_when_it_says_something_else() {
    let home = home();
    let mut agent = home.server(&[]);
    let mut other = home.server(&[]);
    add(&mut agent, &["Harbour", "Mole"]);
    agent.request("resources/list", json!({}));
    agent.request("resources/subscribe", json!({ "uri": "graphmem://default/entity/Harbour" }));
    // Another process; another entity, and then this one.
    other.call("add_observations", json!({ "entity_name": "Mole", "observations": ["long"] }));
    assert!(notice(&mut agent, "notifications/resources/updated", Duration::from_millis(1_500)).is_none());
    other.call("add_observations", json!({ "entity_name": "Harbour", "observations": ["deep"] }));
    let told = notice(&mut agent, "notifications/resources/updated", Duration::from_secs(10));
    assert_eq!(told, Some(json!({ "uri": "graphmem://default/entity/Harbour" })), "and no text of it");
    agent.request("resources/unsubscribe", json!({ "uri": "graphmem://default/entity/Harbour" }));
    other.call("add_observations", json!({ "entity_name": "Harbour", "observations": ["deeper"] }));
    assert!(notice(&mut agent, "notifications/resources/updated", Duration::from_millis(1_500)).is_none());
    other.call("create_graph", json!({ "name": "notes" }));
    assert!(notice(&mut agent, "notifications/resources/list_changed", Duration::from_secs(10)).is_some());
    let refused = agent.exchange("resources/subscribe", json!({ "uri": "file:///etc/passwd" }));
    assert_eq!(refused["error"]["code"], -32002);
    // Looking in somebody's name is nothing that they asked.
    let recalls = home.ok(&["agents", "--json", "recalls"]);
    assert_eq!(recalls, "", "{recalls}");
}

#[test]
fn a_stateless_client_listens_for_what_it_names() {
    let home = home();
    let mut command = home.command();
    command.arg("server");
    let mut agent = McpProcess::start_silent(command);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "modern", "version": "2" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let discovered = agent.request("server/discover", json!({ "_meta": meta }));
    let versions = discovered["supportedVersions"].as_array().unwrap();
    assert!(
        versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-03-26")),
        "{discovered}"
    );
    let overview = "graphmem://default/overview";
    agent.send("subscriptions/listen", json!({ "_meta": meta, "notifications": { "resourceSubscriptions": [overview, "nope"], "resourcesListChanged": true } }));
    let agreed =
        notice(&mut agent, "notifications/subscriptions/acknowledged", Duration::from_secs(10)).unwrap();
    assert_eq!(agreed["notifications"]["resourceSubscriptions"], json!([overview]), "{agreed}");
    let first = notice(&mut agent, "notifications/resources/updated", Duration::from_secs(10)).unwrap();
    assert_eq!(first["uri"], overview, "told once to look; from then on of every change");
    let mut other = home.server(&[]);
    add(&mut other, &["Harbour"]);
    let told = notice(&mut agent, "notifications/resources/updated", Duration::from_secs(10)).unwrap();
    assert_eq!(told["uri"], overview);
    assert!(told["_meta"].is_object(), "tagged with its subscription");
}

/// A thousand entities with some hundred observations each: seconds of work, even on a fast machine.
fn batch() -> Value {
    let entities: Vec<Value> = (0..1_000)
        .map(|i| {
            let said: Vec<String> = (0..20)
                .map(|k| format!("fact {k} of {i}, {}", "which is told at length ".repeat(4)))
                .collect();
            json!({ "name": format!("Thing {i}"), "entity_type": "thing", "observations": said })
        })
        .collect();
    json!({ "entities": entities })
}

#[test]
fn long_work_tells_how_far_it_is_to_who_asked() {
    let home = home();
    let mut agent = home.server(&[]);
    let id = agent.send(
        "tools/call",
        json!({ "name": "add_entities", "arguments": batch(), "_meta": { "progressToken": "p1" } }),
    );
    let mut told = Vec::new();
    let done = loop {
        let message = agent.receive(Duration::from_secs(120)).expect("an answer");
        if message["id"] == id {
            break message;
        }
        assert_eq!(
            (&message["method"], &message["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!("p1"))
        );
        told.push(message["params"]["progress"].as_f64().unwrap());
        assert_eq!(message["params"]["total"].as_f64(), Some(1000.0));
    };
    assert_eq!(done["result"]["structuredContent"]["count"], 1000, "{done}");
    assert!(told.len() > 1 && told.is_sorted_by(|one, other| one < other), "{told:?}");
    // Nobody is told who did not ask.
    agent.call("audit_graph", json!({}));
}

#[test]
fn a_cancelled_batch_leaves_nothing() {
    let home = home();
    let mut agent = home.server(&[]);
    let id = agent.send(
        "tools/call",
        json!({ "name": "add_entities", "arguments": batch(), "_meta": { "progressToken": 7 } }),
    );
    assert!(notice(&mut agent, "notifications/progress", Duration::from_secs(60)).is_some());
    agent.send_line(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })
            .to_string(),
    );
    agent.request("ping", json!({}));
    let give_up = Instant::now() + Duration::from_secs(60);
    // The write lock is free again when the batch was rolled back.
    add(&mut agent, &["Harbour"]);
    assert!(Instant::now() < give_up);
    assert_eq!(agent.call("read_graph", json!({}))["entities"], 1);
    assert!(!home.ok(&["log"]).contains("1000"));
}

#[test]
fn b070_any_choice_of_tools_can_be_shown() {
    let home = home();
    let mut agent = home.server(&["--tools", "search_nodes,add_entities"]);
    let listed = agent.request("tools/list", json!({}));
    let names: Vec<&str> =
        listed["tools"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["search_nodes", "add_entities"]);
    let refused =
        agent.exchange("tools/call", json!({ "name": "delete_entities", "arguments": { "names": ["x"] } }));
    assert_eq!(refused["error"]["code"], -32602);
    let output = home.run(&["server", "--tools", "search_nodes,ad_entities"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("did you mean `add_entities`"), "{said}");
}
