//! Questions that follow edges: what is connected, how two entities are linked, what surrounds
//! several.

use std::collections::HashMap;
use std::sync::Arc;

use gm_model::{Entity, EntityId, Relationship, limits};
use gm_store::entities::EntityRow;
use gm_store::relationships::NamedRelationship;
use gm_store::{ReadTx, entities, relationships};
use serde::Serialize;

use crate::adjacency::{AdjacencyIndex, Edge};
pub use crate::traverse::Direction;
use crate::traverse::{Allowed, Step, shortest_paths, walk};
use crate::{Graph, Result};

/// One step of a path. The first is the origin and has no relationship.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PathStep {
    #[serde(serialize_with = "as_text")]
    pub entity_id: Arc<str>,
    #[serde(serialize_with = "as_text")]
    pub entity_name: Arc<str>,
    #[serde(serialize_with = "as_text")]
    pub relationship_type: Arc<str>,
    /// `outgoing`, `incoming`, or empty on the first step.
    pub direction: &'static str,
}

/// An entity that is connected, and one shortest way to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Connection {
    pub entity: Entity,
    pub depth: u32,
    pub path: Vec<PathStep>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Connections {
    /// Nearest first, then by name.
    pub results: Vec<Connection>,
    /// How many were reached in all, the origin not counted.
    pub reached: u64,
    /// Not everything within the hops is in `results`.
    pub truncated: bool,
}

/// What is wanted of [`connections`].
#[derive(Debug, Clone)]
pub struct ConnectionQuery {
    pub max_hops: u32,
    pub relationship_types: Vec<String>,
    pub direction: Direction,
}

