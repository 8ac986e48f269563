//! Places for nodes that have none.

use std::collections::VecDeque;

use crate::{Parameters, Point, Simulation};

/// Angle between one seed of a sunflower and the next.
const GOLDEN_ANGLE: f32 = 2.399_963_1;
/// How far from its neighbour a new node appears.
const BESIDE: f32 = 42.0;
/// Distance scale of the first, unsettled arrangement.
const SPREAD: f32 = 26.0;

/// Places every node. Known places stay exactly as they are; unknown nodes appear beside their
/// placed neighbours, and what is linked to nothing placed gathers outside. When nothing is known
/// the force layout runs a number of ticks that falls with the size, so that any graph opens as a
/// picture at once.
pub fn place(known: &[Option<Point>], edges: &[(u32, u32)]) -> Vec<Point> {
    if known.iter().all(Option::is_none) {
        return settle(known.len(), edges);
    }
    let neighbours = Neighbours::of(known.len(), edges);
    let mut points: Vec<Option<Point>> = known.to_vec();
    let mut queue: VecDeque<u32> = (0..known.len() as u32).filter(|&n| known[n as usize].is_some()).collect();
    while let Some(node) = queue.pop_front() {
        for &next in neighbours.of_node(node) {
            if points[next as usize].is_none() {
                points[next as usize] = Some(beside(next, &neighbours, &points));
                queue.push_back(next);
            }
        }
    }
    let (centre, reach) = extent(known);
    let mut n_outside = 0;
    points
        .into_iter()
        .map(|point| {
            point.unwrap_or_else(|| {
                let seed = n_outside as f32;
                n_outside += 1;
                let radius = reach + BESIDE * (1.5 + seed.sqrt() * 0.6);
                Point::new(
                    centre.x + radius * (seed * GOLDEN_ANGLE).cos(),
                    centre.y + radius * (seed * GOLDEN_ANGLE).sin(),
                )
            })
        })
        .collect()
}

fn beside(node: u32, neighbours: &Neighbours, points: &[Option<Point>]) -> Point {
    let placed: Vec<Point> = neighbours.of_node(node).iter().filter_map(|&n| points[n as usize]).collect();
    let n = placed.len().max(1) as f32;
    let x = placed.iter().map(|p| p.x).sum::<f32>() / n;
    let y = placed.iter().map(|p| p.y).sum::<f32>() / n;
    let angle = node as f32 * GOLDEN_ANGLE;
    let away = if placed.len() > 1 { BESIDE * 0.4 } else { BESIDE };
    Point::new(x + away * angle.cos(), y + away * angle.sin())
}

fn extent(known: &[Option<Point>]) -> (Point, f32) {
    let placed: Vec<Point> = known.iter().flatten().copied().collect();
    let n = placed.len().max(1) as f32;
    let centre =
        Point::new(placed.iter().map(|p| p.x).sum::<f32>() / n, placed.iter().map(|p| p.y).sum::<f32>() / n);
    let reach = placed.iter().map(|p| (p.x - centre.x).hypot(p.y - centre.y)).fold(0.0, f32::max);
    (centre, reach)
}

fn settle(n_nodes: usize, edges: &[(u32, u32)]) -> Vec<Point> {
    if n_nodes == 0 {
        return Vec::new();
    }
    let start = sunflower(n_nodes, edges);
    let mut parameters = Parameters::default();
    let n_ticks = ticks_for(n_nodes);
    // Cool to the same end in however many ticks there are.
    parameters.alpha_decay = 1.0 - 0.02f32.powf(1.0 / n_ticks as f32);
    let mut simulation = Simulation::new(start, edges, vec![false; n_nodes], parameters);
    for _ in 0..n_ticks {
        simulation.step();
    }
    let points = simulation.into_points();
    debug_assert!(points.iter().all(|p| p.x.is_finite() && p.y.is_finite()));
    points
}

/// Enough for a readable start, few enough that the largest graphs open within the second.
fn ticks_for(n_nodes: usize) -> usize {
    match n_nodes {
        0..=2_000 => 260,
        2_001..=10_000 => 140,
        10_001..=40_000 => 60,
        _ => 30,
    }
}

/// Nodes along a sunflower spiral, neighbours near each other: breadth-first from the hubs.
fn sunflower(n_nodes: usize, edges: &[(u32, u32)]) -> Vec<Point> {
    let neighbours = Neighbours::of(n_nodes, edges);
    let mut by_degree: Vec<u32> = (0..n_nodes as u32).collect();
    by_degree.sort_by_key(|&n| std::cmp::Reverse(neighbours.of_node(n).len()));
    let mut seen = vec![false; n_nodes];
    let mut points = vec![Point::default(); n_nodes];
    let mut seed = 0;
    let mut queue = VecDeque::new();
    for root in by_degree {
        if std::mem::replace(&mut seen[root as usize], true) {
            continue;
        }
        queue.push_back(root);
        while let Some(node) = queue.pop_front() {
            let radius = SPREAD * (0.5 + seed as f32).sqrt();
            let angle = seed as f32 * GOLDEN_ANGLE;
            points[node as usize] = Point::new(radius * angle.cos(), radius * angle.sin());
            seed += 1;
            for &next in neighbours.of_node(node) {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    queue.push_back(next);
                }
            }
        }
    }
    points
}

/// Adjacency in compressed rows.
struct Neighbours {
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Neighbours {
    fn of(n_nodes: usize, edges: &[(u32, u32)]) -> Self {
        let mut starts = vec![0u32; n_nodes + 1];
        for &(source, target) in edges {
            starts[source as usize + 1] += 1;
            starts[target as usize + 1] += 1;
        }
        for i in 0..n_nodes {
            starts[i + 1] += starts[i];
        }
        let mut cursor = starts.clone();
        let mut ends = vec![0u32; edges.len() * 2];
        for &(source, target) in edges {
            for (from, to) in [(source, target), (target, source)] {
                ends[cursor[from as usize] as usize] = to;
                cursor[from as usize] += 1;
            }
        }
        Self { starts, ends }
    }

    fn of_node(&self, node: u32) -> &[u32] {
        &self.ends[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}
