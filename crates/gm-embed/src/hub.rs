//! Models of fastembed by name, from the model hub: only when a person asks for one. A download that
//! breaks off goes on where it ended, and what a file must be is checked before it takes its place.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use fastembed::{EmbeddingModel, ModelInfo, Pooling as FastPooling, TextEmbedding};
use serde_json::Value;
use sha1::{Digest, Sha1};
use ureq::http::Response;
use ureq::{Agent, Body};

use crate::install::{Draft, InstallError, create, read};
use crate::model::{FILES, MANIFEST, MAX_TOKENS, MIN_TOKENS, Manifest, Pooling, hex, sha256};

const ENDPOINT: &str = "https://huggingface.co";
/// As the hub's own programs name it: where the hub is, for those with a mirror.
const ENDPOINT_SETTING: &str = "HF_ENDPOINT";
/// For models that want to know who asks.
const TOKEN_SETTING: &str = "HF_TOKEN";
/// What was downloaded waits here until it is whole, each model in a folder of its own.
const UNFINISHED: &str = ".hub";
/// How often in a row an attempt may bring nothing, and how long to wait between.
const RETRIES: u32 = 4;
const PAUSE: Duration = Duration::from_millis(500);
/// How long the hub may take to answer, and one attempt to last: then it goes on with another.
const ANSWERING: Duration = Duration::from_secs(30);
const ATTEMPT: Duration = Duration::from_secs(60);
const REDIRECTS: u32 = 10;
/// No model that is offered is larger.
const MOST_BYTES: u64 = 4 << 30;
/// Tokens read of a text unless the model says that it reads fewer.
const USUAL_TOKENS: usize = 512;
/// Bytes between two words of progress.
const STEP: u64 = 1 << 20;

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
    let name = name_of(&info);
    if target.join(&name).symlink_metadata().is_ok_and(|there| !there.is_dir()) {
        return Err(InstallError::Client(format!(
            "`{}` is in the way: it is no folder",
            target.join(&name).display()
        )));
    }
    let unfinished = target.join(UNFINISHED).join(&name);
    create(&unfinished)?;
    let path = unfinished.join("lock");
    let lock = File::create(&path).map_err(|cause| InstallError::File { what: "made", path, cause })?;
    if lock.try_lock().is_err() {
        return Err(InstallError::Client(format!("`{name}` is being installed by another program")));
    }
    Draft::clear(target, &name);
    let hub = Hub::new(&info.model_code);
    let draft = Draft::new(target, &name)?;
    let mut files = BTreeMap::new();
    for file in FILES {
        let there = if file == "model.onnx" { info.model_file.as_str() } else { file };
        let bytes = hub.fetch(there, &unfinished.join(format!("{file}.part")), tell)?;
        if file.ends_with(".json") && serde_json::from_slice::<Value>(&bytes).is_err() {
            return Err(hub.refused(there, "it is not JSON"));
        }
        draft.write(file, &bytes)?;
        files.insert(file.to_owned(), sha256(&bytes));
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
    // Only when no other model is under way.
    let _ = fs::remove_dir(target.join(UNFINISHED));
    Ok(folder)
}

/// One repository of the hub. Nothing that it answers becomes a path or goes unbounded.
struct Hub {
    agent: Agent,
    endpoint: String,
    repository: String,
    token: Option<String>,
}

/// What the hub promises of a file.
struct Promise {
    size: u64,
    /// SHA-256 in 64 digits or the digest of a git blob in 40, if it is either.
    digest: String,
}

impl Hub {
    fn new(repository: &str) -> Self {
        let setting = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
        let agent = Agent::config_builder()
            .timeout_connect(Some(ANSWERING))
            .timeout_recv_response(Some(ANSWERING))
            .timeout_recv_body(Some(ATTEMPT))
            .http_status_as_error(false)
            .max_redirects_will_error(false)
            .build()
            .new_agent();
        Self {
            agent,
            endpoint: setting(ENDPOINT_SETTING)
                .unwrap_or_else(|| ENDPOINT.into())
                .trim_end_matches('/')
                .to_owned(),
            repository: repository.to_owned(),
            token: setting(TOKEN_SETTING),
        }
    }

    fn refused(&self, file: &str, why: impl std::fmt::Display) -> InstallError {
        InstallError::Client(format!(
            "`{}/{file}` cannot be had from {}: {why}; what is there stays, and the same command goes on. \
             {ENDPOINT_SETTING} names a mirror; `graph-mem model install --from FOLDER` takes a model that was brought here",
            self.repository, self.endpoint
        ))
    }

    /// `redirects`: how many are followed, without the token where they lead to another host.
    fn get(&self, path: &str, range: &str, redirects: u32) -> Result<Response<Body>, String> {
        let mut request = self.agent.get(format!("{}{path}", self.endpoint)).header("range", range);
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.header("accept-encoding", "identity");
        request.config().max_redirects(redirects).build().call().map_err(|error| error.to_string())
    }

