//! Full-text retrieval. Queries arrive as terms that were already taken apart; every term is
//! quoted, so that no user text is ever FTS5 syntax.
//!
//! What a question costs, per matching row (bundled SQLite, 300,000 observations): counting 0.05 µs,
//! reading its number 0.6 µs, BM25 2.9 µs, the row it belongs to 2.7 µs. The engine chooses by
//! counts which rows are worth ranking (docs/adr/0005).

use gm_model::Observation;
use gm_model::text::QueryTerm;
use rusqlite::types::Value as SqlValue;
use rusqlite::{OptionalExtension, params_from_iter};

use crate::{ReadTx, Result, WriteTx, journal, observations};

/// The two text indexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextIndex {
    /// Names (weight 8), types and descriptions (weight 1).
    Entities,
    Observations,
}

/// Which rows may be found; acts inside the query, never after.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scope<'a> {
    All,
    /// Entities of these types, and their observations.
    Types(&'a [String]),
    /// The entity of this row, and its observations.
    Entity(i64),
}

/// A row found, with its BM25 turned so that more is better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextHit {
    pub entity_rid: i64,
    /// The row in its own table: that of the entity, or of the observation.
    pub rid: i64,
    pub score: f64,
}

/// A row with its segmented texts, to be ranked by the caller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextRow<'a> {
    pub entity_rid: i64,
    pub rid: i64,
    /// The segmented name; empty for observations.
    pub name: &'a str,
    pub body: &'a str,
}

/// A query in FTS5's language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchExpression(String);

impl MatchExpression {
    pub fn term(term: &QueryTerm) -> Self {
        Self(match term {
            QueryTerm::Word(word) => quoted(word),
            QueryTerm::Prefix(prefix) => format!("{} *", quoted(prefix)),
        })
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

    /// Any of them may match; `None` when there are none.
    pub fn any<'a>(of: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        Self::joined(of, " OR ")
    }

    /// All of them must match; `None` when there are none.
    pub fn all<'a>(of: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        Self::joined(of, " AND ")
    }

    /// Only in names of entities.
    pub fn in_names(&self) -> Self {
        Self(format!("search_name : ({})", self.0))
    }

    fn joined<'a>(of: impl IntoIterator<Item = &'a Self>, word: &str) -> Option<Self> {
        let parts: Vec<String> = of.into_iter().map(|part| format!("({})", part.0)).collect();
        (!parts.is_empty()).then(|| Self(parts.join(word)))
    }
}

