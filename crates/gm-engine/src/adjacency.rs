//! The graph's edges in memory, for traversal: node numbers in the order of their rows, and per node
//! its edges both ways.
//!
//! The index is brought to exactly the journal position of the read transaction it serves, by
//! the journal's own rows, whoever wrote them; when too much happened, or rows were trimmed, it is
//! built anew. One edge costs two entries of 8 bytes.

use std::collections::HashMap;
use std::sync::Arc;

use gm_model::{Change, ObjectKind};
use gm_store::{ReadTx, entities, journal, relationships};

use crate::Result;

/// Journal rows the index follows one by one; past that, building anew is quicker.
const MAX_FOLLOWED_ROWS: u32 = 50_000;

/// Numbers of deleted nodes that an index may hold besides a quarter of all.
const FEW_HOLES: usize = 1_000;

/// One end of an edge, as its node sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    /// The node at the other end.
    pub to: u32,
    /// Number of the relationship type, and in the lowest bit whether the edge leaves this node.
    label: u32,
}

impl Edge {
    fn new(to: u32, relationship_type: u32, outgoing: bool) -> Self {
        Self { to, label: (relationship_type << 1) | u32::from(outgoing) }
    }

    pub(crate) fn relationship_type(self) -> u32 {
        self.label >> 1
    }

    pub(crate) fn is_outgoing(self) -> bool {
        self.label & 1 == 1
    }
}

#[derive(Default)]
pub(crate) struct AdjacencyIndex {
    /// The journal position this index shows; `None` before it is first built.
    seq: Option<i64>,
    ids: Vec<Arc<str>>,
    /// Rows of the nodes.
    rids: Vec<i64>,
    numbers: HashMap<Arc<str>, u32>,
    edges: Vec<Vec<Edge>>,
    /// Numbers whose nodes were deleted. They are not given again, so that numbers keep the order of
    /// rows; when they are many, the index is built anew.
    holes: usize,
    types: Vec<Arc<str>>,
    type_numbers: HashMap<Arc<str>, u32>,
}

impl AdjacencyIndex {
    /// Whether the index shows the moment of a read transaction.
    pub(crate) fn is_current(&self, tx: &ReadTx<'_>) -> Result<bool> {
        Ok(self.seq == Some(journal::head(tx)?))
    }

    /// Brings the index to the moment of a read transaction.
    pub(crate) fn catch_up(&mut self, tx: &ReadTx<'_>) -> Result<()> {
        let head = journal::head(tx)?;
        if self.seq == Some(head) {
            return Ok(());
        }
        if let Some(seq) = self.seq
            && seq < head
            && self.holes <= self.ids.len() / 4 + FEW_HOLES
            && journal::tail(tx)?.is_some_and(|tail| tail <= seq + 1)
        {
            let changes = journal::since(tx, seq, MAX_FOLLOWED_ROWS + 1)?;
            // A purged row does not tell the edge's type any more.
            let told =
                changes.iter().all(|change| change.kind != ObjectKind::Relationship || !change.is_purged());
            if told && changes.len() <= MAX_FOLLOWED_ROWS as usize {
                for change in &changes {
                    self.follow(tx, change)?;
                }
                self.seq = Some(head);
                return Ok(());
            }
        }
        self.build(tx, head)
    }

    fn build(&mut self, tx: &ReadTx<'_>, head: i64) -> Result<()> {
        *self = Self::default();
        let mut by_rid: HashMap<i64, u32> = HashMap::new();
        entities::each_id(tx, |rid, id| {
            by_rid.insert(rid, self.add_node(&id, rid));
        })?;
        relationships::each_edge(tx, |edge| {
            if let (Some(&source), Some(&target)) =
                (by_rid.get(&edge.source_rid), by_rid.get(&edge.target_rid))
            {
                let relationship_type = self.type_number_or_new(&edge.relationship_type);
                self.add_edge(source, target, relationship_type);
            }
        })?;
        self.edges.iter_mut().for_each(Vec::shrink_to_fit);
        self.seq = Some(head);
        Ok(())
    }

