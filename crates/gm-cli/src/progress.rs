//! A line on standard error that tells how far long work is: only for people, and only once it
//! has taken a moment.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(700);
const REDRAW: Duration = Duration::from_millis(200);

/// Shows until it is dropped.
pub struct Progress {
    shared: Arc<Shared>,
    drawing: Option<std::thread::JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    text: String,
    ended: bool,
}

impl Progress {
    pub fn start(what: impl Into<String>) -> Self {
        let shared = Arc::new(Shared::default());
        let drawing = std::io::stderr().is_terminal().then(|| {
            let (shared, what) = (shared.clone(), what.into());
            std::thread::spawn(move || draw(&shared, &what))
        });
        Self { shared, drawing }
    }

    /// What to show beside the work's name instead of the seconds it has taken.
    pub fn tell(&self, text: impl Into<String>) {
        if self.drawing.is_some() {
            self.shared.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).text = text.into();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.shared.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).ended = true;
        self.shared.ended.notify_all();
        if let Some(drawing) = self.drawing.take() {
            let _ = drawing.join();
        }
    }
}

fn draw(shared: &Shared, what: &str) {
    let begun = Instant::now();
    let mut drawn = false;
    let mut state = shared.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    while !state.ended {
        let wait = if drawn { REDRAW } else { PATIENCE };
        let (next, timeout) =
            shared.ended.wait_timeout(state, wait).unwrap_or_else(|poisoned| poisoned.into_inner());
        state = next;
        if state.ended || !timeout.timed_out() {
            continue;
        }
        let how_far = if state.text.is_empty() {
            format!("{} s", begun.elapsed().as_secs())
        } else {
            state.text.clone()
        };
        let _ = write!(std::io::stderr().lock(), "\r\x1b[K{what}  {how_far}");
        drawn = true;
    }
    if drawn {
        let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
    }
}
