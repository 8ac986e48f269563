//! Search by words. Names, types, descriptions and observations are matched by BM25; an
//! observation counts for its entity; a name that equals the query comes first.

pub(crate) mod query;
pub(crate) mod retrieve;
mod score;

use std::collections::HashMap;

use gm_model::{Observation, limits, text};
use gm_store::entities::EntityRow;
use gm_store::relationships::NamedRelationship;
use gm_store::search::{self as index, Scope, TextIndex};
use gm_store::{ReadTx, entities, relationships};
use query::{Beginnings, TextQuery};
use retrieve::{retrieve, scorer_of};
use score::Scorer;

use crate::{Error, Result};

/// Reciprocal rank fusion's constant (Cormack, Clarke and Büttcher, SIGIR 2009).
const FUSION_K: f64 = 60.0;
/// Weight of the text list in the fusion.
const TEXT_WEIGHT: f64 = 0.5;
/// Relationships told per hit.
const HIT_RELATIONSHIPS: u32 = 10;
/// Observations told per hit.
const HIT_OBSERVATIONS: usize = 3;

/// What is wanted.
#[derive(Debug, Clone, Default)]
pub struct SearchQuery {
    pub text: String,
    pub limit: u32,
    pub entity_types: Vec<String>,
    pub min_score: Option<f64>,
    /// The text is still being typed: its last word may go on.
    pub as_typed: bool,
}

/// One entity found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub row: EntityRow,
    /// Raw reciprocal rank fusion sum; comparable between queries.
    pub relevance_score: f64,
    /// Rank in the text list, from 0.
    pub text_rank: u32,
    pub relationships: Vec<NamedRelationship>,
    pub relationships_truncated: bool,
    /// The observations that matched best.
    pub observations: Vec<Observation>,
}

pub fn search(tx: &ReadTx<'_>, query: &SearchQuery) -> Result<Vec<Hit>> {
    if query.text.trim().is_empty() {
        return Err(Error::argument("query", "is blank; give the words to look for"));
    }
    let wanted: String = query.text.chars().take(limits::MAX_QUERY_CHARS).collect();
    let entity_types: Vec<String> = query
        .entity_types
        .iter()
        .enumerate()
        .map(|(i, t)| text::type_name(&format!("entity_types[{i}]"), t))
        .collect::<Result<_, _>>()?;
    let limit = query.limit.clamp(1, limits::MAX_SEARCH_LIMIT) as usize;
    let beginnings = if query.as_typed { Beginnings::Last } else { Beginnings::None };
    let mut words = TextQuery::parse(&wanted, beginnings);
    let mut ranked = rank(tx, &wanted, &words, &entity_types, limit)?;
    if ranked.is_empty() {
        // No whole word matches: beginnings are better than nothing.
        words = TextQuery::parse(&wanted, Beginnings::All);
        ranked = rank(tx, &wanted, &words, &entity_types, limit)?;
    }
    let mut scorer = None;
    let mut hits = Vec::with_capacity(ranked.len());
    for (rank, candidate) in ranked.into_iter().enumerate() {
        let relevance_score = score_of(rank);
        if query.min_score.is_some_and(|least| relevance_score < least) {
            break;
        }
        let mut relationships =
            relationships::named_touching(tx, &candidate.row.entity.id, HIT_RELATIONSHIPS + 1)?;
        let relationships_truncated = relationships.len() > HIT_RELATIONSHIPS as usize;
        relationships.truncate(HIT_RELATIONSHIPS as usize);
        let mut observation_rows = candidate.observations;
        if observation_rows.is_empty() {
            // Found by its name alone; some of its observations may match all the same.
            let scorer = match &scorer {
                Some(scorer) => scorer,
                None => scorer.insert(scorer_of(tx, TextIndex::Observations, &words)?),
            };
            observation_rows = matching_observations(tx, scorer, candidate.row.rid)?;
        }
        let observations = first_observations(tx, &observation_rows)?;
        hits.push(Hit {
            row: candidate.row,
            relevance_score,
            text_rank: rank as u32,
            relationships,
            relationships_truncated,
            observations,
        });
    }
    Ok(hits)
}

/// One observation found.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservationHit {
    pub observation: Observation,
    pub entity_name: String,
    pub entity_type: String,
    pub relevance_score: f64,
}

/// Finds single observations, of all entities or of one.
pub fn search_observations(
    tx: &ReadTx<'_>,
    query: &str,
    entity: Option<&EntityRow>,
    limit: u32,
) -> Result<Vec<ObservationHit>> {
    if query.trim().is_empty() {
        return Err(Error::argument("query", "is blank; give the words to look for"));
    }
    let wanted: String = query.chars().take(limits::MAX_QUERY_CHARS).collect();
    let limit = limit.clamp(1, limits::MAX_SEARCH_LIMIT) as usize;
    let scope = entity.map_or(Scope::All, |row| Scope::Entity(row.rid));
    let mut found = Vec::new();
    for beginnings in [Beginnings::None, Beginnings::All] {
        let words = TextQuery::parse(&wanted, beginnings);
        found = retrieve(tx, TextIndex::Observations, &words, scope, limit)?;
        if !found.is_empty() {
            break;
        }
    }
    let mut hits = Vec::with_capacity(found.len().min(limit));
    for hit in found.into_iter().take(limit) {
        let Some((observation, entity_name, entity_type)) = index::observation(tx, hit.rid)? else {
            continue;
        };
        let relevance_score = score_of(hits.len());
        hits.push(ObservationHit { observation, entity_name, entity_type, relevance_score });
    }
    Ok(hits)
}