    /// Ids of the relationships that the index does not hold, and how many edges it holds beyond
    /// them: nothing of either, if it shows what is stored.
    pub(crate) fn compare(&self, tx: &ReadTx<'_>) -> Result<(Vec<String>, u64)> {
        let mut held: HashMap<(u32, u32, u32), u64> = HashMap::new();
        for (from, edges) in self.edges.iter().enumerate() {
            for edge in edges.iter().filter(|edge| edge.is_outgoing()) {
                *held.entry((from as u32, edge.to, edge.relationship_type())).or_default() += 1;
            }
        }
        let mut missing = Vec::new();
        relationships::each(tx, |relationship| {
            let ends =
                (self.number(relationship.source_id.as_str()), self.number(relationship.target_id.as_str()));
            let edge = match (ends, self.type_number(&relationship.relationship_type)) {
                ((Some(source), Some(target)), Some(label)) => held.get_mut(&(source, target, label)),
                _ => None,
            };
            match edge.filter(|n| **n > 0) {
                Some(n) => *n -= 1,
                None => missing.push(relationship.id.to_string()),
            }
            Ok(())
        })?;
        Ok((missing, held.values().sum()))
    }

    fn follow(&mut self, tx: &ReadTx<'_>, change: &Change) -> Result<()> {
        match change.kind {
            ObjectKind::Entity => match (&change.before, &change.after) {
                (None, Some(_)) => {
                    // One that is gone again by now is removed by a later row.
                    let rid = entities::rid_of(tx, &change.object_id)?.unwrap_or_default();
                    self.add_node(&change.object_id, rid);
                }
                (Some(_), None) => self.remove_node(&change.object_id),
                _ => {}
            },
            ObjectKind::Relationship => {
                if let Some(before) = &change.before {
                    self.with_ends(before, Self::remove_edge);
                }
                if let Some(after) = &change.after {
                    self.with_ends(after, Self::add_edge);
                }
            }
            ObjectKind::Observation | ObjectKind::Pin => {}
        }
        Ok(())
    }

    fn with_ends(&mut self, relationship: &serde_json::Value, act: fn(&mut Self, u32, u32, u32)) {
        let text = |field: &str| relationship[field].as_str().unwrap_or_default();
        let (source, target) = (self.number(text("source_id")), self.number(text("target_id")));
        if let (Some(source), Some(target)) = (source, target) {
            let relationship_type = self.type_number_or_new(text("relationship_type"));
            act(self, source, target, relationship_type);
        }
    }

    fn add_node(&mut self, id: &str, rid: i64) -> u32 {
        if let Some(number) = self.number(id) {
            return number;
        }
        let id: Arc<str> = id.into();
        self.ids.push(id.clone());
        self.rids.push(rid);
        self.edges.push(Vec::new());
        let number = self.ids.len() as u32 - 1;
        self.numbers.insert(id, number);
        number
    }

    /// Its edges are gone before it: deletions are journalled children first.
    fn remove_node(&mut self, id: &str) {
        if let Some(number) = self.numbers.remove(id) {
            self.edges[number as usize] = Vec::new();
            self.ids[number as usize] = Arc::default();
            self.holes += 1;
        }
    }

    fn add_edge(&mut self, source: u32, target: u32, relationship_type: u32) {
        self.edges[source as usize].push(Edge::new(target, relationship_type, true));
        self.edges[target as usize].push(Edge::new(source, relationship_type, false));
    }

    fn remove_edge(&mut self, source: u32, target: u32, relationship_type: u32) {
        let mut remove = |from: u32, edge: Edge| {
            let edges = &mut self.edges[from as usize];
            if let Some(at) = edges.iter().position(|e| *e == edge) {
                edges.swap_remove(at);
            }
        };
        remove(source, Edge::new(target, relationship_type, true));
        remove(target, Edge::new(source, relationship_type, false));
    }

    fn type_number_or_new(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.type_numbers.get(name) {
            return number;
        }
        let number = self.types.len() as u32;
        let name: Arc<str> = name.into();
        self.types.push(name.clone());
        self.type_numbers.insert(name, number);
        number
    }

    /// Numbers given so far, those of deleted nodes included: the size of a visited set.
    pub(crate) fn capacity(&self) -> usize {
        self.ids.len()
    }

    pub(crate) fn number(&self, id: &str) -> Option<u32> {
        self.numbers.get(id).copied()
    }

    pub(crate) fn id(&self, number: u32) -> &Arc<str> {
        &self.ids[number as usize]
    }

    pub(crate) fn rid(&self, number: u32) -> i64 {
        self.rids[number as usize]
    }

    pub(crate) fn edges_of(&self, number: u32) -> &[Edge] {
        &self.edges[number as usize]
    }

    pub(crate) fn type_number(&self, name: &str) -> Option<u32> {
        self.type_numbers.get(name).copied()
    }

    pub(crate) fn type_name(&self, number: u32) -> &Arc<str> {
        &self.types[number as usize]
    }
}
