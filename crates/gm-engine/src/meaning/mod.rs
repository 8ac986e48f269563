//! Search by meaning: vectors of texts, an index of them in memory, and the worker that makes them.

pub(crate) mod index;
pub(crate) mod worker;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gm_embed::model::{DEFAULT_MODEL, Places};
use gm_embed::{EmbedError, Embeddings, ModelIdentity, ModelState};
use gm_store::search::TextIndex;
use gm_store::vectors::{self, FileModel, Part, Progress, VectorState, Wanted};
use gm_store::{ReadTx, StateFile};
use parking_lot::{Mutex, RwLock};

use crate::Result;
use crate::graph::Graph;
use crate::search::{Channels, Fusion, Meant};
use index::VectorIndex;
use worker::{Work, Worker};

pub use worker::Reembedded;

/// Why meaning does not count in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unmeant {
    /// The question asked for words alone.
    Asked,
    Off,
    ModelMissing,
    ModelLoading,
    ModelLate,
    ModelFailed,
    /// What is asked about has no vector yet.
    Pending,
    /// The same, and nobody makes any: the person paused that.
    Paused,
    /// Nobody has made vectors for this graph yet.
    NoVectors,
    /// Its vectors are of another model than this program's.
    OtherModel,
}

impl Unmeant {
    /// A sentence for people and agents.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Asked => "only words were asked for",
            Self::Off => "search by meaning is switched off; `graph-mem model status` says by what",
            Self::ModelMissing => {
                "the embedding model is not installed or cannot be used; `graph-mem model status` says why"
            }
            Self::ModelLoading => "the embedding model is being loaded; ask again in a moment",
            Self::ModelLate => "the embedding model is busy; ask again in a moment",
            Self::ModelFailed => "the embedding model failed on this text",
            Self::Pending => "its text has no vector yet; ask again in a moment",
            Self::Paused => "vectors are not made: that is paused until `graph-mem model resume`",
            Self::NoVectors => "this graph has no vectors yet",
            Self::OtherModel => {
                "this graph's vectors are of another embedding model; `graph-mem reembed` makes them anew"
            }
        }
    }
}

impl From<EmbedError> for Unmeant {
    fn from(error: EmbedError) -> Self {
        match error {
            EmbedError::Off => Self::Off,
            EmbedError::Unavailable(_) => Self::ModelMissing,
            EmbedError::Loading => Self::ModelLoading,
            EmbedError::Late => Self::ModelLate,
            EmbedError::Failed { .. } => Self::ModelFailed,
        }
    }
}

/// How a library searches by meaning.
#[derive(Clone)]
pub struct Settings {
    pub model: Model,
    pub fusion: Fusion,
    /// Whether this process makes vectors beside its other work: one that lives on does.
    pub in_background: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { model: Model::fixed(Embeddings::off()), fusion: Fusion::default(), in_background: false }
    }
}

/// What a person or a configuration says of search by meaning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wishes {
    /// Switches it off.
    pub off: bool,
    /// Name of a model, or its folder.
    pub model: Option<String>,
    /// A folder of models that is looked into first.
    pub models: Option<PathBuf>,
    pub fusion: Option<Fusion>,
}

/// Stops the making of vectors in the background, in every process, or lets it go on.
pub fn pause(state: &StateFile, paused: bool) -> Result<()> {
    Ok(state.set_setting(PAUSED, if paused { "1" } else { "" })?)
}

pub fn is_paused(state: &StateFile) -> Result<bool> {
    Ok(state.setting(PAUSED)?.is_some_and(|paused| paused == "1"))
}

/// Switches search by meaning on or off, in every process.
pub fn switch(state: &StateFile, on: bool) -> Result<()> {
    Ok(state.set_setting(SHARED_SWITCH, if on { "" } else { "off" })?)
}

/// Makes a model, by its name or folder, that of every process.
pub fn choose(state: &StateFile, model: &str) -> Result<()> {
    Ok(state.set_setting(SHARED_MODEL, model)?)
}