/// How many rows match: counted up to `most`, and past that estimated as if the rest of the table held
/// as many as its beginning.
pub fn count(tx: &ReadTx<'_>, index: TextIndex, query: &MatchExpression, most: u32) -> Result<u32> {
    let Names { fts, table, .. } = names(index);
    let count = || {
        let sql = format!(
            "SELECT count(*), max(rowid) FROM (SELECT rowid FROM {fts} WHERE {fts} MATCH ?1 ORDER BY rowid LIMIT ?2)"
        );
        let (rows, reached): (u32, Option<i64>) = tx
            .prepare_cached(&sql)?
            .query_row(rusqlite::params![query.0, most], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if rows < most {
            return Ok(rows);
        }
        let last: i64 = tx
            .prepare_cached(&format!("SELECT ifnull(max(rid), 0) FROM {table}"))?
            .query_row([], |row| row.get(0))?;
        let share = last as f64 / reached.unwrap_or(last).max(1) as f64;
        Ok((f64::from(rows) * share.max(1.0)) as u32)
    };
    match tx.word_counts {
        Some(known) => known.get(journal::head(tx)?, (index, most, &query.0), count),
        None => count(),
    }
}

/// The best rows by BM25. Costs as much as there are rows that match.
pub fn best(
    tx: &ReadTx<'_>,
    index: TextIndex,
    query: &MatchExpression,
    scope: Scope<'_>,
    limit: u32,
) -> Result<Vec<TextHit>> {
    let Names { fts, table, entity_rid, bm25, .. } = names(index);
    let sql = if scope == Scope::All {
        // The table's own rows are read for the best alone.
        format!(
            "SELECT {entity_rid}, t.rid, f.score FROM
               (SELECT rowid AS rid, -{bm25} AS score FROM {fts} WHERE {fts} MATCH ? ORDER BY score DESC, rowid DESC LIMIT ?) f
             JOIN {table} t ON t.rid = f.rid ORDER BY f.score DESC, t.rid DESC"
        )
    } else {
        format!(
            "SELECT {entity_rid}, t.rid, -{bm25} AS score FROM {fts} CROSS JOIN {table} t ON t.rid = {fts}.rowid
             WHERE {fts} MATCH ? {} ORDER BY score DESC, t.rid DESC LIMIT ?",
            condition(index, scope)
        )
    };
    let mut statement = tx.prepare_cached(&sql)?;
    let rows = statement.query_map(params_from_iter(parameters(Some(query), scope, limit)), |row| {
        Ok(TextHit { entity_rid: row.get(0)?, rid: row.get(1)?, score: row.get(2)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Shows the newest rows that match, with their texts, and tells how many they are. Costs as much as
/// rows are passed to fill the limit.
pub fn newest(
    tx: &ReadTx<'_>,
    index: TextIndex,
    query: &MatchExpression,
    scope: Scope<'_>,
    limit: u32,
    show: impl FnMut(TextRow<'_>),
) -> Result<u32> {
    let Names { fts, table, entity_rid, name, body, .. } = names(index);
    let sql = format!(
        "SELECT {entity_rid}, t.rid, {name}, {body} FROM {fts} CROSS JOIN {table} t ON t.rid = {fts}.rowid
         WHERE {fts} MATCH ? {} ORDER BY {fts}.rowid DESC LIMIT ?",
        condition(index, scope)
    );
    text_rows(tx, &sql, parameters(Some(query), scope, limit), show)
}

/// Shows rows of a scope, whatever their text says, and tells how many they are; an entity's
/// observations newest first.
pub fn rows_in(
    tx: &ReadTx<'_>,
    index: TextIndex,
    scope: Scope<'_>,
    limit: u32,
    show: impl FnMut(TextRow<'_>),
) -> Result<u32> {
    let Names { table, entity_rid, name, body, .. } = names(index);
    let from = match (index, scope) {
        (TextIndex::Entities, Scope::All) => format!("{table} t"),
        (TextIndex::Entities, Scope::Types(types)) => {
            format!("{table} t WHERE t.entity_type IN ({})", marks(types))
        }
        (TextIndex::Entities, Scope::Entity(_)) => format!("{table} t WHERE t.rid = ?"),
        (TextIndex::Observations, Scope::All) => format!("{table} t"),
        (TextIndex::Observations, Scope::Types(types)) => format!(
            "entities e CROSS JOIN {table} t ON t.entity_id = e.id WHERE e.entity_type IN ({})",
            marks(types)
        ),
        (TextIndex::Observations, Scope::Entity(_)) => format!(
            "{table} t WHERE t.entity_id = (SELECT id FROM entities WHERE rid = ?) ORDER BY t.created_at DESC, t.rid DESC"
        ),
    };
    let sql = format!("SELECT {entity_rid}, t.rid, {name}, {body} FROM {from} LIMIT ?");
    text_rows(tx, &sql, parameters(None, scope, limit), show)
}

/// The observation in a row, with the name and type of its entity.
pub fn observation(tx: &ReadTx<'_>, rid: i64) -> Result<Option<(Observation, String, String)>> {
    let mut statement = tx.prepare_cached(
        "SELECT o.id, o.entity_id, o.content, o.source, o.created_at, e.name, e.entity_type
         FROM observations o JOIN entities e ON e.rid = o.entity_rid WHERE o.rid = ?1",
    )?;
    let found = statement
        .query_row([rid], |row| Ok((observations::read(row)?, row.get(5)?, row.get(6)?)))
        .optional()?;
    Ok(found)
}

/// Recreates the whole text index from the tables it indexes.
pub fn rebuild(tx: &WriteTx<'_>) -> Result<()> {
    // What was to be told is read from the tables now.
    *tx.texts() = Default::default();
    tx.execute_batch(
        "INSERT INTO entities_fts (entities_fts) VALUES ('rebuild');
         INSERT INTO observations_fts (observations_fts) VALUES ('rebuild');",
    )?;
    Ok(())
}

/// What an index is called in SQL, `t` being its table.
struct Names {
    fts: &'static str,
    table: &'static str,
    entity_rid: &'static str,
    name: &'static str,
    body: &'static str,
    bm25: &'static str,
}

fn names(index: TextIndex) -> Names {
    match index {
        TextIndex::Entities => Names {
            fts: "entities_fts",
            table: "entities",
            entity_rid: "t.rid",
            name: "t.search_name",
            body: "t.search_body",
            bm25: "bm25(entities_fts, 8.0, 1.0)",
        },
        TextIndex::Observations => Names {
            fts: "observations_fts",
            table: "observations",
            entity_rid: "t.entity_rid",
            name: "''",
            body: "t.search_text",
            bm25: "bm25(observations_fts)",
        },
    }
}

/// The scope as a condition on rows that the text index gives.
fn condition(index: TextIndex, scope: Scope<'_>) -> String {
    let entity_rid = names(index).entity_rid;
    match scope {
        Scope::All => String::new(),
        Scope::Types(types) if index == TextIndex::Entities => {
            format!("AND t.entity_type IN ({})", marks(types))
        }
        Scope::Types(types) => format!(
            "AND EXISTS (SELECT 1 FROM entities e WHERE e.rid = {entity_rid} AND e.entity_type IN ({}))",
            marks(types)
        ),
        Scope::Entity(_) => format!("AND {entity_rid} = ?"),
    }
}

fn marks(values: &[String]) -> String {
    vec!["?"; values.len()].join(", ")
}

fn parameters(query: Option<&MatchExpression>, scope: Scope<'_>, limit: u32) -> Vec<SqlValue> {
    let mut parameters: Vec<SqlValue> = query.map(|query| query.0.clone().into()).into_iter().collect();
    match scope {
        Scope::All => {}
        Scope::Types(types) => parameters.extend(types.iter().map(|t| SqlValue::from(t.clone()))),
        Scope::Entity(rid) => parameters.push(rid.into()),
    }
    parameters.push(i64::from(limit).into());
    parameters
}

fn text_rows(
    tx: &ReadTx<'_>,
    sql: &str,
    parameters: Vec<SqlValue>,
    mut show: impl FnMut(TextRow<'_>),
) -> Result<u32> {
    let mut statement = tx.prepare_cached(sql)?;
    let mut rows = statement.query(params_from_iter(parameters))?;
    let mut shown = 0;
    while let Some(row) = rows.next()? {
        let text = |column| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
        show(TextRow { entity_rid: row.get(0)?, rid: row.get(1)?, name: text(2)?, body: text(3)? });
        shown += 1;
    }
    Ok(shown)
}

/// A string of FTS5: everything between double quotes is text; a NUL would end it early.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\"").replace('\0', " "))
}
