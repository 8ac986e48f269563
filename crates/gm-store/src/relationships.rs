//! The `relationships` table.

use gm_model::{EntityId, Relationship, RelationshipId};
use rusqlite::{OptionalExtension, Row, params};

use crate::{Error, ReadTx, Result, WriteTx, counters};

/// A relationship with the names of its ends, as listings show it.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedRelationship {
    pub relationship: Relationship,
    pub source_name: String,
    pub source_type: String,
    pub target_name: String,
    pub target_type: String,
}

/// An edge as the picture needs it.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeRow {
    pub id: String,
    pub source_rid: i64,
    pub target_rid: i64,
    pub relationship_type: String,
    pub weight: f64,
}

const COLUMNS: &str =
    "r.id, r.source_id, r.target_id, r.relationship_type, r.weight, r.properties, r.created_at, r.updated_at";
const NAMED: &str = "s.name, s.entity_type, t.name, t.entity_type
     FROM relationships r JOIN entities s ON s.rid = r.source_rid JOIN entities t ON t.rid = r.target_rid";

pub fn by_id(tx: &ReadTx<'_>, id: &RelationshipId) -> Result<Option<Relationship>> {
    let sql = format!("SELECT {COLUMNS} FROM relationships r WHERE r.id = ?1");
    tx.prepare_cached(&sql)?.query_row([id.as_str()], |row| Ok(read(row))).optional()?.transpose()
}

pub fn by_ends(
    tx: &ReadTx<'_>,
    source: &EntityId,
    target: &EntityId,
    relationship_type: &str,
) -> Result<Option<Relationship>> {
    Between::new(tx)?.find(source, target, relationship_type)
}

/// Finds relationships between entities, one after the other.
pub struct Between<'tx> {
    statement: rusqlite::CachedStatement<'tx>,
}

impl<'tx> Between<'tx> {
    pub fn new(tx: &'tx ReadTx<'_>) -> Result<Self> {
        Ok(Self { statement: tx.prepare_cached(&by_ends_sql())? })
    }

    pub fn find(
        &mut self,
        source: &EntityId,
        target: &EntityId,
        relationship_type: &str,
    ) -> Result<Option<Relationship>> {
        self.statement
            .query_row([source.as_str(), target.as_str(), relationship_type], |row| Ok(read(row)))
            .optional()?
            .transpose()
    }
}

fn by_ends_sql() -> String {
    format!(
        "SELECT {COLUMNS} FROM relationships r WHERE r.source_id = ?1 AND r.target_id = ?2 AND r.relationship_type = ?3"
    )
}

/// Every relationship that touches an entity, a self-loop once.
pub fn touching(tx: &ReadTx<'_>, entity: &EntityId) -> Result<Vec<Relationship>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM relationships r WHERE r.source_id = ?1
         UNION ALL SELECT {COLUMNS} FROM relationships r WHERE r.target_id = ?1 AND r.source_id <> ?1"
    );
    collect(tx, &sql, [entity.as_str()], read)
}

/// As [`touching`], with names, the strongest and newest first.
pub fn named_touching(tx: &ReadTx<'_>, entity: &EntityId, limit: u32) -> Result<Vec<NamedRelationship>> {
    // Only those that are told are joined with their ends.
    let sql = format!(
        "SELECT {COLUMNS}, {NAMED} WHERE r.rid IN (
           SELECT rid FROM (
             SELECT rid, id, weight, updated_at FROM relationships WHERE source_id = ?1
             UNION ALL
             SELECT rid, id, weight, updated_at FROM relationships WHERE target_id = ?1 AND source_id <> ?1
           ) ORDER BY weight DESC, updated_at DESC, id LIMIT ?2
         ) ORDER BY r.weight DESC, r.updated_at DESC, r.id"
    );
    collect(tx, &sql, params![entity.as_str(), limit], read_named)
}

/// Which relationships a listing wants.
#[derive(Debug, Clone, Default)]
pub struct RelationshipFilter {
    /// Touching this entity.
    pub entity: Option<EntityId>,
    pub relationship_type: Option<String>,
}

/// A page of relationships as they came in, and how many there are in all.
pub fn list(
    tx: &ReadTx<'_>,
    filter: &RelationshipFilter,
    limit: u32,
    offset: u32,
) -> Result<(Vec<NamedRelationship>, u64)> {
    let entity = filter.entity.as_ref().map(EntityId::as_str);
    let relationship_type = filter.relationship_type.as_deref();
    // An entity's own edges come through the indexes of both ends; a self-loop comes once.
    let touching = if entity.is_some() {
        "AND rid IN (SELECT rid FROM relationships WHERE source_id = ?1 UNION SELECT rid FROM relationships WHERE target_id = ?1)"
    } else {
        ""
    };
    let of_type = if relationship_type.is_some() { "AND relationship_type = ?2" } else { "" };
    let wanted = format!("?1 IS ?1 AND ?2 IS ?2 {touching} {of_type}");
    // Passed-over rows are not joined with their ends.
    let sql = format!(
        "SELECT {COLUMNS}, {NAMED} WHERE r.rid IN (
           SELECT rid FROM relationships WHERE {wanted} ORDER BY rid LIMIT ?3 OFFSET ?4
         ) ORDER BY r.rid"
    );
    let rows = collect(tx, &sql, params![entity, relationship_type, limit, offset], read_named)?;
    let total = match entity {
        None => counters::count(tx, "relationship", relationship_type.unwrap_or(""))?,
        Some(_) => {
            tx.prepare_cached(&format!("SELECT count(*) FROM relationships WHERE {wanted}"))?
                .query_row(params![entity, relationship_type], |row| row.get::<_, i64>(0))? as u64
        }
    };
    Ok((rows, total))
}

