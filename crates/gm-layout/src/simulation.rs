//! One tick: charge, links, gravity, collision, then velocity decay, as d3-force does it.

use rayon::prelude::*;

use crate::charge::Opening;
use crate::collide::Collisions;
use crate::links::Links;
use crate::{ChargeTree, Parameters, Point, degrees, radius_of};

const PARALLEL_FROM: usize = 4_000;
/// Collision costs as much as the charge; in larger pictures dots are too small on screen for it to show.
const COLLIDE_UP_TO: usize = 10_000;
/// The last ticks of a layout, in which meshes are evened out: earlier the forces would undo it.
const EVENING_TICKS: f32 = 10.0;
/// No tick carries a node further than this, whatever the parameters.
const MAX_STEP: f32 = 4_000.0;
/// Places stay within this: beyond it single precision has no room for a link.
const MAX_PLACE: f32 = 4.0e6;

/// How far a node may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mobility {
    /// Not at all.
    Fixed,
    /// A few units from its anchor.
    Leashed,
    /// Anywhere.
    #[default]
    Free,
}

/// A layout in motion.
#[derive(Debug)]
pub struct Simulation {
    parameters: Parameters,
    points: Vec<Point>,
    velocities: Vec<Point>,
    radii: Vec<f32>,
    charges: Vec<f32>,
    mobility: Vec<Mobility>,
    anchors: Vec<Point>,
    leash: f32,
    n_held: usize,
    held: Vec<bool>,
    pairs: Vec<(u32, u32)>,
    weights: Vec<f32>,
    links: Links,
    tree: ChargeTree,
    collisions: Collisions,
    alpha: f32,
    /// Meshes are evened out at the end.
    evens: bool,
}

impl Simulation {
    /// `links` are index pairs into `points`; loops are ignored. Every node is free and as large as its
    /// degree makes it. Places that are no numbers become the origin.
    pub fn new(points: Vec<Point>, links: &[(u32, u32)], parameters: Parameters) -> Self {
        let n = points.len();
        let radii = degrees(n, links).into_iter().map(radius_of).collect();
        Self::with_sizes(points, links, &[], radii, parameters)
    }

    /// The same with radii of one's own, and weights of 0 to 1 per link, or none.
    pub fn with_sizes(
        mut points: Vec<Point>,
        links: &[(u32, u32)],
        weights: &[f32],
        mut radii: Vec<f32>,
        parameters: Parameters,
    ) -> Self {
        let n = points.len();
        radii.resize(n, 5.0);
        points.iter_mut().for_each(|p| *p = sound(*p));
        let mut simulation = Self {
            parameters,
            velocities: vec![Point::default(); n],
            charges: Vec::new(),
            mobility: vec![Mobility::Free; n],
            anchors: Vec::new(),
            leash: 0.0,
            n_held: 0,
            held: vec![false; n],
            pairs: links.iter().copied().filter(|&(s, t)| (s as usize) < n && (t as usize) < n).collect(),
            weights: weights.to_vec(),
            links: Links::default(),
            tree: ChargeTree::default(),
            collisions: Collisions::default(),
            alpha: 1.0,
            evens: true,
            points,
            radii,
        };
        if simulation.pairs.len() != links.len() {
            simulation.weights.clear();
        }
        simulation.set_parameters(parameters);
        simulation
    }

    /// A graph whose nodes stand for several each: charge and room grow with their number.
    pub(crate) fn with_masses(
        points: Vec<Point>,
        links: &[(u32, u32)],
        masses: &[f32],
        degree: &[u32],
        parameters: Parameters,
    ) -> Self {
        let radii: Vec<f32> = degree.iter().map(|&d| radius_of(d)).collect();
        let is_first = masses.iter().all(|&mass| mass == 1.0);
        // Dots that stand for others have no rim to keep clear of.
        let collide_strength = if is_first { parameters.collide_strength } else { 0.0 };
        let parameters = Parameters { collide_strength, ..parameters };
        let mut simulation = Self::with_sizes(points, links, &[], radii, parameters);
        for (charge, mass) in simulation.charges.iter_mut().zip(masses) {
            *charge *= mass;
        }
        simulation.links.stretch(masses);
        simulation.evens = false;
        simulation
    }

    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Takes effect with the next tick; the temperature stays.
    pub fn set_parameters(&mut self, parameters: Parameters) {
        self.parameters = parameters;
        let charge = |radius: &f32| parameters.charge + parameters.charge_per_radius * radius;
        self.charges = self.radii.iter().map(charge).collect();
        self.links = Links::new(&self.pairs, &self.weights, &self.radii, &parameters);
    }

    pub fn points(&self) -> &[Point] {
        &self.points
    }

    pub fn into_points(self) -> Vec<Point> {
        self.points
    }

    pub fn alpha(&self) -> f32 {
        self.alpha
    }

    pub fn set_alpha(&mut self, alpha: f32) {
        self.alpha = if alpha.is_finite() { alpha.clamp(0.0, 1.0) } else { 0.0 };
    }

    /// Cools so that about `ticks` remain.
    pub fn plan(&mut self, ticks: usize) {
        self.parameters.alpha_decay = self.parameters.decay_over(self.alpha, ticks);
    }

    /// Cool, and nothing is held.
    pub fn is_settled(&self) -> bool {
        self.alpha < self.parameters.alpha_min && self.n_held == 0
    }

