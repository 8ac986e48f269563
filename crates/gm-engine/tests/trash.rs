//! What an agent deletes comes back from the trash as it was: ids, aliases, edges, places and vectors.

use std::sync::Arc;

use gm_engine::embed::Embeddings;
use gm_engine::embed::model::Places;
use gm_engine::entities::{self, NewEntity};
use gm_engine::meaning::{Model, Settings};
use gm_engine::relationships::{self, NewRelationship};
use gm_engine::search::SearchQuery;
use gm_engine::{Error, Graph, Library, Location, export, history, observations, trash, undo};
use gm_model::{Actor, EntityId};
use gm_store::{StateFile, entities as table};

fn library() -> (Library, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let state = Arc::new(StateFile::open(folder.path(), 1.0).unwrap());
    let location = Location { folder: folder.path().to_owned(), default_file: None };
    (Library::open(location, state, "test", "test").unwrap(), folder)
}

fn agent() -> Actor {
    Actor::agent("scribe", "client 1")
}

fn exported(graph: &Graph) -> String {
    export::to_json(&graph.read(export::export).unwrap())
}

fn add(graph: &Graph, name: &str, said: &[&str]) -> EntityId {
    let new = NewEntity {
        name: name.into(),
        entity_type: "place".into(),
        observations: said.iter().map(|&said| said.into()).collect(),
        ..NewEntity::default()
    };
    graph
        .transact(&agent(), "add_entities", |tx| entities::add(tx, "entities[0]", &new, ""))
        .unwrap()
        .value
        .id
}

fn link(graph: &Graph, source: &str, target: &str) {
    let id = |name: &str| {
        let row = graph
            .read(|tx| gm_engine::resolve::entity(tx, "name", name, None, gm_engine::resolve::Purpose::Use));
        row.unwrap().entity.id
    };
    let new = NewRelationship {
        source_id: id(source),
        target_id: id(target),
        relationship_type: "leads to".into(),
        weight: 0.25,
        properties: Default::default(),
    };
    graph
        .transact(&agent(), "add_relationships", |tx| relationships::add(tx, "relationships[0]", &new))
        .unwrap();
}

fn delete(graph: &Graph, actor: &Actor, names: &[&str]) {
    let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
    graph.transact(actor, "delete_entities", |tx| entities::delete_by_name(tx, &names, None)).unwrap();
}

fn in_trash(graph: &Graph) -> Vec<trash::Entry> {
    graph.read(|tx| trash::list(tx, 100)).unwrap().0
}

#[test]
fn what_an_agent_deletes_comes_back_as_it_was() {
    let (library, _folder) = library();
    let graph = library.graph("default").unwrap();
    let harbour = add(&graph, "Harbour", &["deep water", "two cranes"]);
    add(&graph, "Mole", &[]);
    add(&graph, "Light", &["white"]);
    link(&graph, "Harbour", "Mole");
    link(&graph, "Light", "Harbour");
    link(&graph, "Mole", "Light");
    graph.transact(&Actor::person(), "set_pin", |tx| tx.set_pin(&harbour, Some((3.5, -7.25)))).unwrap();
    let before = exported(&graph);

    // Both ends of an edge, in one call and in two.
    delete(&graph, &agent(), &["Harbour", "Mole"]);
    delete(&graph, &agent(), &["Light"]);
    assert_eq!(graph.counts().unwrap().entities, 0);
    let entries = in_trash(&graph);
    let told: Vec<_> = entries.iter().map(|e| (e.label.as_str(), e.observations, e.relationships)).collect();
    assert!(told.contains(&("Harbour", 2, 2)), "{told:?}");
    assert_eq!((entries.len(), entries[0].actor.name.as_str()), (3, "scribe"));

    // History may end meanwhile: the trash is a table of its own.
    history::trim(&graph, f64::MAX, false).unwrap();

    let id = |name: &str| entries.iter().find(|e| e.label == name).unwrap().id.clone();
    let restored = trash::restore(&graph, &Actor::person(), &[id("Harbour")]).unwrap().value;
    assert_eq!((restored.entities, restored.observations, restored.relationships), (1, 2, 0));
    assert_eq!(restored.left.len(), 2, "both edges wait for their other ends");
    let restored = trash::restore(&graph, &Actor::person(), &[id("Light"), id("Mole")]).unwrap().value;
    assert_eq!((restored.relationships, restored.left.len()), (3, 0));
    assert_eq!(exported(&graph), before);
    assert!(in_trash(&graph).is_empty());
    let place = graph.read(|tx| Ok(gm_store::positions::of_entity(tx, &harbour)?)).unwrap().unwrap();
    assert_eq!((place.x, place.y, place.pinned), (3.5, -7.25, true));

    // And the restoring is a change like any other.
    undo::undo(&graph, &Actor::person(), undo::OnConflict::Refuse).unwrap();
    assert_eq!(graph.counts().unwrap().entities, 1);
    let back: Vec<String> = in_trash(&graph).into_iter().map(|entry| entry.label).collect();
    assert_eq!(back.len(), 2, "what is taken back is in the trash again, as whole things: {back:?}");
    undo::redo(&graph, &Actor::person(), undo::OnConflict::Refuse).unwrap();
    assert_eq!((exported(&graph), in_trash(&graph).len()), (before, 0));
}

