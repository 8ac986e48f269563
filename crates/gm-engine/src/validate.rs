//! Whether graphs keep their promises, and making anew what is derived in them.

use std::path::PathBuf;

use gm_store::repair::{self, Repaired};
use gm_store::validate::{self, Finding, Opened, Specimen};

use crate::adjacency::AdjacencyIndex;
use crate::{Library, Result};

/// What looking at one graph brought to light.
#[derive(Debug, Clone, PartialEq)]
pub struct Validation {
    pub graph: String,
    pub file: PathBuf,
    /// False for a file of graph-mem 1.0: only its pages can be looked at before it is opened.
    pub complete: bool,
    pub findings: Vec<Finding>,
}

/// Looks at a graph without opening it for writing. `progress` is told what is being looked at.
pub fn validate(library: &Library, name: &str, progress: &mut dyn FnMut(&str)) -> Result<Validation> {
    let (graph, file) = library.file_of(name)?;
    let opened = Specimen::of(&file, &mut |done, all| {
        progress(&format!("copy {} %", done * 100 / all.max(1)));
    })?;
    let mut specimen = match opened {
        Opened::Unreadable(finding) => {
            return Ok(Validation { graph, file, complete: true, findings: vec![finding] });
        }
        Opened::Specimen(specimen) => specimen,
    };
    let mut findings = specimen.check(progress)?;
    let complete = specimen.is_ours();
    if complete && !findings.iter().any(|finding| finding.check == "pages") {
        progress("edges in memory");
        findings.extend(adjacency(&mut specimen)?);
    }
    Ok(Validation { graph, file, complete, findings })
}

/// The index that traversal walks on against the table it is made from.
fn adjacency(specimen: &mut Specimen) -> Result<Option<Finding>> {
    let compared = specimen.read(|tx| {
        let mut index = AdjacencyIndex::default();
        index.catch_up(tx)?;
        index.compare(tx)
    });
    let (missing, more) = match compared {
        // Properties that cannot be read are a finding already.
        Err(crate::Error::Store(gm_store::Error::Corrupt { .. })) => return Ok(None),
        compared => compared?,
    };
    if missing.is_empty() && more == 0 {
        return Ok(None);
    }
    Ok(Some(Finding {
        check: "adjacency",
        message: "relationships that traversal does not see as they are",
        count: (missing.len() as u64).max(more),
        ids: missing.into_iter().take(validate::FINDING_IDS).collect(),
        repairable: true,
    }))
}

/// Makes text indexes, search texts, keys and counts of a graph anew, in one transaction. What
/// people and agents wrote is left as it is, so nothing is journalled.
pub fn repair(library: &Library, name: &str) -> Result<Vec<Repaired>> {
    library.graph(name)?.file().write(|tx| Ok(repair::repair(tx)?))
}
