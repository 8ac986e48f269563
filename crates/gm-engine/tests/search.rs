//! Search on graphs with more common words than may be ranked.

use std::sync::Arc;

use gm_engine::entities::{self, NewEntity};
use gm_engine::search::{ObservationQuery, SearchQuery};
use gm_engine::{Graph, Library, Location};
use gm_model::Actor;
use gm_store::StateFile;

/// More rows than the index ranks for one query.
const MANY: usize = 3_200;

fn crowded() -> (Arc<Graph>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let state = Arc::new(StateFile::open(folder.path(), 1.0).unwrap());
    let location = Location { folder: folder.path().to_owned(), default_file: None };
    let library = Library::open(location, state, "test", "test").unwrap();
    let graph = library.graph("default").unwrap();
    let entity = |i: usize| {
        let entity_type = if i == 5 { "rarity" } else { "thing" };
        let mut words = "the service keeps the ledger of the house".to_owned();
        match i {
            40 => words.push_str(" with quicksilver"),
            41 => words.push_str(" with quicksilver near the harbour and the mill"),
            90 => words.push_str(" at the harbour with its mill"),
            _ => {}
        }
        NewEntity {
            name: format!("Item {i}"),
            entity_type: entity_type.to_owned(),
            observations: vec![words],
            ..NewEntity::default()
        }
    };
    let add =
        |tx: &gm_engine::Tx<'_>| (0..MANY).try_for_each(|i| entities::add(tx, "", &entity(i), "").map(drop));
    graph.transact(&Actor::cli(), "add_entities", add).unwrap();
    (graph, folder)
}

fn found(graph: &Graph, query: SearchQuery) -> Vec<String> {
    graph.search(&query).unwrap().hits.into_iter().map(|hit| hit.row.entity.name).collect()
}

fn ask(text: &str) -> SearchQuery {
    SearchQuery { text: text.to_owned(), limit: 10, ..SearchQuery::default() }
}

#[test]
fn common_words_bound_the_work_and_hide_nothing() {
    let (graph, _folder) = crowded();
    let rare = found(&graph, ask("where does the service keep the quicksilver of the house?"));
    assert_eq!(rare[..2], ["Item 40", "Item 41"], "the rare word decides");
    assert_eq!(rare.len(), 10, "rows with common words fill the list");

    let helped = found(&graph, ask("the ledger quicksilver harbour"));
    assert_eq!(helped[0], "Item 41", "two rare words beat one");

    assert_eq!(found(&graph, ask("ledger")).len(), 10, "a lone common word finds a bounded pool");
    assert_eq!(found(&graph, ask("led*")).len(), 10, "and so does a beginning");
    assert_eq!(found(&graph, ask("service the house")).len(), 10);
    assert_eq!(found(&graph, ask("\"ledger of the house\"")).len(), 10, "a common phrase too");
    assert_eq!(found(&graph, ask("\"house with quicksilver\"")), ["Item 40", "Item 41"]);

    let narrow = SearchQuery { entity_types: vec!["rarity".into()], ..ask("the service") };
    assert_eq!(found(&graph, narrow), ["Item 5"], "a filter acts before the pool is drawn");
}

#[test]
fn an_entity_found_by_name_tells_the_observations_that_match() {
    let (graph, _folder) = crowded();
    let hits = graph.search(&ask("Item 77 ledger")).unwrap().hits;
    let hit = hits.iter().find(|hit| hit.row.entity.name == "Item 77").expect("it is found by its number");
    assert_eq!(hit.observations.len(), 1);
}

#[test]
fn observations_of_one_entity_are_found_by_any_word() {
    let (graph, _folder) = crowded();
    let query = ObservationQuery {
        text: "the ledger".into(),
        limit: 10,
        entity: Some(("Item 7".into(), None)),
        ..ObservationQuery::default()
    };
    let hits = graph.search_observations(&query).unwrap().hits;
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].entity_name, "Item 7");
}
