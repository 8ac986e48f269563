//! Many clients at once, and clients that come and go.
//!
//! `CASES_FULL=1` runs both at the full measure: 64 clients for a minute, five thousand sessions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use gm_testkit::HttpServer;
use serde_json::json;

use crate::home;

const CLIENTS: usize = 64;

fn is_full() -> bool {
    std::env::var_os("CASES_FULL").is_some()
}

/// Kilobytes in memory, and open files, of the listener.
fn weight(listener: &HttpServer) -> (u64, usize) {
    let folder = format!("/proc/{}", listener.pid());
    let status = std::fs::read_to_string(format!("{folder}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let resident = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0);
    (resident, std::fs::read_dir(format!("{folder}/fd")).map_or(0, Iterator::count))
}

#[test]
#[allow(clippy::print_stderr)]
fn many_clients_read_and_write_at_once_and_nothing_is_lost() {
    let home = home();
    let listener = Arc::new(home.http());
    let tokens: Vec<String> = (0..8)
        .map(|i| home.ok(&["connect", &format!("agent-{i}"), "--print-token"]).trim().to_owned())
        .collect();
    let first = listener.initialize(&tokens[0], "first");
    let before = weight(&listener);
    let sample = json!({ "entities": [{ "name": "Harbour", "entity_type": "place", "observations": ["deep water"] }] });
    listener.call(&tokens[0], &first, "add_entities", sample);
    let until = Instant::now() + Duration::from_secs(if is_full() { 60 } else { 4 });
    let (written, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (listener, token) = (listener.clone(), tokens[client % tokens.len()].clone());
            let (written, stop) = (written.clone(), stop.clone());
            std::thread::spawn(move || {
                let session = listener.initialize(&token, &format!("client-{client}"));
                let mut waits = Vec::new();
                for round in 0.. {
                    if Instant::now() > until || stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let (tool, arguments) = match round % 4 {
                        0 => (
                            "add_entities",
                            json!({ "entities": [{ "name": format!("e {client} {round}"), "entity_type": "t", "observations": ["said"] }] }),
                        ),
                        1 => ("search_nodes", json!({ "query": "deep water" })),
                        2 => ("get_entity", json!({ "name": "Harbour" })),
                        _ => ("find_connections", json!({ "entity_name": "Harbour" })),
                    };
                    let began = Instant::now();
                    let result = listener.call(&token, &session, tool, arguments);
                    waits.push(began.elapsed());
                    if result["isError"] == true {
                        stop.store(true, Ordering::Relaxed);
                        panic!("{tool}: {result}");
                    }
                    if round % 4 == 0 {
                        written.fetch_add(1, Ordering::Relaxed);
                    }
                }
                let bearer = format!("Bearer {token}");
                let headers = [("Authorization", bearer.as_str()), ("Mcp-Session-Id", session.as_str())];
                assert!(listener.send("DELETE", "/mcp", &headers, "").status < 300);
                waits
            })
        })
        .collect();
    let mut waits: Vec<Duration> =
        clients.into_iter().flat_map(|client| client.join().expect("no error")).collect();
    waits.sort();
    let busy = weight(&listener);
    // A process at rest gives back what it kept for speed, and what its threads held when they have ended.
    let resting = Instant::now();
    let mut rested = weight(&listener);
    while rested.0 > before.0 + 8 * 1024 && resting.elapsed() < Duration::from_secs(25) {
        std::thread::sleep(Duration::from_millis(500));
        rested = weight(&listener);
    }
    let overview = listener.call(&tokens[0], &first, "read_graph", json!({}));
    let stored = overview["structuredContent"]["entities"].as_u64().unwrap();
    assert_eq!(stored, written.load(Ordering::Relaxed) + 1, "every acknowledged write is there");
    eprintln!(
        "{} calls by {CLIENTS} clients: median {:?}, p95 {:?}, longest {:?}; {before:?}, {busy:?}, then {:?} (KiB, open files)",
        waits.len(),
        waits[waits.len() / 2],
        waits[waits.len() * 95 / 100],
        waits[waits.len() - 1],
        rested
    );
    assert!(rested.0 < before.0 + 20 * 1024, "{before:?}, {busy:?}, {rested:?}");
}

#[test]
#[allow(clippy::print_stderr)]
fn clients_that_come_and_go_leave_nothing_behind() {
    let home = home();
    let listener = home.http();
    let token = home.ok(&["connect", "scribe", "--print-token"]).trim().to_owned();
    let cycle = |n: usize| {
        let session = listener.initialize(&token, "guest");
        let ping = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" });
        assert_eq!(listener.post_mcp(&token, Some(&session), &ping).status, 200);
        // Some take their leave; most do not.
        if n.is_multiple_of(3) {
            let bearer = format!("Bearer {token}");
            let headers = [("Authorization", bearer.as_str()), ("Mcp-Session-Id", session.as_str())];
            assert!(listener.send("DELETE", "/mcp", &headers, "").status < 300);
        }
    };
    // As many as are kept for one agent, so that what follows takes the place of what went.
    let (warm, more) = if is_full() { (600, 4_400) } else { (350, 350) };
    (0..warm).for_each(&cycle);
    let before = weight(&listener);
    (0..more).for_each(&cycle);
    let after = weight(&listener);
    eprintln!("{} sessions: {before:?} then {after:?} (KiB, open files)", warm + more);
    assert!(after.0 < before.0 + 12 * 1024, "{before:?} → {after:?}");
    assert!(after.1 < before.1 + 20, "{before:?} → {after:?}");
}