#[test]
fn single_observations_and_relationships_come_back_too() {
    let (library, _folder) = library();
    let graph = library.graph("default").unwrap();
    let id = add(&graph, "Harbour", &["deep water", "two cranes"]);
    add(&graph, "Mole", &[]);
    link(&graph, "Harbour", "Mole");
    let before = exported(&graph);
    let said = graph.read(|tx| Ok(gm_store::observations::of_entity(tx, &id, 10)?)).unwrap();
    graph
        .transact(&agent(), "delete_observations", |tx| {
            observations::delete_of(tx, &id, &[said[0].id.clone()])
        })
        .unwrap();
    graph
        .transact(&agent(), "compact_observations", |tx| observations::compact(tx, &id, &[], &["new".into()]))
        .unwrap();
    let edges = graph.read(|tx| Ok(gm_store::relationships::touching(tx, &id)?)).unwrap();
    graph
        .transact(&agent(), "delete_relationships", |tx| relationships::delete(tx, &[edges[0].id.clone()]))
        .unwrap();
    let entries = in_trash(&graph);
    assert_eq!(entries.len(), 3);
    assert!(entries.iter().any(|e| e.label == "leads to" && e.detail == "Harbour → Mole"), "{entries:?}");
    assert!(entries.iter().any(|e| e.label == "two cranes" && e.detail == "Harbour"));
    let ids: Vec<String> = entries.iter().map(|entry| entry.id.clone()).collect();
    trash::restore(&graph, &Actor::person(), &ids).unwrap();
    let new = graph.read(|tx| Ok(gm_store::observations::with_content(tx, &id, "new")?)).unwrap().unwrap();
    graph
        .transact(&Actor::person(), "delete_observations", |tx| {
            observations::delete(tx, std::slice::from_ref(&new.id))
        })
        .unwrap();
    assert_eq!(exported(&graph), before);
}

#[test]
fn what_stands_in_the_way_is_told_and_nothing_is_lost() {
    let (library, _folder) = library();
    let graph = library.graph("default").unwrap();
    add(&graph, "Harbour", &["deep water"]);
    delete(&graph, &agent(), &["Harbour"]);
    add(&graph, "harbour", &[]);
    let entries = in_trash(&graph);
    let refused = trash::restore(&graph, &Actor::person(), &[entries[0].id.clone()]).unwrap_err();
    assert!(
        matches!(&refused, Error::Obstructed(conflicts) if conflicts[0].reason.contains("name and type")),
        "{refused}"
    );
    assert_eq!(in_trash(&graph).len(), 1, "it is still there");
    assert!(matches!(
        trash::restore(&graph, &Actor::person(), &["nope".into()]),
        Err(Error::NotFound { .. })
    ));

    // Taking the delete back empties the trash of it as well.
    delete(&graph, &agent(), &["harbour"]);
    undo::undo(&graph, &agent(), undo::OnConflict::Refuse).unwrap();
    assert_eq!(in_trash(&graph).len(), 1);
}

#[test]
fn merges_imports_and_those_who_may_leave_nothing_there() {
    let (library, _folder) = library();
    let graph = library.graph("default").unwrap();
    add(&graph, "Harbour", &["deep water"]);
    delete(&graph, &Actor { deletes_for_good: true, ..agent() }, &["Harbour"]);
    assert!(in_trash(&graph).is_empty());
    let (one, two) = (add(&graph, "Mole", &[]), add(&graph, "Pier", &[]));
    graph.transact(&agent(), "merge_entities", |tx| gm_engine::merge::merge(tx, &one, &two)).unwrap();
    assert!(in_trash(&graph).is_empty(), "a merge is taken back, not restored");
}