/// Every relationship in row order, for exports.
pub fn each(tx: &ReadTx<'_>, mut visit: impl FnMut(Relationship) -> Result<()>) -> Result<()> {
    let sql = format!("SELECT {COLUMNS} FROM relationships r ORDER BY r.rid");
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(read(row)?)?;
    }
    Ok(())
}

/// Every edge in row order, for pictures.
pub fn each_edge(tx: &ReadTx<'_>, mut visit: impl FnMut(EdgeRow)) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "SELECT id, source_rid, target_rid, relationship_type, weight FROM relationships ORDER BY rid",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(EdgeRow {
            id: row.get(0)?,
            source_rid: row.get(1)?,
            target_rid: row.get(2)?,
            relationship_type: row.get(3)?,
            weight: row.get(4)?,
        });
    }
    Ok(())
}

/// Inserts an edge between two entities that exist.
pub fn insert(tx: &WriteTx<'_>, relationship: &Relationship) -> Result<()> {
    let properties = properties_text(relationship)?;
    let rid_of = |end: &EntityId| -> Result<i64> {
        let mut statement = tx.prepare_cached("SELECT rid FROM entities WHERE id = ?1")?;
        let rid: Option<i64> = statement.query_row([end.as_str()], |row| row.get(0)).optional()?;
        // An end is missing: nothing is stored, and the caller's transaction is undone.
        rid.ok_or(Error::Conflict)
    };
    tx.prepare_cached(
        "INSERT INTO relationships (id, source_id, target_id, relationship_type, weight, properties, created_at, updated_at, source_rid, target_rid)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        relationship.id.as_str(),
        relationship.source_id.as_str(),
        relationship.target_id.as_str(),
        relationship.relationship_type,
        relationship.weight,
        properties,
        relationship.created_at,
        relationship.updated_at,
        rid_of(&relationship.source_id)?,
        rid_of(&relationship.target_id)?,
    ])?;
    count_degree(tx, relationship, 1);
    counters::add(tx, "relationship", &relationship.relationship_type, 1);
    Ok(())
}

/// Stores type, weight, properties and times of an edge whose row exists.
pub fn update(tx: &WriteTx<'_>, before: &Relationship, relationship: &Relationship) -> Result<()> {
    let properties = properties_text(relationship)?;
    tx.prepare_cached(
        "UPDATE relationships SET relationship_type = ?2, weight = ?3, properties = ?4, created_at = ?5, updated_at = ?6 WHERE id = ?1",
    )?
    .execute(params![
        relationship.id.as_str(),
        relationship.relationship_type,
        relationship.weight,
        properties,
        relationship.created_at,
        relationship.updated_at,
    ])?;
    if before.relationship_type != relationship.relationship_type {
        counters::add(tx, "relationship", &before.relationship_type, -1);
        counters::add(tx, "relationship", &relationship.relationship_type, 1);
    }
    Ok(())
}

pub fn delete(tx: &WriteTx<'_>, relationship: &Relationship) -> Result<()> {
    tx.prepare_cached("DELETE FROM relationships WHERE id = ?1")?.execute([relationship.id.as_str()])?;
    count_degree(tx, relationship, -1);
    counters::add(tx, "relationship", &relationship.relationship_type, -1);
    Ok(())
}

fn count_degree(tx: &WriteTx<'_>, relationship: &Relationship, by: i64) {
    counters::add_degree(tx, &relationship.source_id, by);
    if relationship.source_id != relationship.target_id {
        counters::add_degree(tx, &relationship.target_id, by);
    }
}

fn properties_text(relationship: &Relationship) -> Result<String> {
    serde_json::to_string(&relationship.properties)
        .map_err(|_| Error::Corrupt { kind: "relationship", id: relationship.id.to_string() })
}

fn collect<T>(
    tx: &ReadTx<'_>,
    sql: &str,
    parameters: impl rusqlite::Params,
    read: impl Fn(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut statement = tx.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Relationship> {
    let id: String = row.get(0)?;
    let properties: String = row.get(5)?;
    let properties = serde_json::from_str(&properties)
        .map_err(|_| Error::Corrupt { kind: "relationship", id: id.clone() })?;
    Ok(Relationship {
        id: RelationshipId::from_string(id),
        source_id: EntityId::from_string(row.get::<_, String>(1)?),
        target_id: EntityId::from_string(row.get::<_, String>(2)?),
        relationship_type: row.get(3)?,
        weight: row.get(4)?,
        properties,
        created_at: row.get(6)?,
        updated_at: row.get(7)?,
    })
}

fn read_named(row: &Row<'_>) -> Result<NamedRelationship> {
    Ok(NamedRelationship {
        relationship: read(row)?,
        source_name: row.get(8)?,
        source_type: row.get(9)?,
        target_name: row.get(10)?,
        target_type: row.get(11)?,
    })
}
