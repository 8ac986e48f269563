//! Who is at work in this process, and what they asked for: told to `state.sqlite` once a second at most,
//! by a thread of its own, so that no call waits for it.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use gm_engine::{Library, now};
use gm_model::Actor;
use gm_model::actor::TRIAL_CLIENT;
use gm_store::StateFile;
use gm_store::state::{MAX_PRESENT, Presence, Recall};
use parking_lot::{Condvar, Mutex};

use crate::spec::Effect;

const EACH: Duration = Duration::from_secs(1);
/// Without a call for this long, the process is at rest and gives back what it keeps for speed only; and
/// once more when threads that waited for more work have ended.
const QUIET: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(15)];
/// The minute for which calls are counted.
const MINUTE: u64 = 60;
/// Questions that wait to be told; more in one second are not remembered.
const MAX_WAITING: usize = 1_000;
/// Characters of a question, and entities of its answer, that are remembered.
const MAX_QUERY_CHARS: usize = 500;
const MAX_FOUND: usize = 50;

/// What a tool told of entities, for the log of what agents were given.
pub(crate) struct Recalled {
    pub query: String,
    pub found: Vec<String>,
    pub hits: usize,
}

/// One for all sessions of a process; what waits is told when the last of them goes.
pub(crate) struct Attendance(Arc<Inner>);

struct Inner {
    open: Library,
    state: Arc<StateFile>,
    process: String,
    library: String,
    waiting: Mutex<Waiting>,
    news: Condvar,
}

#[derive(Default)]
struct Waiting {
    present: HashMap<(String, String), Seen>,
    recalls: Vec<Recall>,
    has_news: bool,
    has_thread: bool,
    has_ended: bool,
}

#[derive(Default)]
struct Seen {
    transport: &'static str,
    graph: String,
    connected_at: f64,
    last_seen: f64,
    reads: u64,
    writes: u64,
    /// Second, reads and writes in it.
    minute: VecDeque<(u64, u64, u64)>,
    is_new: bool,
}

impl Attendance {
    pub(crate) fn new(library: &Library) -> Self {
        Self(Arc::new(Inner {
            open: library.clone(),
            state: library.state().clone(),
            process: library.process().to_owned(),
            library: library.real_folder().to_string_lossy().into_owned(),
            waiting: Mutex::default(),
            news: Condvar::new(),
        }))
    }

    /// An agent came, without asking for anything yet.
    pub(crate) fn arrived(&self, actor: &Actor, transport: &'static str, graph: &str) {
        self.note(actor, transport, graph, None, None);
    }

    /// An agent called a tool.
    pub(crate) fn called(
        &self,
        actor: &Actor,
        transport: &'static str,
        graph: &str,
        tool: &'static str,
        effect: Effect,
        recalled: Option<Recalled>,
    ) {
        let recall = recalled.map(|recalled| Recall {
            id: 0,
            time: now(),
            agent: actor.name.clone(),
            client: actor.client.clone(),
            library: self.0.library.clone(),
            graph: graph.to_owned(),
            tool: tool.to_owned(),
            query: recalled.query.chars().take(MAX_QUERY_CHARS).collect(),
            hits: recalled.hits as u64,
            found: recalled.found.into_iter().take(MAX_FOUND).collect(),
        });
        self.note(actor, transport, graph, Some(effect), recall);
    }

