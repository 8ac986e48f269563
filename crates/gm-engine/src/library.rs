//! A folder of named graphs.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, UNIX_EPOCH};

use gm_embed::Embeddings;
use gm_model::text;
use gm_store::{Recognised, Soundness, StateFile, recognise};
use parking_lot::Mutex;

use crate::graph::{Counts, Graph};
use crate::meaning::Settings;
use crate::{Error, Location, Result, now};

/// The graph whose file is `graph.db`.
pub const DEFAULT_GRAPH: &str = "default";
pub(crate) const DEFAULT_FILE: &str = "graph.db";

/// A library open in this process. Cheap to clone and to share.
#[derive(Clone)]
pub struct Library {
    inner: Arc<Inner>,
}

struct Inner {
    location: Location,
    state: Arc<StateFile>,
    process: String,
    meaning: OnceLock<Settings>,
    open: Mutex<HashMap<String, Arc<Graph>>>,
    /// Files that were looked at for damage, as they were then: size and time.
    sound: Mutex<HashMap<PathBuf, (u64, f64)>>,
}

/// How long one listing looks for damage in files that are not open.
const LISTING_CHECK: Duration = Duration::from_millis(150);

/// One graph of a listing.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphInfo {
    pub name: String,
    pub file: PathBuf,
    pub size_bytes: u64,
    pub last_modified: f64,
    /// What it holds, or why it cannot be read.
    pub content: Result<Counts, String>,
}

