//! Agents on the HTTP listener, and those who should not come in.

use serde_json::json;

use crate::home;
use gm_testkit::HttpServer;

fn token(home: &gm_testkit::Home, name: &str) -> String {
    home.ok(&["connect", name, "--print-token"]).trim().to_owned()
}

#[test]
fn an_agent_with_a_token_writes_under_its_own_name() {
    let home = home();
    let listener = home.http();
    let token = token(&home, "scribe");
    let session = listener.initialize(&token, "some-client");
    let added = listener.call(
        &token,
        &session,
        "add_entities",
        json!({ "entities": [{ "name": "Ω", "entity_type": "t" }] }),
    );
    assert_eq!(added["structuredContent"]["results"][0]["status"], "created");
    let log = home.ok(&["log", "--json"]);
    assert!(log.contains("\"actor\":\"agent:scribe\"") && log.contains("some-client 1.0"), "{log}");
    let again = self::token(&home, "scribe");
    let old =
        listener.post_mcp(&token, Some(&session), &json!({ "jsonrpc": "2.0", "id": 3, "method": "ping" }));
    assert_eq!(old.status, 401, "a new token ends the old one");
    assert!(!listener.initialize(&again, "some-client").is_empty());
}

#[test]
fn b070_a_core_of_the_tools_can_be_asked_for() {
    let home = home();
    let listener = home.http();
    let bearer = format!("Bearer {}", token(&home, "scribe"));
    let session = listener.initialize(bearer.trim_start_matches("Bearer "), "some-client");
    let listed = |path: &str| {
        let headers = [
            ("Authorization", bearer.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Mcp-Session-Id", session.as_str()),
        ];
        let message = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {} });
        let answer = listener.send("POST", path, &headers, &message.to_string());
        gm_testkit::message_of(&answer.body)["result"]["tools"].as_array().unwrap().len()
    };
    assert_eq!(listed("/mcp"), 28);
    assert!(listed("/mcp?tools=core") <= 12);
}

#[test]
fn the_stateless_revision_works_without_a_session() {
    let home = home();
    let listener = home.http();
    let token = token(&home, "scribe");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "modern", "version": "2" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let bearer = format!("Bearer {token}");
    let call = |name: &str, arguments: serde_json::Value| {
        let message = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": name, "arguments": arguments, "_meta": meta },
        });
        let headers = [
            ("Authorization", bearer.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", name),
        ];
        let answer = listener.send("POST", "/mcp", &headers, &message.to_string());
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(answer.session.is_none(), "nothing to keep");
        answer.body
    };
    assert!(call("create_graph", json!({ "name": "blue" })).contains("created"));
    assert!(call("switch_graph", json!({ "name": "blue" })).contains("switched"));
    assert!(call("read_graph", json!({})).contains("blue"), "the choice stays with the identity");
}

#[test]
fn b080_each_session_has_its_own_active_graph() {
    let home = home();
    let listener = home.http();
    let (red, blue) = (token(&home, "red-agent"), token(&home, "blue-agent"));
    let (one, two) = (listener.initialize(&red, "c"), listener.initialize(&blue, "c"));
    for name in ["red", "blue"] {
        listener.call(&red, &one, "create_graph", json!({ "name": name }));
    }
    listener.call(&red, &one, "switch_graph", json!({ "name": "red" }));
    listener.call(&blue, &two, "switch_graph", json!({ "name": "blue" }));
    for i in 0..50 {
        let entity =
            |side: &str| json!({ "entities": [{ "name": format!("{side}-{i}"), "entity_type": "t" }] });
        let answer = listener.call(&red, &one, "add_entities", entity("red"));
        assert_eq!(answer["structuredContent"]["graph"], "red");
        listener.call(&blue, &two, "add_entities", entity("blue"));
    }
    let three = listener.initialize(&blue, "c");
    let count = |graph: &str| {
        let answer = listener.call(&blue, &three, "read_graph", json!({ "graph": graph }));
        answer["structuredContent"]["entities"].clone()
    };
    assert_eq!((count("red"), count("blue"), count("default")), (json!(50), json!(50), json!(0)));
    let fresh = listener.call(&blue, &three, "read_graph", json!({}));
    assert_eq!(fresh["structuredContent"]["graph"], "default", "a new session begins in the default graph");
}

