//! The thread that gives texts their vectors, one for each open graph. What is to be done is derived
//! from the file alone, so that a crash forgets nothing; whoever has the lead for a file does it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use gm_embed::{EmbedError, Embeddings, ModelIdentity, ModelState};
use gm_store::search::TextIndex;
use gm_store::vectors::{self, FileModel, Part, Progress, Wanted};
use gm_store::{GraphFile, StateFile};
use parking_lot::{Condvar, Mutex};

use super::{Model, is_paused, passages, quantised};
use crate::Result;

/// Parts of texts stored at a time.
const BATCH: u32 = 16;
/// Bytes of text in one job of the model: a question waits no longer than for these.
const JOB_BYTES: usize = 1_500;
/// How often somebody else's writes are looked for.
const POLL: Duration = Duration::from_millis(250);
/// How long nobody has written when embedding begins: an import or an agent's run of calls has the
/// processors for itself.
const QUIET: Duration = Duration::from_millis(400);
/// After a batch that could not be made.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// What a worker works with.
#[derive(Clone)]
pub(crate) struct Work {
    pub file: Arc<GraphFile>,
    pub model: Model,
    pub state: Arc<StateFile>,
    /// This process among the living.
    pub process: String,
    /// By what the file is known to other processes.
    pub path: PathBuf,
    pub leads: Arc<AtomicBool>,
    pub has_ended: Arc<AtomicBool>,
}

/// What one step came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Some texts have vectors now.
    Made(u64),
    /// Every text has one, or has failed too often.
    Done,
    /// Not now, or not here: a word why.
    Not(&'static str),
}

pub(crate) struct Worker {
    end: Arc<(Mutex<()>, Condvar)>,
    has_ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    pub(crate) fn start(work: Work) -> Option<Self> {
        let end: Arc<(Mutex<()>, Condvar)> = Arc::default();
        let (theirs, has_ended) = (end.clone(), work.has_ended.clone());
        let run = move || {
            keep_up(&work, &theirs);
            work.give_up_lead();
        };
        let thread = std::thread::Builder::new().name("vectors".into()).spawn(run).ok()?;
        Some(Self { end, has_ended, thread: Some(thread) })
    }
}

impl Drop for Worker {
    /// Its connections are closed when this returns.
    fn drop(&mut self) {
        self.has_ended.store(true, Ordering::Release);
        drop(self.end.0.lock());
        self.end.1.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn keep_up(work: &Work, end: &(Mutex<()>, Condvar)) {
    let (waiting, woken) = end;
    let Ok(mut watch) = work.file.watch() else { return };
    let mut is_behind = true;
    let mut last_write = Instant::now().checked_sub(QUIET).unwrap_or_else(Instant::now);
    let mut rest = Duration::ZERO;
    loop {
        {
            let mut waiting = waiting.lock();
            if !work.has_ended() && !rest.is_zero() {
                woken.wait_for(&mut waiting, rest);
            }
            if work.has_ended() {
                return;
            }
        }
        rest = POLL;
        if watch.changed().unwrap_or(true) {
            (is_behind, last_write) = (true, Instant::now());
        }
        work.model.follow(&work.state);
        if !is_behind || last_write.elapsed() < QUIET {
            continue;
        }
        match work.step() {
            Ok(Step::Made(_)) => {
                // Our own write is nobody's.
                let _ = watch.changed();
                rest = Duration::ZERO;
            }
            Ok(Step::Done) => is_behind = false,
            Ok(Step::Not(_)) => {
                // Another process may be able to.
                work.give_up_lead();
                rest = POLL * 4;
            }
            Err(error) => {
                tracing::debug!(code = error.code(), "no vectors were made");
                work.give_up_lead();
                rest = AFTER_FAILURE;
            }
        }
    }
}

impl Work {
    /// Makes the vectors of a few texts, if this process is to.
    pub(crate) fn step(&self) -> Result<Step> {
        let embeddings = self.model.get();
        let Ok(identity) = embeddings.identity() else { return Ok(Step::Not("no model")) };
        if matches!(embeddings.state(), ModelState::Missing(_)) || self.file.is_read_only() {
            return Ok(Step::Not("no model"));
        }
        if is_paused(&self.state)? {
            return Ok(Step::Not("paused"));
        }
        let model = self.file.read(vectors::model)?;
        if model.as_ref().is_some_and(|model| !is_of(model, identity)) {
            return Ok(Step::Not("another model"));
        }
        if !self.take_lead()? {
            return Ok(Step::Not("another process does it"));
        }
        let model = match model {
            Some(model) => model,
            // A model that does not work must not claim the file.
            None => match embeddings.passages(vec!["a".into()]) {
                Ok(_) => adopt(&self.file, identity)?,
                Err(error) => return Ok(Step::Not(error.code())),
            },
        };
        self.batch(&model, &embeddings)
    }

    fn take_lead(&self) -> Result<bool> {
        if !self.leads.load(Ordering::Acquire) {
            let leads = self.state.take_lead(&self.process, &self.path)?;
            self.leads.store(leads, Ordering::Release);
        }
        Ok(self.leads.load(Ordering::Acquire))
    }

    fn give_up_lead(&self) {
        if self.leads.swap(false, Ordering::AcqRel) {
            let _ = self.state.give_up_lead(&self.process, &self.path);
        }
    }

    fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Acquire)
    }

