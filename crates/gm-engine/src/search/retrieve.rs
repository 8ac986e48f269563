//! Which rows of a text index answer a query, at a cost that common words cannot raise
//! (docs/adr/0005).
//!
//! Words are counted first. Those that are rare together are ranked by BM25; words above that are
//! left out of the choice while rarer ones remain, but still help to order what those found. Where
//! only common words are left, a bounded pool of rows is ranked here: those with all of them in their
//! name, then the newest with all, then with some.

use std::collections::HashSet;

use gm_store::search::{self as index, MatchExpression, Scope, TextHit, TextIndex};
use gm_store::{ReadTx, counters};

use super::query::TextQuery;
use super::score::{Ranking, Scorer, inverse_frequency};
use crate::Result;

/// Rows ranked by BM25 for one query. More rows than that with a word are estimated, not counted.
const RANKED_ROWS: u32 = 1_000;
/// A word in more rows than this does not help.
const COMMON_ROWS: u32 = 5_000;
/// Rows that words left out of the choice may have together to help with the order.
const HELPING_ROWS: u32 = 10_000;
/// Rows drawn at a time without ranking by the index: so many for each that is wanted, within bounds.
const POOL_ROWS_EACH: usize = 12;
const LEAST_POOL_ROWS: usize = 100;
const MOST_POOL_ROWS: usize = 300;
/// Common words that are looked for together.
const JOINED_WORDS: usize = 3;
/// Rows handed on.
const FOUND_ROWS: u32 = 400;
/// Rows of a narrow scope: these are read one by one instead of asking the index.
const NARROW_ROWS: u32 = 1_000;

/// A term and how many rows hold it, estimated past a bound.
struct Counted {
    expression: MatchExpression,
    rows: u32,
}

/// Rows that match, and how much the query asks for.
#[derive(Debug, Default)]
pub struct Retrieved {
    pub hits: Vec<TextHit>,
    /// The sum of the inverse document frequencies of the query's words: the BM25 of a text of average
    /// length that holds each of them once. Words that no row holds count most.
    pub information: f64,
}

