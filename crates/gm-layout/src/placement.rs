//! Places for nodes that have none.

use std::collections::VecDeque;

use rayon::prelude::*;

use crate::coarsen::{Level, levels};
use crate::pack::pack;
use crate::stress::by_distance;
use crate::{Neighbours, Parameters, Point, Simulation, degrees};

/// Angle between one seed of a sunflower and the next.
const GOLDEN_ANGLE: f32 = 2.399_963_1;
/// How far from its neighbour a new node appears.
const BESIDE: f32 = 42.0;
/// Kept free round the parts of a picture that are not linked.
const APART: f32 = 40.0;
/// Between nodes that are linked to nothing.
const SINGLE_SPREAD: f32 = 34.0;
/// Ticks of one level, and what decides between.
const MOST_TICKS: usize = 140;
const FEWEST_TICKS: usize = 12;
const TICK_BUDGET: usize = 4_000_000;
/// How far a node starts out from its group towards those it is linked to.
const DRAWN_TOWARDS: f32 = 0.5;
/// The coarsest picture has about this many nodes.
const SMALLEST: usize = 60;
/// Up to so many, distances along links give the first places.
const MAX_BY_DISTANCE: usize = 300;

/// Places every node. Known places stay exactly as they are; unknown nodes appear beside their
/// placed neighbours, and what is linked to nothing placed gathers outside. When nothing is known
/// each connected part is laid out from coarse to fine, and the parts are packed side by side.
pub fn place(known: &[Option<Point>], edges: &[(u32, u32)]) -> Vec<Point> {
    let neighbours = Neighbours::of(known.len(), edges);
    if known.iter().all(Option::is_none) {
        return lay_out(&neighbours, edges);
    }
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

fn lay_out(neighbours: &Neighbours, edges: &[(u32, u32)]) -> Vec<Point> {
    let n = neighbours.n_nodes();
    let (component_of, n_components) = neighbours.components();
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); n_components];
    let mut index_in = vec![0u32; n];
    for node in 0..n {
        let component = &mut members[component_of[node] as usize];
        index_in[node] = component.len() as u32;
        component.push(node as u32);
    }
    let mut links: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n_components];
    for &(s, t) in edges.iter().filter(|(s, t)| s != t) {
        links[component_of[s as usize] as usize].push((index_in[s as usize], index_in[t as usize]));
    }
    let (singles, mut components): (Vec<usize>, Vec<usize>) =
        (0..n_components).partition(|&component| members[component].len() == 1);
    components.sort_by_key(|&component| (std::cmp::Reverse(members[component].len()), component));
    let mut parts: Vec<Vec<Point>> = components
        .par_iter()
        .map(|&component| lay_out_connected(members[component].len(), &links[component]))
        .collect();
    let mut nodes: Vec<Vec<u32>> = components.iter().map(|&c| std::mem::take(&mut members[c])).collect();
    if !singles.is_empty() {
        // What is linked to nothing stands together, where it does not scatter the rest.
        let at = parts.iter().position(|part| part.len() < singles.len()).unwrap_or(parts.len());
        parts.insert(at, (0..singles.len()).map(|seed| sunflower(seed, SINGLE_SPREAD)).collect());
        nodes.insert(at, singles.iter().map(|&c| members[c][0]).collect());
    }
    pack(&mut parts, APART);
    let mut points = vec![Point::default(); n];
    for (part, nodes) in parts.iter().zip(&nodes) {
        for (&p, &node) in part.iter().zip(nodes) {
            points[node as usize] = p;
        }
    }
    debug_assert!(points.iter().all(|p| p.is_finite()));
    points
}

fn sunflower(seed: usize, spread: f32) -> Point {
    let radius = spread * (0.5 + seed as f32).sqrt();
    let angle = seed as f32 * GOLDEN_ANGLE;
    Point::new(radius * angle.cos(), radius * angle.sin())
}

/// Ticks on a level: as many as a share of the time pays for, since the smaller it is the more there is to
/// find out, and the cheaper.
fn ticks_on(level: &Level, is_coarsest: bool) -> usize {
    let cost = 8 * level.n_nodes() + 2 * level.links.len();
    if is_coarsest { MOST_TICKS } else { (TICK_BUDGET / cost.max(1)).clamp(FEWEST_TICKS, MOST_TICKS) }
}

fn lay_out_connected(n_nodes: usize, links: &[(u32, u32)]) -> Vec<Point> {
    let levels = levels(n_nodes, links, SMALLEST);
    let coarsest = levels.len() - 1;
    let mut points: Vec<Point> = Vec::new();
    for (at, level) in levels.iter().enumerate().rev() {
        points = if at == coarsest {
            first_places(level, n_nodes)
        } else {
            spread_out(&points, &levels[at + 1].group_of, level)
        };
        let ticks = ticks_on(level, at == coarsest);
        // A radius is what gives a node its charge and its distance to others: of what stands for many,
        // both grow, the area with their number.
        let degree = degrees(level.n_nodes(), &level.links);
        let explorer = Parameters::explorer();
        let stretch = (n_nodes as f32 / level.n_nodes() as f32).sqrt();
        let parameters = Parameters { distance_max: explorer.distance_max * stretch, ..explorer };
        let mut simulation =
            Simulation::with_masses(points, &level.links, &level.masses, &degree, parameters);
        simulation.set_alpha(if at == coarsest { 0.6 } else { 0.35 });
        simulation.plan(ticks);
        for _ in 0..ticks {
            simulation.step();
        }
        points = simulation.into_points();
    }
    points
}

/// By distances where there are few nodes, else a sunflower.
fn first_places(level: &Level, n_nodes: usize) -> Vec<Point> {
    let n = level.n_nodes();
    let spread = 60.0 * (n_nodes as f32 / n as f32).sqrt();
    let start = (0..n).map(|seed| sunflower(seed, spread)).collect();
    if n > MAX_BY_DISTANCE {
        return start;
    }
    let mass = |node: u32| level.masses[node as usize];
    by_distance(start, &level.links, |a, b| 110.0 * ((mass(a) + mass(b)) / 2.0).sqrt())
}

/// The nodes of a level about the places of what stood for them, each drawn towards the groups it is
/// linked to: so the sides on which they lie are right from the first.
fn spread_out(places: &[Point], group_of: &[u32], level: &Level) -> Vec<Point> {
    let neighbours = Neighbours::of(level.n_nodes(), &level.links);
    let mut n_in = vec![0u32; places.len()];
    (0..level.n_nodes())
        .map(|node| {
            let group = group_of[node] as usize;
            let centre = places[group];
            let near = neighbours.of_node(node as u32);
            let (mut x, mut y) = (0.0, 0.0);
            for &other in near {
                let there = places[group_of[other as usize] as usize];
                x += there.x - centre.x;
                y += there.y - centre.y;
            }
            let share = DRAWN_TOWARDS / near.len().max(1) as f32;
            let offset = sunflower(n_in[group] as usize, 9.0 * level.masses[node].sqrt());
            n_in[group] += 1;
            Point::new(centre.x + x * share + offset.x, centre.y + y * share + offset.y)
        })
        .collect()
}
