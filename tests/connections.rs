//! Following relationships, merging, and the rest of the tools, over the real binary.

use serde_json::{Value, json};

use crate::home;
use gm_testkit::McpProcess;

fn entities(names: &[&str]) -> Value {
    json!({ "entities": names.iter().map(|n| json!({ "name": n, "entity_type": "t" })).collect::<Vec<_>>() })
}

fn link(agent: &mut McpProcess, edges: &[(&str, &str, f64)]) {
    let edges: Vec<Value> = edges
        .iter()
        .map(|(s, t, w)| json!({ "source": s, "target": t, "relationship_type": "to", "weight": w }))
        .collect();
    agent.call("add_relationships", json!({ "relationships": edges }));
}

#[test]
fn b058_dense_graphs_are_walked_once() {
    let home = home();
    let mut agent = home.server(&[]);
    let names: Vec<String> = (1..=16).map(|i| format!("N{i:02}")).collect();
    agent.call("add_entities", entities(&names.iter().map(String::as_str).collect::<Vec<_>>()));
    let edges: Vec<(&str, &str, f64)> = (0..16)
        .flat_map(|i| (i + 1..16).map(move |j| (i, j)))
        .map(|(i, j)| (names[i].as_str(), names[j].as_str(), 1.0))
        .collect();
    link(&mut agent, &edges);
    let found = agent.call("find_connections", json!({ "entity_name": "N01", "max_hops": 6 }));
    assert_eq!((found["count"].as_u64(), found["truncated"].as_bool()), (Some(15), Some(false)));
    assert!(found["results"].as_array().unwrap().iter().all(|r| r["depth"] == 1));
    let around = agent.call("get_subgraph", json!({ "entity_names": ["N01"], "radius": 5 }));
    assert_eq!(
        (around["entities"].as_array().unwrap().len(), around["relationships"].as_array().unwrap().len()),
        (16, 120)
    );
    let paths = agent.call("find_paths", json!({ "source": "N01", "target": "N16", "max_hops": 6 }));
    assert_eq!((paths["count"].as_u64(), paths["paths"][0].as_array().unwrap().len()), (Some(1), 2));
}

#[test]
fn b059_a_hub_is_cut_with_a_word_and_the_near_ones_stay() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", entities(&["A", "B", "Hub"]));
    link(&mut agent, &[("A", "B", 1.0), ("B", "Hub", 1.0)]);
    for batch in 0..6 {
        let spokes: Vec<Value> = (0..1000)
            .map(|i| json!({ "name": format!("s{batch}-{i}"), "entity_type": "t", "description": "x".repeat(1000) }))
            .collect();
        let edges: Vec<Value> = (0..1000)
            .map(|i| json!({ "source": "Hub", "target": format!("s{batch}-{i}"), "relationship_type": "to" }))
            .collect();
        agent.call("add_entities", json!({ "entities": spokes }));
        agent.call("add_relationships", json!({ "relationships": edges }));
    }
    let around = agent.call("get_subgraph", json!({ "entity_names": ["A"], "radius": 3 }));
    let names: Vec<&str> =
        around["entities"].as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert!(["A", "B", "Hub"].iter().all(|near| names.contains(near)));
    assert_eq!((names.len(), around["truncated"].as_bool()), (200, Some(true)));
    assert!(around.to_string().len() < 1_000_000);
    let found = agent.call("find_connections", json!({ "entity_name": "A", "max_hops": 3 }));
    assert_eq!((found["count"].as_u64(), found["truncated"].as_bool()), (Some(200), Some(true)));
    assert_eq!(
        found,
        agent.call("find_connections", json!({ "entity_name": "A", "max_hops": 3 })),
        "the same again"
    );
}

#[test]
fn b061_direction_is_honoured_and_a_wrong_one_named() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", entities(&["X", "Y", "Z"]));
    link(&mut agent, &[("X", "Y", 1.0), ("Y", "Z", 1.0)]);
    for (direction, expected) in [("outgoing", vec!["Z"]), ("incoming", vec!["X"]), ("both", vec!["X", "Z"])]
    {
        let found = agent.call("find_connections", json!({ "entity_name": "Y", "direction": direction }));
        let names: Vec<&str> = found["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r["entity"]["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, expected, "{direction}");
    }
    let error = agent.refused("find_connections", json!({ "entity_name": "Y", "direction": "upstream" }));
    assert!(error["message"].as_str().unwrap().contains("both, outgoing, incoming"), "{error}");
    let path = agent.call("find_paths", json!({ "source": "X", "target": "Z" }));
    assert_eq!(path["paths"][0].as_array().unwrap().len(), 3);
    assert_eq!(path["paths"][0][1]["direction"], "outgoing");
    assert_eq!(
        agent.call("find_paths", json!({ "source": "X", "target": "X" }))["paths"][0]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        agent.refused("find_paths", json!({ "source": "X", "target": "Missing" }))["error_type"],
        "not_found"
    );
    agent.call("add_entities", entities(&["Alone"]));
    assert_eq!(agent.call("find_paths", json!({ "source": "X", "target": "Alone" }))["count"], 0);
}

