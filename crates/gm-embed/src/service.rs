//! A model that is loaded when first needed, used by one thread, and let go when nobody asks.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::known::Known;
use crate::model::{MAX_DIMENSION, Places};
use crate::{EmbedError, Embedder, HashEmbedder, ModelIdentity, Role};

/// How long a loaded model may take for a question.
const QUERY_PATIENCE: Duration = Duration::from_millis(150);
/// How long a model stays loaded without being asked.
const IDLE: Duration = Duration::from_secs(300);
/// Questions whose vectors are remembered.
const REMEMBERED: usize = 128;
/// Names of models that are none: `test:hashed-words`, with a revision and a dimension after colons.
const TEST_MODEL: &str = "test:hashed-words";

/// What is known of the model without asking it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelState {
    Off,
    /// It cannot be used, and why.
    Missing(String),
    /// It is there and not loaded.
    Idle,
    Loading,
    Ready,
}

type Open = dyn Fn() -> Result<Box<dyn Embedder>, EmbedError> + Send + Sync;

/// The embedding model of a process. Cheap to clone and to share.
#[derive(Clone)]
pub struct Embeddings {
    inner: Arc<Inner>,
}

struct Inner {
    identity: Result<ModelIdentity, EmbedError>,
    open: Box<Open>,
    idle: Duration,
    /// How long a model that failed is left alone.
    retry: Duration,
    shared: Mutex<Shared>,
    wake: Condvar,
}

#[derive(Default)]
struct Shared {
    queries: VecDeque<Job>,
    passages: VecDeque<Job>,
    remembered: VecDeque<(String, Vec<f32>)>,
    is_running: bool,
    is_ready: bool,
    /// Why it could not be loaded, and when.
    failed: Option<(EmbedError, Instant)>,
}

struct Job {
    role: Role,
    texts: Vec<String>,
    answer: SyncSender<Result<Vec<Vec<f32>>, EmbedError>>,
}

/// A model that could not be loaded is tried again after this long.
const RETRY: Duration = Duration::from_secs(30);

impl Embeddings {
    pub fn off() -> Self {
        Self::with(Err(EmbedError::Off), Box::new(|| Err(EmbedError::Off)))
    }

    /// The model of a name or folder, as far as it is on this machine. It is not loaded yet.
    pub fn of(places: &Places, wanted: &str) -> Self {
        if let Some(rest) = wanted.strip_prefix(TEST_MODEL) {
            let mut parts = rest.split(':').skip(1);
            let revision = parts.next().unwrap_or("1").to_owned();
            let dimension = parts
                .next()
                .and_then(|n| n.parse().ok())
                .filter(|n| (1..=MAX_DIMENSION).contains(n))
                .unwrap_or(256);
            let identity = HashEmbedder::identity(dimension, &revision);
            return Self::with(
                Ok(identity),
                Box::new(move || Ok(Box::new(HashEmbedder::new(dimension, &revision)))),
            );
        }
        let folder = match places.model(wanted) {
            Ok(folder) => folder,
            Err(error) => return Self::with(Err(error.clone()), Box::new(move || Err(error.clone()))),
        };
        let identity = folder.identity();
        if let Err(error) = places.runtime() {
            return Self::with(Err(error.clone()), Box::new(move || Err(error.clone())));
        }
        let places = places.clone();
        #[cfg(feature = "onnx")]
        let open = move || {
            let loaded = crate::onnx::OnnxEmbedder::load(&folder, &places.checked_runtime()?)?;
            Ok(Box::new(loaded) as Box<dyn Embedder>)
        };
        #[cfg(not(feature = "onnx"))]
        let open = move || {
            let _ = (&folder, &places);
            Err(EmbedError::Unavailable("this program was built without embedding models".into()))
        };
        Self::with(Ok(identity), Box::new(open))
    }

    /// Any embedder, opened when first needed.
    pub fn with(identity: Result<ModelIdentity, EmbedError>, open: Box<Open>) -> Self {
        let shared = Mutex::default();
        let wake = Condvar::new();
        Self { inner: Arc::new(Inner { identity, open, idle: IDLE, retry: RETRY, shared, wake }) }
    }

    /// The model that is set, whether or not it is loaded.
    pub fn identity(&self) -> Result<&ModelIdentity, EmbedError> {
        self.inner.identity.as_ref().map_err(Clone::clone)
    }

