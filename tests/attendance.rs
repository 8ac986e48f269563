//! What the person allows agents, who is at work, what they were told, and what they deleted.

use std::time::{Duration, Instant};

use gm_testkit::Home;
use serde_json::{Value, json};

use crate::home;

fn token(home: &Home, name: &str) -> String {
    home.ok(&["connect", name, "--print-token"]).trim().to_owned()
}

fn entity(name: &str) -> Value {
    json!({ "entities": [{ "name": name, "entity_type": "place", "observations": ["deep water"] }] })
}

fn told(home: &Home, arguments: &[&str]) -> Value {
    serde_json::from_str(&home.ok(arguments)).unwrap()
}

/// What `agents --json` says once something is true of it.
fn once(home: &Home, is_so: impl Fn(&Value) -> bool) -> Value {
    let give_up = Instant::now() + Duration::from_secs(20);
    loop {
        let agents = told(home, &["agents", "--json"]);
        if is_so(&agents) {
            return agents;
        }
        assert!(Instant::now() < give_up, "{agents}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn rights_hold_from_the_next_call_whatever_way_an_agent_comes() {
    let home = home();
    home.ok(&["graphs", "--create", "work"]);
    let listener = home.http();
    let token = token(&home, "scribe");
    let session = listener.initialize(&token, "client");
    let mut process = home.server(&["--as", "scribe"]);
    let mut refused = |tool: &str, arguments: Value| -> (Option<String>, Option<String>) {
        let over_http = listener.call(&token, &session, tool, arguments.clone());
        let over_stdio = process.result(tool, arguments);
        let kind = |result: &Value| {
            if result["isError"] != true {
                return None;
            }
            let error: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
            Some(error["error_type"].as_str().unwrap().to_owned())
        };
        (kind(&over_http), kind(&over_stdio))
    };
    let both = |kind: &str| (Some(kind.to_owned()), Some(kind.to_owned()));
    assert_eq!(refused("add_entities", entity("Harbour")), (None, None), "at first it may do everything");

    home.ok(&["agents", "rights", "scribe", "--may", "read"]);
    assert_eq!(refused("add_entities", entity("Mole")), both("permission_denied"));
    assert_eq!(refused("create_graph", json!({ "name": "new" })), both("permission_denied"));
    assert_eq!(refused("get_entity", json!({ "name": "Harbour" })), (None, None));

    home.ok(&["agents", "rights", "scribe", "--may", "write", "--graphs", "work"]);
    assert_eq!(refused("add_entities", entity("Mole")), both("permission_denied"), "not in this graph");
    assert_eq!(refused("read_graph", json!({})), both("permission_denied"));
    assert_eq!(refused("switch_graph", json!({ "name": "work" })), (None, None));
    assert_eq!(refused("add_entities", entity("Mole")), (None, None));
    assert_eq!(refused("delete_entities", json!({ "names": ["Mole"] })), both("permission_denied"));
    assert_eq!(
        refused(
            "compact_observations",
            json!({ "entity_name": "Mole", "keep_ids": [], "new_observations": [] })
        ),
        both("permission_denied")
    );

    home.ok(&["agents", "rights", "scribe", "--may", "delete", "--graphs", "*"]);
    assert_eq!(refused("delete_entities", json!({ "names": ["Mole"] })), (None, None));
    // The end of its token is no end of what was said of it: it may come as a process of its own.
    home.ok(&["agents", "rights", "scribe", "--may", "read"]);
    home.ok(&["agents", "revoke", "scribe"]);
    let ended =
        listener.post_mcp(&token, Some(&session), &json!({ "jsonrpc": "2.0", "id": 9, "method": "ping" }));
    assert_eq!(ended.status, 401);
    assert_eq!(process.refused("add_entities", entity("Pier"))["error_type"], "permission_denied");
    let again = self::token(&home, "scribe");
    let session = listener.initialize(&again, "client");
    let result = listener.call(&again, &session, "add_entities", entity("Pier"));
    assert_eq!(result["isError"], true, "nor is a new token");
    // And one that never had a token obeys by its name.
    home.ok(&["agents", "rights", "newcomer", "--may", "read"]);
    let mut newcomer = home.server(&["--as", "Newcomer"]);
    assert_eq!(newcomer.refused("add_entities", entity("Pier"))["error_type"], "permission_denied");
    home.ok(&["agents", "forget", "newcomer"]);
    newcomer.call("add_entities", entity("Pier"));
    assert_eq!(home.run(&["agents", "pause", "nobody"]).status.code(), Some(4));
    assert_eq!(home.run(&["agents", "revoke", "nobody"]).status.code(), Some(4));
}

#[test]
fn a_pause_refuses_writes_and_nothing_else() {
    let home = home();
    let mut one = home.server(&["--as", "one"]);
    let mut two = home.server(&["--as", "two"]);
    one.call("add_entities", entity("Harbour"));
    home.ok(&["agents", "pause", "one"]);
    let refused = one.refused("add_entities", entity("Mole"));
    assert_eq!(refused["error_type"], "paused");
    assert!(refused["message"].as_str().unwrap().contains("paused"), "{refused}");
    one.call("search_nodes", json!({ "query": "harbour" }));
    two.call("add_entities", entity("Pier"));
    home.ok(&["agents", "pause"]);
    assert_eq!(two.refused("delete_entities", json!({ "names": ["Pier"] }))["error_type"], "paused");
    home.ok(&["agents", "resume"]);
    two.call("add_entities", entity("Quay"));
    assert_eq!(one.refused("add_entities", entity("Mole"))["error_type"], "paused", "by name it still is");
    home.ok(&["agents", "resume", "one"]);
    one.call("add_entities", entity("Mole"));
    assert_eq!(told(&home, &["status", "--json"])["entities"], 4);
}

#[test]
fn who_is_at_work_is_seen_by_others_and_gone_with_the_process() {
    let home = home();
    let listener = home.http();
    let token = token(&home, "scribe");
    let session = listener.initialize(&token, "inspector");
    let mut process = home.server(&[]);
    process.call("add_entities", entity("Harbour"));
    process.call("search_nodes", json!({ "query": "harbour" }));
    listener.call(&token, &session, "read_graph", json!({}));
    let agents = once(&home, |agents| {
        agents[0]["sessions"][0]["reads"] == 1
            && agents[1]["sessions"][0]["writes"] == 1
            && agents[1]["sessions"][0]["reads"] == 1
    });
    let (scribe, other) = (&agents[0], &agents[1]);
    assert_eq!((&scribe["name"], &scribe["sessions"][0]["transport"]), (&json!("scribe"), &json!("http")));
    assert_eq!(scribe["sessions"][0]["client"], "inspector 1.0");
    assert_eq!((&other["has_token"], &other["sessions"][0]["transport"]), (&json!(false), &json!("stdio")));
    assert_eq!(other["sessions"][0]["graph"], "default");
    process.kill();
    once(&home, |agents| agents.as_array().unwrap().len() == 1);
    drop(listener);
    let agents = once(&home, |agents| agents[0]["sessions"].as_array().unwrap().is_empty());
    assert!(agents[0]["last_seen"].is_f64(), "when it was seen last stays known");
}

#[test]
fn what_agents_asked_and_were_told_is_remembered_and_purged_with_secrets() {
    let home = home();
    let mut process = home.server(&["--as", "scribe"]);
    process.call("add_entities", entity("Harbour"));
    process.call("search_nodes", json!({ "query": "is the water deep, says swordfish" }));
    process.call("get_entity", json!({ "name": "Harbour" }));
    process.result("get_entity", json!({ "name": "Nowhere" }));
    drop(process);
    let recalls: Vec<Value> = home
        .ok(&["agents", "--json", "recalls"])
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let asked: Vec<_> = recalls
        .iter()
        .map(|recall| (recall["tool"].as_str().unwrap(), recall["hits"].as_u64().unwrap()))
        .collect();
    assert_eq!(
        asked,
        [("get_entity", 1), ("search_nodes", 1)],
        "the newest first; what found nothing by name told of nothing"
    );
    assert_eq!(recalls[1]["agent"], "scribe");
    let log = home.ok(&["log"]);
    assert!(!log.contains("swordfish"));
    let state = home.library().join("state.sqlite");
    let holds = || {
        let wal = std::fs::read(state.with_extension("sqlite-wal")).unwrap_or_default();
        [std::fs::read(&state).unwrap(), wal]
            .iter()
            .any(|bytes| bytes.windows(9).any(|at| at == b"swordfish"))
    };
    assert!(holds());
    assert!(home.fed(&["purge", "--text", "--yes"], "swordfish").status.success());
    assert!(!holds(), "no byte of it is left");
    // However it was spelt, and by whichever way the library was come to.
    std::os::unix::fs::symlink(home.path(), home.path().join("by-a-link")).unwrap();
    let mut command = home.command();
    command.args(["server", "--project-dir"]).arg(home.path().join("by-a-link"));
    let mut agent = gm_testkit::McpProcess::start(command);
    agent.call("add_entities", entity("Quokka Jones"));
    agent.call(
        "search_nodes",
        json!({ "query": "where does quokka jones keep the SwordFish", "graph": "Default" }),
    );
    agent.close(Duration::from_secs(10));
    assert!(home.ok(&["agents", "recalls"]).contains("quokka"));
    let project = |arguments: &[&str], text: &str| {
        let whole = [&["--project-dir", home.path().to_str().unwrap()], arguments].concat();
        home.fed(&whole, text)
    };
    let told = project(&["purge", "--entity", "Quokka Jones", "--yes"], "");
    assert!(told.status.success(), "{told:?}");
    let left = home.ok(&["agents", "recalls"]).to_lowercase();
    assert!(!left.contains("quokka"), "the name it asked for is gone: {left}");
}

#[test]
fn what_an_agent_deleted_is_had_back_by_command() {
    let home = home();
    let mut agent = home.server(&["--as", "scribe"]);
    agent.call("add_entities", entity("Harbour"));
    agent.call("add_entities", entity("Mole"));
    agent.call("add_relationships", json!({ "relationships": [{ "source": "Harbour", "target": "Mole", "relationship_type": "has", "weight": 0.5 }] }));
    let before = home.ok(&["export"]);
    agent.call("delete_entities", json!({ "names": ["Harbour"] }));
    let listed: Vec<Value> =
        home.ok(&["trash", "--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (listed.len(), &listed[0]["label"], &listed[0]["actor"]["name"]),
        (1, &json!("Harbour"), &json!("scribe"))
    );
    assert!(home.ok(&["trash"]).contains("1 observation and 1 relationship"));
    home.ok(&["trash", "restore", listed[0]["id"].as_str().unwrap()]);
    assert_eq!(home.ok(&["export"]), before);
    agent.call("delete_entities", json!({ "names": ["Harbour"] }));
    assert!(home.ok(&["trash", "empty"]).contains("1 thing would go"));
    home.ok(&["trash", "empty", "--yes"]);
    assert_eq!(home.ok(&["trash", "--json"]), "");
}

#[test]
fn a_graph_that_an_agent_deletes_leaves_a_copy() {
    let home = home();
    let mut agent = home.server(&["--as", "scribe"]);
    agent.call("create_graph", json!({ "name": "work" }));
    agent.call(
        "add_entities",
        json!({ "graph": "work", "entities": [{ "name": "Harbour", "entity_type": "place" }] }),
    );
    agent.call("delete_graph", json!({ "name": "work" }));
    let copies: Vec<_> = std::fs::read_dir(home.library().join("backups"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    assert_eq!(copies.len(), 1, "{copies:?}");
    home.ok(&["graphs", "--create", "work"]);
    home.ok(&["--graph", "work", "restore", copies[0].to_str().unwrap()]);
    assert!(home.ok(&["--graph", "work", "export"]).contains("Harbour"));
}

#[test]
fn rights_hold_where_the_state_cannot_be_written() {
    let home = home();
    home.ok(&["agents", "rights", "bob", "--may", "read"]);
    let state = rusqlite::Connection::open(home.library().join("state.sqlite")).unwrap();
    state.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut bob = home.server(&["--as", "bob"]);
    assert_eq!(bob.refused("add_entities", entity("Harbour"))["error_type"], "permission_denied");
    let mut other = home.server(&["--as", "other"]);
    other.call("add_entities", entity("Harbour"));
    drop(state);
}

#[test]
fn graphs_that_are_not_for_an_agent_are_not_named_to_it() {
    let home = home();
    for name in ["open", "secret"] {
        home.ok(&["graphs", "--create", name]);
    }
    home.ok(&["agents", "rights", "bob", "--may", "write", "--graphs", "open"]);
    let mut bob = home.server(&["--as", "bob"]);
    for (tool, arguments) in
        [("read_graph", json!({ "graph": "nosuch" })), ("switch_graph", json!({ "name": "nosuch" }))]
    {
        let refused = bob.refused(tool, arguments).to_string();
        assert!(refused.contains("open") && !refused.contains("secret"), "{refused}");
    }
}

#[test]
fn a_terminal_shows_what_agents_wrote_and_does_nothing_else() {
    let home = home();
    let mut agent = home.server(&["--as", "scribe"]);
    let evil = "\u{1b}]0;pwned\u{7}\u{1b}[31mEVIL\u{9b}31m\u{202e}";
    agent.result("read_graph", json!({ "graph": evil }));
    agent.call("add_entities", json!({ "entities": [{ "name": evil, "entity_type": evil, "observations": [evil] }, { "name": "Mole", "entity_type": "t" }] }));
    agent.call(
        "add_relationships",
        json!({ "relationships": [{ "source": "Mole", "target": evil, "relationship_type": "has" }] }),
    );
    agent.call("search_nodes", json!({ "query": evil }));
    agent.call("delete_relationships", json!({ "source": "Mole", "target": evil }));
    agent.call("delete_entities", json!({ "names": [evil] }));
    drop(agent);
    for command in [
        &["agents"][..],
        &["agents", "recalls"],
        &["trash"],
        &["log"],
        &["status"],
        &["log", "--entity", "Mole"],
    ] {
        let told = home.run(command);
        let told = String::from_utf8([told.stdout, told.stderr].concat()).unwrap();
        assert!(!told.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{command:?}: {told:?}");
    }
}

#[test]
fn clients_of_many_names_are_not_kept_for_ever() {
    let home = home();
    let listener = home.http();
    let token = token(&home, "scribe");
    for i in 0..400 {
        let session = listener.initialize(&token, &format!("client {i}"));
        listener.call(&token, &session, "read_graph", json!({}));
    }
    once(&home, |agents| agents[0]["sessions"].as_array().is_some_and(|sessions| sessions.len() >= 200));
    let agents = told(&home, &["agents", "--json"]);
    assert!(
        agents[0]["sessions"].as_array().unwrap().len() <= 257,
        "{}",
        agents[0]["sessions"].as_array().unwrap().len()
    );
}

#[test]
fn notices_end_with_the_token_and_the_right_to_read() {
    let home = home();
    home.ok(&["graphs", "--create", "secret"]);
    home.ok(&["agents", "rights", "bob", "--may", "write"]);
    let mut bob = home.server(&["--as", "bob"]);
    bob.request("resources/subscribe", json!({ "uri": "graphmem://secret/overview" }));
    home.ok(&["agents", "rights", "bob", "--graphs", "default"]);
    let mut other = home.server(&["--as", "other"]);
    // That it may not read it any more is news; what happens there from now on is not.
    let mut news = 0;
    for name in ["one", "two", "three"] {
        std::thread::sleep(Duration::from_millis(1_200));
        other.call(
            "add_entities",
            json!({ "graph": "secret", "entities": [{ "name": name, "entity_type": "t" }] }),
        );
        while let Some(message) = bob.receive(Duration::from_millis(100)) {
            news += u64::from(message["method"] == "notifications/resources/updated");
        }
    }
    assert!(news <= 1, "{news}");
}
