//! What a search finds.

use serde_json::{Value, json};

use crate::home;

fn named(names: &[&str]) -> Value {
    json!({ "entities": names.iter().map(|name| json!({ "name": name, "entity_type": "t" })).collect::<Vec<_>>() })
}

fn first(agent: &mut gm_testkit::McpProcess, query: &str) -> Value {
    agent.call("search_nodes", json!({ "query": query }))["results"][0]["name"].clone()
}

#[test]
fn b043_no_text_is_query_syntax() {
    let home = home();
    let mut agent = home.server(&[]);
    let texts = [
        "OPS-417",
        "don't panic",
        "src/app.rs",
        "status: done",
        "v38.101",
        "2031-04-09",
        "user@host",
        "#tag",
        "[x]",
        "a,b",
        "e=mc2",
        "why?",
        "say \"hi",
        "(half",
        "^top",
        "NEAR miss",
        "black AND",
        "NOT",
        "-x",
        "wild*",
        "{c}",
        "100%",
        "_",
    ];
    agent.call("add_entities", named(&texts));
    for text in texts {
        assert_eq!(first(&mut agent, text), text);
    }
    let all = agent.call("search_nodes", json!({ "query": "100%", "limit": 100 }))["count"].as_u64().unwrap();
    assert!(all < 3, "a percent sign is no wildcard");
    for odd in ["*", "\"", "\"\"", "((", "!!!", "🙂", "a\" OR \"b", &"\"'".repeat(5_000)] {
        agent.call("search_nodes", json!({ "query": odd }));
    }
    agent.refused("search_nodes", json!({ "query": "   " }));
}

#[test]
fn b044_scripts_without_spaces_are_searchable() {
    let home = home();
    let mut agent = home.server(&[]);
    let notes = [
        "下周把仓库系统搬到新机房",
        "会議室の予約は金曜日まで",
        "결제서버점검일정",
        "the db ran out of ids",
        "ประชุมวันศุกร์",
    ];
    let entities: Vec<Value> = notes
        .iter()
        .enumerate()
        .map(|(i, note)| json!({ "name": format!("e{i}"), "entity_type": "t", "observations": [note] }))
        .collect();
    agent.call("add_entities", json!({ "entities": entities }));
    for (query, expected) in [
        ("仓库", "e0"),
        ("机房", "e0"),
        ("仓库系统", "e0"),
        ("予約", "e1"),
        ("서버", "e2"),
        ("db", "e3"),
        ("ศุกร์", "e4"),
    ] {
        assert_eq!(first(&mut agent, query), expected, "{query}");
    }
    assert_eq!(agent.call("search_nodes", json!({ "query": "苹果" }))["count"], 0);
}

