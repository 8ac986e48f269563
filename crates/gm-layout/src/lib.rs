//! Force-directed layout on flat arrays. No database and no user interface: callers bring edges and
//! places and get places back, the same for the same input.
//!
//! - [`Simulation`]: one tick at a time of charge, link, gravity and collision forces with d3-force's
//!   formulas (Bostock, d3-force 3). The charge is summed over a [`ChargeTree`], a quadtree (Barnes and
//!   Hut, Nature 324, 1986) over bodies sorted along the Morton curve.
//! - [`place`]: a place for every node of a graph of which some, or none, have one. Graphs without any
//!   are laid out from coarse to fine (Walshaw, Graph Drawing 2000).
//! - [`communities`]: groups of nodes by modularity (Blondel and others, 2008).
//! - [`arrange`]: layouts without forces: on a circle, in layers, by type.
//! - [`Supervisor`]: a thread that runs a simulation and hands out frames; the only clock here.

mod arrange;
mod charge;
mod coarsen;
mod collide;
mod communities;
mod kernel;
mod links;
mod neighbours;
mod pack;
mod parameters;
mod placement;
mod simulation;
mod stress;
mod supervisor;

pub use arrange::{Arrangement, arrange};
pub use charge::{ChargeTree, Opening};
pub use communities::{Communities, communities, modularity};
pub use neighbours::Neighbours;
pub use parameters::Parameters;
pub use placement::place;
pub use simulation::{Mobility, Simulation};
pub use supervisor::{Frame, Order, Supervisor, Topology};

/// A place, or a displacement, in layout units.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

impl Point {
    pub fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

/// Radius of a dot of this degree at zoom 1, in layout units.
pub fn radius_of(degree: u32) -> f32 {
    (4.0 + 2.0 * (degree as f32).sqrt()).clamp(5.0, 22.0)
}

/// Links at each node; a link from a node to itself counts once.
pub fn degrees(n_nodes: usize, links: &[(u32, u32)]) -> Vec<u32> {
    let mut degree = vec![0; n_nodes];
    for &(source, target) in links {
        degree[source as usize] += 1;
        if source != target {
            degree[target as usize] += 1;
        }
    }
    degree
}
