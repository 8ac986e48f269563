//! The charge force: a quadtree over Morton-sorted bodies, walked by skip pointers once for sixteen
//! neighbouring bodies together.

use rayon::prelude::*;

use crate::Point;
use crate::kernel::{Bounds, Chunk, LANES, Source, push};

/// Bodies in one leaf: few enough that summing them beats opening another cell.
const LEAF_BODIES: usize = 12;
/// Bits of one coordinate in a Morton code.
const MORTON_BITS: u32 = 16;
/// Charge spread evenly over a square reaches 0.7 widths from its centre; what reaches further makes the
/// cell count as wider by this.
const MOST_REACH: f32 = 1.3;
const DIGIT_BITS: u32 = 11;
/// Below this, a second thread costs more than it helps.
const PARALLEL_FROM: usize = 2_000;
/// So many bodies on one spot, no more, see each other one by one.
const CROWD: usize = 1_024;
/// Subtrees built beside each other: two levels of the tree.
const SUBTREE_BITS: u32 = 4;

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    /// Centre of charge.
    x: f32,
    y: f32,
    charge: f32,
    second_re: f32,
    second_im: f32,
    third_re: f32,
    third_im: f32,
    /// Edge length of the cell; more where its charge lies far from its centre, for there the moments
    /// say little.
    width: f32,
    /// No body lies further from the centre of charge.
    reach: f32,
    /// The cell to go on with when this one is not opened.
    skip: u32,
    /// Bodies in sorted order, and whether they are to be summed one by one.
    first: u32,
    last: u32,
    is_leaf: bool,
}

impl Cell {
    fn in_square(self, width: f32) -> Self {
        Self { width: width.max(self.reach * MOST_REACH), ..self }
    }
}

/// A rectangle.
#[derive(Debug, Clone, Copy)]
struct Area {
    min_x: f32,
    min_y: f32,
    max_x: f32,
    max_y: f32,
}

/// How the charge is summed: d3's `theta`, `distanceMin` and `distanceMax`.
#[derive(Debug, Clone, Copy)]
pub struct Opening {
    pub theta: f32,
    pub distance_min: f32,
    pub distance_max: f32,
}

/// A quadtree of charged bodies; built once per tick into the memory of the last.
#[derive(Debug, Default)]
pub struct ChargeTree {
    cells: Vec<Cell>,
    /// Node of each body, in Morton order.
    nodes: Vec<u32>,
    /// Columns in Morton order, padded to whole chunks.
    x: Vec<f32>,
    y: Vec<f32>,
    charges: Vec<f32>,
    push_x: Vec<f32>,
    push_y: Vec<f32>,
    keys: Vec<u64>,
    spare: Vec<u64>,
    codes: Vec<u32>,
}

impl ChargeTree {
    /// Sorts the bodies along the Morton curve and sums the cells. Places must be finite.
    pub fn build(&mut self, points: &[Point], charges: &[f32]) {
        let (corner, width) = square_around(points);
        let scale = if width > 0.0 { ((1u32 << MORTON_BITS) - 1) as f32 / width } else { 0.0 };
        let key = |(node, p): (usize, &Point)| {
            let code = interleave(((p.x - corner.x) * scale) as u32)
                | (interleave(((p.y - corner.y) * scale) as u32) << 1);
            u64::from(code) << 32 | node as u64
        };
        self.keys.clear();
        if points.len() < PARALLEL_FROM {
            self.keys.extend(points.iter().enumerate().map(key));
        } else {
            self.keys.par_extend(points.par_iter().enumerate().with_min_len(1024).map(key));
        }
        sort_by_code(&mut self.keys, &mut self.spare);
        let n_padded = points.len().next_multiple_of(LANES);
        for column in [&mut self.x, &mut self.y, &mut self.charges, &mut self.push_x, &mut self.push_y] {
            column.resize(n_padded, 0.0);
        }
        self.nodes.clear();
        self.codes.clear();
        for (at, &key) in self.keys.iter().enumerate() {
            let node = key as u32;
            let p = points[node as usize];
            (self.x[at], self.y[at], self.charges[at]) = (p.x, p.y, charges[node as usize]);
            self.nodes.push(node);
            self.codes.push((key >> 32) as u32);
        }
        self.part_equal_places();
        // The lanes that pad the last chunk stand where its first body does; their push is not read.
        for at in points.len()..n_padded {
            (self.x[at], self.y[at]) = (self.x[n_padded - LANES], self.y[n_padded - LANES]);
            self.charges[at] = 0.0;
        }
        self.cells.clear();
        let bodies = Bodies { x: &self.x, y: &self.y, charges: &self.charges, codes: &self.codes };
        match points.len() {
            0 => {}
            n if n < PARALLEL_FROM => {
                bodies.add_cell(&mut self.cells, 0, n, 2 * MORTON_BITS, width);
            }
            n => bodies.add_in_parallel(&mut self.cells, n, width),
        }
    }

