//! A model as files in a folder, and where models are looked for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{EmbedError, ModelIdentity};

/// The model that is used unless another is chosen: all-MiniLM-L6-v2 with weights of 8 bits.
pub const DEFAULT_MODEL: &str = "all-minilm-l6-v2-int8";
/// Tells what is in a model's folder.
pub const MANIFEST: &str = "model.json";
/// The runtime's folder beside the models.
pub const RUNTIME_FOLDER: &str = "onnxruntime-1.32.0";
/// Beside the runtime's library: its SHA-256.
pub const RUNTIME_DIGEST: &str = "sha256";
/// Bounds of what a `model.json` may say; sums over more numbers would not fit the index's 32 bits.
pub(crate) const MAX_DIMENSION: usize = 8_192;
pub(crate) const MIN_TOKENS: usize = 8;
pub(crate) const MAX_TOKENS: usize = 8_192;
/// Files of a model.
pub const FILES: [&str; 5] =
    ["model.onnx", "tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"];

/// The runtime's library, as this system calls it.
pub const RUNTIME_LIBRARY: &str = if cfg!(windows) {
    "onnxruntime.dll"
} else if cfg!(target_os = "macos") {
    "libonnxruntime.dylib"
} else {
    "libonnxruntime.so"
};

/// How the vectors of a text's tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    Mean,
    Cls,
}

/// What `model.json` says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub id: String,
    pub dimension: usize,
    pub pooling: Pooling,
    #[serde(default = "default_max_tokens")]
    pub max_tokens: usize,
    /// What the model wants in front of a question.
    #[serde(default)]
    pub query_prefix: String,
    /// What it wants in front of everything else.
    #[serde(default)]
    pub passage_prefix: String,
    /// SHA-256 of each file, by name.
    pub files: BTreeMap<String, String>,
}

fn default_max_tokens() -> usize {
    256
}

/// The manifest of [`DEFAULT_MODEL`].
pub fn default_manifest() -> Manifest {
    let files = [
        ("model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"),
        ("tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
        ("config.json", "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
        ("special_tokens_map.json", "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3"),
        ("tokenizer_config.json", "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b"),
    ];
    Manifest {
        id: DEFAULT_MODEL.into(),
        dimension: 384,
        pooling: Pooling::Mean,
        max_tokens: default_max_tokens(),
        query_prefix: String::new(),
        passage_prefix: String::new(),
        files: files.map(|(name, digest)| (name.to_owned(), digest.to_owned())).into(),
    }
}

/// A model that is on this machine.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelFolder {
    pub folder: PathBuf,
    pub manifest: Manifest,
}

impl ModelFolder {
    /// Reads what a folder says of itself; the files are read and checked when the model is loaded.
    pub fn open(folder: &Path) -> Result<Self, EmbedError> {
        let path = folder.join(MANIFEST);
        let text = fs::read(&path).map_err(|error| {
            EmbedError::Unavailable(format!("`{}` cannot be read: {}", path.display(), told(&error)))
        })?;
        let manifest: Manifest = serde_json::from_slice(&text)
            .map_err(|error| EmbedError::Unavailable(format!("`{}` is wrong: {error}", path.display())))?;
        let problem = if manifest.id.is_empty() {
            Some("`id` is empty")
        } else if !(1..=MAX_DIMENSION).contains(&manifest.dimension) {
            Some("`dimension` must be from 1 to 8192")
        } else if !(MIN_TOKENS..=MAX_TOKENS).contains(&manifest.max_tokens) {
            Some("`max_tokens` must be from 8 to 8192")
        } else if FILES.iter().any(|name| !manifest.files.contains_key(*name)) {
            Some("`files` must give the SHA-256 of model.onnx and of the four files of its tokenizer")
        } else {
            None
        };
        match problem {
            Some(problem) => Err(EmbedError::Unavailable(format!("`{}`: {problem}", path.display()))),
            None => Ok(Self { folder: folder.to_owned(), manifest }),
        }
    }

    /// By what its vectors are told from those of other models.
    pub fn identity(&self) -> ModelIdentity {
        // Tokens and pooling shape a vector as much as the weights do.
        let mut digest = Sha256::new();
        for (name, sum) in &self.manifest.files {
            digest.update(format!("{name}={sum};"));
        }
        digest.update(format!("{:?};{}", self.manifest.pooling, self.manifest.max_tokens));
        digest.update(format!("{};{}", self.manifest.query_prefix, self.manifest.passage_prefix));
        let revision = hex(&digest.finalize())[..16].to_owned();
        ModelIdentity {
            id: self.manifest.id.clone(),
            revision,
            dimension: self.manifest.dimension,
            max_tokens: self.manifest.max_tokens,
        }
    }

    /// A file of the model, whose digest must be the one that was promised.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, EmbedError> {
        let path = self.folder.join(name);
        let bytes = fs::read(&path).map_err(|error| {
            EmbedError::Unavailable(format!("`{}` cannot be read: {}", path.display(), told(&error)))
        })?;
        if self.manifest.files.get(name).is_some_and(|sum| sha256(&bytes) != *sum) {
            let remedy = if self.manifest.id == DEFAULT_MODEL {
                "`graph-mem model install` gets it again"
            } else {
                "its SHA-256 is not the one in `model.json`"
            };
            return Err(EmbedError::Unavailable(format!("`{}` is damaged; {remedy}", path.display())));
        }
        Ok(bytes)
    }
}

