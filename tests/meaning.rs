//! Search by meaning with the real programs; with the real model where the tests were given one.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use gm_testkit::{Home, McpProcess};
use serde_json::{Value, json};

use crate::home;

const PATIENCE: Duration = Duration::from_secs(120);
const FAKE: (&str, &str) = ("GRAPHMEM_EMBEDDING_MODEL", "test:hashed-words");

/// The folder of models that the tests were given.
#[allow(clippy::print_stderr)]
pub(crate) fn models() -> Option<PathBuf> {
    let folder = std::env::var_os("GRAPHMEM_TEST_MODELS").map(PathBuf::from);
    let folder = folder.filter(|folder| folder.join("all-minilm-l6-v2-int8/model.json").is_file());
    if folder.is_none() {
        eprintln!("passed over: no embedding model (GRAPHMEM_TEST_MODELS); `cargo xtask test` gets one");
    }
    folder
}

fn server(home: &Home, variables: &[(&str, &str)]) -> McpProcess {
    let mut command = home.command();
    command.arg("server").envs(variables.iter().copied());
    McpProcess::start(command)
}

/// Searches until every text has its vector.
fn once_complete(agent: &mut McpProcess, query: &str) -> Value {
    let give_up = Instant::now() + PATIENCE;
    loop {
        let found = agent.call("search_nodes", json!({ "query": query }));
        if found["mode"] == "hybrid" && found.get("vectors_pending").is_none() {
            return found;
        }
        assert!(Instant::now() < give_up, "no vectors came: {found}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn add(agent: &mut McpProcess, name: &str, said: &str) {
    let entity = json!({ "name": name, "entity_type": "concept", "observations": [said] });
    agent.call("add_entities", json!({ "entities": [entity] }));
}

#[test]
fn a_question_finds_what_shares_no_word_with_it() {
    let Some(models) = models() else { return };
    let home = home();
    let mut agent = server(&home, &[("GRAPHMEM_MODELS", models.to_str().unwrap())]);
    for (name, said) in [
        ("AuthService", "Uses bcrypt for password hashing"),
        ("Harbour", "Boats wait for the tide behind the mole"),
        ("Billing", "Invoices are sent on the first of each month"),
        ("Garden", "Tomatoes want a sunny place and much water"),
    ] {
        add(&mut agent, name, said);
    }
    let found = once_complete(&mut agent, "how are credentials kept safe");
    let hit = &found["results"][0];
    assert_eq!(hit["name"], "AuthService", "{found}");
    assert!(hit.get("text_rank").is_none() && hit.get("matched_words").is_none(), "no word is shared: {hit}");
    assert!(hit["similarity"].as_f64() > Some(0.25) && hit["vector_rank"] == 0);
    let said = agent.call("search_observations", json!({ "query": "when do I have to pay", "limit": 1 }));
    assert_eq!(said["results"][0]["entity_name"], "Billing", "{said}");
    // The runtime keeps no notes of its own, and has nothing to send.
    assert!(!home.path().join(".cache").exists(), "something was written into the user's cache");
    // A new process, whose model is not loaded yet, waits for it a while; on a machine that is too busy
    // for that, it answers by words and says so.
    let mut other = server(&home, &[("GRAPHMEM_MODELS", models.to_str().unwrap())]);
    let found = other.call("search_nodes", json!({ "query": "how are passwords stored" }));
    assert!(found["mode"] == "hybrid" || found["mode_reason"].is_string(), "{found}");
    let found = once_complete(&mut other, "how are passwords stored");
    assert_eq!(found["results"][0]["name"], "AuthService", "{found}");
}

#[cfg(unix)]
#[test]
fn b095_a_model_is_loaded_from_a_folder_of_any_name() {
    let Some(models) = models() else { return };
    let home = home();
    let folder = home.path().join("Jürgen Żółć 数据");
    std::fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(models, folder.join("models")).unwrap();
    let mut command = home.command();
    command.args(["model", "status", "--json"]).env("GRAPHMEM_MODELS", folder.join("models"));
    let told: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    assert_eq!((&told["works"], &told["dimension"]), (&json!(true), &json!(384)), "{told}");
}

#[test]
fn nothing_that_was_stored_is_forgotten_by_a_kill() {
    let home = home();
    let mut agent = server(&home, &[FAKE]);
    for batch in 0..10 {
        let entities: Vec<Value> = (0..50)
            .map(|i| {
                let n = batch * 50 + i;
                json!({ "name": format!("Thing {n}"), "entity_type": "thing", "observations": [format!("fact{n} of the thing")] })
            })
            .collect();
        agent.call("add_entities", json!({ "entities": entities }));
    }
    // Wherever it is with the thousand texts.
    std::thread::sleep(Duration::from_millis(700));
    agent.kill();
    let mut agent = server(&home, &[FAKE]);
    let found = once_complete(&mut agent, "fact321");
    assert_eq!(found["results"][0]["name"], "Thing 321");
    let count = crate::sql(&home.library().join("graph.db"), "SELECT count(*) FROM vectors");
    assert_eq!(count, "1000");
}

#[test]
#[cfg(target_os = "linux")]
#[allow(clippy::print_stderr)]
fn b089_an_installed_model_needs_no_network() {
    let Some(models) = models() else { return };
    let alone = ["unshare", "--user", "--map-root-user", "--net"];
    let may = std::process::Command::new(alone[0]).args(&alone[1..]).arg("true").status();
    if !may.is_ok_and(|status| status.success()) {
        eprintln!("passed over: no namespace without a network can be made here");
        return;
    }
    let home = home();
    let inside = home.command();
    let mut command = std::process::Command::new(alone[0]);
    command.args(&alone[1..]).arg(inside.get_program()).arg("server");
    for (name, value) in inside.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env("GRAPHMEM_MODELS", &models);
    let mut agent = McpProcess::start(command);
    add(&mut agent, "AuthService", "Uses bcrypt for password hashing");
    add(&mut agent, "Harbour", "Boats wait for the tide behind the mole");
    let found = once_complete(&mut agent, "how are credentials kept safe");
    assert_eq!(found["results"][0]["name"], "AuthService", "{found}");
}

#[test]
fn b089_what_search_goes_by_is_told_whatever_is_missing() {
    let home = home();
    let search = json!({ "query": "generator" });
    for (variable, reason) in [
        (("GRAPHMEM_EMBEDDINGS", "off"), "switched off"),
        (("GRAPHMEM_EMBEDDING_MODEL", "nope"), "not installed"),
    ] {
        let mut agent = server(&home, &[variable]);
        let found = agent.call("search_nodes", search.clone());
        assert_eq!(found["mode"], "text");
        assert!(found["mode_reason"].as_str().unwrap().contains(reason), "{found}");
        assert!(!found.to_string().contains(home.path().to_str().unwrap()), "no path is told");
    }
    let mut agent = server(&home, &[FAKE, ("GRAPHMEM_SEARCH_FUSION", "rrf")]);
    add(&mut agent, "Lighthouse", "its generator froze");
    let found = once_complete(&mut agent, "generator");
    assert_eq!(found["fusion"], "rrf");
    assert!((found["results"][0]["relevance_score"].as_f64().unwrap() - 1.0 / 61.0).abs() < 1e-9);
    drop(agent);
    let mut agent = server(&home, &[("GRAPHMEM_EMBEDDING_MODEL", "test:hashed-words:2")]);
    let found = agent.call("search_nodes", search);
    assert!(found["mode_reason"].as_str().unwrap().contains("graph-mem reembed"), "{found}");
    assert_eq!(found["results"][0]["name"], "Lighthouse");
}

#[test]
fn a_graph_is_given_the_vectors_of_another_model_by_command() {
    let home = home();
    let mut agent = home.server(&[]);
    for i in 0..40 {
        add(&mut agent, &format!("Thing {i}"), &format!("fact{i}"));
    }
    add(&mut agent, "Broken", "FAILME");
    drop(agent);
    let reembed = |model: &str, more: &[&str]| {
        let mut command = home.command();
        command.args(["reembed", "--json"]).args(more).env("GRAPHMEM_EMBEDDING_MODEL", model);
        let output = command.output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), serde_json::from_str::<Value>(&told).unwrap_or_default())
    };
    let (code, told) = reembed("test:hashed-words", &[]);
    assert_eq!((code, &told["made"], &told["failed_count"]), (Some(1), &json!(81), &json!(1)), "{told}");
    assert_eq!(told["failed"][0]["kind"], "observation");
    let (_, told) = reembed("test:hashed-words", &[]);
    assert_eq!(told["made"], 0, "what is there stays: {told}");
    let (_, told) = reembed("test:hashed-words", &["--anew"]);
    assert_eq!(told["made"], 81);
    let (_, told) = reembed("test:hashed-words:2:99", &[]);
    assert_eq!(told["made"], 81);
    let length = crate::sql(&home.library().join("graph.db"), "SELECT max(length(vector)) FROM vectors");
    assert_eq!(length, "99");
    let (code, _) = reembed("nope", &[]);
    assert_eq!(code, Some(1));
}

