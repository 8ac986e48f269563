//! Search by words and by meaning. Names, types, descriptions and observations are matched by BM25 and
//! by the nearness of their vectors; an observation counts for its entity; a name that equals the query
//! comes first.

mod fuse;
pub(crate) mod query;
pub(crate) mod retrieve;
mod score;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use gm_model::{EntityId, Observation, limits, text};
use gm_store::entities::EntityRow;
use gm_store::relationships::NamedRelationship;
use gm_store::search::{self as index, Scope, TextIndex};
use gm_store::{ReadTx, entities, relationships};
use query::{Beginnings, TextQuery};
use retrieve::{retrieve, scorer_of};
use score::Scorer;

pub use fuse::{Evidence, Fusion};

use crate::graph::Graph;
use crate::meaning::index::{VectorIndex, Wanted};
use crate::meaning::{Unmeant, Vectored};
use crate::resolve::{self, Purpose};
use crate::{Error, Result};

/// Relationships told per hit.
const HIT_RELATIONSHIPS: u32 = 10;
/// Observations told per hit.
const HIT_OBSERVATIONS: usize = 3;
/// Rows near a question that are considered.
const NEAR_ROWS: usize = 400;
/// Below this cosine two texts have nothing to do with each other: such a row is not found by its
/// meaning (docs/adr/0008).
pub const LEAST_SIMILARITY: f64 = 0.2;
/// How long an agent's question waits for a model that is just being loaded, and how long one does
/// that is still being typed.
const LOADING_PATIENCE: Duration = Duration::from_secs(3);
const TYPING_PATIENCE: Duration = Duration::from_millis(150);

/// Which evidence counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Channels {
    #[default]
    Both,
    Words,
    Meaning,
}

/// What is wanted.
#[derive(Debug, Clone, Default)]
pub struct SearchQuery {
    pub text: String,
    pub limit: u32,
    pub entity_types: Vec<String>,
    /// Hits of a lower score are left out.
    pub min_score: Option<f64>,
    /// Rows of a lower cosine do not count as near; [`LEAST_SIMILARITY`] unless given.
    pub min_similarity: Option<f64>,
    /// The text is still being typed: its last word may go on.
    pub as_typed: bool,
    pub channels: Channels,
    /// The graph's own setting unless given.
    pub fusion: Option<Fusion>,
}

/// Single observations that are wanted.
#[derive(Debug, Clone, Default)]
pub struct ObservationQuery {
    pub text: String,
    pub limit: u32,
    /// Name and, where several share it, type of the one entity to look at.
    pub entity: Option<(String, Option<String>)>,
    pub min_score: Option<f64>,
    pub min_similarity: Option<f64>,
    pub channels: Channels,
    pub fusion: Option<Fusion>,
}

/// What was found, and how it was looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    pub hits: Vec<T>,
    /// Why meaning did not count; `None` if it did.
    pub unmeant: Option<Unmeant>,
    /// Texts that have no vector yet, and are found by their words alone.
    pub pending: u64,
    pub fusion: Fusion,
}

/// One entity found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub row: EntityRow,
    /// By the answer's fusion; comparable between queries.
    pub relevance_score: f64,
    pub evidence: Evidence,
    /// Words of the query that stand in its texts, as the index holds them.
    pub matched_words: Vec<String>,
    pub relationships: Vec<NamedRelationship>,
    pub relationships_truncated: bool,
    /// The observations that matched best.
    pub observations: Vec<Observation>,
}

/// One observation found.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservationHit {
    pub observation: Observation,
    pub entity_name: String,
    pub entity_type: String,
    pub relevance_score: f64,
    pub evidence: Evidence,
    pub matched_words: Vec<String>,
}

/// A question as a vector, and the vectors it is compared with.
pub(crate) struct Meant<'a> {
    pub vector: &'a [f32],
    pub index: &'a VectorIndex,
}

