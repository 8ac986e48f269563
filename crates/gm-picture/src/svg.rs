//! The picture as SVG.

use std::collections::HashMap;
use std::fmt::Write;

use crate::frame::Frame;
use crate::labels::{Label, labels};
use crate::look::{Colours, Shape};
use crate::text::{shortened, shown, width};
use crate::{Graph, Options};

const FONT: &str =
    "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif";
/// Types told in the legend; more are counted.
const LEGEND_ROWS: usize = 14;
const ROW: f32 = 20.0;
const MARGIN: f32 = 16.0;
const ARROWS_FROM_ZOOM: f32 = 0.42;
/// Apex of the curve, as a share of an edge's length, for each step of a fan of parallel edges.
const BEND_STEP: f32 = 0.12;
const FAN_LIMIT: usize = 5;

/// The graph as an SVG document of the given size.
pub fn svg(graph: &Graph<'_>, options: &Options) -> String {
    let colours = options.theme.colours();
    let frame = Frame::new(graph, options);
    let (wide, high) = frame.size();
    let legend = if options.legend { Legend::of(graph, &frame) } else { None };
    let mut out = String::with_capacity(4096 + 90 * (graph.names.len() + graph.edge_source.len()));
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" \
         font-family=\"{FONT}\">\n<title>{}</title>\n<rect width=\"{wide}\" height=\"{high}\" fill=\"{}\"/>\n",
        shown(graph.title),
        colours.canvas,
    );
    edges(&mut out, graph, &frame, colours);
    nodes(&mut out, graph, &frame, colours);
    let reserved = legend.as_ref().map(|legend| legend.area(high));
    let labels = labels(graph, &frame, reserved);
    names(&mut out, &labels, &frame, colours);
    if let Some(legend) = legend {
        legend.write(&mut out, graph, high, colours);
    }
    out.push_str("</svg>\n");
    out
}

/// Faint where many lines would become a solid block, as on the canvas.
fn edge_opacity(visible: usize) -> f32 {
    let slide = |value: f32, from: f32, to: f32, start: f32, end: f32| {
        start + (end - start) * ((value / from).ln() / (to / from).ln())
    };
    match visible {
        0..=300 => 1.0,
        301..=5_000 => slide(visible as f32, 300.0, 5_000.0, 1.0, 0.3),
        _ => slide(visible.min(60_000) as f32, 5_000.0, 60_000.0, 0.3, 0.1),
    }
}