#[test]
fn a_running_program_takes_the_model_that_is_chosen() {
    let home = home();
    let mut agent = home.server(&[]);
    add(&mut agent, "Lighthouse", "its generator froze");
    assert_eq!(agent.call("search_nodes", json!({ "query": "generator" }))["mode"], "text");
    home.ok(&["model", "use", "test:hashed-words"]);
    once_complete(&mut agent, "generator");
    home.ok(&["model", "use", "test:hashed-words:2"]);
    let give_up = Instant::now() + PATIENCE;
    loop {
        let found = agent.call("search_nodes", json!({ "query": "generator" }));
        if found["mode_reason"].as_str().is_some_and(|reason| reason.contains("another embedding model")) {
            break;
        }
        assert!(Instant::now() < give_up, "{found}");
        std::thread::sleep(Duration::from_millis(200));
    }
    home.ok(&["reembed"]);
    once_complete(&mut agent, "generator");
}

#[test]
fn b013_an_answer_tells_item_by_item_whether_its_vector_is_there() {
    let home = home();
    let mut agent = server(&home, &[FAKE]);
    let item = |i: usize| {
        let said =
            if i == 3 { "FAILME is what the model stumbles over".to_owned() } else { format!("note {i}") };
        json!({ "name": format!("item {i}"), "entity_type": "t", "description": said })
    };
    let items: Vec<Value> = (1..=5).map(item).collect();
    let told = |answer: &Value| -> Vec<String> {
        let results = answer["results"].as_array().unwrap();
        results.iter().map(|result| result["embedding"].as_str().unwrap().to_owned()).collect()
    };
    let added = agent.call("add_entities", json!({ "entities": items }));
    assert_eq!(told(&added), ["pending"; 5]);
    assert_eq!(added["warnings"], json!([]));
    // Told again once they are made, all but one.
    let give_up = Instant::now() + PATIENCE;
    loop {
        let again = told(&agent.call("add_entities", json!({ "entities": items })));
        if again == ["ready", "ready", "failed", "ready", "ready"] {
            break;
        }
        assert!(Instant::now() < give_up, "{again:?}");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(agent.call("search_nodes", json!({ "query": "FAILME" }))["results"][0]["name"], "item 3");
    let notes = json!({ "entity_name": "item 1", "observations": ["a fact"] });
    assert_eq!(told(&agent.call("add_observations", notes)), ["pending"]);
    // A program that searches by words meets none of them.
    let mut deaf = server(&home, &[("GRAPHMEM_EMBEDDINGS", "off")]);
    assert_eq!(told(&deaf.call("add_entities", json!({ "entities": [item(6)] }))), ["none"]);
    // Where search by meaning is off, none is to come.
    let other = crate::home();
    let mut agent = server(&other, &[("GRAPHMEM_EMBEDDINGS", "off")]);
    assert_eq!(told(&agent.call("add_entities", json!({ "entities": [item(1)] }))), ["none"]);
}

#[test]
fn b053_an_answer_warns_of_texts_that_are_taken_apart() {
    let home = home();
    let mut agent = server(&home, &[FAKE]);
    let long = "the spare rudder is under the chapel and the keel is not ".repeat(100);
    let added = agent.call(
        "add_entities",
        json!({ "entities": [{ "name": "Boat", "entity_type": "thing", "observations": ["short", long] }] }),
    );
    let warnings = added["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0].as_str().unwrap().starts_with("entities[0].observations[1] is long: its "),
        "{added}"
    );
    let notes = json!({ "entity_name": "Boat", "observations": [long.replace("keel", "mast"), "brief"] });
    let added = agent.call("add_observations", notes);
    assert_eq!(added["warnings"].as_array().unwrap().len(), 1, "{added}");
}

#[test]
fn bounds_of_likeness_out_of_range_are_refused_and_named() {
    let home = home();
    let mut agent = server(&home, &[FAKE]);
    add(&mut agent, "Boat", "floats");
    for (tool, field, value) in [
        ("search_nodes", "min_score", 1.5),
        ("search_nodes", "min_similarity", -0.1),
        ("search_observations", "min_score", 20.0),
    ] {
        let mut arguments = json!({ "query": "boat" });
        arguments[field] = json!(value);
        let error = agent.refused(tool, arguments);
        assert_eq!(error["details"]["field"], field, "{error}");
        assert!(error["message"].as_str().unwrap().contains("from 0 to 1"), "{error}");
    }
}

#[test]
fn a_suggestion_says_why() {
    let home = home();
    let mut agent = server(&home, &[FAKE]);
    for (name, said) in
        [("Harbour", "boats wait for the tide"), ("Quay", "boats wait for the tide here"), ("Oven", "bread")]
    {
        add(&mut agent, name, said);
    }
    once_complete(&mut agent, "boats");
    let near = agent.call("suggest_connections", json!({ "entity_name": "Harbour" }));
    let first = &near["suggestions"][0];
    assert_eq!((&first["name"], &near["mode"]), (&json!("Quay"), &json!("hybrid")), "{near}");
    assert!(first["text_rank"].is_number() && first["similarity"].is_number(), "{near}");
    // What was just written is compared by its words, and that is said.
    home.ok(&["model", "pause"]);
    add(&mut agent, "Pier", "boats wait for the tide at its end");
    let near = agent.call("suggest_connections", json!({ "entity_name": "Pier" }));
    assert_eq!(
        (&near["mode"], near["suggestions"].as_array().unwrap().is_empty()),
        (&json!("text"), false),
        "{near}"
    );
    assert!(near["mode_reason"].as_str().unwrap().contains("graph-mem model resume"), "{near}");
    let found = agent.call("search_nodes", json!({ "query": "boats" }));
    assert!(found["mode_reason"].as_str().unwrap().contains("paused"), "{found}");
    // An entity waits as long as one of its observations does.
    let again = json!({ "entities": [{ "name": "Oven", "entity_type": "concept", "observations": ["hot at five"] }] });
    assert_eq!(agent.call("add_entities", again)["results"][0]["embedding"], "pending");
}

#[test]
fn models_are_shown_chosen_and_removed_by_command() {
    let home = home();
    let run = |arguments: &[&str]| {
        let output = home.run(arguments);
        let told = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        (output.status.code(), told)
    };
    let (code, told) = run(&["model", "status"]);
    assert_eq!(code, Some(1));
    assert!(told.contains("not installed") && told.contains("graph-mem model install"), "{told}");
    let (code, told) = run(&["model", "use", "nope"]);
    assert!(code == Some(1) && told.contains("no model `nope`"), "{told}");
    let (code, _) = run(&["model", "use", "test:hashed-words"]);
    assert_eq!(code, Some(0));
    assert_eq!(run(&["model", "status"]).0, Some(0));
    let (code, told) = run(&["model", "remove", "../models"]);
    assert!(code == Some(4) && told.contains("no model"), "{told}");
    // Names that lead elsewhere take nothing along.
    std::fs::create_dir_all(home.library().join("models")).unwrap();
    std::fs::write(home.library().join("model.json"), "{}").unwrap();
    std::fs::write(home.library().join("models/model.json"), "{}").unwrap();
    for name in ["..", ".", "onnxruntime-1.32.0", ""] {
        assert_eq!(run(&["model", "remove", name]).0, Some(4), "{name}");
    }
    assert!(home.library().join("models/model.json").exists());
    std::fs::remove_file(home.library().join("models/model.json")).unwrap();
    let empty = home.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let (code, told) = run(&["model", "install", "--from", empty.to_str().unwrap()]);
    assert!(code == Some(1) && told.contains("model.onnx"), "{told}");
    let Some(models) = models() else { return };
    // A model of one's own: the same files under another name, one of which breaks later.
    let own = home.path().join("own");
    std::fs::create_dir(&own).unwrap();
    for entry in std::fs::read_dir(models.join("all-minilm-l6-v2-int8")).unwrap().flatten() {
        std::fs::copy(entry.path(), own.join(entry.file_name())).unwrap();
    }
    let manifest = std::fs::read_to_string(own.join("model.json")).unwrap();
    std::fs::write(own.join("model.json"), manifest.replace("all-minilm-l6-v2-int8", "mine")).unwrap();
    let (code, told) = run(&["model", "install", "--from", own.to_str().unwrap()]);
    assert!(code == Some(0) && told.contains("model use mine"), "{told}");
    std::fs::write(home.library().join("models/mine/config.json"), "{}").unwrap();
    std::os::unix::fs::symlink(
        models.join("onnxruntime-1.32.0"),
        home.library().join("models/onnxruntime-1.32.0"),
    )
    .unwrap();
    let (code, told) = run(&["model", "use", "mine"]);
    assert!(code == Some(1) && told.contains("config.json") && told.contains("damaged"), "{told}");
    // A runtime of which half is there would end the program that opens it.
    std::fs::remove_file(home.library().join("models/onnxruntime-1.32.0")).unwrap();
    let runtime = home.library().join("models/onnxruntime-1.32.0");
    std::fs::create_dir(&runtime).unwrap();
    for entry in std::fs::read_dir(models.join("onnxruntime-1.32.0")).unwrap().flatten() {
        let mut bytes = std::fs::read(entry.path()).unwrap();
        if bytes.len() > 1_000 {
            bytes.truncate(bytes.len() / 2);
        }
        std::fs::write(runtime.join(entry.file_name()), bytes).unwrap();
    }
    let mut command = home.command();
    command.args(["model", "status"]).env("GRAPHMEM_EMBEDDING_MODEL", models.join("all-minilm-l6-v2-int8"));
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.code() == Some(1) && told.contains("onnxruntime") && told.contains("damaged"),
        "{told}"
    );
    assert_eq!(run(&["model", "remove", "mine"]).0, Some(0));
    assert!(!home.library().join("models/mine").exists());
}
