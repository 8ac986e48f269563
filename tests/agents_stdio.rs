//! An agent that starts its own process.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::home;

#[test]
fn an_agent_adds_reads_searches_and_deletes() {
    let home = home();
    let mut agent = home.server(&[]);
    let added = agent.call(
        "add_entities",
        json!({ "entities": [
            { "name": "AuthService", "entity_type": "Service", "description": "Signs people in",
              "observations": ["Uses bcrypt for password hashing"] },
            { "name": "Ada", "entity_type": "person" },
        ]}),
    );
    assert_eq!(added["count"], 2);
    assert_eq!(added["graph"], "default");
    assert_eq!(added["results"][0]["status"], "created");
    assert_eq!(added["results"][0]["entity_type"], "service", "types are lower-cased");
    assert_eq!(added["screening"]["missing_description"], json!(["Ada"]));
    agent.call(
        "add_relationships",
        json!({ "relationships": [{ "source": "ada", "target": "AuthService", "relationship_type": "maintains", "weight": 0.5 }] }),
    );
    let notes = agent
        .call("add_observations", json!({ "entity_name": "Ada", "observations": ["On call", "On call"] }));
    assert_eq!(notes["results"][1]["status"], "merged", "the same text is not stored twice");
    let entity = agent.call("get_entity", json!({ "name": "ADA" }));
    assert_eq!(entity["observation_count"], 1);
    assert_eq!(entity["relationships"][0]["target_name"], "AuthService");
    let found = agent.call("search_nodes", json!({ "query": "auth service" }));
    assert_eq!(found["results"][0]["name"], "AuthService");
    assert_eq!(found["results"][0]["relationships"][0]["connected_entity"], "Ada");
    let overview = agent.call("read_graph", json!({}));
    assert_eq!(
        (&overview["entities"], &overview["relationships"], &overview["observations"]),
        (&json!(2), &json!(1), &json!(2))
    );
    let deleted = agent.call("delete_entities", json!({ "names": ["Ada", "Adaa"] }));
    assert_eq!((&deleted["deleted"], &deleted["not_found"]), (&json!(1), &json!(["Adaa"])));
    let overview = agent.call("read_graph", json!({}));
    assert_eq!(
        (&overview["entities"], &overview["relationships"], &overview["observations"]),
        (&json!(1), &json!(0), &json!(1))
    );
}

#[test]
fn writes_carry_the_clients_own_name_or_the_one_given() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", json!({ "entities": [{ "name": "A", "entity_type": "t" }] }));
    let mut named = home.server(&["--as", "scribe"]);
    named.call("add_entities", json!({ "entities": [{ "name": "B", "entity_type": "t" }] }));
    let log = home.ok(&["log", "--json"]);
    let actors: Vec<String> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["actor"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(actors, ["agent:scribe", "agent:testkit"]);
    assert!(!home.run(&["server", "--as", "person"]).status.success(), "reserved names are refused");
}

#[test]
fn the_tool_list_is_the_committed_one_and_plain() {
    let home = home();
    let mut agent = home.server(&[]);
    let listed = agent.request("tools/list", json!({}));
    let text = serde_json::to_string_pretty(&listed["tools"]).unwrap();
    let path = format!("{}/../../tests/data/tools.json", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, format!("{text}\n")).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(committed.trim_end(), text, "run with UPDATE_EXPECT=1 if the change is meant");
    assert!(
        !text.contains("$ref") && !text.contains("anyOf") && !text.contains("\"null\""),
        "schemas stay plain"
    );
    let instructions = home.server(&[]).initialize("again")["instructions"].as_str().unwrap().len();
    let size = listed["tools"].to_string().len() + instructions;
    assert!(size < 40_000, "b070: the catalogue must not eat the model's context: {size} bytes");
    for tool in listed["tools"].as_array().unwrap() {
        assert!(tool["description"].as_str().unwrap().len() <= 1_200);
        assert!(tool["outputSchema"].is_object() && tool["title"].is_string());
    }
}

