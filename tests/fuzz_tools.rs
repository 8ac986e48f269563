//! Arbitrary arguments for every tool, made from the tools' own schemas: the answer fits the
//! output schema or is an error of the agreed shape, and the process lives on.
//! `PROPTEST_CASES` asks for more cases than the default.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use crate::answers::{answer_is_right, tools};
use crate::home;

/// Calls of one case: what one leaves behind, the next one meets.
const CALLS: usize = 4;
/// Far above what any call takes in an unoptimised build, far below a hang.
const PATIENCE: Duration = Duration::from_secs(8);

fn cases(default: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(default), failure_persistence: None, ..ProptestConfig::default() }
}

/// Any JSON that is not meant for anything.
fn any_json() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        Just(json!(1e308)),
        Just(json!(-0.0)),
        Just(json!("[1, {\"a\": null}")),
        Just(json!("[[\"a\"]]")),
        Just(json!("{}")),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            vec(("\\PC{0,6}", inner), 0..4).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
    .boxed()
}

/// Text for a field: what the graph knows, near misses, and what nobody sends on purpose.
fn text_for(field: &str, ids: &[String]) -> BoxedStrategy<Value> {
    let known = match field {
        "graph" => vec!["default", "work", "Work", "nowhere", "graph", "../x"],
        "observation_id" | "keep_ids" | "observation_ids" => ids.iter().map(String::as_str).collect(),
        "entity_type" | "source_type" | "target_type" | "current_type" | "entity_types" => {
            vec!["person", "Person", "place", "nothing"]
        }
        "relationship_type" | "new_type" | "relationship_types" => vec!["knows", "near", "KNOWS "],
        _ => vec!["Ada", "ada", "Bo", "Łódź", "Ada ", "work", "Nobody", "lamp", "\"the lamp\" OR x*"],
    };
    let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
    prop_oneof![
        12 => proptest::sample::select(known),
        2 => "\\PC{0,12}",
        1 => any::<String>(),
        1 => ("[a\0\u{301}\u{202e}漢🧭'\"%()*-]", 1usize..3_000).prop_map(|(piece, n)| piece.repeat(n)),
    ]
    .prop_map(Value::from)
    .boxed()
}

/// A value for a field: mostly of its kind, sometimes of none.
fn value_for(field: &str, schema: &Value, ids: &[String]) -> BoxedStrategy<Value> {
    let proper: BoxedStrategy<Value> = match schema["type"].as_str() {
        Some("object") if schema["properties"].is_object() => record(schema, ids),
        Some("object") => vec(("\\PC{0,8}", any_json()), 0..4)
            .prop_map(|pairs| Value::Object(pairs.into_iter().collect()))
            .boxed(),
        Some("array") => vec(value_for(field, &schema["items"], ids), 0..4).prop_map(Value::from).boxed(),
        Some("string") => match schema["enum"].as_array() {
            Some(words) => proptest::sample::select(words.clone()).boxed(),
            None => text_for(field, ids),
        },
        Some("integer") => prop_oneof![
            4 => (-3i64..600).prop_map(Value::from),
            1 => any::<i64>().prop_map(Value::from),
            1 => any::<f64>().prop_map(|number| json!(number)),
            1 => (-3i64..600).prop_map(|number| json!(number.to_string())),
        ]
        .boxed(),
        Some("number") => prop_oneof![
            4 => (-0.5f64..1.5).prop_map(|number| json!(number)),
            1 => any::<f64>().prop_map(|number| json!(number)),
            1 => (-0.5f64..1.5).prop_map(|number| json!(number.to_string())),
        ]
        .boxed(),
        _ => any::<bool>().prop_map(Value::from).boxed(),
    };
    let as_text = proper.clone().prop_map(|value| json!(value.to_string()));
    prop_oneof![24 => proper, 1 => as_text, 1 => any_json()].boxed()
}

