//! Whether a graph file keeps its promises. All checks run on a private copy, taken through
//! SQLite's backup: the file itself is only read, is locked for the copy's duration at most, and a
//! damaged one stays byte for byte. Findings carry ids and counts, never memory text.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use gm_model::text;
use rusqlite::Connection;
use serde_json::Value;

use crate::connection::open_untouched;
use crate::error::{Error, Result, at};
use crate::maintain::copy_pages;
use crate::recognise::{Recognised, accept, recognise};
use crate::vectors::SOUND;
use crate::{ReadTx, WriteTx, entities, journal, vectors};

/// Ids told per finding; the rest is counted.
pub const FINDING_IDS: usize = 20;
/// Lines of SQLite's own report that are told.
const REPORT_LINES: usize = 10;

/// One promise that is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A stable word for programs.
    pub check: &'static str,
    pub message: &'static str,
    pub count: u64,
    /// The first ids, or lines of SQLite's report.
    pub ids: Vec<String>,
    /// Whether [`crate::repair`] makes it good: it concerns only what is derived from the texts.
    pub repairable: bool,
}

/// A copy of a graph file to look at, in a temporary file without a name.
pub struct Specimen {
    connection: Connection,
    ours: bool,
}

/// What stands at a path, as far as it can be looked into.
pub enum Opened {
    Specimen(Box<Specimen>),
    /// Not even that: the finding says why.
    Unreadable(Finding),
}