#[test]
fn b070_a_core_of_the_tools_can_be_asked_for() {
    let home = home();
    let mut agent = home.server(&["--tools", "core"]);
    let listed = agent.request("tools/list", json!({}));
    let names: Vec<&str> =
        listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.len() <= 12 && names.contains(&"search_nodes"), "{names:?}");
    agent.call("add_entities", json!({ "entities": [{ "name": "A", "entity_type": "t" }] }));
    let reply = agent.exchange("tools/call", json!({ "name": "delete_graph", "arguments": { "name": "x" } }));
    assert!(reply["error"].is_object(), "what is not shown cannot be called: {reply}");
}

#[test]
fn every_answer_fits_the_output_schema_of_its_tool() {
    let home = home();
    let mut agent = home.server(&[]);
    let tools = agent.request("tools/list", json!({}))["tools"].clone();
    let schema = |name: &str| {
        tools.as_array().unwrap().iter().find(|t| t["name"] == name).unwrap_or_else(|| panic!("{name}"))["outputSchema"].clone()
    };
    let item = json!({ "name": "A", "entity_type": "t", "observations": ["o"] });
    let calls = [
        ("read_graph", json!({})),
        ("list_entities", json!({})),
        ("search_nodes", json!({ "query": "nothing" })),
        ("add_entities", json!({ "entities": [item, { "name": "B", "entity_type": "t" }] })),
        (
            "add_relationships",
            json!({ "relationships": [{ "source": "A", "target": "B", "relationship_type": "r" }] }),
        ),
        ("add_observations", json!({ "entity_name": "A", "observations": ["p"] })),
        ("get_entity", json!({ "name": "A" })),
        ("search_nodes", json!({ "query": "o", "include_observations": true })),
        ("list_entities", json!({ "limit": 1, "entity_type": "t" })),
        ("read_graph", json!({})),
        ("list_graphs", json!({})),
        ("create_graph", json!({ "name": "other" })),
        ("switch_graph", json!({ "name": "other" })),
        ("delete_entities", json!({ "names": ["A", "none"], "graph": "default" })),
    ];
    for (tool, arguments) in calls {
        let answer = agent.call(tool, arguments);
        check(&schema(tool), &answer, tool);
    }
}

/// As much of JSON Schema as our schemas use.
pub(crate) fn check(schema: &Value, value: &Value, at: &str) {
    let fits = match schema["type"].as_str().unwrap_or("any") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => true,
    };
    assert!(fits, "{at}: {value} is not {}", schema["type"]);
    if let Some(allowed) = schema["enum"].as_array() {
        assert!(allowed.contains(value), "{at}: {value} is none of {allowed:?}");
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(value.get(name.as_str().unwrap()).is_some(), "{at}: {name} is missing");
    }
    if let (Some(properties), Some(object)) = (schema["properties"].as_object(), value.as_object()) {
        for (name, value) in object {
            let schema = properties.get(name).unwrap_or_else(|| panic!("{at}: {name} is not in the schema"));
            check(schema, value, &format!("{at}.{name}"));
        }
    }
    if let Some(items) = value.as_array() {
        items.iter().for_each(|item| check(&schema["items"], item, &format!("{at}[]")));
    }
}

#[test]
fn b014_a_batch_with_a_bad_item_stores_nothing_and_names_it() {
    let home = home();
    let mut agent = home.server(&[]);
    let entity = |name: &str| json!({ "name": name, "entity_type": "t" });
    agent.call("add_entities", json!({ "entities": [entity("A"), entity("B")] }));
    let edge =
        |target: &str, kind: &str| json!({ "source": "A", "target": target, "relationship_type": kind });
    let error = agent.refused(
        "add_relationships",
        json!({ "relationships": [edge("B", "r1"), edge("B", "r2"), edge("Nobody", "r3"), edge("B", "r4")] }),
    );
    assert_eq!(error["details"]["field"], "relationships[2].target", "{error}");
    let error = agent.refused(
        "add_entities",
        json!({ "entities": [entity("C"), entity("D"), { "name": "E", "entity_type": 7 }] }),
    );
    assert_eq!(error["details"]["field"], "entities[2].entity_type", "{error}");
    assert!(error["message"].as_str().unwrap().contains("must be text"));
    let overview = agent.call("read_graph", json!({}));
    assert_eq!((&overview["entities"], &overview["relationships"]), (&json!(2), &json!(0)));
}

