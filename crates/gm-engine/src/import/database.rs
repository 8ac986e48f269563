//! A graph that is a database file already: copied into the library as a graph of its own.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use gm_model::{limits, text};
use gm_store::Recognised;

use crate::graph::{Counts, Graph};
use crate::library::DEFAULT_GRAPH;
use crate::{Error, Library, Result};

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

/// The name a database would get in a library, and what it holds.
pub fn look_at_database(library: &Library, path: &Path) -> Result<(String, Counts)> {
    match gm_store::recognise(path).map_err(refused)? {
        Recognised::Ours { .. } | Recognised::GraphMemOne => {}
        Recognised::Empty => return Err(Error::ImportFormat("it is empty".into())),
        Recognised::Foreign(reason) => return Err(Error::ImportFormat(reason)),
        Recognised::Damaged(reason) => return Err(Error::ImportFormat(reason)),
    }
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
    let name = std::iter::once(base.clone()).chain(numbered).find(is_free).unwrap_or(base.clone());
    Ok((name, Graph::peek(path).map_err(refused)?))
}

/// Copies a database into the library and opens it there, which migrates the copy. The source
/// stays as it is.
pub fn adopt_database(library: &Library, path: &Path, name: &str) -> Result<()> {
    let target = library.folder().join(format!("{name}.db"));
    if target.exists() {
        return Err(Error::GraphExists { stored: name.to_owned() });
    }
    // The first thing in a new library may be a copy.
    gm_store::create_private_folder(library.folder())?;
    let opened = gm_store::copy(path, &target).map_err(Error::from).and_then(|()| library.graph(name));
    if let Err(error) = opened {
        // What cannot be opened must not stand in the listing as if it could.
        let _ = std::fs::remove_file(&target);
        return Err(refused(error));
    }
    Ok(())
}

/// SQLite's primary code for a file whose header or schema makes no sense; others tell of the disk.
const SQLITE_ERROR: i32 = 1;

/// What SQLite cannot make sense of is a fault of the file that was brought, not of our storage.
fn refused(error: impl Into<Error>) -> Error {
    match error.into() {
        Error::Store(gm_store::Error::Sqlite { code, .. }) if code & 0xff == SQLITE_ERROR => {
            Error::ImportFormat(format!("its content cannot be read as a database (code {code})"))
        }
        error => error,
    }
}