impl Graph {
    /// Finds entities.
    pub fn search(&self, query: &SearchQuery) -> Result<Answer<Hit>> {
        let wanted = checked(&query.text)?;
        let entity_types: Vec<String> = query
            .entity_types
            .iter()
            .enumerate()
            .map(|(i, t)| text::type_name(&format!("entity_types[{i}]"), t))
            .collect::<Result<_, _>>()?;
        let patience = if query.as_typed { TYPING_PATIENCE } else { LOADING_PATIENCE };
        let fusion = query.fusion.unwrap_or(self.fusion());
        let (hits, unmeant, pending) = self.meaning(&wanted, patience, query.channels, |tx, meant| {
            let asked = Asked::new(
                &wanted,
                query.limit,
                (query.min_score, query.min_similarity),
                query.channels,
                fusion,
            );
            let beginnings = if query.as_typed { Beginnings::Last } else { Beginnings::None };
            entities_for(tx, &asked, meant, &entity_types, beginnings)
        })?;
        Ok(Answer { hits, unmeant, pending, fusion })
    }

    /// Finds single observations, of all entities or of one.
    pub fn search_observations(&self, query: &ObservationQuery) -> Result<Answer<ObservationHit>> {
        let wanted = checked(&query.text)?;
        let fusion = query.fusion.unwrap_or(self.fusion());
        let (hits, unmeant, pending) =
            self.meaning(&wanted, LOADING_PATIENCE, query.channels, |tx, meant| {
                let entity = match &query.entity {
                    Some((name, entity_type)) => {
                        let entity_type = entity_type.as_deref();
                        Some(resolve::entity(tx, "entity_name", name, entity_type, Purpose::Use)?)
                    }
                    None => None,
                };
                let asked = Asked::new(
                    &wanted,
                    query.limit,
                    (query.min_score, query.min_similarity),
                    query.channels,
                    fusion,
                );
                observations_for(tx, &asked, meant, entity.as_ref())
            })?;
        Ok(Answer { hits, unmeant, pending, fusion })
    }
}

/// The part of a query that is read.
fn checked(query: &str) -> Result<String> {
    if query.trim().is_empty() {
        return Err(Error::argument("query", "is blank; give the words to look for"));
    }
    Ok(query.chars().take(limits::MAX_QUERY_CHARS).collect())
}

/// The ways in which a query is read, one after another until one finds something: as it is written,
/// then with its phrases as words, then with its words as beginnings.
fn attempts(wanted: &str, beginnings: Beginnings) -> impl Iterator<Item = TextQuery> {
    // Each is read only if the one before found nothing.
    let as_written = std::iter::once_with(move || TextQuery::parse(wanted, beginnings));
    let loose = std::iter::once_with(move || {
        wanted.contains('"').then(|| TextQuery::parse(&wanted.replace('"', " "), beginnings))
    });
    let open = std::iter::once_with(move || TextQuery::parse(wanted, Beginnings::All));
    as_written.chain(loose.flatten()).chain(open)
}

/// What both kinds of search are asked.
struct Asked<'a> {
    wanted: &'a str,
    limit: usize,
    least: f64,
    min_score: Option<f64>,
    with_words: bool,
    fusion: Fusion,
}

impl<'a> Asked<'a> {
    /// `least` holds the score and the cosine below which nothing is found, as far as they were given.
    fn new(
        wanted: &'a str,
        limit: u32,
        least: (Option<f64>, Option<f64>),
        channels: Channels,
        fusion: Fusion,
    ) -> Self {
        Self {
            wanted,
            limit: limit.clamp(1, limits::MAX_SEARCH_LIMIT) as usize,
            least: least.1.unwrap_or(LEAST_SIMILARITY),
            min_score: least.0,
            with_words: channels != Channels::Meaning,
            fusion,
        }
    }
}