/// What a person can choose from, and what is chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Where models are looked for.
    pub places: Places,
    /// Where they are installed.
    pub target: PathBuf,
    /// Name of the model that is wished for, or its folder.
    pub wanted: String,
    /// The environment or a configuration names it, and goes before [`choose`].
    pub is_fixed: bool,
}

impl Settings {
    /// `None` for a model that stays.
    pub fn choice(&self, state: &StateFile) -> Option<Choice> {
        let follows = self.model.follows.as_ref()?;
        let wishes = &follows.wishes;
        Some(Choice {
            places: wishes.places(&follows.home),
            target: wishes.target(&follows.home),
            wanted: wishes.wanted_model(state),
            is_fixed: wishes.model.is_some(),
        })
    }
}

/// The embedding model of a process, which becomes another when one is chosen, installed or switched off.
#[derive(Clone)]
pub struct Model {
    current: Arc<RwLock<Embeddings>>,
    follows: Option<Arc<Follows>>,
}

struct Follows {
    wishes: Wishes,
    home: PathBuf,
    /// When it was last looked, and what was found.
    looked: Mutex<(Instant, String)>,
}

/// How often it is looked whether another model was chosen.
const LOOKED_EACH: Duration = Duration::from_secs(2);

impl Model {
    /// One that stays.
    pub fn fixed(embeddings: Embeddings) -> Self {
        Self { current: Arc::new(RwLock::new(embeddings)), follows: None }
    }

    pub fn get(&self) -> Embeddings {
        self.current.read().clone()
    }

    /// Looks whether another was chosen, unless that was done just now.
    pub(crate) fn follow(&self, state: &StateFile) {
        let Some(follows) = &self.follows else { return };
        let mut looked = follows.looked.lock();
        if looked.0.elapsed() < LOOKED_EACH {
            return;
        }
        let found = follows.wishes.described(&follows.home, state);
        if found != looked.1 {
            *self.current.write() = follows.wishes.embeddings(&follows.home, state);
        }
        *looked = (Instant::now(), found);
    }
}

/// Settings that all processes of a person share.
pub const SHARED_MODEL: &str = "embedding_model";
const SHARED_SWITCH: &str = "embeddings";
/// By which a person stops the making of vectors.
const PAUSED: &str = "embedding_paused";

impl Wishes {
    /// As the environment says, for programs without a configuration file.
    pub fn from_environment() -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let text = |name| variable(name).and_then(|value| value.into_string().ok());
        Self {
            off: text("GRAPHMEM_EMBEDDINGS").is_some_and(|word| word.eq_ignore_ascii_case("off")),
            model: text("GRAPHMEM_EMBEDDING_MODEL"),
            models: variable("GRAPHMEM_MODELS").map(PathBuf::from),
            fusion: text("GRAPHMEM_SEARCH_FUSION").and_then(|word| Fusion::parse(&word)),
        }
    }

    /// Where models are looked for.
    pub fn places(&self, home: &Path) -> Places {
        Places::new(self.models.clone(), home)
    }

    /// Where models are installed.
    pub fn target(&self, home: &Path) -> PathBuf {
        self.models.clone().unwrap_or_else(|| home.join("models"))
    }

    /// The model that is wished for: here, else by the person in all programs, else the default one.
    pub fn wanted_model(&self, state: &StateFile) -> String {
        let shared = || state.setting(SHARED_MODEL).ok().flatten().filter(|name| !name.is_empty());
        self.model.clone().or_else(shared).unwrap_or_else(|| DEFAULT_MODEL.to_owned())
    }

    /// What comes of it on this machine.
    pub fn settings(&self, home: &Path, state: &StateFile, in_background: bool) -> Settings {
        let follows = Follows {
            wishes: self.clone(),
            home: home.to_owned(),
            looked: Mutex::new((Instant::now(), self.described(home, state))),
        };
        let current = Arc::new(RwLock::new(self.embeddings(home, state)));
        let model = Model { current, follows: Some(Arc::new(follows)) };
        Settings { model, fusion: self.fusion.unwrap_or_default(), in_background }
    }

    fn is_off(&self, state: &StateFile) -> bool {
        self.off || state.setting(SHARED_SWITCH).ok().flatten().is_some_and(|word| word == "off")
    }

    fn embeddings(&self, home: &Path, state: &StateFile) -> Embeddings {
        if self.is_off(state) {
            return Embeddings::off();
        }
        Embeddings::of(&self.places(home), &self.wanted_model(state))
    }

    /// What [`Self::embeddings`] would find, at the cost of looking for a few files.
    fn described(&self, home: &Path, state: &StateFile) -> String {
        if self.is_off(state) {
            return "off".into();
        }
        let (places, wanted) = (self.places(home), self.wanted_model(state));
        let model = places.model(&wanted).map(|model| model.identity().revision).unwrap_or_default();
        let runtime = places.runtime().unwrap_or_default();
        format!("{wanted} {model} {}", runtime.display())
    }
}

