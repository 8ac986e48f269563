//! Pictures of a graph, made from plain columns: [`svg`], [`png`] and [`html`], a page by itself that
//! works anywhere. They look as the explorer's canvas does: the same sizes, colours and shapes.
//!
//! Names come from agents: they are written as text, never as markup, and characters that would hide or
//! turn text are shown as marks.

mod frame;
mod html;
mod labels;
mod look;
mod png;
mod svg;
mod text;

pub use frame::View;
pub use html::html;
pub use look::Theme;
pub use png::{PngError, png};
pub use svg::svg;

/// What there is to draw, index-aligned.
#[derive(Debug, Clone, Copy)]
pub struct Graph<'a> {
    pub title: &'a str,
    pub names: &'a [String],
    /// In the order of first use, which is that of the colours.
    pub types: &'a [String],
    pub type_index: &'a [u16],
    /// x0, y0, x1, y1, …
    pub positions: &'a [f32],
    pub edge_types: &'a [String],
    pub edge_source: &'a [u32],
    pub edge_target: &'a [u32],
    pub edge_type_index: &'a [u16],
    pub edge_weight: &'a [f32],
}

/// How it is drawn.
#[derive(Debug, Clone)]
pub struct Options {
    /// Of the picture, in pixels at scale 1.
    pub width: u32,
    pub height: u32,
    pub theme: Theme,
    /// The part to draw; without it, everything.
    pub view: Option<View>,
    /// Types that are left out.
    pub hidden_types: Vec<String>,
    pub legend: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            width: 1600,
            height: 1000,
            theme: Theme::Light,
            view: None,
            hidden_types: Vec::new(),
            legend: true,
        }
    }
}

/// Sides of a picture, in pixels.
pub const MIN_SIDE: u32 = 64;
pub const MAX_SIDE: u32 = 8_192;
