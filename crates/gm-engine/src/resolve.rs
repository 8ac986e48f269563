//! From a name to an entity: exact, then without case, then by alias. Nothing fuzzy ever
//! resolves; full-text matching only feeds suggestions.

use gm_model::{limits, text};
use gm_store::entities::EntityRow;
use gm_store::search::{Scope, TextIndex};
use gm_store::{ReadTx, aliases, entities};

use crate::search::query::TextQuery;
use crate::search::retrieve::retrieve;
use crate::{Error, Result, search};

/// Names that are compared letter by letter with one that was not found.
const COMPARED_NAMES: u32 = 500;
/// Likeness (Jaro and Winkler, 0 to 1) from which a name may have been misspelt.
const ALIKE: f64 = 0.85;

/// What a name is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Reading or adding: of several entities with the name, the most recently updated is meant.
    Use,
    /// Deleting, merging, renaming: several entities with the name are an error.
    Change,
}

/// Finds the entity a caller means. `field` names the argument that carried the name.
pub fn entity(
    tx: &ReadTx<'_>,
    field: &str,
    name: &str,
    entity_type: Option<&str>,
    purpose: Purpose,
) -> Result<EntityRow> {
    let name = text::lookup_name(field, name)?;
    let mut found = candidates(tx, &name)?;
    if let Some(entity_type) = entity_type {
        let entity_type = text::type_name("entity_type", entity_type)?;
        found.retain(|row| row.entity.entity_type == entity_type);
    }
    if purpose == Purpose::Change && found.len() > 1 {
        let mut types: Vec<String> = found.into_iter().map(|row| row.entity.entity_type).collect();
        types.sort();
        return Err(Error::Ambiguous { name, types });
    }
    match found.into_iter().next() {
        Some(row) => Ok(row),
        None => Err(Error::NotFound { what: "entity", suggestions: suggestions(tx, &name)?, name }),
    }
}

/// All entities a name may mean, best first. An exact spelling beats other cases.
fn candidates(tx: &ReadTx<'_>, name: &str) -> Result<Vec<EntityRow>> {
    let key = text::fold_key(name);
    let by_key = entities::by_key(tx, &key)?;
    let exact: Vec<EntityRow> = by_key.iter().filter(|row| row.entity.name == name).cloned().collect();
    if !exact.is_empty() {
        return Ok(exact);
    }
    if !by_key.is_empty() {
        return Ok(by_key);
    }
    let mut found = Vec::new();
    for id in aliases::entities_of(tx, &key)? {
        found.extend(entities::by_id(tx, &id)?);
    }
    Ok(found)
}

/// Names close to one that was not found: by beginning, then by words, then by letters.
pub fn suggestions(tx: &ReadTx<'_>, name: &str) -> Result<Vec<String>> {
    let key = text::fold_key(name);
    let stem: String = key.chars().take(4).collect();
    let mut names = entities::names_by_key_prefix(tx, &stem, limits::MAX_SUGGESTIONS as u32)?;
    let words = TextQuery::of_terms(text::query_terms(name));
    let hits = retrieve(tx, TextIndex::Entities, &words, Scope::All, limits::MAX_SUGGESTIONS)?;
    for hit in hits.hits.into_iter().take(limits::MAX_SUGGESTIONS) {
        names.extend(search::entity_in(tx, hit.entity_rid)?.map(|row| row.entity.name));
    }
    if names.is_empty() {
        let start: String = key.chars().take(2).collect();
        let mut near: Vec<(f64, String)> = entities::names_by_key_prefix(tx, &start, COMPARED_NAMES)?
            .into_iter()
            .map(|name| (strsim::jaro_winkler(&key, &text::fold_key(&name)), name))
            .filter(|(likeness, _)| *likeness > ALIKE)
            .collect();
        near.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        names.extend(near.into_iter().map(|(_, name)| name));
    }
    let mut seen = std::collections::HashSet::new();
    names.retain(|n| seen.insert(n.clone()));
    names.truncate(limits::MAX_SUGGESTIONS);
    Ok(names)
}