/// What an open graph needs for it.
pub(crate) struct Meaning {
    pub settings: Settings,
    pub work: Work,
    pub index: RwLock<VectorIndex>,
    /// Ends with the graph.
    _worker: Option<Worker>,
}

impl Meaning {
    pub(crate) fn new(
        file: Arc<gm_store::GraphFile>,
        settings: Settings,
        state: Arc<StateFile>,
        process: String,
    ) -> Self {
        let path: PathBuf = file.path().to_owned();
        let model = settings.model.clone();
        let (leads, has_ended) = Default::default();
        let work = Work { file, model, state, process, path, leads, has_ended };
        let worker = settings.in_background.then(|| Worker::start(work.clone())).flatten();
        Self { settings, work, index: RwLock::default(), _worker: worker }
    }
}

/// How far a graph's vectors are, and what its model is.
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    /// The model of this program.
    pub model: std::result::Result<ModelIdentity, Unmeant>,
    pub state: ModelState,
    /// The model of the graph's vectors.
    pub file_model: Option<FileModel>,
    pub is_other_model: bool,
    pub is_paused: bool,
    pub progress: Progress,
    /// Texts that have or want a vector.
    pub texts: u64,
}

impl Graph {
    pub(crate) fn fusion(&self) -> Fusion {
        self.meaning.settings.fusion
    }

    /// Answers a question with its meaning, as far as that can be had, and says how far: why not, and
    /// how many texts have no vector yet.
    pub(crate) fn meaning<T>(
        &self,
        question: &str,
        loading: Duration,
        channels: Channels,
        work: impl Fn(&ReadTx<'_>, Option<&Meant<'_>>) -> Result<T>,
    ) -> Result<(T, Option<Unmeant>, u64)> {
        let vector = match channels {
            Channels::Words => Err(Unmeant::Asked),
            _ => self.question(question, loading)?,
        };
        let vector = match vector {
            Ok(vector) => vector,
            Err(unmeant) => {
                let (answer, pending) = self.read(|tx| Ok((work(tx, None)?, vectors::pending(tx)?)))?;
                return Ok((answer, Some(unmeant), pending));
            }
        };
        let ((answer, pending), unmeant) = self
            .with_vectors(|tx, index| {
                let pending = vectors::pending(tx)?;
                Ok((work(tx, Some(&Meant { vector: &vector, index }))?, pending))
            })?
            .with_unmeant(|| self.read(|tx| Ok((work(tx, None)?, 0))))?;
        Ok((answer, unmeant, pending))
    }

    /// The vector of a question, or why there is none.
    fn question(&self, question: &str, loading: Duration) -> Result<std::result::Result<Vec<f32>, Unmeant>> {
        let embeddings = self.meaning.settings.model.get();
        let identity = match embeddings.identity() {
            Ok(identity) => identity,
            Err(error) => return Ok(Err(error.into())),
        };
        match self.read(|tx| Ok(vectors::model(tx)?))? {
            None => Ok(Err(Unmeant::NoVectors)),
            Some(model) if !worker::is_of(&model, identity) => Ok(Err(Unmeant::OtherModel)),
            Some(_) => Ok(embeddings.query(question, loading).map_err(Unmeant::from)),
        }
    }