    /// Bodies on one spot part in directions of their own, the same every time. They are next to each
    /// other here, as they share their code.
    fn part_equal_places(&mut self) {
        let mut first = 0;
        while first < self.codes.len() {
            let mut last = first + 1;
            while last < self.codes.len() && self.codes[last] == self.codes[first] {
                last += 1;
            }
            for at in first + 1..last {
                let from = at.saturating_sub(8).max(first);
                let is_taken = (from..at).any(|o| self.x[o] == self.x[at] && self.y[o] == self.y[at]);
                if is_taken {
                    let angle = self.nodes[at].wrapping_mul(0x9e37_79b9) as f32 * 1e-6;
                    let reach = 1e-3f32.max(self.x[at].abs().max(self.y[at].abs()) * 1e-6);
                    let reach = reach * (1.0 + (at - first) as f32).sqrt();
                    self.x[at] += reach * angle.cos();
                    self.y[at] += reach * angle.sin();
                }
            }
            first = last;
        }
    }

    /// The nodes in Morton order: neighbours in space stand near each other.
    pub fn order(&self) -> &[u32] {
        &self.nodes
    }

    /// Adds the charge's push on every node to `velocities`. Nodes for which `is_free` says no are
    /// left out, which is quicker when whole neighbourhoods are.
    pub fn push(
        &mut self,
        velocities: &mut [Point],
        alpha: f32,
        opening: Opening,
        is_free: impl Fn(u32) -> bool + Sync,
    ) {
        let Self { cells, nodes, x, y, charges, push_x, push_y, .. } = self;
        let walk = Walk { cells, nodes, x, y, charges, opening };
        let n = nodes.len();
        let at_once = if n < PARALLEL_FROM { usize::MAX / LANES } else { 16 };
        push_x
            .par_chunks_exact_mut(LANES)
            .zip(push_y.par_chunks_exact_mut(LANES))
            .enumerate()
            .with_min_len(at_once.min(n / LANES + 1))
            .for_each_init(Lists::default, |lists, (chunk, (px, py))| {
                let first = chunk * LANES;
                px.fill(0.0);
                py.fill(0.0);
                if nodes[first..n.min(first + LANES)].iter().any(|&node| is_free(node)) {
                    let (px, py) = (px.try_into().expect("a chunk"), py.try_into().expect("a chunk"));
                    walk.push_chunk(first, lists, px, py);
                }
            });
        for (at, &node) in nodes.iter().enumerate() {
            let velocity = &mut velocities[node as usize];
            velocity.x += push_x[at] * alpha;
            velocity.y += push_y[at] * alpha;
        }
    }
}

/// What one chunk of bodies feels: far cells, and bodies near by as columns.
#[derive(Default)]
struct Lists {
    far: Vec<Source>,
    x: Vec<f32>,
    y: Vec<f32>,
    charges: Vec<f32>,
}

struct Walk<'a> {
    cells: &'a [Cell],
    nodes: &'a [u32],
    x: &'a [f32],
    y: &'a [f32],
    charges: &'a [f32],
    opening: Opening,
}

