//! Making anew whatever is derived from the texts: keys, search texts, row numbers, counts, indexes.

use gm_model::text;
use rusqlite::params;

use crate::validate::{RECOUNT, RECOUNT_STATS, wrong_vectors};
use crate::{Result, WriteTx, entities, search, vectors};

/// What was made anew, and how many rows that were wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    pub what: &'static str,
    pub count: u64,
}

/// Makes anew whatever is derived from the texts, and nothing else.
pub fn repair(tx: &WriteTx<'_>) -> Result<Vec<Repaired>> {
    let mut repaired = Vec::new();
    let mut did = |what, count| {
        if count > 0 {
            repaired.push(Repaired { what, count });
        }
    };
    did("keys and search texts of entities", entity_texts(tx)?);
    did("search texts of observations", observation_texts(tx)?);
    did("keys of aliases", alias_keys(tx)?);
    let rows = tx.execute(
        "UPDATE relationships SET source_rid = s.rid, target_rid = t.rid FROM entities s, entities t
         WHERE s.id = source_id AND t.id = target_id AND (source_rid <> s.rid OR target_rid <> t.rid)",
        [],
    )? + tx.execute(
        "UPDATE observations SET entity_rid = e.rid FROM entities e WHERE e.id = entity_id AND entity_rid <> e.rid",
        [],
    )?;
    did("row numbers", rows as u64);
    let strays =
        tx.execute("DELETE FROM positions WHERE entity_rid NOT IN (SELECT rid FROM entities)", [])?;
    did("places of entities that are gone", strays as u64);
    tx.execute("DELETE FROM counters", [])?;
    let counters = tx.execute(&format!("INSERT INTO counters (kind, key, n) {RECOUNT}"), [])?;
    did("counters", counters as u64);
    tx.execute("DELETE FROM entity_stats", [])?;
    let stats = tx.execute(
        &format!("INSERT INTO entity_stats (entity_rid, degree, observations) {RECOUNT_STATS}"),
        [],
    )?;
    did("counts of entities", stats as u64);
    did("vectors", vectors_of_texts(tx)?);
    // Last, from the texts as they are now.
    search::rebuild(tx)?;
    did("text indexes", 2);
    Ok(repaired)
}

/// Takes away vectors that are wrong; texts without one want it.
fn vectors_of_texts(tx: &WriteTx<'_>) -> Result<u64> {
    let Some(model) = vectors::model(&tx.as_read())? else { return Ok(0) };
    let wrong = wrong_vectors(model.dimension);
    tx.execute(
        &format!("INSERT INTO vector_log (kind, rid) SELECT DISTINCT kind, rid FROM vectors WHERE {wrong}"),
        [],
    )?;
    let taken = tx.execute(
        &format!("DELETE FROM vectors WHERE (kind, rid) IN (SELECT kind, rid FROM vectors WHERE {wrong})"),
        [],
    )?;
    tx.execute(
        "DELETE FROM vectors_wanted WHERE (kind = 0 AND rid NOT IN (SELECT rid FROM entities))
         OR (kind = 1 AND rid NOT IN (SELECT rid FROM observations))",
        [],
    )?;
    let wanted = tx.execute(
        "INSERT OR IGNORE INTO vectors_wanted (kind, rid)
         SELECT kind, rid FROM (SELECT 0 AS kind, rid FROM entities UNION ALL SELECT 1, rid FROM observations) t
         WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.kind = t.kind AND v.rid = t.rid)",
        [],
    )?;
    Ok((taken + wanted) as u64)
}

/// Makes the search texts anew, and the text indexes if any was not as it should be.
pub(crate) fn search_texts(tx: &WriteTx<'_>) -> Result<()> {
    if entity_texts(tx)? + observation_texts(tx)? > 0 {
        search::rebuild(tx)?;
    }
    Ok(())
}

fn entity_texts(tx: &WriteTx<'_>) -> Result<u64> {
    let mut wrong = Vec::new();
    {
        let mut statement = tx.prepare(
            "SELECT rid, name, entity_type, description, name_key, search_name, search_body FROM entities",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let column = |at: usize| row.get::<_, String>(at);
            let (name, entity_type) = (column(1)?, column(2)?);
            let wanted = (
                text::fold_key(&name),
                text::segment(&name),
                entities::search_body_of(&entity_type, &column(3)?),
            );
            if (column(4)?, column(5)?, column(6)?) != wanted {
                wrong.push((row.get::<_, i64>(0)?, wanted));
            }
        }
    }
    let mut n = 0;
    for (rid, (key, name, body)) in wrong {
        // A key that another entity has already stays a finding: merging is a person's choice.
        n += tx.execute(
            "UPDATE OR IGNORE entities SET name_key = ?2, search_name = ?3, search_body = ?4 WHERE rid = ?1",
            params![rid, key, name, body],
        )? as u64;
    }
    Ok(n)
}

fn observation_texts(tx: &WriteTx<'_>) -> Result<u64> {
    let mut wrong = Vec::new();
    {
        let mut statement = tx.prepare("SELECT rid, content, search_text FROM observations")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let wanted = text::segment(&row.get::<_, String>(1)?);
            if row.get::<_, String>(2)? != wanted {
                wrong.push((row.get::<_, i64>(0)?, wanted));
            }
        }
    }
    for (rid, wanted) in &wrong {
        tx.execute("UPDATE observations SET search_text = ?2 WHERE rid = ?1", params![rid, wanted])?;
    }
    Ok(wrong.len() as u64)
}

fn alias_keys(tx: &WriteTx<'_>) -> Result<u64> {
    let mut wrong = Vec::new();
    {
        let mut statement = tx.prepare("SELECT alias_key, entity_id, alias FROM aliases")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (key, id, alias): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let wanted = text::fold_key(&alias);
            if key != wanted {
                wrong.push((key, id, wanted));
            }
        }
    }
    for (key, id, wanted) in &wrong {
        tx.execute(
            "UPDATE OR REPLACE aliases SET alias_key = ?3 WHERE alias_key = ?1 AND entity_id = ?2",
            params![key, id, wanted],
        )?;
    }
    Ok(wrong.len() as u64)
}
