//! A graph that is a database file already: copied into the library as a graph of its own.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use gm_model::{Actor, limits, text};
use gm_store::{Recognised, RepairReport, origin};

use crate::backup::Draft;
use crate::graph::{Counts, Graph};
use crate::library::DEFAULT_GRAPH;
use crate::{Error, Library, Result, export};

use super::{ImportOptions, ImportReport};

/// What a file is, as far as importing goes.
pub enum Source {
    Database,
    Text(Vec<u8>),
}

/// Reads a file to import, once and bounded: it may be a pipe, or endless. The file is not one
/// this process has open.
pub fn read_source(path: &Path) -> Result<Source> {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    let failed = |cause| Error::File { what: "read", cause };
    let file = File::open(path).map_err(|cause| Error::File { what: "open", cause })?;
    let mut file = file.take(limits::MAX_IMPORT_BYTES + 1);
    let mut bytes = Vec::new();
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut bytes).map_err(failed)?;
    if bytes == MAGIC {
        return Ok(Source::Database);
    }
    file.read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limits::MAX_IMPORT_BYTES {
        return Err(Error::ImportFormat(format!("it is larger than {} MiB", limits::MAX_IMPORT_BYTES >> 20)));
    }
    Ok(Source::Text(bytes))
}

/// A database that may be brought in.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenDatabase {
    /// The name its graph would get, or has.
    pub graph: String,
    pub counts: Counts,
    /// A graph of the library was made from the same content.
    pub is_known: bool,
}

/// What a database holds, and the name it would get in a library. The file stays as it is.
pub fn look_at_database(library: &Library, path: &Path) -> Result<SeenDatabase> {
    check_kind(path)?;
    let counts = Graph::peek(path).map_err(refused)?;
    let digest = origin::content_digest(path).map_err(refused)?;
    for name in library.names()? {
        // A file that cannot be read is not the one that is looked for.
        let Ok((name, file)) = library.file_of(&name) else { continue };
        if origin::of(&file).is_ok_and(|known| known.as_ref() == Some(&digest)) {
            return Ok(SeenDatabase { graph: name, counts, is_known: true });
        }
    }
    Ok(SeenDatabase { graph: free_name(library, path)?, counts, is_known: false })
}

fn check_kind(path: &Path) -> Result<()> {
    match gm_store::recognise(path).map_err(refused)? {
        Recognised::Ours { .. } | Recognised::GraphMemOne => Ok(()),
        Recognised::Empty => Err(Error::ImportFormat("it is empty".into())),
        Recognised::Foreign(reason) | Recognised::Damaged(reason) => Err(Error::ImportFormat(reason)),
    }
}

/// The file's own name, as far as a graph can have it, with a number if another graph has it.
fn free_name(library: &Library, path: &Path) -> Result<String> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let plain: String = stem
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' })
        .take(limits::MAX_GRAPH_NAME_LENGTH - 4)
        .collect();
    let base = text::graph_name("name", plain.trim_matches('-')).unwrap_or_else(|_| "imported".into());
    let known = library.names()?;
    let is_free = |name: &String| {
        !name.eq_ignore_ascii_case(DEFAULT_GRAPH) && !known.iter().any(|k| k.eq_ignore_ascii_case(name))
    };
    let numbered = (2..).map(|n| format!("{base}-{n}"));
    Ok(std::iter::once(base.clone()).chain(numbered).find(is_free).unwrap_or(base))
}

/// Copies a database into the library and opens it there, which migrates the copy; what had to be
/// mended in it is told. The source stays as it is.
pub fn adopt_database(library: &Library, path: &Path, name: &str) -> Result<Option<RepairReport>> {
    let target = library.folder().join(format!("{name}.db"));
    if target.exists() {
        return Err(Error::GraphExists { stored: name.to_owned() });
    }
    // Whole and up to date before it has its name: a program that is killed leaves no half graph.
    let draft = Draft::new(library.folder(), "import")?;
    let repaired = copied(path, &draft).and_then(|graph| {
        let digest = origin::content_digest(path)?;
        graph.file().write(|tx| Ok::<_, Error>(origin::set(tx, &digest)?))?;
        Ok(graph.file().migrated.repaired.clone().filter(|report| !report.is_clean()))
    });
    let repaired = repaired.map_err(refused)?;
    if draft.has_log() {
        let cause = std::io::Error::other("its log could not be copied into it");
        return Err(Error::File { what: "close", cause });
    }
    std::fs::rename(&draft.file, &target).map_err(|cause| Error::File { what: "put in place", cause })?;
    library.graph(name)?;
    Ok(repaired)
}

/// A database as a graph of the present format, in a draft.
fn copied(path: &Path, draft: &Draft) -> Result<Graph> {
    gm_store::copy(path, &draft.file)?;
    Graph::open("import", &draft.file, false)
}

/// Merges what a database holds into a graph, as its export would be: once or twice, the graph is the
/// same. The source stays as it is.
pub fn merge_database(
    graph: &Graph,
    actor: &Actor,
    path: &Path,
    options: ImportOptions,
) -> Result<ImportReport> {
    check_kind(path)?;
    let draft = Draft::new(graph.path().parent().unwrap_or(Path::new(".")), "import")?;
    let content = copied(path, &draft).and_then(|copied| copied.read(export::export));
    let text = export::to_json(&content.map_err(refused)?);
    super::import(graph, actor, text.as_bytes(), options)
}

/// SQLite's primary code for a file whose header or schema makes no sense; others tell of the disk.
const SQLITE_ERROR: i32 = 1;

/// What SQLite cannot make sense of is a fault of the file that was brought, not of our storage.
fn refused(error: impl Into<Error>) -> Error {
    match error.into() {
        Error::Store(gm_store::Error::Sqlite { code, .. }) if code & 0xff == SQLITE_ERROR => {
            Error::ImportFormat(format!("its content cannot be read as a database (code {code})"))
        }
        // The way out for a damaged graph of the library is none for a file that was brought.
        Error::Store(gm_store::Error::Damaged { .. }) => Error::ImportFormat(
            "its pages are damaged; salvage what is left with `sqlite3 FILE .recover`".into(),
        ),
        error => error,
    }
}