/// Entities whose texts hold some of these words, best first, with their scores.
pub(crate) fn entities_with_words(
    tx: &ReadTx<'_>,
    words: &TextQuery,
    want: usize,
) -> Result<Vec<(i64, f64)>> {
    Ok(fold(tx, words, Scope::All, want)?.into_iter().map(|found| (found.rid, found.score)).collect())
}

/// What a place in the text list is worth in the fusion.
fn score_of(rank: usize) -> f64 {
    TEXT_WEIGHT / (FUSION_K + rank as f64 + 1.0)
}

/// An entity that may become a hit.
struct Candidate {
    row: EntityRow,
    /// Rows of its observations that matched, best first.
    observations: Vec<i64>,
}

fn rank(
    tx: &ReadTx<'_>,
    wanted: &str,
    words: &TextQuery,
    entity_types: &[String],
    limit: usize,
) -> Result<Vec<Candidate>> {
    let scope = if entity_types.is_empty() { Scope::All } else { Scope::Types(entity_types) };
    let mut found = fold(tx, words, scope, limit)?;
    let mut candidates = Vec::with_capacity(limit);
    for row in exact_names(tx, wanted, entity_types)?.into_iter().take(limit) {
        let at = found.iter().position(|found| found.rid == row.rid);
        let observations = at.map(|at| found.remove(at).observations).unwrap_or_default();
        candidates.push(Candidate { row, observations });
    }
    for found in found.into_iter().take(limit - candidates.len()) {
        if let Some(row) = entity_in(tx, found.rid)? {
            candidates.push(Candidate { row, observations: found.observations });
        }
    }
    Ok(candidates)
}

/// An entity's row with everything about it that matched.
struct Found {
    rid: i64,
    score: f64,
    observations: Vec<i64>,
}

/// Both text indexes as one list of entities, best first: an entity's own texts and its best
/// observation count together.
fn fold(tx: &ReadTx<'_>, words: &TextQuery, scope: Scope<'_>, want: usize) -> Result<Vec<Found>> {
    let mut folded: HashMap<i64, Found> = HashMap::new();
    for which in [TextIndex::Entities, TextIndex::Observations] {
        for hit in retrieve(tx, which, words, scope, want)? {
            let rid = hit.entity_rid;
            let found = folded.entry(rid).or_insert(Found { rid, score: 0.0, observations: Vec::new() });
            let is_first_observation = which == TextIndex::Observations && found.observations.is_empty();
            if which == TextIndex::Entities || is_first_observation {
                found.score += hit.score;
            }
            if which == TextIndex::Observations {
                found.observations.push(hit.rid);
            }
        }
    }
    let mut ranked: Vec<Found> = folded.into_values().collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.rid.cmp(&a.rid)));
    Ok(ranked)
}

/// Of an entity's newest observations, the rows of those that match, best first.
fn matching_observations(tx: &ReadTx<'_>, scorer: &Scorer, entity_rid: i64) -> Result<Vec<i64>> {
    let scope = Scope::Entity(entity_rid);
    let rows = index::rows_in(tx, TextIndex::Observations, scope, limits::MAX_NESTED_ITEMS)?;
    Ok(scorer.rank(rows).into_iter().map(|(row, _)| row.rid).collect())
}

fn first_observations(tx: &ReadTx<'_>, rids: &[i64]) -> Result<Vec<Observation>> {
    let mut observations = Vec::with_capacity(HIT_OBSERVATIONS);
    for rid in rids.iter().take(HIT_OBSERVATIONS) {
        observations.extend(index::observation(tx, *rid)?.map(|(observation, ..)| observation));
    }
    Ok(observations)
}

pub(crate) fn entity_in(tx: &ReadTx<'_>, rid: i64) -> Result<Option<EntityRow>> {
    Ok(entities::by_rid(tx, rid)?)
}

/// Entities whose whole name is the query, without case: symbols that no word index holds
/// (`C++`, `.NET`) are found too, and are never drowned.
fn exact_names(tx: &ReadTx<'_>, wanted: &str, entity_types: &[String]) -> Result<Vec<EntityRow>> {
    let key = text::fold_key(wanted);
    let mut rows = entities::by_key(tx, &key)?;
    for id in gm_store::aliases::entities_of(tx, &key)? {
        if rows.iter().all(|row| row.entity.id != id) {
            rows.extend(entities::by_id(tx, &id)?);
        }
    }
    rows.retain(|row| entity_types.is_empty() || entity_types.contains(&row.entity.entity_type));
    Ok(rows)
}
