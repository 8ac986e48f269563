//! Walks over the adjacency index: breadth-first from one or several nodes with one visited set,
//! and all shortest paths by a search from both ends. Pure: no storage, no names.
//!
//! Answers do not depend on the order in which edges happened to be stored: within a level, nodes go
//! by number, which is the order of their rows, and of several ways in, the smallest (parent, type's
//! name, outgoing first) counts.

use std::collections::HashMap;

use crate::adjacency::{AdjacencyIndex, Edge};

/// Which way edges are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    Outgoing,
    Incoming,
    #[default]
    Both,
}

/// What a walk may use.
#[derive(Debug, Clone, Default)]
pub(crate) struct Allowed {
    pub direction: Direction,
    /// Type numbers; `None` allows all.
    pub types: Option<Vec<u32>>,
}

impl Allowed {
    fn edge(&self, edge: Edge) -> bool {
        let way = match self.direction {
            Direction::Both => true,
            Direction::Outgoing => edge.is_outgoing(),
            Direction::Incoming => !edge.is_outgoing(),
        };
        way && self.types.as_ref().is_none_or(|types| types.contains(&edge.relationship_type()))
    }
}

/// One node reached by a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reached {
    pub node: u32,
    pub depth: u32,
    /// Place of the parent in the list of reached nodes, and the edge as the parent sees it.
    pub way_in: Option<(u32, Edge)>,
}

/// What a walk reached, nearest first, seeds included.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    pub reached: Vec<Reached>,
    /// The node budget ended the walk before its depth did.
    pub truncated: bool,
}

/// Breadth-first from all seeds at once. Within one depth, nodes come by number.
pub(crate) fn walk(
    index: &AdjacencyIndex,
    seeds: &[u32],
    max_hops: u32,
    allowed: &Allowed,
    budget: usize,
) -> Walk {
    let mut walk = Walk::default();
    // Place in `reached`, plus one; 0 is unvisited.
    let mut place = vec![0u32; index.capacity()];
    let mut seeds = seeds.to_vec();
    seeds.sort_unstable();
    seeds.dedup();
    for &seed in &seeds {
        walk.reached.push(Reached { node: seed, depth: 0, way_in: None });
        place[seed as usize] = walk.reached.len() as u32;
    }
    let mut level = 0..walk.reached.len();
    for depth in 1..=max_hops {
        let first_new = walk.reached.len();
        for parent in level {
            for &edge in index.edges_of(walk.reached[parent].node) {
                if !allowed.edge(edge) {
                    continue;
                }
                let seen = place[edge.to as usize];
                if seen == 0 {
                    walk.reached.push(Reached { node: edge.to, depth, way_in: Some((parent as u32, edge)) });
                    place[edge.to as usize] = walk.reached.len() as u32;
                } else if seen as usize > first_new {
                    let known = &mut walk.reached[seen as usize - 1];
                    if known.way_in.is_some_and(|(p, e)| p == parent as u32 && is_before(index, edge, e)) {
                        known.way_in = Some((parent as u32, edge));
                    }
                }
            }
        }
        if walk.reached.len() == first_new {
            break;
        }
        let level_found = &mut walk.reached[first_new..];
        if first_new + level_found.len() > budget {
            // The level is found whole and cut in order, so that the same nodes stay every time.
            let kept = budget.saturating_sub(first_new);
            if kept > 0 {
                level_found.select_nth_unstable_by_key(kept - 1, |reached| reached.node);
            }
            level_found[..kept].sort_unstable_by_key(|reached| reached.node);
            walk.reached.truncate(budget);
            walk.truncated = true;
            break;
        }
        level_found.sort_unstable_by_key(|reached| reached.node);
        for (at, reached) in walk.reached.iter().enumerate().skip(first_new) {
            place[reached.node as usize] = at as u32 + 1;
        }
        level = first_new..walk.reached.len();
    }
    walk
}

impl Walk {
    /// The way from a seed to a reached node: places in `reached`, the seed first.
    pub(crate) fn path_to(&self, place: usize) -> Vec<usize> {
        let mut path = vec![place];
        let mut at = place;
        while let Some((parent, _)) = self.reached[at].way_in {
            at = parent as usize;
            path.push(at);
        }
        path.reverse();
        path
    }
}

/// One step of a path: a node and the edge by which it was entered, as the node before sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    pub node: u32,
    pub edge: Option<Edge>,
}

