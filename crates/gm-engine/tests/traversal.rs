//! Walks and paths against an obviously correct reference, on random graphs that change between
//! questions, so that the index is followed as well as built.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gm_engine::connections::{self, ConnectionQuery, Direction, PathStep};
use gm_engine::entities::{self, NewEntity};
use gm_engine::relationships::{self, NewRelationship};
use gm_engine::resolve::{self, Purpose};
use gm_engine::{Graph, Library, Location};
use gm_model::{Actor, EntityId};
use gm_store::StateFile;
use proptest::prelude::*;

/// Edges as the reference keeps them: source, target, type.
type Edges = BTreeSet<(usize, usize, u8)>;

const TYPES: [&str; 3] = ["uses", "knows", "near"];

struct Fixture {
    graph: Arc<Graph>,
    ids: BTreeMap<usize, EntityId>,
    edges: Edges,
    _folder: tempfile::TempDir,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let state = Arc::new(StateFile::open(folder.path(), 1.0).unwrap());
        let location = Location { folder: folder.path().to_owned(), default_file: None };
        let library = Library::open(location, state, "test", "test").unwrap();
        let graph = library.graph("default").unwrap();
        Self { graph, ids: BTreeMap::new(), edges: Edges::new(), _folder: folder }
    }

    fn apply(&mut self, op: &Op) {
        let actor = Actor::agent("test", "");
        let Self { graph, ids, edges, .. } = self;
        graph
            .transact(&actor, "test", |tx| {
                match *op {
                    Op::Add(n) => {
                        let new =
                            NewEntity { name: name(n), entity_type: "t".into(), ..NewEntity::default() };
                        let added = entities::add(tx, "", &new, "")?;
                        ids.insert(n, added.id);
                    }
                    Op::Delete(n) => {
                        if let Some(id) = ids.remove(&n) {
                            entities::delete(tx, &[id])?;
                            edges.retain(|(s, t, _)| *s != n && *t != n);
                        }
                    }
                    Op::Link(s, t, kind) => {
                        if let (Some(source), Some(target)) = (ids.get(&s), ids.get(&t))
                            && s != t
                        {
                            let new = NewRelationship {
                                source_id: source.clone(),
                                target_id: target.clone(),
                                relationship_type: TYPES[kind as usize].into(),
                                weight: 1.0,
                                properties: Default::default(),
                            };
                            relationships::add(tx, "", &new)?;
                            edges.insert((s, t, kind));
                        }
                    }
                    Op::Unlink(s, t, kind) => {
                        if let (Some(source), Some(target)) = (ids.get(&s), ids.get(&t)) {
                            let wanted = Some(TYPES[kind as usize]);
                            relationships::delete_between(tx, source, target, wanted)?;
                            edges.remove(&(s, t, kind));
                        }
                    }
                }
                Ok(())
            })
            .unwrap();
    }

    /// Neighbours of a node under a filter.
    fn next(&self, node: usize, direction: Direction, types: &[u8]) -> BTreeSet<usize> {
        let allowed = |kind: &u8| types.is_empty() || types.contains(kind);
        self.edges
            .iter()
            .filter(|(_, _, kind)| allowed(kind))
            .filter_map(|&(s, t, _)| match direction {
                Direction::Outgoing => (s == node).then_some(t),
                Direction::Incoming => (t == node).then_some(s),
                Direction::Both if s == node => Some(t),
                Direction::Both if t == node => Some(s),
                Direction::Both => None,
            })
            .collect()
    }

    fn depths(&self, from: usize, hops: u32, direction: Direction, types: &[u8]) -> BTreeMap<usize, u32> {
        let mut depths = BTreeMap::from([(from, 0)]);
        let mut level = BTreeSet::from([from]);
        for depth in 1..=hops {
            let reached: BTreeSet<usize> =
                level.iter().flat_map(|n| self.next(*n, direction, types)).collect();
            level = reached.into_iter().filter(|n| !depths.contains_key(n)).collect();
            depths.extend(level.iter().map(|n| (*n, depth)));
        }
        depths
    }

    /// All shortest paths, edges told apart by type and direction, by trying everything.
    fn all_shortest(&self, from: usize, to: usize, hops: u32) -> BTreeSet<Vec<(usize, String, bool)>> {
        let mut level = vec![vec![(from, String::new(), false)]];
        for _ in 0..=hops {
            let done: BTreeSet<_> =
                level.iter().filter(|path| path.last().unwrap().0 == to).cloned().collect();
            if !done.is_empty() {
                return done;
            }
            level = level
                .iter()
                .flat_map(|path| {
                    let here = path.last().unwrap().0;
                    self.edges.iter().filter_map(move |&(s, t, kind)| {
                        let (next, outgoing) = if s == here {
                            (t, true)
                        } else if t == here {
                            (s, false)
                        } else {
                            return None;
                        };
                        if path.iter().any(|step| step.0 == next) {
                            return None;
                        }
                        let mut longer = path.clone();
                        longer.push((next, TYPES[kind as usize].to_owned(), outgoing));
                        Some(longer)
                    })
                })
                .collect();
        }
        BTreeSet::new()
    }
}

