//! The `positions` table: where nodes stand and which of them a person pinned.

use gm_model::EntityId;
use rusqlite::{OptionalExtension, params};

use crate::{ReadTx, Result, WriteTx};

/// A node's place, in the layout's own coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    pub x: f64,
    pub y: f64,
    pub pinned: bool,
}

pub fn each(tx: &ReadTx<'_>, mut visit: impl FnMut(i64, Position)) -> Result<()> {
    let mut statement = tx.prepare_cached("SELECT entity_rid, x, y, pinned FROM positions")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let position = Position { x: row.get(1)?, y: row.get(2)?, pinned: row.get(3)? };
        visit(row.get(0)?, position);
    }
    Ok(())
}

pub fn of_entity(tx: &ReadTx<'_>, entity: &EntityId) -> Result<Option<Position>> {
    let found = tx
        .prepare_cached(
            "SELECT p.x, p.y, p.pinned FROM positions p JOIN entities e ON e.rid = p.entity_rid WHERE e.id = ?1",
        )?
        .query_row([entity.as_str()], |row| {
            Ok(Position { x: row.get(0)?, y: row.get(1)?, pinned: row.get(2)? })
        })
        .optional()?;
    Ok(found)
}

/// Saves where the layout put a node. A pinned node keeps the person's place.
pub fn save(tx: &WriteTx<'_>, entity: &EntityId, x: f64, y: f64) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO positions (entity_rid, x, y) SELECT rid, ?2, ?3 FROM entities WHERE id = ?1
         ON CONFLICT (entity_rid) DO UPDATE SET x = excluded.x, y = excluded.y WHERE pinned = 0",
    )?
    .execute(params![entity.as_str(), x, y])?;
    Ok(())
}

/// Sets a node's place and whether it is pinned there.
pub fn put(tx: &WriteTx<'_>, entity: &EntityId, position: Position) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO positions (entity_rid, x, y, pinned) SELECT rid, ?2, ?3, ?4 FROM entities WHERE id = ?1
         ON CONFLICT (entity_rid) DO UPDATE SET x = excluded.x, y = excluded.y, pinned = excluded.pinned",
    )?
    .execute(params![entity.as_str(), position.x, position.y, position.pinned])?;
    Ok(())
}
