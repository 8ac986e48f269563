//! What becomes of an entity that is added, changed, resolved and deleted, rule by rule.

use std::sync::Arc;

use gm_engine::entities::{self, AddedEntity, EntityUpdate, NewEntity, Status};
use gm_engine::merge;
use gm_engine::relationships::{self, NewRelationship, RelationshipUpdate};
use gm_engine::resolve::{self, Purpose};
use gm_engine::undo::{self, OnConflict};
use gm_engine::{Error, Graph, Library, Location};
use gm_model::{Actor, Entity, EntityId, Properties, TransactionId};
use gm_store::StateFile;
use serde_json::{Value, json};

fn graph() -> (Arc<Graph>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let state = Arc::new(StateFile::open(folder.path(), 1.0).unwrap());
    let location = Location { folder: folder.path().to_owned(), default_file: None };
    let library = Library::open(location, state, "test", "test").unwrap();
    (library.graph("default").unwrap(), folder)
}

fn named(name: &str, entity_type: &str) -> NewEntity {
    NewEntity { name: name.into(), entity_type: entity_type.into(), ..NewEntity::default() }
}

fn properties(value: Value) -> Properties {
    value.as_object().unwrap().clone()
}

fn add(graph: &Graph, new: &NewEntity) -> AddedEntity {
    graph.transact(&Actor::cli(), "add_entities", |tx| entities::add(tx, "", new, "")).unwrap().value
}

fn update(graph: &Graph, id: &EntityId, update: EntityUpdate) -> Result<Entity, Error> {
    graph
        .transact(&Actor::cli(), "update_entity", |tx| entities::update(tx, id, &update))
        .map(|applied| applied.value)
}

fn stored(graph: &Graph, id: &EntityId) -> Entity {
    graph.read(|tx| entities::require(tx, id)).unwrap().entity
}

fn find(graph: &Graph, name: &str, entity_type: Option<&str>, purpose: Purpose) -> Result<Entity, Error> {
    graph.read(|tx| resolve::entity(tx, "name", name, entity_type, purpose)).map(|row| row.entity)
}

#[test]
fn an_entity_is_made_once_and_takes_up_what_is_new() {
    let (graph, _folder) = graph();
    let made = add(&graph, &named("Ann", "Person"));
    assert_eq!(
        (made.status, made.status.as_str(), made.entity_type.as_str()),
        (Status::Created, "created", "person")
    );
    assert!(!made.has_description && !made.has_observations);
    let told = NewEntity {
        description: "a sailor".into(),
        properties: properties(json!({ "a": 1 })),
        ..named("ANN", "person")
    };
    let merged = add(&graph, &told);
    assert_eq!((merged.status.as_str(), merged.name.as_str(), &merged.id), ("merged", "Ann", &made.id));
    assert!(merged.has_description && !merged.has_observations);
    let noted = NewEntity { observations: vec!["sails".into()], ..named("ann", "person") };
    assert!(add(&graph, &noted).has_observations);
    let again = add(&graph, &named("Ann", "person"));
    assert!(again.has_description && again.has_observations, "from before");
    // Appended if it adds something; a part of what is there does not.
    for (text, after) in
        [("a sailor", "a sailor"), ("sail", "a sailor"), ("born at sea", "a sailor\nborn at sea")]
    {
        add(&graph, &NewEntity { description: text.into(), ..told.clone() });
        assert_eq!(stored(&graph, &made.id).description, after);
    }
    add(&graph, &NewEntity { properties: properties(json!({ "a": 2, "b": 3 })), ..named("Ann", "person") });
    assert_eq!(Value::Object(stored(&graph, &made.id).properties), json!({ "a": 2, "b": 3 }));
    let before = stored(&graph, &made.id);
    add(&graph, &named("Ann", "person"));
    assert_eq!(stored(&graph, &made.id), before, "nothing new, and the time stays");
    add(&graph, &NewEntity { properties: properties(json!({ "c": 4 })), ..named("Ann", "person") });
    assert!(stored(&graph, &made.id).updated_at > before.updated_at);
    let other = add(&graph, &named("Ann", "ship"));
    assert_eq!((other.status, other.id == made.id), (Status::Created, false));
}

