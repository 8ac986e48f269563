//! The change feed: one thread per watched graph, woken by this process's own commits and by a
//! cheap poll that notices those of others.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use gm_store::GraphFile;
use parking_lot::{Condvar, Mutex};

use crate::Result;

/// How often other processes' commits are looked for. With a quarter of a second promised from
/// reply to picture, this leaves most of it to fetching, placing and drawing.
const POLL: Duration = Duration::from_millis(40);

/// The journal of a graph has grown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub graph: String,
    /// The newest row.
    pub seq: i64,
}

type Callback = Box<dyn Fn(&Notice) + Send + Sync>;

pub(crate) struct Feed {
    shared: Arc<Shared>,
    file: Arc<GraphFile>,
}

struct Shared {
    graph: String,
    listeners: Mutex<Vec<(u64, Arc<Callback>)>>,
    next_id: AtomicU64,
    wake: Mutex<Wake>,
    woken: Condvar,
}

#[derive(Default)]
struct Wake {
    nudged: bool,
    running: bool,
}

impl Feed {
    pub(crate) fn new(graph: &str, file: Arc<GraphFile>) -> Self {
        let shared = Shared {
            graph: graph.to_owned(),
            listeners: Mutex::default(),
            next_id: AtomicU64::new(0),
            wake: Mutex::default(),
            woken: Condvar::new(),
        };
        Self { shared: Arc::new(shared), file }
    }

    /// Tells the watcher that this process has just committed.
    pub(crate) fn nudge(&self) {
        self.shared.wake.lock().nudged = true;
        self.shared.woken.notify_all();
    }

    pub(crate) fn subscribe(&self, callback: Callback) -> Result<Subscription> {
        let id = self.shared.next_id.fetch_add(1, Ordering::Relaxed);
        // Listed before the watcher is asked for: one that is about to end looks at the list under
        // the same lock under which it says so.
        self.shared.listeners.lock().push((id, Arc::new(callback)));
        let subscription = Subscription { shared: self.shared.clone(), id };
        let mut watch = None;
        {
            let mut wake = self.shared.wake.lock();
            if !wake.running {
                watch = Some(self.file.watch()?);
                wake.running = true;
            }
        }
        if let Some(watch) = watch {
            let shared = self.shared.clone();
            std::thread::spawn(move || follow(&shared, watch));
        }
        Ok(subscription)
    }
}

/// Ends the calls when dropped.
pub struct Subscription {
    shared: Arc<Shared>,
    id: u64,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.shared.listeners.lock().retain(|(id, _)| *id != self.id);
        self.shared.woken.notify_all();
    }
}

fn follow(shared: &Shared, mut watch: gm_store::GraphWatch) {
    let mut last = watch.journal_head().unwrap_or(0);
    loop {
        {
            let mut wake = shared.wake.lock();
            if !wake.nudged {
                shared.woken.wait_for(&mut wake, POLL);
            }
            wake.nudged = false;
            if shared.listeners.lock().is_empty() {
                wake.running = false;
                return;
            }
        }
        // A failure here is passing (the file is locked for a checkpoint, say): the next poll
        // looks again, and readers meet lasting ones themselves.
        if !matches!(watch.changed(), Ok(true)) {
            continue;
        }
        let Ok(head) = watch.journal_head() else { continue };
        if head == last {
            continue;
        }
        last = head;
        let listeners: Vec<_> = shared.listeners.lock().iter().map(|(_, l)| l.clone()).collect();
        let notice = Notice { graph: shared.graph.clone(), seq: head };
        for listener in listeners {
            listener(&notice);
        }
    }
}