    pub fn state(&self) -> ModelState {
        match &self.inner.identity {
            Err(EmbedError::Off) => return ModelState::Off,
            Err(error) => return ModelState::Missing(error.to_string()),
            Ok(_) => {}
        }
        let shared = self.inner.shared.lock();
        match (&shared.failed, shared.is_ready, shared.is_running) {
            (_, true, _) => ModelState::Ready,
            (_, false, true) => ModelState::Loading,
            (Some((error, _)), ..) => ModelState::Missing(error.to_string()),
            (None, false, false) => ModelState::Idle,
        }
    }

    /// The vector of a question. Waits `loading` for a model that is not loaded yet, and 150 ms for one
    /// that is.
    pub fn query(&self, text: &str, loading: Duration) -> Result<Vec<f32>, EmbedError> {
        self.identity()?;
        let (receiver, was_ready) = {
            let mut shared = self.inner.shared.lock();
            if let Some((_, vector)) = shared.remembered.iter().find(|(known, _)| known == text) {
                return Ok(vector.clone());
            }
            let (answer, receiver) = mpsc::sync_channel(1);
            shared.queries.push_back(Job { role: Role::Query, texts: vec![text.to_owned()], answer });
            self.run(&mut shared)?;
            (receiver, shared.is_ready)
        };
        let patience = if was_ready { QUERY_PATIENCE } else { loading };
        let answer = receiver.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout if was_ready => EmbedError::Late,
            RecvTimeoutError::Timeout => EmbedError::Loading,
            RecvTimeoutError::Disconnected => {
                EmbedError::Unavailable("the embedding model ended unexpectedly".into())
            }
        })?;
        Ok(answer?.swap_remove(0))
    }

    /// Vectors of passages; waits as long as it takes.
    pub fn passages(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.identity()?;
        let (answer, receiver) = mpsc::sync_channel(1);
        {
            let mut shared = self.inner.shared.lock();
            shared.passages.push_back(Job { role: Role::Passage, texts, answer });
            self.run(&mut shared)?;
        }
        let ended = || EmbedError::Unavailable("the embedding model ended unexpectedly".into());
        receiver.recv().map_err(|_| ended())?
    }

    /// Wakes the thread, or starts it.
    fn run(&self, shared: &mut Shared) -> Result<(), EmbedError> {
        if let Some((error, at)) = &shared.failed
            && at.elapsed() < self.inner.retry
        {
            let error = error.clone();
            shared.queries.clear();
            shared.passages.clear();
            return Err(error);
        }
        if !shared.is_running {
            let inner = self.inner.clone();
            let started = std::thread::Builder::new().name("embedder".into()).spawn(move || inner.work());
            if started.is_err() {
                return Err(EmbedError::Unavailable("no thread for the embedding model".into()));
            }
            shared.is_running = true;
        }
        self.inner.wake.notify_one();
        Ok(())
    }
}

/// Tells the others when the thread ends by a panic of the runtime.
struct Ending<'a>(&'a Inner);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return;
        }
        let mut shared = self.0.shared.lock();
        (shared.is_running, shared.is_ready) = (false, false);
        let broken = EmbedError::Unavailable("the embedding model broke".into());
        shared.failed = Some((broken, Instant::now()));
        // Whoever waits sees the other end go.
        shared.queries.clear();
        shared.passages.clear();
    }
}

impl Inner {
    fn work(&self) {
        let _ending = Ending(self);
        let model = match (self.open)() {
            Ok(model) => model,
            Err(error) => {
                tracing::info!(code = error.code(), "the embedding model cannot be used");
                let mut shared = self.shared.lock();
                for job in shared.queries.drain(..).collect::<Vec<_>>() {
                    let _ = job.answer.send(Err(error.clone()));
                }
                for job in shared.passages.drain(..).collect::<Vec<_>>() {
                    let _ = job.answer.send(Err(error.clone()));
                }
                shared.failed = Some((error, Instant::now()));
                shared.is_running = false;
                return;
            }
        };
        {
            let mut shared = self.shared.lock();
            shared.failed = None;
            shared.is_ready = true;
        }
        let mut known = Known::default();
        while let Some(job) = self.next() {
            let texts: Vec<&str> = job.texts.iter().map(String::as_str).collect();
            let made = match job.role {
                Role::Query => model.embed(job.role, &texts),
                Role::Passage => known.embed(&*model, &texts),
            };
            if let (Role::Query, Ok(vectors)) = (job.role, &made) {
                let mut shared = self.shared.lock();
                if shared.remembered.len() == REMEMBERED {
                    shared.remembered.pop_front();
                }
                let text = job.texts.first().cloned().unwrap_or_default();
                shared.remembered.push_back((text, vectors[0].clone()));
            }
            let _ = job.answer.send(made);
        }
    }

