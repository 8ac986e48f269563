//! The `entities` table.

use gm_model::{Entity, EntityId, text};
use rusqlite::{OptionalExtension, Row, params};

use crate::pending::{self, Texts};
use crate::search::TextIndex;
use crate::{Error, ReadTx, Result, WriteTx, counters, vectors};

/// An entity with the row number that indexes use.
#[derive(Debug, Clone, PartialEq)]
pub struct EntityRow {
    pub rid: i64,
    pub entity: Entity,
}

/// Which entities a listing wants.
#[derive(Debug, Clone, Default)]
pub struct EntityFilter {
    pub entity_type: Option<String>,
    /// Only names whose key contains this key.
    pub name_contains: Option<String>,
}

/// The order of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EntityOrder {
    /// As they came in: rows that exist keep their place while others are added.
    #[default]
    Created,
    Name,
    Updated,
}

const COLUMNS: &str = "rid, id, name, entity_type, description, properties, created_at, updated_at";

pub fn by_id(tx: &ReadTx<'_>, id: &EntityId) -> Result<Option<EntityRow>> {
    one(tx, &format!("SELECT {COLUMNS} FROM entities WHERE id = ?1"), [id.as_str()])
}

pub fn by_rid(tx: &ReadTx<'_>, rid: i64) -> Result<Option<EntityRow>> {
    one(tx, &format!("SELECT {COLUMNS} FROM entities WHERE rid = ?1"), [rid])
}

/// The entities of some rows, in the order asked for; `None` where a row is gone.
pub fn by_rids(tx: &ReadTx<'_>, rids: impl IntoIterator<Item = i64>) -> Result<Vec<Option<Entity>>> {
    let mut statement = tx.prepare_cached(&format!("SELECT {COLUMNS} FROM entities WHERE rid = ?1"))?;
    let one = |rid| {
        let row = statement.query_row([rid], |row| Ok(read(row))).optional()?;
        Ok(row.transpose()?.map(|row| row.entity))
    };
    rids.into_iter().map(one).collect()
}

/// All entities of a name without case, the most recently updated first.
pub fn by_key(tx: &ReadTx<'_>, name_key: &str) -> Result<Vec<EntityRow>> {
    many(
        tx,
        &format!("SELECT {COLUMNS} FROM entities WHERE name_key = ?1 ORDER BY updated_at DESC, id DESC"),
        [name_key],
    )
}

pub fn by_key_and_type(tx: &ReadTx<'_>, name_key: &str, entity_type: &str) -> Result<Option<EntityRow>> {
    one(
        tx,
        &format!("SELECT {COLUMNS} FROM entities WHERE name_key = ?1 AND entity_type = ?2"),
        [name_key, entity_type],
    )
}

pub fn list(
    tx: &ReadTx<'_>,
    filter: &EntityFilter,
    order: EntityOrder,
    limit: u32,
    offset: u32,
) -> Result<(Vec<EntityRow>, u64)> {
    // Every order ends in something unique, and is that of an index: pages neither skip nor repeat.
    let order_by = match order {
        EntityOrder::Created => "rid",
        EntityOrder::Name => "name_key, entity_type",
        EntityOrder::Updated => "updated_at DESC, rid DESC",
    };
    // Conditions that do not apply are left out, so that the indexes can be used.
    let of_type = filter.entity_type.as_ref().map_or("", |_| "AND entity_type = ?1");
    let with_name = filter.name_contains.as_ref().map_or("", |_| "AND instr(name_key, ?2) > 0");
    let total = match (&filter.entity_type, &filter.name_contains) {
        (entity_type, None) => counters::count(tx, "entity", entity_type.as_deref().unwrap_or(""))?,
        _ => tx
            .prepare_cached(&format!(
                "SELECT count(*) FROM entities WHERE ?1 IS ?1 AND ?2 IS ?2 {of_type} {with_name}"
            ))?
            .query_row(params![filter.entity_type, filter.name_contains], |row| row.get::<_, i64>(0))?
            as u64,
    };
    if order == EntityOrder::Created
        && filter.entity_type.is_none()
        && filter.name_contains.is_none()
        && let Some(first) = row_at(tx, offset, total)?
    {
        let sql = format!("SELECT {COLUMNS} FROM entities WHERE rid >= ?1 ORDER BY rid LIMIT ?2");
        return Ok((many(tx, &sql, params![first, limit])?, total));
    }
    // Passed-over rows are walked in the index alone.
    let sql = format!(
        "SELECT {COLUMNS} FROM entities WHERE rid IN (
           SELECT rid FROM entities WHERE ?1 IS ?1 AND ?2 IS ?2 {of_type} {with_name} ORDER BY {order_by} LIMIT ?3 OFFSET ?4
         ) ORDER BY {order_by}"
    );
    let rows = many(tx, &sql, params![filter.entity_type, filter.name_contains, limit, offset])?;
    Ok((rows, total))
}