    /// Reads one moment of the graph with its vectors in memory, both at the same moment.
    pub(crate) fn with_vectors<T>(
        &self,
        work: impl Fn(&ReadTx<'_>, &VectorIndex) -> Result<T>,
    ) -> Result<Vectored<T>> {
        let embeddings = self.meaning.settings.model.get();
        let identity = match embeddings.identity() {
            Ok(identity) => identity,
            Err(error) => return Ok(Vectored(Err(error.into()))),
        };
        let model = |tx: &ReadTx<'_>| -> Result<std::result::Result<FileModel, Unmeant>> {
            Ok(match vectors::model(tx)? {
                None => Err(Unmeant::NoVectors),
                Some(model) if !worker::is_of(&model, identity) => Err(Unmeant::OtherModel),
                Some(model) => Ok(model),
            })
        };
        // The lock is taken before the read transaction begins, as for the edges.
        {
            let index = self.meaning.index.read();
            let answer = self.read(|tx| {
                let model = match model(tx)? {
                    Ok(model) => model,
                    Err(unmeant) => return Ok(Some(Err(unmeant))),
                };
                if index.is_current(tx, &model)? { Ok(Some(Ok(work(tx, &index)?))) } else { Ok(None) }
            })?;
            if let Some(answer) = answer {
                return Ok(Vectored(answer));
            }
        }
        let mut index = self.meaning.index.write();
        self.read(|tx| {
            let model = match model(tx)? {
                Ok(model) => model,
                Err(unmeant) => return Ok(Vectored(Err(unmeant))),
            };
            index.catch_up(tx, &model)?;
            Ok(Vectored(Ok(work(tx, &index)?)))
        })
    }

    /// How it is with the vectors of objects that were just written: `true` beside those that are new.
    pub fn vectors_of(&self, written: &[(TextIndex, &str, bool)]) -> Result<Vec<VectorState>> {
        // Another program may make them all the same; by this one's searches they are not met.
        let embeddings = self.meaning.settings.model.get();
        let Ok(identity) = embeddings.identity() else { return Ok(vec![VectorState::None; written.len()]) };
        if matches!(embeddings.state(), ModelState::Missing(_)) {
            return Ok(vec![VectorState::None; written.len()]);
        }
        self.read(|tx| {
            match vectors::model(tx)? {
                // Once the file has a model, every text wants a vector.
                None => return Ok(vec![VectorState::Pending; written.len()]),
                Some(model) if !worker::is_of(&model, identity) => {
                    return Ok(vec![VectorState::None; written.len()]);
                }
                Some(_) => {}
            }
            let state = |&(which, id, is_new): &(TextIndex, &str, bool)| {
                if is_new { Ok(VectorState::Pending) } else { vectors::state_of(tx, which, id) }
            };
            Ok(written.iter().map(state).collect::<gm_store::Result<_>>()?)
        })
    }

    /// Why vectors that are missing do not come, if they do not.
    pub fn stalled(&self) -> Result<Option<Unmeant>> {
        Ok(is_paused(&self.meaning.work.state)?.then_some(Unmeant::Paused))
    }

    /// Texts whose vectors are still to come, as answers tell it.
    pub fn pending_vectors(&self) -> Result<u64> {
        self.read(|tx| Ok(vectors::pending(tx)?))
    }

    /// How far its vectors are.
    pub fn meaning_status(&self) -> Result<Status> {
        let embeddings = self.meaning.settings.model.get();
        let is_paused = is_paused(&self.meaning.work.state)?;
        let (file_model, progress, counts) = self.read(|tx| {
            let model = vectors::model(tx)?;
            let progress = if model.is_some() { vectors::progress(tx)? } else { Progress::default() };
            Ok((model, progress, crate::graph::counts(tx)?))
        })?;
        let is_other_model = match (&file_model, embeddings.identity()) {
            (Some(model), Ok(identity)) => !worker::is_of(model, identity),
            _ => false,
        };
        Ok(Status {
            model: embeddings.identity().cloned().map_err(Unmeant::from),
            state: embeddings.state(),
            file_model,
            is_other_model,
            is_paused,
            progress,
            texts: counts.entities + counts.observations,
        })
    }

    /// Lets the texts be given vectors of this program's model, from the first; see [`Settings::in_background`].
    pub fn begin_vectors_anew(&self) -> Result<()> {
        self.meaning.work.begin_anew()
    }

