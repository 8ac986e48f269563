//! The whole graph as a picture needs it: index-aligned columns with a place for every node.

use std::collections::HashMap;

use gm_layout::Point;
use gm_store::{ReadTx, counters, entities, journal, positions, relationships};

use crate::Result;

/// Everything a canvas draws, at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// The journal position this picture shows.
    pub seq: i64,
    /// Entity types, the first to come first: they keep their colours.
    pub types: Vec<String>,
    pub ids: Vec<String>,
    pub names: Vec<String>,
    pub type_index: Vec<u16>,
    /// x0, y0, x1, y1, …
    pub positions: Vec<f32>,
    pub pinned: Vec<u8>,
    pub edge_types: Vec<String>,
    pub edge_ids: Vec<String>,
    pub edge_source: Vec<u32>,
    pub edge_target: Vec<u32>,
    pub edge_type_index: Vec<u16>,
    pub edge_weight: Vec<f32>,
    /// Every place was saved before: nothing has to move.
    pub settled: bool,
}

/// Reads the picture. Nodes without a saved place get one: beside their neighbours where some are
/// known, else by a short run of the force layout.
pub fn scene(tx: &ReadTx<'_>) -> Result<Scene> {
    let mut scene = Scene { seq: journal::head(tx)?, ..Scene::default() };
    let n_entities = counters::count(tx, "entity", "")? as usize;
    let mut rows: HashMap<i64, u32> = HashMap::with_capacity(n_entities);
    let mut types = Interner::default();
    entities::each_node(tx, |rid, id, name, entity_type| {
        rows.insert(rid, scene.ids.len() as u32);
        scene.ids.push(id);
        scene.names.push(name);
        scene.type_index.push(types.index(entity_type));
    })?;
    scene.types = types.names;
    let mut edge_types = Interner::default();
    relationships::each_edge(tx, |edge| {
        let (Some(&source), Some(&target)) = (rows.get(&edge.source_rid), rows.get(&edge.target_rid)) else {
            return;
        };
        scene.edge_ids.push(edge.id);
        scene.edge_source.push(source);
        scene.edge_target.push(target);
        scene.edge_type_index.push(edge_types.index(edge.relationship_type));
        scene.edge_weight.push(edge.weight as f32);
    })?;
    scene.edge_types = edge_types.names;
    let mut known: Vec<Option<Point>> = vec![None; scene.ids.len()];
    scene.pinned = vec![0; scene.ids.len()];
    positions::each(tx, |rid, position| {
        if let Some(&node) = rows.get(&rid) {
            known[node as usize] = Some(Point { x: position.x as f32, y: position.y as f32 });
            scene.pinned[node as usize] = u8::from(position.pinned);
        }
    })?;
    scene.settled = !known.is_empty() && known.iter().all(Option::is_some);
    let edges: Vec<(u32, u32)> =
        scene.edge_source.iter().copied().zip(scene.edge_target.iter().copied()).collect();
    let placed = gm_layout::place(&known, &edges);
    scene.positions = placed.into_iter().flat_map(|p| [p.x, p.y]).collect();
    Ok(scene)
}

/// Numbers the texts it meets, in order. Past `u16` everything is the last number: a graph with so
/// many types has no use for telling them apart by colour.
#[derive(Default)]
struct Interner {
    names: Vec<String>,
    numbers: HashMap<String, u16>,
}

impl Interner {
    fn index(&mut self, name: String) -> u16 {
        if let Some(&number) = self.numbers.get(&name) {
            return number;
        }
        if self.names.len() > u16::MAX as usize {
            return u16::MAX;
        }
        let number = self.names.len() as u16;
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }
}