/// The row at a place among all rows, if no row between the first and the last is missing: it need not
/// be walked to.
fn row_at(tx: &ReadTx<'_>, place: u32, total: u64) -> Result<Option<i64>> {
    // Two questions: of either, SQLite reads one end of the table alone.
    let end = |sql| -> Result<Option<i64>> { Ok(tx.prepare_cached(sql)?.query_row([], |row| row.get(0))?) };
    let ends = (end("SELECT min(rid) FROM entities")?, end("SELECT max(rid) FROM entities")?);
    let (Some(first), Some(last)) = ends else { return Ok(None) };
    Ok((last - first + 1 == total as i64).then_some(first + i64::from(place)))
}

/// Every entity in row order: for scenes and exports.
pub fn each(tx: &ReadTx<'_>, mut visit: impl FnMut(EntityRow) -> Result<()>) -> Result<()> {
    let mut statement = tx.prepare_cached(&format!("SELECT {COLUMNS} FROM entities ORDER BY rid"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(read(row)?)?;
    }
    Ok(())
}

/// The entity whose row was made last.
pub fn newest(tx: &ReadTx<'_>) -> Result<Option<EntityRow>> {
    one(tx, &format!("SELECT {COLUMNS} FROM entities ORDER BY rid DESC LIMIT 1"), [])
}

/// Every entity in row order as a picture needs it: row, id, name, type.
pub fn each_node(tx: &ReadTx<'_>, mut visit: impl FnMut(i64, String, String, String)) -> Result<()> {
    let mut statement = tx.prepare_cached("SELECT rid, id, name, entity_type FROM entities ORDER BY rid")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    }
    Ok(())
}

/// Row and id of every entity, in row order.
pub fn each_id(tx: &ReadTx<'_>, mut visit: impl FnMut(i64, String)) -> Result<()> {
    let mut statement = tx.prepare_cached("SELECT rid, id FROM entities ORDER BY rid")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(row.get(0)?, row.get(1)?);
    }
    Ok(())
}

pub fn name_of(tx: &ReadTx<'_>, rid: i64) -> Result<Option<String>> {
    let mut statement = tx.prepare_cached("SELECT name FROM entities WHERE rid = ?1")?;
    Ok(statement.query_row([rid], |row| row.get(0)).optional()?)
}

pub fn rid_of(tx: &ReadTx<'_>, id: &str) -> Result<Option<i64>> {
    let mut statement = tx.prepare_cached("SELECT rid FROM entities WHERE id = ?1")?;
    Ok(statement.query_row([id], |row| row.get(0)).optional()?)
}

