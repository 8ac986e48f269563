//! Models of fastembed by name, from the model hub: only when a person asks for one. A download that
//! breaks off goes on where it ended, and what a file must be is checked before it takes its place.

use std::fs;
use std::path::{Path, PathBuf};

use fastembed::{EmbeddingModel, ModelInfo, Pooling as FastPooling, TextEmbedding};
use hf_hub::api::Progress;
use hf_hub::api::sync::{ApiBuilder, ApiError, ApiRepo};
use serde_json::Value;

use crate::install::{Draft, InstallError};
use crate::model::{FILES, MANIFEST, MAX_TOKENS, MIN_TOKENS, Manifest, Pooling, sha256};

const ENDPOINT: &str = "https://huggingface.co";
/// As the hub's own programs name it: where the hub is, for those with a mirror.
const ENDPOINT_SETTING: &str = "HF_ENDPOINT";
/// For models that want to know who asks.
const TOKEN_SETTING: &str = "HF_TOKEN";
/// What was downloaded waits here until it is whole.
const UNFINISHED: &str = ".hub";
/// How often a connection that broke is made again.
const RETRIES: usize = 4;
/// Tokens read of a text unless the model says that it reads fewer.
const USUAL_TOKENS: usize = 512;
/// Bytes between two words of progress.
const STEP: usize = 1 << 20;

/// A model that can be had by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Available {
    /// Also the name of its folder.
    pub name: String,
    /// Where the hub keeps it.
    pub repository: String,
    pub dimension: usize,
    pub description: String,
}

/// The models that can be had, by name.
pub fn available() -> Vec<Available> {
    let mut models: Vec<Available> = known()
        .map(|info| Available {
            name: name_of(&info),
            repository: info.model_code,
            dimension: info.dim,
            description: info.description,
        })
        .collect();
    models.sort_by(|a, b| a.name.cmp(&b.name));
    models
}

/// Models whose weights stand in one file and give one vector a token, as the loader expects.
fn known() -> impl Iterator<Item = ModelInfo<EmbeddingModel>> {
    let models = TextEmbedding::list_supported_models().into_iter();
    models.filter(|info| info.additional_files.is_empty() && info.output_key.is_none())
}

fn name_of(info: &ModelInfo<EmbeddingModel>) -> String {
    format!("{:?}", info.model).to_lowercase()
}

/// Downloads a model into `target` and returns its folder. `tell` hears how far that is.
pub fn install(name: &str, target: &Path, tell: &mut dyn FnMut(&str)) -> Result<PathBuf, InstallError> {
    let info = known().find(|info| name_of(info) == name.to_lowercase()).ok_or_else(|| {
        InstallError::Client(format!("no model `{name}`; `graph-mem model available` lists those there are"))
    })?;
    let unfinished = target.join(UNFINISHED);
    let endpoint = std::env::var(ENDPOINT_SETTING).ok().filter(|endpoint| !endpoint.is_empty());
    let endpoint = endpoint.unwrap_or_else(|| ENDPOINT.into());
    let api = ApiBuilder::new()
        .with_cache_dir(unfinished.clone())
        .with_endpoint(endpoint.clone())
        .with_token(std::env::var(TOKEN_SETTING).ok().filter(|token| !token.is_empty()))
        .with_progress(false)
        .with_retries(RETRIES)
        .build()
        .map_err(|error| refused(&endpoint, &info.model_code, &error))?;
    let repository = api.model(info.model_code.clone());
    let name = name_of(&info);
    let draft = Draft::new(target, &name)?;
    let mut files = std::collections::BTreeMap::new();
    for file in FILES {
        let there = if file == "model.onnx" { info.model_file.as_str() } else { file };
        let failed = |error: &ApiError| refused(&endpoint, &format!("{}/{there}", info.model_code), error);
        let promised = api.metadata(&repository.url(there)).map_err(|error| failed(&error))?;
        let got = download(&repository, there, tell).map_err(|error| failed(&error))?;
        let bytes = read(&got)?;
        let digest = sha256(&bytes);
        // The hub names large files by their SHA-256.
        let is_digest = promised.etag().len() == digest.len();
        if bytes.len() != promised.size() || (is_digest && promised.etag() != digest) {
            // Downloaded anew the next time.
            let _ = fs::remove_dir_all(&unfinished);
            return Err(InstallError::WrongFile(got));
        }
        if file.ends_with(".json") && serde_json::from_slice::<Value>(&bytes).is_err() {
            let _ = fs::remove_dir_all(&unfinished);
            return Err(InstallError::WrongFile(got));
        }
        draft.write(file, &bytes)?;
        files.insert(file.to_owned(), digest);
    }
    let max_tokens = max_tokens(&draft);
    let (query_prefix, passage_prefix) = prefixes(&info.model_code);
    let pooling = match TextEmbedding::get_default_pooling_method(&info.model) {
        Some(FastPooling::Cls) => Pooling::Cls,
        _ => Pooling::Mean,
    };
    let manifest = Manifest {
        id: name,
        dimension: info.dim,
        pooling,
        max_tokens,
        query_prefix: query_prefix.into(),
        passage_prefix: passage_prefix.into(),
        files,
    };
    draft.write(MANIFEST, &serde_json::to_vec_pretty(&manifest).expect("a manifest is plain data"))?;
    let folder = draft.place()?;
    let _ = fs::remove_dir_all(&unfinished);
    Ok(folder)
}

