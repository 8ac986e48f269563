//! Search by words. Names, types, descriptions and observations are matched by BM25; an
//! observation counts for its entity; a name that equals the query comes first.

use std::collections::HashMap;

use gm_model::{Observation, limits, text};
use gm_store::entities::EntityRow;
use gm_store::relationships::NamedRelationship;
use gm_store::search::{self as index, MatchExpression};
use gm_store::{ReadTx, entities, relationships};

use crate::{Error, Result};

/// Reciprocal rank fusion's constant (Cormack, Clarke and Büttcher, SIGIR 2009).
const FUSION_K: f64 = 60.0;
/// Weight of the text list in the fusion.
const TEXT_WEIGHT: f64 = 0.5;
/// Candidates drawn from each list before ranking.
const CANDIDATES: u32 = 400;
/// Relationships told per hit.
const HIT_RELATIONSHIPS: u32 = 10;
/// Observations told per hit.
const HIT_OBSERVATIONS: u32 = 3;

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
    let mut expression =
        expression(&wanted, if query.as_typed { Beginnings::Last } else { Beginnings::None });
    let mut ranked = rank(tx, &wanted, expression.as_ref(), &entity_types)?;
    if ranked.is_empty() {
        // No whole word matches: beginnings are better than nothing.
        expression = self::expression(&wanted, Beginnings::All);
        ranked = rank(tx, &wanted, expression.as_ref(), &entity_types)?;
    }
    let limit = query.limit.clamp(1, limits::MAX_SEARCH_LIMIT) as usize;
    let mut hits = Vec::with_capacity(limit.min(ranked.len()));
    for (rank, row) in ranked.into_iter().enumerate().take(limit) {
        let relevance_score = score_of(rank);
        if query.min_score.is_some_and(|least| relevance_score < least) {
            break;
        }
        let mut relationships = relationships::named_touching(tx, &row.entity.id, HIT_RELATIONSHIPS + 1)?;
        let relationships_truncated = relationships.len() > HIT_RELATIONSHIPS as usize;
        relationships.truncate(HIT_RELATIONSHIPS as usize);
        let observations = match &expression {
            Some(expression) => index::observations_of(tx, expression, row.rid, HIT_OBSERVATIONS)?,
            None => Vec::new(),
        };
        hits.push(Hit {
            row,
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
    let Some(expression) = expression(&wanted, Beginnings::None) else { return Ok(Vec::new()) };
    let limit = limit.clamp(1, limits::MAX_SEARCH_LIMIT);
    let found = index::observations(tx, &expression, entity.map(|row| row.rid), limit)?;
    let hits = found.into_iter().enumerate().map(|(rank, (observation, entity_name, entity_type))| {
        ObservationHit { observation, entity_name, entity_type, relevance_score: score_of(rank) }
    });
    Ok(hits.collect())
}

/// What a place in the text list is worth in the fusion.
fn score_of(rank: usize) -> f64 {
    TEXT_WEIGHT / (FUSION_K + rank as f64 + 1.0)
}

/// User text as an expression: quoted parts are phrases that must stand, `word*` is a prefix,
/// everything else is words of which any may match.
fn expression(query: &str, beginnings: Beginnings) -> Option<MatchExpression> {
    let mut phrases: Option<MatchExpression> = None;
    let mut terms = Vec::new();
    // An odd quote is only a character.
    let closed = query.matches('"').count() / 2 * 2;
    for (i, part) in query.splitn(closed + 1, '"').enumerate() {
        if i % 2 == 1 {
            if let Some(phrase) = MatchExpression::phrase(&text::query_terms(part)) {
                phrases = Some(match phrases {
                    Some(before) => before.and(phrase),
                    None => phrase,
                });
            }
            continue;
        }
        for word in part.split_whitespace() {
            let mut found = text::query_terms(word);
            if let (true, [text::QueryTerm::Word(only)]) = (word.ends_with('*'), &found[..]) {
                found = vec![text::QueryTerm::Prefix(only.clone())];
            }
            terms.extend(found);
        }
    }
    let open = match beginnings {
        Beginnings::None => 0,
        Beginnings::Last => usize::from(!query.ends_with(char::is_whitespace)),
        Beginnings::All => terms.len(),
    };
    for term in terms.iter_mut().rev().take(open) {
        if let text::QueryTerm::Word(word) = term
            && word.chars().count() >= MIN_BEGINNING
        {
            *term = text::QueryTerm::Prefix(std::mem::take(word));
        }
    }
    phrases.or_else(|| MatchExpression::any_of(&terms))
}

/// Which words of a query also match words that go on.
#[derive(Clone, Copy)]
enum Beginnings {
    None,
    Last,
    All,
}

/// Characters a beginning has at least: shorter ones begin half of all words.
const MIN_BEGINNING: usize = 2;

fn rank(
    tx: &ReadTx<'_>,
    wanted: &str,
    expression: Option<&MatchExpression>,
    entity_types: &[String],
) -> Result<Vec<EntityRow>> {
    let mut scores: HashMap<i64, f64> = HashMap::new();
    if let Some(expression) = expression {
        for hit in index::entities(tx, expression, entity_types, CANDIDATES)? {
            *scores.entry(hit.entity_rid).or_default() += hit.score;
        }
        for hit in index::entities_by_observation(tx, expression, entity_types, CANDIDATES)? {
            *scores.entry(hit.entity_rid).or_default() += hit.score;
        }
    }
    let mut ordered: Vec<(i64, f64)> = scores.into_iter().collect();
    ordered.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let exact = exact_names(tx, wanted, entity_types)?;
    let rids: Vec<i64> = ordered
        .into_iter()
        .map(|(rid, _)| rid)
        .filter(|rid| exact.iter().all(|row| row.rid != *rid))
        .take(limits::MAX_SEARCH_LIMIT as usize)
        .collect();
    let mut rows = exact;
    for (_, id) in index::rows(tx, &rids)? {
        rows.extend(entities::by_id(tx, &gm_model::EntityId::from_string(id))?);
    }
    Ok(rows)
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
