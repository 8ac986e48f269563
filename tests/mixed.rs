//! Everything at once: adding, changing, deleting and taking back, from several processes and in
//! one that is killed, compared with what was acknowledged.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use gm_testkit::{Home, McpProcess};
use serde_json::{Value, json};

use crate::{home, sql};

/// What a graph should hold: entities with their observations, and relationships by their ends.
#[derive(Debug, Clone, Default, PartialEq)]
struct Model {
    entities: BTreeMap<String, BTreeSet<String>>,
    edges: BTreeSet<(String, String)>,
}

impl Model {
    fn of(home: &Home) -> Self {
        let export: Value = serde_json::from_str(&home.ok(&["export"])).unwrap();
        let list = |name: &str| export[name].as_array().unwrap().clone();
        let text = |object: &Value, field: &str| object[field].as_str().unwrap().to_owned();
        let names: BTreeMap<String, String> =
            list("entities").iter().map(|e| (text(e, "id"), text(e, "name"))).collect();
        let mut model = Self::default();
        model.entities.extend(names.values().map(|name| (name.clone(), BTreeSet::new())));
        for note in list("observations") {
            let of = &names[&text(&note, "entity_id")];
            model.entities.get_mut(of).unwrap().insert(text(&note, "content"));
        }
        for edge in list("relationships") {
            let end = |field: &str| names[&text(&edge, field)].clone();
            assert!(model.edges.insert((end("source_id"), end("target_id"))), "an edge stands twice");
        }
        model
    }

    fn part(&self, mine: impl Fn(&str) -> bool) -> Self {
        Self {
            entities: self
                .entities
                .iter()
                .filter(|(name, _)| mine(name))
                .map(|(n, o)| (n.clone(), o.clone()))
                .collect(),
            edges: self.edges.iter().filter(|(source, _)| mine(source)).cloned().collect(),
        }
    }

    fn forget(&mut self, name: &str) {
        self.entities.remove(name);
        self.edges.retain(|(source, target)| source != name && target != name);
    }
}

/// A sequence that is the same on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// One change: what is asked, and what it makes of the model.
fn change(side: &str, step: usize, dice: &mut Dice, model: &Model) -> (&'static str, Value, Model) {
    let mut after = model.clone();
    let names: Vec<String> = model.entities.keys().cloned().collect();
    let pick = |dice: &mut Dice| names[dice.below(names.len())].clone();
    let choice = if names.len() < 3 { 0 } else { dice.below(8) };
    match choice {
        0 | 1 => {
            let name = format!("{side}-{step}");
            after.entities.insert(name.clone(), BTreeSet::from([format!("first of {step}")]));
            let item =
                json!({ "name": name, "entity_type": "t", "observations": [format!("first of {step}")] });
            ("add_entities", json!({ "entities": [item] }), after)
        }
        2 | 3 => {
            let (name, note) = (pick(dice), format!("note {step}"));
            after.entities.get_mut(&name).unwrap().insert(note.clone());
            ("add_observations", json!({ "entity_name": name, "observations": [note] }), after)
        }
        4 => {
            let name = pick(dice);
            after.forget(&name);
            ("delete_entities", json!({ "names": [name] }), after)
        }
        5 => {
            let (source, target) = (pick(dice), pick(dice));
            if source == target {
                let arguments = json!({ "name": source, "description": format!("changed at {step}") });
                return ("update_entity", arguments, after);
            }
            after.edges.insert((source.clone(), target.clone()));
            let edge = json!({ "source": source, "target": target, "relationship_type": "to" });
            ("add_relationships", json!({ "relationships": [edge] }), after)
        }
        6 => {
            let (name, new_name) = (pick(dice), format!("{side}-{step}"));
            let notes = after.entities.remove(&name).unwrap();
            after.entities.insert(new_name.clone(), notes);
            let renamed = |end: String| if end == name { new_name.clone() } else { end };
            after.edges = after.edges.into_iter().map(|(s, t)| (renamed(s), renamed(t))).collect();
            ("update_entity", json!({ "name": name, "new_name": new_name }), after)
        }
        _ => {
            let name = pick(dice);
            let note = format!("compacted at {step}");
            after.entities.insert(name.clone(), BTreeSet::from([note.clone()]));
            let arguments = json!({ "entity_name": name, "keep_ids": [], "new_observations": [note] });
            ("compact_observations", arguments, after)
        }
    }
}

/// Takes back the newest change of an agent.
fn take_back(home: &Home, actor: &str) {
    let log = home.ok(&["log", "--json", "-n", "200"]);
    let mut rows = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let newest = rows.find(|row| row["actor"] == actor).expect("the agent wrote");
    home.ok(&["undo", newest["transaction"].as_str().unwrap()]);
}