    /// Gives every text a vector of this program's model now; see [`worker::Work::all`].
    pub fn reembed(&self, anew: bool, tell: &mut dyn FnMut(u64, u64) -> bool) -> Result<Reembedded> {
        self.meaning.work.all(anew, tell)
    }
}

/// An answer from vectors, or why there are none.
pub(crate) struct Vectored<T>(std::result::Result<T, Unmeant>);

impl<T> Vectored<T> {
    /// The answer, else what `without` gives, and why.
    pub(crate) fn with_unmeant(self, without: impl FnOnce() -> Result<T>) -> Result<(T, Option<Unmeant>)> {
        match self.0 {
            Ok(answer) => Ok((answer, None)),
            Err(unmeant) => Ok((without()?, Some(unmeant))),
        }
    }
}

impl<T: Default> Vectored<T> {
    pub(crate) fn or_default(self) -> (T, Option<Unmeant>) {
        match self.0 {
            Ok(answer) => (answer, None),
            Err(unmeant) => (T::default(), Some(unmeant)),
        }
    }
}

/// What is embedded of an object, in parts: never more text than it has, and always the name of what it
/// is about, since "uses bcrypt" means little by itself.
pub(crate) fn passages(of: &Wanted) -> Vec<String> {
    let parts = gm_embed::parts(of.text.trim());
    parts
        .into_iter()
        .map(|part| match of.which {
            TextIndex::Entities if part.is_empty() => format!("{} ({})", of.name, of.entity_type),
            TextIndex::Entities => format!("{} ({}): {part}", of.name, of.entity_type),
            TextIndex::Observations if begins_with(part, &of.name) => part.to_owned(),
            TextIndex::Observations => format!("{}: {part}", of.name),
        })
        .collect()
}

/// Whether a text says the name first anyway.
fn begins_with(text: &str, name: &str) -> bool {
    text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// A vector of unit length in one byte a number: the largest becomes 127. For 384 numbers the cosine
/// to the vector itself is above 0.9999.
pub(crate) fn quantised(vector: &[f32]) -> Part {
    let largest = vector.iter().fold(0.0f32, |largest, v| largest.max(v.abs()));
    let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
    let bytes = vector.iter().map(|v| (v / scale).round().clamp(-127.0, 127.0) as i8).collect();
    Part { scale, bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(which: TextIndex, name: &str, text: &str) -> Wanted {
        let (name, text) = (name.into(), text.into());
        Wanted { which, rid: 1, failures: 0, name, entity_type: "service".into(), text }
    }

    #[test]
    fn what_is_embedded_names_what_it_is_about_once() {
        let of = |which, name, text| passages(&wanted(which, name, text));
        assert_eq!(of(TextIndex::Entities, "Auth", ""), ["Auth (service)"]);
        assert_eq!(of(TextIndex::Entities, "Auth", "checks tokens"), ["Auth (service): checks tokens"]);
        assert_eq!(of(TextIndex::Observations, "Auth", "uses bcrypt"), ["Auth: uses bcrypt"]);
        assert_eq!(of(TextIndex::Observations, "Auth", "AUTH uses bcrypt"), ["AUTH uses bcrypt"]);
        assert_eq!(of(TextIndex::Observations, "é", "€"), ["é: €"]);
        assert!(of(TextIndex::Observations, "Auth", &"word ".repeat(2_000)).len() > 5);
    }

    #[test]
    fn a_byte_a_number_is_enough() {
        let mut state = 7u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        for _ in 0..50 {
            let vector: Vec<f32> = (0..384).map(|_| random()).collect();
            let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
            let Part { scale, bytes } = quantised(&vector);
            let stored: Vec<f32> = bytes.iter().map(|byte| f32::from(*byte) * scale).collect();
            let stored_length = stored.iter().map(|v| v * v).sum::<f32>().sqrt();
            let dot = vector.iter().zip(&stored).map(|(a, b)| a * b).sum::<f32>();
            assert!(dot / (length * stored_length) > 0.9999);
        }
        assert!(quantised(&[0.0; 8]).bytes.iter().all(|byte| *byte == 0));
    }
}
