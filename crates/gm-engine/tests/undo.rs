//! Any program of operations, taken back in full, leaves the same export byte for byte.

use std::sync::Arc;

use gm_engine::entities::{self, EntityUpdate, NewEntity};
use gm_engine::relationships::{self, NewRelationship, RelationshipUpdate};
use gm_engine::undo::{self, OnConflict};
use gm_engine::{Error, Graph, Library, Location, export, merge, observations};
use gm_model::{Actor, EntityId, ObservationId, RelationshipId};
use gm_store::StateFile;
use gm_store::validate::{Opened, Specimen};
use proptest::prelude::*;

fn graph() -> (Arc<Graph>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let state = Arc::new(StateFile::open(folder.path(), 1.0).unwrap());
    let location = Location { folder: folder.path().to_owned(), default_file: None };
    let library = Library::open(location, state, "test", "test").unwrap();
    (library.graph("default").unwrap(), folder)
}

fn exported(graph: &Graph) -> String {
    export::to_json(&graph.read(export::export).unwrap())
}

#[derive(Debug, Clone)]
enum Op {
    Add(u8, bool),
    Describe(u8, u8),
    Rename(u8, u8),
    SetProperty(u8, u8),
    Delete(u8),
    Link(u8, u8, u8),
    Reweigh(u8, u8),
    Reverse(u8),
    Unlink(u8),
    Note(u8, u8),
    Reword(u8, u8),
    Forget(u8),
    Merge(u8, u8),
    Pin(u8, Option<i8>),
}

fn op() -> impl Strategy<Value = Op> {
    let n = || 0u8..6;
    prop_oneof![
        3 => (n(), any::<bool>()).prop_map(|(a, b)| Op::Add(a, b)),
        1 => (n(), n()).prop_map(|(a, b)| Op::Describe(a, b)),
        1 => (n(), n()).prop_map(|(a, b)| Op::Rename(a, b)),
        1 => (n(), n()).prop_map(|(a, b)| Op::SetProperty(a, b)),
        1 => n().prop_map(Op::Delete),
        3 => (n(), n(), n()).prop_map(|(a, b, c)| Op::Link(a, b, c)),
        1 => (n(), n()).prop_map(|(a, b)| Op::Reweigh(a, b)),
        1 => n().prop_map(Op::Reverse),
        1 => n().prop_map(Op::Unlink),
        2 => (n(), n()).prop_map(|(a, b)| Op::Note(a, b)),
        1 => (n(), n()).prop_map(|(a, b)| Op::Reword(a, b)),
        1 => n().prop_map(Op::Forget),
        1 => (n(), n()).prop_map(|(a, b)| Op::Merge(a, b)),
        1 => (n(), proptest::option::of(any::<i8>())).prop_map(|(a, p)| Op::Pin(a, p)),
    ]
}

/// The nth thing there is, if there is one.
fn nth<T: Clone>(things: &[T], n: u8) -> Option<T> {
    (!things.is_empty()).then(|| things[n as usize % things.len()].clone())
}