    /// The next thing to do, questions first; `None` when nobody asked for long.
    fn next(&self) -> Option<Job> {
        let mut shared = self.shared.lock();
        loop {
            if let Some(job) = shared.queries.pop_front().or_else(|| shared.passages.pop_front()) {
                return Some(job);
            }
            let waited = self.wake.wait_for(&mut shared, self.idle);
            if waited.timed_out() && shared.queries.is_empty() && shared.passages.is_empty() {
                // Under the lock, so that no job comes between this and the end.
                (shared.is_running, shared.is_ready) = (false, false);
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Slow(HashEmbedder, Duration);

    impl Embedder for Slow {
        fn model(&self) -> &ModelIdentity {
            self.0.model()
        }

        fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
            std::thread::sleep(self.1);
            assert!(!texts[0].contains("PANIC"), "as a broken runtime would");
            self.0.embed(role, texts)
        }
    }

    fn slow(loading: Duration, each: Duration) -> (Embeddings, Arc<AtomicUsize>) {
        let loads = Arc::new(AtomicUsize::new(0));
        let counted = loads.clone();
        let open = move || {
            counted.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(loading);
            Ok(Box::new(Slow(HashEmbedder::new(8, "1"), each)) as Box<dyn Embedder>)
        };
        (Embeddings::with(Ok(HashEmbedder::identity(8, "1")), Box::new(open)), loads)
    }

    const SHORT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn a_question_does_not_wait_for_a_model_that_loads_or_is_late() {
        let (model, loads) = slow(Duration::from_millis(300), Duration::from_millis(400));
        assert_eq!(model.state(), ModelState::Idle);
        assert_eq!(model.query("a", SHORT), Err(EmbedError::Loading));
        assert_eq!(model.state(), ModelState::Loading);
        assert!(model.query("b", LONG).is_ok());
        assert_eq!((model.state(), loads.load(Ordering::SeqCst)), (ModelState::Ready, 1));
        assert_eq!(model.query("c", LONG), Err(EmbedError::Late));
        assert!(model.query("b", SHORT).is_ok(), "what was asked before is remembered");
    }

    #[test]
    fn questions_go_before_passages() {
        let (model, _) = slow(Duration::ZERO, Duration::from_millis(60));
        model.query("warm", LONG).unwrap();
        let batches: Vec<_> = (0..6)
            .map(|i| {
                let model = model.clone();
                std::thread::spawn(move || model.passages(vec![format!("passage {i}")]))
            })
            .collect();
        std::thread::sleep(SHORT);
        assert!(model.query("now", SHORT).is_ok());
        assert!(batches.into_iter().all(|batch| batch.join().unwrap().is_ok()));
    }

    #[test]
    fn a_runtime_that_breaks_is_an_error_and_is_started_anew() {
        let (mut model, loads) = slow(Duration::ZERO, Duration::ZERO);
        Arc::get_mut(&mut model.inner).unwrap().retry = SHORT;
        let broken = model.passages(vec!["PANIC".into()]);
        assert!(matches!(broken, Err(EmbedError::Unavailable(_))), "{broken:?}");
        let give_up = Instant::now() + LONG;
        while model.query("again", LONG).is_err() {
            assert!(Instant::now() < give_up);
        }
        assert_eq!(loads.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn an_idle_model_is_let_go() {
        let (mut model, loads) = slow(Duration::ZERO, Duration::ZERO);
        Arc::get_mut(&mut model.inner).unwrap().idle = SHORT;
        model.query("a", LONG).unwrap();
        let give_up = Instant::now() + LONG;
        while model.state() != ModelState::Idle {
            assert!(Instant::now() < give_up);
            std::thread::sleep(SHORT);
        }
        model.query("b", LONG).unwrap();
        assert_eq!(loads.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn what_cannot_be_used_says_why() {
        assert_eq!(Embeddings::off().query("a", LONG), Err(EmbedError::Off));
        let missing = Embeddings::of(&Places(Vec::new()), "nope");
        assert!(matches!(missing.state(), ModelState::Missing(reason) if reason.contains("nope")));
        assert_eq!(missing.query("a", LONG).unwrap_err().code(), "model_missing");
    }
}
