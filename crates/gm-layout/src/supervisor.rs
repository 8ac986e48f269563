//! A thread that runs a simulation and keeps the newest frame for whoever asks.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::{Parameters, Point, Simulation};

/// A frame of the screen, and how much of it may go to ticks: the rest is others'.
const FRAME: Duration = Duration::from_millis(16);
const SLICE: Duration = Duration::from_millis(12);
/// Visible settling: up to this many nodes within the first time, above it within the second.
const SMALL: usize = 2_000;
const SETTLE_SMALL: Duration = Duration::from_millis(1_200);
const SETTLE_LARGE: Duration = Duration::from_millis(2_600);
/// Ticks of a whole layout: more change nothing to be seen, fewer leave it tangled.
const MOST_TICKS: usize = 300;
const FEWEST_TICKS: usize = 40;
/// Nobody has asked for a frame for this long: the layout waits until somebody does.
const UNWATCHED: Duration = Duration::from_secs(5);
/// Where a layout begins whose places are good already.
const WARM: f32 = 0.3;

/// What is laid out. The numbers of nodes are good for one version only.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Topology {
    pub version: u32,
    pub links: Vec<(u32, u32)>,
    /// 0 to 1 per link, or none.
    pub weights: Vec<f32>,
    pub radii: Vec<f32>,
}

/// What a supervisor is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Lay this out, beginning at these places; what ran before is dropped.
    Start {
        topology: Topology,
        points: Vec<Point>,
        pinned: Vec<u32>,
        /// 0 to 1; without it, that of places that are good already.
        alpha: Option<f32>,
        /// The end only, and as fast as it goes.
        quiet: bool,
    },
    Pin {
        node: u32,
        at: Point,
    },
    Unpin {
        node: u32,
    },
    /// A person holds these nodes at these places.
    Hold {
        nodes: Vec<(u32, Point)>,
    },
    /// What was held stays there; the rest comes to rest.
    Release,
    Reheat {
        alpha: f32,
    },
    /// For this and later layouts.
    Parameters(Parameters),
    Pause(bool),
    Stop,
}

/// Where everything is.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Of the topology.
    pub version: u32,
    /// Grows with every frame.
    pub serial: u64,
    pub alpha: f32,
    /// The last frame of this layout.
    pub settled: bool,
    /// What one tick takes, in milliseconds.
    pub tick_ms: f32,
    pub points: Vec<Point>,
}

/// Owns the thread; it ends with the supervisor, and sleeps while nothing moves.
#[derive(Debug)]
pub struct Supervisor {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    desk: Mutex<Desk>,
    /// Orders came.
    ordered: Condvar,
    /// A frame came.
    framed: Condvar,
}

#[derive(Debug, Default)]
struct Desk {
    orders: Vec<Order>,
    ended: bool,
    frame: Option<Arc<Frame>>,
    serial: u64,
    /// When a frame was last asked for, or something ordered.
    asked: Option<Instant>,
}

impl Desk {
    /// Whoever looked at this layout is gone.
    fn is_unwatched(&self) -> bool {
        self.asked.is_some_and(|asked| asked.elapsed() > UNWATCHED)
    }
}