/// Runs one operation as one transaction; what does not apply is refused and changes nothing.
fn run(graph: &Graph, actor: &Actor, op: &Op) -> Result<(), Error> {
    let now = graph.read(export::export)?;
    let entity_ids: Vec<EntityId> = now.entities.iter().map(|e| e.entity.id.clone()).collect();
    let edge_ids: Vec<RelationshipId> = now.relationships.iter().map(|r| r.id.clone()).collect();
    let note_ids: Vec<ObservationId> = now.observations.iter().map(|o| o.id.clone()).collect();
    let entity = |n: u8| nth(&entity_ids, n).ok_or(Error::NothingTo("do"));
    graph.transact(actor, "step", |tx| {
        match *op {
            Op::Add(n, with_note) => {
                let observations = if with_note { vec![format!("note of {n}")] } else { Vec::new() };
                let new = NewEntity {
                    name: format!("n{n}"),
                    entity_type: "t".into(),
                    description: format!("d{}", n % 2),
                    observations,
                    ..NewEntity::default()
                };
                entities::add(tx, "", &new, "")?;
            }
            Op::Describe(n, text) => {
                let update = EntityUpdate {
                    description: Some(format!("described {text}")),
                    ..EntityUpdate::default()
                };
                entities::update(tx, &entity(n)?, &update)?;
            }
            Op::Rename(n, to) => {
                let update = EntityUpdate { name: Some(format!("r{to}")), ..EntityUpdate::default() };
                entities::update(tx, &entity(n)?, &update)?;
            }
            Op::SetProperty(n, key) => {
                let properties = [(format!("k{key}"), key.into())].into_iter().collect();
                let update = EntityUpdate { properties: Some(properties), ..EntityUpdate::default() };
                entities::update(tx, &entity(n)?, &update)?;
            }
            Op::Delete(n) => drop(entities::delete(tx, &[entity(n)?])?),
            Op::Link(a, b, kind) => {
                let new = NewRelationship {
                    source_id: entity(a)?,
                    target_id: entity(b)?,
                    relationship_type: format!("t{}", kind % 2),
                    weight: f64::from(kind) / 10.0,
                    properties: Default::default(),
                };
                relationships::add(tx, "", &new)?;
            }
            Op::Reweigh(n, weight) => {
                let id = nth(&edge_ids, n).ok_or(Error::NothingTo("do"))?;
                let update = RelationshipUpdate {
                    weight: Some(f64::from(weight) / 7.0),
                    ..RelationshipUpdate::default()
                };
                relationships::update(tx, &id, &update)?;
            }
            Op::Reverse(n) => {
                let id = nth(&edge_ids, n).ok_or(Error::NothingTo("do"))?;
                relationships::reverse(tx, &id, &RelationshipUpdate::default())?;
            }
            Op::Unlink(n) => {
                drop(relationships::delete(tx, &[nth(&edge_ids, n).ok_or(Error::NothingTo("do"))?])?);
            }
            Op::Note(n, text) => drop(observations::add(tx, "o", &entity(n)?, &format!("fact {text}"), "")?),
            Op::Reword(n, text) => {
                let id = nth(&note_ids, n).ok_or(Error::NothingTo("do"))?;
                observations::update(tx, &id, &format!("reworded {text}"))?;
            }
            Op::Forget(n) => {
                drop(observations::delete(tx, &[nth(&note_ids, n).ok_or(Error::NothingTo("do"))?])?);
            }
            Op::Merge(a, b) => drop(merge::merge(tx, &entity(a)?, &entity(b)?)?),
            Op::Pin(n, place) => tx.set_pin(&entity(n)?, place.map(|x| (f64::from(x), 1.0)))?,
        }
        Ok(())
    })?;
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn undoing_everything_restores_every_earlier_state(ops in proptest::collection::vec(op(), 1..30)) {
        let (graph, _folder) = graph();
        let actor = Actor::person();
        let mut states = Vec::new();
        for op in &ops {
            let before = exported(&graph);
            let head = graph.read(|tx| Ok(gm_store::journal::head(tx)?)).unwrap();
            // A refusal is an answer too; it must change nothing.
            let outcome = run(&graph, &actor, op);
            let after = graph.read(|tx| Ok(gm_store::journal::head(tx)?)).unwrap();
            if after == head {
                prop_assert_eq!(exported(&graph), before, "nothing journalled, nothing changed");
            } else {
                prop_assert!(outcome.is_ok());
                states.push(before);
            }
        }
        let end = exported(&graph);
        for before in states.iter().rev() {
            undo::undo(&graph, &actor, OnConflict::Refuse).unwrap();
            prop_assert_eq!(&exported(&graph), before);
        }
        prop_assert!(matches!(undo::undo(&graph, &actor, OnConflict::Refuse), Err(Error::NothingTo(_))));
        for _ in &states {
            undo::redo(&graph, &actor, OnConflict::Refuse).unwrap();
        }
        prop_assert_eq!(exported(&graph), end, "and redoing everything brings it back");
        let opened = Specimen::of(graph.path(), &mut |_, _| {}).unwrap();
        let Opened::Specimen(mut specimen) = opened else { panic!("the file can be read") };
        prop_assert_eq!(specimen.check(&mut |_| {}).unwrap(), Vec::new(), "journal and tables agree");
    }
}
