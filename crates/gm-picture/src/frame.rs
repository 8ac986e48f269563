//! What part of the graph is seen, and how large.

use crate::{Graph, Options};

/// Kept free round everything.
const PADDING: f32 = 56.0;
const MIN_ZOOM: f32 = 1e-4;
const MAX_ZOOM: f32 = 32.0;
/// A graph of two nodes need not fill the picture.
const MAX_FIT: f32 = 2.4;

/// The place in the middle, and pixels per layout unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    pub x: f32,
    pub y: f32,
    pub zoom: f32,
}

/// A graph in a picture.
pub(crate) struct Frame {
    view: View,
    width: f32,
    height: f32,
    /// Which nodes are drawn.
    pub shown: Vec<bool>,
    pub degree: Vec<u32>,
}

impl Frame {
    pub(crate) fn new(graph: &Graph<'_>, options: &Options) -> Self {
        let hidden: Vec<bool> = graph.types.iter().map(|t| options.hidden_types.contains(t)).collect();
        let shown: Vec<bool> = graph
            .type_index
            .iter()
            .enumerate()
            .map(|(node, &of)| {
                let is_placed = place(graph, node).is_some_and(|(x, y)| x.is_finite() && y.is_finite());
                is_placed && !hidden.get(of as usize).copied().unwrap_or(false)
            })
            .collect();
        let mut degree = vec![0; shown.len()];
        for (&source, &target) in graph.edge_source.iter().zip(graph.edge_target) {
            for node in if source == target { vec![source] } else { vec![source, target] } {
                if let Some(degree) = degree.get_mut(node as usize) {
                    *degree += 1;
                }
            }
        }
        let (width, height) = (options.width as f32, options.height as f32);
        let mut frame = Self { view: View { x: 0.0, y: 0.0, zoom: 1.0 }, width, height, shown, degree };
        let given = options.view.filter(|v| v.zoom > 0.0 && [v.x, v.y, v.zoom].iter().all(|n| n.is_finite()));
        let given = given.map(|v| View { zoom: v.zoom.clamp(MIN_ZOOM, MAX_ZOOM), ..v });
        frame.view = given.unwrap_or_else(|| frame.fit(graph));
        frame
    }

    fn fit(&self, graph: &Graph<'_>) -> View {
        let mut bounds: Option<[f32; 4]> = None;
        for (x, y) in self.nodes().filter_map(|node| place(graph, node)) {
            let b = bounds.get_or_insert([x, x, y, y]);
            *b = [b[0].min(x), b[1].max(x), b[2].min(y), b[3].max(y)];
        }
        let Some([left, right, top, bottom]) = bounds else { return self.view };
        let free = |side: f32| (side - 2.0 * PADDING).max(side / 4.0);
        let zoom =
            (free(self.width) / (right - left).max(1.0)).min(free(self.height) / (bottom - top).max(1.0));
        View { x: (left + right) / 2.0, y: (top + bottom) / 2.0, zoom: zoom.clamp(MIN_ZOOM, MAX_FIT) }
    }

    /// Indices of what is drawn.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.shown.iter().enumerate().filter(|(_, shown)| **shown).map(|(node, _)| node)
    }

    pub(crate) fn zoom(&self) -> f32 {
        self.view.zoom
    }

    pub(crate) fn size(&self) -> (f32, f32) {
        (self.width, self.height)
    }

    /// Where a node is in the picture.
    pub(crate) fn at(&self, graph: &Graph<'_>, node: usize) -> (f32, f32) {
        let (x, y) = place(graph, node).unwrap_or_default();
        (
            (x - self.view.x) * self.view.zoom + self.width / 2.0,
            (y - self.view.y) * self.view.zoom + self.height / 2.0,
        )
    }

    /// Radius of a dot in pixels: it grows with the root of the zoom, as on the canvas.
    pub(crate) fn radius(&self, node: usize) -> f32 {
        let radius = (4.0 + 2.0 * (self.degree[node] as f32).sqrt()).clamp(5.0, 22.0);
        (radius * self.view.zoom.sqrt()).max(1.3)
    }

    /// Whether a point with this much round it is in the picture.
    pub(crate) fn sees(&self, (x, y): (f32, f32), reach: f32) -> bool {
        x > -reach && y > -reach && x < self.width + reach && y < self.height + reach
    }
}

fn place(graph: &Graph<'_>, node: usize) -> Option<(f32, f32)> {
    Some((*graph.positions.get(2 * node)?, *graph.positions.get(2 * node + 1)?))
}
