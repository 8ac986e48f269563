//! Several processes on one file, and processes that die.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{home, sql};

fn one(name: &str) -> Value {
    json!({ "entities": [{ "name": name, "entity_type": "t" }] })
}

#[test]
fn b001_two_processes_in_lock_step_lose_nothing() {
    let home = home();
    let (mut left, mut right) = (home.server(&[]), home.server(&[]));
    for i in 1..=50 {
        let a = left
            .send("tools/call", json!({ "name": "add_entities", "arguments": one(&format!("left-{i:02}")) }));
        right.call("add_entities", one(&format!("right-{i:02}")));
        let reply = left.receive(Duration::from_secs(30)).expect("a reply");
        assert!(reply["id"] == a && reply["result"]["isError"] != true, "{reply}");
    }
    drop((left, right));
    let mut third = home.server(&[]);
    let listed = third.call("list_entities", json!({ "limit": 500 }));
    assert_eq!(listed["total"], 100);
    let names: HashSet<&str> =
        listed["results"].as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 100);
}

#[test]
fn b002_parallel_calls_of_one_session_all_arrive() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", json!({ "entities": [{ "name": "Root", "entity_type": "t" }, { "name": "Root2", "entity_type": "t" }] }));
    let mut ids = HashSet::new();
    for i in 0..10 {
        let calls = [
            ("add_entities", one(&format!("p{i:02}"))),
            ("add_observations", json!({ "entity_name": "Root", "observations": [format!("note {i}")] })),
            (
                "add_relationships",
                json!({ "relationships": [{ "source": "Root", "target": "Root2", "relationship_type": format!("r{i}") }] }),
            ),
        ];
        for (name, arguments) in calls {
            ids.insert(agent.send("tools/call", json!({ "name": name, "arguments": arguments })));
        }
    }
    while !ids.is_empty() {
        let reply = agent.receive(Duration::from_secs(30)).expect("every request is answered");
        assert_ne!(reply["result"]["isError"], true, "{reply}");
        assert!(ids.remove(&reply["id"].as_u64().unwrap()), "answered once");
    }
    let overview = agent.call("read_graph", json!({}));
    assert_eq!(
        (&overview["entities"], &overview["relationships"], &overview["observations"]),
        (&json!(12), &json!(10), &json!(10))
    );
    assert_eq!(sql(&home.library().join("graph.db"), "PRAGMA integrity_check"), "ok");
}

#[test]
fn b004_a_failing_batch_undoes_only_itself() {
    let home = home();
    let (mut bad, mut good) = (home.server(&[]), home.server(&[]));
    let mut items: Vec<Value> =
        (0..50).map(|i| json!({ "name": format!("bad-{i}"), "entity_type": "t" })).collect();
    items.push(json!({ "name": "   ", "entity_type": "t" }));
    for i in 0..40 {
        bad.send("tools/call", json!({ "name": "add_entities", "arguments": { "entities": items } }));
        good.call("add_entities", one(&format!("keep-{i:03}")));
    }
    for _ in 0..40 {
        assert_eq!(bad.receive(Duration::from_secs(30)).unwrap()["result"]["isError"], true);
    }
    assert_eq!(good.call("read_graph", json!({}))["entities"], 40);
}

#[test]
fn b005_every_acknowledged_write_survives_kill() {
    let home = home();
    home.server(&[]).call("add_entities", one("Log"));
    let mut acknowledged = Vec::new();
    for round in 0..8u64 {
        let mut agent = home.server(&[]);
        let until = Instant::now() + Duration::from_millis(20 + (round * 67) % 200);
        while Instant::now() < until {
            let note = format!("n{}", acknowledged.len());
            agent.call("add_observations", json!({ "entity_name": "Log", "observations": [note] }));
            acknowledged.push(note);
        }
        // One more is under way when the process dies.
        agent.send("tools/call", json!({ "name": "add_observations", "arguments": { "entity_name": "Log", "observations": [format!("unacknowledged {round}")] } }));
        agent.kill();
    }
    let file = home.library().join("graph.db");
    assert_eq!(sql(&file, "PRAGMA integrity_check"), "ok");
    let began = Instant::now();
    let mut after = home.server(&[]);
    let total = after.call("get_entity", json!({ "name": "Log" }))["observation_count"].as_u64().unwrap();
    assert!(began.elapsed() < Duration::from_secs(3), "start-up asks nothing and is quick");
    let kept: HashSet<String> = {
        let connection = rusqlite::Connection::open(&file).unwrap();
        let mut statement = connection.prepare("SELECT content FROM observations").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    assert_eq!(kept.len() as u64, total);
    assert!(acknowledged.iter().all(|note| kept.contains(note)), "an acknowledged write is missing");
    assert!(!acknowledged.is_empty());
}

#[test]
fn b146_many_processes_may_make_the_same_library_at_once() {
    let home = home();
    let mut agents: Vec<_> = (0..8)
        .map(|_| {
            let mut command = home.command();
            command.arg("server");
            gm_testkit::McpProcess::start_silent(command)
        })
        .collect();
    for (i, agent) in agents.iter_mut().enumerate() {
        agent.initialize("c");
        agent.call("add_entities", one(&format!("from-{i}")));
    }
    assert_eq!(agents[0].call("read_graph", json!({}))["entities"], 8);
}

#[test]
fn b130_a_file_replaced_while_open_is_opened_anew_and_never_mixed() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", one("Old"));
    // Another graph takes the place of the open one, as a sync client or a person may do it.
    let other = self::home();
    other.server(&[]).call("add_entities", one("Restored"));
    let copy = home.path().join("copy.db");
    // Copied by SQLite, so that what still stands in the log comes along.
    let source = rusqlite::Connection::open(other.library().join("graph.db")).unwrap();
    source.execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    drop(source);
    std::fs::rename(&copy, home.library().join("graph.db")).unwrap();
    let listed = agent.call("list_entities", json!({}));
    assert_eq!((&listed["total"], &listed["results"][0]["name"]), (&json!(1), &json!("Restored")));
    agent.call("add_entities", one("After"));
    drop(agent);
    let file = home.library().join("graph.db");
    assert_eq!(sql(&file, "SELECT group_concat(name) FROM entities"), "Restored,After");
    assert_eq!(sql(&file, "PRAGMA integrity_check"), "ok");
}

#[test]
fn a_graph_whose_making_was_cut_off_can_be_made() {
    let home = home();
    home.ok(&["graphs"]);
    std::fs::write(home.library().join("nova.db"), "").unwrap();
    let mut agent = home.server(&[]);
    agent.call("create_graph", json!({ "name": "nova" }));
    agent.call("switch_graph", json!({ "name": "nova" }));
    agent.call("add_entities", one("A"));
    agent.refused("create_graph", json!({ "name": "nova" }));
}