    fn note(
        &self,
        actor: &Actor,
        transport: &'static str,
        graph: &str,
        effect: Option<Effect>,
        recall: Option<Recall>,
    ) {
        if actor.client.starts_with(TRIAL_CLIENT) {
            return;
        }
        let time = now();
        let mut waiting = self.0.waiting.lock();
        let key = (actor.name.clone(), actor.client.clone());
        if waiting.present.len() >= MAX_PRESENT && !waiting.present.contains_key(&key) {
            let oldest = waiting.present.iter().min_by(|(_, a), (_, b)| a.last_seen.total_cmp(&b.last_seen));
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                waiting.present.remove(&oldest);
            }
        }
        let seen = waiting.present.entry(key).or_insert_with(|| Seen {
            connected_at: time,
            transport,
            ..Seen::default()
        });
        seen.last_seen = time;
        seen.is_new = true;
        if seen.graph != graph {
            graph.clone_into(&mut seen.graph);
        }
        if let Some(effect) = effect {
            seen.count(time as u64, matches!(effect, Effect::Write | Effect::Delete));
        }
        if let Some(recall) = recall
            && waiting.recalls.len() < MAX_WAITING
        {
            waiting.recalls.push(recall);
        }
        if !waiting.has_thread {
            waiting.has_thread = true;
            let inner = self.0.clone();
            // Without the thread nothing is told, which fails no call.
            let _ = std::thread::Builder::new().name("attendance".into()).spawn(move || inner.tell_on());
        }
        if !waiting.has_news {
            waiting.has_news = true;
            self.0.news.notify_one();
        }
    }
}

impl Seen {
    fn count(&mut self, second: u64, is_write: bool) {
        let (read, write) = (u64::from(!is_write), u64::from(is_write));
        self.reads += read;
        self.writes += write;
        match self.minute.back_mut() {
            Some((last, reads, writes)) if *last == second => {
                *reads += read;
                *writes += write;
            }
            _ => self.minute.push_back((second, read, write)),
        }
        while self.minute.front().is_some_and(|(first, ..)| first + MINUTE <= second) {
            self.minute.pop_front();
        }
    }
}

impl Inner {
    /// Tells what waits, for as long as somebody is at work.
    fn tell_on(&self) {
        loop {
            let ended = {
                let mut waiting = self.waiting.lock();
                let mut rests = QUIET.iter();
                while !waiting.has_news && !waiting.has_ended {
                    let Some(&quiet) = rests.clone().next() else {
                        self.news.wait(&mut waiting);
                        continue;
                    };
                    if self.news.wait_for(&mut waiting, quiet).timed_out() {
                        rests.next();
                        parking_lot::MutexGuard::unlocked(&mut waiting, || self.open.rest());
                    }
                }
                waiting.has_ended
            };
            self.tell();
            if ended {
                return;
            }
            let mut waiting = self.waiting.lock();
            if !waiting.has_ended {
                self.news.wait_for(&mut waiting, EACH);
            }
        }
    }

    fn tell(&self) {
        let (present, recalls) = {
            let mut waiting = self.waiting.lock();
            waiting.has_news = false;
            let process = &self.process;
            let new = waiting.present.iter_mut().filter(|(_, seen)| seen.is_new);
            let present: Vec<Presence> = new
                .map(|((agent, client), seen)| {
                    seen.is_new = false;
                    Presence {
                        process_id: process.clone(),
                        pid: std::process::id(),
                        agent: agent.clone(),
                        client: client.clone(),
                        transport: seen.transport.to_owned(),
                        library: self.library.clone(),
                        graph: seen.graph.clone(),
                        connected_at: seen.connected_at,
                        last_seen: seen.last_seen,
                        reads: seen.reads,
                        writes: seen.writes,
                        reads_minute: seen.minute.iter().map(|(_, reads, _)| reads).sum(),
                        writes_minute: seen.minute.iter().map(|(.., writes)| writes).sum(),
                    }
                })
                .collect();
            (present, std::mem::take(&mut waiting.recalls))
        };
        // Only for display; a failing note must not fail a call.
        if let Err(error) = self.state.attend(&present).and_then(|()| self.state.remember_recalls(&recalls)) {
            tracing::debug!(code = error.code(), "who is at work cannot be told");
        }
    }
}

impl Drop for Attendance {
    fn drop(&mut self) {
        self.0.waiting.lock().has_ended = true;
        self.0.news.notify_one();
        if self.0.waiting.lock().has_news {
            self.0.tell();
        }
    }
}