impl Retrieved {
    /// How much of what is asked for a row says, from 0 to 1.
    pub fn coverage(&self, bm25: f64) -> f64 {
        if self.information > 0.0 { (bm25 / self.information).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// Rows that match, best first. When fewer than `want` hold a rare word, rows with common ones
/// follow.
pub fn retrieve(
    tx: &ReadTx<'_>,
    which: TextIndex,
    query: &TextQuery,
    scope: Scope<'_>,
    want: usize,
) -> Result<Retrieved> {
    if query.is_empty() {
        return Ok(Retrieved::default());
    }
    let counted = counts(tx, which, query)?;
    let total = rows_in_all(tx, which)?;
    let mut information: f64 = counted.iter().map(|term| inverse_frequency(term.rows, total)).sum();
    for phrase in query.phrases.iter().filter_map(|words| MatchExpression::phrase(words)) {
        information += inverse_frequency(index::count(tx, which, &phrase, RANKED_ROWS + 1)?, total);
    }
    let hits = matching(tx, which, query, scope, want, counted)?;
    Ok(Retrieved { hits, information })
}

fn matching(
    tx: &ReadTx<'_>,
    which: TextIndex,
    query: &TextQuery,
    scope: Scope<'_>,
    want: usize,
    counted: Vec<Counted>,
) -> Result<Vec<TextHit>> {
    let rows = (want * POOL_ROWS_EACH).clamp(LEAST_POOL_ROWS, MOST_POOL_ROWS) as u32;
    let pool = Pool { tx, which, scope, rows, scorer: scorer(tx, which, query, &counted)? };
    if let Some(phrases) = query.required() {
        return if index::count(tx, which, &phrases, RANKED_ROWS + 1)? > RANKED_ROWS {
            pool.newest(&phrases)
        } else {
            let helping = helping(counted.iter().filter(|term| term.rows > 0));
            best(tx, which, &phrases, &helping, scope)
        };
    }
    let (rare, common) = by_rarity(counted);
    let mut found = match MatchExpression::any(rare.iter().map(|term| &term.expression)) {
        Some(any) => best(tx, which, &any, &helping(common.iter()), scope)?,
        None => Vec::new(),
    };
    if found.len() < want && !common.is_empty() {
        let known: HashSet<i64> = found.iter().map(|hit| hit.rid).collect();
        let more = pool.of_common(&common, want)?;
        found.extend(more.into_iter().filter(|hit| !known.contains(&hit.rid)));
    }
    Ok(found)
}

/// Ranks rows that are at hand by the words of a query.
pub fn scorer_of(tx: &ReadTx<'_>, which: TextIndex, query: &TextQuery) -> Result<Scorer> {
    scorer(tx, which, query, &counts(tx, which, query)?)
}

fn counts(tx: &ReadTx<'_>, which: TextIndex, query: &TextQuery) -> Result<Vec<Counted>> {
    let count = |term| {
        let expression = MatchExpression::term(term);
        let rows = index::count(tx, which, &expression, RANKED_ROWS + 1)?;
        Ok(Counted { expression, rows })
    };
    query.terms.iter().map(count).collect()
}

/// Splits terms into those that together are rare enough to be ranked, and the rest, rarest first.
/// Terms that match nothing are in neither.
fn by_rarity(mut terms: Vec<Counted>) -> (Vec<Counted>, Vec<Counted>) {
    terms.retain(|term| term.rows > 0);
    terms.sort_by_key(|term| term.rows);
    let mut together = 0u32;
    let rare = terms.iter().take_while(|term| {
        together = together.saturating_add(term.rows);
        together <= RANKED_ROWS
    });
    let common = terms.split_off(rare.count());
    (terms, common)
}

/// Words that may help with the order: counting their rows again is cheap enough.
fn helping<'a>(terms: impl Iterator<Item = &'a Counted>) -> Vec<&'a MatchExpression> {
    let mut together = 0u32;
    terms
        .filter(|term| {
            together = together.saturating_add(term.rows);
            term.rows <= COMMON_ROWS && together <= HELPING_ROWS
        })
        .map(|term| &term.expression)
        .collect()
}

/// Ranks the rows of `chosen`; `helping` words count, but find nothing of their own.
fn best(
    tx: &ReadTx<'_>,
    which: TextIndex,
    chosen: &MatchExpression,
    helping: &[&MatchExpression],
    scope: Scope<'_>,
) -> Result<Vec<TextHit>> {
    let with_help = MatchExpression::any(helping.iter().copied().chain([chosen]));
    let query = match with_help {
        Some(order) if !helping.is_empty() => MatchExpression::all([chosen, &order]),
        _ => None,
    };
    Ok(index::best(tx, which, query.as_ref().unwrap_or(chosen), scope, FOUND_ROWS)?)
}

fn scorer(tx: &ReadTx<'_>, which: TextIndex, query: &TextQuery, counted: &[Counted]) -> Result<Scorer> {
    let rows: Vec<u32> = counted.iter().map(|term| term.rows).collect();
    Ok(Scorer::new(query, &rows, rows_in_all(tx, which)?))
}

fn rows_in_all(tx: &ReadTx<'_>, which: TextIndex) -> Result<u64> {
    let kind = match which {
        TextIndex::Entities => "entity",
        TextIndex::Observations => "observation",
    };
    Ok(counters::count(tx, kind, "")?)
}

/// Where rows are drawn that the index does not rank.
struct Pool<'a, 'tx> {
    tx: &'a ReadTx<'tx>,
    which: TextIndex,
    scope: Scope<'a>,
    /// Rows drawn by one question.
    rows: u32,
    scorer: Scorer,
}

impl Pool<'_, '_> {
    fn newest(&self, query: &MatchExpression) -> Result<Vec<TextHit>> {
        let mut ranking = self.scorer.ranking();
        self.draw(query, &mut ranking)?;
        Ok(ranking.finish())
    }

    /// Whether all rows that match were drawn.
    fn draw(&self, query: &MatchExpression, ranking: &mut Ranking<'_>) -> Result<bool> {
        let drawn = index::newest(self.tx, self.which, query, self.scope, self.rows, |row| ranking.add(row))?;
        Ok(drawn < self.rows)
    }

    /// Rows with all of the rarest of some common words, then with fewer of them.
    fn of_common(&self, common: &[Counted], want: usize) -> Result<Vec<TextHit>> {
        if let Some(hits) = self.all_if_narrow()? {
            return Ok(hits);
        }
        let mut ranking = self.scorer.ranking();
        for words in (1..=common.len().min(JOINED_WORDS)).rev() {
            let all = MatchExpression::all(common[..words].iter().map(|term| &term.expression));
            let Some(all) = all else { break };
            let is_first = ranking.rows() == 0;
            let has_all = self.draw(&all, &mut ranking)?;
            if is_first && !has_all && self.which == TextIndex::Entities {
                // A name says what a thing is; it must not be passed over for being old.
                self.draw(&all.in_names(), &mut ranking)?;
            }
            if ranking.rows() >= want {
                break;
            }
        }
        Ok(ranking.finish())
    }

    /// Every row of a scope that has few: going through the many rows of a common word for those
    /// few would take far longer.
    fn all_if_narrow(&self) -> Result<Option<Vec<TextHit>>> {
        let entities = match self.scope {
            Scope::All => return Ok(None),
            Scope::Entity(_) => 1,
            Scope::Types(types) => {
                let counts = types.iter().map(|name| counters::count(self.tx, "entity", name));
                counts.sum::<gm_store::Result<u64>>()?
            }
        };
        if entities > u64::from(NARROW_ROWS) {
            return Ok(None);
        }
        let mut ranking = self.scorer.ranking();
        let rows = index::rows_in(self.tx, self.which, self.scope, NARROW_ROWS + 1, |row| ranking.add(row))?;
        Ok((rows <= NARROW_ROWS).then(|| ranking.finish()))
    }
}
