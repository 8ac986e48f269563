//! A graph in a few numbers, at a cost that does not grow with it.

use gm_store::entities::{EntityFilter, EntityOrder, EntityRow};
use gm_store::{ReadTx, counters, entities};

use crate::Result;
use crate::graph::{Counts, counts};

/// Types told per kind.
const TOP_TYPES: u32 = 10;
/// Entities told as most connected or most recent.
const TOP_ENTITIES: u32 = 5;

#[derive(Debug, Clone, PartialEq)]
pub struct Overview {
    pub counts: Counts,
    pub entity_types: Vec<(String, u64)>,
    pub relationship_types: Vec<(String, u64)>,
    /// Name, type, degree.
    pub most_connected: Vec<(String, String, u64)>,
    pub recent_entities: Vec<EntityRow>,
}

pub fn overview(tx: &ReadTx<'_>) -> Result<Overview> {
    let (recent_entities, _) =
        entities::list(tx, &EntityFilter::default(), EntityOrder::Updated, TOP_ENTITIES, 0)?;
    Ok(Overview {
        counts: counts(tx)?,
        entity_types: counters::by_type(tx, "entity", TOP_TYPES)?,
        relationship_types: counters::by_type(tx, "relationship", TOP_TYPES)?,
        most_connected: counters::most_connected(tx, TOP_ENTITIES)?,
        recent_entities,
    })
}
