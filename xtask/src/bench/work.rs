//! The work of `bench peers`: one corpus and one sequence of questions, said to each server in its
//! own words.

use serde_json::{Value, json};

use super::random::Random;

const WORDS: [&str; 20] = [
    "auth", "token", "session", "cache", "queue", "shard", "index", "schema", "ledger", "invoice", "parser",
    "kernel", "socket", "retry", "quorum", "lease", "cursor", "vector", "graph", "memory",
];
const ENTITY_TYPES: [&str; 4] = ["service", "person", "concept", "tool"];

/// Which tools a server has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Ours, and graph-mem 1.0.
    GraphMem,
    /// The official memory server.
    ServerMemory,
}

#[derive(Clone)]
pub struct NewEntity {
    pub name: String,
    entity_type: &'static str,
    description: String,
    observation: String,
}

#[derive(Clone)]
pub struct Edge {
    source: String,
    target: String,
    relationship_type: &'static str,
}

/// One call.
pub enum Work {
    AddEntities(Vec<NewEntity>),
    AddRelationships(Vec<Edge>),
    GetEntity(String),
    SearchNodes([&'static str; 3]),
    FindConnections(String, u32),
    FindPaths(String, String),
    GetSubgraph(String),
    ListEntities(usize),
    ReadGraph,
    AddObservation(String, String),
    UpdateEntity(String, String),
    DeleteEntity(String),
}

/// Draws one call of a kind.
pub type Draw = fn(&Corpus, &mut Random) -> Work;

/// Kinds of questions and single writes, in the order they are asked.
pub const KINDS: &[(&str, Draw)] = &[
    ("get_entity", |corpus, random| Work::GetEntity(corpus.name(random))),
    ("search_nodes, 3 words (server-memory: 1)", |_, random| {
        Work::SearchNodes([*random.pick(&WORDS), *random.pick(&WORDS), *random.pick(&WORDS)])
    }),
    ("find_connections, 3 hops", |corpus, random| Work::FindConnections(corpus.name(random), 3)),
    ("find_connections, 6 hops", |corpus, random| Work::FindConnections(corpus.name(random), 6)),
    ("find_paths", |corpus, random| Work::FindPaths(corpus.name(random), corpus.name(random))),
    ("get_subgraph, radius 2", |corpus, random| Work::GetSubgraph(corpus.name(random))),
    ("list_entities", |corpus, random| Work::ListEntities(random.below(corpus.entities.len()))),
    ("read_graph", |_, _| Work::ReadGraph),
    ("add one entity", |_, random| {
        let name = format!("New {}", random.below(1 << 50));
        Work::AddEntities(vec![entity(name, random)])
    }),
    ("add one observation", |corpus, random| Work::AddObservation(corpus.name(random), text(10, random))),
    ("update_entity", |corpus, random| Work::UpdateEntity(corpus.name(random), text(8, random))),
    // Last: who is gone cannot be asked for.
    ("delete_entities, one", |corpus, random| Work::DeleteEntity(corpus.name(random))),
];

pub struct Corpus {
    pub entities: Vec<NewEntity>,
    pub edges: Vec<Edge>,
}

impl Corpus {
    /// A tree, and as many edges between any two.
    pub fn new(size: usize, random: &mut Random) -> Self {
        let entities: Vec<NewEntity> = (0..size)
            .map(|n| {
                let word = random.pick(&WORDS);
                entity(format!("Entity {n:05} {word}"), random)
            })
            .collect();
        let edge = |source: usize, target: usize, relationship_type| Edge {
            source: entities[source].name.clone(),
            target: entities[target].name.clone(),
            relationship_type,
        };
        let mut edges = Vec::with_capacity(2 * size);
        for child in 1..size {
            let relationship_type = *random.pick(&["uses", "depends_on"]);
            edges.push(edge(child, random.below(child), relationship_type));
        }
        for _ in 0..size {
            let (source, target) = (random.below(size), random.below(size));
            if source != target {
                edges.push(edge(source, target, "related_to"));
            }
        }
        Self { entities, edges }
    }

    fn name(&self, random: &mut Random) -> String {
        random.pick(&self.entities).name.clone()
    }
}

fn entity(name: String, random: &mut Random) -> NewEntity {
    let entity_type = random.pick(&ENTITY_TYPES);
    NewEntity { name, entity_type, description: text(8, random), observation: text(10, random) }
}

fn text(words: usize, random: &mut Random) -> String {
    (0..words).map(|_| *random.pick(&WORDS)).collect::<Vec<_>>().join(" ")
}

impl Work {
    /// The tool and its arguments; `None` if the server has no such tool.
    pub fn call(&self, dialect: Dialect) -> Option<(&'static str, Value)> {
        match dialect {
            Dialect::GraphMem => Some(self.graph_mem()),
            Dialect::ServerMemory => self.server_memory(),
        }
    }

    fn graph_mem(&self) -> (&'static str, Value) {
        match self {
            Self::AddEntities(entities) => {
                let entities = entities.iter().map(|e| {
                    json!({
                        "name": e.name, "entity_type": e.entity_type, "description": e.description,
                        "observations": [e.observation],
                    })
                });
                ("add_entities", json!({ "entities": entities.collect::<Vec<_>>() }))
            }
            Self::AddRelationships(edges) => {
                let edges = edges.iter().map(|e| {
                    json!({ "source": e.source, "target": e.target, "relationship_type": e.relationship_type })
                });
                ("add_relationships", json!({ "relationships": edges.collect::<Vec<_>>() }))
            }
            Self::GetEntity(name) => ("get_entity", json!({ "name": name })),
            Self::SearchNodes(words) => ("search_nodes", json!({ "query": words.join(" "), "limit": 10 })),
            Self::FindConnections(name, hops) => {
                ("find_connections", json!({ "entity_name": name, "max_hops": hops }))
            }
            Self::FindPaths(source, target) => {
                ("find_paths", json!({ "source": source, "target": target, "max_hops": 8 }))
            }
            Self::GetSubgraph(name) => ("get_subgraph", json!({ "entity_names": [name], "radius": 2 })),
            Self::ListEntities(offset) => ("list_entities", json!({ "limit": 50, "offset": offset })),
            Self::ReadGraph => ("read_graph", json!({})),
            Self::AddObservation(name, text) => {
                ("add_observations", json!({ "entity_name": name, "observations": [text] }))
            }
            Self::UpdateEntity(name, text) => ("update_entity", json!({ "name": name, "description": text })),
            Self::DeleteEntity(name) => ("delete_entities", json!({ "names": [name] })),
        }
    }

    fn server_memory(&self) -> Option<(&'static str, Value)> {
        Some(match self {
            Self::AddEntities(entities) => {
                // It has no descriptions; the same text is stored as an observation.
                let entities = entities.iter().map(|e| {
                    json!({
                        "name": e.name, "entityType": e.entity_type,
                        "observations": [e.description, e.observation],
                    })
                });
                ("create_entities", json!({ "entities": entities.collect::<Vec<_>>() }))
            }
            Self::AddRelationships(edges) => {
                let edges = edges.iter().map(
                    |e| json!({ "from": e.source, "to": e.target, "relationType": e.relationship_type }),
                );
                ("create_relations", json!({ "relations": edges.collect::<Vec<_>>() }))
            }
            Self::GetEntity(name) => ("open_nodes", json!({ "names": [name] })),
            // It looks for the query as it stands; several words would find nothing.
            Self::SearchNodes(words) => ("search_nodes", json!({ "query": words[0] })),
            Self::ReadGraph => ("read_graph", json!({})),
            Self::AddObservation(name, text) => {
                let added = json!([{ "entityName": name, "contents": [text] }]);
                ("add_observations", json!({ "observations": added }))
            }
            Self::DeleteEntity(name) => ("delete_entities", json!({ "entityNames": [name] })),
            Self::FindConnections(..)
            | Self::FindPaths(..)
            | Self::GetSubgraph(_)
            | Self::ListEntities(_)
            | Self::UpdateEntity(..) => return None,
        })
    }
}
