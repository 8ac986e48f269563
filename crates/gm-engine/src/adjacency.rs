//! The graph's edges in memory, for traversal: node numbers in the order of their rows, and per node
//! its edges both ways.
//!
//! The index is brought to exactly the journal position of the read transaction it serves, by
//! the journal's own rows, whoever wrote them; when too much happened, or rows were trimmed, it is
//! built anew. One edge costs two entries of 8 bytes.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use gm_model::{Change, ObjectKind};
use gm_store::{ReadTx, entities, journal, relationships};
use hashbrown::HashTable;

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
    ids: Ids,
    /// Rows of the nodes.
    rids: Vec<i64>,
    numbers: HashTable<u32>,
    hasher: RandomState,
    edges: Vec<Vec<Edge>>,
    /// Numbers whose nodes were deleted. They are not given again, so that numbers keep the order of
    /// rows; when they are many, the index is built anew.
    holes: usize,
    types: Vec<Arc<str>>,
    type_numbers: HashMap<Arc<str>, u32>,
}

/// Ids one after the other, without an allocation for each.
#[derive(Default)]
struct Ids {
    text: String,
    ends: Vec<u32>,
}

impl Ids {
    fn push(&mut self, id: &str) {
        self.text.push_str(id);
        self.ends.push(self.text.len() as u32);
    }

    fn get(&self, number: u32) -> &str {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.text[start as usize..self.ends[number] as usize]
    }

    fn len(&self) -> usize {
        self.ends.len()
    }
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
        tracing::debug!(
            nodes = self.capacity(),
            bytes = self.heap_bytes(),
            "built the index of relationships"
        );
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
        let number = self.ids.len() as u32;
        self.ids.push(id);
        self.rids.push(rid);
        self.edges.push(Vec::new());
        let Self { ids, numbers, hasher, .. } = self;
        numbers.insert_unique(hasher.hash_one(id), number, |other| hasher.hash_one(ids.get(*other)));
        number
    }

    /// Its edges are gone before it: deletions are journalled children first.
    fn remove_node(&mut self, id: &str) {
        let Self { ids, numbers, hasher, .. } = self;
        if let Ok(entry) = numbers.find_entry(hasher.hash_one(id), |number| ids.get(*number) == id) {
            let (number, _) = entry.remove();
            self.edges[number as usize] = Vec::new();
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
        self.numbers.find(self.hasher.hash_one(id), |number| self.ids.get(*number) == id).copied()
    }

    pub(crate) fn id(&self, number: u32) -> &str {
        self.ids.get(number)
    }

    pub(crate) fn rid(&self, number: u32) -> i64 {
        self.rids[number as usize]
    }

    /// Memory that the index holds, without what the allocator adds.
    fn heap_bytes(&self) -> usize {
        let ends = self.edges.iter().map(|edges| edges.capacity() * size_of::<Edge>());
        ends.sum::<usize>()
            + self.edges.capacity() * size_of::<Vec<Edge>>()
            + self.ids.text.capacity()
            + self.ids.ends.capacity() * size_of::<u32>()
            + self.rids.capacity() * size_of::<i64>()
            + self.numbers.allocation_size()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_costs_64_bytes_at_most() {
        let mut index = AdjacencyIndex::default();
        let (nodes, edges) = (100_000u32, 300_000u32);
        for n in 0..nodes {
            index.add_node(&format!("01HZZZZZZZZZZZZZZZZZ{n:06}"), i64::from(n));
        }
        let relationship_type = index.type_number_or_new("uses");
        for n in 0..edges {
            index.add_edge(n % nodes, n.wrapping_mul(2_654_435_761) % nodes, relationship_type);
        }
        index.edges.iter_mut().for_each(Vec::shrink_to_fit);
        let per_edge = index.heap_bytes() / edges as usize;
        assert!(per_edge <= 64, "{per_edge} bytes");
    }

    #[test]
    fn a_removed_node_is_not_found_and_its_number_is_not_given_again() {
        let mut index = AdjacencyIndex::default();
        let numbers: Vec<u32> = ["a", "b", "c"].map(|id| index.add_node(id, 1)).into();
        assert_eq!(index.add_node("b", 1), numbers[1], "known");
        index.remove_node("b");
        assert_eq!((index.number("a"), index.number("b"), index.number("c")), (Some(0), None, Some(2)));
        assert_eq!(index.add_node("b", 2), 3);
        assert_eq!(index.id(3), "b");
    }
}
