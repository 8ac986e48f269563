//! A change of somebody else's file: shown first, made with a copy kept, taken back byte for byte.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::NAME;
use crate::client::{Client, Scope, Server};
use crate::edit::{self, EditError};
use crate::instructions::{Guide, Place};
use crate::section;
use crate::surroundings::Surroundings;

/// Bytes of a file that is read at all.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Lines around a change that are shown.
const CONTEXT: usize = 3;
/// Where copies and notes of changes are, below the home library.
const FOLDER: &str = "clients";

#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("{client} documents no file for this; {remedy}")]
    NoPlace { client: &'static str, remedy: String },
    #[error("`{}` is left as it is: {problem}", path.display())]
    Unreadable { path: PathBuf, problem: EditError },
    #[error("`{}` is left as it is: {problem}", path.display())]
    Section { path: PathBuf, problem: String },
    #[error("`{}` has more than 16 MiB and is left as it is", path.display())]
    TooLarge { path: PathBuf },
    #[error("`{}` was changed meanwhile; look at the change again", path.display())]
    ChangedMeanwhile { path: PathBuf },
    #[error("`{}`: {cause}", path.display())]
    Io { path: PathBuf, cause: std::io::Error },
    #[error("nothing of this program was found there")]
    NothingToUndo,
}

impl PlanError {
    fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |cause| Self::Io { path: path.to_owned(), cause }
    }
}

/// A change that was not made yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What is changed: a client's id and what for.
    pub key: String,
    pub path: PathBuf,
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
    /// A new file is its user's alone; else it is as open as others are.
    is_private: bool,
    /// It takes our part out: nothing is left to be taken back.
    is_end: bool,
}

/// A change that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    pub path: PathBuf,
    /// The copy of what stood there; `None` if there was no file.
    pub backup: Option<PathBuf>,
}

/// What taking back did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undone {
    /// The file is what it was, byte for byte.
    Restored(PathBuf),
    /// The file was made by us, and is gone.
    Deleted(PathBuf),
    /// Others changed the file since: our part alone was taken out.
    TakenOut(PathBuf),
}

/// A note of a change, by which it is taken back.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    path: PathBuf,
    backup: Option<PathBuf>,
    /// Of the file as it was written.
    sha256: String,
    /// Folders that were made for it, the innermost first.
    #[serde(default)]
    made_folders: Vec<PathBuf>,
}

impl Plan {
    /// Whether there is anything to do.
    pub fn is_needed(&self) -> bool {
        self.before != self.after
    }

    /// Names what stands in the file now, so that another program can say for what it agreed.
    pub fn based_on(&self) -> String {
        self.before.as_deref().map(digest).unwrap_or_default()
    }

    /// Whether others on this machine may read the file as it is.
    pub fn is_open_to_others(&self) -> bool {
        #[cfg(unix)]
        return fs::metadata(&self.path)
            .is_ok_and(|meta| std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o077 != 0);
        #[cfg(not(unix))]
        false
    }

    /// The change as people read it. Tokens are not shown.
    pub fn diff(&self) -> String {
        let text = |bytes: &Option<Vec<u8>>| {
            bytes.as_ref().map(|bytes| masked(&String::from_utf8_lossy(bytes))).unwrap_or_default()
        };
        let (before, after) = (text(&self.before), text(&self.after));
        let diff = similar::TextDiff::from_lines(&before, &after);
        let name = self.path.display().to_string();
        let (from, to) = match (&self.before, &self.after) {
            (None, _) => ("/dev/null".to_owned(), name),
            (_, None) => (name, "/dev/null".to_owned()),
            _ => (name.clone(), name),
        };
        diff.unified_diff().context_radius(CONTEXT).header(&from, &to).to_string()
    }

    /// Makes the change, and keeps what stood there. Refused if the file is not what the change was
    /// made for any more.
    pub fn apply(&self, home: &Path) -> Result<Applied, PlanError> {
        if read(&self.path)? != self.before {
            return Err(PlanError::ChangedMeanwhile { path: self.path.clone() });
        }
        let folder = private_folder(home)?;
        let note_path = folder.join(format!("{}.json", self.key));
        let known = read_note(&note_path).filter(|note| {
            note.path == self.path && self.before.as_ref().is_some_and(|bytes| digest(bytes) == note.sha256)
        });
        // What stood there before our first change is what undo brings back.
        let (backup, mut made_folders) = match known {
            Some(note) => (note.backup, note.made_folders),
            None => (self.keep(&folder)?, Vec::new()),
        };
        match &self.after {
            Some(after) => {
                made_folders.extend(make_parents(&self.path)?);
                write(&self.path, after, self.is_private)?;
                if self.is_end {
                    remove_empty(&made_folders);
                    let _ = fs::remove_file(&note_path);
                    return Ok(Applied { path: self.path.clone(), backup });
                }
                let note = Note {
                    path: self.path.clone(),
                    backup: backup.clone(),
                    sha256: digest(after),
                    made_folders,
                };
                let text = serde_json::to_vec_pretty(&note).expect("a note is plain data");
                write(&note_path, &text, true)?;
            }
            // A link is its user's; what it leads to becomes what it was before us, which is empty.
            None if fs::symlink_metadata(&self.path).is_ok_and(|meta| meta.is_symlink()) => {
                write(&self.path, b"", self.is_private)?;
                let _ = fs::remove_file(&note_path);
            }
            None => {
                fs::remove_file(&self.path).map_err(PlanError::io(&self.path))?;
                remove_empty(&made_folders);
                let _ = fs::remove_file(&note_path);
            }
        }
        Ok(Applied { path: self.path.clone(), backup })
    }

