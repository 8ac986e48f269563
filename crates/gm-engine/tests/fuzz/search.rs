//! Arbitrary text as a query, as a name to look up and as content that is found again.

use gm_engine::entities::{self, NewEntity};
use gm_engine::resolve::{self, Purpose};
use gm_engine::search::{ObservationQuery, SearchQuery};
use gm_engine::{Graph, Library};
use gm_model::Actor;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::{cases, in_time, is_clean, library, odd_text};

fn filled() -> (Library, std::sync::Arc<Graph>, tempfile::TempDir) {
    let (library, folder) = library();
    let graph = library.graph("default").unwrap();
    let texts =
        ["harbour lamp", "NEAR the AND gate", "東京タワーの灯り", "한글 노트", "C++ and .NET", "naïve café"];
    graph
        .transact(&Actor::cli(), "add", |tx| {
            for (i, text) in texts.iter().enumerate() {
                let new = NewEntity {
                    name: format!("{text} {i}"),
                    entity_type: "note".into(),
                    description: (*text).into(),
                    observations: vec![format!("said of {text}"), format!("{text} again")],
                    ..NewEntity::default()
                };
                entities::add(tx, "", &new, "")?;
            }
            Ok(())
        })
        .unwrap();
    (library, graph, folder)
}

fn observations(text: &str, limit: u32) -> ObservationQuery {
    ObservationQuery { text: text.to_owned(), limit, ..ObservationQuery::default() }
}

#[test]
fn a_query_of_many_phrases_is_a_query() {
    let (_library, graph, _folder) = filled();
    for n in [10, 60, 120, 500, 2_500] {
        let query = SearchQuery { text: "\"harbour lamp\" ".repeat(n), limit: 5, ..SearchQuery::default() };
        let found = in_time("a search", || graph.search(&query));
        assert!(found.is_ok_and(|found| !found.hits.is_empty()), "{n} phrases");
        let found = graph.search_observations(&observations(&query.text, 5));
        assert!(found.is_ok(), "{n} phrases");
    }
}

#[test]
fn any_text_is_a_query() {
    let (_library, graph, _folder) = filled();
    let query = (odd_text(), any::<bool>(), any::<u32>(), proptest::option::of(odd_text()));
    TestRunner::new(cases(256))
        .run(&query, |(text, as_typed, limit, entity_type)| {
            let query = SearchQuery {
                text: text.clone(),
                limit,
                entity_types: entity_type.into_iter().collect(),
                as_typed,
                ..SearchQuery::default()
            };
            match in_time("a search", || graph.search(&query)) {
                Ok(found) => {
                    let hits = found.hits;
                    prop_assert!(hits.len() <= 100);
                    prop_assert!(
                        hits.windows(2).all(|pair| pair[0].relevance_score >= pair[1].relevance_score)
                    );
                    let ids: std::collections::HashSet<_> =
                        hits.iter().map(|hit| &hit.row.entity.id).collect();
                    prop_assert_eq!(ids.len(), hits.len(), "an entity stands once");
                }
                Err(error) => prop_assert!(is_clean(&error), "{}", error),
            }
            let found = in_time("a search of observations", || {
                graph.search_observations(&observations(&text, limit))
            });
            prop_assert!(found.is_ok() || text.trim().is_empty() || found.is_err_and(|e| is_clean(&e)));
            Ok(())
        })
        .unwrap();
}

#[test]
fn any_text_is_a_name_to_ask_for() {
    let (_library, graph, _folder) = filled();
    TestRunner::new(cases(128))
        .run(&(odd_text(), proptest::option::of(odd_text()), any::<bool>()), |(name, entity_type, change)| {
            let purpose = if change { Purpose::Change } else { Purpose::Use };
            let found = in_time("a lookup", || {
                graph.read(|tx| resolve::entity(tx, "name", &name, entity_type.as_deref(), purpose))
            });
            if let Err(error) = found {
                prop_assert!(is_clean(&error), "{}", error);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn what_is_stored_under_a_name_is_found_by_that_name() {
    let (_library, graph, _folder) = filled();
    TestRunner::new(cases(96))
        .run(&(odd_text(), odd_text(), odd_text()), |(name, description, observation)| {
            let new = NewEntity {
                name: name.clone(),
                entity_type: "fuzz".into(),
                description,
                observations: vec![observation],
                ..NewEntity::default()
            };
            let added = in_time("an addition", || {
                graph.transact(&Actor::cli(), "add", |tx| entities::add(tx, "entities[0]", &new, ""))
            });
            let added = match added {
                Ok(applied) => applied.value,
                Err(error) => {
                    prop_assert!(is_clean(&error), "{}", error);
                    return Ok(());
                }
            };
            let found = graph.read(|tx| resolve::entity(tx, "name", &name, Some("fuzz"), Purpose::Change));
            prop_assert_eq!(&found.unwrap().entity.id, &added.id, "asked for as it was sent");
            let found = graph.read(|tx| resolve::entity(tx, "name", &added.name, Some("fuzz"), Purpose::Use));
            prop_assert_eq!(&found.unwrap().entity.id, &added.id, "asked for as it is told");
            let query = SearchQuery { text: added.name.clone(), limit: 5, ..SearchQuery::default() };
            let hits = graph.search(&query).unwrap().hits;
            prop_assert!(
                hits.iter().any(|hit| hit.row.entity.id == added.id),
                "searched for: {:?}",
                added.name
            );
            Ok(())
        })
        .unwrap();
}
