//! The walk of `find_connections` to depth 6 on a dense graph, in process: ids, depths and paths;
//! rows are not read. Prints its samples in nanoseconds as one line of JSON, which
//! `cargo xtask bench engine` puts into its table.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use gm_engine::connections::reached_ids;
use gm_engine::entities::{self, NewEntity};
use gm_engine::relationships::{self, NewRelationship};
use gm_engine::{Graph, Library, Location, Result};
use gm_model::{Actor, EntityId, Properties};
use gm_store::StateFile;

/// Every entity is linked to every other: 60 · 59 / 2 = 1,770 edges.
const ENTITIES: usize = 60;
const HOPS: u32 = 6;
const WARM_UP: usize = 200;
const SAMPLES: usize = 2_000;

fn main() -> Result<()> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let state = Arc::new(StateFile::open(folder.path(), gm_engine::now())?);
    let location = Location { folder: folder.path().to_owned(), default_file: None };
    let graph = Library::open(location, state, "bench", "bench")?.graph("default")?;
    let ids = fill(&graph)?;
    for id in ids.iter().cycle().take(WARM_UP) {
        black_box(reached_ids(&graph, id, HOPS)?);
    }
    let mut samples = Vec::with_capacity(SAMPLES);
    for id in ids.iter().cycle().take(SAMPLES) {
        let begun = Instant::now();
        let reached = black_box(reached_ids(&graph, id, HOPS)?);
        samples.push(begun.elapsed().as_nanos());
        assert_eq!(reached.len(), ENTITIES - 1, "every other entity is reached");
    }
    print(&samples);
    Ok(())
}

fn fill(graph: &Graph) -> Result<Vec<EntityId>> {
    let filled = graph.transact(&Actor::agent("bench", ""), "bench", |tx| {
        let mut ids = Vec::with_capacity(ENTITIES);
        for n in 0..ENTITIES {
            let new = NewEntity { name: format!("Node {n}"), entity_type: "t".into(), ..Default::default() };
            ids.push(entities::add(tx, "", &new, "")?.id);
        }
        for (n, source) in ids.iter().enumerate() {
            for target in &ids[n + 1..] {
                let new = NewRelationship {
                    source_id: source.clone(),
                    target_id: target.clone(),
                    relationship_type: "near".into(),
                    weight: 1.0,
                    properties: Properties::default(),
                };
                relationships::add(tx, "", &new)?;
            }
        }
        Ok(ids)
    })?;
    Ok(filled.value)
}

fn print(samples: &[u128]) {
    let mut line = format!("{{\"entities\":{ENTITIES},\"hops\":{HOPS},\"nanoseconds\":[");
    for (n, sample) in samples.iter().enumerate() {
        let comma = if n == 0 { "" } else { "," };
        let _ = write!(line, "{comma}{sample}");
    }
    line.push_str("]}");
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