impl Specimen {
    /// Copies the file. `progress` is told how many pages of how many are done.
    pub fn of(path: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<Opened> {
        let found = recognise(path)?;
        let unreadable = |message, detail: String| {
            Ok(Opened::Unreadable(Finding {
                check: "file",
                message,
                count: 1,
                ids: vec![detail],
                repairable: false,
            }))
        };
        match &found {
            Recognised::Empty => return Err(Error::Missing { path: path.into() }),
            Recognised::Damaged(reason) => return unreadable("the file is damaged", reason.clone()),
            Recognised::Foreign(reason) => return unreadable("the file is not a graph", reason.clone()),
            Recognised::Ours { .. } | Recognised::GraphMemOne => accept(path, &found, false)?,
        }
        match copy(path, progress).map_err(at(path)) {
            Ok(connection) => {
                let ours = matches!(found, Recognised::Ours { .. });
                Ok(Opened::Specimen(Box::new(Self { connection, ours })))
            }
            Err(Error::Damaged { .. } | Error::NotAGraph { .. }) => {
                unreadable("the file is damaged", "its pages cannot be copied".into())
            }
            Err(error) => Err(error),
        }
    }

    /// Whether it has this program's tables; a file of graph-mem 1.0 gets them on opening.
    pub fn is_ours(&self) -> bool {
        self.ours
    }

    /// Runs every check. `progress` is told the name of each.
    pub fn check(&mut self, progress: &mut dyn FnMut(&str)) -> Result<Vec<Finding>> {
        let mut findings = Findings::default();
        progress("pages");
        findings.run(|f| pages(&self.connection, f))?;
        if !self.ours {
            return Ok(findings.done());
        }
        let tx = WriteTx::from_transaction(self.connection.transaction()?);
        let checks: [(&str, Check); 9] = [
            ("ends", dangling),
            ("entities", entity_rows),
            ("relationships", relationship_rows),
            ("observations", observation_rows),
            ("text index", text_index),
            ("counters", counts),
            ("vectors", vectors_of_texts),
            ("journal", journal_rows),
            ("undo links", undo_links),
        ];
        for (name, check) in checks {
            progress(name);
            findings.run(|f| check(&tx, f))?;
        }
        Ok(findings.done())
    }

    /// Reads the copy as one reads a graph.
    pub fn read<T, E: From<Error>>(
        &mut self,
        work: impl FnOnce(&ReadTx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let tx = self.connection.transaction().map_err(Error::from)?;
        work(&WriteTx::from_transaction(tx).as_read())
    }
}

fn copy(path: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<Connection> {
    let log = || {
        let mut name = path.as_os_str().to_owned();
        name.push("-wal");
        Path::new(&name).exists()
    };
    loop {
        let had_log = log();
        let source = open_untouched(path)?;
        // An empty name is a file that SQLite removes as soon as it has opened it.
        let mut target = Connection::open("")?;
        copy_pages(&source, &mut target, progress)?;
        // Without a log the file was read as one that nobody writes; somebody has begun to.
        if had_log || !log() {
            target.pragma_update(None, "cache_size", -64_000)?;
            return Ok(target);
        }
    }
}

type Check = fn(&WriteTx<'_>, &mut Findings) -> Result<()>;

const PAGES: &str = "pages of the file are damaged";

#[derive(Default)]
struct Findings {
    found: BTreeMap<(u8, &'static str), Finding>,
}

impl Findings {
    fn add(&mut self, check: &'static str, message: &'static str, repairable: bool, id: impl Into<String>) {
        let order = ORDER.iter().position(|known| *known == check).unwrap_or(ORDER.len()) as u8;
        let finding = self.found.entry((order, check)).or_insert_with(|| Finding {
            check,
            message,
            count: 0,
            ids: Vec::new(),
            repairable,
        });
        finding.count += 1;
        if finding.ids.len() < FINDING_IDS {
            finding.ids.push(id.into());
        }
    }

    /// Runs one check; damage that stops it is a finding, too.
    fn run(&mut self, check: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        match check(self) {
            Err(Error::Damaged { .. } | Error::NotAGraph { .. }) => {
                self.add("pages", PAGES, false, "a table cannot be read");
                Ok(())
            }
            Err(Error::Sqlite { .. } | Error::Corrupt { .. }) => {
                self.add("pages", PAGES, false, "a value cannot be read");
                Ok(())
            }
            outcome => outcome,
        }
    }

    fn done(self) -> Vec<Finding> {
        self.found.into_values().collect()
    }
}

/// The order in which findings are told: the gravest first.
const ORDER: [&str; 19] = [
    "pages",
    "dangling",
    "stray_rows",
    "duplicate_entities",
    "duplicate_relationships",
    "properties",
    "weights",
    "journal_sequence",
    "journal_rows",
    "journal_state",
    "undo_links",
    "name_keys",
    "alias_keys",
    "search_text",
    "row_numbers",
    "text_index",
    "counters",
    "entity_stats",
    "vectors",
];

fn pages(connection: &Connection, findings: &mut Findings) -> Result<()> {
    let mut statement = connection.prepare("PRAGMA integrity_check(100)")?;
    let mut rows = statement.query([])?;
    let mut lines = 0;
    while let Some(row) = rows.next()? {
        let line: String = row.get(0)?;
        // Told by checks of their own, with ids.
        let known = line == "ok"
            || line.to_ascii_lowercase().contains("fts5")
            || line.starts_with("CHECK constraint");
        if known {
            continue;
        }
        lines += 1;
        if lines <= REPORT_LINES {
            findings.add("pages", PAGES, false, line);
        }
    }
    Ok(())
}

fn dangling(tx: &WriteTx<'_>, findings: &mut Findings) -> Result<()> {
    let lists = [
        "SELECT id FROM relationships r WHERE NOT EXISTS (SELECT 1 FROM entities WHERE id = r.source_id)
            OR NOT EXISTS (SELECT 1 FROM entities WHERE id = r.target_id)",
        "SELECT id FROM observations o WHERE NOT EXISTS (SELECT 1 FROM entities WHERE id = o.entity_id)",
        "SELECT DISTINCT entity_id FROM aliases a WHERE NOT EXISTS (SELECT 1 FROM entities WHERE id = a.entity_id)",
    ];
    for sql in lists {
        each_text(tx, sql, |id| {
            findings.add("dangling", "rows that belong to an entity that is gone", false, id);
        })?;
    }
    let strays = "SELECT 'position of row ' || entity_rid FROM positions WHERE entity_rid NOT IN (SELECT rid FROM entities)";
    each_text(tx, strays, |id| {
        findings.add("stray_rows", "places of entities that are gone", true, id);
    })?;
    let twins = "SELECT min(id) FROM relationships NOT INDEXED
                 GROUP BY source_id, target_id, relationship_type HAVING count(*) > 1";
    each_text(tx, twins, |id| {
        findings.add("duplicate_relationships", "relationships that stand twice", false, id);
    })
}

fn entity_rows(tx: &WriteTx<'_>, findings: &mut Findings) -> Result<()> {
    let mut statement = tx.prepare(
        "SELECT id, name, entity_type, description, properties, name_key, search_name, search_body FROM entities NOT INDEXED",
    )?;
    let mut rows = statement.query([])?;
    let mut seen: HashSet<(String, String)> = HashSet::new();
    while let Some(row) = rows.next()? {
        let column = |at: usize| row.get::<_, String>(at);
        let (id, name, entity_type) = (column(0)?, column(1)?, column(2)?);
        let key = text::fold_key(&name);
        if column(5)? != key {
            findings.add("name_keys", "names whose key is not theirs", true, &id);
        }
        let body = entities::search_body_of(&entity_type, &column(3)?);
        if column(6)? != text::segment(&name) || column(7)? != body {
            findings.add("search_text", "objects whose search text is not that of their text", true, &id);
        }
        if !is_object(&column(4)?) {
            findings.add("properties", "objects whose properties are no JSON object", false, &id);
        }
        if !seen.insert((key, entity_type)) {
            let message = "entities with the name and type of another; merge or rename them";
            findings.add("duplicate_entities", message, false, id);
        }
    }
    let mut statement = tx.prepare("SELECT alias, alias_key, entity_id FROM aliases")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (alias, key): (String, String) = (row.get(0)?, row.get(1)?);
        if text::fold_key(&alias) != key {
            findings.add("alias_keys", "aliases whose key is not theirs", true, row.get::<_, String>(2)?);
        }
    }
    Ok(())
}

fn relationship_rows(tx: &WriteTx<'_>, findings: &mut Findings) -> Result<()> {
    let mut statement = tx.prepare(
        "SELECT r.id, r.weight, r.properties, s.rid IS NULL OR t.rid IS NULL OR (s.rid = r.source_rid AND t.rid = r.target_rid)
         FROM relationships r NOT INDEXED LEFT JOIN entities s ON s.id = r.source_id LEFT JOIN entities t ON t.id = r.target_id",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let id: String = row.get(0)?;
        let weight = match row.get_ref(1)? {
            rusqlite::types::ValueRef::Real(weight) => Some(weight),
            rusqlite::types::ValueRef::Integer(weight) => Some(weight as f64),
            _ => None,
        };
        if !weight.is_some_and(|weight| (0.0..=1.0).contains(&weight)) {
            findings.add("weights", "relationships whose weight is not within 0 and 1", false, &id);
        }
        if !is_object(&row.get::<_, String>(2)?) {
            findings.add("properties", "objects whose properties are no JSON object", false, &id);
        }
        if !row.get::<_, bool>(3)? {
            findings.add("row_numbers", "rows that name their entity by a wrong row number", true, &id);
        }
    }
    Ok(())
}

fn observation_rows(tx: &WriteTx<'_>, findings: &mut Findings) -> Result<()> {
    let mut statement = tx.prepare(
        "SELECT o.id, o.content, o.search_text, e.rid IS NULL OR e.rid = o.entity_rid
         FROM observations o NOT INDEXED LEFT JOIN entities e ON e.id = o.entity_id",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (id, content): (String, String) = (row.get(0)?, row.get(1)?);
        if row.get::<_, String>(2)? != text::segment(&content) {
            findings.add("search_text", "objects whose search text is not that of their text", true, &id);
        }
        if !row.get::<_, bool>(3)? {
            findings.add("row_numbers", "rows that name their entity by a wrong row number", true, &id);
        }
    }
    Ok(())
}

fn text_index(tx: &WriteTx<'_>, findings: &mut Findings) -> Result<()> {
    for index in ["entities_fts", "observations_fts"] {
        // With rank 1 the index is compared to the tables it indexes as well.
        let sql = format!("INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)");
        if tx.execute(&sql, []).is_err() {
            findings.add("text_index", "text indexes that do not match their table", true, index);
        }
    }
    Ok(())
}

/// Once a file has a model, every text has a vector of its length or wants one, and nothing else does.
fn vectors_of_texts(tx: &WriteTx<'_>, findings: &mut Findings) -> Result<()> {
    let Some(model) = vectors::model(&tx.as_read())? else { return Ok(()) };
    let mut tell = |message: &'static str, sql: &str| {
        each_text(tx, sql, |id| findings.add("vectors", message, true, id))
    };
    let texts = "(SELECT 0 AS kind, rid, id FROM entities UNION ALL SELECT 1, rid, id FROM observations) t";
    let message = "texts whose vectors are missing, wrong, or of what is gone";
    tell(
        message,
        &format!(
            "SELECT t.id FROM {texts} WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.kind = t.kind AND v.rid = t.rid)
             AND NOT EXISTS (SELECT 1 FROM vectors_wanted w WHERE w.kind = t.kind AND w.rid = t.rid)"
        ),
    )?;
    tell(
        message,
        &format!(
            "SELECT 'row ' || rid FROM vectors WHERE {} GROUP BY kind, rid",
            wrong_vectors(model.dimension)
        ),
    )
}

/// Vectors of rows that are gone, or of another length than the model's.
pub(crate) fn wrong_vectors(dimension: usize) -> String {
    format!(
        "NOT ({SOUND}) OR length(vector) <> {dimension} OR (kind = 0 AND rid NOT IN (SELECT rid FROM entities))
         OR (kind = 1 AND rid NOT IN (SELECT rid FROM observations)) OR kind NOT IN (0, 1)"
    )
}

fn counts(tx: &WriteTx<'_>, findings: &mut Findings) -> Result<()> {
    let wrong = format!(
        "SELECT coalesce(kept.kind, true_counts.kind) || CASE coalesce(kept.key, true_counts.key) WHEN '' THEN '' ELSE ' by type' END
         FROM (SELECT kind, key, n FROM counters WHERE n <> 0) kept
         FULL JOIN ({RECOUNT}) true_counts ON kept.kind = true_counts.kind AND kept.key = true_counts.key
         WHERE kept.n IS NOT true_counts.n"
    );
    each_text(tx, &wrong, |id| {
        findings.add("counters", "counters that differ from a recount", true, id);
    })?;
    // Two directions instead of a full join, which would look at every pair.
    let wrong = format!(
        "SELECT e.id FROM ({RECOUNT_STATS}) true_counts
         JOIN entities e ON e.rid = true_counts.rid
         LEFT JOIN entity_stats s ON s.entity_rid = true_counts.rid
         WHERE s.degree IS NOT true_counts.degree OR s.observations IS NOT true_counts.observations
         UNION ALL
         SELECT 'row ' || entity_rid FROM entity_stats WHERE entity_rid NOT IN (SELECT rid FROM entities)"
    );
    each_text(tx, &wrong, |id| {
        findings.add("entity_stats", "entities whose counts differ from a recount", true, id);
    })
}

pub(crate) const RECOUNT: &str = "
    SELECT 'entity' AS kind, '' AS key, count(*) AS n FROM entities HAVING n > 0
    UNION ALL SELECT 'entity', entity_type, count(*) FROM entities GROUP BY entity_type
    UNION ALL SELECT 'relationship', '', count(*) AS n FROM relationships HAVING n > 0
    UNION ALL SELECT 'relationship', relationship_type, count(*) FROM relationships GROUP BY relationship_type
    UNION ALL SELECT 'observation', '', count(*) AS n FROM observations HAVING n > 0
    UNION ALL SELECT 'without_description', '', count(*) AS n FROM entities WHERE description = '' HAVING n > 0";

pub(crate) const RECOUNT_STATS: &str = "
    SELECT e.rid AS rid, coalesce(d.n, 0) AS degree, coalesce(o.n, 0) AS observations FROM entities e
    LEFT JOIN (SELECT id, count(*) AS n FROM (
        SELECT source_id AS id FROM relationships
        UNION ALL SELECT target_id FROM relationships WHERE target_id <> source_id) GROUP BY id) d ON d.id = e.id
    LEFT JOIN (SELECT entity_id, count(*) AS n FROM observations GROUP BY entity_id) o ON o.entity_id = e.id";

/// The journal as a sequence, and its newest row of every object against the object itself.
fn journal_rows(tx: &WriteTx<'_>, findings: &mut Findings) -> Result<()> {
    let mut newest: HashMap<(String, String), i64> = HashMap::new();
    let mut transactions: HashSet<String> = HashSet::new();
    let (mut last, mut current) = (None, String::new());
    let mut statement = tx.prepare(
        "SELECT j.seq, ifnull(t.id, ''), j.object_kind, j.object_id, j.before, j.after,
            t.first_seq IS NULL OR j.seq NOT BETWEEN t.first_seq AND t.last_seq
         FROM journal j LEFT JOIN transactions t ON t.first_seq = j.first_seq ORDER BY j.seq",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (seq, transaction): (i64, String) = (row.get(0)?, row.get(1)?);
        let (kind, id): (String, String) = (row.get(2)?, row.get(3)?);
        let (before, after): (Option<String>, Option<String>) = (row.get(4)?, row.get(5)?);
        if last.is_some_and(|last: i64| seq != last + 1) || row.get::<_, bool>(6)? {
            let message = "places where rows of the journal are missing or transactions are torn";
            findings.add("journal_sequence", message, false, format!("before {seq}"));
        }
        last = Some(seq);
        if current != transaction {
            if !transactions.insert(transaction.clone()) {
                let message = "places where rows of the journal are missing or transactions are torn";
                findings.add("journal_sequence", message, false, format!("at {seq}"));
            }
            current = transaction;
        }
        let values = [&before, &after];
        let readable = values.into_iter().flatten().all(|value| is_object(value));
        let known = gm_model::ObjectKind::parse(&kind).is_some();
        if !readable || !known || (before.is_none() && after.is_none()) {
            findings.add("journal_rows", "rows of the journal that cannot be read", false, seq.to_string());
        }
        newest.insert((kind, id), seq);
    }
    drop(rows);
    let head = journal::head(&tx.as_read())?;
    if last.is_some_and(|last| last != head) {
        let message = "places where rows of the journal are missing or transactions are torn";
        findings.add("journal_sequence", message, false, format!("before {}", head + 1));
    }
    present_state(tx, newest, findings)
}

fn present_state(
    tx: &WriteTx<'_>,
    mut newest: HashMap<(String, String), i64>,
    findings: &mut Findings,
) -> Result<()> {
    const MESSAGE: &str = "objects that are not as the journal says";
    let read = tx.as_read();
    let mut after_of = tx.prepare("SELECT after FROM journal WHERE seq = ?1")?;
    let mut differs = |kind: &str, id: &str, present: Value| -> Result<bool> {
        // Older than the journal: nothing is said about it.
        let Some(seq) = newest.remove(&(kind.to_owned(), id.to_owned())) else { return Ok(false) };
        let after: Option<String> = after_of.query_row([seq], |row| row.get(0))?;
        let after = after.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        Ok(after.is_none_or(|after| !says_the_same(after, &present)))
    };
    let value = |object: serde_json::Result<Value>| object.unwrap_or(Value::Null);
    let mut wrong = Vec::new();
    let mut aliases: HashMap<String, Vec<Value>> = HashMap::new();
    let mut statement = tx.prepare("SELECT entity_id, alias FROM aliases ORDER BY entity_id, alias_key")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        aliases.entry(row.get(0)?).or_default().push(Value::String(row.get(1)?));
    }
    drop(rows);
    // An object that cannot be read is a finding of its own already.
    let told = |outcome: Result<()>| match outcome {
        Err(Error::Corrupt { .. }) => Ok(()),
        outcome => outcome,
    };
    told(entities::each(&read, |row| {
        let id = row.entity.id.to_string();
        let mut present = value(serde_json::to_value(&row.entity));
        if let Some(names) = aliases.remove(&id) {
            present["aliases"] = Value::Array(names);
        }
        if differs("entity", &id, present)? {
            wrong.push(id);
        }
        Ok(())
    }))?;
    told(crate::relationships::each(&read, |relationship| {
        let id = relationship.id.to_string();
        if differs("relationship", &id, value(serde_json::to_value(&relationship)))? {
            wrong.push(id);
        }
        Ok(())
    }))?;
    told(crate::observations::each(&read, |observation| {
        let id = observation.id.to_string();
        if differs("observation", &id, value(serde_json::to_value(&observation)))? {
            wrong.push(id);
        }
        Ok(())
    }))?;
    // What is left in the map does not live.
    for ((kind, id), seq) in newest {
        let gone = kind == "pin"
            || after_of.query_row([seq], |row| row.get::<_, Option<String>>(0))?.is_none()
            || exists(tx, &kind, &id)?;
        if !gone {
            wrong.push(id);
        }
    }
    wrong.sort();
    wrong.into_iter().for_each(|id| findings.add("journal_state", MESSAGE, false, id));
    Ok(())
}

/// Whether the journal's last word on an object describes what is stored. A place is told by the
/// journal only when the object comes back.
fn says_the_same(mut after: Value, present: &Value) -> bool {
    if let Some(map) = after.as_object_mut() {
        map.remove("position");
    }
    after == *present
}

fn exists(tx: &WriteTx<'_>, kind: &str, id: &str) -> Result<bool> {
    let table = match kind {
        "entity" => "entities",
        "relationship" => "relationships",
        _ => "observations",
    };
    Ok(tx
        .prepare_cached(&format!("SELECT count(*) > 0 FROM {table} WHERE id = ?1"))?
        .query_row([id], |row| row.get(0))?)
}

fn undo_links(tx: &WriteTx<'_>, findings: &mut Findings) -> Result<()> {
    // After trimming, old transactions are no longer known.
    if journal::tail(&tx.as_read())?.is_some_and(|tail| tail > 1) {
        return Ok(());
    }
    let unknown = "SELECT transaction_id FROM undo_links l
         WHERE NOT EXISTS (SELECT 1 FROM transactions WHERE id = l.transaction_id)
            OR NOT EXISTS (SELECT 1 FROM transactions WHERE id = l.undoes)";
    each_text(tx, unknown, |id| {
        findings.add("undo_links", "undo links to unknown transactions", false, id);
    })
}

fn each_text(tx: &WriteTx<'_>, sql: &str, mut visit: impl FnMut(String)) -> Result<()> {
    let mut statement = tx.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(row.get(0)?);
    }
    Ok(())
}

fn is_object(text: &str) -> bool {
    serde_json::from_str::<serde_json::Map<String, Value>>(text).is_ok()
}
