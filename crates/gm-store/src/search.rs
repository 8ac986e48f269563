//! Full-text retrieval. Queries arrive as terms that were already taken apart; every term is
//! quoted, so that no user text is ever FTS5 syntax.

use gm_model::text::QueryTerm;
use gm_model::{Observation, limits};
use rusqlite::params_from_iter;
use rusqlite::types::Value as SqlValue;

use crate::{ReadTx, Result, observations};

/// A hit: the entity's row and its BM25 as SQLite gives it, turned so that more is better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextHit {
    pub entity_rid: i64,
    pub score: f64,
}

/// A query in FTS5's language: the terms, any of which may match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchExpression(String);

impl MatchExpression {
    /// `None` when there is nothing to look for.
    pub fn any_of(terms: &[QueryTerm]) -> Option<Self> {
        let mut parts: Vec<String> = Vec::new();
        for term in terms.iter().take(limits::MAX_QUERY_TERMS) {
            let part = match term {
                QueryTerm::Word(word) => quoted(word),
                QueryTerm::Prefix(prefix) => format!("{} *", quoted(prefix)),
            };
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        (!parts.is_empty()).then(|| Self(parts.join(" OR ")))
    }

    /// Every word must stand in this order, side by side.
    pub fn phrase(terms: &[QueryTerm]) -> Option<Self> {
        let words: Vec<&str> = terms
            .iter()
            .map(|term| match term {
                QueryTerm::Word(text) | QueryTerm::Prefix(text) => text.as_str(),
            })
            .collect();
        (!words.is_empty()).then(|| Self(quoted(&words.join(" "))))
    }

    /// Both this and the other must match.
    pub fn and(self, other: Self) -> Self {
        Self(format!("({}) AND ({})", self.0, other.0))
    }
}

/// Entities by their own name (weighted 8) and by type and description (weighted 1).
pub fn entities(
    tx: &ReadTx<'_>,
    query: &MatchExpression,
    entity_types: &[String],
    limit: u32,
) -> Result<Vec<TextHit>> {
    let filter = type_filter(entity_types);
    let sql = format!(
        "SELECT e.rid, -bm25(entities_fts, 8.0, 1.0) AS score FROM entities_fts
         JOIN entities e ON e.rid = entities_fts.rowid
         WHERE entities_fts MATCH ? {filter} ORDER BY score DESC, e.rid LIMIT ?"
    );
    hits(tx, &sql, query, entity_types, limit)
}

/// Entities by their best-matching observation.
pub fn entities_by_observation(
    tx: &ReadTx<'_>,
    query: &MatchExpression,
    entity_types: &[String],
    limit: u32,
) -> Result<Vec<TextHit>> {
    let filter = type_filter(entity_types);
    // The hidden `rank` column is BM25 too, and, unlike the function, can be aggregated.
    let sql = format!(
        "SELECT o.entity_rid, max(-observations_fts.rank) AS best FROM observations_fts
         JOIN observations o ON o.rid = observations_fts.rowid
         JOIN entities e ON e.rid = o.entity_rid
         WHERE observations_fts MATCH ? {filter}
         GROUP BY o.entity_rid ORDER BY best DESC, o.entity_rid LIMIT ?"
    );
    hits(tx, &sql, query, entity_types, limit)
}

/// The best-matching observations of one entity.
pub fn observations_of(
    tx: &ReadTx<'_>,
    query: &MatchExpression,
    entity_rid: i64,
    limit: u32,
) -> Result<Vec<Observation>> {
    let mut statement = tx.prepare_cached(
        "SELECT o.id, o.entity_id, o.content, o.source, o.created_at FROM observations_fts
         JOIN observations o ON o.rid = observations_fts.rowid
         WHERE observations_fts MATCH ?1 AND o.entity_rid = ?2
         ORDER BY bm25(observations_fts), o.rid LIMIT ?3",
    )?;
    let rows = statement.query_map(rusqlite::params![query.0, entity_rid, limit], observations::read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Observations by how well they match, with the row, name and type of their entity.
pub fn observations(
    tx: &ReadTx<'_>,
    query: &MatchExpression,
    entity_rid: Option<i64>,
    limit: u32,
) -> Result<Vec<(Observation, String, String)>> {
    let mut statement = tx.prepare_cached(
        "SELECT o.id, o.entity_id, o.content, o.source, o.created_at, e.name, e.entity_type FROM observations_fts
         JOIN observations o ON o.rid = observations_fts.rowid
         JOIN entities e ON e.rid = o.entity_rid
         WHERE observations_fts MATCH ?1 AND (?2 IS NULL OR o.entity_rid = ?2)
         ORDER BY observations_fts.rank, o.rid LIMIT ?3",
    )?;
    let rows = statement.query_map(rusqlite::params![query.0, entity_rid, limit], |row| {
        Ok((observations::read(row)?, row.get(5)?, row.get(6)?))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Entities of given rows, in no particular order.
pub fn rows(tx: &ReadTx<'_>, rids: &[i64]) -> Result<Vec<(i64, String)>> {
    let mut statement = tx.prepare_cached("SELECT id FROM entities WHERE rid = ?1")?;
    let mut found = Vec::with_capacity(rids.len());
    for rid in rids {
        use rusqlite::OptionalExtension;
        let id: Option<String> = statement.query_row([rid], |row| row.get(0)).optional()?;
        found.extend(id.map(|id| (*rid, id)));
    }
    Ok(found)
}

/// Recreates the whole text index from the tables it indexes.
pub fn rebuild(tx: &crate::WriteTx<'_>) -> Result<()> {
    tx.execute_batch(
        "INSERT INTO entities_fts (entities_fts) VALUES ('rebuild');
         INSERT INTO observations_fts (observations_fts) VALUES ('rebuild');",
    )?;
    Ok(())
}

fn hits(
    tx: &ReadTx<'_>,
    sql: &str,
    query: &MatchExpression,
    entity_types: &[String],
    limit: u32,
) -> Result<Vec<TextHit>> {
    let mut parameters: Vec<SqlValue> = vec![query.0.clone().into()];
    parameters.extend(entity_types.iter().map(|t| SqlValue::from(t.clone())));
    parameters.push(i64::from(limit).into());
    let mut statement = tx.prepare_cached(sql)?;
    let rows = statement.query_map(params_from_iter(parameters), |row| {
        Ok(TextHit { entity_rid: row.get(0)?, score: row.get(1)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn type_filter(entity_types: &[String]) -> String {
    if entity_types.is_empty() {
        return String::new();
    }
    format!("AND e.entity_type IN ({})", vec!["?"; entity_types.len()].join(", "))
}

/// A string of FTS5: everything between double quotes is text; a NUL would end it early.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\"").replace('\0', " "))
}