fn edges(out: &mut String, graph: &Graph<'_>, frame: &Frame, colours: &Colours) {
    let is_shown = |node: u32| frame.shown.get(node as usize).copied().unwrap_or(false);
    let visible: Vec<usize> = (0..graph.edge_source.len().min(graph.edge_target.len()))
        .filter(|&e| is_shown(graph.edge_source[e]) && is_shown(graph.edge_target[e]))
        .filter(|&e| {
            let (a, b) = (
                frame.at(graph, graph.edge_source[e] as usize),
                frame.at(graph, graph.edge_target[e] as usize),
            );
            let (wide, high) = frame.size();
            a.0.max(b.0) > 0.0 && a.0.min(b.0) < wide && a.1.max(b.1) > 0.0 && a.1.min(b.1) < high
        })
        .collect();
    let bends = bends(graph, &visible);
    let arrows = frame.zoom() >= ARROWS_FROM_ZOOM;
    let scale = frame.zoom().powf(0.3).clamp(0.65, 2.0);
    let _ = writeln!(
        out,
        "<g fill=\"none\" stroke=\"{}\" stroke-opacity=\"{:.2}\">",
        colours.edge,
        edge_opacity(visible.len())
    );
    let mut heads = String::new();
    for e in visible {
        let (source, target) = (graph.edge_source[e] as usize, graph.edge_target[e] as usize);
        let weight = graph.edge_weight.get(e).copied().unwrap_or(1.0).clamp(0.0, 1.0);
        let line = (0.7 + 0.7 * weight) * scale;
        let (a, b) = (frame.at(graph, source), frame.at(graph, target));
        let radius = frame.radius(target) + 1.0;
        let bend = bends.get(&e).copied().unwrap_or(0.0);
        // The direction in which the line arrives.
        let (tip, direction) = if source == target {
            let r = frame.radius(source);
            let up = r + 14.0 * bend.max(1.0);
            let _ = writeln!(
                out,
                "<path d=\"M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}\" stroke-width=\"{line:.2}\"/>",
                a.0 - r * 0.6,
                a.1 - r * 0.8,
                a.0 - up,
                a.1 - 1.6 * up,
                a.0 + up,
                a.1 - 1.6 * up,
                a.0 + r * 0.6,
                a.1 - r * 0.8,
            );
            continue;
        } else if bend == 0.0 {
            let length = (b.0 - a.0).hypot(b.1 - a.1).max(1e-3);
            let direction = ((b.0 - a.0) / length, (b.1 - a.1) / length);
            let tip = (b.0 - direction.0 * radius, b.1 - direction.1 * radius);
            let _ = writeln!(
                out,
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke-width=\"{line:.2}\"/>",
                a.0, a.1, tip.0, tip.1
            );
            (tip, direction)
        } else {
            let (mx, my) = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
            // A quadratic curve's apex lies half way to its control point.
            let control = (mx - (b.1 - a.1) * bend * 2.0, my + (b.0 - a.0) * bend * 2.0);
            let length = (b.0 - control.0).hypot(b.1 - control.1).max(1e-3);
            let direction = ((b.0 - control.0) / length, (b.1 - control.1) / length);
            let tip = (b.0 - direction.0 * radius, b.1 - direction.1 * radius);
            let _ = writeln!(
                out,
                "<path d=\"M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}\" stroke-width=\"{line:.2}\"/>",
                a.0, a.1, control.0, control.1, tip.0, tip.1
            );
            (tip, direction)
        };
        if arrows && frame.sees(tip, 10.0) {
            let (back, side) = ((tip.0 - direction.0 * 7.0, tip.1 - direction.1 * 7.0), 2.5);
            let _ = write!(
                heads,
                "M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z",
                tip.0,
                tip.1,
                back.0 - direction.1 * side,
                back.1 + direction.0 * side,
                back.0 + direction.1 * side,
                back.1 - direction.0 * side,
            );
        }
    }
    out.push_str("</g>\n");
    if !heads.is_empty() {
        let _ = writeln!(out, "<path d=\"{heads}\" fill=\"{}\"/>", colours.edge);
    }
}

/// Edges between the same two nodes are spread into a fan; loops are numbered.
fn bends(graph: &Graph<'_>, visible: &[usize]) -> HashMap<usize, f32> {
    let mut pairs: HashMap<(u32, u32), Vec<usize>> = HashMap::new();
    for &e in visible {
        let (s, t) = (graph.edge_source[e], graph.edge_target[e]);
        pairs.entry((s.min(t), s.max(t))).or_default().push(e);
    }
    let mut bends = HashMap::new();
    for ((low, high), edges) in pairs {
        if low == high {
            bends.extend(edges.iter().enumerate().map(|(step, &e)| (e, 1.0 + step.min(FAN_LIMIT) as f32)));
        } else if edges.len() > 1 {
            let n = edges.len().min(FAN_LIMIT);
            for (at, &e) in edges.iter().enumerate() {
                let apex = ((at % n) as f32 - (n - 1) as f32 / 2.0) * BEND_STEP;
                bends.insert(e, if graph.edge_source[e] == low { apex } else { -apex });
            }
        }
    }
    bends
}

fn nodes(out: &mut String, graph: &Graph<'_>, frame: &Frame, colours: &Colours) {
    let _ = writeln!(out, "<g stroke=\"{}\" stroke-width=\"1\">", colours.canvas);
    for node in frame.nodes() {
        let (at, radius) = (frame.at(graph, node), frame.radius(node));
        if !frame.sees(at, radius + 2.0) {
            continue;
        }
        let (colour, shape) = colours.of_type(graph.type_index[node] as usize);
        mark(out, at, radius, colour, shape);
    }
    out.push_str("</g>\n");
}