#[test]
fn only_what_is_given_changes() {
    let (graph, _folder) = graph();
    let ann = add(
        &graph,
        &NewEntity {
            description: "d".into(),
            properties: properties(json!({ "a": 1, "b": 2 })),
            ..named("Ann", "person")
        },
    );
    let before = stored(&graph, &ann.id);
    let same =
        update(&graph, &ann.id, EntityUpdate { description: Some("d".into()), ..EntityUpdate::default() })
            .unwrap();
    assert_eq!(same, before, "nothing changed, the time neither");
    let changes = EntityUpdate {
        properties: Some(properties(json!({ "a": null, "c": { "deep": [1] } }))),
        ..EntityUpdate::default()
    };
    let after = update(&graph, &ann.id, changes).unwrap();
    assert_eq!(Value::Object(after.properties.clone()), json!({ "b": 2, "c": { "deep": [1] } }));
    assert_eq!(
        (after.name.as_str(), after.description.as_str(), after.created_at),
        ("Ann", "d", before.created_at)
    );
    assert!(after.updated_at >= before.updated_at);
    add(&graph, &named("Bea", "person"));
    let clash = |name: Option<&str>, entity_type: Option<&str>| {
        let wanted = EntityUpdate {
            name: name.map(Into::into),
            entity_type: entity_type.map(Into::into),
            ..EntityUpdate::default()
        };
        update(&graph, &ann.id, wanted)
    };
    assert!(matches!(clash(Some("BEA"), None), Err(Error::Collision { field: "name", .. })));
    add(&graph, &named("Ann", "ship"));
    assert!(matches!(clash(None, Some("ship")), Err(Error::Collision { field: "entity_type", .. })));
    assert_eq!(clash(Some("ANN"), None).unwrap().name, "ANN", "its own name in other letters is free");
    let deep = (0..40).fold(json!(1), |inner, _| json!([inner]));
    let refused = update(
        &graph,
        &ann.id,
        EntityUpdate { properties: Some(properties(json!({ "x": deep }))), ..EntityUpdate::default() },
    );
    assert!(matches!(refused, Err(Error::Argument { .. })));
    let large = json!({ "x": "y".repeat(gm_model::limits::MAX_PROPERTIES_BYTES) });
    let refused = update(
        &graph,
        &ann.id,
        EntityUpdate { properties: Some(properties(large)), ..EntityUpdate::default() },
    );
    assert!(matches!(refused, Err(Error::Argument { .. })));
}

#[test]
fn names_are_resolved_in_a_fixed_order_and_never_by_likeness() {
    let (graph, _folder) = graph();
    let ann = add(&graph, &named("Ann", "person"));
    add(&graph, &named("ANN", "ship"));
    assert_eq!(find(&graph, "Ann", None, Purpose::Use).unwrap().id, ann.id, "exact beats other cases");
    assert_eq!(find(&graph, "ann", Some("Person"), Purpose::Use).unwrap().id, ann.id);
    // Of several, the one that changed last.
    update(&graph, &ann.id, EntityUpdate { description: Some("new".into()), ..EntityUpdate::default() })
        .unwrap();
    assert_eq!(find(&graph, "ann", None, Purpose::Use).unwrap().id, ann.id);
    match find(&graph, "ann", None, Purpose::Change) {
        Err(Error::Ambiguous { types, .. }) => assert_eq!(types, ["person", "ship"]),
        other => panic!("{other:?}"),
    }
    assert_eq!(find(&graph, "Ann", None, Purpose::Change).unwrap().id, ann.id);
    assert!(matches!(find(&graph, "Ann", Some("place"), Purpose::Use), Err(Error::NotFound { .. })));
    let suggested = |name: &str| match find(&graph, name, None, Purpose::Use) {
        Err(Error::NotFound { suggestions, .. }) => suggestions,
        other => panic!("{other:?}"),
    };
    add(&graph, &named("gateway", "service"));
    add(&graph, &named("Harbour master", "person"));
    assert_eq!(suggested("gatewa"), ["gateway"], "by beginning");
    assert_eq!(suggested("the master"), ["Harbour master"], "by word");
    assert_eq!(suggested("gatway"), ["gateway"], "by letters");
    assert_eq!(suggested("gzzzzzzzz"), Vec::<String>::new());
}