    /// Who may move; leashed nodes stay within `leash` of their anchors.
    pub fn set_mobility(&mut self, mobility: Vec<Mobility>, anchors: Vec<Point>, leash: f32) {
        if mobility.len() == self.points.len() {
            self.mobility = mobility;
        }
        self.anchors = if anchors.len() == self.points.len() { anchors } else { self.points.clone() };
        self.leash = leash.max(0.0);
    }

    /// Puts a node somewhere for good.
    pub fn pin(&mut self, node: usize, at: Point) {
        if let Some(point) = self.points.get_mut(node) {
            *point = sound(at);
            self.velocities[node] = Point::default();
            self.mobility[node] = Mobility::Fixed;
        }
    }

    pub fn unpin(&mut self, node: usize) {
        if let Some(mobility) = self.mobility.get_mut(node) {
            *mobility = Mobility::Free;
        }
    }

    /// A person holds a node there; the layout stays warm until [`release`](Self::release).
    pub fn hold(&mut self, node: usize, at: Point) {
        if node >= self.points.len() {
            return;
        }
        self.pin(node, at);
        if !std::mem::replace(&mut self.held[node], true) {
            self.n_held += 1;
        }
        self.parameters.alpha_target = 0.25;
        self.alpha = self.alpha.max(0.25);
    }

    /// What was held stays where it is, and the rest comes to rest in some sixty ticks.
    pub fn release(&mut self) {
        self.held.fill(false);
        self.n_held = 0;
        self.parameters.alpha_target = 0.0;
        self.plan(60);
    }

    /// Advances the layout by one tick and cools it.
    pub fn step(&mut self) {
        let p = self.parameters;
        self.alpha += (p.alpha_target - self.alpha) * p.alpha_decay;
        let alpha = self.alpha;
        let parallel = self.points.len() >= PARALLEL_FROM;
        self.push();
        self.links.pull(&self.points, &mut self.velocities, alpha, parallel);
        for (point, velocity) in self.points.iter().zip(&mut self.velocities) {
            velocity.x -= point.x * p.gravity_x * alpha;
            velocity.y -= point.y * p.gravity_y * alpha;
        }
        if p.collide_strength > 0.0 && self.points.len() <= COLLIDE_UP_TO {
            let reaches: Vec<f32> = self.radii.iter().map(|r| r + p.collide_padding).collect();
            self.collisions.part(&self.points, &mut self.velocities, &reaches, p.collide_strength);
        }
        let keep = 1.0 - p.velocity_decay;
        let (mobility, anchors, leash) = (&self.mobility, &self.anchors, self.leash);
        let carry = |(node, (point, velocity)): (usize, (&mut Point, &mut Point))| {
            if mobility[node] == Mobility::Fixed {
                *velocity = Point::default();
                return;
            }
            velocity.x = (velocity.x * keep).clamp(-MAX_STEP, MAX_STEP);
            velocity.y = (velocity.y * keep).clamp(-MAX_STEP, MAX_STEP);
            if !velocity.is_finite() {
                *velocity = Point::default();
            }
            point.x = (point.x + velocity.x).clamp(-MAX_PLACE, MAX_PLACE);
            point.y = (point.y + velocity.y).clamp(-MAX_PLACE, MAX_PLACE);
            if mobility[node] == Mobility::Leashed {
                tie(point, velocity, anchors[node], leash);
            }
        };
        let both = self.points.par_iter_mut().zip(self.velocities.par_iter_mut()).enumerate();
        if parallel {
            both.with_min_len(2048).for_each(carry);
        } else {
            self.points.iter_mut().zip(&mut self.velocities).enumerate().for_each(carry);
        }
        if self.evens && self.ticks_left() <= EVENING_TICKS {
            let mobility = &self.mobility;
            self.links.even_out(&mut self.points, p.link_distance, |node| mobility[node] == Mobility::Free);
        }
    }

    /// Until it is cool; endless while somebody holds it warm.
    fn ticks_left(&self) -> f32 {
        let p = &self.parameters;
        if p.alpha_target >= p.alpha_min || p.alpha_decay <= 0.0 || p.alpha_min <= 0.0 {
            return f32::INFINITY;
        }
        (p.alpha_min / self.alpha.max(f32::MIN_POSITIVE)).ln()
            / (1.0 - p.alpha_decay).max(f32::MIN_POSITIVE).ln()
    }

    /// The charge alone, added to the velocities: the dearest part of a tick.
    fn push(&mut self) {
        let p = self.parameters;
        let mobility = &self.mobility;
        let opening = Opening { theta: p.theta, distance_min: p.distance_min, distance_max: p.distance_max };
        self.tree.build(&self.points, &self.charges);
        self.tree.push(&mut self.velocities, self.alpha, opening, |node| {
            mobility[node as usize] != Mobility::Fixed
        });
    }
}

fn tie(point: &mut Point, velocity: &mut Point, anchor: Point, leash: f32) {
    let (dx, dy) = (point.x - anchor.x, point.y - anchor.y);
    let distance = dx.hypot(dy);
    if distance > leash {
        *point = Point::new(anchor.x + dx / distance * leash, anchor.y + dy / distance * leash);
        *velocity = Point::default();
    }
}

fn sound(p: Point) -> Point {
    if p.is_finite() {
        Point::new(p.x.clamp(-MAX_PLACE, MAX_PLACE), p.y.clamp(-MAX_PLACE, MAX_PLACE))
    } else {
        Point::default()
    }
}