/// An object with most of its fields, now and then one too few or one too many.
fn record(schema: &Value, ids: &[String]) -> BoxedStrategy<Value> {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut fields: BoxedStrategy<Map<String, Value>> = Just(Map::new()).boxed();
    for (name, field) in schema["properties"].as_object().unwrap() {
        let chance = if required.contains(&name.as_str()) { 0.97 } else { 0.4 };
        let value = proptest::option::weighted(chance, value_for(name, field, ids));
        let name = name.clone();
        fields = (fields, value)
            .prop_map(move |(mut fields, value)| {
                if let Some(value) = value {
                    fields.insert(name.clone(), value);
                }
                fields
            })
            .boxed();
    }
    (fields, proptest::option::weighted(0.03, ("\\PC{1,80}", any_json())))
        .prop_map(|(mut fields, unknown)| {
            fields.extend(unknown);
            Value::Object(fields)
        })
        .boxed()
}

#[test]
fn any_arguments_are_answered_or_refused_and_the_process_lives() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("create_graph", json!({ "name": "work" }));
    let mut ids = Vec::new();
    for graph in ["default", "work"] {
        let people = ["Ada", "Bo", "Łódź"].map(|name| json!({ "name": name, "entity_type": "person", "observations": [format!("{name} has the lamp"), "x"] }));
        agent.call("add_entities", json!({ "entities": people, "graph": graph }));
        agent.call("add_relationships", json!({ "relationships": [{ "source": "Ada", "target": "Bo", "relationship_type": "knows" }], "graph": graph }));
        let ada = agent.call("get_entity", json!({ "name": "Ada", "graph": graph }));
        ids.extend(
            ada["observations"].as_array().unwrap().iter().map(|o| o["id"].as_str().unwrap().to_owned()),
        );
    }
    ids.extend(["".to_owned(), "x".repeat(80), "01arz3ndektsv4rrffq69g5fav".to_owned()]);
    let tools = tools();
    let any_call = proptest::strategy::Union::new(
        tools.iter().map(|tool| (Just(tool["name"].clone()), record(&tool["inputSchema"], &ids))),
    );
    let agent = RefCell::new(agent);
    let n_right = RefCell::new((0u32, 0u32));
    TestRunner::new(cases(192))
        .run(&vec(any_call, CALLS), |calls| {
            let mut agent = agent.borrow_mut();
            for (name, arguments) in calls {
                let name = name.as_str().unwrap();
                let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
                let began = Instant::now();
                let result = agent.request("tools/call", json!({ "name": name, "arguments": arguments }));
                prop_assert!(began.elapsed() < PATIENCE, "{} took {:?}", name, began.elapsed());
                if answer_is_right(&home, tool, &result, name) {
                    n_right.borrow_mut().1 += 1;
                } else {
                    n_right.borrow_mut().0 += 1;
                }
            }
            agent.request("ping", json!({}));
            Ok(())
        })
        .unwrap();
    let (n_answered, n_refused) = n_right.into_inner();
    assert!(n_answered * 4 > n_refused, "most are refused, so little is tried: {n_answered}, {n_refused}");
    let mut agent = agent.into_inner();
    let count = |agent: &mut gm_testkit::McpProcess| agent.call("read_graph", json!({ "graph": "default" }));
    let seen = count(&mut agent);
    drop(agent);
    assert_eq!(count(&mut home.server(&[]))["entities"], seen["entities"], "a new process sees the same");
    let file = home.library().join("graph.db");
    assert_eq!(crate::sql(&file, "PRAGMA integrity_check"), "ok");
    for table in ["entities", "relationships", "observations"] {
        let rows = crate::sql(&file, &format!("SELECT count(*) FROM {table}"));
        assert_eq!(rows, seen[table].to_string(), "{table}: the count is that of the rows");
    }
}

#[test]
fn parameters_of_any_form_end_no_session() {
    let home = home();
    let agent = RefCell::new(home.server(&[]));
    TestRunner::new(cases(64))
        .run(&(any_json(), any_json(), "\\PC{0,12}"), |(arguments, params, name)| {
            let mut agent = agent.borrow_mut();
            for params in
                [json!({ "name": "read_graph", "arguments": arguments }), json!({ "name": name }), params]
            {
                let reply = agent.exchange("tools/call", params);
                let is_error = reply["error"]["code"].is_i64() && reply["error"]["message"].is_string();
                prop_assert!(is_error || reply["result"]["content"].is_array(), "{}", reply);
            }
            agent.request("ping", json!({}));
            Ok(())
        })
        .unwrap();
}