fn is_sound(home: &Home) {
    let file = home.library().join("graph.db");
    assert_eq!(sql(&file, "PRAGMA integrity_check"), "ok");
    assert_eq!(sql(&file, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
    let connection = rusqlite::Connection::open(&file).unwrap();
    for index in ["entities_fts", "observations_fts"] {
        let check = format!("INSERT INTO {index}({index}) VALUES ('integrity-check')");
        connection.execute(&check, []).unwrap_or_else(|error| panic!("{index}: {error}"));
    }
    let status: Value = serde_json::from_str(&home.ok(&["status", "--json"])).unwrap();
    for kind in ["entities", "relationships", "observations"] {
        assert_eq!(status[kind].to_string(), sql(&file, &format!("SELECT count(*) FROM {kind}")), "{kind}");
    }
}

#[test]
fn b002_adding_and_deleting_side_by_side_in_one_session() {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("add_entities", json!({ "entities": [{ "name": "Root", "entity_type": "t" }, { "name": "Root2", "entity_type": "t" }] }));
    let old: Vec<String> = (0..10).map(|i| format!("old {i}")).collect();
    let added = agent.call("add_observations", json!({ "entity_name": "Root", "observations": old }));
    let mut waiting = BTreeSet::new();
    for i in 0..10 {
        let id = added["results"][i]["id"].clone();
        for (name, arguments) in [
            ("add_entities", json!({ "entities": [{ "name": format!("p{i:02}"), "entity_type": "t" }] })),
            ("add_observations", json!({ "entity_name": "Root", "observations": [format!("new {i}")] })),
            (
                "add_relationships",
                json!({ "relationships": [{ "source": "Root", "target": "Root2", "relationship_type": format!("r{i}") }] }),
            ),
            ("delete_observations", json!({ "entity_name": "Root", "observation_ids": [id] })),
        ] {
            waiting.insert(agent.send("tools/call", json!({ "name": name, "arguments": arguments })));
        }
    }
    while !waiting.is_empty() {
        let reply = agent.receive(Duration::from_secs(30)).expect("every request is answered");
        assert!(reply["error"].is_null() && reply["result"]["isError"] != true, "{reply}");
        assert!(waiting.remove(&reply["id"].as_u64().unwrap()), "answered once");
    }
    let root = agent.call("get_entity", json!({ "name": "Root" }));
    let mut notes: Vec<&str> =
        root["observations"].as_array().unwrap().iter().map(|o| o["content"].as_str().unwrap()).collect();
    notes.sort_unstable();
    assert_eq!(notes, (0..10).map(|i| format!("new {i}")).collect::<Vec<_>>());
    let seen = agent.call("read_graph", json!({}));
    assert_eq!((&seen["entities"], &seen["relationships"]), (&json!(12), &json!(10)));
    drop(agent);
    is_sound(&home);
}

#[test]
fn b001_several_processes_that_add_delete_and_take_back() {
    const STEPS: usize = 60;
    let home = home();
    home.server(&[]).call("add_entities", json!({ "entities": [{ "name": "Shared", "entity_type": "t" }] }));
    let sides = ["north", "east", "west"];
    let models: Vec<Model> = std::thread::scope(|scope| {
        let work: Vec<_> = sides
            .iter()
            .enumerate()
            .map(|(i, side)| {
                let home = &home;
                scope.spawn(move || {
                    let mut agent = home.server(&["--as", side]);
                    let mut dice = Dice(0x9e37_79b9_7f4a_7c15 + i as u64);
                    let mut model = Model::default();
                    for step in 0..STEPS {
                        let (tool, arguments, after) = change(side, step, &mut dice, &model);
                        agent.call(tool, arguments);
                        if step % 12 == 11 {
                            // The model stays where it was.
                            take_back(home, &format!("agent:{side}"));
                        } else {
                            model = after;
                        }
                        let shared =
                            json!({ "entity_name": "Shared", "observations": [format!("{side} {step}")] });
                        agent.call("add_observations", shared);
                    }
                    model
                })
            })
            .collect();
        work.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let stored = Model::of(&home);
    for (side, model) in sides.iter().zip(&models) {
        let mine = stored.part(|name| name.starts_with(side));
        assert!(mine == *model, "{side}: {mine:#?} is not {model:#?}");
    }
    assert_eq!(stored.entities["Shared"].len(), sides.len() * STEPS);
    is_sound(&home);
}

/// Rounds of the default run; the measure of the report is run with `CASES_FULL=1`.
fn n_rounds() -> u64 {
    if std::env::var_os("CASES_FULL").is_some() { 30 } else { 8 }
}

#[test]
fn b005_every_acknowledged_change_of_every_kind_survives_kill() {
    let home = home();
    let mut model = Model::default();
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut step = 0;
    for round in 0..n_rounds() {
        let mut agent: McpProcess = home.server(&["--as", "mortal"]);
        let until = Instant::now() + Duration::from_millis(20 + (round * 83) % 280);
        loop {
            step += 1;
            let (tool, arguments, after) = change("m", step, &mut dice, &model);
            if Instant::now() >= until {
                // This one is under way when the process dies, a little later each time.
                agent.send("tools/call", json!({ "name": tool, "arguments": arguments }));
                std::thread::sleep(Duration::from_micros(round * 300));
                agent.kill();
                let began = Instant::now();
                let stored = Model::of(&home);
                assert!(began.elapsed() < Duration::from_secs(3), "it opens at once and asks nothing");
                assert!(
                    stored == model || stored == after,
                    "round {round}: {tool}: {stored:#?} is not {model:#?}"
                );
                model = stored;
                break;
            }
            agent.call(tool, arguments);
            if step % 15 == 14 {
                take_back(&home, "agent:mortal");
            } else {
                model = after;
            }
        }
        is_sound(&home);
    }
    assert!(step > 30, "{step} changes were tried");
}

#[test]
fn b073_a_client_that_leaves_during_a_write_leaves_all_of_it_or_nothing() {
    for pause in [0, 5, 30, 120] {
        let home = home();
        let mut agent = home.server(&[]);
        agent.call("read_graph", json!({}));
        let items: Vec<Value> = (0..1_000)
            .map(|i| json!({ "name": format!("e{i}"), "entity_type": "t", "observations": ["a", "b"] }))
            .collect();
        agent.send("tools/call", json!({ "name": "add_entities", "arguments": { "entities": items } }));
        std::thread::sleep(Duration::from_millis(pause));
        let left = agent.close(Duration::from_secs(10)).expect("it leaves within ten seconds");
        assert!(left.success(), "{left}");
        let n = Model::of(&home).entities.len();
        assert!(n == 0 || n == 1_000, "{n} of 1,000 after {pause} ms");
        is_sound(&home);
    }
}
