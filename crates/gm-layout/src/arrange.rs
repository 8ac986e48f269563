//! Layouts without forces.

use crate::{Neighbours, Point};

/// Room for one dot on a line, and between lines, in layout units.
const STEP: f32 = 58.0;
const LAYER: f32 = 130.0;
const GOLDEN_ANGLE: f32 = 2.399_963_1;
/// Passes that bring nodes near their neighbours in the layers beside them.
const SWEEPS: usize = 4;
/// A layer wider than this many dots goes on in a second row.
const MAX_ROW: usize = 90;

/// Where nodes stand for a reason other than forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrangement {
    /// On one circle, neighbours near each other.
    Circle,
    /// In layers by the distance from a root: the node most linked to of each part.
    Tree,
    /// In a disc per type, the discs side by side.
    ByType,
}

/// Places every node. `types` is the type of each, used by [`Arrangement::ByType`] alone.
pub fn arrange(arrangement: Arrangement, n_nodes: usize, links: &[(u32, u32)], types: &[u32]) -> Vec<Point> {
    let neighbours = Neighbours::of(n_nodes, links);
    match arrangement {
        Arrangement::Circle => circle(&neighbours),
        Arrangement::Tree => tree(&neighbours),
        Arrangement::ByType => by_type(&neighbours, types),
    }
}

fn hubs_first(neighbours: &Neighbours) -> Vec<u32> {
    let mut nodes: Vec<u32> = (0..neighbours.n_nodes() as u32).collect();
    nodes.sort_by_key(|&node| (std::cmp::Reverse(neighbours.of_node(node).len()), node));
    nodes
}

/// Depth-first from the hubs, so that neighbours follow each other.
fn circle(neighbours: &Neighbours) -> Vec<Point> {
    let n = neighbours.n_nodes();
    let mut order = Vec::with_capacity(n);
    let mut seen = vec![false; n];
    for root in hubs_first(neighbours) {
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            order.push(node);
            stack.extend(neighbours.of_node(node).iter().rev().filter(|&&next| !seen[next as usize]));
        }
    }
    let radius = (n as f32 * STEP / std::f32::consts::TAU).max(STEP);
    let mut points = vec![Point::default(); n];
    for (at, &node) in order.iter().enumerate() {
        let angle = at as f32 / n.max(1) as f32 * std::f32::consts::TAU - std::f32::consts::FRAC_PI_2;
        points[node as usize] = Point::new(radius * angle.cos(), radius * angle.sin());
    }
    points
}

fn tree(neighbours: &Neighbours) -> Vec<Point> {
    let n = neighbours.n_nodes();
    let mut points = vec![Point::default(); n];
    let mut seen = vec![false; n];
    let mut right = 0.0;
    let mut singles = Vec::new();
    for root in hubs_first(neighbours) {
        if seen[root as usize] {
            continue;
        }
        if neighbours.of_node(root).is_empty() {
            singles.push(root);
            continue;
        }
        let layers = layers_from(root, neighbours, &mut seen);
        let width = put_layers(layers, neighbours, &mut points, right);
        right += width + 2.0 * STEP;
    }
    // What is linked to nothing stands in rows under the rest.
    let bottom = points.iter().map(|p| p.y).fold(0.0, f32::max) + LAYER;
    let per_row = ((right / STEP) as usize).max((singles.len() as f32).sqrt().ceil() as usize).max(1);
    for (at, &node) in singles.iter().enumerate() {
        points[node as usize] =
            Point::new((at % per_row) as f32 * STEP, bottom + (at / per_row) as f32 * STEP);
    }
    centred(points)
}

fn layers_from(root: u32, neighbours: &Neighbours, seen: &mut [bool]) -> Vec<Vec<u32>> {
    let mut layers = vec![vec![root]];
    seen[root as usize] = true;
    loop {
        let mut next = Vec::new();
        for &node in layers.last().expect("the root's") {
            for &other in neighbours.of_node(node) {
                if !std::mem::replace(&mut seen[other as usize], true) {
                    next.push(other);
                }
            }
        }
        if next.is_empty() {
            return layers;
        }
        layers.push(next);
    }
}