    fn keep(&self, folder: &Path) -> Result<Option<PathBuf>, PlanError> {
        let Some(before) = &self.before else { return Ok(None) };
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let copy = (0..)
            .map(|n| folder.join(format!("{}-{seconds}-{n}.backup", self.key)))
            .find(|copy| !copy.exists())
            .expect("a free name is found");
        write(&copy, before, true)?;
        Ok(Some(copy))
    }
}

/// The change that makes a client know a server under our name.
pub fn connect(
    client: &Client,
    around: &Surroundings,
    scope: Scope,
    server: &Server,
) -> Result<Plan, PlanError> {
    let no_place = |remedy: &str| PlanError::NoPlace { client: client.name, remedy: remedy.to_owned() };
    let path = client.file(around, scope).ok_or_else(|| {
        let other = match scope {
            Scope::User => Scope::Project,
            Scope::Project => Scope::User,
        };
        no_place(match (client.file(around, other), scope) {
            (Some(_), Scope::User) => "a project's is documented: try `--project`",
            (Some(_), Scope::Project) => "its servers are the user's: leave `--project` out",
            (None, _) => "put the configuration where it asks for it",
        })
    })?;
    let entry = (client.shape)(server)
        .ok_or_else(|| no_place("it can start a process of its own: use the stdio transport"))?;
    let before = read(&path)?;
    let problem = |problem| PlanError::Unreadable { path: path.clone(), problem };
    let text = before.as_deref().unwrap_or_default();
    // A file without anything of ours keeps its form; OpenCode has a newer one beside the older.
    let form = newer_form(client, text).unwrap_or(client.form);
    let after = match edit::get(form, text, NAME).map_err(problem)? {
        Some(known) if known == entry => text.to_vec(),
        _ => edit::set(form, text, NAME, &entry).map_err(problem)?,
    };
    let key = key(client, scope, "server", &path);
    Ok(Plan { key, path, before, after: Some(after), is_private: true, is_end: false })
}

/// OpenCode's second version keeps servers one level deeper, and reads both.
fn newer_form(client: &Client, text: &[u8]) -> Option<crate::client::Form> {
    const NEWER: crate::client::Form = crate::client::Form::Json(&["mcp", "servers"]);
    let has_newer = client.id == "opencode"
        && String::from_utf8_lossy(text).contains("\"servers\"")
        && edit::get(crate::client::Form::Json(&["mcp"]), text, "servers").ok().flatten().is_some();
    has_newer.then_some(NEWER)
}

/// The change that gives a client our instructions.
pub fn install(client: &Client, guide: &Guide) -> Result<Plan, PlanError> {
    let path = guide.path.clone();
    let before = read(&path)?;
    let text = before.as_deref().unwrap_or_default();
    let after = match guide.place {
        Place::Own => guide.text.clone().into_bytes(),
        Place::Section => section::put(text, &guide.text)
            .map_err(|problem| PlanError::Section { path: path.clone(), problem })?,
    };
    let key = key(client, guide.scope, "guide", &path);
    Ok(Plan { key, path, before, after: Some(after), is_private: false, is_end: false })
}

/// The change that takes them out again.
pub fn uninstall(client: &Client, guide: &Guide) -> Result<Plan, PlanError> {
    let path = guide.path.clone();
    let before = read(&path)?.ok_or(PlanError::NothingToUndo)?;
    let after = match guide.place {
        Place::Own => None,
        Place::Section => {
            let rest = section::remove(&before)
                .map_err(|problem| PlanError::Section { path: path.clone(), problem })?
                .ok_or(PlanError::NothingToUndo)?;
            (!rest.is_empty()).then_some(rest)
        }
    };
    let key = key(client, guide.scope, "guide", &path);
    Ok(Plan { key, path, before: Some(before), after, is_private: false, is_end: true })
}