impl Library {
    /// Opens a library. `kind` and `label` tell other processes who holds its graphs; `state`
    /// is the user's state file in the home library.
    pub fn open(location: Location, state: Arc<StateFile>, kind: &str, label: &str) -> Result<Self> {
        // Without room for a note of it a library can be read all the same.
        let process = match state.register(kind, label, now()) {
            Ok(process) => process.keep(),
            Err(error) if error.forbids_writing() => String::new(),
            Err(error) => return Err(error.into()),
        };
        let inner = Inner {
            location,
            state,
            process,
            meaning: OnceLock::new(),
            open: Mutex::default(),
            sound: Mutex::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Says how graphs that are opened from now on search by meaning; without it they do not.
    pub fn search_by_meaning(&self, settings: Settings) {
        let _ = self.inner.meaning.set(settings);
    }

    /// What was said there.
    pub fn meaning_settings(&self) -> Settings {
        self.inner.meaning.get().cloned().unwrap_or_default()
    }

    /// The embedding model of this program.
    pub fn embeddings(&self) -> Embeddings {
        self.inner.meaning.get().map_or_else(Embeddings::off, |settings| settings.model.get())
    }

    pub fn folder(&self) -> &Path {
        &self.inner.location.folder
    }

    /// The folder by the one way to it that all programs agree on, whatever links they came by.
    pub fn real_folder(&self) -> PathBuf {
        // It may be still to come: then the way to where it will be.
        let folder = self.folder();
        let known =
            folder.ancestors().find_map(|ancestor| Some((ancestor, fs::canonicalize(ancestor).ok()?)));
        let rest = known.as_ref().and_then(|(ancestor, _)| folder.strip_prefix(ancestor).ok());
        match (&known, rest) {
            (Some((_, real)), Some(rest)) if rest.as_os_str().is_empty() => real.clone(),
            (Some((_, real)), Some(rest)) => real.join(rest),
            _ => folder.to_owned(),
        }
    }

    pub fn location(&self) -> &Location {
        &self.inner.location
    }

    /// This process, as `state.sqlite` knows it.
    pub fn process(&self) -> &str {
        &self.inner.process
    }

    pub fn state(&self) -> &Arc<StateFile> {
        &self.inner.state
    }

    /// An open graph. The default graph comes into being on first use; others must exist.
    pub fn graph(&self, name: &str) -> Result<Arc<Graph>> {
        let name = self.stored_name(name)?;
        self.open_graph(&name, name == DEFAULT_GRAPH)
    }

    /// Makes a new, empty graph.
    pub fn create(&self, name: &str) -> Result<Arc<Graph>> {
        let name = text::graph_name("name", name)?;
        let is_default =
            name.eq_ignore_ascii_case(DEFAULT_GRAPH) && self.inner.location.default_file.is_some();
        if is_default || self.is_default_file(&name) {
            return Err(Error::GraphExists { stored: DEFAULT_GRAPH.into() });
        }
        if let Some(stored) = self.names()?.into_iter().find(|known| known.eq_ignore_ascii_case(&name)) {
            // A file without a byte is a graph whose making was cut off; it is made now.
            if recognise(&self.path_of(&stored))? != Recognised::Empty {
                return Err(Error::GraphExists { stored });
            }
            return self.open_graph(&stored, true);
        }
        let name = if name.eq_ignore_ascii_case(DEFAULT_GRAPH) { DEFAULT_GRAPH.to_owned() } else { name };
        self.open_graph(&name, true)
    }

    /// Lets go of every open graph. Each is left in its one file, also where something in this program
    /// still holds it.
    pub fn close(&self) {
        for (name, graph) in self.inner.open.lock().drain() {
            graph.file().settle();
            if graph.is_replaced() {
                let _ = self.set_old_log_aside(&self.path_of(&name));
            }
        }
    }

    /// Gives back the memory that only makes a next request quicker; for when none came for a while.
    pub fn rest(&self) {
        let open: Vec<Arc<Graph>> = self.inner.open.lock().values().cloned().collect();
        for graph in open {
            graph.file().rest();
        }
        gm_store::memory::give_back();
    }

    /// Deletes a graph's files. Refused while a living process, or anything else in this one, has
    /// it open; who that is, is told. Returns the names of the deleted files. With `keep_copy`, a copy in
    /// the library's `backups` is made first.
    pub fn delete(&self, name: &str, keep_copy: bool) -> Result<Vec<String>> {
        let (name, path) = self.file_of(name)?;
        let mut open = self.inner.open.lock();
        self.let_go(&name, &path, &mut open)?;
        if keep_copy && recognise(&path)? != Recognised::Empty {
            crate::backup::back_up(self, &name, None, false, now(), &mut |_, _| {})?;
        }
        let mut deleted = Vec::new();
        for suffix in ["", "-wal", "-shm"] {
            let file = beside(&path, suffix);
            match fs::remove_file(&file) {
                Ok(()) => deleted.extend(file.file_name().map(|name| name.to_string_lossy().into_owned())),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(cause) => return Err(Error::File { what: "delete", cause }),
            }
        }
        Ok(deleted)
    }

    /// Every graph of the folder, looked at without changing any.
    pub fn list(&self) -> Result<Vec<GraphInfo>> {
        let give_up = Instant::now() + LISTING_CHECK;
        let names = self.names()?;
        Ok(names.into_iter().map(|name| self.look_at(name, give_up)).collect())
    }

    /// The names of the graphs whose files exist, `default` first, then by name.
    pub fn names(&self) -> Result<Vec<String>> {
        let entries = match fs::read_dir(self.folder()) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => return Err(gm_store::Error::Io { path: self.folder().to_owned(), cause }.into()),
        };
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter_map(|file| {
                let stem = file.strip_suffix(".db")?;
                text::graph_name("name", stem).ok()
            })
            .filter(|name| !name.eq_ignore_ascii_case(DEFAULT_GRAPH) && !self.is_default_file(name))
            .collect();
        names.sort_by_key(|name| name.to_ascii_lowercase());
        if self.path_of(DEFAULT_GRAPH).exists() {
            names.insert(0, DEFAULT_GRAPH.to_owned());
        }
        Ok(names)
    }

    /// Whether a name's file is that of the default graph, which has no second name.
    fn is_default_file(&self, name: &str) -> bool {
        self.inner.location.default_file.as_ref().is_some_and(|file| *file == self.path_of(name))
    }

    /// Where the default graph is, or will be.
    pub fn default_file(&self) -> PathBuf {
        self.path_of(DEFAULT_GRAPH)
    }

    /// The stored name of a graph that exists, and its file, neither opened nor changed.
    pub fn file_of(&self, name: &str) -> Result<(String, PathBuf)> {
        let name = self.stored_name(name)?;
        let path = self.path_of(&name);
        // A folder that nobody may look into is not an empty one.
        let exists = path.try_exists();
        if !exists.map_err(|cause| gm_store::Error::Io { path: path.clone(), cause })? {
            return Err(self.no_such_graph(&name));
        }
        self.check_inside(&name, &path)?;
        Ok((name, path))
    }

    fn look_at(&self, name: String, give_up: Instant) -> GraphInfo {
        let file = self.path_of(&name);
        let meta = fs::metadata(&file).ok();
        let modified =
            meta.as_ref().and_then(|m| m.modified().ok()).and_then(|t| t.duration_since(UNIX_EPOCH).ok());
        let size_bytes = meta.as_ref().map_or(0, fs::Metadata::len);
        let last_modified = modified.map_or(0.0, |since| since.as_secs_f64());
        let content = self.content_of(&name, &file, (size_bytes, last_modified), give_up);
        GraphInfo { size_bytes, last_modified, content: content.map_err(told), name, file }
    }

    /// Counts of a graph. An open one was looked at for damage when it was opened.
    fn content_of(&self, name: &str, file: &Path, as_of: (u64, f64), give_up: Instant) -> Result<Counts> {
        self.check_inside(name, file)?;
        if let Some(graph) = self.inner.open.lock().get(name).cloned() {
            return graph.counts();
        }
        let counts = Graph::peek(file)?;
        self.check_sound(file, as_of, give_up)?;
        Ok(counts)
    }

    /// Refuses a file with damaged pages. A file that was found sound is looked at again only after
    /// it changed; one that is too large for the time left stays as good as it looks.
    fn check_sound(&self, file: &Path, as_of: (u64, f64), give_up: Instant) -> Result<()> {
        if as_of.0 == 0 || self.inner.sound.lock().get(file) == Some(&as_of) {
            return Ok(());
        }
        match gm_store::look_for_damage(file, give_up.saturating_duration_since(Instant::now()))? {
            Soundness::Damaged => Err(gm_store::Error::Damaged { path: file.to_owned() }.into()),
            Soundness::Unfinished => Ok(()),
            Soundness::Sound => {
                self.inner.sound.lock().insert(file.to_owned(), as_of);
                Ok(())
            }
        }
    }

    /// Puts a graph's file out of the way under a name that says when, so that its name is free;
    /// nothing is deleted. Returns the new name of the file. Refused while anybody has it open.
    pub fn set_aside(&self, name: &str) -> Result<PathBuf> {
        let (name, path) = self.file_of(name)?;
        let mut open = self.inner.open.lock();
        self.let_go(&name, &path, &mut open)?;
        let aside = aside_of(&path, "");
        let failed = |cause| Error::File { what: "set aside", cause };
        fs::rename(&path, &aside).map_err(failed)?;
        // The log belongs to the file.
        let log = beside(&path, "-wal");
        if log.exists() {
            fs::rename(log, beside(&aside, "-wal")).map_err(failed)?;
        }
        // The index of the log; made anew.
        let _ = fs::remove_file(beside(&path, "-shm"));
        Ok(aside)
    }

    /// Closes a graph before its file goes. Refused while somebody else has it open, or anything in
    /// this program; who that is, is told.
    fn let_go(&self, name: &str, path: &Path, open: &mut HashMap<String, Arc<Graph>>) -> Result<()> {
        let state = &self.inner.state;
        let mut holders: Vec<String> = state
            .holders(path)?
            .into_iter()
            .filter(|holder| holder.id != self.inner.process)
            .map(|holder| format!("{} (process {})", holder.label, holder.pid))
            .collect();
        if open.get(name).is_some_and(|graph| Arc::strong_count(graph) > 1) {
            holders.push("this program".to_owned());
        }
        if !holders.is_empty() {
            return Err(Error::GraphInUse { graph: name.to_owned(), holders });
        }
        open.remove(name);
        Ok(state.release(&self.inner.process, path)?)
    }

    fn open_graph(&self, name: &str, create: bool) -> Result<Arc<Graph>> {
        let mut open = self.inner.open.lock();
        if let Some(graph) = open.get(name).filter(|graph| !graph.is_replaced()) {
            return Ok(graph.clone());
        }
        let path = self.path_of(name);
        if open.remove(name).is_some() {
            self.set_old_log_aside(&path)?;
        }
        self.check_inside(name, &path)?;
        if !create && !path.exists() {
            return Err(self.no_such_graph(name));
        }
        let settings = self.inner.meaning.get().cloned().unwrap_or_default();
        let (state, process) = (self.inner.state.clone(), self.inner.process.clone());
        let graph = Arc::new(Graph::open_in(name, &path, true, settings, state, process)?);
        match self.inner.state.lease(&self.inner.process, &path) {
            Err(error) if error.forbids_writing() => {}
            leased => leased?,
        }
        open.insert(name.to_owned(), graph.clone());
        Ok(graph)
    }

    /// After a file was swapped: the log beside it belongs to the old one, and would be read as the
    /// new one's, mixing pages of both. It is put aside, unless another process may be using it.
    fn set_old_log_aside(&self, path: &Path) -> Result<()> {
        let log = beside(path, "-wal");
        if !log.exists() {
            return Ok(());
        }
        let others =
            self.inner.state.holders(path)?.into_iter().any(|holder| holder.id != self.inner.process);
        if others {
            return Err(gm_store::Error::Replaced { path: path.to_owned() }.into());
        }
        let aside = aside_of(path, "-wal");
        tracing::warn!(file = %path.display(), "the file was replaced while it was open; its old log is put aside");
        fs::rename(&log, aside).map_err(|cause| Error::File { what: "put aside", cause })?;
        // The index of the log; made anew.
        let _ = fs::remove_file(beside(path, "-shm"));
        Ok(())
    }

    /// The stored spelling of a name, on every system without regard to case.
    fn stored_name(&self, name: &str) -> Result<String> {
        if name.eq_ignore_ascii_case(DEFAULT_GRAPH) {
            return Ok(DEFAULT_GRAPH.to_owned());
        }
        let name = text::graph_name("graph", name)?;
        let known = self.names()?;
        known
            .into_iter()
            .find(|stored| stored.eq_ignore_ascii_case(&name))
            .ok_or_else(|| self.no_such_graph(&name))
    }

    fn no_such_graph(&self, name: &str) -> Error {
        Error::NoSuchGraph { name: name.to_owned(), known: self.names().unwrap_or_default() }
    }

    fn path_of(&self, name: &str) -> PathBuf {
        if name == DEFAULT_GRAPH {
            let file = self.inner.location.default_file.clone();
            return file.unwrap_or_else(|| self.folder().join(DEFAULT_FILE));
        }
        self.folder().join(format!("{name}.db"))
    }

    /// A link in the folder must not lead out of it. The file of `--db` is the user's own word.
    fn check_inside(&self, name: &str, path: &Path) -> Result<()> {
        if name == DEFAULT_GRAPH && self.inner.location.default_file.is_some() {
            return Ok(());
        }
        let is_link = fs::symlink_metadata(path).is_ok_and(|meta| meta.file_type().is_symlink());
        if !is_link {
            return Ok(());
        }
        let inside = match (fs::canonicalize(path), fs::canonicalize(self.folder())) {
            (Ok(target), Ok(folder)) => target.starts_with(folder),
            _ => false,
        };
        if inside {
            return Ok(());
        }
        let reason = "it is a link that leads out of the library".to_owned();
        Err(gm_store::Error::NotAGraph { path: path.to_owned(), reason }.into())
    }
}

/// Why a graph cannot be read, with what to do about it.
fn told(error: Error) -> String {
    match error.hint() {
        Some(hint) => format!("{error}. {hint}"),
        None => error.to_string(),
    }
}

/// In the name of every file that was put aside.
pub(crate) const ASIDE: &str = ".set-aside-";

/// A free name under which a file, or what `suffix` says of it, is put aside.
fn aside_of(path: &Path, suffix: &str) -> PathBuf {
    (0..)
        .map(|n| beside(path, &format!("{suffix}{ASIDE}{}-{n}", now() as u64)))
        .find(|aside| !aside.exists())
        .expect("a free name is found")
}

/// Whether a file is one that was put aside, or the log of one.
pub(crate) fn is_set_aside(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().contains(ASIDE))
}

/// The path with something added to its name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