/// Orders each layer by the mean place of its nodes' neighbours in the layer before (Sugiyama's
/// barycentres), and puts it down. Returns the width.
fn put_layers(mut layers: Vec<Vec<u32>>, neighbours: &Neighbours, points: &mut [Point], left: f32) -> f32 {
    let mut rank = std::collections::HashMap::new();
    for layer in &layers {
        for (at, &node) in layer.iter().enumerate() {
            rank.insert(node, (at as f32 + 0.5) / layer.len() as f32);
        }
    }
    for sweep in 0..SWEEPS {
        let order: Vec<usize> =
            if sweep % 2 == 0 { (0..layers.len()).collect() } else { (0..layers.len()).rev().collect() };
        for at in order {
            let mut keyed: Vec<(f32, u32)> = layers[at]
                .iter()
                .map(|&node| {
                    let near: Vec<f32> =
                        neighbours.of_node(node).iter().filter_map(|n| rank.get(n).copied()).collect();
                    (near.iter().sum::<f32>() / near.len().max(1) as f32, node)
                })
                .collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            layers[at] = keyed.into_iter().map(|(_, node)| node).collect();
            for (place, &node) in layers[at].iter().enumerate() {
                rank.insert(node, (place as f32 + 0.5) / layers[at].len() as f32);
            }
        }
    }
    let widest = layers.iter().map(Vec::len).max().unwrap_or(1).min(MAX_ROW);
    let width = widest as f32 * STEP;
    let mut y = 0.0;
    for layer in &layers {
        let n_rows = layer.len().div_ceil(MAX_ROW);
        let per_row = layer.len().div_ceil(n_rows);
        for (at, &node) in layer.iter().enumerate() {
            // Rows of one layer follow each other node by node, so that a row is not a part of the order.
            let (row, place) = (at % n_rows, at / n_rows);
            let share = (place as f32 + 0.5) / per_row as f32;
            let stretch = if layer.len() == 1 { 0.5 } else { share };
            points[node as usize] = Point::new(left + stretch * width, y + row as f32 * STEP * 0.8);
        }
        y += LAYER + (n_rows - 1) as f32 * STEP * 0.8;
    }
    width
}

fn by_type(neighbours: &Neighbours, types: &[u32]) -> Vec<Point> {
    let n = neighbours.n_nodes();
    let mut members: Vec<Vec<u32>> = Vec::new();
    for node in hubs_first(neighbours) {
        let of = types.get(node as usize).copied().unwrap_or(0) as usize;
        if members.len() <= of {
            members.resize(of + 1, Vec::new());
        }
        members[of].push(node);
    }
    members.retain(|nodes| !nodes.is_empty());
    members.sort_by_key(|nodes| std::cmp::Reverse(nodes.len()));
    let mut parts: Vec<Vec<Point>> = members
        .iter()
        .map(|nodes| {
            (0..nodes.len())
                .map(|seed| {
                    let radius = STEP * 0.62 * (0.3 + seed as f32).sqrt();
                    let angle = seed as f32 * GOLDEN_ANGLE;
                    Point::new(radius * angle.cos(), radius * angle.sin())
                })
                .collect()
        })
        .collect();
    crate::pack::pack(&mut parts, STEP * 1.2);
    let mut points = vec![Point::default(); n];
    for (part, nodes) in parts.iter().zip(&members) {
        for (&p, &node) in part.iter().zip(nodes) {
            points[node as usize] = p;
        }
    }
    points
}

fn centred(mut points: Vec<Point>) -> Vec<Point> {
    let (mut low, mut high) = (Point::new(f32::MAX, f32::MAX), Point::new(f32::MIN, f32::MIN));
    for p in &points {
        low = Point::new(low.x.min(p.x), low.y.min(p.y));
        high = Point::new(high.x.max(p.x), high.y.max(p.y));
    }
    for p in &mut points {
        p.x -= (low.x + high.x) / 2.0;
        p.y -= (low.y + high.y) / 2.0;
    }
    points
}
