//! The charge force: a quadtree over Morton-sorted bodies, walked without recursion by skip
//! pointers.

use rayon::prelude::*;

use crate::Point;

/// Bodies in one leaf: few enough that summing them beats opening another cell.
const LEAF_BODIES: usize = 8;
/// Bits of one coordinate in a Morton code.
const MORTON_BITS: u32 = 16;

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    /// Centre of charge.
    x: f32,
    y: f32,
    charge: f32,
    /// Edge length of the cell, squared.
    width_squared: f32,
    /// The cell to go on with when this one is not opened.
    skip: u32,
    /// Bodies of a leaf in sorted order; empty for inner cells.
    first: u32,
    last: u32,
}

#[derive(Debug, Clone, Copy)]
struct Body {
    x: f32,
    y: f32,
    charge: f32,
    node: u32,
}

/// A quadtree of charged bodies, built once per tick.
pub struct ChargeTree {
    cells: Vec<Cell>,
    bodies: Vec<Body>,
}

impl ChargeTree {
    /// Sorts the bodies along the Morton curve and sums the cells. Places must be finite.
    pub fn build(points: &[Point], charges: &[f32]) -> Self {
        let (corner, width) = square_around(points);
        let scale = if width > 0.0 { ((1u32 << MORTON_BITS) - 1) as f32 / width } else { 0.0 };
        let mut order: Vec<(u32, u32)> = points
            .par_iter()
            .enumerate()
            .map(|(node, p)| {
                let code = interleave(((p.x - corner.x) * scale) as u32)
                    | (interleave(((p.y - corner.y) * scale) as u32) << 1);
                (code, node as u32)
            })
            .collect();
        // By code, then by node: equal places must not make the order depend on the sort.
        order.par_sort_unstable();
        let bodies: Vec<Body> = order
            .iter()
            .map(|&(_, node)| {
                let p = points[node as usize];
                Body { x: p.x, y: p.y, charge: charges[node as usize], node }
            })
            .collect();
        let codes: Vec<u32> = order.into_iter().map(|(code, _)| code).collect();
        let mut tree = Self { cells: Vec::with_capacity(bodies.len() / 2 + 1), bodies };
        if !codes.is_empty() {
            tree.add_cell(&codes, 0, codes.len(), 2 * MORTON_BITS, width);
        }
        tree
    }

    fn add_cell(&mut self, codes: &[u32], first: usize, last: usize, bits: u32, width: f32) {
        let at = self.cells.len();
        self.cells.push(Cell::default());
        let is_leaf = last - first <= LEAF_BODIES || bits == 0;
        if !is_leaf {
            let mut from = first;
            for quadrant in 0..4u32 {
                let to =
                    from + codes[from..last].partition_point(|code| (code >> (bits - 2)) & 3 <= quadrant);
                if to > from {
                    self.add_cell(codes, from, to, bits - 2, width / 2.0);
                }
                from = to;
            }
        }
        let (mut x, mut y, mut charge, mut weight) = (0.0f32, 0.0f32, 0.0f32, 0.0f32);
        // The centre is weighed by the strength of the charge, as in d3.
        for body in &self.bodies[first..last] {
            let strength = body.charge.abs();
            x += body.x * strength;
            y += body.y * strength;
            charge += body.charge;
            weight += strength;
        }
        let centre = self.bodies[first];
        let (x, y) = if weight > 0.0 { (x / weight, y / weight) } else { (centre.x, centre.y) };
        let (first, last) = if is_leaf { (first as u32, last as u32) } else { (0, 0) };
        let skip = self.cells.len() as u32;
        self.cells[at] = Cell { x, y, charge, width_squared: width * width, skip, first, last };
    }

    /// Adds the charge's push on every node to `velocities`. `theta` is the opening angle: 0 is
    /// exact. `reach` is the distance beyond which nothing pushes.
    pub fn push(&self, velocities: &mut [Point], alpha: f32, theta: f32, reach: f32) {
        let (theta_squared, reach_squared) = (theta * theta, reach * reach);
        let pushes: Vec<(u32, Point)> = self
            .bodies
            .par_iter()
            .with_min_len(256)
            .map(|body| (body.node, self.push_on(*body, alpha, theta_squared, reach_squared)))
            .collect();
        for (node, push) in pushes {
            velocities[node as usize].x += push.x;
            velocities[node as usize].y += push.y;
        }
    }

    fn push_on(&self, on: Body, alpha: f32, theta_squared: f32, reach_squared: f32) -> Point {
        let mut sum = Point::default();
        let mut at = 0;
        while let Some(cell) = self.cells.get(at) {
            let (dx, dy) = (cell.x - on.x, cell.y - on.y);
            let distance_squared = dx * dx + dy * dy;
            if cell.width_squared < theta_squared * distance_squared {
                if distance_squared < reach_squared {
                    let strength = cell.charge * alpha / distance_squared.max(1.0);
                    sum.x += dx * strength;
                    sum.y += dy * strength;
                }
                at = cell.skip as usize;
                continue;
            }
            for body in &self.bodies[cell.first as usize..cell.last as usize] {
                if body.node != on.node {
                    let push = pair(on, *body, alpha, reach_squared);
                    sum.x += push.x;
                    sum.y += push.y;
                }
            }
            at = if cell.last > cell.first { cell.skip as usize } else { at + 1 };
        }
        sum
    }
}

fn pair(on: Body, from: Body, alpha: f32, reach_squared: f32) -> Point {
    let (mut dx, mut dy) = (from.x - on.x, from.y - on.y);
    if dx == 0.0 && dy == 0.0 {
        // Bodies on one spot part in a direction of their own, the same every time.
        (dx, dy) = direction(on.node, from.node);
    }
    let mut distance_squared = dx * dx + dy * dy;
    if distance_squared >= reach_squared {
        return Point::default();
    }
    if distance_squared < 1.0 {
        distance_squared = distance_squared.sqrt();
    }
    let strength = from.charge * alpha / distance_squared.max(1e-6);
    Point::new(dx * strength, dy * strength)
}

fn direction(on: u32, from: u32) -> (f32, f32) {
    let (low, high) = (on.min(from), on.max(from));
    let angle = (low.wrapping_mul(0x9e37_79b9) ^ high.wrapping_mul(0x85eb_ca6b)) as f32 * 1e-6;
    let side = if on < from { 1e-3 } else { -1e-3 };
    (angle.cos() * side, angle.sin() * side)
}

fn square_around(points: &[Point]) -> (Point, f32) {
    let (mut low, mut high) = (Point::new(f32::MAX, f32::MAX), Point::new(f32::MIN, f32::MIN));
    for p in points {
        low = Point::new(low.x.min(p.x), low.y.min(p.y));
        high = Point::new(high.x.max(p.x), high.y.max(p.y));
    }
    if points.is_empty() {
        return (Point::default(), 0.0);
    }
    (low, (high.x - low.x).max(high.y - low.y))
}

/// Spreads 16 bits so that another coordinate fits between them.
fn interleave(value: u32) -> u32 {
    let mut v = value & 0xffff;
    v = (v | (v << 8)) & 0x00ff_00ff;
    v = (v | (v << 4)) & 0x0f0f_0f0f;
    v = (v | (v << 2)) & 0x3333_3333;
    (v | (v << 1)) & 0x5555_5555
}
