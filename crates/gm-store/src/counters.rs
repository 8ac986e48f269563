//! The `counters` and `entity_stats` tables: counts kept with every write.

use std::collections::BTreeMap;

use gm_model::EntityId;
use rusqlite::params;

use crate::{ReadTx, Result, WriteTx};

/// How many objects of a kind, or of a type of that kind, there are.
pub fn count(tx: &ReadTx<'_>, kind: &str, key: &str) -> Result<u64> {
    use rusqlite::OptionalExtension;
    let n: Option<i64> = tx
        .prepare_cached("SELECT n FROM counters WHERE kind = ?1 AND key = ?2")?
        .query_row([kind, key], |row| row.get(0))
        .optional()?;
    Ok(n.unwrap_or(0).max(0) as u64)
}

/// The types of a kind, the most frequent first.
pub fn by_type(tx: &ReadTx<'_>, kind: &str, limit: u32) -> Result<Vec<(String, u64)>> {
    let mut statement = tx.prepare_cached(
        "SELECT key, n FROM counters WHERE kind = ?1 AND key <> '' AND n > 0 ORDER BY n DESC, key LIMIT ?2",
    )?;
    let rows =
        statement.query_map(params![kind, limit], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Entities with the most relationships: name, type, degree.
pub fn most_connected(tx: &ReadTx<'_>, limit: u32) -> Result<Vec<(String, String, u64)>> {
    most(tx, "degree", limit)
}

/// Entities with the most observations: name, type, observations.
pub fn most_observed(tx: &ReadTx<'_>, limit: u32) -> Result<Vec<(String, String, u64)>> {
    most(tx, "observations", limit)
}

/// `count` is a column of `entity_stats`; both have an index of their own, of what is more than none.
fn most(tx: &ReadTx<'_>, count: &'static str, limit: u32) -> Result<Vec<(String, String, u64)>> {
    let mut statement = tx.prepare_cached(&format!(
        "SELECT e.name, e.entity_type, s.{count} FROM entity_stats s JOIN entities e ON e.rid = s.entity_rid
         WHERE s.{count} > 0 ORDER BY s.{count} DESC, s.entity_rid DESC LIMIT ?1"
    ))?;
    let rows =
        statement.query_map([limit], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)? as u64)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Relationships and observations of one entity.
pub fn of_entity(tx: &ReadTx<'_>, rid: i64) -> Result<(u64, u64)> {
    use rusqlite::OptionalExtension;
    let found: Option<(i64, i64)> = tx
        .prepare_cached("SELECT degree, observations FROM entity_stats WHERE entity_rid = ?1")?
        .query_row([rid], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (degree, observations) = found.unwrap_or((0, 0));
    Ok((degree as u64, observations as u64))
}

/// Counts that a transaction has changed: written once, at its end, however often they changed.
#[derive(Default)]
pub(crate) struct Tally {
    counters: BTreeMap<(&'static str, String), i64>,
    stats: BTreeMap<String, Stats>,
}

/// What changed for one entity; `rid` is told where its row does not exist yet.
#[derive(Default)]
struct Stats {
    rid: Option<i64>,
    degree: i64,
    observations: i64,
}

pub(crate) fn add(tx: &WriteTx<'_>, kind: &'static str, key: &str, by: i64) {
    let counters = &mut tx.tally().counters;
    *counters.entry((kind, key.to_owned())).or_default() += by;
    if !key.is_empty() {
        *counters.entry((kind, String::new())).or_default() += by;
    }
}

pub(crate) fn add_degree(tx: &WriteTx<'_>, entity: &EntityId, by: i64) {
    stats_of(&mut tx.tally(), entity).degree += by;
}

pub(crate) fn add_observations(tx: &WriteTx<'_>, entity: &EntityId, by: i64) {
    stats_of(&mut tx.tally(), entity).observations += by;
    add(tx, "observation", "", by);
}

pub(crate) fn new_entity(tx: &WriteTx<'_>, entity: &EntityId, rid: i64) {
    stats_of(&mut tx.tally(), entity).rid = Some(rid);
}

/// Its row of counts goes with the entity's.
pub(crate) fn gone_entity(tx: &WriteTx<'_>, entity: &EntityId) {
    tx.tally().stats.remove(entity.as_str());
}

fn stats_of<'a>(tally: &'a mut Tally, entity: &EntityId) -> &'a mut Stats {
    tally.stats.entry(entity.as_str().to_owned()).or_default()
}

/// Writes what a transaction has changed.
pub(crate) fn write(tx: &WriteTx<'_>) -> Result<()> {
    let Tally { counters, stats } = std::mem::take(&mut *tx.tally());
    let mut statement = tx.prepare_cached(
        "INSERT INTO counters (kind, key, n) VALUES (?1, ?2, ?3) ON CONFLICT (kind, key) DO UPDATE SET n = n + excluded.n",
    )?;
    for ((kind, key), by) in counters.iter().filter(|(_, by)| **by != 0) {
        statement.execute(params![kind, key, by])?;
    }
    let mut insert =
        tx.prepare_cached("INSERT INTO entity_stats (entity_rid, degree, observations) VALUES (?1, ?2, ?3)")?;
    // Each column has an index, which is written whether the column gets another value or its own.
    let update = |count: &str| {
        tx.prepare_cached(&format!(
            "UPDATE entity_stats SET {count} = {count} + ?2
             WHERE entity_rid = (SELECT rid FROM entities WHERE id = ?1)"
        ))
    };
    let (mut update_degree, mut update_observations) = (update("degree")?, update("observations")?);
    for (id, Stats { rid, degree, observations }) in &stats {
        if let Some(rid) = rid {
            insert.execute([rid, degree, observations])?;
            continue;
        }
        for (by, update) in [(degree, &mut update_degree), (observations, &mut update_observations)] {
            if *by != 0 {
                update.execute(params![id, by])?;
            }
        }
    }
    Ok(())
}