impl Walk<'_> {
    fn push_chunk(
        &self,
        first: usize,
        lists: &mut Lists,
        push_x: &mut [f32; LANES],
        push_y: &mut [f32; LANES],
    ) {
        let x: &[f32; LANES] = self.x[first..first + LANES].try_into().expect("padded");
        let y: &[f32; LANES] = self.y[first..first + LANES].try_into().expect("padded");
        let area = Area::around(x, y);
        let Opening { theta, distance_min, distance_max } = self.opening;
        let (theta_squared, min_squared, max_squared) =
            (theta * theta, distance_min * distance_min, distance_max * distance_max);
        lists.far.clear();
        lists.x.clear();
        lists.y.clear();
        lists.charges.clear();
        let mut at = 0;
        while let Some(cell) = self.cells.get(at) {
            let squared = area.distance_squared(cell.x, cell.y);
            let clear = cell.reach + distance_min;
            if cell.width * cell.width < theta_squared * squared && squared >= clear * clear {
                if squared < max_squared {
                    lists.far.push(Source {
                        x: cell.x,
                        y: cell.y,
                        charge: cell.charge,
                        second_re: cell.second_re,
                        second_im: cell.second_im,
                        third_re: cell.third_re,
                        third_im: cell.third_im,
                    });
                }
                at = cell.skip as usize;
            } else if cell.is_leaf {
                let (mut from, mut to) = (cell.first as usize, cell.last as usize);
                if to - from > CROWD {
                    // On one spot there is no answer worth the square of their number.
                    from = from.max(first.saturating_sub(CROWD / 2));
                    to = to.min(first + CROWD / 2).max(from);
                }
                lists.x.extend_from_slice(&self.x[from..to]);
                lists.y.extend_from_slice(&self.y[from..to]);
                lists.charges.extend_from_slice(&self.charges[from..to]);
                at = cell.skip as usize;
            } else {
                at += 1;
            }
        }
        debug_assert!(first < self.nodes.len());
        let bounds = Bounds { min_squared, max_squared };
        let near = [lists.x.as_slice(), &lists.y, &lists.charges];
        push(Chunk { x, y, push_x, push_y }, &lists.far, near, bounds);
    }
}

impl Area {
    fn around(x: &[f32; LANES], y: &[f32; LANES]) -> Self {
        let mut area = Self { min_x: x[0], min_y: y[0], max_x: x[0], max_y: y[0] };
        for lane in 1..LANES {
            area.min_x = area.min_x.min(x[lane]);
            area.max_x = area.max_x.max(x[lane]);
            area.min_y = area.min_y.min(y[lane]);
            area.max_y = area.max_y.max(y[lane]);
        }
        area
    }

    /// From the nearest point of the area.
    fn distance_squared(&self, x: f32, y: f32) -> f32 {
        let dx = (self.min_x - x).max(x - self.max_x).max(0.0);
        let dy = (self.min_y - y).max(y - self.max_y).max(0.0);
        dx * dx + dy * dy
    }
}

struct Bodies<'a> {
    x: &'a [f32],
    y: &'a [f32],
    charges: &'a [f32],
    codes: &'a [u32],
}

impl Bodies<'_> {
    /// Adds the cell of these bodies and all below it; skips count from the first of `cells`.
    fn add_cell(&self, cells: &mut Vec<Cell>, first: usize, last: usize, bits: u32, width: f32) -> usize {
        let at = cells.len();
        cells.push(Cell::default());
        if last - first <= LEAF_BODIES || bits == 0 {
            cells[at] = self.leaf(first, last, width);
            cells[at].skip = cells.len() as u32;
            return at;
        }
        let (mut children, mut n_children) = ([0; 4], 0);
        let mut from = first;
        for quadrant in 0..4 {
            let to = self.end_of_quadrant(from, last, bits, quadrant);
            if to > from {
                children[n_children] = self.add_cell(cells, from, to, bits - 2, width / 2.0);
                n_children += 1;
            }
            from = to;
        }
        let whole = sum_of(children[..n_children].iter().map(|&child| cells[child]));
        let skip = cells.len() as u32;
        cells[at] = Cell { skip, first: first as u32, last: last as u32, ..whole.in_square(width) };
        at
    }

    /// The same tree, its subtrees built beside each other.
    fn add_in_parallel(&self, cells: &mut Vec<Cell>, n: usize, width: f32) {
        let shift = 2 * MORTON_BITS - SUBTREE_BITS;
        let mut starts = [n; (1 << SUBTREE_BITS) + 1];
        for (prefix, start) in starts.iter_mut().enumerate() {
            *start = self.codes.partition_point(|&code| ((code >> shift) as usize) < prefix);
        }
        let subtrees: Vec<Vec<Cell>> = starts
            .par_windows(2)
            .map(|range| {
                let mut subtree = Vec::with_capacity((range[1] - range[0]) / 4 + 1);
                if range[1] > range[0] {
                    self.add_cell(&mut subtree, range[0], range[1], shift, width / 4.0);
                }
                subtree
            })
            .collect();
        cells.push(Cell::default());
        let mut quadrants = Vec::new();
        for four in 0..4 {
            let subtrees = &subtrees[4 * four..4 * four + 4];
            if subtrees.iter().all(Vec::is_empty) {
                continue;
            }
            let quadrant = cells.len();
            cells.push(Cell::default());
            for subtree in subtrees {
                let offset = cells.len() as u32;
                cells.extend(subtree.iter().map(|cell| Cell { skip: cell.skip + offset, ..*cell }));
            }
            let whole = sum_of(subtrees.iter().filter_map(|subtree| subtree.first().copied()));
            let (first, last) = (starts[4 * four] as u32, starts[4 * four + 4] as u32);
            let skip = cells.len() as u32;
            cells[quadrant] = Cell { skip, first, last, ..whole.in_square(width / 2.0) };
            quadrants.push(quadrant);
        }
        let whole = sum_of(quadrants.iter().map(|&quadrant| cells[quadrant]));
        let skip = cells.len() as u32;
        cells[0] = Cell { skip, first: 0, last: n as u32, ..whole.in_square(width) };
    }

    fn end_of_quadrant(&self, from: usize, last: usize, bits: u32, quadrant: u32) -> usize {
        from + self.codes[from..last].partition_point(|code| (code >> (bits - 2)) & 3 <= quadrant)
    }

    fn leaf(&self, first: usize, last: usize, width: f32) -> Cell {
        let range = first..last;
        let body =
            |at: usize| Cell { x: self.x[at], y: self.y[at], charge: self.charges[at], ..Cell::default() };
        let whole = sum_of(range.map(body)).in_square(width);
        Cell { first: first as u32, last: last as u32, is_leaf: true, ..whole }
    }
}