    /// Asks for one byte: how large the file is, and its digest, stand in the first answer.
    fn promise(&self, path: &str) -> Result<Promise, String> {
        let mut path = path.to_owned();
        for _ in 0..REDIRECTS {
            let answer = self.get(&path, "bytes=0-0", 0)?;
            let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok());
            let status = answer.status();
            if status.is_redirection() {
                // A renamed repository stays on the hub; large files are kept elsewhere.
                match header("location") {
                    Some(location) if location.starts_with('/') && !location.starts_with("//") => {
                        path = location.to_owned();
                        continue;
                    }
                    Some(_) => {}
                    None => return Err(format!("it answers {status} without saying where")),
                }
            } else if !status.is_success() {
                return Err(format!("it answers {status}"));
            }
            let size = header("x-linked-size").or_else(|| header("content-range")?.rsplit('/').next());
            let size = size.and_then(|size| size.parse().ok()).filter(|size| *size <= MOST_BYTES);
            let size = size.ok_or("it does not say how large the file is, or it is too large")?;
            let etag = header("x-linked-etag").or_else(|| header("etag")).unwrap_or_default();
            let digest = etag.trim_start_matches("W/").trim_matches('"').to_lowercase();
            let is_digest = matches!(digest.len(), 40 | 64) && digest.bytes().all(|b| b.is_ascii_hexdigit());
            return Ok(Promise { size, digest: if is_digest { digest } else { String::new() } });
        }
        Err("it sends from one place to the next".into())
    }

    /// A file that is what was promised. What came of it stays in `part` until it is all there.
    fn fetch(&self, file: &str, part: &Path, tell: &mut dyn FnMut(&str)) -> Result<Vec<u8>, InstallError> {
        let path = format!("/{}/resolve/main/{file}", self.repository);
        let promise = self.promise(&path).map_err(|why| self.refused(file, why))?;
        let length = || fs::metadata(part).map_or(0, |part| part.len());
        if length() > promise.size {
            fs::remove_file(part).map_err(|error| self.refused(file, error))?;
        }
        let (mut failures, mut most) = (0, 0);
        while !part.is_file() || length() < promise.size {
            let outcome = self.go_on(file, &path, part, length(), promise.size, tell);
            // As long as it comes on, there is no reason to give up.
            failures = if length() > most { 0 } else { failures + 1 };
            most = most.max(length());
            if let Err(why) = outcome
                && failures > RETRIES
            {
                return Err(self.refused(file, why));
            }
            if failures > 0 {
                std::thread::sleep(PAUSE);
            }
        }
        let bytes = read(part)?;
        let found = match promise.digest.len() {
            64 => sha256(&bytes),
            40 => git_blob(&bytes),
            _ => String::new(),
        };
        if found != promise.digest {
            let _ = fs::remove_file(part);
            return Err(self.refused(file, "its SHA-256, or that of its blob, is not the one it promises"));
        }
        Ok(bytes)
    }

    /// Takes what is missing of a file, as far as it comes.
    fn go_on(
        &self,
        file: &str,
        path: &str,
        part: &Path,
        had: u64,
        size: u64,
        tell: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        let answer = self.get(path, &format!("bytes={had}-"), REDIRECTS)?;
        let from = match answer.status().as_u16() {
            206 => had,
            // It does not know of ranges.
            200 => 0,
            416 => {
                let _ = fs::remove_file(part);
                return Err("it has no such range".into());
            }
            _ => return Err(format!("it answers {}", answer.status())),
        };
        let told = |error: std::io::Error| error.to_string();
        let mut to = File::options().create(true).write(true).truncate(false).open(part).map_err(told)?;
        to.set_len(from).map_err(told)?;
        to.seek(SeekFrom::End(0)).map_err(told)?;
        let mut body = answer.into_body().into_reader().take(size - from);
        let mut buffer = vec![0; 64 * 1024];
        let (mut got, mut told_at) = (from, from);
        loop {
            let read = body.read(&mut buffer).map_err(told)?;
            if read == 0 {
                break;
            }
            to.write_all(&buffer[..read]).map_err(told)?;
            got += read as u64;
            if got - told_at >= STEP || got == size && size >= STEP {
                told_at = got;
                tell(&format!("{file}: {:.0} of {:.0} MB", got as f64 / 1e6, size as f64 / 1e6));
            }
        }
        if got < size { Err("it ended too early".into()) } else { Ok(()) }
    }
}

/// The name git gives a file's content.
fn git_blob(bytes: &[u8]) -> String {
    let mut digest = Sha1::new();
    digest.update(format!("blob {}\0", bytes.len()));
    digest.update(bytes);
    hex(&digest.finalize())
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
