//! What `bench engine` asks of the server, one kind of question a line.

use serde_json::{Value, json};

use super::corpus::Corpus;
use super::random::Random;

/// What we hold ourselves to at 100,000 entities, in milliseconds.
const TRAVERSAL: Option<f64> = Some(10.0);
const TEXT_SEARCH: Option<f64> = Some(20.0);

pub struct Operation {
    pub name: &'static str,
    pub tool: &'static str,
    pub target: Option<f64>,
    pub arguments: fn(&Corpus, &mut Random) -> Value,
}

const fn ask(
    name: &'static str,
    tool: &'static str,
    target: Option<f64>,
    arguments: fn(&Corpus, &mut Random) -> Value,
) -> Operation {
    Operation { name, tool, target, arguments }
}

pub const READS: &[Operation] = &[
    ask("get_entity", "get_entity", None, |corpus, random| json!({ "name": corpus.any_name(random) })),
    ask("search_nodes, a rare word", "search_nodes", TEXT_SEARCH, |corpus, random| {
        query(corpus.rare_word(random))
    }),
    ask("search_nodes, three medium words", "search_nodes", TEXT_SEARCH, |corpus, random| {
        let words: Vec<&str> = (0..3).map(|_| corpus.medium_word(random)).collect();
        query(words.join(" "))
    }),
    ask("search_nodes, a sentence of 8-12", "search_nodes", TEXT_SEARCH, |corpus, random| {
        query(corpus.sentence(8, 12, random))
    }),
    ask("search_nodes, a very common word", "search_nodes", TEXT_SEARCH, |corpus, random| {
        query(corpus.common_word(random).to_owned())
    }),
    ask("search_nodes, a \"phrase\"", "search_nodes", TEXT_SEARCH, |corpus, random| {
        query(corpus.phrase(random))
    }),
    ask("search_nodes, a prefix*", "search_nodes", TEXT_SEARCH, |corpus, random| {
        query(corpus.prefix(random))
    }),
    ask("search_observations, three words", "search_observations", None, |corpus, random| {
        let words: Vec<&str> = (0..3).map(|_| corpus.medium_word(random)).collect();
        query(words.join(" "))
    }),
    ask("search_observations, a sentence", "search_observations", None, |corpus, random| {
        query(corpus.sentence(8, 12, random))
    }),
    ask("find_connections, 2 hops", "find_connections", TRAVERSAL, |corpus, random| hops(corpus, random, 2)),
    ask("find_connections, 3 hops", "find_connections", TRAVERSAL, |corpus, random| hops(corpus, random, 3)),
    ask("find_connections, 6 hops", "find_connections", TRAVERSAL, |corpus, random| hops(corpus, random, 6)),
    ask(
        "find_paths",
        "find_paths",
        TRAVERSAL,
        |corpus, random| json!({ "source": corpus.any_name(random), "target": corpus.any_name(random) }),
    ),
    ask(
        "get_subgraph, radius 2",
        "get_subgraph",
        TRAVERSAL,
        |corpus, random| json!({ "entity_names": [corpus.any_name(random)], "radius": 2 }),
    ),
    ask("read_graph", "read_graph", None, |_, _| json!({})),
    ask("graph_health", "graph_health", None, |_, _| json!({})),
    ask("list_entities, first page", "list_entities", None, |_, _| json!({})),
    ask(
        "list_entities, from the middle",
        "list_entities",
        None,
        |corpus, _| json!({ "offset": corpus.entities.len() / 2 }),
    ),
    ask("list_relationships, first page", "list_relationships", None, |_, _| json!({})),
    ask(
        "list_relationships, of an entity",
        "list_relationships",
        None,
        |corpus, random| json!({ "entity_name": corpus.any_name(random) }),
    ),
    ask(
        "suggest_connections",
        "suggest_connections",
        None,
        |corpus, random| json!({ "entity_name": corpus.any_name(random) }),
    ),
    ask("audit_graph", "audit_graph", None, |_, _| json!({})),
];

pub const WRITES: &[Operation] = &[
    ask("add one entity", "add_entities", None, |corpus, random| {
        let name = format!("New {}", random.below(1 << 50));
        let (description, observation) = (corpus.sentence(8, 16, random), corpus.sentence(8, 24, random));
        json!({ "entities": [{
            "name": name, "entity_type": "concept", "description": description, "observations": [observation],
        }] })
    }),
    ask("add one observation", "add_observations", None, |corpus, random| {
        let name = corpus.any_name(random);
        json!({ "entity_name": name, "observations": [corpus.sentence(8, 24, random)] })
    }),
    ask("add one relationship", "add_relationships", None, |corpus, random| {
        let at = random.below(corpus.entities.len() - 1);
        let (source, target) = (&corpus.entities[at].name, &corpus.entities[at + 1].name);
        json!({ "relationships": [{ "source": source, "target": target, "relationship_type": "comes_before" }] })
    }),
];

fn query(text: String) -> Value {
    json!({ "query": text })
}

fn hops(corpus: &Corpus, random: &mut Random, hops: u32) -> Value {
    json!({ "entity_name": corpus.any_name(random), "max_hops": hops })
}
