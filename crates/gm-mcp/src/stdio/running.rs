//! Calls of tools that are under way.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use rmcp::model::RequestId;

/// Calls that were begun and not answered yet.
///
/// Calls run beside each other, except for those that change where others go: a client that sends
/// `switch_graph` and a write together means them in that order.
#[derive(Default)]
pub(super) struct Running {
    calls: Mutex<HashSet<RequestId>>,
    fewer: Condvar,
    ended: AtomicBool,
}

impl Running {
    pub(super) fn begin(&self, id: RequestId) {
        self.calls.lock().insert(id);
    }

    /// Begins a call unless one of this id is under way.
    pub(super) fn begin_only(&self, id: &RequestId) -> bool {
        self.calls.lock().insert(id.clone())
    }

    /// It was answered, or will not be.
    pub(super) fn done(&self, id: &RequestId) {
        self.calls.lock().remove(id);
        self.fewer.notify_all();
    }

    /// Whether a call still waits for its answer: one that was cancelled does not.
    pub(super) fn is_awaited(&self, id: &RequestId) -> bool {
        self.calls.lock().contains(id)
    }

    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Release);
        self.fewer.notify_all();
    }

    /// Waits until no call runs.
    pub(super) fn wait(&self) {
        let mut calls = self.calls.lock();
        while !calls.is_empty() && !self.ended.load(Ordering::Acquire) {
            self.fewer.wait_for(&mut calls, Duration::from_secs(1));
        }
    }
}
