//! First places for a small graph by its distances: stress majorisation, one node at a time (Gansner,
//! Koren and North, Graph Drawing by Stress Majorization, 2004).

use crate::{Neighbours, Point};

const ROUNDS: usize = 80;

/// Places whose distances are near those along links of the given lengths. Takes the cube of the number
/// of nodes; for some hundred at most.
pub(crate) fn by_distance(
    start: Vec<Point>,
    links: &[(u32, u32)],
    length: impl Fn(u32, u32) -> f32,
) -> Vec<Point> {
    let n = start.len();
    let mut distance = vec![f32::INFINITY; n * n];
    let neighbours = Neighbours::of(n, links);
    for a in 0..n as u32 {
        distance[a as usize * n + a as usize] = 0.0;
        for &b in neighbours.of_node(a) {
            distance[a as usize * n + b as usize] = length(a, b).max(1.0);
        }
    }
    // Floyd and Warshall.
    for via in 0..n {
        for a in 0..n {
            let to_via = distance[a * n + via];
            if to_via.is_infinite() {
                continue;
            }
            for b in 0..n {
                let way = to_via + distance[via * n + b];
                if way < distance[a * n + b] {
                    distance[a * n + b] = way;
                }
            }
        }
    }
    let mut points = start;
    for _ in 0..ROUNDS {
        for a in 0..n {
            let (mut x, mut y, mut weight) = (0.0, 0.0, 0.0);
            for b in (0..n).filter(|&b| b != a) {
                let wanted = distance[a * n + b];
                if wanted.is_infinite() {
                    continue;
                }
                let (dx, dy) = (points[a].x - points[b].x, points[a].y - points[b].y);
                let is = dx.hypot(dy).max(1e-3);
                let w = 1.0 / (wanted * wanted);
                x += w * (points[b].x + wanted * dx / is);
                y += w * (points[b].y + wanted * dy / is);
                weight += w;
            }
            if weight > 0.0 {
                points[a] = Point::new(x / weight, y / weight);
            }
        }
    }
    points
}
