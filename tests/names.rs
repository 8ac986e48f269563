//! Names in all their forms.

use serde_json::{Value, json};

use crate::home;

fn add(name: &str) -> Value {
    json!({ "entities": [{ "name": name, "entity_type": "t" }] })
}

#[test]
fn b032_composed_and_decomposed_names_are_one() {
    let home = home();
    let mut agent = home.server(&[]);
    for (composed, decomposed) in [
        ("Café Zürich", "Cafe\u{301} Zu\u{308}rich"),
        ("한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"),
    ] {
        agent.call("add_entities", add(decomposed));
        assert_eq!(agent.call("add_entities", add(composed))["results"][0]["status"], "merged");
        assert_eq!(
            agent.call("get_entity", json!({ "name": decomposed }))["name"],
            composed,
            "stored as NFC"
        );
        assert_eq!(
            agent.call("search_nodes", json!({ "query": decomposed }))["results"][0]["name"],
            composed
        );
    }
    assert_eq!(agent.call("read_graph", json!({}))["entities"], 2);
}

#[test]
fn b034_padded_blank_and_overlong_names() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", add("  Alice "));
    assert_eq!(agent.call("add_entities", add("Alice"))["results"][0]["status"], "merged");
    for bad in ["", "   ", "\u{200b}", "line\nbreak", &"x".repeat(20_000)] {
        let error = agent.refused("add_entities", add(bad));
        assert_eq!(error["details"]["field"], "entities[0].name", "{error}");
        assert!(!error["message"].as_str().unwrap().contains("xxxx"), "the text is not told back");
    }
    let error = agent.refused("add_observations", json!({ "entity_name": "Alice", "observations": ["  "] }));
    assert_eq!(error["details"]["field"], "observations[0]");
    agent.call("add_entities", add(&"ж".repeat(500)));
}

#[test]
fn b035_an_ambiguous_name_always_means_the_same_entity() {
    let home = home();
    let mut agent = home.server(&[]);
    let both = json!({ "entities": [{ "name": "Mercury", "entity_type": "planet" }, { "name": "Mercury", "entity_type": "element" }] });
    agent.call("add_entities", both);
    let mut owners = std::collections::HashSet::new();
    for i in 0..20 {
        agent.call("add_entities", add(&format!("unrelated {i}")));
        let added = agent.call(
            "add_observations",
            json!({ "entity_name": "Mercury", "observations": [format!("note {i}")] }),
        );
        owners.insert(added["results"][0]["entity_id"].as_str().unwrap().to_owned());
    }
    assert_eq!(owners.len(), 1);
    let error = agent.refused("delete_entities", json!({ "names": ["Mercury"] }));
    assert_eq!(
        (&error["error_type"], &error["details"]["entity_types"]),
        (&json!("ambiguous"), &json!(["element", "planet"]))
    );
    assert_eq!(
        agent.call("delete_entities", json!({ "names": ["Mercury"], "entity_type": "planet" }))["deleted"],
        1
    );
}

#[test]
fn b038_labels_with_punctuation_are_found_exactly() {
    let home = home();
    let mut agent = home.server(&[]);
    let names = [
        "Deploy / rollback (v2) — notes",
        "C:\\srv\\app\\main.rs",
        "a.b::c<T>",
        "100 % wool?",
        "<img src=x onerror=alert(1)>",
        "Ωmega 漢字 🙂",
    ];
    for name in names {
        agent.call("add_entities", add(name));
    }
    for name in names {
        assert_eq!(agent.call("get_entity", json!({ "name": name }))["name"], name);
        assert_eq!(agent.call("search_nodes", json!({ "query": name }))["results"][0]["name"], name);
    }
}

#[test]
fn a_name_that_is_not_found_brings_suggestions_and_resolves_to_nothing() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", json!({ "entities": [{ "name": "Alba", "entity_type": "t" }, { "name": "Albo", "entity_type": "t" }] }));
    let error = agent.refused("get_entity", json!({ "name": "Albaa" }));
    assert_eq!(error["error_type"], "not_found");
    assert!(error["suggestions"].as_array().unwrap().contains(&json!("Alba")), "{error}");
    assert_eq!(agent.call("delete_entities", json!({ "names": ["Albaa"] }))["deleted"], 0);
}