fn name(n: usize) -> String {
    format!("n{n:02}")
}

fn number(step: &PathStep) -> usize {
    step.entity_name[1..].parse().unwrap()
}

#[derive(Debug, Clone)]
enum Op {
    Add(usize),
    Delete(usize),
    Link(usize, usize, u8),
    Unlink(usize, usize, u8),
}

fn op() -> impl Strategy<Value = Op> {
    let node = 0usize..9;
    prop_oneof![
        3 => node.clone().prop_map(Op::Add),
        1 => node.clone().prop_map(Op::Delete),
        8 => (node.clone(), node.clone(), 0u8..3).prop_map(|(s, t, k)| Op::Link(s, t, k)),
        1 => (node.clone(), node, 0u8..3).prop_map(|(s, t, k)| Op::Unlink(s, t, k)),
    ]
}

fn direction() -> impl Strategy<Value = Direction> {
    prop_oneof![Just(Direction::Both), Just(Direction::Outgoing), Just(Direction::Incoming)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn walks_and_paths_equal_the_reference_while_the_graph_changes(
        rounds in proptest::collection::vec(proptest::collection::vec(op(), 1..25), 1..4),
        hops in 1u32..6,
        direction in direction(),
        types in proptest::collection::vec(0u8..3, 0..2),
    ) {
        let mut fixture = Fixture::new();
        (0..6).for_each(|n| fixture.apply(&Op::Add(n)));
        for round in &rounds {
            round.iter().for_each(|op| fixture.apply(op));
            let Some((&from, _)) = fixture.ids.first_key_value() else { continue };
            let query = ConnectionQuery {
                max_hops: hops,
                relationship_types: types.iter().map(|t| TYPES[*t as usize].to_owned()).collect(),
                direction,
            };
            let by_name = |n: usize| move |tx: &gm_store::ReadTx<'_>| {
                resolve::entity(tx, "name", &name(n), None, Purpose::Use)
            };
            let (_, found) = connections::connections(&fixture.graph, by_name(from), &query).unwrap();
            let depths = fixture.depths(from, hops, direction, &types);
            let got: BTreeMap<usize, u32> = found.results.iter().map(|c| (c.entity.name[1..].parse().unwrap(), c.depth)).collect();
            let want: BTreeMap<usize, u32> = depths.iter().filter(|(_, d)| **d > 0).map(|(n, d)| (*n, *d)).collect();
            prop_assert_eq!(&got, &want);
            prop_assert!(!found.truncated);
            for connection in &found.results {
                prop_assert_eq!(connection.path.len() as u32, connection.depth + 1, "as long as it is deep");
                for pair in connection.path.windows(2) {
                    let (a, b) = (number(&pair[0]), number(&pair[1]));
                    let edge = if pair[1].direction == "outgoing" { (a, b) } else { (b, a) };
                    let kind = TYPES.iter().position(|t| **t == *pair[1].relationship_type).unwrap() as u8;
                    prop_assert!(fixture.edges.contains(&(edge.0, edge.1, kind)), "every step can be walked");
                }
            }
            for &to in fixture.ids.keys() {
                let ends = |tx: &gm_store::ReadTx<'_>| Ok((by_name(from)(tx)?, by_name(to)(tx)?));
                let found = connections::paths(&fixture.graph, ends, hops).unwrap();
                let want = fixture.all_shortest(from, to, hops);
                let got: BTreeSet<Vec<(usize, String, bool)>> = found
                    .paths
                    .iter()
                    .map(|path| path.iter().map(|s| (number(s), s.relationship_type.to_string(), s.direction == "outgoing")).collect())
                    .collect();
                prop_assert_eq!(got.len(), found.paths.len(), "no path twice");
                prop_assert_eq!(got.len(), want.len().min(10));
                prop_assert!(got.is_subset(&want), "{:?} of {:?}", got, want);
            }
            let seeds: Vec<usize> = fixture.ids.keys().copied().take(2).collect();
            let found = connections::subgraph(
                &fixture.graph,
                |tx| seeds.iter().map(|n| by_name(*n)(tx)).collect(),
                hops.min(5),
            )
            .unwrap();
            let members: BTreeSet<usize> =
                seeds.iter().flat_map(|n| fixture.depths(*n, hops.min(5), Direction::Both, &[]).into_keys()).collect();
            let got: BTreeSet<usize> = found.entities.iter().map(|e| e.name[1..].parse().unwrap()).collect();
            prop_assert_eq!(got, members.clone());
            let between = fixture.edges.iter().filter(|(s, t, _)| members.contains(s) && members.contains(t)).count();
            prop_assert_eq!(found.relationships.len(), between);
        }
    }
}