    /// Vectors of texts, in jobs so small that a question gets in between; `None` if this ends first.
    fn embed(&self, embeddings: &Embeddings, texts: &[String]) -> Result<Option<Vec<Vec<f32>>>, EmbedError> {
        let mut vectors = Vec::with_capacity(texts.len());
        let mut from = 0;
        while from < texts.len() {
            if self.has_ended() {
                return Ok(None);
            }
            let mut bytes = 0;
            let fits = texts[from..].iter().take(BATCH as usize).take_while(|text| {
                bytes += text.len();
                bytes <= JOB_BYTES
            });
            let job = &texts[from..from + fits.count().max(1)];
            vectors.extend(embeddings.passages(job.to_vec()).map_err(|error| match error {
                EmbedError::Failed { index } => EmbedError::Failed { index: from + index },
                other => other,
            })?);
            from += job.len();
        }
        Ok(Some(vectors))
    }

    /// Makes the vectors of a few texts.
    pub(crate) fn batch(&self, model: &FileModel, embeddings: &Embeddings) -> Result<Step> {
        let mut wanted = self.file.read(|tx| vectors::wanted(tx, BATCH))?;
        if wanted.is_empty() {
            return Ok(Step::Done);
        }
        let mut texts: Vec<Vec<String>> = wanted.iter().map(passages).collect();
        // Long texts are stored one by one: what is made is kept, whatever ends this.
        let mut parts = 0;
        let together = texts.iter().take_while(|texts| {
            parts += texts.len();
            parts <= BATCH as usize
        });
        let together = together.count().max(1);
        texts.truncate(together);
        wanted.truncate(together);
        let mut made: Vec<(&Wanted, Option<Vec<Part>>)> = Vec::with_capacity(wanted.len());
        match self.embed(embeddings, &texts.iter().flatten().cloned().collect::<Vec<_>>()) {
            Ok(None) => return Ok(Step::Not("ended")),
            Ok(Some(vectors)) => {
                let mut vectors = vectors.into_iter();
                for (of, texts) in wanted.iter().zip(&texts) {
                    let parts = vectors.by_ref().take(texts.len()).map(|vector| quantised(&vector));
                    made.push((of, Some(parts.collect())));
                }
            }
            // One text fails, not those beside it.
            Err(EmbedError::Failed { .. }) => {
                for (of, texts) in wanted.iter().zip(texts) {
                    let parts = match self.embed(embeddings, &texts) {
                        Ok(None) => return Ok(Step::Not("ended")),
                        Ok(Some(vectors)) => Some(vectors.iter().map(|vector| quantised(vector)).collect()),
                        Err(EmbedError::Failed { .. }) => None,
                        Err(error) => return Ok(Step::Not(error.code())),
                    };
                    made.push((of, parts));
                }
            }
            Err(error) => return Ok(Step::Not(error.code())),
        }
        let stored = self.file.write(|tx| {
            // Begun anew with another model meanwhile: nothing of this one may come in.
            if vectors::model(&tx.as_read())?.as_ref() != Some(model) {
                return Ok::<_, gm_store::Error>(None);
            }
            let mut put = 0;
            for (of, parts) in &made {
                // Changed, or gone, meanwhile: then it stands in the list as it is now.
                if vectors::wanted_row(&tx.as_read(), of.which, of.rid)?.as_ref() != Some(*of) {
                    continue;
                }
                match parts {
                    Some(parts) => {
                        vectors::put(tx, of.which, of.rid, parts)?;
                        put += 1;
                    }
                    None => vectors::put_failure(tx, of.which, of.rid)?,
                }
            }
            vectors::trim_log(tx)?;
            Ok(Some(put))
        })?;
        Ok(stored.map_or(Step::Not("begun anew"), Step::Made))
    }
}