#[test]
fn b062_rings_end() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", entities(&["R1", "R2", "R3", "R4", "R5"]));
    link(
        &mut agent,
        &[
            ("R1", "R2", 1.0),
            ("R2", "R3", 1.0),
            ("R3", "R4", 1.0),
            ("R4", "R5", 1.0),
            ("R5", "R1", 1.0),
            ("R2", "R1", 1.0),
        ],
    );
    let found = agent.call("find_connections", json!({ "entity_name": "R1", "max_hops": 10 }));
    assert_eq!(found["count"], 4);
    assert_eq!(
        agent.call("find_paths", json!({ "source": "R1", "target": "R3" }))["count"],
        2,
        "two edges between R1 and R2"
    );
    agent.call("merge_entities", json!({ "target": "R1", "source": "R3" }));
    assert_eq!(agent.call("find_connections", json!({ "entity_name": "R1", "max_hops": 10 }))["count"], 3);
}

#[test]
fn b064_a_merge_moves_keeps_and_tells() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call(
        "add_entities",
        json!({ "entities": [
            { "name": "T", "entity_type": "t", "observations": ["o1"] },
            { "name": "D", "entity_type": "t", "observations": ["o1", "o2"] },
            { "name": "X", "entity_type": "t" }, { "name": "Y", "entity_type": "t" },
        ]}),
    );
    link(&mut agent, &[("D", "X", 0.9), ("T", "X", 0.4), ("Y", "D", 1.0), ("D", "T", 1.0), ("T", "D", 1.0)]);
    let before = home.ok(&["export"]);
    let merged = agent.call("merge_entities", json!({ "target": "T", "source": "D" }));
    let result = &merged["result"];
    assert_eq!(
        (
            result["relationships_moved"].as_u64(),
            result["relationships_merged"].as_u64(),
            result["relationships_dropped"].as_u64()
        ),
        (Some(1), Some(1), Some(2))
    );
    let t = agent.call("get_entity", json!({ "name": "T" }));
    assert_eq!(t["observation_count"], 2);
    let edges: Vec<(String, String, f64)> = t["relationships"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| {
            (
                r["source_name"].as_str().unwrap().into(),
                r["target_name"].as_str().unwrap().into(),
                r["weight"].as_f64().unwrap(),
            )
        })
        .collect();
    assert_eq!(edges, [("Y".into(), "T".into(), 1.0), ("T".into(), "X".into(), 0.9)]);
    assert_eq!(agent.call("get_entity", json!({ "name": "D" }))["name"], "T", "the old name still finds it");
    agent.refused("merge_entities", json!({ "target": "T", "source": "T" }));
    let log = home.ok(&["log", "--json", "-n", "1"]);
    let transaction =
        serde_json::from_str::<Value>(&log).unwrap()["transaction"].as_str().unwrap().to_owned();
    home.ok(&["undo", &transaction]);
    assert_eq!(home.ok(&["export"]), before, "taken back byte for byte");
}

