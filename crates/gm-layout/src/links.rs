//! The link force, summed per node so that nodes can be done beside each other.

use rayon::prelude::*;

use crate::{Neighbours, Parameters, Point, degrees};

/// Nodes with so many links make a mesh with their like, as in grids and planar maps. With fewer
/// they are chains and leaves, with more hubs, whose neighbours need room and not equal links.
const MESH: std::ops::RangeInclusive<usize> = 3..=5;
/// How much of a link's difference from the mean one tick takes away.
const EVENING: f32 = 0.3;

/// One end of a link as its node sees it.
#[derive(Debug, Clone, Copy)]
struct End {
    other: u32,
    distance: f32,
    /// Strength times the share of a correction this node takes: hubs move less.
    share: f32,
}

/// The links of a graph, as d3's `forceLink` weighs them: strength 1 / the lesser degree, and each end
/// corrected in inverse proportion to its degree. d3 corrects one link after the other; here all links
/// see the same places, which makes a tick independent of their order.
#[derive(Debug, Default)]
pub(crate) struct Links {
    neighbours: Neighbours,
    ends: Vec<End>,
    /// Where every node would be without links.
    ahead: Vec<Point>,
}

impl Links {
    /// `weights` of 0 to 1 per link make it up to 40 % weaker; empty is 1 throughout.
    pub(crate) fn new(links: &[(u32, u32)], weights: &[f32], radii: &[f32], parameters: &Parameters) -> Self {
        let n = radii.len();
        let degree = degrees(n, links);
        let loops = links.iter().filter(|(s, t)| s == t);
        let mut degree: Vec<f32> = degree.into_iter().map(|d| d as f32).collect();
        loops.for_each(|&(node, _)| degree[node as usize] -= 1.0);
        let neighbours = Neighbours::of(n, links);
        let mut ends = Vec::with_capacity(2 * links.len());
        for node in 0..n as u32 {
            for (&other, &link) in neighbours.of_node(node).iter().zip(neighbours.links_of(node)) {
                let (here, there) = (degree[node as usize], degree[other as usize]);
                let weight = weights.get(link as usize).copied().unwrap_or(1.0).clamp(0.0, 1.0);
                let strength = parameters.link_strength * (0.6 + 0.4 * weight) / here.min(there);
                ends.push(End {
                    other,
                    distance: parameters.link_distance + radii[node as usize] + radii[other as usize],
                    share: strength * there / (here + there),
                });
            }
        }
        Self { neighbours, ends, ahead: Vec::new() }
    }

    /// Longer links between nodes that stand for many, as their areas ask for.
    pub(crate) fn stretch(&mut self, masses: &[f32]) {
        for node in 0..self.neighbours.n_nodes() as u32 {
            for end in &mut self.ends[self.neighbours.row(node)] {
                let mean = (masses[node as usize] + masses[end.other as usize]) / 2.0;
                end.distance *= mean.sqrt();
            }
        }
    }

    /// Moves the ends of links within meshes so that these links become more alike. Repulsion stretches
    /// the middle of a mesh and crowds its rim; nothing in d3-force speaks against that, and the eye does.
    /// Lengths are between rims.
    pub(crate) fn even_out(
        &self,
        points: &mut [Point],
        link_distance: f32,
        may_move: impl Fn(usize) -> bool,
    ) {
        if self.ends.is_empty() {
            return;
        }
        let is_mesh = |node: u32| MESH.contains(&self.neighbours.row(node).len());
        let to = |node: u32, end: &End| {
            let (here, there) = (points[node as usize], points[end.other as usize]);
            let (dx, dy) = (there.x - here.x, there.y - here.y);
            let length = (dx * dx + dy * dy).sqrt().max(1e-3);
            (dx, dy, length, length - (end.distance - link_distance))
        };
        let nodes = 0..self.neighbours.n_nodes() as u32;
        let free: f64 = nodes
            .clone()
            .flat_map(|node| self.ends[self.neighbours.row(node)].iter().map(move |end| (node, end)))
            .map(|(node, end)| f64::from(to(node, end).3.max(0.0)))
            .sum();
        let mean = (free / self.ends.len() as f64) as f32;
        let moved: Vec<(u32, Point)> = nodes
            .filter(|&node| is_mesh(node) && may_move(node as usize))
            .map(|node| {
                let mut at = points[node as usize];
                for end in self.ends[self.neighbours.row(node)].iter().filter(|end| is_mesh(end.other)) {
                    let (dx, dy, length, between) = to(node, end);
                    let pull = EVENING * end.share.min(0.5) * (between - mean) / length;
                    at.x += dx * pull;
                    at.y += dy * pull;
                }
                (node, at)
            })
            .collect();
        for (node, at) in moved {
            if at.is_finite() {
                points[node as usize] = at;
            }
        }
    }

    /// Adds the links' pull on every node to `velocities`. `order` has neighbours near each other.
    pub(crate) fn pull(&mut self, points: &[Point], velocities: &mut [Point], alpha: f32, parallel: bool) {
        if self.ends.is_empty() {
            return;
        }
        self.ahead.clear();
        self.ahead
            .extend(points.iter().zip(velocities.iter()).map(|(p, v)| Point::new(p.x + v.x, p.y + v.y)));
        let (neighbours, ends, ahead) = (&self.neighbours, &self.ends, &self.ahead);
        let pull_one = |(node, velocity): (usize, &mut Point)| {
            let here = ahead[node];
            let mut sum = Point::default();
            for end in &ends[neighbours.row(node as u32)] {
                let there = ahead[end.other as usize];
                let (mut dx, mut dy) = (there.x - here.x, there.y - here.y);
                if dx == 0.0 && dy == 0.0 {
                    (dx, dy) = if (node as u32) < end.other { (1e-3, 0.0) } else { (-1e-3, 0.0) };
                }
                let length = (dx * dx + dy * dy).sqrt();
                let pull = (length - end.distance) / length * end.share;
                sum.x += dx * pull;
                sum.y += dy * pull;
            }
            velocity.x += sum.x * alpha;
            velocity.y += sum.y * alpha;
        };
        if parallel {
            velocities.par_iter_mut().enumerate().with_min_len(512).for_each(pull_one);
        } else {
            velocities.iter_mut().enumerate().for_each(pull_one);
        }
    }
}