#[test]
fn b046_a_whole_question_finds_its_answer() {
    let home = home();
    let mut agent = home.server(&[]);
    let filler: Vec<Value> = (0..200)
        .map(|i| json!({ "name": format!("Topic {i}"), "entity_type": "note", "observations": [format!("can you remind me what happened to the thing number {i} last time")] }))
        .collect();
    agent.call("add_entities", json!({ "entities": filler }));
    agent.call(
        "add_entities",
        json!({ "entities": [{ "name": "Lighthouse generator", "entity_type": "machine", "observations": ["failed in January because the fuel line froze"] }] }),
    );
    let found = agent.call("search_nodes", json!({ "query": "can you remind me why the generator at the lighthouse stopped working last winter?", "limit": 3 }));
    let names: Vec<&str> =
        found["results"].as_array().unwrap().iter().map(|r| r["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"Lighthouse generator"), "{names:?}");
    agent.call("search_nodes", json!({ "query": "what about the and of it" }));
}

#[test]
fn b047_filters_act_before_the_limit() {
    let home = home();
    let mut agent = home.server(&[]);
    let note = |i: u32| json!({ "name": format!("note {i}"), "entity_type": "note", "description": "harvest festival harvest festival harvest festival" });
    agent.call("add_entities", json!({ "entities": (0..200).map(note).collect::<Vec<_>>() }));
    let person = |i: u32| json!({ "name": format!("person {i}"), "entity_type": "person", "observations": ["once at the harvest festival"] });
    agent.call("add_entities", json!({ "entities": (0..3).map(person).collect::<Vec<_>>() }));
    let found = agent
        .call("search_nodes", json!({ "query": "harvest festival", "limit": 3, "entity_types": ["person"] }));
    assert_eq!(found["count"], 3);
    assert!(found["results"].as_array().unwrap().iter().all(|r| r["entity_type"] == "person"));
}

#[test]
fn b050_an_exact_name_comes_first_whatever_its_symbols() {
    let home = home();
    let mut agent = home.server(&[]);
    let names = ["C", "C++", "C#", ".NET", "Go", "R", "IT"];
    agent.call("add_entities", named(&names));
    let others: Vec<String> = (0..50).map(|i| format!("C and Go and R language number {i} for IT")).collect();
    agent.call("add_entities", named(&others.iter().map(String::as_str).collect::<Vec<_>>()));
    for name in names {
        assert_eq!(first(&mut agent, name), name);
    }
    assert_eq!((first(&mut agent, "go"), first(&mut agent, "it")), (json!("Go"), json!("IT")));
}

#[test]
fn identifiers_and_accents_are_found_in_other_spellings() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", named(&["AuthService", "retry_policy", "naïve bayes"]));
    for query in ["AuthService", "auth service", "auth-service", "authservice"] {
        assert_eq!(first(&mut agent, query), "AuthService", "{query}");
    }
    assert_eq!(first(&mut agent, "retry policy"), "retry_policy");
    assert_eq!(first(&mut agent, "naive"), "naïve bayes");
    assert_eq!(first(&mut agent, "\"naive bayes\""), "naïve bayes");
    assert_eq!(first(&mut agent, "polic*"), "retry_policy");
    assert_eq!(first(&mut agent, "poli"), "retry_policy", "where no whole word matches, beginnings do");
}

#[test]
fn b010_deleted_text_is_found_nowhere() {
    let home = home();
    let mut agent = home.server(&[]);
    let ledger = |i: u32| json!({ "name": format!("Ledger {i}"), "entity_type": "t", "observations": ["a ledger in use"] });
    agent.call("add_entities", json!({ "entities": (0..3).map(ledger).collect::<Vec<_>>() }));
    agent.call("add_entities", json!({ "entities": [{ "name": "Ghost", "entity_type": "t", "observations": ["the violet ledger is in locker nine"] }] }));
    assert_eq!(first(&mut agent, "violet ledger"), "Ghost");
    agent.call("delete_entities", json!({ "names": ["Ghost"] }));
    let found = agent
        .call("search_nodes", json!({ "query": "violet ledger", "limit": 3, "include_observations": true }));
    assert_eq!(found["count"], 3);
    assert!(!found.to_string().contains("locker nine"));
    assert!(!home.ok(&["export"]).contains("locker nine"));
}

#[test]
fn b008_a_damaged_text_index_is_made_anew_by_itself() {
    let home = home();
    let mut agent = home.server(&[]);
    let many: Vec<Value> =
        (0..20).map(|i| json!({ "name": format!("Lamp {i}"), "entity_type": "t", "observations": [format!("shines {i}")] })).collect();
    agent.call("add_entities", json!({ "entities": many }));
    let before = agent.call("search_nodes", json!({ "query": "lamp shines", "limit": 50 }));
    let damage = || {
        let connection = rusqlite::Connection::open(home.library().join("graph.db")).unwrap();
        for table in
            ["entities_fts_data", "entities_fts_docsize", "observations_fts_data", "observations_fts_docsize"]
        {
            connection.execute(&format!("DELETE FROM {table}"), []).unwrap();
        }
    };
    damage();
    assert_eq!(agent.call("get_entity", json!({ "name": "Lamp 3" }))["name"], "Lamp 3");
    assert_eq!(agent.call("search_nodes", json!({ "query": "lamp shines", "limit": 50 })), before);
    damage();
    agent.call("add_entities", named(&["Lamp 20"]));
    assert_eq!(first(&mut agent, "Lamp 20"), "Lamp 20");
    assert_eq!(crate::sql(&home.library().join("graph.db"), "PRAGMA integrity_check"), "ok");
}

#[test]
fn a_short_list_begins_a_long_one() {
    let home = home();
    let mut agent = home.server(&[]);
    let entities: Vec<Value> = (0..1_500)
        .map(|i| json!({ "name": format!("Item {i}"), "entity_type": "t", "description": "common words here" }))
        .collect();
    for batch in entities.chunks(500) {
        agent.call("add_entities", json!({ "entities": batch }));
    }
    let mut names = |limit: u32| -> Vec<String> {
        let found = agent.call("search_nodes", json!({ "query": "common words", "limit": limit }));
        found["results"].as_array().unwrap().iter().map(|r| r["name"].as_str().unwrap().to_owned()).collect()
    };
    let (short, long) = (names(5), names(100));
    assert_eq!(short, long[..5]);
    assert_eq!(short[0], "Item 1499", "of equals, the newest comes first");
}
