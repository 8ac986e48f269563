//! How much one may ask of the listener, so that nobody keeps it from others.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use parking_lot::Mutex;

/// Connections that are open at a time; others wait to be taken.
pub(crate) const MAX_CONNECTIONS: usize = 1024;
/// How long a request's head may take to arrive, and a connection may stay idle.
pub(crate) const HEAD_WITHIN: Duration = Duration::from_secs(15);
/// Bytes of a head, and headers in it.
pub(crate) const MAX_HEAD_BYTES: usize = 32 * 1024;
pub(crate) const MAX_HEADERS: usize = 64;
/// How long an agent's session is kept that nothing is heard of. Its active graph goes with it, so a client that
/// pauses must find it again.
pub(crate) const SESSION_IDLE: Duration = Duration::from_secs(12 * 60 * 60);
/// Sessions of one agent; the one that was not used for longest goes.
pub(crate) const MAX_SESSIONS_OF_AGENT: usize = 256;
/// Requests of one agent in a second on average, and at once: far beyond any sensible use, and short of
/// what would take the machine away from its user.
pub(crate) const REQUESTS_A_SECOND: f64 = 5_000.0;
pub(crate) const REQUESTS_AT_ONCE: f64 = 10_000.0;
/// Requests of one agent that are open at a time, streams of notices among them: one agent must not take every
/// connection from the others.
pub(crate) const MAX_OPEN_OF_AGENT: usize = 256;
/// Names whose pace is remembered.
const MAX_PACES: usize = 1_024;

/// Token buckets by name.
#[derive(Default)]
pub(crate) struct Paces(Mutex<HashMap<String, Pace>>);

struct Pace {
    left: f64,
    at: Instant,
}

impl Paces {
    /// Whether one more request of this name is within its pace.
    pub(crate) fn allows(&self, name: &str) -> bool {
        self.allows_at(name, Instant::now())
    }

    fn allows_at(&self, name: &str, now: Instant) -> bool {
        let mut paces = self.0.lock();
        if paces.len() >= MAX_PACES && !paces.contains_key(name) {
            // Whoever has not asked for so long that nothing is remembered of it.
            let full = Duration::from_secs_f64(REQUESTS_AT_ONCE / REQUESTS_A_SECOND);
            paces.retain(|_, pace| now.duration_since(pace.at) < full);
        }
        let pace = paces.entry(name.to_owned()).or_insert(Pace { left: REQUESTS_AT_ONCE, at: now });
        let earned = now.duration_since(pace.at).as_secs_f64() * REQUESTS_A_SECOND;
        pace.left = (pace.left + earned).min(REQUESTS_AT_ONCE);
        pace.at = now;
        if pace.left < 1.0 {
            return false;
        }
        pace.left -= 1.0;
        true
    }
}

/// Open requests by name.
#[derive(Default)]
pub(crate) struct Open(Arc<Mutex<HashMap<String, usize>>>);

/// A place among the open requests of a name, given back when dropped.
pub(crate) struct Place {
    open: Arc<Mutex<HashMap<String, usize>>>,
    name: String,
}

impl Open {
    /// A place, if there is one left.
    pub(crate) fn take(&self, name: &str) -> Option<Place> {
        let mut open = self.0.lock();
        let count = open.entry(name.to_owned()).or_default();
        if *count >= MAX_OPEN_OF_AGENT {
            return None;
        }
        *count += 1;
        Some(Place { open: self.0.clone(), name: name.to_owned() })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.open.lock();
        if let Some(count) = open.get_mut(&self.name) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.name);
            }
        }
    }
}

/// A body that holds its place until it is sent or nobody reads it any more.
pub(crate) struct Held {
    body: Body,
    _place: Place,
}

impl Held {
    pub(crate) fn body(body: Body, place: Place) -> Body {
        Body::new(Self { body, _place: place })
    }
}

impl http_body::Body for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_given_back_and_are_each_names_own() {
        let open = Open::default();
        let mut held: Vec<Place> =
            (0..MAX_OPEN_OF_AGENT).map(|_| open.take("many").expect("a place")).collect();
        assert!(open.take("many").is_none() && open.take("other").is_some());
        held.pop();
        assert!(open.take("many").is_some());
        drop(held);
        assert!(open.0.lock().is_empty(), "nothing is kept of those that left");
    }

    #[test]
    fn a_flood_is_cut_to_the_pace_and_nobody_else_notices() {
        let (paces, begin) = (Paces::default(), Instant::now());
        let taken = (0..20_000).filter(|_| paces.allows_at("flood", begin)).count();
        assert_eq!(taken, REQUESTS_AT_ONCE as usize);
        assert!(paces.allows_at("other", begin));
        let later = begin + Duration::from_millis(100);
        let taken = (0..10_000).filter(|_| paces.allows_at("flood", later)).count();
        assert_eq!(taken, (REQUESTS_A_SECOND / 10.0) as usize);
    }
}