/// Takes back what [`connect`] changed.
pub fn undo(client: &Client, around: &Surroundings, scope: Scope, home: &Path) -> Result<Undone, PlanError> {
    let path = client.file(around, scope).ok_or(PlanError::NothingToUndo)?;
    let note_path = home.join(FOLDER).join(format!("{}.json", key(client, scope, "server", &path)));
    // What we did not write is not ours to take out.
    let note = read_note(&note_path).ok_or(PlanError::NothingToUndo)?;
    // It may have had another name then, as OpenCode's and Amp's have two.
    let path = note.path.clone();
    let now = read(&path)?;
    let is_whole = |note: &Note| note.backup.as_ref().is_none_or(|backup| backup.is_file());
    let untouched = Some(note)
        .filter(|note| is_whole(note) && now.as_ref().is_some_and(|now| digest(now) == note.sha256));
    let undone = match untouched {
        Some(Note { backup: Some(backup), .. }) => {
            let kept = read(&backup)?.ok_or(PlanError::NothingToUndo)?;
            write(&path, &kept, true)?;
            // It holds what the file holds again.
            let _ = fs::remove_file(&backup);
            Undone::Restored(path)
        }
        Some(Note { backup: None, made_folders, .. }) => {
            fs::remove_file(&path).map_err(PlanError::io(&path))?;
            remove_empty(&made_folders);
            Undone::Deleted(path)
        }
        None => {
            let now = now.ok_or(PlanError::NothingToUndo)?;
            let form = newer_form(client, &now).unwrap_or(client.form);
            let problem = |problem| PlanError::Unreadable { path: path.clone(), problem };
            let rest = edit::remove(form, &now, NAME).map_err(problem)?.ok_or(PlanError::NothingToUndo)?;
            write(&path, &rest, true)?;
            Undone::TakenOut(path)
        }
    };
    let _ = fs::remove_file(&note_path);
    Ok(undone)
}

/// Names a change by what it is for and which file it is of: projects have one each.
fn key(client: &Client, scope: Scope, what: &str, path: &Path) -> String {
    match scope {
        Scope::User => format!("{}-user-{what}", client.id),
        Scope::Project => {
            let place = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            let place = digest(place.to_string_lossy().as_bytes());
            format!("{}-project-{what}-{}", client.id, &place[..16])
        }
    }
}

fn private_folder(home: &Path) -> Result<PathBuf, PlanError> {
    let folder = home.join(FOLDER);
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&folder).map_err(PlanError::io(&folder))?;
    Ok(folder)
}

fn read_note(path: &Path) -> Option<Note> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// What a file holds; `None` if there is none.
fn read(path: &Path) -> Result<Option<Vec<u8>>, PlanError> {
    match fs::metadata(path) {
        Ok(meta) if meta.len() > MAX_FILE_BYTES => Err(PlanError::TooLarge { path: path.to_owned() }),
        Ok(meta) if !meta.is_file() => {
            let cause = std::io::Error::new(ErrorKind::InvalidInput, "it is no file");
            Err(PlanError::Io { path: path.to_owned(), cause })
        }
        Ok(_) => fs::read(path).map(Some).map_err(PlanError::io(path)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(PlanError::Io { path: path.to_owned(), cause }),
    }
}

/// Replaces a file at once: whoever reads it sees the one or the other. A link stays a link, and the file keeps
/// who may read it.
fn write(path: &Path, bytes: &[u8], is_private: bool) -> Result<(), PlanError> {
    let target = end_of_links(path);
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).map_err(PlanError::io(folder))?;
    }
    let mut draft = target.clone().into_os_string();
    draft.push(format!(".{}.part", std::process::id()));
    let draft = PathBuf::from(draft);
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if is_private { 0o600 } else { 0o666 });
    let written = options.open(&draft).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        if let Ok(meta) = fs::metadata(&target) {
            fs::set_permissions(&draft, meta.permissions())?;
        }
        fs::rename(&draft, &target)
    });
    written.map_err(|cause| {
        let _ = fs::remove_file(&draft);
        PlanError::Io { path: path.to_owned(), cause }
    })
}

/// Where links lead, also if nothing is there yet.
fn end_of_links(path: &Path) -> PathBuf {
    const MOST: usize = 32;
    let mut target = path.to_owned();
    for _ in 0..MOST {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().map_or(next.clone(), |folder| folder.join(&next)),
            Err(_) => break,
        }
    }
    target
}

/// Makes the folders of a file; those that were missing, the innermost first.
fn make_parents(path: &Path) -> Result<Vec<PathBuf>, PlanError> {
    let Some(parent) = path.parent() else { return Ok(Vec::new()) };
    let missing: Vec<PathBuf> = parent
        .ancestors()
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        .map(PathBuf::from)
        .collect();
    fs::create_dir_all(parent).map_err(PlanError::io(parent))?;
    Ok(missing)
}

/// Removes folders that we made, as far as nobody put anything there.
fn remove_empty(folders: &[PathBuf]) {
    for folder in folders {
        if fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A text without our tokens.
fn masked(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("gmt_") {
        shown.push_str(&rest[..at]);
        shown.push_str("gmt_…");
        let end =
            rest[at + 4..].find(|c: char| !c.is_ascii_hexdigit()).map_or(rest.len(), |end| at + 4 + end);
        rest = &rest[end..];
    }
    shown.push_str(rest);
    shown
}
