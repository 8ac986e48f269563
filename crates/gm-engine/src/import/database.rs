//! A graph that is a database file already: copied into the library as a graph of its own.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use gm_model::{limits, text};
use gm_store::Recognised;

use crate::graph::{Counts, Graph};
use crate::library::DEFAULT_GRAPH;
use crate::{Error, Library, Result};

/// Whether a file opens as SQLite's do. The file is not one this process has open.
pub fn is_database(path: &Path) -> Result<bool> {
    let mut head = [0u8; 16];
    let mut file = File::open(path).map_err(|source| Error::File { what: "open", source })?;
    Ok(file.read_exact(&mut head).is_ok() && head == *b"SQLite format 3\0")
}

/// The bytes of a file to import, bounded.
pub fn read_file(path: &Path) -> Result<Vec<u8>> {
    let failed = |source| Error::File { what: "read", source };
    let size = std::fs::metadata(path).map_err(failed)?.len();
    if size > limits::MAX_IMPORT_BYTES {
        return Err(Error::ImportFormat(format!("it is larger than {} MiB", limits::MAX_IMPORT_BYTES >> 20)));
    }
    std::fs::read(path).map_err(failed)
}

/// The name a database would get in a library, and what it holds.
pub fn look_at_database(library: &Library, path: &Path) -> Result<(String, Counts)> {
    match gm_store::recognise(path)? {
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
    Ok((name, Graph::peek(path)?))
}

/// Copies a database into the library and opens it there, which migrates the copy. The source
/// stays as it is.
pub fn adopt_database(library: &Library, path: &Path, name: &str) -> Result<()> {
    let target = library.folder().join(format!("{name}.db"));
    gm_store::copy(path, &target)?;
    if let Err(error) = library.graph(name) {
        // What cannot be opened must not stand in the listing as if it could.
        let _ = std::fs::remove_file(&target);
        return Err(error);
    }
    Ok(())
}