/// Everything within some hops of an entity.
pub fn connections(
    graph: &Graph,
    origin: impl FnOnce(&ReadTx<'_>) -> Result<EntityRow>,
    query: &ConnectionQuery,
) -> Result<(Entity, Connections)> {
    graph.traverse(|tx, index| {
        let origin = origin(tx)?.entity;
        let Some(start) = index.number(origin.id.as_str()) else {
            return Ok((origin, Connections { results: Vec::new(), reached: 0, truncated: false }));
        };
        let types = (!query.relationship_types.is_empty())
            .then(|| query.relationship_types.iter().filter_map(|name| index.type_number(name)).collect());
        let allowed = Allowed { direction: query.direction, types };
        let max_hops = query.max_hops.clamp(1, limits::MAX_HOPS_LIMIT);
        let walked = walk(index, &[start], max_hops, &allowed, limits::traversal_node_budget());
        let reached = walked.reached.len() - 1;
        let shown = reached.min(limits::MAX_TRAVERSAL_RESULTS);
        let shown_nodes = &walked.reached[1..=shown];
        let rows = entities::by_rids(tx, shown_nodes.iter().map(|found| index.rid(found.node)))?;
        // Ids and names by place. Nearer nodes come first, so that every step of a path is known by then.
        let mut known: Vec<(Arc<str>, Arc<str>)> =
            vec![(origin.id.as_str().into(), origin.name.as_str().into())];
        let mut results = Vec::with_capacity(shown);
        for (place, row) in (1..).zip(rows) {
            let Some(entity) = row else {
                known.push(Default::default());
                continue;
            };
            known.push((entity.id.as_str().into(), entity.name.as_str().into()));
            let steps = walked
                .path_to(place)
                .into_iter()
                .map(|at| step_of(index, walked.reached[at].way_in.map(|(_, edge)| edge), known[at].clone()));
            results.push(Connection { entity, depth: walked.reached[place].depth, path: steps.collect() });
        }
        results.sort_by(|a, b| a.depth.cmp(&b.depth).then_with(|| a.entity.name.cmp(&b.entity.name)));
        let truncated = walked.truncated || shown < reached;
        Ok((origin, Connections { results, reached: reached as u64, truncated }))
    })
}

/// An entity that is connected, by ids alone.
#[doc(hidden)]
#[derive(Debug)]
pub struct ReachedId {
    pub id: String,
    pub depth: u32,
    /// Ids from the origin to this entity.
    pub path: Vec<String>,
}

/// The walk of [`connections`] without its rows: what `benches/walk.rs` measures.
#[doc(hidden)]
pub fn reached_ids(graph: &Graph, origin: &EntityId, max_hops: u32) -> Result<Vec<ReachedId>> {
    graph.traverse(|_, index| {
        let Some(start) = index.number(origin.as_str()) else { return Ok(Vec::new()) };
        let walked = walk(index, &[start], max_hops, &Allowed::default(), limits::traversal_node_budget());
        let id_at = |place: usize| index.id(walked.reached[place].node).to_string();
        let reached = walked.reached.iter().enumerate().skip(1).map(|(place, found)| ReachedId {
            id: id_at(place),
            depth: found.depth,
            path: walked.path_to(place).into_iter().map(id_at).collect(),
        });
        Ok(reached.collect())
    })
}

/// The shortest ways between two entities.
#[derive(Debug, Clone, PartialEq)]
pub struct Paths {
    pub source: Entity,
    pub target: Entity,
    pub paths: Vec<Vec<PathStep>>,
    /// The search ended at its node budget: there may be a path all the same.
    pub truncated: bool,
}

pub fn paths(
    graph: &Graph,
    ends: impl FnOnce(&ReadTx<'_>) -> Result<(EntityRow, EntityRow)>,
    max_hops: u32,
) -> Result<Paths> {
    graph.traverse(|tx, index| {
        let (source, target) = ends(tx)?;
        let (source, target) = (source.entity, target.entity);
        let numbers = (index.number(source.id.as_str()), index.number(target.id.as_str()));
        let (Some(from), Some(to)) = numbers else {
            return Ok(Paths { source, target, paths: Vec::new(), truncated: false });
        };
        let max_hops = max_hops.clamp(1, limits::MAX_HOPS_LIMIT);
        let (found, truncated) =
            shortest_paths(index, from, to, max_hops, limits::MAX_SHORTEST_PATHS, limits::PATH_NODE_BUDGET);
        let mut names = Names::default();
        let mut paths = Vec::with_capacity(found.len());
        for path in found {
            let steps: Result<Vec<PathStep>> =
                path.into_iter().map(|step| names.step(tx, index, step)).collect();
            paths.push(steps?);
        }
        Ok(Paths { source, target, paths, truncated })
    })
}

/// What surrounds some entities.
#[derive(Debug, Clone, PartialEq)]
pub struct Subgraph {
    /// Nearest first.
    pub entities: Vec<Entity>,
    /// Only between those entities.
    pub relationships: Vec<NamedRelationship>,
    /// How many entities lie within the radius, seeds included.
    pub reached: u64,
    pub relationship_count: u64,
    pub truncated: bool,
}

/// One expansion from all seeds at once.
pub fn subgraph(
    graph: &Graph,
    seeds: impl FnOnce(&ReadTx<'_>) -> Result<Vec<EntityRow>>,
    radius: u32,
) -> Result<Subgraph> {
    graph.traverse(|tx, index| {
        let seeds: Vec<u32> =
            seeds(tx)?.iter().filter_map(|row| index.number(row.entity.id.as_str())).collect();
        let radius = radius.clamp(1, limits::MAX_RADIUS_LIMIT);
        let walked = walk(index, &seeds, radius, &Allowed::default(), limits::traversal_node_budget());
        let shown = walked.reached.len().min(limits::MAX_TRAVERSAL_RESULTS);
        let mut places: HashMap<u32, usize> = HashMap::with_capacity(shown);
        let mut found = Vec::with_capacity(shown);
        let rows = entities::by_rids(tx, walked.reached[..shown].iter().map(|r| index.rid(r.node)))?;
        for (reached, row) in walked.reached.iter().zip(rows) {
            if let Some(entity) = row {
                places.insert(reached.node, found.len());
                found.push(entity);
            }
        }
        let mut between = Vec::new();
        let mut stored = relationships::Between::new(tx)?;
        let mut relationship_count = 0;
        for reached in &walked.reached[..shown] {
            let Some(source) = places.get(&reached.node).map(|place| &found[*place]) else { continue };
            for edge in index.edges_of(reached.node).iter().filter(|edge| edge.is_outgoing()) {
                let Some(target) = places.get(&edge.to).map(|place| &found[*place]) else { continue };
                relationship_count += 1;
                if between.len() < limits::MAX_SUBGRAPH_RELATIONSHIPS {
                    let relationship_type = index.type_name(edge.relationship_type());
                    let found = stored.find(&source.id, &target.id, relationship_type)?;
                    between.extend(found.map(|relationship| named(relationship, source, target)));
                }
            }
        }
        let truncated =
            walked.truncated || shown < walked.reached.len() || relationship_count > between.len() as u64;
        let reached = walked.reached.len() as u64;
        Ok(Subgraph { entities: found, relationships: between, reached, relationship_count, truncated })
    })
}

fn named(relationship: Relationship, source: &Entity, target: &Entity) -> NamedRelationship {
    NamedRelationship {
        relationship,
        source_name: source.name.clone(),
        source_type: source.entity_type.clone(),
        target_name: target.name.clone(),
        target_type: target.entity_type.clone(),
    }
}

fn as_text<S: serde::Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

/// Ids and names of nodes, each read once.
#[derive(Default)]
struct Names {
    known: HashMap<u32, (Arc<str>, Arc<str>)>,
}

impl Names {
    fn step(&mut self, tx: &ReadTx<'_>, index: &AdjacencyIndex, step: Step) -> Result<PathStep> {
        if let std::collections::hash_map::Entry::Vacant(place) = self.known.entry(step.node) {
            let name = entities::name_of(tx, index.rid(step.node))?.unwrap_or_default();
            place.insert((index.id(step.node).into(), name.into()));
        }
        Ok(step_of(index, step.edge, self.known[&step.node].clone()))
    }
}

fn step_of(index: &AdjacencyIndex, edge: Option<Edge>, (id, name): (Arc<str>, Arc<str>)) -> PathStep {
    PathStep {
        entity_id: id,
        entity_name: name,
        relationship_type: edge
            .map_or_else(Arc::default, |edge| index.type_name(edge.relationship_type()).clone()),
        direction: match edge {
            None => "",
            Some(edge) if edge.is_outgoing() => "outgoing",
            Some(_) => "incoming",
        },
    }
}
