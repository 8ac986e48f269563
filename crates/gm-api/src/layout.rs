//! Layouts for an explorer: a picture comes up as bytes, frames go down as bytes.
//!
//! ```text
//! picture   u32 layout, u32 version, u32 nodes n, u32 links m, u32 flags, f32 alpha,
//!           f32 x,y × n, f32 radius × n, u32 type × n, u32 source × m, u32 target × m, f32 weight × m,
//!           u8 pinned × n
//! frame     u32 version, u32 serial, f32 alpha, u32 settled, f32 milliseconds per tick, u32 nodes n,
//!           f32 x,y × n; nothing at all when no frame came in time
//! places    f32 x,y × n
//! groups    u32 groups, f32 modularity, u32 group × n
//! ```
//!
//! Everything is little-endian. A layout is named by a number the page draws by lot; its frames are
//! pulled, so there is never more than one under way, and nothing comes once it has settled.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use gm_engine::layout::{self, Arrangement, Order, Parameters, Point, Supervisor, Topology};
use parking_lot::Mutex;

use crate::app::{App, Caller};
use crate::commands::Result;
use crate::error::ApiError;
use crate::wire::{ArrangeKind, FrameRequest, LayoutOrder, LayoutSettings, LayoutStep, Nothing};

/// Layouts kept at once, one per open page; the one unused for longest goes.
const MAX_LAYOUTS: usize = 8;
/// Nodes and links of one picture.
const MAX_NODES: usize = 1_000_000;
const MAX_LINKS: usize = 5_000_000;
/// How long a question for a frame waits for one.
const FRAME_WAIT: Duration = Duration::from_millis(1_500);

const QUIET: u32 = 1;
const HAS_ALPHA: u32 = 2;
/// The way a picture is to be arranged stands in the flags from here on.
const KIND_SHIFT: u32 = 8;

#[derive(Default)]
pub(crate) struct Layouts(Mutex<VecDeque<(u32, Arc<Supervisor>)>>);

impl Layouts {
    /// The layout of this number, if it began and is still kept.
    fn known(&self, layout: u32) -> Option<Arc<Supervisor>> {
        self.0.lock().iter().find(|(id, _)| *id == layout).map(|(_, supervisor)| supervisor.clone())
    }

    fn of(&self, layout: u32) -> Result<Arc<Supervisor>> {
        // What goes ends outside the lock: its thread may be in the middle of a tick.
        let mut gone = Vec::new();
        let mut kept = self.0.lock();
        let found = kept.iter().position(|(id, _)| *id == layout).and_then(|at| kept.remove(at));
        let (id, supervisor) = match found {
            Some(entry) => entry,
            None => {
                let begun = Supervisor::start();
                let begun =
                    begun.map_err(|_| ApiError::new("internal", "no thread for a layout can be had"))?;
                (layout, Arc::new(begun))
            }
        };
        kept.push_back((id, supervisor.clone()));
        while kept.len() > MAX_LAYOUTS {
            gone.extend(kept.pop_front());
        }
        drop(kept);
        Ok(supervisor)
    }
}

/// Runs one command that takes bytes.
pub(crate) fn dispatch(app: &App, command: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    match command {
        "layout_start" => start(app, Picture::read(bytes)?),
        "communities" => Ok(groups(&Picture::read(bytes)?)),
        "arrange" => places(&Picture::read(bytes)?),
        _ => Err(ApiError::new("unknown_command", "there is no such command for bytes")),
    }
}

fn start(app: &App, picture: Picture) -> Result<Vec<u8>> {
    let supervisor = app.layouts().of(picture.layout)?;
    let alpha = (picture.flags & HAS_ALPHA != 0).then_some(picture.alpha);
    let pinned = (0..).zip(&picture.pinned).filter(|(_, pinned)| **pinned != 0).map(|(node, _)| node);
    supervisor.order(Order::Start {
        pinned: pinned.collect(),
        alpha,
        quiet: picture.flags & QUIET != 0,
        points: picture.points,
        topology: Topology {
            version: picture.version,
            links: picture.links,
            weights: picture.weights,
            radii: picture.radii,
        },
    });
    Ok(Vec::new())
}

fn groups(picture: &Picture) -> Vec<u8> {
    let found = layout::communities(picture.points.len(), &picture.links, &picture.weights);
    let mut out = Vec::with_capacity(8 + 4 * found.of.len());
    out.extend((found.n as u32).to_le_bytes());
    out.extend((found.modularity as f32).to_le_bytes());
    out.extend(found.of.iter().flat_map(|group| group.to_le_bytes()));
    out
}