/// Whether a name can be that of a model's folder: nothing that leads elsewhere, and not the runtime's.
pub fn is_model_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.len() <= 100
        && name.chars().all(is_plain)
        && !name.to_lowercase().starts_with("onnxruntime")
}

/// Folders in which models are looked for, the first first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places(pub Vec<PathBuf>);

impl Places {
    /// A given folder, then that of the home library, then what came with the program.
    pub fn new(given: Option<PathBuf>, home: &Path) -> Self {
        let bundled = std::env::current_exe().ok().and_then(|program| {
            let folder = program.parent()?;
            ["models", "../Resources/models", "../lib/graph-mem/models"]
                .map(|place| folder.join(place))
                .into_iter()
                .find(|place| place.is_dir())
        });
        Self(given.into_iter().chain([home.join("models")]).chain(bundled).collect())
    }

    /// The model of a name, or in a folder whose path is given.
    pub fn model(&self, wanted: &str) -> Result<ModelFolder, EmbedError> {
        if wanted.contains(['/', '\\']) {
            return ModelFolder::open(Path::new(wanted));
        }
        match self.0.iter().map(|place| place.join(wanted)).find(|folder| folder.join(MANIFEST).is_file()) {
            Some(folder) => ModelFolder::open(&folder),
            None if wanted == DEFAULT_MODEL => Err(EmbedError::Unavailable(format!(
                "the model `{wanted}` is not installed; `graph-mem model install` gets it"
            ))),
            None => Err(EmbedError::Unavailable(format!(
                "there is no model `{wanted}`; `graph-mem model status` tells which there are, and what names this one"
            ))),
        }
    }

    /// Every model that is there, with what is wrong with those that cannot be used.
    pub fn models(&self) -> Vec<(PathBuf, Result<ModelFolder, EmbedError>)> {
        let mut found: Vec<(PathBuf, _)> = Vec::new();
        for place in &self.0 {
            let mut folders: Vec<PathBuf> = fs::read_dir(place)
                .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
                .unwrap_or_default();
            folders.sort();
            for folder in folders.into_iter().filter(|folder| folder.join(MANIFEST).is_file()) {
                if found.iter().all(|(known, _)| known.file_name() != folder.file_name()) {
                    let model = ModelFolder::open(&folder);
                    found.push((folder, model));
                }
            }
        }
        found
    }

    /// Reads the runtime's library as it was installed: a half of one would end this program.
    pub fn checked_runtime(&self) -> Result<PathBuf, EmbedError> {
        let library = self.runtime()?;
        let promised = fs::read_to_string(library.with_file_name(RUNTIME_DIGEST)).unwrap_or_default();
        let is_installed = library.parent().is_some_and(|folder| folder.ends_with(RUNTIME_FOLDER));
        if is_installed {
            let bytes = fs::read(&library).map_err(|error| {
                EmbedError::Unavailable(format!("`{}` cannot be read: {}", library.display(), error.kind()))
            })?;
            if sha256(&bytes) != promised.trim() {
                return Err(EmbedError::Unavailable(format!(
                    "`{}` is damaged; `graph-mem model install` gets it again",
                    library.display()
                )));
            }
        }
        Ok(library)
    }

    /// The runtime's library.
    pub fn runtime(&self) -> Result<PathBuf, EmbedError> {
        let given = std::env::var_os("ORT_DYLIB_PATH").filter(|path| !path.is_empty()).map(PathBuf::from);
        let installed = self.0.iter().map(|place| place.join(RUNTIME_FOLDER).join(RUNTIME_LIBRARY));
        given.into_iter().chain(installed).find(|path| path.is_file()).ok_or_else(|| {
            EmbedError::Unavailable(
                "the runtime of the embedding model is not installed; `graph-mem model install` gets it"
                    .into(),
            )
        })
    }
}

fn told(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "it is not there".into(),
        kind => kind.to_string(),
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(change: impl Fn(&mut Manifest)) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let mut manifest = default_manifest();
        change(&mut manifest);
        fs::write(folder.path().join(MANIFEST), serde_json::to_vec(&manifest).unwrap()).unwrap();
        folder
    }

    #[test]
    fn a_model_is_told_by_its_files_and_by_what_is_done_with_them() {
        let plain = ModelFolder::open(folder_with(|_| {}).path()).unwrap().identity();
        let cls = ModelFolder::open(folder_with(|m| m.pooling = Pooling::Cls).path()).unwrap().identity();
        let other = folder_with(|m| drop(m.files.insert("model.onnx".into(), "00".into())));
        let other = ModelFolder::open(other.path()).unwrap().identity();
        assert_eq!(plain.id, cls.id);
        assert!(plain.revision != cls.revision && plain.revision != other.revision);
    }

    #[test]
    fn a_damaged_file_is_refused_and_named() {
        let folder = folder_with(|_| {});
        fs::write(folder.path().join("model.onnx"), b"half of it").unwrap();
        let refused = ModelFolder::open(folder.path()).unwrap().read("model.onnx").unwrap_err();
        assert!(refused.to_string().contains("model.onnx") && refused.to_string().contains("damaged"));
    }

    #[test]
    fn what_a_manifest_lacks_is_said() {
        let folder = folder_with(|m| m.dimension = 0);
        assert!(ModelFolder::open(folder.path()).unwrap_err().to_string().contains("`dimension`"));
        let places = Places(vec![folder.path().join("none")]);
        assert!(places.model(DEFAULT_MODEL).unwrap_err().to_string().contains("graph-mem model install"));
        assert!(places.model("nope").unwrap_err().to_string().contains("graph-mem model status"));
    }
}