fn mark(out: &mut String, (x, y): (f32, f32), radius: f32, colour: &str, shape: Shape) {
    if shape == Shape::Circle {
        let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\"/>");
        return;
    }
    let scale = radius / 9.0;
    let _ = writeln!(
        out,
        "<path transform=\"translate({:.1} {:.1}) scale({scale:.3})\" d=\"{}\" fill=\"{colour}\"/>",
        x - 12.0 * scale,
        y - 12.0 * scale,
        shape.path(),
    );
}

fn names(out: &mut String, labels: &[Label], frame: &Frame, colours: &Colours) {
    // The stroke lies under the letters: it keeps them readable over edges.
    let _ = writeln!(
        out,
        "<g font-size=\"12\" stroke=\"{}\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\">",
        colours.canvas
    );
    for label in labels {
        let large = frame.radius(label.node) >= 9.0;
        let (fill, weight) =
            if large { (colours.strong, " font-weight=\"600\"") } else { (colours.resting, "") };
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{fill}\"{weight} textLength=\"{:.0}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>",
            label.x,
            label.y,
            width(&label.text),
            shown(&label.text)
        );
    }
    out.push_str("</g>\n");
}

struct Legend {
    /// Number of the type and how many nodes of it are shown.
    rows: Vec<(usize, usize)>,
    n_more: usize,
    wide: f32,
}

impl Legend {
    fn of(graph: &Graph<'_>, frame: &Frame) -> Option<Self> {
        let mut counts = vec![0usize; graph.types.len()];
        for node in frame.nodes() {
            if let Some(count) = counts.get_mut(graph.type_index[node] as usize) {
                *count += 1;
            }
        }
        let mut rows: Vec<(usize, usize)> = counts.into_iter().enumerate().filter(|(_, n)| *n > 0).collect();
        let n_more = rows.len().saturating_sub(LEGEND_ROWS);
        rows.truncate(LEGEND_ROWS);
        let widest = rows
            .iter()
            .map(|(of, n)| width(&name_of(graph, *of)) + width(&n.to_string()))
            .fold(60.0, f32::max);
        (!rows.is_empty()).then_some(Self { rows, n_more, wide: widest + 68.0 })
    }

    fn high(&self) -> f32 {
        (self.rows.len() + usize::from(self.n_more > 0)) as f32 * ROW + 16.0
    }

    fn area(&self, high: f32) -> [f32; 4] {
        [0.0, high - MARGIN - self.high() - 4.0, MARGIN + self.wide + 4.0, high]
    }

    fn write(&self, out: &mut String, graph: &Graph<'_>, high: f32, colours: &Colours) {
        let top = high - MARGIN - self.high();
        let _ = writeln!(
            out,
            "<g font-size=\"12\"><rect x=\"{MARGIN}\" y=\"{top}\" width=\"{:.0}\" height=\"{}\" rx=\"8\" fill=\"{}\" stroke=\"{}\"/>",
            self.wide,
            self.high(),
            colours.plate,
            colours.border,
        );
        for (row, &(of, n)) in self.rows.iter().enumerate() {
            let y = top + 8.0 + ROW * (row as f32 + 0.5);
            let (colour, shape) = colours.of_type(of);
            mark(out, (MARGIN + 16.0, y), 5.0, colour, shape);
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text><text x=\"{:.0}\" y=\"{}\" fill=\"{}\" text-anchor=\"end\">{n}</text>",
                MARGIN + 30.0,
                y + 4.0,
                colours.strong,
                shown(&name_of(graph, of)),
                MARGIN + self.wide - 12.0,
                y + 4.0,
                colours.resting,
            );
        }
        if self.n_more > 0 {
            let y = top + 8.0 + ROW * (self.rows.len() as f32 + 0.5) + 4.0;
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{y}\" fill=\"{}\">{} more types</text>",
                MARGIN + 30.0,
                colours.resting,
                self.n_more
            );
        }
        out.push_str("</g>\n");
    }
}

fn name_of(graph: &Graph<'_>, of: usize) -> String {
    shortened(&graph.types[of], 28)
}