#[test]
fn b011_b016_updates_and_deletes_hit_exactly_what_was_named() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", entities(&["Pet", "Other"]));
    let added = agent.call(
        "add_observations",
        json!({ "entity_name": "Pet", "observations": ["prefers the kennel at Oakfield"] }),
    );
    let id = added["results"][0]["id"].clone();
    agent.refused(
        "update_observation",
        json!({ "entity_name": "Other", "observation_id": id, "content": "x" }),
    );
    agent.call(
        "update_observation",
        json!({ "entity_name": "Pet", "observation_id": id, "content": "prefers the cattery at Millbrook" }),
    );
    agent.call("update_entity", json!({ "name": "Pet", "new_name": "Tabby", "properties": { "age": 3 } }));
    assert_eq!(agent.call("search_observations", json!({ "query": "kennel Oakfield" }))["count"], 0);
    assert_eq!(
        agent.call("search_observations", json!({ "query": "cattery", "entity_name": "Tabby" }))["results"]
            [0]["entity_name"],
        "Tabby"
    );
    let error = agent.refused("update_entity", json!({ "name": "Tabby", "new_name": "Other" }));
    assert_eq!(error["error_type"], "already_exists");
    link(&mut agent, &[("Tabby", "Other", 0.5)]);
    let updated = agent.call("update_relationship", json!({ "source": "Tabby", "target": "Other", "relationship_type": "to", "new_weight": 0.8, "new_type": "near" }));
    assert_eq!(
        (updated["weight"].as_f64(), updated["relationship_type"].as_str()),
        (Some(0.8), Some("near"))
    );
    let error = agent.refused(
        "update_relationship",
        json!({ "source": "Tabby", "target": "Other", "relationship_type": "near", "new_weight": 2 }),
    );
    assert_eq!(error["details"]["field"], "new_weight");
    assert_eq!(agent.call("list_relationships", json!({ "relationship_type": "near" }))["total"], 1);
    assert_eq!(agent.call("list_relationships", json!({ "entity_name": "Other" }))["total"], 1);
    assert_eq!(
        agent.call("delete_relationships", json!({ "source": "Other", "target": "Tabby" }))["status"],
        "not_found"
    );
    assert_eq!(
        agent.call("delete_relationships", json!({ "source": "Tabby", "target": "Other" }))["deleted"],
        1
    );
    let gone = agent.call("delete_observations", json!({ "entity_name": "Other", "observation_ids": [id] }));
    assert_eq!((gone["deleted"].as_u64(), gone["status"].as_str()), (Some(0), Some("not_found")));
    assert_eq!(
        agent.call("delete_observations", json!({ "entity_name": "Tabby", "observation_ids": [id] }))["deleted"],
        1
    );
}

#[test]
fn upkeep_tells_what_is_missing_and_compacts_in_one_step() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call(
        "add_entities",
        json!({ "entities": [
            { "name": "Auth Service", "entity_type": "service", "description": "signs people in", "observations": ["a", "b", "c"] },
            { "name": "auth-service", "entity_type": "component", "description": "signs people in too" },
            { "name": "Lonely", "entity_type": "thing" },
        ]}),
    );
    let health = agent.call("graph_health", json!({}));
    assert_eq!(
        (health["missing_description_count"].as_u64(), &health["missing_descriptions"]),
        (Some(1), &json!(["Lonely"]))
    );
    assert_eq!(health["observation_hotspots"][0]["observations"], 3);
    let audit = agent.call("audit_graph", json!({}));
    assert_eq!(
        (audit["disconnected"]["count"].as_u64(), audit["duplicate_candidates"]["count"].as_u64()),
        (Some(3), Some(2))
    );
    assert!(audit["report"].as_str().unwrap().contains("Lonely"));
    let near = agent.call("suggest_connections", json!({ "entity_name": "Auth Service" }));
    assert_eq!(near["suggestions"][0]["name"], "auth-service");
    let ids: Vec<Value> = agent.call("get_entity", json!({ "name": "Auth Service" }))["observations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| o["id"].clone())
        .collect();
    agent.refused(
        "compact_observations",
        json!({ "entity_name": "Auth Service", "keep_ids": [ids[0], "no-such-id"], "new_observations": [] }),
    );
    let done = agent.call(
        "compact_observations",
        json!({ "entity_name": "Auth Service", "keep_ids": [ids[0]], "new_observations": ["a and b"] }),
    );
    assert_eq!(
        (done["deleted"].as_u64(), done["kept"].as_u64(), done["added"].as_u64()),
        (Some(2), Some(1), Some(1))
    );
    agent.call("update_entity", json!({ "name": "Lonely", "description": "not any more" }));
    assert_eq!(agent.call("graph_health", json!({}))["missing_description_count"], 0);
}