fn places(picture: &Picture) -> Result<Vec<u8>> {
    let n = picture.points.len();
    let kind = ArrangeKind::ALL.get((picture.flags >> KIND_SHIFT) as usize);
    let placed = match kind {
        Some(ArrangeKind::Force) => layout::place(&vec![None; n], &picture.links),
        Some(ArrangeKind::Circle) => layout::arrange(Arrangement::Circle, n, &picture.links, &picture.types),
        Some(ArrangeKind::Tree) => layout::arrange(Arrangement::Tree, n, &picture.links, &picture.types),
        Some(ArrangeKind::ByType) => layout::arrange(Arrangement::ByType, n, &picture.links, &picture.types),
        None => return Err(ApiError::new("invalid_argument", "there is no such arrangement")),
    };
    Ok(bytes_of(&placed))
}

fn bytes_of(points: &[Point]) -> Vec<u8> {
    points.iter().flat_map(|p| [p.x, p.y]).flat_map(f32::to_le_bytes).collect()
}

/// Steers a layout. One that never began is none: the order is about nothing, but for settings, which are those
/// of the layout that will begin.
pub(crate) fn layout_order(app: &App, _: Caller, request: LayoutOrder) -> Result<Nothing> {
    let at = |x: f32, y: f32| Point::new(x, y);
    let order = match request.order {
        LayoutStep::Pin { node, x, y } => Order::Pin { node, at: at(x, y) },
        LayoutStep::Unpin { node } => Order::Unpin { node },
        LayoutStep::Hold { nodes, xy } => {
            let places = xy.chunks_exact(2).map(|p| at(p[0], p[1]));
            Order::Hold { nodes: nodes.into_iter().zip(places).collect() }
        }
        LayoutStep::Release => Order::Release,
        LayoutStep::Reheat { alpha } => Order::Reheat { alpha },
        LayoutStep::Settings(settings) => Order::Parameters(parameters_of(&settings)),
        LayoutStep::Pause { paused } => Order::Pause(paused),
        LayoutStep::Stop => Order::Stop,
    };
    let supervisor = match order {
        Order::Parameters(_) => Some(app.layouts().of(request.layout)?),
        _ => app.layouts().known(request.layout),
    };
    if let Some(supervisor) = supervisor {
        supervisor.order(order);
    }
    Ok(Nothing {})
}

/// A person's settings are factors of the explorer's own.
fn parameters_of(settings: &LayoutSettings) -> Parameters {
    let bound = |v: f32, low: f32, high: f32| if v.is_finite() { v.clamp(low, high) } else { 1.0 };
    let own = Parameters::explorer();
    let repulsion = bound(settings.repulsion, 0.0, 10.0);
    let gravity = bound(settings.gravity, 0.0, 10.0);
    Parameters {
        charge: own.charge * repulsion,
        charge_per_radius: own.charge_per_radius * repulsion,
        link_distance: own.link_distance * bound(settings.link_distance, 0.05, 10.0),
        link_strength: own.link_strength * bound(settings.link_strength, 0.0, 2.0),
        velocity_decay: (own.velocity_decay * bound(settings.damping, 0.1, 2.2)).min(0.95),
        gravity_x: own.gravity_x * gravity,
        gravity_y: own.gravity_y * gravity,
        theta: bound(settings.theta, 0.2, 1.5),
        ..own
    }
}

/// The newest frame after the given one; empty when none came for a while.
pub(crate) fn layout_frame(app: &App, _: Caller, request: FrameRequest) -> Result<Vec<u8>> {
    let supervisor = app.layouts().known(request.layout);
    let supervisor = supervisor.ok_or_else(|| ApiError::new("not_found", "this layout is over"))?;
    let Some(frame) = supervisor.frame_after(u64::from(request.after), FRAME_WAIT) else {
        return Ok(Vec::new());
    };
    let mut out = Vec::with_capacity(24 + 8 * frame.points.len());
    out.extend(frame.version.to_le_bytes());
    out.extend((frame.serial as u32).to_le_bytes());
    out.extend(frame.alpha.to_le_bytes());
    out.extend(u32::from(frame.settled).to_le_bytes());
    out.extend(frame.tick_ms.to_le_bytes());
    out.extend((frame.points.len() as u32).to_le_bytes());
    out.extend(bytes_of(&frame.points));
    Ok(out)
}

/// A picture as it came up, checked.
#[derive(Debug)]
struct Picture {
    layout: u32,
    version: u32,
    flags: u32,
    alpha: f32,
    points: Vec<Point>,
    radii: Vec<f32>,
    types: Vec<u32>,
    links: Vec<(u32, u32)>,
    weights: Vec<f32>,
    pinned: Vec<u8>,
}

