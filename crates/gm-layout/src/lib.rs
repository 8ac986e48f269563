//! Force-directed layout on flat arrays. No database, no clock, no user interface: callers bring
//! edges and places and get places back, the same for the same input.
//!
//! [`Simulation`] is one tick at a time of charge, link and gravity forces with d3-force's
//! formulas (Bostock, d3-force 3), the charge approximated by a quadtree (Barnes and Hut, Nature
//! 324, 1986) over bodies sorted along the Morton curve. [`place`] gives every node of a graph a
//! place when only some have one.

mod placement;
mod quadtree;
mod simulation;

pub use placement::place;
pub use quadtree::ChargeTree;
pub use simulation::{Parameters, Simulation};

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
}