impl Supervisor {
    pub fn start() -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let worker =
            Worker { shared: shared.clone(), run: None, parameters: Parameters::explorer(), paused: false };
        let thread = std::thread::Builder::new().name("layout".into()).spawn(move || worker.work())?;
        Ok(Self { shared, thread: Some(thread) })
    }

    pub fn order(&self, order: Order) {
        let mut desk = self.shared.desk();
        if matches!(order, Order::Start { .. } | Order::Stop) {
            // Frames under way belong to a layout that is over.
            desk.frame = None;
        }
        desk.orders.push(order);
        desk.asked = Some(Instant::now());
        drop(desk);
        self.shared.ordered.notify_one();
    }

    /// The newest frame after the one of that serial number, waiting for it this long.
    pub fn frame_after(&self, serial: u64, wait: Duration) -> Option<Arc<Frame>> {
        let until = Instant::now() + wait;
        let mut desk = self.shared.desk();
        desk.asked = Some(Instant::now());
        self.shared.ordered.notify_one();
        loop {
            if let Some(frame) = desk.frame.as_ref().filter(|frame| frame.serial > serial) {
                return Some(frame.clone());
            }
            let left = until.checked_duration_since(Instant::now())?;
            let waited = self.shared.framed.wait_timeout(desk, left);
            desk = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.shared.desk().ended = true;
        self.shared.ordered.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn has_orders(&self) -> bool {
        let desk = self.desk();
        desk.ended || !desk.orders.is_empty()
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Worker {
    shared: Arc<Shared>,
    run: Option<Run>,
    parameters: Parameters,
    paused: bool,
}

/// A layout under way.
struct Run {
    simulation: Simulation,
    version: u32,
    quiet: bool,
    settle: Duration,
    tick: Option<Duration>,
    n_ticks: usize,
}

impl Worker {
    fn work(mut self) {
        loop {
            let orders = {
                let mut desk = self.shared.desk();
                while desk.orders.is_empty()
                    && !desk.ended
                    && (self.run.is_none() || self.paused || desk.is_unwatched())
                {
                    desk = self.shared.ordered.wait(desk).unwrap_or_else(PoisonError::into_inner);
                }
                if desk.ended {
                    return;
                }
                std::mem::take(&mut desk.orders)
            };
            for order in orders {
                self.obey(order);
            }
            if !self.paused {
                self.advance();
            }
        }
    }

    fn obey(&mut self, order: Order) {
        match (order, &mut self.run) {
            (Order::Start { topology, points, pinned, alpha, quiet }, run) => {
                let settle = if points.len() <= SMALL { SETTLE_SMALL } else { SETTLE_LARGE };
                let Topology { version, links, weights, radii } = topology;
                let places = points.clone();
                let mut simulation = Simulation::with_sizes(points, &links, &weights, radii, self.parameters);
                simulation.set_alpha(alpha.unwrap_or(WARM));
                for node in pinned {
                    if let Some(&at) = places.get(node as usize) {
                        simulation.pin(node as usize, at);
                    }
                }
                simulation.plan(MOST_TICKS);
                *run = Some(Run { simulation, version, quiet, settle, tick: None, n_ticks: 0 });
            }
            (Order::Stop, run) => *run = None,
            (Order::Parameters(parameters), run) => {
                self.parameters = parameters;
                if let Some(run) = run {
                    let kept = *run.simulation.parameters();
                    let Parameters { alpha_decay, alpha_target, .. } = kept;
                    run.simulation.set_parameters(Parameters { alpha_decay, alpha_target, ..parameters });
                }
            }
            (Order::Pause(paused), _) => self.paused = paused,
            (Order::Pin { node, at }, Some(run)) => run.simulation.pin(node as usize, at),
            (Order::Unpin { node }, Some(run)) => run.simulation.unpin(node as usize),
            (Order::Hold { nodes }, Some(run)) => {
                for (node, at) in nodes {
                    run.simulation.hold(node as usize, at);
                }
            }
            (Order::Release, Some(run)) => run.simulation.release(),
            (Order::Reheat { alpha }, Some(run)) => {
                run.simulation.set_alpha(alpha);
                (run.n_ticks, run.tick) = (0, None);
                run.simulation.plan(MOST_TICKS);
            }
            // Nothing is under way that this could be about.
            (_, None) => {}
        }
    }

    /// One frame's ticks.
    fn advance(&mut self) {
        let Some(run) = &mut self.run else { return };
        let started = Instant::now();
        let per_frame = run.ticks_per_frame();
        let mut n = 0;
        while n < per_frame && !run.simulation.is_settled() {
            run.simulation.step();
            n += 1;
            if started.elapsed() >= SLICE && (!run.quiet || self.shared.has_orders()) {
                break;
            }
        }
        run.measure(started.elapsed(), n);
        let settled = run.simulation.is_settled();
        if settled || !run.quiet {
            let frame = Frame {
                version: run.version,
                serial: 0,
                alpha: run.simulation.alpha(),
                settled,
                tick_ms: run.tick.unwrap_or_default().as_secs_f32() * 1e3,
                points: run.simulation.points().to_vec(),
            };
            let mut desk = self.shared.desk();
            // A layout that somebody has just replaced has nothing more to say.
            let is_over = desk.orders.iter().any(|o| matches!(o, Order::Start { .. } | Order::Stop));
            if !is_over {
                desk.serial += 1;
                desk.frame = Some(Arc::new(Frame { serial: desk.serial, ..frame }));
                self.shared.framed.notify_all();
            }
        }
        if settled {
            self.run = None;
        } else if !run.quiet {
            // A fast machine would finish in a blink; a settling picture is easier to follow.
            let left = FRAME.saturating_sub(started.elapsed());
            let desk = self.shared.desk();
            if desk.orders.is_empty() && !desk.ended && left > Duration::from_millis(1) {
                let _ = self.shared.ordered.wait_timeout(desk, left);
            }
        }
    }
}

impl Run {
    fn ticks_per_frame(&self) -> usize {
        if self.quiet {
            return MOST_TICKS;
        }
        let frames = self.settle.as_secs_f64() / FRAME.as_secs_f64();
        (self.planned() as f64 / frames).round().max(1.0) as usize
    }

    /// As many ticks as there is time for.
    fn planned(&self) -> usize {
        let Some(tick) = self.tick.filter(|tick| !tick.is_zero()) else { return MOST_TICKS / 2 };
        let n = self.settle.as_secs_f64() * 0.7 / tick.as_secs_f64();
        (n as usize).clamp(FEWEST_TICKS, MOST_TICKS)
    }

    /// After each frame it is known better what a tick costs here: spend what time remains, no more.
    fn measure(&mut self, took: Duration, n: usize) {
        if n == 0 {
            return;
        }
        let one = took / n as u32;
        self.tick = Some(self.tick.map_or(one, |before| before.mul_f32(0.7) + one.mul_f32(0.3)));
        self.n_ticks += n;
        let left = self.planned().saturating_sub(self.n_ticks);
        let is_held = self.simulation.parameters().alpha_target > 0.0;
        if left > 5 && !is_held {
            self.simulation.plan(left);
        }
    }
}
