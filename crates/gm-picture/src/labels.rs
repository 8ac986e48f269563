//! Which names are written, and where, so that none lies on another or on a dot.

use std::collections::HashMap;

use crate::Graph;
use crate::frame::Frame;
use crate::text::{shortened, width};

const HEIGHT: f32 = 15.0;
const GAP: f32 = 3.0;
const CELL: f32 = 64.0;
const MOST_CHARACTERS: usize = 24;
/// Up to so many nodes every label that fits is welcome; above, those of dots large enough.
const FEW: usize = 140;
const FROM_RADIUS: f32 = 6.0;
/// These are written whatever their size.
const TOP: usize = 30;
const MOST_LABELS: usize = 1_500;

pub(crate) struct Label {
    pub node: usize,
    pub text: String,
    /// Of the text's start and baseline.
    pub x: f32,
    pub y: f32,
}

#[derive(Clone, Copy)]
struct Area {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

/// Areas by the squares they touch.
#[derive(Default)]
struct Taken(HashMap<(i32, i32), Vec<(Area, usize)>>);

impl Taken {
    fn cells(area: Area) -> impl Iterator<Item = (i32, i32)> {
        let cell = |v: f32| (v / CELL).floor() as i32;
        let (left, right) = (cell(area.left), cell(area.right));
        (cell(area.top)..=cell(area.bottom)).flat_map(move |y| (left..=right).map(move |x| (x, y)))
    }

    fn add(&mut self, area: Area, owner: usize) {
        for cell in Self::cells(area) {
            self.0.entry(cell).or_default().push((area, owner));
        }
    }

    fn is_free(&self, area: Area, owner: usize) -> bool {
        Self::cells(area).all(|cell| {
            self.0.get(&cell).is_none_or(|taken| {
                taken.iter().all(|(other, of)| {
                    *of == owner
                        || area.right <= other.left
                        || other.right <= area.left
                        || area.bottom <= other.top
                        || other.bottom <= area.top
                })
            })
        })
    }
}

/// The labels of the most linked nodes first; `reserved` is kept free of them (left, top, right, bottom).
pub(crate) fn labels(graph: &Graph<'_>, frame: &Frame, reserved: Option<[f32; 4]>) -> Vec<Label> {
    let (wide, high) = frame.size();
    let mut taken = Taken::default();
    let mut nodes: Vec<usize> = frame.nodes().filter(|&n| frame.sees(frame.at(graph, n), 0.0)).collect();
    if let Some([left, top, right, bottom]) = reserved {
        taken.add(Area { left, top, right, bottom }, usize::MAX);
    }
    for &node in &nodes {
        let ((x, y), r) = (frame.at(graph, node), frame.radius(node));
        taken.add(Area { left: x - r, top: y - r, right: x + r, bottom: y + r }, node);
    }
    nodes.sort_by_key(|&node| (std::cmp::Reverse(frame.degree[node]), node));
    let few = nodes.len() <= FEW;
    let mut labels = Vec::new();
    for (rank, node) in nodes.into_iter().enumerate() {
        let radius = frame.radius(node);
        if labels.len() >= MOST_LABELS || !(few || rank < TOP || radius >= FROM_RADIUS) {
            continue;
        }
        let name = graph.names.get(node).map_or("", String::as_str);
        let text = shortened(name.trim(), MOST_CHARACTERS);
        if text.is_empty() {
            continue;
        }
        let ((x, y), w) = (frame.at(graph, node), width(&text));
        let reach = radius + GAP;
        // Below the dot, then to the right, above, to the left.
        let places = [
            (x - w / 2.0, y + reach),
            (x + reach + 2.0, y - HEIGHT / 2.0),
            (x - w / 2.0, y - reach - HEIGHT),
            (x - reach - 2.0 - w, y - HEIGHT / 2.0),
        ];
        let free = places.into_iter().find(|&(left, top)| {
            let area = Area { left, top, right: left + w, bottom: top + HEIGHT };
            let inside = left >= 2.0 && top >= 2.0 && left + w <= wide - 2.0 && top + HEIGHT <= high - 2.0;
            inside && taken.is_free(area, node)
        });
        if let Some((left, top)) = free {
            taken.add(Area { left, top, right: left + w, bottom: top + HEIGHT }, usize::MAX);
            labels.push(Label { node, text, x: left, y: top + HEIGHT - 4.0 });
        }
    }
    labels
}