fn observations_for(
    tx: &ReadTx<'_>,
    asked: &Asked<'_>,
    meant: Option<&Meant<'_>>,
    entity: Option<&EntityRow>,
) -> Result<Vec<ObservationHit>> {
    let scope = entity.map_or(Scope::All, |row| Scope::Entity(row.rid));
    let mut words = TextQuery::default();
    let mut evidence: HashMap<i64, Evidence> = HashMap::new();
    for wanted in attempts(asked.wanted, Beginnings::None) {
        if !asked.with_words || !evidence.is_empty() {
            break;
        }
        words = wanted;
        let found = retrieve(tx, TextIndex::Observations, &words, scope, asked.limit)?;
        for (rank, hit) in found.hits.iter().enumerate() {
            let of = evidence.entry(hit.rid).or_default();
            (of.coverage, of.text_rank) = (Some(found.coverage(hit.score)), Some(rank as u32));
        }
    }
    if let Some(meant) = meant {
        let is_wanted = |which, _, entity_rid| {
            which == TextIndex::Observations && entity.is_none_or(|row| row.rid == entity_rid)
        };
        let near = meant.index.nearest(meant.vector, NEAR_ROWS, Some(&is_wanted));
        for (rank, near) in near.iter().take_while(|near| near.similarity >= asked.least).enumerate() {
            let of = evidence.entry(near.rid).or_default();
            (of.similarity, of.vector_rank) = (Some(near.similarity), Some(rank as u32));
        }
        for (rid, of) in evidence.iter_mut().filter(|(_, of)| of.similarity.is_none()) {
            of.similarity = meant.index.similarity(meant.vector, TextIndex::Observations, *rid);
        }
    }
    let mut ranked: Vec<(f64, i64, Evidence)> =
        evidence.into_iter().map(|(rid, of)| (asked.fusion.score(&of), rid, of)).collect();
    ranked.sort_by(|a, b| best_first((a.0, &a.2, a.1), (b.0, &b.2, b.1)));
    let mut hits = Vec::with_capacity(ranked.len().min(asked.limit));
    for (relevance_score, rid, evidence) in ranked {
        if hits.len() == asked.limit || asked.min_score.is_some_and(|least| relevance_score < least) {
            break;
        }
        if let Some((observation, entity_name, entity_type)) = index::observation(tx, rid)? {
            let matched_words = words.matched_in([observation.content.as_str()]);
            let hit = ObservationHit {
                observation,
                entity_name,
                entity_type,
                relevance_score,
                evidence,
                matched_words,
            };
            hits.push(hit);
        }
    }
    Ok(hits)
}

/// By score; among equals the words decide, whose coverage is capped, then what is newer.
fn best_first(a: (f64, &Evidence, i64), b: (f64, &Evidence, i64)) -> std::cmp::Ordering {
    let rank = |of: &Evidence| of.text_rank.unwrap_or(u32::MAX);
    b.0.total_cmp(&a.0).then(rank(a.1).cmp(&rank(b.1))).then(b.2.cmp(&a.2))
}

/// What speaks for one entity.
#[derive(Default)]
struct Support {
    evidence: Evidence,
    /// Its observations that matched, with their rows: mostly one or two.
    observations: Vec<(i64, Evidence)>,
}

fn entities_for(
    tx: &ReadTx<'_>,
    asked: &Asked<'_>,
    meant: Option<&Meant<'_>>,
    entity_types: &[String],
    beginnings: Beginnings,
) -> Result<Vec<Hit>> {
    let scope = if entity_types.is_empty() { Scope::All } else { Scope::Types(entity_types) };
    let mut words = TextQuery::default();
    let mut found = Vec::new();
    if asked.with_words {
        for wanted in attempts(asked.wanted, beginnings) {
            words = wanted;
            found = fold(tx, &words, scope, asked.limit)?;
            if !found.is_empty() {
                break;
            }
        }
    }
    let mut support: HashMap<i64, Support> = HashMap::new();
    for (rank, found) in found.into_iter().enumerate() {
        let of = support.entry(found.rid).or_default();
        (of.evidence.coverage, of.evidence.text_rank) = (Some(found.coverage.min(1.0)), Some(rank as u32));
        let matched = found.observations.into_iter();
        of.observations.extend(
            matched
                .map(|(rid, coverage)| (rid, Evidence { coverage: Some(coverage), ..Evidence::default() })),
        );
    }
    if let Some(meant) = meant {
        add_near(tx, asked, meant, entity_types, &mut support)?;
    }
    let exact = exact_names(tx, asked.wanted, entity_types)?;
    let mut ranked: Vec<(f64, i64, Evidence)> =
        support.iter().map(|(rid, of)| (asked.fusion.score(&of.evidence), *rid, of.evidence)).collect();
    ranked.retain(|(_, rid, _)| exact.iter().all(|row| row.rid != *rid));
    ranked.sort_by(|a, b| best_first((a.0, &a.2, a.1), (b.0, &b.2, b.1)));
    let first = exact.into_iter().map(|row| (asked.fusion.best(), row.rid, Some(row)));
    let rest = ranked.into_iter().map(|(score, rid, _)| (score, rid, None));
    let mut observation_scorer = None;
    let mut hits = Vec::with_capacity(asked.limit);
    for (relevance_score, rid, row) in first.chain(rest) {
        if hits.len() == asked.limit || asked.min_score.is_some_and(|least| relevance_score < least) {
            break;
        }
        let row = match row {
            Some(row) => Some(row),
            None => entity_in(tx, rid)?,
        };
        let Some(row) = row else { continue };
        let of = support.remove(&rid).unwrap_or_default();
        let observations = match shown_observations(tx, &of.observations)? {
            // Found by its name alone; some of its observations may match all the same.
            observations if observations.is_empty() && !words.is_empty() => {
                let scorer = match &observation_scorer {
                    Some(scorer) => scorer,
                    None => observation_scorer.insert(scorer_of(tx, TextIndex::Observations, &words)?),
                };
                first_observations(tx, &matching_observations(tx, scorer, rid)?)?
            }
            observations => observations,
        };
        hits.push(told_hit(tx, row, relevance_score, of.evidence, &words, observations)?);
    }
    Ok(hits)
}