#[test]
fn deleting_tells_what_was_there() {
    let (graph, _folder) = graph();
    let ann = add(&graph, &NewEntity { observations: vec!["o".into()], ..named("Ann", "person") });
    add(&graph, &named("Bea", "person"));
    let names: Vec<String> = ["ann", "Nobody", "ANN"].map(String::from).into();
    let applied = graph
        .transact(&Actor::cli(), "delete_entities", |tx| entities::delete_by_name(tx, &names, None))
        .unwrap();
    let gone: Vec<&str> = applied.value.deleted.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!((gone, applied.value.not_found), (vec!["Ann"], vec!["Nobody".to_owned()]));
    assert_eq!(applied.changes, 2, "an observation and an entity");
    let unknown = graph
        .transact(&Actor::cli(), "delete_entities", |tx| entities::delete(tx, std::slice::from_ref(&ann.id)))
        .unwrap();
    assert_eq!((unknown.value, unknown.changes), (vec![ann.id.clone()], 0));
    assert_eq!(graph.counts().unwrap().entities, 1);
    assert!(matches!(graph.read(|tx| entities::require(tx, &ann.id)), Err(Error::NotFound { .. })));
    let last = graph.read(|tx| entities::last_change(tx, &ann.id)).unwrap().unwrap();
    assert_eq!(last.0, Actor::cli());
}