impl Picture {
    fn read(bytes: &[u8]) -> Result<Self> {
        let wrong =
            |what: &str| ApiError::new("invalid_argument", format!("the picture is not whole: {what}"));
        let (head, rest) = bytes.split_at_checked(24).ok_or_else(|| wrong("its head is short"))?;
        let head: Vec<u32> = words(head).collect();
        let (n, m) = (head[2] as usize, head[3] as usize);
        if n > MAX_NODES || m > MAX_LINKS {
            return Err(ApiError::new(
                "too_large",
                format!("a picture may have {MAX_NODES} nodes and {MAX_LINKS} links at most"),
            ));
        }
        if rest.len() != 17 * n + 12 * m {
            return Err(wrong("its length does not fit its nodes and links"));
        }
        let mut rest = rest;
        let mut take = |n_bytes: usize| {
            let (part, after) = rest.split_at(n_bytes);
            rest = after;
            part
        };
        let points = floats(take(8 * n)).collect::<Vec<_>>();
        let radii: Vec<f32> = floats(take(4 * n)).collect();
        let types: Vec<u32> = words(take(4 * n)).collect();
        let sources: Vec<u32> = words(take(4 * m)).collect();
        let links: Vec<(u32, u32)> = sources.into_iter().zip(words(take(4 * m))).collect();
        let weights: Vec<f32> = floats(take(4 * m)).collect();
        let pinned = take(n).to_vec();
        if links.iter().any(|&(s, t)| s as usize >= n || t as usize >= n) {
            return Err(wrong("a link has an end that is no node"));
        }
        if types.iter().any(|&of| of > u32::from(u16::MAX)) {
            return Err(wrong("a type has a number above 65,535"));
        }
        if head[4] & HAS_ALPHA != 0 && !f32::from_bits(head[5]).is_finite() {
            return Err(wrong("its temperature is no number"));
        }
        if radii.iter().chain(&weights).any(|v| !v.is_finite()) {
            return Err(wrong("a size or weight is no number"));
        }
        Ok(Self {
            layout: head[0],
            version: head[1],
            flags: head[4],
            alpha: f32::from_bits(head[5]),
            points: points.chunks_exact(2).map(|p| Point::new(p[0], p[1])).collect(),
            radii,
            types,
            links,
            weights,
            pinned,
        })
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four bytes")))
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    words(bytes).map(f32::from_bits)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn picture(n: u32, links: &[(u32, u32)]) -> Vec<u8> {
        let m = links.len() as u32;
        let mut out: Vec<u8> = [7, 3, n, m, HAS_ALPHA].iter().flat_map(|w: &u32| w.to_le_bytes()).collect();
        out.extend(0.5f32.to_le_bytes());
        out.extend((0..n).flat_map(|i| [i as f32, -(i as f32)]).flat_map(f32::to_le_bytes));
        out.extend((0..n).flat_map(|_| 5f32.to_le_bytes()));
        out.extend((0..n).flat_map(|i| (i % 2).to_le_bytes()));
        out.extend(links.iter().flat_map(|l| l.0.to_le_bytes()));
        out.extend(links.iter().flat_map(|l| l.1.to_le_bytes()));
        out.extend(links.iter().flat_map(|_| 1f32.to_le_bytes()));
        out.extend((0..n).map(|i| u8::from(i == 1)));
        out
    }

    #[test]
    fn a_picture_is_read_as_it_was_written() {
        let read = Picture::read(&picture(3, &[(0, 1), (2, 1)])).unwrap();
        assert_eq!((read.layout, read.version, read.alpha), (7, 3, 0.5));
        assert_eq!(read.points[2], Point::new(2.0, -2.0));
        assert_eq!(
            (read.links, read.pinned, read.types),
            (vec![(0, 1), (2, 1)], vec![0, 1, 0], vec![0, 1, 0])
        );
        assert_eq!(Picture::read(&picture(3, &[(0, 3)])).unwrap_err().code, "invalid_argument");
        let with = |at: usize, word: u32| {
            let mut bytes = picture(3, &[]);
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
            Picture::read(&bytes)
        };
        assert!(with(24 + 36, u32::MAX).unwrap_err().message.contains("type"));
        assert!(with(20, f32::NAN.to_bits()).unwrap_err().message.contains("temperature"));
        assert_eq!(with(8, u32::MAX).unwrap_err().code, "too_large");
        let mut short = picture(3, &[]);
        short.pop();
        assert_eq!(Picture::read(&short).unwrap_err().code, "invalid_argument");
    }

    proptest! {
        #[test]
        fn no_bytes_do_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200), n in 0u32..5, m in 0u32..5) {
            let _ = Picture::read(&bytes);
            let mut told = bytes;
            if told.len() >= 24 {
                told[8..12].copy_from_slice(&n.to_le_bytes());
                told[12..16].copy_from_slice(&m.to_le_bytes());
                told.resize(24 + 17 * n as usize + 12 * m as usize, 1);
                if let Ok(picture) = Picture::read(&told) {
                    let _ = groups(&picture);
                    let _ = places(&picture);
                }
            }
        }
    }
}
