//! What a score means, what a hit tells, and queries with nothing in them.

use serde_json::{Value, json};

use crate::home;

#[test]
fn b049_scores_mean_something_and_thresholds_hold() {
    let home = home();
    let mut agent = home.server(&[]);
    let parts = ["jib", "keel", "rudder", "boom", "halyard", "winch", "cleat", "tiller", "spinnaker", "hull"];
    let items: Vec<Value> = (0..100)
        .map(|i| {
            let (a, b) = (parts[i % 10], parts[(i / 10 + 1) % 10]);
            let description =
                if i == 42 { "how a torn mainsail is repaired: repair kit, needle, palm" } else { "sailing" };
            json!({ "name": format!("{a} and {b} {i}"), "entity_type": "note", "description": description,
                    "observations": [format!("the {a} is checked before the {b} when sailing")] })
        })
        .collect();
    agent.call("add_entities", json!({ "entities": items }));
    let top = |agent: &mut gm_testkit::McpProcess, arguments: Value| -> Option<f64> {
        agent.call("search_nodes", arguments)["results"][0]["relevance_score"].as_f64()
    };
    let relevant = top(&mut agent, json!({ "query": "mainsail repair" })).expect("the sail is found");
    let nonsense = top(&mut agent, json!({ "query": "zxqv blorptang" })).unwrap_or(0.0);
    assert!(relevant < 1.0 && nonsense <= 0.6 * relevant, "{nonsense} beside {relevant}");
    // A middle value keeps the relevant hit and lets nothing else through.
    let middle = relevant * 0.8;
    assert!(top(&mut agent, json!({ "query": "mainsail repair", "min_score": middle })).is_some());
    assert!(top(&mut agent, json!({ "query": "zxqv blorptang", "min_score": middle })).is_none());
    let all = agent.call("search_nodes", json!({ "query": "sailing", "limit": 100, "min_score": middle }));
    assert!(all["results"].as_array().unwrap().iter().all(|h| h["relevance_score"].as_f64() >= Some(middle)));
    assert!(top(&mut agent, json!({ "query": "mainsail repair", "min_score": relevant * 1.01 })).is_none());
    let said = agent.call("search_observations", json!({ "query": "jib sailing", "min_score": middle }));
    let said = said["results"].as_array().unwrap();
    assert!(!said.is_empty() && said.iter().all(|hit| hit["relevance_score"].as_f64() >= Some(middle)));
    // Where a threshold cannot apply it is refused, not ignored.
    let error = agent.refused("list_entities", json!({ "min_score": middle }));
    assert_eq!(error["details"]["field"], "min_score", "{error}");
}

#[test]
fn b052_a_hit_tells_its_relations_whoever_is_at_their_other_end() {
    let home = home();
    let mut agent = home.server(&[]);
    let people = ["Nora", "Piet", "Olu"].map(|name| json!({ "name": name, "entity_type": "person" }));
    agent.call("add_entities", json!({ "entities": people }));
    let edges = [("Nora", "Piet"), ("Olu", "Nora")]
        .map(|(s, t)| json!({ "source": s, "target": t, "relationship_type": "mentors" }));
    agent.call("add_relationships", json!({ "relationships": edges }));
    let hit = agent.call("search_nodes", json!({ "query": "Nora", "limit": 1 }))["results"][0].clone();
    let mut told: Vec<[&str; 3]> = hit["relationships"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| ["direction", "relationship_type", "connected_entity"].map(|f| r[f].as_str().unwrap()))
        .collect();
    told.sort_unstable();
    assert_eq!(told, [["incoming", "mentors", "Olu"], ["outgoing", "mentors", "Piet"]]);
    let entity = agent.call("get_entity", json!({ "name": "Nora" }));
    let mut ends: Vec<[&str; 3]> = entity["relationships"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| ["source_name", "relationship_type", "target_name"].map(|f| r[f].as_str().unwrap()))
        .collect();
    ends.sort_unstable();
    assert_eq!(ends, [["Nora", "mentors", "Piet"], ["Olu", "mentors", "Nora"]]);
}

#[test]
fn b055_texts_and_queries_with_nothing_in_them_disturb_nothing() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call(
        "add_entities",
        json!({ "entities": [
            { "name": "Hollow", "entity_type": "t", "description": "", "observations": ["…", "🙂", "-"] },
            { "name": "Lamp", "entity_type": "t", "description": "a lamp for the harbour", "observations": ["the harbour lamp is lit at dusk"] },
        ]}),
    );
    for tool in ["search_nodes", "search_observations"] {
        for blank in ["", "   ", "\t\n", "\u{a0}"] {
            let result =
                agent.request("tools/call", json!({ "name": tool, "arguments": { "query": blank } }));
            if result["isError"] == true {
                let error: Value =
                    serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
                assert_eq!(error["details"]["field"], "query", "{error}");
            } else {
                assert_eq!(result["structuredContent"]["count"], 0, "{result}");
            }
        }
        for empty in ["!!!", "🙂", "…", "-", "\"\"", "\u{200d}", "\u{301}"] {
            agent.call(tool, json!({ "query": empty }));
        }
        let found = agent.call(tool, json!({ "query": "harbour lamp" }));
        let hits = found["results"].as_array().unwrap();
        for hit in hits {
            assert!(hit["relevance_score"].as_f64().is_some_and(f64::is_finite), "{hit}");
        }
        let first = &hits[0];
        assert!(first["name"] == "Lamp" || first["entity_name"] == "Lamp", "{first}");
    }
}