#[test]
fn taking_back_reports_what_stands_in_the_way() {
    let (graph, _folder) = graph();
    let person = Actor::person();
    let made = graph.transact(&Actor::agent("bot", ""), "add_entities", |tx| {
        entities::add(tx, "", &NewEntity { description: "by the bot".into(), ..named("Ann", "person") }, "")
    });
    let made = made.unwrap();
    let described = |text: &str| EntityUpdate { description: Some(text.into()), ..EntityUpdate::default() };
    update(&graph, &made.value.id, described("by a person")).unwrap();
    let revert = |id: &TransactionId, how| undo::revert(&graph, &person, id, how);
    match revert(&made.transaction, OnConflict::Refuse) {
        Err(Error::Conflicts(conflicts)) => {
            let fields: Vec<&str> = conflicts.iter().map(|conflict| conflict.field.as_str()).collect();
            assert!(fields.contains(&"description"), "{fields:?}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(stored(&graph, &made.value.id).description, "by a person", "nothing was changed");
    let retyped = graph
        .transact(&Actor::agent("bot", ""), "update_entity", |tx| {
            let change = EntityUpdate {
                entity_type: Some("sailor".into()),
                properties: Some(properties(json!({ "k": 1 }))),
                ..EntityUpdate::default()
            };
            entities::update(tx, &made.value.id, &change)
        })
        .unwrap();
    update(
        &graph,
        &made.value.id,
        EntityUpdate { properties: Some(properties(json!({ "k": 2 }))), ..EntityUpdate::default() },
    )
    .unwrap();
    let partly = revert(&retyped.transaction, OnConflict::TakeBackRest).unwrap();
    assert_eq!(partly.value.conflicts.len(), 1);
    let now = stored(&graph, &made.value.id);
    assert_eq!((now.entity_type.as_str(), &now.properties["k"]), ("person", &json!(2)));
    // Once more is told to be once more.
    assert!(matches!(revert(&retyped.transaction, OnConflict::Refuse), Err(Error::Argument { .. })));
    assert!(matches!(
        revert(&TransactionId::generate(), OnConflict::Refuse),
        Err(Error::NotFound { what: "transaction", .. })
    ));
}

#[test]
fn an_earlier_name_means_the_one_entity_of_the_type_that_had_it() {
    let (graph, _folder) = graph();
    let renamed = |new: NewEntity, to: &str| {
        let id = add(&graph, &new).id;
        update(&graph, &id, EntityUpdate { name: Some(to.into()), ..EntityUpdate::default() }).unwrap();
        id
    };
    let person = renamed(named("P", "person"), "Q");
    let ship = renamed(named("P", "ship"), "S");
    assert_eq!(find(&graph, "p", Some("ship"), Purpose::Use).unwrap().id, ship);
    let merged = add(&graph, &named("P", "person"));
    assert_eq!((merged.status, &merged.id, merged.name.as_str()), (Status::Merged, &person, "Q"));
    assert_eq!(add(&graph, &named("P", "place")).status, Status::Created, "another type is another thing");
    // Of two, none is meant for sure.
    update(&graph, &ship, EntityUpdate { entity_type: Some("person".into()), ..EntityUpdate::default() })
        .unwrap();
    let third = add(&graph, &named("P", "person"));
    assert!(third.status == Status::Created && third.id != person && third.id != ship);
}

#[test]
fn aliases_are_the_other_names_it_had() {
    let (graph, _folder) = graph();
    let id = add(&graph, &named("First", "t")).id;
    let aliases = |change: EntityUpdate| {
        update(&graph, &id, change).unwrap();
        graph.read(|tx| entities::detail(tx, entities::require(tx, &id)?, 1)).unwrap().aliases
    };
    let rename = |name: &str| EntityUpdate { name: Some(name.into()), ..EntityUpdate::default() };
    assert_eq!(aliases(rename("FIRST")), Vec::<String>::new(), "the same name in other letters");
    assert_eq!(
        aliases(EntityUpdate { description: Some("d".into()), ..EntityUpdate::default() }),
        Vec::<String>::new()
    );
    assert_eq!(aliases(rename("Second")), ["FIRST"]);
    assert_eq!(aliases(rename("Third")), ["FIRST", "Second"]);
    assert_eq!(aliases(rename("first")), ["Second", "Third"], "no name is an alias of itself");
    assert_eq!(aliases(rename("second")), ["first", "Third"], "and none is there twice");
}

#[test]
fn merging_moves_everything_and_keeps_the_stronger() {
    let (graph, _folder) = graph();
    let ids: Vec<EntityId> = ["Target", "Source", "Third"]
        .map(|name| {
            let observations = vec!["shared".to_owned(), format!("of {name}")];
            add(
                &graph,
                &NewEntity {
                    observations,
                    properties: properties(json!({ name: 1, "k": name })),
                    ..named(name, "t")
                },
            )
            .id
        })
        .into();
    let (target, source, third) = (&ids[0], &ids[1], &ids[2]);
    let link = |from: &EntityId, to: &EntityId, weight: f64| NewRelationship {
        source_id: from.clone(),
        target_id: to.clone(),
        relationship_type: "r".into(),
        weight,
        properties: properties(json!({ "weight was": weight })),
    };
    graph
        .transact(&Actor::cli(), "add_relationships", |tx| {
            for new in [
                link(target, third, 0.2),
                link(source, third, 0.9),
                link(third, source, 0.5),
                link(source, target, 1.0),
            ] {
                relationships::add(tx, "", &new)?;
            }
            Ok(())
        })
        .unwrap();
    let merged =
        graph.transact(&Actor::cli(), "merge_entities", |tx| merge::merge(tx, target, source)).unwrap().value;
    assert_eq!((merged.observations_moved, merged.observations_merged), (1, 1));
    assert_eq!((merged.relationships_moved, merged.relationships_merged), (1, 1));
    assert_eq!(merged.relationships_dropped.len(), 1, "what linked the two would be a loop");
    let detail = graph.read(|tx| entities::detail(tx, entities::require(tx, target)?, 50)).unwrap();
    let mut told: Vec<&str> = detail.observations.iter().map(|o| o.content.as_str()).collect();
    told.sort_unstable();
    assert_eq!(told, ["of Source", "of Target", "shared"]);
    assert!(detail.observations.iter().all(|o| o.entity_id == *target));
    let mut edges: Vec<(bool, f64)> = detail
        .relationships
        .iter()
        .map(|named| (named.relationship.source_id == *target, named.relationship.weight))
        .collect();
    edges.sort_by(|a, b| a.1.total_cmp(&b.1));
    assert_eq!(edges, [(false, 0.5), (true, 0.9)]);
    assert_eq!(detail.aliases, ["Source"]);
    assert_eq!(
        Value::Object(detail.entity.properties),
        json!({ "Target": 1, "k": "Target", "Source": 1 }),
        "its own win"
    );
    assert!(matches!(graph.read(|tx| entities::require(tx, source)), Err(Error::NotFound { .. })));
    let itself = graph.transact(&Actor::cli(), "merge_entities", |tx| merge::merge(tx, target, target));
    assert!(itself.is_err());
}

#[test]
fn properties_are_taken_up_to_their_bounds() {
    let (graph, _folder) = graph();
    let taken = |value: Value| {
        let new = NewEntity { properties: properties(json!({ "x": value })), ..named("A", "t") };
        graph.transact(&Actor::cli(), "add_entities", |tx| {
            entities::add(tx, "entities[3]", &new, "").map(drop)
        })
    };
    let lists = |n: usize| (0..n).fold(json!(1), |inner, _| json!([inner]));
    let objects = |n: usize| (0..n).fold(json!(1), |inner, _| json!({ "y": inner }));
    for nested in [lists, objects] {
        assert!(taken(nested(gm_model::limits::MAX_PROPERTIES_DEPTH)).is_ok());
        match taken(nested(gm_model::limits::MAX_PROPERTIES_DEPTH + 1)) {
            Err(Error::Argument { field, .. }) => assert_eq!(field, "entities[3].properties"),
            other => panic!("{other:?}"),
        }
    }
    let frame = json!({ "x": "" }).to_string().len();
    assert!(taken(json!("y".repeat(gm_model::limits::MAX_PROPERTIES_BYTES - frame))).is_ok());
    assert!(taken(json!("y".repeat(gm_model::limits::MAX_PROPERTIES_BYTES - frame + 1))).is_err());
}

#[test]
fn a_relationship_turned_round_keeps_all_it_has_and_takes_no_other_over() {
    let (graph, _folder) = graph();
    let [a, b] = ["a", "b"].map(|name| add(&graph, &named(name, "t")).id);
    // Beyond what a double holds: properties never pass through one.
    let kept = properties(json!({ "account": 9_007_199_254_740_993_u64, "ratio": 1.0 }));
    let link = |source_id: &EntityId, target_id: &EntityId, properties: &Properties| {
        let new = NewRelationship {
            source_id: source_id.clone(),
            target_id: target_id.clone(),
            relationship_type: "likes".into(),
            weight: 0.4,
            properties: properties.clone(),
        };
        graph.transact(&Actor::cli(), "link", |tx| relationships::add(tx, "", &new)).unwrap().value.0
    };
    let reverse = |id, update: &RelationshipUpdate| {
        graph.transact(&Actor::cli(), "reverse_relationship", |tx| relationships::reverse(tx, id, update))
    };
    let there = link(&a, &b, &kept);
    let update = RelationshipUpdate { weight: Some(0.9), ..RelationshipUpdate::default() };
    let turned = reverse(&there.id, &update).unwrap().value;
    assert_eq!((&turned.source_id, &turned.target_id), (&b, &a));
    assert_eq!((turned.weight, &turned.properties), (0.9, &kept));
    assert!(graph.read(|tx| relationships::require(tx, &there.id)).is_err());

    undo::undo(&graph, &Actor::cli(), OnConflict::Refuse).unwrap();
    assert_eq!(graph.read(|tx| relationships::require(tx, &there.id)).unwrap(), there);

    let back = link(&b, &a, &properties(json!({ "why": "mine" })));
    let refused = reverse(&there.id, &RelationshipUpdate::default()).unwrap_err();
    assert_eq!(refused.code(), "already_exists");
    assert_eq!(graph.read(|tx| relationships::require(tx, &back.id)).unwrap(), back);
    assert_eq!(graph.read(|tx| relationships::require(tx, &there.id)).unwrap(), there);
}
