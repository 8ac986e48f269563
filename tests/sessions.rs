//! Sessions of agents on the HTTP listener.

use serde_json::{Value, json};

use crate::home;

fn token(home: &gm_testkit::Home, name: &str) -> String {
    home.ok(&["connect", name, "--print-token"]).trim().to_owned()
}

fn list_tools() -> Value {
    json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": {} })
}

const ACCEPT: (&str, &str) = ("Accept", "application/json, text/event-stream");
const JSON: (&str, &str) = ("Content-Type", "application/json");
const VERSION: (&str, &str) = ("MCP-Protocol-Version", "2025-06-18");

#[test]
fn b077_a_session_of_an_earlier_start_is_answered_so_that_clients_begin_anew() {
    let home = home();
    let listener = home.http();
    let token = token(&home, "scribe");
    let bearer = format!("Bearer {token}");
    let old = listener.initialize(&token, "client");
    assert_eq!(listener.post_mcp(&token, Some(&old), &list_tools()).status, 200);
    drop(listener);
    let listener = home.http();
    let headers =
        [("Authorization", bearer.as_str()), ACCEPT, JSON, VERSION, ("Mcp-Session-Id", old.as_str())];
    for method in ["POST", "GET", "DELETE"] {
        let body = if method == "POST" { list_tools().to_string() } else { String::new() };
        let answer = listener.send(method, "/mcp", &headers, &body);
        assert_eq!(answer.status, 404, "{method}: {}", answer.body);
    }
    let new = listener.initialize(&token, "client");
    assert_ne!(new, old);
    assert_eq!(listener.post_mcp(&token, Some(&new), &list_tools()).status, 200);
    let without = listener.post_mcp(&token, None, &list_tools());
    assert_eq!(without.status, 400, "a request without a session that begins none: {}", without.body);
}

#[test]
fn b079_any_number_of_clients_may_begin_at_once() {
    let home = home();
    let listener = home.http();
    let token = token(&home, "scribe");
    let bearer = format!("Bearer {token}");
    let sessions: Vec<String> = std::thread::scope(|scope| {
        let begun: Vec<_> = (0..5)
            .map(|i| {
                let (listener, token) = (&listener, &token);
                scope.spawn(move || {
                    let session = listener.initialize(token, &format!("client-{i}"));
                    let entity = json!({ "entities": [{ "name": format!("by {i}"), "entity_type": "t" }] });
                    let added = listener.call(token, &session, "add_entities", entity);
                    assert_ne!(added["isError"], true, "{added}");
                    session
                })
            })
            .collect();
        begun.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let distinct: std::collections::HashSet<&String> = sessions.iter().collect();
    assert_eq!(distinct.len(), 5);
    let headers = [("Authorization", bearer.as_str()), VERSION, ("Mcp-Session-Id", sessions[2].as_str())];
    let ended = listener.send("DELETE", "/mcp", &headers, "");
    assert!((200..300).contains(&ended.status), "{} {}", ended.status, ended.body);
    for (i, session) in sessions.iter().enumerate() {
        let answer = listener.post_mcp(&token, Some(session), &list_tools());
        assert_eq!(answer.status, if i == 2 { 404 } else { 200 }, "session {i}: {}", answer.body);
    }
    let seen = listener.call(&token, &sessions[0], "read_graph", json!({}));
    assert_eq!(seen["structuredContent"]["entities"], 5);
}

#[test]
fn b082_the_address_works_with_and_without_a_slash_at_its_end() {
    let home = home();
    let listener = home.http();
    let token = token(&home, "scribe");
    let bearer = format!("Bearer {token}");
    let authorised = ("Authorization", bearer.as_str());
    let begin = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" },
    }});
    for path in ["/mcp", "/mcp/"] {
        let begun = listener.send("POST", path, &[authorised, ACCEPT, JSON], &begin.to_string());
        assert_eq!(begun.status, 200, "POST {path}: {}", begun.body);
        let session = begun.session.expect("a session begins");
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
        let headers = [authorised, ACCEPT, JSON, VERSION, ("Mcp-Session-Id", session.as_str())];
        assert_eq!(listener.send("POST", path, &headers, &ready).status, 202, "POST {path}");
        // A GET opens an event stream that stays open; without the right to accept one it is refused.
        let plain =
            [authorised, ("Accept", "application/json"), VERSION, ("Mcp-Session-Id", session.as_str())];
        let got = listener.send("GET", path, &plain, "").status;
        assert!([405, 406].contains(&got), "GET {path} → {got}");
        let ended = listener.send("DELETE", path, &headers, "").status;
        assert!((200..300).contains(&ended), "DELETE {path} → {ended}");
        assert_eq!(listener.send("PUT", path, &[authorised], "").status, 405, "PUT {path}");
    }
    for unknown in ["/mcp/x", "/mc", "/no/such/"] {
        assert_eq!(listener.send("GET", unknown, &[authorised], "").status, 404, "{unknown}");
    }
    let refused = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .new_agent()
        .put(&listener.url("/mcp"))
        .header("Authorization", &bearer)
        .send("")
        .unwrap();
    assert!(refused.headers().contains_key("allow"), "405 says what is allowed");
}
