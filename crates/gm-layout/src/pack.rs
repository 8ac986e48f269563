//! Parts of a picture side by side, close together and without overlap (after Freivalds, Dogrusoz and
//! Kikusts, Disconnected Graph Layout and the Polyomino Packing Approach, 2002).

use std::collections::HashSet;

use crate::Point;

/// Cells that all parts together cover, about: finer takes longer, coarser leaves gaps.
const CELLS: f32 = 3_000.0;

/// Moves the parts, each a list of places with room around them, so that the first lies in the middle
/// and the others beside it. Give the largest first.
pub(crate) fn pack(parts: &mut [Vec<Point>], padding: f32) {
    if parts.len() < 2 {
        return;
    }
    let area: f32 = parts
        .iter()
        .map(|part| {
            let (low, high) = extent(part);
            (high.x - low.x + 2.0 * padding) * (high.y - low.y + 2.0 * padding)
        })
        .sum();
    let size = (area / CELLS).sqrt().max(padding);
    let mut taken: HashSet<(i32, i32)> = HashSet::new();
    // Where the last part of as many cells went: equal ones need not try what that one tried.
    let mut tried: Vec<(usize, usize)> = Vec::new();
    for part in parts {
        let (low, high) = extent(part);
        let centre = Point::new((low.x + high.x) / 2.0, (low.y + high.y) / 2.0);
        let cells = cells_of(part, centre, size, padding);
        let from = tried.iter().find(|(n, _)| *n <= cells.len()).map_or(0, |(_, ring)| *ring);
        let (mut at, mut step) = ((0, 0), 0);
        'search: for ring in from.. {
            for place in ring_of(ring as i32) {
                if cells.iter().all(|&(x, y)| !taken.contains(&(x + place.0, y + place.1))) {
                    (at, step) = (place, ring);
                    break 'search;
                }
            }
        }
        tried.retain(|(n, _)| *n < cells.len());
        tried.insert(0, (cells.len(), step));
        taken.extend(cells.iter().map(|&(x, y)| (x + at.0, y + at.1)));
        for p in part.iter_mut() {
            p.x += at.0 as f32 * size - centre.x;
            p.y += at.1 as f32 * size - centre.y;
        }
    }
}

fn extent(part: &[Point]) -> (Point, Point) {
    let mut low = part.first().copied().unwrap_or_default();
    let mut high = low;
    for p in part {
        low = Point::new(low.x.min(p.x), low.y.min(p.y));
        high = Point::new(high.x.max(p.x), high.y.max(p.y));
    }
    (low, high)
}

fn cells_of(part: &[Point], centre: Point, size: f32, padding: f32) -> Vec<(i32, i32)> {
    let cell = |v: f32| (v / size).round() as i32;
    let mut cells = HashSet::new();
    for p in part {
        let (x, y) = (p.x - centre.x, p.y - centre.y);
        for cy in cell(y - padding)..=cell(y + padding) {
            for cx in cell(x - padding)..=cell(x + padding) {
                cells.insert((cx, cy));
            }
        }
    }
    let mut cells: Vec<_> = cells.into_iter().collect();
    cells.sort_unstable();
    cells
}

/// The cells of a square ring, nearest to its centre lines first.
fn ring_of(ring: i32) -> Vec<(i32, i32)> {
    if ring == 0 {
        return vec![(0, 0)];
    }
    let mut places: Vec<(i32, i32)> =
        (-ring..=ring).flat_map(|k| [(k, -ring), (k, ring), (-ring, k), (ring, k)]).collect();
    places.sort_unstable_by_key(|&(x, y)| (x * x + y * y, y, x));
    places.dedup();
    places
}