pub(crate) fn is_of(model: &FileModel, identity: &ModelIdentity) -> bool {
    model.id == identity.id && model.revision == identity.revision && model.dimension == identity.dimension
}

/// Gives a file that has no model this one; another process may have been quicker.
fn adopt(file: &GraphFile, identity: &ModelIdentity) -> Result<FileModel> {
    Ok(file.write(|tx| match vectors::model(&tx.as_read())? {
        Some(model) => Ok::<_, gm_store::Error>(model),
        None => vectors::begin_anew(tx, &identity.id, &identity.revision, identity.dimension),
    })?)
}

/// What came of giving every text its vector.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reembedded {
    pub made: u64,
    pub left: Progress,
    /// Kind and id of the objects whose texts could not be embedded.
    pub failed: Vec<(TextIndex, String)>,
}

/// Failures that are told by id.
const TOLD_FAILURES: u32 = 100;

impl Work {
    /// Makes this process's model that of the file.
    pub(crate) fn begin_anew(&self) -> Result<()> {
        let embeddings = self.model.get();
        let identity = embeddings.identity().map_err(unusable)?;
        let begin = |tx: &gm_store::WriteTx<'_>| {
            vectors::begin_anew(tx, &identity.id, &identity.revision, identity.dimension).map(drop)
        };
        Ok(self.file.write(begin)?)
    }

    /// Gives every text a vector of this process's model now. A file with vectors of another model, or
    /// `anew`, begins anew; else what is missing is made. `tell` is told what is done and left, and
    /// stops it by returning false.
    pub(crate) fn all(&self, anew: bool, tell: &mut dyn FnMut(u64, u64) -> bool) -> Result<Reembedded> {
        let embeddings = self.model.get();
        let identity = embeddings.identity().map_err(unusable)?.clone();
        let model = self.file.write(|tx| {
            let model = vectors::model(&tx.as_read())?;
            match model.filter(|model| !anew && is_of(model, &identity)) {
                Some(model) => {
                    vectors::retry(tx)?;
                    Ok::<_, gm_store::Error>(model)
                }
                None => vectors::begin_anew(tx, &identity.id, &identity.revision, identity.dimension),
            }
        })?;
        let mut report = Reembedded::default();
        // Counted once: counting goes through all that is wanted.
        let wanted = self.file.read(vectors::progress)?.wanted;
        while tell(report.made, wanted.saturating_sub(report.made)) {
            match self.batch(&model, &embeddings)? {
                Step::Made(made) => report.made += made,
                Step::Done => break,
                Step::Not(_) if self.file.read(vectors::model)?.as_ref() != Some(&model) => break,
                Step::Not(_) => {
                    // The model says best why.
                    embeddings.passages(vec!["a".into()]).map_err(unusable)?;
                }
            }
        }
        if self.file.read(vectors::model)?.as_ref() != Some(&model) {
            let reason =
                "another process gave this graph another model meanwhile; its vectors are that one's";
            return Err(crate::Error::Model { code: "model_changed", reason: reason.to_owned() });
        }
        report.left = self.file.read(vectors::progress)?;
        report.failed = self.file.read(|tx| vectors::failed(tx, TOLD_FAILURES))?;
        Ok(report)
    }
}

fn unusable(error: EmbedError) -> crate::Error {
    crate::Error::Model { code: error.code(), reason: error.to_string() }
}