fn told_hit(
    tx: &ReadTx<'_>,
    row: EntityRow,
    relevance_score: f64,
    evidence: Evidence,
    words: &TextQuery,
    observations: Vec<Observation>,
) -> Result<Hit> {
    let mut relationships = relationships::named_touching(tx, &row.entity.id, HIT_RELATIONSHIPS + 1)?;
    let relationships_truncated = relationships.len() > HIT_RELATIONSHIPS as usize;
    relationships.truncate(HIT_RELATIONSHIPS as usize);
    let texts = [&row.entity.name, &row.entity.entity_type, &row.entity.description];
    let said = observations.iter().map(|observation| &observation.content);
    let matched_words = words.matched_in(texts.into_iter().chain(said).map(String::as_str));
    Ok(Hit {
        row,
        relevance_score,
        evidence,
        matched_words,
        relationships,
        relationships_truncated,
        observations,
    })
}

/// Adds the entities that are near a question, by themselves or by an observation: what is nearest
/// counts, once.
fn add_near(
    tx: &ReadTx<'_>,
    asked: &Asked<'_>,
    meant: &Meant<'_>,
    entity_types: &[String],
    support: &mut HashMap<i64, Support>,
) -> Result<()> {
    let allowed: Option<HashSet<i64>> =
        if entity_types.is_empty() { None } else { Some(entities::rids_of_types(tx, entity_types)?) };
    let is_allowed = allowed.map(|allowed| move |_, _, entity_rid| allowed.contains(&entity_rid));
    let is_wanted = is_allowed.as_ref().map(|is_allowed| is_allowed as &Wanted<'_>);
    let mut rank = 0;
    for near in meant.index.nearest(meant.vector, NEAR_ROWS, is_wanted) {
        if near.similarity < asked.least {
            break;
        }
        let of = support.entry(near.entity_rid).or_default();
        if of.evidence.vector_rank.is_none() {
            (of.evidence.similarity, of.evidence.vector_rank) = (Some(near.similarity), Some(rank));
            rank += 1;
        }
        if near.which == TextIndex::Observations {
            let similarity = Some(near.similarity);
            match of.observations.iter_mut().find(|(rid, _)| *rid == near.rid) {
                Some((_, evidence)) => evidence.similarity = similarity,
                None => of.observations.push((near.rid, Evidence { similarity, ..Evidence::default() })),
            }
        }
    }
    // What the words found may be near too, only not among the nearest.
    for (rid, of) in support.iter_mut() {
        let without = of.observations.iter_mut().filter(|(_, evidence)| evidence.similarity.is_none());
        for (observation, evidence) in without {
            evidence.similarity = meant.index.similarity(meant.vector, TextIndex::Observations, *observation);
        }
        if of.evidence.similarity.is_none() {
            let own = meant.index.similarity(meant.vector, TextIndex::Entities, *rid);
            let said = of.observations.iter().filter_map(|(_, evidence)| evidence.similarity);
            of.evidence.similarity = own.into_iter().chain(said).reduce(f64::max);
        }
    }
    Ok(())
}

/// The observations that speak loudest for an entity.
fn shown_observations(tx: &ReadTx<'_>, matched: &[(i64, Evidence)]) -> Result<Vec<Observation>> {
    let mut ranked: Vec<(f64, i64)> =
        matched.iter().map(|(rid, of)| (Fusion::Convex.score(of), *rid)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    first_observations(tx, &ranked.into_iter().map(|(_, rid)| rid).collect::<Vec<_>>())
}

/// An entity that is near another.
#[derive(Debug, Clone, PartialEq)]
pub struct Similar {
    pub row: EntityRow,
    /// The cosine of the two entities' own texts.
    pub similarity: f64,
}

impl Graph {
    /// The entities whose own texts are nearest to that of one, which may be its doubles. Empty while
    /// it has no vector.
    pub fn similar(&self, id: &EntityId, limit: usize) -> Result<(Vec<Similar>, Option<Unmeant>)> {
        self.with_vectors(|tx, index| {
            let row = crate::entities::require(tx, id)?;
            let Some(vector) = index.vector(TextIndex::Entities, row.rid) else { return Ok(Vec::new()) };
            let is_wanted = |which, rid, _| which == TextIndex::Entities && rid != row.rid;
            let mut similar = Vec::new();
            for near in
                index.nearest(&vector, limit.clamp(1, limits::MAX_SEARCH_LIMIT as usize), Some(&is_wanted))
            {
                if let Some(row) = entity_in(tx, near.rid)? {
                    similar.push(Similar { row, similarity: near.similarity });
                }
            }
            Ok(similar)
        })
        .map(Vectored::or_default)
    }
}

/// Below this cosine an entity is not near enough to another to be proposed for a link.
const LEAST_RELATED: f64 = 0.35;

/// Entities that belong with one, by some of its words and by its vectors, best first, each with a score
/// from 0 to 1.
pub(crate) fn related(
    tx: &ReadTx<'_>,
    index: Option<&VectorIndex>,
    row: &EntityRow,
    words: &TextQuery,
    want: usize,
) -> Result<Vec<(i64, f64, Evidence)>> {
    let mut support: HashMap<i64, Support> = HashMap::new();
    for (rank, found) in fold(tx, words, Scope::All, want)?.into_iter().enumerate() {
        let of = support.entry(found.rid).or_default();
        (of.evidence.coverage, of.evidence.text_rank) = (Some(found.coverage.min(1.0)), Some(rank as u32));
    }
    let vector = index.and_then(|index| Some((index, index.vector(TextIndex::Entities, row.rid)?)));
    if let Some((index, vector)) = &vector {
        let asked = Asked {
            wanted: "",
            limit: want,
            least: LEAST_RELATED,
            min_score: None,
            with_words: true,
            fusion: Fusion::Convex,
        };
        add_near(tx, &asked, &Meant { vector, index }, &[], &mut support)?;
    }
    support.remove(&row.rid);
    let mut ranked: Vec<(i64, f64, Evidence)> =
        support.into_iter().map(|(rid, of)| (rid, Fusion::Convex.score(&of.evidence), of.evidence)).collect();
    ranked.sort_by(|a, b| best_first((a.1, &a.2, a.0), (b.1, &b.2, b.0)));
    Ok(ranked)
}

/// An entity's row with everything about it that matched.
struct Found {
    rid: i64,
    score: f64,
    coverage: f64,
    /// Rows of its observations that matched, best first, each with its coverage.
    observations: Vec<(i64, f64)>,
}

/// Both text indexes as one list of entities, best first: an entity's own texts and its best
/// observation count together.
fn fold(tx: &ReadTx<'_>, words: &TextQuery, scope: Scope<'_>, want: usize) -> Result<Vec<Found>> {
    let mut folded: HashMap<i64, Found> = HashMap::new();
    for which in [TextIndex::Entities, TextIndex::Observations] {
        let retrieved = retrieve(tx, which, words, scope, want)?;
        for hit in &retrieved.hits {
            let coverage = retrieved.coverage(hit.score);
            let rid = hit.entity_rid;
            let found = folded.entry(rid).or_insert(Found {
                rid,
                score: 0.0,
                coverage: 0.0,
                observations: Vec::new(),
            });
            let is_first_observation = which == TextIndex::Observations && found.observations.is_empty();
            if which == TextIndex::Entities || is_first_observation {
                found.score += hit.score;
                found.coverage += coverage;
            }
            if which == TextIndex::Observations {
                found.observations.push((hit.rid, coverage));
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
    let mut ranking = scorer.ranking();
    index::rows_in(tx, TextIndex::Observations, scope, limits::MAX_NESTED_ITEMS, |row| ranking.add(row))?;
    Ok(ranking.finish().into_iter().map(|hit| hit.rid).collect())
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