#[test]
fn a_graph_that_somebody_has_open_is_not_deleted() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("create_graph", json!({ "name": "scratch" }));
    let mut other = home.server(&["--as", "other", "--graph", "scratch"]);
    other.call("read_graph", json!({}));
    let error = agent.refused("delete_graph", json!({ "name": "scratch" }));
    assert!(
        error["error_type"] == "in_use" && error["message"].as_str().unwrap().contains("other"),
        "{error}"
    );
    assert!(other.close(std::time::Duration::from_secs(5)).is_some());
    let deleted = agent.call("delete_graph", json!({ "name": "scratch" }));
    assert!(deleted["deleted_files"].as_array().unwrap().contains(&json!("scratch.db")));
    assert!(!home.library().join("scratch.db").exists());
    agent.refused("delete_graph", json!({ "name": "default" }));
}

#[test]
fn an_earlier_name_is_still_found_and_does_not_come_back_as_a_double() {
    let home = home();
    let mut agent = home.server(&[]);
    let entity = |name: &str, text: &str| json!({ "name": name, "entity_type": "tool", "description": text });
    agent.call("add_entities", json!({ "entities": [entity("Postgres", ""), entity("PostgreSQL", "a database"), entity("Mongo", "")] }));
    agent.call("merge_entities", json!({ "target": "PostgreSQL", "source": "Postgres" }));
    agent.call("update_entity", json!({ "name": "Mongo", "new_name": "MongoDB" }));
    for (old, new) in [("postgres", "PostgreSQL"), ("MONGO", "MongoDB")] {
        assert_eq!(agent.call("get_entity", json!({ "name": old }))["name"], new);
    }
    let again = agent.call(
        "add_entities",
        json!({ "entities": [entity("Postgres", "relational"), entity("mongo", "of documents")] }),
    );
    assert_eq!(again["results"][0]["name"], "PostgreSQL");
    assert_eq!(
        (&again["results"][0]["status"], &again["results"][1]["status"]),
        (&json!("merged"), &json!("merged"))
    );
    assert_eq!(agent.call("get_entity", json!({ "name": "MongoDB" }))["description"], "of documents");
    assert_eq!(agent.call("read_graph", json!({}))["entities"], 2);
    // Another type is another thing.
    let other =
        agent.call("add_entities", json!({ "entities": [{ "name": "Mongo", "entity_type": "planet" }] }));
    assert_eq!(other["results"][0]["status"], "created");
    // Back to the old name: no name is an alias of itself.
    agent.call("update_entity", json!({ "name": "MongoDB", "new_name": "Mongo" }));
    let back = agent.call("get_entity", json!({ "name": "Mongo", "entity_type": "tool" }));
    assert_eq!(back["aliases"], json!(["MongoDB"]));
    // An old name that somebody else has now is theirs.
    agent.call("add_entities", json!({ "entities": [entity("MongoDB server", "")] }));
    agent.call("update_entity", json!({ "name": "MongoDB server", "new_name": "MongoDB" }));
    assert_eq!(agent.call("get_entity", json!({ "name": "MongoDB" }))["aliases"], json!(["MongoDB server"]));
}

#[test]
fn screening_judges_what_is_stored() {
    let home = home();
    let mut agent = home.server(&[]);
    let whole = json!({ "name": "A", "entity_type": "t", "description": "d", "observations": ["o"] });
    assert!(agent.call("add_entities", json!({ "entities": [whole] })).get("screening").is_none());
    let bare = json!({ "name": "a", "entity_type": "t" });
    let added =
        agent.call("add_entities", json!({ "entities": [bare, { "name": "B", "entity_type": "t" }] }));
    assert_eq!(added["screening"]["missing_description"], json!(["B"]));
    assert_eq!(added["screening"]["missing_observations"], json!(["B"]));
}

#[test]
fn what_was_meant_is_told() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", json!({ "entities": [{ "name": "gateway", "entity_type": "service" }] }));
    let error =
        agent.refused("add_entities", json!({ "entities": [{ "name": "X", "entityType": "service" }] }));
    assert_eq!(
        (&error["details"]["field"], &error["suggestions"]),
        (&json!("entities[0].entityType"), &json!(["entity_type"]))
    );
    let error = agent.refused(
        "add_relationships",
        json!({ "relationships": [{ "source": "gatway", "target": "gateway", "relationship_type": "r" }] }),
    );
    assert_eq!(
        (&error["details"]["field"], &error["suggestions"]),
        (&json!("relationships[0].source"), &json!(["gateway"]))
    );
    for (name, meant) in [("create_entities", "`add_entities`"), ("find_connection", "`find_connections`")] {
        let reply = agent.exchange("tools/call", json!({ "name": name, "arguments": {} }));
        assert!(reply["error"]["message"].as_str().unwrap().contains(meant), "{reply}");
    }
}