fn download(repository: &ApiRepo, file: &str, tell: &mut dyn FnMut(&str)) -> Result<PathBuf, ApiError> {
    repository.download_with_progress(file, Telling { tell, file: file.into(), size: 0, got: 0, told: 0 })
}

/// How far one file is.
struct Telling<'a> {
    tell: &'a mut dyn FnMut(&str),
    file: String,
    size: usize,
    got: usize,
    told: usize,
}

impl Progress for Telling<'_> {
    fn init(&mut self, size: usize, _: &str) {
        (self.size, self.got, self.told) = (size, 0, 0);
    }

    fn update(&mut self, size: usize) {
        self.got += size;
        if self.got - self.told >= STEP {
            self.told = self.got;
            let [got, size] = [self.got, self.size].map(|bytes| bytes as f64 / 1e6);
            (self.tell)(&format!("{}: {got:.0} of {size:.0} MB", self.file));
        }
    }

    fn finish(&mut self) {
        if self.size >= STEP {
            (self.tell)(&format!("{}: all {:.0} MB", self.file, self.size as f64 / 1e6));
        }
    }
}

fn refused(endpoint: &str, what: &str, error: &ApiError) -> InstallError {
    InstallError::Client(format!(
        "`{what}` cannot be had from {endpoint}: {error}; what is there stays, and the same command goes on. \
         {ENDPOINT_SETTING} names a mirror; `graph-mem model install --from FOLDER` takes a model that was brought here"
    ))
}

fn read(path: &Path) -> Result<Vec<u8>, InstallError> {
    fs::read(path).map_err(|cause| InstallError::File { what: "read", path: path.into(), cause })
}

/// How many tokens the model reads, as its files tell.
fn max_tokens(draft: &Draft) -> usize {
    let number = |file: &str, field: &str| -> Option<usize> {
        let value: Value = serde_json::from_slice(&fs::read(draft.path(file)).ok()?).ok()?;
        usize::try_from(value.get(field)?.as_u64()?).ok()
    };
    let told = [
        number("tokenizer_config.json", "model_max_length"),
        number("config.json", "max_position_embeddings"),
    ];
    let least = told.into_iter().flatten().chain([USUAL_TOKENS]).min().unwrap_or(USUAL_TOKENS);
    least.clamp(MIN_TOKENS, MAX_TOKENS)
}

/// What families of models want in front of a question, and of everything else, by their cards.
fn prefixes(repository: &str) -> (&'static str, &'static str) {
    let repository = repository.to_lowercase();
    let is = |family: &str| repository.contains(family);
    if is("multilingual-e5") {
        ("query: ", "passage: ")
    } else if is("nomic-embed-text") || is("modernbert-embed") {
        ("search_query: ", "search_document: ")
    } else if (is("bge-") && is("-en-v1.5")) || is("mxbai-embed") || is("snowflake-arctic-embed") {
        ("Represent this sentence for searching relevant passages: ", "")
    } else {
        ("", "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_have_names_of_folders_each_its_own() {
        let models = available();
        assert!(models.len() > 30, "{}", models.len());
        for pair in models.windows(2) {
            assert!(pair[0].name < pair[1].name);
        }
        assert!(models.iter().all(|model| model.name.chars().all(|c| c.is_ascii_alphanumeric())));
        let e5 = models.iter().find(|model| model.name == "multilinguale5small").unwrap();
        assert_eq!((e5.dimension, prefixes(&e5.repository).0), (384, "query: "));
    }

    #[test]
    fn a_name_that_is_none_is_told_with_what_lists_them() {
        let target = tempfile::tempdir().unwrap();
        let refused = install("nope", target.path(), &mut |_| ()).unwrap_err();
        assert!(refused.to_string().contains("graph-mem model available"), "{refused}");
        assert_eq!(fs::read_dir(target.path()).unwrap().count(), 0);
    }
}