#[test]
fn a_session_is_bound_to_its_token() {
    let home = home();
    let listener = home.http();
    let (ada, bob) = (token(&home, "ada"), token(&home, "bob"));
    let session = listener.initialize(&ada, "c");
    let ping = json!({ "jsonrpc": "2.0", "id": 4, "method": "ping" });
    assert_eq!(listener.post_mcp(&bob, Some(&session), &ping).status, 404);
    assert_eq!(listener.post_mcp(&ada, Some(&session), &ping).status, 200);
    assert_eq!(listener.post_mcp(&ada, Some("no-such-session"), &ping).status, 404);
}

#[test]
fn b136_b137_nobody_comes_in_uninvited() {
    let home = home();
    let listener = home.http();
    let token = token(&home, "ada");
    let bearer = format!("Bearer {token}");
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    let json_type = ("Content-Type", "application/json");
    let status = |method: &str, path: &str, headers: &[(&str, &str)]| {
        let answer = listener.send(method, path, headers, &message);
        assert!(answer.cross_origin.is_none(), "no Access-Control header, ever");
        assert!(!answer.body.contains(&token));
        answer.status
    };
    let data_routes = [
        "/mcp",
        "/mcp/",
        "/api/call/scene",
        "/api/graph",
        "/api/entity/x",
        "/api/search",
        "/api/stats",
        "/api/graphs",
    ];
    for path in data_routes {
        for method in ["POST", "GET"] {
            let refused = |headers: &[(&str, &str)]| {
                let status = status(method, path, headers);
                assert!([401, 403, 405, 415].contains(&status), "{method} {path} {headers:?} → {status}");
            };
            refused(&[json_type]);
            refused(&[json_type, ("Authorization", "Bearer gmt_wrong")]);
            refused(&[json_type, ("Authorization", &bearer), ("Origin", "https://evil.example")]);
            refused(&[json_type, ("Authorization", &bearer), ("Origin", "null")]);
            refused(&[json_type, ("Authorization", &bearer), ("Host", "evil.example")]);
            refused(&[json_type, ("Cookie", &format!("token={token}"))]);
        }
    }
    assert_eq!(status("POST", "/mcp", &[("Authorization", &bearer), ("Content-Type", "text/plain")]), 415);
    assert_eq!(status("PUT", "/mcp", &[("Authorization", &bearer)]), 405);
    assert_eq!(status("GET", "/no/such", &[]), 404);
    assert_eq!(status("GET", "/", &[("Host", "evil.example")]), 403, "pages too answer to our names alone");
    assert_eq!(
        status("POST", &format!("/mcp?token={token}"), &[json_type]),
        401,
        "a token in the address is none"
    );
    assert_eq!(status("POST", "/api/session", &[json_type]), 400);
}

#[test]
fn b083_bodies_are_taken_up_to_the_bound() {
    let home = home();
    let listener = home.http();
    let token = token(&home, "ada");
    let session = listener.initialize(&token, "c");
    let entities = |n: usize| {
        let many: Vec<_> = (0..n)
            .map(|i| json!({ "name": format!("e{i}"), "entity_type": "t", "observations": [format!("{i} {}", "x".repeat(60_000))] }))
            .collect();
        json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": { "name": "add_entities", "arguments": { "entities": many } } })
    };
    assert_eq!(listener.post_mcp(&token, Some(&session), &entities(50)).status, 200, "3 MB");
    let refused = listener.post_mcp(&token, Some(&session), &entities(333));
    assert_eq!(refused.status, 413, "20 MB");
    assert!(refused.body.contains("16 MiB"), "{}", refused.body);
    let ping = json!({ "jsonrpc": "2.0", "id": 4, "method": "ping" });
    assert_eq!(listener.post_mcp(&token, Some(&session), &ping).status, 200, "the session goes on");
}

#[test]
fn b085_both_loopback_addresses_answer() {
    let home = home();
    let listener: HttpServer = home.http();
    for host in ["127.0.0.1", "[::1]", "localhost"] {
        let url = format!("http://{host}:{}/api/hello", listener.port);
        let body = ureq::get(&url)
            .call()
            .unwrap_or_else(|e| panic!("{url}: {e}"))
            .body_mut()
            .read_to_string()
            .unwrap();
        assert!(body.contains("graph-mem"), "{host}");
    }
}