/// Names of a type or a prefix, for suggestions: those whose key begins with `prefix`.
pub fn names_by_key_prefix(tx: &ReadTx<'_>, prefix: &str, limit: u32) -> Result<Vec<String>> {
    let mut statement = tx.prepare_cached(
        "SELECT name FROM entities WHERE name_key >= ?1 AND name_key < ?1 || char(0x10ffff) ORDER BY name_key LIMIT ?2",
    )?;
    let names = statement.query_map(params![prefix, limit], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

pub fn insert(tx: &WriteTx<'_>, entity: &Entity) -> Result<i64> {
    let properties = properties_text(entity)?;
    let texts = texts_of(entity);
    tx.prepare_cached(
        "INSERT INTO entities (id, name, entity_type, description, properties, created_at, updated_at, name_key, search_name, search_body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        entity.id.as_str(),
        entity.name,
        entity.entity_type,
        entity.description,
        properties,
        entity.created_at,
        entity.updated_at,
        text::fold_key(&entity.name),
        texts.name,
        texts.body,
    ])?;
    let rid = tx.last_insert_rowid();
    pending::note(tx, TextIndex::Entities, rid, None, Some(texts))?;
    vectors::note_new(tx, TextIndex::Entities, rid)?;
    counters::new_entity(tx, &entity.id, rid);
    counters::add(tx, "entity", &entity.entity_type, 1);
    count_description(tx, entity, 1);
    Ok(rid)
}

/// Stores every column of an entity whose row exists; `before` is what stood there.
pub fn update(tx: &WriteTx<'_>, before: &Entity, entity: &Entity) -> Result<()> {
    let properties = properties_text(entity)?;
    let texts = texts_of(entity);
    let rid = note_texts(tx, &entity.id, Some(texts.clone()))?;
    if let Some(rid) = rid {
        let said =
            |entity: &Entity| (entity.name.clone(), entity.entity_type.clone(), entity.description.clone());
        if said(before) != said(entity) {
            vectors::note_changed(tx, TextIndex::Entities, rid)?;
        }
        if before.name != entity.name {
            vectors::note_renamed(tx, entity.id.as_str())?;
        }
    }
    tx.prepare_cached(
        "UPDATE entities SET name = ?2, entity_type = ?3, description = ?4, properties = ?5, created_at = ?6,
         updated_at = ?7, name_key = ?8, search_name = ?9, search_body = ?10 WHERE id = ?1",
    )?
    .execute(params![
        entity.id.as_str(),
        entity.name,
        entity.entity_type,
        entity.description,
        properties,
        entity.created_at,
        entity.updated_at,
        text::fold_key(&entity.name),
        texts.name,
        texts.body,
    ])?;
    if before.entity_type != entity.entity_type {
        counters::add(tx, "entity", &before.entity_type, -1);
        counters::add(tx, "entity", &entity.entity_type, 1);
    }
    count_description(tx, before, -1);
    count_description(tx, entity, 1);
    Ok(())
}

/// Deletes an entity whose relationships and observations are gone already.
pub fn delete(tx: &WriteTx<'_>, entity: &Entity) -> Result<()> {
    if let Some(rid) = note_texts(tx, &entity.id, None)? {
        vectors::note_gone(tx, TextIndex::Entities, rid)?;
    }
    tx.prepare_cached("DELETE FROM entities WHERE id = ?1")?.execute([entity.id.as_str()])?;
    counters::gone_entity(tx, &entity.id);
    count_description(tx, entity, -1);
    counters::add(tx, "entity", &entity.entity_type, -1);
    Ok(())
}

fn texts_of(entity: &Entity) -> Texts {
    Texts { name: text::segment(&entity.name), body: search_body(entity) }
}

/// Tells the text index what becomes of an entity whose row still is as it was; returns the row.
fn note_texts(tx: &WriteTx<'_>, id: &EntityId, after: Option<Texts>) -> Result<Option<i64>> {
    let stored = tx
        .prepare_cached("SELECT rid, search_name, search_body FROM entities WHERE id = ?1")?
        .query_row([id.as_str()], |row| {
            Ok((row.get::<_, i64>(0)?, Texts { name: row.get(1)?, body: row.get(2)? }))
        })
        .optional()?;
    let Some((rid, before)) = stored else { return Ok(None) };
    pending::note(tx, TextIndex::Entities, rid, Some(before), after)?;
    Ok(Some(rid))
}

fn count_description(tx: &WriteTx<'_>, entity: &Entity, by: i64) {
    if entity.description.is_empty() {
        counters::add(tx, "without_description", "", by);
    }
}

/// Rows of all entities of some types.
pub fn rids_of_types(tx: &ReadTx<'_>, types: &[String]) -> Result<std::collections::HashSet<i64>> {
    let mut statement = tx.prepare_cached("SELECT rid FROM entities WHERE entity_type = ?1")?;
    let mut found = std::collections::HashSet::new();
    for entity_type in types {
        let rids = statement.query_map([entity_type], |row| row.get::<_, i64>(0))?;
        for rid in rids {
            found.insert(rid?);
        }
    }
    Ok(found)
}

/// Names of the first entities without a description.
pub fn without_description(tx: &ReadTx<'_>, limit: u32) -> Result<Vec<String>> {
    let mut statement = tx.prepare_cached(
        "SELECT name FROM entities WHERE description = '' ORDER BY created_at, id LIMIT ?1",
    )?;
    let names = statement.query_map([limit], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

/// What an audit looks at, oldest entity first.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditRow {
    pub name: String,
    pub name_key: String,
    pub entity_type: String,
    pub has_description: bool,
    pub has_properties: bool,
    pub degree: u64,
    pub observations: u64,
}

pub fn audit_rows(tx: &ReadTx<'_>, limit: u32) -> Result<Vec<AuditRow>> {
    let mut statement = tx.prepare_cached(
        "SELECT e.name, e.name_key, e.entity_type, e.description <> '', e.properties <> '{}', s.degree, s.observations
         FROM entities e JOIN entity_stats s ON s.entity_rid = e.rid ORDER BY e.rid LIMIT ?1",
    )?;
    let rows = statement.query_map([limit], |row| {
        Ok(AuditRow {
            name: row.get(0)?,
            name_key: row.get(1)?,
            entity_type: row.get(2)?,
            has_description: row.get(3)?,
            has_properties: row.get(4)?,
            degree: row.get::<_, i64>(5)? as u64,
            observations: row.get::<_, i64>(6)? as u64,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn search_body(entity: &Entity) -> String {
    search_body_of(&entity.entity_type, &entity.description)
}

/// What the text index has of an entity beside its name.
pub(crate) fn search_body_of(entity_type: &str, description: &str) -> String {
    let mut body = text::segment(entity_type);
    if !description.is_empty() {
        body.push(' ');
        body.push_str(&text::segment(description));
    }
    body
}

fn properties_text(entity: &Entity) -> Result<String> {
    serde_json::to_string(&entity.properties)
        .map_err(|_| Error::Corrupt { kind: "entity", id: entity.id.to_string() })
}

fn one(tx: &ReadTx<'_>, sql: &str, parameters: impl rusqlite::Params) -> Result<Option<EntityRow>> {
    let row = tx.prepare_cached(sql)?.query_row(parameters, |row| Ok(read(row))).optional()?;
    row.transpose()
}

fn many(tx: &ReadTx<'_>, sql: &str, parameters: impl rusqlite::Params) -> Result<Vec<EntityRow>> {
    let mut statement = tx.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<EntityRow> {
    let id: String = row.get(1)?;
    let properties: String = row.get(5)?;
    let properties =
        serde_json::from_str(&properties).map_err(|_| Error::Corrupt { kind: "entity", id: id.clone() })?;
    Ok(EntityRow {
        rid: row.get(0)?,
        entity: Entity {
            id: EntityId::from_string(id),
            name: row.get(2)?,
            entity_type: row.get(3)?,
            description: row.get(4)?,
            properties,
            created_at: row.get(6)?,
            updated_at: row.get(7)?,
        },
    })
}
