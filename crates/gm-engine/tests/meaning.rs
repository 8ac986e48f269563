//! Search by meaning with a model of hashed words: texts are near where they share words, which is all
//! that these tests need of a model.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gm_engine::embed::model::Places;
use gm_engine::embed::{Embeddings, FAILING_WORD};
use gm_engine::entities::{self, NewEntity};
use gm_engine::meaning::{self, Model, Settings, Unmeant};
use gm_engine::search::{Channels, Fusion, Hit, ObservationQuery, SearchQuery};
use gm_engine::undo::{self, OnConflict};
use gm_engine::{Graph, Library, Location, merge, observations};
use gm_model::{Actor, EntityId, ObservationId};
use gm_store::StateFile;
use gm_store::search::TextIndex;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(30);

fn library(folder: &TempDir, model: &str, in_background: bool) -> Library {
    let state = Arc::new(StateFile::open(folder.path(), 1.0).unwrap());
    let location = Location { folder: folder.path().to_owned(), default_file: None };
    let library = Library::open(location, state, "test", "test").unwrap();
    let embeddings = if model == "off" { Embeddings::off() } else { Embeddings::of(&Places(vec![]), model) };
    library.search_by_meaning(Settings {
        model: Model::fixed(embeddings),
        fusion: Fusion::Convex,
        in_background,
    });
    library
}

fn open(folder: &TempDir, model: &str) -> Arc<Graph> {
    library(folder, model, false).graph("default").unwrap()
}

fn add(graph: &Graph, name: &str, entity_type: &str, said: &[&str]) -> EntityId {
    let new = NewEntity {
        name: name.into(),
        entity_type: entity_type.into(),
        observations: said.iter().map(|text| (*text).to_owned()).collect(),
        ..NewEntity::default()
    };
    graph.transact(&Actor::cli(), "add", |tx| Ok(entities::add(tx, "", &new, "")?.id)).unwrap().value
}

fn embed(graph: &Graph) {
    let done = graph.reembed(false, &mut |_, _| true).unwrap();
    assert_eq!((done.left.wanted, done.failed.len()), (0, 0));
}

/// By meaning alone.
fn near(text: &str) -> SearchQuery {
    SearchQuery { text: text.into(), limit: 10, channels: Channels::Meaning, ..SearchQuery::default() }
}

fn names(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.row.entity.name.as_str()).collect()
}

#[test]
fn without_a_model_words_find_and_the_answer_says_why() {
    let folder = TempDir::new().unwrap();
    for (model, reason) in
        [("off", Unmeant::Off), ("nope", Unmeant::ModelMissing), ("test:hashed-words", Unmeant::NoVectors)]
    {
        let graph = open(&folder, model);
        add(&graph, "Lighthouse", "place", &["its generator failed in January"]);
        let query = SearchQuery { text: "generator".into(), limit: 5, ..SearchQuery::default() };
        let found = graph.search(&query).unwrap();
        assert_eq!((found.unmeant, names(&found.hits)), (Some(reason), vec!["Lighthouse"]), "{model}");
        assert!(graph.search(&near("generator")).unwrap().hits.is_empty());
    }
}

#[test]
fn both_channels_count_and_each_hit_says_how() {
    let folder = TempDir::new().unwrap();
    let graph = open(&folder, "test:hashed-words");
    add(&graph, "Lighthouse", "place", &["the generator failed because its fuel line froze"]);
    add(&graph, "Harbour", "place", &["boats wait for the tide"]);
    embed(&graph);
    let query = SearchQuery { text: "fuel line of the generator".into(), limit: 5, ..SearchQuery::default() };
    let found = graph.search(&query).unwrap();
    assert_eq!((found.unmeant, found.pending, found.fusion), (None, 0, Fusion::Convex));
    let hit = &found.hits[0];
    assert_eq!(hit.row.entity.name, "Lighthouse");
    let evidence = hit.evidence;
    assert!(evidence.text_rank == Some(0) && evidence.vector_rank == Some(0));
    assert!(evidence.similarity.is_some_and(|similarity| similarity > 0.4));
    assert_eq!(hit.matched_words, ["fuel", "line", "generator"]);
    assert_eq!(hit.observations.len(), 1);
    let by_rank = graph.search(&SearchQuery { fusion: Some(Fusion::Rrf), ..query.clone() }).unwrap();
    assert!((by_rank.hits[0].relevance_score - 1.0 / 61.0).abs() < 1e-9);
    let strict = graph.search(&SearchQuery { min_score: Some(0.99), ..query.clone() }).unwrap();
    assert!(strict.hits.is_empty());
    let strict = SearchQuery { min_similarity: Some(0.95), channels: Channels::Meaning, ..query };
    assert!(graph.search(&strict).unwrap().hits.is_empty());
}