#[test]
fn deleting_again_goes_there_again() {
    let (library, _folder) = library();
    let graph = library.graph("default").unwrap();
    add(&graph, "Harbour", &["deep water"]);
    delete(&graph, &Actor::person(), &["Harbour"]);
    undo::undo(&graph, &Actor::person(), undo::OnConflict::Refuse).unwrap();
    assert!(in_trash(&graph).is_empty());
    undo::redo(&graph, &Actor::person(), undo::OnConflict::Refuse).unwrap();
    let entries = in_trash(&graph);
    assert_eq!((entries.len(), entries[0].observations), (1, 1), "one whole thing");
    // Undoing an addition is no deletion: it was never meant.
    add(&graph, "Mole", &[]);
    undo::undo(&graph, &agent(), undo::OnConflict::Refuse).unwrap();
    assert_eq!(in_trash(&graph).len(), 1);
}

#[test]
fn an_equal_fact_is_not_brought_back_beside_itself() {
    let (library, _folder) = library();
    let graph = library.graph("default").unwrap();
    let id = add(&graph, "Harbour", &["deep water"]);
    let said = graph.read(|tx| Ok(gm_store::observations::of_entity(tx, &id, 10)?)).unwrap();
    let one = [said[0].id.clone()];
    graph.transact(&agent(), "delete_observations", |tx| observations::delete_of(tx, &id, &one)).unwrap();
    graph
        .transact(&agent(), "add_observations", |tx| {
            observations::add(tx, "observations[0]", &id, "deep water", "")
        })
        .unwrap();
    let refused = trash::restore(&graph, &Actor::person(), &[one[0].as_str().to_owned()]).unwrap_err();
    assert!(refused.to_string().contains("equal observation"), "{refused}");
}

#[test]
fn thirty_days_later_it_is_gone_and_emptying_is_for_good() {
    let (library, folder) = library();
    let graph = library.graph("default").unwrap();
    for name in ["Old", "New", "Newer"] {
        add(&graph, name, &["said"]);
        delete(&graph, &agent(), &[name]);
    }
    let connection = rusqlite::Connection::open(folder.path().join("graph.db")).unwrap();
    connection
        .execute("UPDATE trash SET deleted_at = deleted_at - ?1 WHERE content LIKE '%Old%' OR went_with IN (SELECT id FROM trash WHERE content LIKE '%Old%')", [trash::KEPT_SECONDS + 1.0])
        .unwrap();
    assert_eq!(in_trash(&graph).len(), 2, "what is over is not told");
    add(&graph, "Newest", &[]);
    delete(&graph, &agent(), &["Newest"]);
    let rows = |sql: &str| connection.query_row::<i64, _, _>(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(rows("SELECT count(*) FROM trash"), 5, "and goes with the next delete");
    let newer = in_trash(&graph).into_iter().find(|entry| entry.label == "Newer").unwrap();
    assert_eq!(trash::empty(&graph, &Actor::person(), Some(&[newer.id])).unwrap(), 2);
    assert_eq!(trash::empty(&graph, &Actor::person(), None).unwrap(), 3);
    assert_eq!(rows("SELECT count(*) FROM trash"), 0);
}

#[test]
fn vectors_come_back_without_being_made_again() {
    let (library, folder) = library();
    library.search_by_meaning(Settings {
        model: Model::fixed(Embeddings::of(&Places(vec![]), "test:hashed-words")),
        in_background: false,
        ..Settings::default()
    });
    let graph = library.graph("default").unwrap();
    add(&graph, "Harbour", &["deep water", "two cranes"]);
    let connection = rusqlite::Connection::open(folder.path().join("graph.db")).unwrap();
    let rows = |sql: &str| connection.query_row::<i64, _, _>(sql, [], |row| row.get(0)).unwrap();
    graph.reembed(false, &mut |_, _| true).unwrap();
    delete(&graph, &agent(), &["Harbour"]);
    assert_eq!((rows("SELECT count(*) FROM vectors"), rows("SELECT count(*) FROM trash_vectors")), (0, 3));
    let ids: Vec<String> = in_trash(&graph).into_iter().map(|entry| entry.id).collect();
    trash::restore(&graph, &Actor::person(), &ids).unwrap();
    assert_eq!(rows("SELECT count(*) FROM vectors_wanted"), 0);
    assert_eq!((rows("SELECT count(*) FROM vectors"), rows("SELECT count(*) FROM trash_vectors")), (3, 0));
    let found =
        graph.search(&SearchQuery { text: "deep water".into(), limit: 5, ..SearchQuery::default() }).unwrap();
    assert!(found.hits[0].evidence.vector_rank.is_some(), "and is found by them");
    let name = graph.read(|tx| Ok(table::newest(tx)?)).unwrap().unwrap().entity.name;
    assert_eq!(name, "Harbour");
}