/// Up to `most` shortest paths between two nodes, all of the same length, in a fixed order; edges
/// are followed both ways. A second edge between the same nodes makes another path. The flag says
/// that the node budget ended the search, so that "no path" is not certain.
pub(crate) fn shortest_paths(
    index: &AdjacencyIndex,
    source: u32,
    target: u32,
    max_hops: u32,
    most: usize,
    budget: usize,
) -> (Vec<Vec<Step>>, bool) {
    if source == target {
        return (vec![vec![Step { node: source, edge: None }]], false);
    }
    let mut near = Side::new(source);
    let mut far = Side::new(target);
    while near.depth + far.depth < max_hops {
        // The smaller frontier is cheaper to push on.
        let (grown, other) = if near.frontier.len() <= far.frontier.len() {
            (&mut near, &mut far)
        } else {
            (&mut far, &mut near)
        };
        if grown.frontier.is_empty() {
            return (Vec::new(), false);
        }
        if grown.distance.len() + other.distance.len() > budget {
            return (Vec::new(), true);
        }
        grown.grow(index);
        if grown.frontier.iter().any(|node| other.distance.contains_key(node)) {
            return (enumerate(index, source, &near, &far, most), false);
        }
    }
    (Vec::new(), false)
}

struct Side {
    distance: HashMap<u32, u32>,
    frontier: Vec<u32>,
    depth: u32,
}

impl Side {
    fn new(start: u32) -> Self {
        Self { distance: HashMap::from([(start, 0)]), frontier: vec![start], depth: 0 }
    }

    fn grow(&mut self, index: &AdjacencyIndex) {
        self.depth += 1;
        let mut next = Vec::new();
        for &node in &self.frontier {
            for edge in index.edges_of(node) {
                self.distance.entry(edge.to).or_insert_with(|| {
                    next.push(edge.to);
                    self.depth
                });
            }
        }
        self.frontier = next;
    }
}

/// Walks from the source, along the near side's distances up to where the sides met and along the
/// far side's down to the target; only nodes that lead on are entered.
fn enumerate(index: &AdjacencyIndex, source: u32, near: &Side, far: &Side, most: usize) -> Vec<Vec<Step>> {
    // Nodes of the near side from which the far side is reached: found backwards from the meeting.
    let mut leads_on: HashMap<u32, ()> = HashMap::new();
    let meets = |node: &u32| {
        near.distance.get(node) == Some(&near.depth) && far.distance.get(node) == Some(&far.depth)
    };
    let mut level: Vec<u32> = near.distance.keys().copied().filter(|node| meets(node)).collect();
    for depth in (0..=near.depth).rev() {
        level.iter().for_each(|node| {
            leads_on.insert(*node, ());
        });
        if depth == 0 {
            break;
        }
        let mut before: Vec<u32> = level
            .iter()
            .flat_map(|node| index.edges_of(*node).iter().map(|edge| edge.to))
            .filter(|node| near.distance.get(node) == Some(&(depth - 1)))
            .collect();
        before.sort_unstable();
        before.dedup();
        level = before;
    }
    let length = near.depth + far.depth;
    let follows = |at: u32, node: u32| -> bool {
        if at <= near.depth {
            near.distance.get(&node) == Some(&at) && leads_on.contains_key(&node)
        } else {
            far.distance.get(&node) == Some(&(length - at))
        }
    };
    let mut paths = Vec::new();
    let mut path = vec![Step { node: source, edge: None }];
    extend(index, &mut path, length, &follows, most, &mut paths);
    paths
}

fn extend(
    index: &AdjacencyIndex,
    path: &mut Vec<Step>,
    length: u32,
    follows: &dyn Fn(u32, u32) -> bool,
    most: usize,
    paths: &mut Vec<Vec<Step>>,
) {
    let at = path.len() as u32;
    if at > length {
        paths.push(path.clone());
        return;
    }
    let here = path[path.len() - 1].node;
    let mut on: Vec<Edge> =
        index.edges_of(here).iter().copied().filter(|edge| follows(at, edge.to)).collect();
    on.sort_by(|a, b| order(index, *a).cmp(&order(index, *b)));
    on.dedup();
    for edge in on {
        if paths.len() == most {
            return;
        }
        path.push(Step { node: edge.to, edge: Some(edge) });
        extend(index, path, length, follows, most, paths);
        path.pop();
    }
}

fn order(index: &AdjacencyIndex, edge: Edge) -> (u32, &str, bool) {
    (edge.to, index.type_name(edge.relationship_type()), !edge.is_outgoing())
}

fn is_before(index: &AdjacencyIndex, one: Edge, other: Edge) -> bool {
    order(index, one) < order(index, other)
}