#[test]
fn a_filter_acts_inside_both_channels() {
    let folder = TempDir::new().unwrap();
    let graph = open(&folder, "test:hashed-words");
    for i in 0..200 {
        add(&graph, &format!("Note {i}"), "note", &["the violet ledger lies in the locker"]);
    }
    for name in ["Ada", "Ben", "Cleo"] {
        add(&graph, name, "person", &["knows of a ledger"]);
    }
    embed(&graph);
    for channels in [Channels::Both, Channels::Words, Channels::Meaning] {
        let query = SearchQuery {
            text: "the violet ledger".into(),
            limit: 3,
            entity_types: vec!["person".into()],
            channels,
            ..SearchQuery::default()
        };
        let found = graph.search(&query).unwrap();
        let mut found = names(&found.hits);
        found.sort_unstable();
        assert_eq!(found, ["Ada", "Ben", "Cleo"], "{channels:?}");
    }
    let query = ObservationQuery {
        text: "violet ledger".into(),
        limit: 5,
        entity: Some(("Ben".into(), None)),
        ..ObservationQuery::default()
    };
    let found = graph.search_observations(&query).unwrap();
    assert_eq!(found.hits.len(), 1);
    assert_eq!(found.hits[0].entity_name, "Ben");
}

#[test]
fn b010_what_is_deleted_is_found_by_no_channel_and_pushes_nothing_out() {
    let folder = TempDir::new().unwrap();
    let graph = open(&folder, "test:hashed-words");
    let ghost = add(&graph, "Ghost", "note", &["the violet ledger is in locker nine"]);
    for i in 0..3 {
        add(&graph, &format!("Ledger {i}"), "note", &["a ledger of the harbour"]);
    }
    embed(&graph);
    let query = SearchQuery { text: "violet ledger".into(), limit: 3, ..SearchQuery::default() };
    assert_eq!(names(&graph.search(&query).unwrap().hits)[0], "Ghost");
    graph.transact(&Actor::cli(), "delete", |tx| entities::delete(tx, std::slice::from_ref(&ghost))).unwrap();
    let other = open(&folder, "test:hashed-words");
    for graph in [&graph, &other] {
        for channels in [Channels::Both, Channels::Meaning] {
            let found = graph.search(&SearchQuery { channels, ..query.clone() }).unwrap();
            assert_eq!(found.hits.len(), 3);
            assert!(!names(&found.hits).contains(&"Ghost"));
        }
    }
    let rows = |sql: &str| {
        let file = rusqlite_count(graph.path(), sql);
        (file, sql.to_owned())
    };
    assert_eq!(rows("SELECT count(*) FROM vectors").0, 6);
    assert_eq!(rows("SELECT count(*) FROM vectors_wanted").0, 0);
    // Taken back, it is found again once it has its vectors.
    undo::undo(&graph, &Actor::cli(), OnConflict::Refuse).unwrap();
    assert_eq!(graph.search(&query).unwrap().pending, 2);
    embed(&graph);
    assert_eq!(names(&graph.search(&near("violet ledger locker nine")).unwrap().hits)[0], "Ghost");
}

