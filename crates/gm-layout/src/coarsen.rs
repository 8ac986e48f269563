//! Smaller and smaller graphs with the shape of the first: the way from coarse to fine of Walshaw (A
//! Multilevel Algorithm for Force-Directed Graph-Drawing, Graph Drawing 2000), with leaves drawn into
//! their hubs so that stars shrink as well.

use crate::Neighbours;

/// A group takes in this many nodes at most per level: more would hide the shape of what it stands for.
const MAX_GROUP: u32 = 12;
/// A level that keeps more than this share is not worth having.
const WORTH_IT: f64 = 0.9;

/// A graph in which a node may stand for several of the level below.
#[derive(Debug)]
pub(crate) struct Level {
    pub links: Vec<(u32, u32)>,
    /// How many nodes of the first graph each stands for.
    pub masses: Vec<f32>,
    /// The node of this level for each node of the level below; empty for the first.
    pub group_of: Vec<u32>,
}

impl Level {
    pub(crate) fn n_nodes(&self) -> usize {
        self.masses.len()
    }
}

/// Levels from the given graph to one of about `smallest` nodes.
pub(crate) fn levels(n_nodes: usize, links: &[(u32, u32)], smallest: usize) -> Vec<Level> {
    let first = Level { links: links.to_vec(), masses: vec![1.0; n_nodes], group_of: Vec::new() };
    let mut levels = vec![first];
    loop {
        let finest = levels.last().expect("the first");
        if finest.n_nodes() <= smallest {
            return levels;
        }
        let next = coarser(finest);
        if next.n_nodes() as f64 > finest.n_nodes() as f64 * WORTH_IT {
            return levels;
        }
        levels.push(next);
    }
}

fn coarser(level: &Level) -> Level {
    let n = level.n_nodes();
    let neighbours = Neighbours::of(n, &level.links);
    let mut order: Vec<u32> = (0..n as u32).collect();
    // Few links first: a leaf has no choice, a hub has many.
    order.sort_by_key(|&node| neighbours.of_node(node).len());
    let mut group_of = vec![u32::MAX; n];
    let mut sizes: Vec<u32> = Vec::new();
    let mut masses: Vec<f32> = Vec::new();
    for node in order {
        let at = node as usize;
        if group_of[at] != u32::MAX {
            continue;
        }
        let near = neighbours.of_node(node);
        let lightest = |a: &&u32, b: &&u32| level.masses[**a as usize].total_cmp(&level.masses[**b as usize]);
        let free = near.iter().filter(|&&other| group_of[other as usize] == u32::MAX).min_by(lightest);
        if let Some(&other) = free {
            group_of[at] = sizes.len() as u32;
            group_of[other as usize] = sizes.len() as u32;
            sizes.push(2);
            masses.push(level.masses[at] + level.masses[other as usize]);
            continue;
        }
        let joined =
            near.iter().map(|&other| group_of[other as usize]).min_by_key(|&group| sizes[group as usize]);
        match joined.filter(|&group| sizes[group as usize] < MAX_GROUP) {
            Some(group) => {
                group_of[at] = group;
                sizes[group as usize] += 1;
                masses[group as usize] += level.masses[at];
            }
            None => {
                group_of[at] = sizes.len() as u32;
                sizes.push(1);
                masses.push(level.masses[at]);
            }
        }
    }
    let between = level.links.iter().map(|&(s, t)| {
        let (a, b) = (group_of[s as usize], group_of[t as usize]);
        (a.min(b), a.max(b))
    });
    let mut links: Vec<(u32, u32)> = between.filter(|(a, b)| a != b).collect();
    links.sort_unstable();
    links.dedup();
    Level { links, masses, group_of }
}
