//! Models of ONNX on ONNX Runtime, through fastembed.

use std::path::Path;

use fastembed::{
    InitOptionsUserDefined, Pooling as FastPooling, QuantizationMode, TextEmbedding, TokenizerFiles,
    UserDefinedEmbeddingModel,
};
use ort::environment::Environment;
use parking_lot::Mutex;

use crate::model::{ModelFolder, Pooling};
use crate::{EmbedError, Embedder, ModelIdentity, Role};

/// Texts computed together.
const BATCH: usize = 16;

pub(crate) struct OnnxEmbedder {
    identity: ModelIdentity,
    query_prefix: String,
    passage_prefix: String,
    /// Quantised while it runs, with a scale that the whole batch shares: a vector would depend on the
    /// texts beside it.
    is_alone: bool,
    model: Mutex<TextEmbedding>,
}

impl OnnxEmbedder {
    /// Reads and checks the model's files, and opens the runtime.
    pub(crate) fn load(folder: &ModelFolder, runtime: &Path) -> Result<Self, EmbedError> {
        let environment = open_runtime(runtime)?;
        let file = |name: &str| folder.read(name);
        let manifest = &folder.manifest;
        let onnx_file = file("model.onnx")?;
        let tokenizer_files = TokenizerFiles {
            tokenizer_file: file("tokenizer.json")?,
            config_file: file("config.json")?,
            special_tokens_map_file: file("special_tokens_map.json")?,
            tokenizer_config_file: file("tokenizer_config.json")?,
        };
        let is_alone = contains(&onnx_file, b"DynamicQuantizeLinear");
        let pooling = match manifest.pooling {
            Pooling::Mean => FastPooling::Mean,
            Pooling::Cls => FastPooling::Cls,
        };
        let model = UserDefinedEmbeddingModel::new(onnx_file, tokenizer_files)
            .with_pooling(pooling)
            .with_quantization(QuantizationMode::None);
        let options =
            InitOptionsUserDefined::new().with_environment(environment).with_max_length(manifest.max_tokens);
        let model = TextEmbedding::try_new_from_user_defined(model, options)
            .map_err(|error| unavailable("the model cannot be loaded", &error))?;
        let loaded = Self {
            identity: folder.identity(),
            query_prefix: manifest.query_prefix.clone(),
            passage_prefix: manifest.passage_prefix.clone(),
            is_alone,
            model: Mutex::new(model),
        };
        let dimension = loaded.embed(Role::Query, &["a"])?[0].len();
        if dimension != loaded.identity.dimension {
            return Err(EmbedError::Unavailable(format!(
                "the model gives vectors of {dimension} numbers, its model.json says {}",
                loaded.identity.dimension
            )));
        }
        Ok(loaded)
    }
}

impl Embedder for OnnxEmbedder {
    fn model(&self) -> &ModelIdentity {
        &self.identity
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let prefix = match role {
            Role::Query => &self.query_prefix,
            Role::Passage => &self.passage_prefix,
        };
        // Texts of like length stand together: a batch is padded to its longest.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|at| texts[*at].len());
        let sorted: Vec<String> = order.iter().map(|at| format!("{prefix}{}", texts[*at])).collect();
        let mut vectors = vec![Vec::new(); texts.len()];
        let batch = if self.is_alone { 1 } else { BATCH };
        let mut model = self.model.lock();
        for (at, chunk) in sorted.chunks(batch).enumerate() {
            let first = order[at * batch];
            let made = model.embed(chunk, Some(batch)).map_err(|_| EmbedError::Failed { index: first })?;
            for (i, mut vector) in made.into_iter().enumerate() {
                let index = order[at * batch + i];
                let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
                if !length.is_normal() {
                    return Err(EmbedError::Failed { index });
                }
                vector.iter_mut().for_each(|v| *v /= length);
                vectors[index] = vector;
            }
        }
        Ok(vectors)
    }
}

/// Opens the runtime's library, once in a process: the first that works is kept.
fn open_runtime(library: &Path) -> Result<Environment, EmbedError> {
    if std::env::var_os(crate::NO_TELEMETRY).is_none_or(|word| word != "1") {
        let problem = format!("the runtime would send what it collects; `{}` must be 1", crate::NO_TELEMETRY);
        return Err(EmbedError::Unavailable(problem));
    }
    static OPENED: Mutex<Option<Environment>> = Mutex::new(None);
    let mut opened = OPENED.lock();
    if let Some(environment) = &*opened {
        return Ok(environment.clone());
    }
    let builder =
        ort::init_from(library).map_err(|error| unavailable("the runtime cannot be opened", &error))?;
    let environment = builder
        .with_name("graph-mem")
        .with_telemetry(false)
        .build()
        .map_err(|error| unavailable("the runtime cannot be started", &error))?;
    Ok(opened.insert(environment).clone())
}

fn unavailable(what: &str, error: &dyn std::fmt::Display) -> EmbedError {
    EmbedError::Unavailable(format!("{what}: {error}"))
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}