fn rusqlite_count(path: &std::path::Path, sql: &str) -> i64 {
    rusqlite::Connection::open(path).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn b011_a_vector_follows_its_text_and_the_name_of_what_it_is_about() {
    let folder = TempDir::new().unwrap();
    let graph = open(&folder, "test:hashed-words");
    let pet = add(&graph, "Pet", "animal", &["prefers the kennel at Oakfield"]);
    embed(&graph);
    let said = |graph: &Graph, text: &str| {
        let query = ObservationQuery {
            text: text.into(),
            limit: 5,
            channels: Channels::Meaning,
            ..ObservationQuery::default()
        };
        let hits = graph.search_observations(&query).unwrap().hits;
        hits.first().map_or(0.0, |hit| hit.evidence.similarity.unwrap())
    };
    let before = said(&graph, "prefers the kennel at Oakfield");
    let id: ObservationId =
        graph.read(|tx| Ok(gm_store::observations::of_entity(tx, &pet, 1)?.remove(0).id)).unwrap();
    graph
        .transact(&Actor::cli(), "update", |tx| {
            observations::update(tx, &id, "prefers the cattery at Millbrook").map(drop)
        })
        .unwrap();
    // Until the new text has its vector the old one is not found by it either.
    assert_eq!(said(&graph, "prefers the kennel at Oakfield"), 0.0);
    embed(&graph);
    assert!(said(&graph, "prefers the kennel at Oakfield") < before - 0.2);
    assert!(said(&graph, "Pet: prefers the cattery at Millbrook") > 0.999);
    graph
        .transact(&Actor::cli(), "rename", |tx| {
            let change = entities::EntityUpdate { name: Some("Tabby".into()), ..Default::default() };
            entities::update(tx, &pet, &change).map(drop)
        })
        .unwrap();
    embed(&graph);
    assert!(said(&graph, "Tabby: prefers the cattery at Millbrook") > 0.999);
    assert_eq!(names(&graph.search(&near("Tabby")).unwrap().hits), ["Tabby"]);
}

#[test]
fn b053_the_end_of_a_long_text_is_found() {
    let folder = TempDir::new().unwrap();
    let graph = open(&folder, "test:hashed-words");
    let mut long: String = (0..3_000).map(|i| format!("word{} ", i % 700)).collect();
    long.push_str("the spare rudder is stored under the chapel");
    add(&graph, "Boat", "thing", &[&long]);
    for i in 0..40 {
        add(&graph, &format!("Other {i}"), "thing", &["some note about word1 and word2"]);
    }
    embed(&graph);
    let query = SearchQuery { min_similarity: Some(0.0), ..near("where is the spare rudder stored chapel") };
    assert_eq!(names(&graph.search(&query).unwrap().hits)[0], "Boat");
}

#[test]
fn b055_texts_without_words_do_no_harm() {
    let folder = TempDir::new().unwrap();
    let graph = open(&folder, "test:hashed-words");
    add(&graph, "Odd", "thing", &["…", "🙂", "-"]);
    add(&graph, "Empty", "thing", &[]);
    add(&graph, "Lighthouse", "place", &["the generator froze"]);
    embed(&graph);
    for text in ["!!!", "🙂", "…"] {
        let found = graph.search(&SearchQuery { text: text.into(), limit: 5, ..SearchQuery::default() });
        assert!(found.unwrap().hits.iter().all(|hit| hit.relevance_score.is_finite()), "{text}");
    }
    let found =
        graph.search(&SearchQuery { text: "the generator froze".into(), limit: 5, ..SearchQuery::default() });
    let found = found.unwrap();
    assert_eq!(names(&found.hits)[0], "Lighthouse");
    assert!(found.hits.iter().all(|hit| hit.relevance_score.is_finite()));
}

#[test]
fn b013_a_text_that_fails_is_stored_told_and_found_by_its_words() {
    let folder = TempDir::new().unwrap();
    let graph = open(&folder, "test:hashed-words");
    for i in 0..5 {
        let said = if i == 3 { format!("item {FAILING_WORD} of the harbour") } else { format!("item {i}") };
        add(&graph, &format!("Thing {i}"), "thing", &[&said]);
    }
    let done = graph.reembed(false, &mut |_, _| true).unwrap();
    assert_eq!((done.made, done.left.wanted, done.left.failed), (9, 1, 1));
    assert_eq!(done.failed.len(), 1);
    assert_eq!(done.failed[0].0, TextIndex::Observations);
    let found =
        graph.search(&SearchQuery { text: "harbour".into(), limit: 5, ..SearchQuery::default() }).unwrap();
    assert_eq!((names(&found.hits), found.pending), (vec!["Thing 3"], 0));
}

#[test]
fn b091_b092_another_model_is_noticed_and_nothing_is_mixed() {
    let folder = TempDir::new().unwrap();
    let graph = open(&folder, "test:hashed-words:a:512");
    let said: Vec<String> = (0..300).map(|i| format!("fact{i} about subject{i} and place{i}")).collect();
    for (i, said) in said.iter().enumerate() {
        add(&graph, &format!("Thing {i}"), "thing", &[said]);
    }
    embed(&graph);
    // The same dimension, and another one.
    for model in ["test:hashed-words:b:512", "test:hashed-words:c:768"] {
        let graph = open(&folder, model);
        let query = SearchQuery { text: "fact7".into(), limit: 3, ..SearchQuery::default() };
        let found = graph.search(&query).unwrap();
        assert_eq!((found.unmeant, names(&found.hits)), (Some(Unmeant::OtherModel), vec!["Thing 7"]));
        assert!(graph.meaning_status().unwrap().is_other_model);
        // Stopped half way, as by a crash, search goes on by words and by the vectors that are there.
        let stopped = graph.reembed(false, &mut |made, _| made < 100).unwrap();
        assert!(stopped.made >= 100 && stopped.left.wanted > 300);
        let found = graph.search(&query).unwrap();
        assert!(found.unmeant.is_none() && found.pending == stopped.left.wanted);
        assert_eq!(names(&found.hits)[0], "Thing 7");
        let rest = open(&folder, model).reembed(false, &mut |_, _| true).unwrap();
        assert_eq!((rest.made, rest.left.wanted), (600 - stopped.made, 0), "it goes on where it stopped");
        for (i, said) in said.iter().enumerate().step_by(29) {
            let found = graph.search(&near(said)).unwrap();
            assert_eq!((found.unmeant, names(&found.hits)[0]), (None, format!("Thing {i}").as_str()));
        }
    }
    let back = open(&folder, "test:hashed-words:a:512");
    assert!(back.meaning_status().unwrap().is_other_model);
    embed(&back);
    assert!(!back.meaning_status().unwrap().is_other_model);
}

#[test]
fn vectors_are_made_in_the_background_by_one_process_of_several() {
    let folder = TempDir::new().unwrap();
    let first = library(&folder, "test:hashed-words", true);
    let second = library(&folder, "test:hashed-words", true);
    let (one, other) = (first.graph("default").unwrap(), second.graph("default").unwrap());
    for i in 0..60 {
        let graph = if i % 2 == 0 { &one } else { &other };
        add(graph, &format!("Thing {i}"), "thing", &[&format!("said {i}")]);
    }
    let give_up = Instant::now() + PATIENCE;
    let is_done = |graph: &Graph| {
        let status = graph.meaning_status().unwrap();
        status.file_model.is_some() && status.progress.wanted == 0
    };
    while !is_done(&one) {
        assert!(Instant::now() < give_up, "{:?}", one.meaning_status());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(rusqlite_count(one.path(), "SELECT count(*) FROM vectors"), 120);
    // Nothing was made twice.
    assert_eq!(rusqlite_count(one.path(), "SELECT count(*) FROM vector_log"), 120);
    let found = other.search(&near("said 17")).unwrap();
    assert_eq!(names(&found.hits)[0], "Thing 17");
    // Whoever goes on has the lead.
    drop(one);
    first.close();
    add(&other, "Late", "thing", &["said at last"]);
    while !is_done(&other) {
        assert!(Instant::now() < give_up);
        std::thread::sleep(Duration::from_millis(50));
    }
    meaning::pause(second.state(), true).unwrap();
    add(&other, "Paused", "thing", &[]);
    std::thread::sleep(Duration::from_millis(1_500));
    let status = other.meaning_status().unwrap();
    assert!(status.is_paused && status.progress.wanted == 1);
}

#[test]
fn b091_a_process_of_another_model_stands_in_nobodys_way() {
    let folder = TempDir::new().unwrap();
    let graph = open(&folder, "test:hashed-words:a");
    add(&graph, "First", "thing", &[]);
    embed(&graph);
    let other = library(&folder, "test:hashed-words:b", true);
    add(&other.graph("default").unwrap(), "Second", "thing", &[]);
    std::thread::sleep(Duration::from_millis(900));
    let same = library(&folder, "test:hashed-words:a", true);
    let graph = same.graph("default").unwrap();
    let give_up = Instant::now() + PATIENCE;
    while graph.meaning_status().unwrap().progress.wanted > 0 {
        assert!(Instant::now() < give_up, "the other one holds the lead and does nothing");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(other.graph("default").unwrap().meaning_status().unwrap().is_other_model);
}

#[test]
fn damaged_vectors_are_passed_over_found_and_made_again() {
    let folder = TempDir::new().unwrap();
    let graph = open(&folder, "test:hashed-words");
    for i in 0..6 {
        add(&graph, &format!("Thing {i}"), "thing", &[]);
    }
    embed(&graph);
    let path = graph.path().to_owned();
    drop(graph);
    let damage = rusqlite::Connection::open(&path).unwrap();
    damage
        .execute_batch(
            "UPDATE vectors SET scale = 'abc' WHERE rid = 1; UPDATE vectors SET vector = 'text' WHERE rid = 2;
             UPDATE vectors SET scale = 1e999 WHERE rid = 3; UPDATE vectors SET vector = x'00' WHERE rid = 4;
             DELETE FROM vectors WHERE rid = 5;
             INSERT INTO vectors (kind, rid, part, scale, vector) VALUES (1, 99, 0, 0.1, x'01');",
        )
        .unwrap();
    drop(damage);
    let graph = open(&folder, "test:hashed-words");
    let found =
        graph.search(&SearchQuery { text: "Thing".into(), limit: 10, ..SearchQuery::default() }).unwrap();
    assert_eq!((found.unmeant, found.hits.len()), (None, 6));
    assert!(found.hits.iter().all(|hit| hit.evidence.similarity.is_none_or(|s| s < 0.99)));
    drop(graph);
    let findings = gm_engine::validate::repair(&library(&folder, "off", false), "default").unwrap();
    assert!(findings.iter().any(|repaired| repaired.what == "vectors"), "{findings:?}");
    let graph = open(&folder, "test:hashed-words");
    assert_eq!(graph.meaning_status().unwrap().progress.wanted, 5);
    embed(&graph);
    assert_eq!(rusqlite_count(&path, "SELECT count(*) FROM vectors WHERE typeof(scale) = 'real'"), 6);
}

#[test]
fn whoever_writes_without_a_model_leaves_word_for_those_who_have_one() {
    let folder = TempDir::new().unwrap();
    let with = open(&folder, "test:hashed-words");
    let kept = add(&with, "Kept", "thing", &["a first note"]);
    let gone = add(&with, "Gone", "thing", &["a second note"]);
    embed(&with);
    let without = open(&folder, "off");
    add(&without, "New", "thing", &["a third note"]);
    without.transact(&Actor::cli(), "merge", |tx| merge::merge(tx, &kept, &gone).map(drop)).unwrap();
    assert_eq!(with.meaning_status().unwrap().progress.wanted, 3, "two of the new one, one that moved");
    embed(&with);
    let found = with.search(&near("Kept: a second note")).unwrap();
    assert_eq!(names(&found.hits)[0], "Kept");
    assert!(!names(&found.hits).contains(&"Gone"));
}

#[test]
fn entities_like_one_are_found_by_their_own_texts() {
    let folder = TempDir::new().unwrap();
    let graph = open(&folder, "test:hashed-words");
    let auth = add(&graph, "Auth Service", "service", &["unrelated words"]);
    add(&graph, "Auth Services", "service", &[]);
    add(&graph, "Service of Auth", "service", &[]);
    add(&graph, "Harbour", "place", &["Auth Service Auth Service"]);
    assert_eq!(graph.similar(&auth, 5).unwrap().1, Some(Unmeant::NoVectors));
    embed(&graph);
    let (similar, unmeant) = graph.similar(&auth, 2).unwrap();
    let names: Vec<&str> = similar.iter().map(|s| s.row.entity.name.as_str()).collect();
    assert_eq!((unmeant, names), (None, vec!["Service of Auth", "Auth Services"]));
    assert!(similar[0].similarity > similar[1].similarity);
}
