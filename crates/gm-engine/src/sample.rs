//! The sample graph of the first run: small, readable, written by five agents, and with something
//! to mend in it: a duplicate pair, a contradiction, a stale fact and a wrong edit.

use gm_model::{Actor, EntityId};

use crate::entities::{self, EntityUpdate, NewEntity};
use crate::graph::Graph;
use crate::relationships::{self, NewRelationship};
use crate::resolve::{self, Purpose};
use crate::transact::Tx;
use crate::{Error, Result, observations};

const TEXT: &str = include_str!("sample.txt");

/// The name of the graph the sample is put into.
pub const SAMPLE_GRAPH: &str = "sample";

/// Fills an empty graph with the sample, one transaction for each agent's work.
pub fn fill(graph: &Graph) -> Result<()> {
    for work in TEXT.split("\n@ ").skip(1) {
        let (agent, lines) = work.split_once('\n').unwrap_or((work, ""));
        let (edits, additions): (Vec<&str>, Vec<&str>) =
            lines.lines().partition(|line| line.starts_with("! "));
        let actor = Actor::agent(agent.trim(), "sample");
        graph.transact(&actor, "add_entities", |tx| additions.iter().try_for_each(|line| add(tx, line)))?;
        for edit in edits {
            graph.transact(&actor, "update_entity", |tx| change(tx, edit))?;
        }
    }
    Ok(())
}

fn add(tx: &Tx<'_>, line: &str) -> Result<()> {
    let Some((mark, rest)) = line.split_once(' ') else { return Ok(()) };
    let parts: Vec<&str> = rest.split(" | ").collect();
    match (mark, &parts[..]) {
        ("+", [name, entity_type, description]) => {
            let new = NewEntity {
                name: (*name).to_owned(),
                entity_type: (*entity_type).to_owned(),
                description: (*description).to_owned(),
                ..NewEntity::default()
            };
            entities::add(tx, "", &new, "").map(drop)
        }
        ("-", [content]) => {
            let newest = newest_entity(tx)?;
            observations::add(tx, "content", &newest, content, "sample").map(drop)
        }
        (">", [source, relationship_type, target, weight]) => {
            let new = NewRelationship {
                source_id: named(tx, source)?,
                target_id: named(tx, target)?,
                relationship_type: (*relationship_type).to_owned(),
                weight: weight.parse().map_err(|_| broken(line))?,
                properties: Default::default(),
            };
            relationships::add(tx, "", &new).map(drop)
        }
        _ => Err(broken(line)),
    }
}

fn change(tx: &Tx<'_>, line: &str) -> Result<()> {
    let (name, description) = line.trim_start_matches("! ").split_once(" | ").ok_or_else(|| broken(line))?;
    let update = EntityUpdate { description: Some(description.to_owned()), ..EntityUpdate::default() };
    entities::update(tx, &named(tx, name)?, &update).map(drop)
}

fn named(tx: &Tx<'_>, name: &str) -> Result<EntityId> {
    Ok(resolve::entity(tx.read(), "name", name, None, Purpose::Use)?.entity.id)
}

/// The entity made last: its row has the highest number.
fn newest_entity(tx: &Tx<'_>) -> Result<EntityId> {
    let newest = gm_store::entities::newest(tx.read())?;
    newest.map(|row| row.entity.id).ok_or_else(|| broken("an observation before any entity"))
}

fn broken(line: &str) -> Error {
    Error::ImportFormat(format!("the sample has a line it cannot use: {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_holds_what_the_tour_needs() {
        let folder = tempfile::tempdir().unwrap();
        let graph = Graph::open("sample", &folder.path().join("sample.db"), true).unwrap();
        fill(&graph).unwrap();
        let counts = graph.counts().unwrap();
        assert!((50..=70).contains(&counts.entities), "{counts:?}");
        assert!((80..=120).contains(&counts.relationships), "{counts:?}");
        let authors = graph.read(|tx| crate::history::transactions(tx, None, 50)).unwrap();
        let names: std::collections::HashSet<_> = authors.iter().map(|row| row.actor.name.clone()).collect();
        assert_eq!(names.len(), 5, "five agents wrote it");
    }
}