/// Charge, centre and moments of several cells or bodies.
fn sum_of(parts: impl Iterator<Item = Cell> + Clone) -> Cell {
    let (mut x, mut y, mut charge, mut weight) = (0.0f32, 0.0f32, 0.0f32, 0.0f32);
    let mut place = (0.0, 0.0);
    for part in parts.clone() {
        // The centre is weighed by the strength of the charge, as in d3.
        let strength = part.charge.abs();
        x += part.x * strength;
        y += part.y * strength;
        charge += part.charge;
        weight += strength;
        place = (part.x, part.y);
    }
    let (x, y) = if weight > 0.0 { (x / weight, y / weight) } else { place };
    let mut whole = Cell { x, y, charge, ..Cell::default() };
    for part in parts {
        let (dx, dy) = (part.x - x, part.y - y);
        let (dx2, dy2) = (dx * dx - dy * dy, 2.0 * dx * dy);
        whole.second_re += part.second_re + part.charge * dx2;
        whole.second_im += part.second_im + part.charge * dy2;
        // Σ q (δ + d)³ with Σ q δ = 0: Q₃ + 3 d Q₂ + d³ Q
        whole.third_re += part.third_re
            + 3.0 * (dx * part.second_re - dy * part.second_im)
            + part.charge * (dx2 * dx - dy2 * dy);
        whole.third_im += part.third_im
            + 3.0 * (dx * part.second_im + dy * part.second_re)
            + part.charge * (dx2 * dy + dy2 * dx);
        whole.reach = whole.reach.max(part.reach + dx.hypot(dy));
    }
    whole
}

/// By code, equal ones in their order: a radix sort, since a comparing one is most of a tick.
fn sort_by_code(keys: &mut Vec<u64>, spare: &mut Vec<u64>) {
    if keys.len() < 256 {
        keys.sort_unstable();
        return;
    }
    spare.resize(keys.len(), 0);
    let n_digits = (2 * MORTON_BITS).div_ceil(DIGIT_BITS);
    let mask = (1u64 << DIGIT_BITS) - 1;
    let mut counts = vec![[0u32; 1 << DIGIT_BITS]; n_digits as usize];
    for &key in keys.iter() {
        for (digit, counts) in counts.iter_mut().enumerate() {
            counts[(key >> (32 + DIGIT_BITS * digit as u32) & mask) as usize] += 1;
        }
    }
    for (digit, counts) in counts.iter_mut().enumerate() {
        let mut start = 0;
        for count in counts.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for &key in keys.iter() {
            let at = &mut counts[(key >> (32 + DIGIT_BITS * digit as u32) & mask) as usize];
            spare[*at as usize] = key;
            *at += 1;
        }
        std::mem::swap(keys, spare);
    }
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