#[test]
fn b056_limits_are_clamped_and_unknown_arguments_named() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", json!({ "entities": [{ "name": "A", "entity_type": "t" }] }));
    for (limit, used) in [(json!(0), 1), (json!(-1), 1), (json!("10"), 10), (json!(1_000_000_000), 100)] {
        let found = agent.call("search_nodes", json!({ "query": "A", "limit": limit }));
        assert_eq!(found["limit"], used);
    }
    let error = agent.refused("search_nodes", json!({ "query": "A", "top_k": 3 }));
    assert_eq!(error["details"]["field"], "top_k");
    agent.refused("search_nodes", json!({ "query": "A", "limit": 1.5 }));
    assert_eq!(agent.call("list_entities", json!({ "offset": -5 }))["offset"], 0);
}

#[test]
fn b065_weights_outside_zero_to_one_are_refused() {
    let home = home();
    let mut agent = home.server(&[]);
    let entity = |name: &str| json!({ "name": name, "entity_type": "t" });
    agent.call("add_entities", json!({ "entities": [entity("A"), entity("B")] }));
    let add = |weight: Value| json!({ "relationships": [{ "source": "A", "target": "B", "relationship_type": "r", "weight": weight }] });
    for bad in [json!(-0.1), json!(1.0001), json!(1e308), json!("high"), json!(true), json!([])] {
        let error = agent.refused("add_relationships", add(bad));
        assert_eq!(error["details"]["field"], "relationships[0].weight", "{error}");
    }
    agent.send_line(r#"{"jsonrpc":"2.0","id":900,"method":"tools/call","params":{"name":"add_relationships","arguments":{"relationships":[{"source":"A","target":"B","relationship_type":"r","weight":NaN}]}}}"#);
    assert_eq!(agent.receive(Duration::from_secs(10)).unwrap()["error"]["code"], -32700);
    agent.call("add_relationships", add(json!("0.5")));
    let entity = agent.call("get_entity", json!({ "name": "A" }));
    assert_eq!(entity["relationships"][0]["weight"], 0.5);
}

#[test]
fn b073_the_server_leaves_with_its_client() {
    let home = home();
    let silent = gm_testkit::McpProcess::start_silent({
        let mut command = home.command();
        command.arg("server");
        command
    });
    let left =
        silent.close(Duration::from_secs(5)).expect("it leaves when input ends before anything was said");
    assert!(left.success());
    let mut agent = home.server(&[]);
    agent.call("add_entities", json!({ "entities": [{ "name": "A", "entity_type": "t" }] }));
    let began = Instant::now();
    assert!(agent.close(Duration::from_secs(5)).expect("it leaves when input ends").success());
    assert!(began.elapsed() < Duration::from_secs(2));
}

#[cfg(target_os = "linux")]
#[test]
fn b073_the_server_leaves_when_its_client_is_killed() {
    use std::io::{BufRead, BufReader};
    let home = home();
    // The client holds the only end that could write; its death is the end of input.
    let script = "mkfifo in; exec 3<>in; \"$0\" server <in 3>&- >/dev/null & echo $!; wait";
    let mut command = home.command();
    let binary = command.get_program().to_owned();
    let mut client = std::process::Command::new("sh");
    client.args(["-c", script]).arg(binary).current_dir(home.path()).stdout(std::process::Stdio::piped());
    for (name, value) in command.env("GRAPHMEM_LOG", "off").get_envs() {
        match value {
            Some(value) => client.env(name, value),
            None => client.env_remove(name),
        };
    }
    let mut client = client.spawn().unwrap();
    let mut pid = String::new();
    BufReader::new(client.stdout.take().unwrap()).read_line(&mut pid).unwrap();
    let server = format!("/proc/{}", pid.trim());
    std::thread::sleep(Duration::from_millis(500));
    assert!(std::path::Path::new(&server).exists(), "it serves while its client lives");
    client.kill().unwrap();
    client.wait().unwrap();
    let give_up = Instant::now() + Duration::from_secs(10);
    while std::path::Path::new(&server).join("exe").exists() {
        assert!(Instant::now() < give_up, "it stays");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn b074_no_malformed_line_ends_the_session() {
    let home = home();
    let mut agent = home.server(&[]);
    let long =
        format!(r#"{{"jsonrpc":"2.0","id":5,"method":"x","params":{{"t":"{}"}}}}"#, "x".repeat(17 << 20));
    let lines: Vec<(&str, Option<i64>)> = vec![
        ("not json", Some(-32700)),
        (r#"{"jsonrpc":"2.0","method":"#, Some(-32700)),
        ("[]", Some(-32600)),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#,
            Some(-32600),
        ),
        (r#"{"jsonrpc":"2.0","id":901,"method":"no/such"}"#, Some(-32601)),
        (r#"{"jsonrpc":"2.0","id":902,"method":"tools/call","params":null}"#, Some(-32602)),
        (r#"{"jsonrpc":"2.0","id":903,"method":"tools/call","params":{}}"#, Some(-32602)),
        (r#"{"jsonrpc":"2.0","id":"nobody","result":{}}"#, None),
        (&long, Some(-32600)),
    ];
    for (line, code) in lines {
        agent.send_line(line);
        if let Some(code) = code {
            let reply =
                agent.receive(Duration::from_secs(20)).unwrap_or_else(|| panic!("no reply to {:.40}", line));
            assert_eq!(reply["error"]["code"], code, "{:.60} → {reply}", line);
        }
        agent.request("ping", json!({}));
    }
    agent.send_line("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":910,\"method\":\"ping\"}");
    assert_eq!(agent.receive(Duration::from_secs(10)).unwrap()["id"], 910);
    let mut early = gm_testkit::McpProcess::start_silent({
        let mut command = home.command();
        command.arg("server");
        command
    });
    early.send_line("garbage before anything");
    assert_eq!(early.receive(Duration::from_secs(10)).unwrap()["error"]["code"], -32700);
    let notice = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    early.send_line(notice);
    for (line, code) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, None),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_graph"}}"#, Some(-32602)),
        (r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":null}"#, Some(-32602)),
    ] {
        early.send_line(line);
        let reply = early.receive(Duration::from_secs(10)).unwrap_or_else(|| panic!("no reply to {line}"));
        assert_eq!(reply["error"]["code"].as_i64(), code, "{line} → {reply}");
        early.send_line(notice);
    }
    early.initialize("late");
    early.request("ping", json!({}));
}

#[test]
fn b037_nul_and_lone_surrogates_harm_nothing() {
    let home = home();
    let mut agent = home.server(&[]);
    let error =
        agent.refused("add_entities", json!({ "entities": [{ "name": "a\0b", "entity_type": "t" }] }));
    assert_eq!(error["details"]["field"], "entities[0].name");
    agent.send_line(r#"{"jsonrpc":"2.0","id":900,"method":"tools/call","params":{"name":"add_entities","arguments":{"entities":[{"name":"x\ud83d","entity_type":"t"}]}}}"#);
    assert!(agent.receive(Duration::from_secs(10)).unwrap()["error"].is_object());
    agent.request("ping", json!({}));
    assert_eq!(agent.call("read_graph", json!({}))["entities"], 0);
}

#[test]
fn b088_lists_sent_as_text_are_lists() {
    let home = home();
    let mut agent = home.server(&[]);
    let added =
        agent.call("add_entities", json!({ "entities": "[{\"name\":\"Dock\",\"entity_type\":\"place\"}]" }));
    assert_eq!(added["results"][0]["name"], "Dock");
    let found = agent.call("search_nodes", json!({ "query": "Dock", "entity_types": "[\"place\"]" }));
    assert_eq!(found["count"], 1);
    for bad in [json!("[{broken"), json!({ "name": "X", "entity_type": "t" }), json!("Dock")] {
        let error = agent.refused("add_entities", json!({ "entities": bad }));
        assert_eq!(error["details"]["field"], "entities");
    }
}

#[test]
fn b134_graph_names_never_become_paths() {
    let home = home();
    let outside = home.file("outside.db", "untouched");
    let mut agent = home.server(&[]);
    std::os::unix::fs::symlink(home.path().join("outside.db"), home.library().join("link.db")).unwrap();
    for bad in [
        "../outside",
        "..\\outside",
        "/etc/passwd",
        "a/b",
        ".",
        "..",
        "~",
        "a\0",
        "%2e%2e%2fx",
        "file:x?mode=memory",
        ":memory:",
        "graph",
        "CON",
    ] {
        for tool in ["create_graph", "switch_graph"] {
            let error = agent.refused(tool, json!({ "name": bad }));
            assert_eq!(error["error_type"], "invalid_argument", "{tool} {bad:?}: {error}");
        }
        agent.refused("read_graph", json!({ "graph": bad }));
    }
    agent.refused("switch_graph", json!({ "name": "link" }));
    assert_eq!(std::fs::read_to_string(outside).unwrap(), "untouched");
}

#[test]
fn b041_graph_names_that_differ_by_case_are_one() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("create_graph", json!({ "name": "Work" }));
    let error = agent.refused("create_graph", json!({ "name": "work" }));
    assert!(error["message"].as_str().unwrap().contains("`Work`"), "{error}");
    assert_eq!(agent.call("switch_graph", json!({ "name": "WORK" }))["name"], "Work");
}

#[test]
fn b067_answers_are_bounded_and_say_so() {
    let home = home();
    let mut agent = home.server(&[]);
    for batch in 0..4 {
        let many: Vec<Value> = (0..20)
            .map(|i| json!({ "name": format!("e{batch}-{i}"), "entity_type": "t", "description": "x".repeat(60_000) }))
            .collect();
        agent.call("add_entities", json!({ "entities": many }));
    }
    let listed = agent.call("list_entities", json!({ "limit": 500 }));
    assert_eq!((&listed["total"], &listed["truncated"]), (&json!(80), &json!(true)));
    assert!(listed.to_string().len() < 450_000 && listed["count"].as_u64().unwrap() >= 5);
    agent.request("ping", json!({}));
    let error = agent.refused(
        "add_entities",
        json!({ "entities": [{ "name": "deep", "entity_type": "t", "properties": nested(40) }] }),
    );
    assert_eq!(error["details"]["field"], "entities[0].properties");
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(json!(1), |inner, _| json!({ "in": inner }))
}

#[test]
fn the_printed_configuration_starts_a_server_on_the_same_library() {
    let home = home();
    let printed = home.ok(&["connect", "bot"]);
    let stdio = printed.split("as a process of its own:").nth(1).unwrap();
    let config: Value = serde_json::from_str(stdio.trim()).unwrap();
    let server = &config["mcpServers"]["graph-mem"];
    let mut command = std::process::Command::new(server["command"].as_str().unwrap());
    command.current_dir("/").env_remove("GRAPHMEM_HOME").env("HOME", home.path().join("elsewhere"));
    command.args(server["args"].as_array().unwrap().iter().map(|a| a.as_str().unwrap()));
    for (name, value) in server["env"].as_object().unwrap() {
        command.env(name, value.as_str().unwrap());
    }
    let mut agent = gm_testkit::McpProcess::start(command);
    agent.call("add_entities", json!({ "entities": [{ "name": "Here", "entity_type": "t" }] }));
    assert!(home.ok(&["log"]).contains("agent:bot"));
}

#[test]
fn open_dashboard_serves_the_explorer_and_gives_no_credential() {
    let home = home();
    let mut agent = home.server(&[]);
    let opened = agent.call("open_dashboard", json!({}));
    let url = opened["url"].as_str().unwrap().to_owned();
    assert_eq!(opened["status"], "serving", "nobody's screen is used in a test");
    let port: u16 = url.strip_prefix("http://127.0.0.1:").unwrap().trim_end_matches('/').parse().unwrap();
    let page = ureq::get(&url).call().unwrap().body_mut().read_to_string().unwrap();
    assert!(page.contains("<html"), "the explorer's page");
    let data = ureq::get(format!("{url}api/graphs")).call();
    assert!(matches!(data, Err(ureq::Error::StatusCode(401))), "the address opens nothing");
    assert_eq!(agent.call("open_dashboard", json!({}))["url"], url, "there is one explorer");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = listener.local_addr().unwrap().port();
    let refused = agent.refused("open_dashboard", json!({ "port": taken }));
    assert!(refused["message"].as_str().unwrap().contains(&taken.to_string()), "{refused}");
    drop(listener);
    agent.call("add_entities", json!({ "entities": [{ "name": "A", "entity_type": "t" }] }));
    assert!(agent.close(std::time::Duration::from_secs(10)).is_some());
    // What the explorer held is in its one file all the same: people copy it.
    let copy = home.path().join("copied.db");
    std::fs::copy(home.library().join("graph.db"), &copy).unwrap();
    assert_eq!(crate::sql(&copy, "SELECT name FROM entities").trim(), "A");
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err(), "it ends with its process");
}

#[test]
fn null_is_absent_and_what_is_no_cursor_is_told() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.send_line(r#"{"jsonrpc":"2.0","id":71,"method":"ping","params":null}"#);
    let reply = agent.receive(std::time::Duration::from_secs(10)).unwrap();
    assert_eq!((&reply["id"], reply.get("error")), (&json!(71), None));
    agent.send_line(r#"{"jsonrpc":"2.0","id":72,"method":"tools/call","params":{"name":"read_graph","arguments":null,"_meta":null}}"#);
    let reply = agent.receive(std::time::Duration::from_secs(10)).unwrap();
    assert_eq!((&reply["id"], &reply["result"]["isError"]), (&json!(72), &json!(false)), "{reply}");
    let reply = agent.exchange("tools/list", json!({ "cursor": "zzz" }));
    assert_eq!(reply["error"]["code"], -32602, "{reply}");
    let long = "word ".repeat(100_000);
    let found = agent.call("search_nodes", json!({ "query": long }));
    assert!(found["query"].as_str().unwrap().len() <= 10_000);
}

#[test]
fn what_is_sent_with_a_switch_of_graphs_goes_where_it_was_meant() {
    let home = home();
    home.ok(&["graphs", "--create", "a"]);
    home.ok(&["graphs", "--create", "b"]);
    let mut agent = home.server(&["--graph", "a"]);
    let mut meant = std::collections::HashMap::new();
    for round in 0..40 {
        let graph = if round % 2 == 0 { "b" } else { "a" };
        agent.send("tools/call", json!({ "name": "switch_graph", "arguments": { "name": graph } }));
        for item in 0..5 {
            let entity = json!({ "name": format!("{round} {item}"), "entity_type": "t" });
            let arguments = json!({ "entities": [entity] });
            let id = agent.send("tools/call", json!({ "name": "add_entities", "arguments": arguments }));
            meant.insert(id, graph);
        }
    }
    for _ in 0..40 * 6 {
        let reply = agent.receive(std::time::Duration::from_secs(20)).expect("every call is answered");
        if let Some(graph) = reply["id"].as_u64().and_then(|id| meant.get(&id)) {
            assert_eq!(reply["result"]["structuredContent"]["graph"], *graph, "{reply}");
        }
    }
}

#[test]
fn many_calls_at_once_keep_no_ping_waiting_and_a_cancelled_one_gets_no_answer() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", json!({ "entities": [{ "name": "Dock", "entity_type": "place" }] }));
    let other = rusqlite::Connection::open(home.library().join("graph.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let write = |agent: &mut gm_testkit::McpProcess, i: usize| {
        let arguments = json!({ "entity_name": "Dock", "observations": [format!("note {i}")] });
        agent.send("tools/call", json!({ "name": "add_observations", "arguments": arguments }))
    };
    let mut waiting: Vec<u64> = (0..8).map(|i| write(&mut agent, i)).collect();
    let (cancelled, ping) = (waiting.remove(0), agent.send("ping", json!({})));
    let reply = agent.receive(Duration::from_secs(10)).expect("a ping is answered while calls wait");
    assert_eq!(reply["id"], ping);
    let cancel = json!({ "requestId": cancelled, "reason": "no longer wanted" });
    agent.send_line(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel }).to_string(),
    );
    agent.request("ping", json!({}));
    other.execute_batch("ROLLBACK").unwrap();
    let mut answered: Vec<u64> = waiting
        .iter()
        .map(|_| agent.receive(Duration::from_secs(40)).expect("every other call is answered")["id"].as_u64())
        .map(|id| id.unwrap())
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, waiting);
    // Nothing comes before the answer to what is asked next.
    agent.request("ping", json!({}));
    let kept = agent.call("get_entity", json!({ "name": "Dock" }))["observations"].as_array().unwrap().len();
    assert!((7..=8).contains(&kept), "{kept} notes");
}
