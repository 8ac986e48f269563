//! One tick: charge, links, gravity, then velocity decay, as d3-force does it.

use rayon::prelude::*;

use crate::{ChargeTree, Point};

/// The forces' settings, by d3-force's names where it has one.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    /// Charge of a node without size; negative pushes.
    pub charge: f32,
    /// More of it per unit of a node's radius.
    pub charge_per_radius: f32,
    /// `distanceMax` of the charge.
    pub reach: f32,
    pub theta: f32,
    /// Length of a link between rims.
    pub link_distance: f32,
    /// Pull towards the origin.
    pub gravity: f32,
    pub velocity_decay: f32,
    pub alpha_decay: f32,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            charge: -150.0,
            charge_per_radius: -9.0,
            reach: 1200.0,
            theta: 0.9,
            link_distance: 34.0,
            gravity: 0.035,
            velocity_decay: 0.42,
            alpha_decay: 0.0228,
        }
    }
}

/// A layout in motion.
pub struct Simulation {
    parameters: Parameters,
    points: Vec<Point>,
    velocities: Vec<Point>,
    charges: Vec<f32>,
    pinned: Vec<bool>,
    links: Vec<Link>,
    alpha: f32,
}

struct Link {
    source: u32,
    target: u32,
    distance: f32,
    strength: f32,
    /// The share of a correction the target takes: hubs move less.
    bias: f32,
}

impl Simulation {
    /// `edges` are index pairs into `points`; loops are ignored, pinned nodes stay.
    pub fn new(points: Vec<Point>, edges: &[(u32, u32)], pinned: Vec<bool>, parameters: Parameters) -> Self {
        let mut degree = vec![0u32; points.len()];
        for &(source, target) in edges.iter().filter(|(s, t)| s != t) {
            degree[source as usize] += 1;
            degree[target as usize] += 1;
        }
        let radius = |node: u32| (4.0 + 2.0 * (degree[node as usize] as f32).sqrt()).clamp(5.0, 22.0);
        let links = edges
            .iter()
            .filter(|(source, target)| source != target)
            .map(|&(source, target)| {
                let (s, t) = (degree[source as usize] as f32, degree[target as usize] as f32);
                Link {
                    source,
                    target,
                    distance: parameters.link_distance + radius(source) + radius(target),
                    strength: 1.0 / s.min(t),
                    bias: s / (s + t),
                }
            })
            .collect();
        let charges = (0..points.len() as u32)
            .map(|node| parameters.charge + parameters.charge_per_radius * radius(node))
            .collect();
        let velocities = vec![Point::default(); points.len()];
        Self { parameters, points, velocities, charges, pinned, links, alpha: 1.0 }
    }

    pub fn points(&self) -> &[Point] {
        &self.points
    }

    pub fn into_points(self) -> Vec<Point> {
        self.points
    }

    /// Advances the layout by one tick and cools it.
    pub fn step(&mut self) {
        self.alpha -= self.alpha * self.parameters.alpha_decay;
        let alpha = self.alpha;
        let Parameters { theta, reach, gravity, velocity_decay, .. } = self.parameters;
        let tree = ChargeTree::build(&self.points, &self.charges);
        tree.push(&mut self.velocities, alpha, theta, reach);
        self.pull_links(alpha);
        let keep = 1.0 - velocity_decay;
        let pinned = &self.pinned;
        self.points
            .par_iter_mut()
            .zip(self.velocities.par_iter_mut())
            .enumerate()
            .with_min_len(1024)
            .for_each(|(node, (point, velocity))| {
                if pinned[node] {
                    *velocity = Point::default();
                    return;
                }
                velocity.x = (velocity.x - point.x * gravity * alpha) * keep;
                velocity.y = (velocity.y - point.y * gravity * alpha) * keep;
                point.x += velocity.x;
                point.y += velocity.y;
            });
    }

    fn pull_links(&mut self, alpha: f32) {
        for link in &self.links {
            let (s, t) = (link.source as usize, link.target as usize);
            let dx = self.points[t].x + self.velocities[t].x - self.points[s].x - self.velocities[s].x;
            let dy = self.points[t].y + self.velocities[t].y - self.points[s].y - self.velocities[s].y;
            let length = dx.hypot(dy).max(1e-6);
            let pull = (length - link.distance) / length * alpha * link.strength;
            self.velocities[t].x -= dx * pull * link.bias;
            self.velocities[t].y -= dy * pull * link.bias;
            self.velocities[s].x += dx * pull * (1.0 - link.bias);
            self.velocities[s].y += dy * pull * (1.0 - link.bias);
        }
    }
}
