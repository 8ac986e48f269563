//! Text embedding: vectors of texts behind a trait, the models that make them, and the thread on
//! which they are made.
//!
//! - [`Embedder`]: what every model owes. [`HashEmbedder`] is deterministic and needs no model.
//! - [`model`]: a model as files in a folder, and where models are looked for.
//! - [`install`]: getting the default model and its runtime onto this machine; `hub`: others, by name.
//! - [`Embeddings`]: a model that is loaded when first needed, off every hot path.

mod hashed;
#[cfg(feature = "hub")]
pub mod hub;
pub mod install;
mod known;
pub mod model;
#[cfg(feature = "onnx")]
mod onnx;
mod service;
mod split;

pub use hashed::{FAILING_WORD, HashEmbedder};
pub use service::{Embeddings, ModelState};
pub use split::{MAX_PARTS, parts};

/// The runtime's own switch, in the environment.
const NO_TELEMETRY: &str = "ORT_DISABLE_TELEMETRY";

/// Forbids the runtime to collect and send what it would by itself: nothing leaves the machine. Without
/// this no runtime is opened.
///
/// # Safety
///
/// Changes the environment: to be called while the program has no other thread, first of all.
#[allow(unsafe_code)]
pub unsafe fn forbid_telemetry() {
    // SAFETY: no other thread can be reading the environment, as the caller promises.
    unsafe { std::env::set_var(NO_TELEMETRY, "1") }
}

/// Why a text has no vector.
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
pub enum EmbedError {
    /// Switched off by a setting.
    #[error("search by meaning is switched off")]
    Off,
    /// The sentence says what is missing and what to do.
    #[error("{0}")]
    Unavailable(String),
    #[error("the embedding model is being loaded")]
    Loading,
    #[error("the embedding model did not answer in time")]
    Late,
    #[error("the embedding model failed on text {index} of the batch")]
    Failed { index: usize },
}

impl EmbedError {
    /// A word for results and logs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Unavailable(_) => "model_missing",
            Self::Loading => "model_loading",
            Self::Late => "model_late",
            Self::Failed { .. } => "model_failed",
        }
    }
}

/// What a vector depends on beside its text. Vectors of different models are never compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModelIdentity {
    pub id: String,
    pub revision: String,
    pub dimension: usize,
    /// Tokens of a text that it reads; longer ones are taken apart.
    pub max_tokens: usize,
}

/// What a text is to its model: some models want questions and passages told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Query,
    Passage,
}

/// Turns texts into vectors of unit length.
pub trait Embedder: Send + Sync {
    fn model(&self) -> &ModelIdentity;

    /// One vector a text, in order. A vector never depends on the other texts of the batch.
    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}
