//! A parsed file onto a graph, in one transaction that is undone if anything was bad.

use std::collections::{HashMap, HashSet};

use gm_model::{
    Actor, Entity, EntityId, Observation, ObservationId, Relationship, RelationshipId, limits, text,
};
use gm_store::{entities, observations, relationships};

use super::{
    End, ImportFormat, ImportOptions, ImportReport, Parsed, ParsedEntity, ParsedObservation,
    ParsedRelationship, Problem, Tally,
};
use crate::entities::{check_properties, merged};
use crate::graph::Graph;
use crate::relationships::{NewRelationship, check_weight, put};
use crate::transact::{EntityRecord, Tx};
use crate::{Error, Result};

pub(super) fn apply(
    graph: &Graph,
    actor: &Actor,
    format: ImportFormat,
    parsed: Parsed,
    options: ImportOptions,
) -> Result<ImportReport> {
    let mut report = ImportReport {
        format,
        entities: Tally::default(),
        relationships: Tally::default(),
        observations: Tally::default(),
        problem_count: 0,
        problems: parsed.problems,
        applied: false,
        transaction: None,
    };
    let (entities, relationships) = (parsed.entities, parsed.relationships);
    let n_unreadable = report.problems.len();
    let outcome = graph.transact(actor, "import", |tx| {
        // The work may begin anew; what it has counted begins anew with it.
        report.problems.truncate(n_unreadable);
        (report.entities, report.relationships, report.observations) = Default::default();
        let mut known = Known::default();
        for entity in &entities {
            put_entity(tx, entity, &mut known, &mut report)?;
        }
        for relationship in &relationships {
            put_relationship(tx, relationship, &known, &mut report)?;
        }
        let refused = !report.problems.is_empty() && !options.skip_invalid;
        // Leaving through an error is what undoes the transaction.
        if refused || options.dry_run { Err(Error::NothingTo("import")) } else { Ok(()) }
    });
    report.problem_count = report.problems.len() as u64;
    report.problems.sort_by_key(|problem| (problem.place, problem.line));
    match outcome {
        Ok(applied) => {
            report.applied = true;
            report.transaction = (applied.changes > 0).then(|| applied.transaction.to_string());
            Ok(report)
        }
        Err(Error::NothingTo("import")) if options.dry_run => Ok(report),
        Err(Error::NothingTo("import")) => Err(Error::Import(Box::new(report))),
        Err(error) => Err(error),
    }
}

/// Which entities of the graph the file's names and ids mean.
#[derive(Default)]
struct Known {
    by_name: HashMap<String, EntityId>,
    by_key: HashMap<String, EntityId>,
    by_file_id: HashMap<String, EntityId>,
    /// Observations this import stored: a file with ids may hold the same text twice on purpose.
    created: HashSet<ObservationId>,
}

impl Known {
    /// Exact spelling first, then without case, first in the file first.
    fn by_name(&self, name: &str) -> Option<&EntityId> {
        let name = text::nfc(name.trim());
        self.by_name.get(&name).or_else(|| self.by_key.get(&text::fold_key(&name)))
    }
}

fn put_entity(
    tx: &Tx<'_>,
    parsed: &ParsedEntity,
    known: &mut Known,
    report: &mut ImportReport,
) -> Result<()> {
    let checked = check_entity(parsed).and_then(|checked| {
        check_stored(parsed)?;
        let id = parsed.stored.as_ref().map(|stored| stored.entity.id.to_string());
        match id.filter(|id| known.by_file_id.contains_key(id)) {
            Some(_) => Err(Error::argument("id", "stands on an earlier record of this file too")),
            None => Ok(checked),
        }
    });
    let checked = match checked {
        Ok(checked) => checked,
        Err(error) => {
            report.problems.push(record_problem(&parsed.at, &error)?);
            return Ok(());
        }
    };
    let (name, entity_type) = checked;
    let existing = existing_entity(tx, parsed, &name, &entity_type)?;
    let id = match existing {
        Some(row) => {
            let before = tx.record_of(row.entity)?;
            let mut after = match merged(&before, "", &parsed.description, &parsed.properties, tx.now()) {
                Ok(after) => after,
                Err(error) => {
                    report.problems.push(record_problem(&parsed.at, &error)?);
                    return Ok(());
                }
            };
            // The same entity under another name: renamed in the file since.
            if parsed.stored.as_ref().is_some_and(|stored| stored.entity.id == after.entity.id)
                && after.entity.name != name
            {
                let key = text::fold_key(&name);
                let holder = entities::by_key_and_type(tx.read(), &key, &after.entity.entity_type)?;
                if holder.is_some_and(|holder| holder.entity.id != after.entity.id) {
                    report.problems.push(parsed.at.problem("`name` is another entity's in this graph"));
                    return Ok(());
                }
                after.entity.name = name.clone();
                after.entity.updated_at = tx.now();
            }
            for alias in parsed.stored.iter().flat_map(|stored| &stored.aliases) {
                if !after.aliases.contains(alias) {
                    after.aliases.push(alias.clone());
                }
            }
            count(&mut report.entities, before != after);
            tx.update_entity(&before, &after)?;
            after.entity.id
        }
        None => {
            let record = new_record(tx, parsed, &name, &entity_type);
            tx.create_entity(&record)?;
            report.entities.new += 1;
            if let Some(pin) = parsed.stored.as_ref().and_then(|stored| stored.pin) {
                tx.set_pin(&record.entity.id, Some(pin))?;
            }
            record.entity.id
        }
    };
    known.by_name.entry(name.clone()).or_insert_with(|| id.clone());
    known.by_key.entry(text::fold_key(&name)).or_insert_with(|| id.clone());
    if let Some(stored) = &parsed.stored {
        known.by_file_id.insert(stored.entity.id.to_string(), id.clone());
    }
    for observation in &parsed.observations {
        put_observation(tx, observation, &id, known, report)?;
    }
    Ok(())
}

/// The same record is the same id, or else the same name and type.
fn existing_entity(
    tx: &Tx<'_>,
    parsed: &ParsedEntity,
    name: &str,
    entity_type: &str,
) -> Result<Option<entities::EntityRow>> {
    if let Some(stored) = &parsed.stored
        && let Some(row) = entities::by_id(tx.read(), &stored.entity.id)?
    {
        return Ok(Some(row));
    }
    Ok(entities::by_key_and_type(tx.read(), &text::fold_key(name), entity_type)?)
}

fn check_entity(parsed: &ParsedEntity) -> Result<(String, String)> {
    let name = text::name("name", &parsed.name)?;
    let entity_type = text::type_name("entity_type", &parsed.entity_type)?;
    text::description("description", &parsed.description)?;
    check_properties("properties", &parsed.properties)?;
    for (i, observation) in parsed.observations.iter().enumerate() {
        // In a file with ids an observation is a record of its own and is checked there.
        if observation.stored.is_none() {
            text::observation(&format!("observations[{i}]"), &observation.content)?;
        }
    }
    Ok((name, entity_type))
}

/// What only files with ids bring.
fn check_stored(parsed: &ParsedEntity) -> Result<()> {
    let Some(stored) = &parsed.stored else { return Ok(()) };
    check_id_and_times(stored.entity.id.as_str(), [stored.entity.created_at, stored.entity.updated_at])?;
    for (i, alias) in stored.aliases.iter().enumerate() {
        text::name(&format!("aliases[{i}]"), alias)?;
    }
    match stored.pin {
        Some((x, y)) if !x.is_finite() || !y.is_finite() => {
            Err(Error::argument("pin", "must be two finite numbers"))
        }
        _ => Ok(()),
    }
}

/// The year 5138: later times are not times.
const MAX_TIME: f64 = 1.0e11;

fn check_id_and_times(id: &str, times: [f64; 2]) -> Result<()> {
    let plain = id.chars().all(|c| c.is_ascii_graphic());
    if id.is_empty() || id.len() > limits::MAX_ID_CHARS || !plain {
        return Err(Error::argument("id", "must be 1 to 64 plain characters"));
    }
    if times.iter().any(|time| !(0.0..=MAX_TIME).contains(time)) {
        return Err(Error::argument("created_at", "must be seconds since 1970"));
    }
    Ok(())
}

fn new_record(tx: &Tx<'_>, parsed: &ParsedEntity, name: &str, entity_type: &str) -> EntityRecord {
    match &parsed.stored {
        Some(stored) => EntityRecord {
            entity: Entity {
                name: name.to_owned(),
                entity_type: entity_type.to_owned(),
                ..stored.entity.clone()
            },
            aliases: stored.aliases.clone(),
            position: None,
        },
        None => Entity {
            id: EntityId::generate(),
            name: name.to_owned(),
            entity_type: entity_type.to_owned(),
            description: parsed.description.clone(),
            properties: parsed.properties.clone(),
            created_at: tx.now(),
            updated_at: tx.now(),
        }
        .into(),
    }
}

fn put_observation(
    tx: &Tx<'_>,
    parsed: &ParsedObservation,
    entity: &EntityId,
    known: &mut Known,
    report: &mut ImportReport,
) -> Result<()> {
    let checked = text::observation("content", &parsed.content).map_err(Error::from).and_then(|content| {
        if let Some(stored) = &parsed.stored {
            check_id_and_times(stored.id.as_str(), [stored.created_at, stored.created_at])?;
        }
        Ok((content, text::source("source", &parsed.source)?))
    });
    let (content, source) = match checked {
        Ok(checked) => checked,
        Err(invalid) => {
            report.problems.push(parsed.at.problem(invalid.to_string()));
            return Ok(());
        }
    };
    let stored_id = parsed.stored.as_ref().map(|stored| &stored.id);
    let by_id = match stored_id {
        Some(id) => observations::by_id(tx.read(), id)?,
        None => None,
    };
    let twin = observations::with_content(tx.read(), entity, &content)?;
    let twin_counts = twin.is_some_and(|twin| parsed.stored.is_none() || !known.created.contains(&twin.id));
    if let Some(before) = &by_id {
        if known.created.contains(&before.id) {
            report.problems.push(parsed.at.problem("`id` stands on an earlier record of this file too"));
            return Ok(());
        }
        if before.entity_id == *entity {
            // The same statement, perhaps reworded since: the file is what the person wants.
            let after = Observation { content, source, ..before.clone() };
            count(&mut report.observations, after != *before);
            tx.update_observation(before, &after)?;
            return Ok(());
        }
    }
    if twin_counts {
        report.observations.unchanged += 1;
        return Ok(());
    }
    let observation = Observation {
        // An id that is another entity's here names another statement.
        id: stored_id.filter(|_| by_id.is_none()).cloned().unwrap_or_else(ObservationId::generate),
        entity_id: entity.clone(),
        content,
        source,
        created_at: parsed.stored.as_ref().map_or(tx.now(), |stored| stored.created_at),
    };
    tx.create_observation(&observation)?;
    known.created.insert(observation.id);
    report.observations.new += 1;
    Ok(())
}

fn put_relationship(
    tx: &Tx<'_>,
    parsed: &ParsedRelationship,
    known: &Known,
    report: &mut ImportReport,
) -> Result<()> {
    let ends = [(&parsed.source, "source"), (&parsed.target, "target")].map(|(end, side)| {
        let found = match end {
            End::Name(name) => {
                known.by_name(name).cloned().map_or_else(|| in_graph(tx, name), |id| Ok(Some(id)))
            }
            End::Id(id) => Ok(known.by_file_id.get(id).cloned()),
        };
        found.map(|id| id.ok_or(side))
    });
    let [source, target] = ends;
    let (source, target) = match (source?, target?) {
        (Ok(source), Ok(target)) => (source, target),
        (Err(side), _) | (_, Err(side)) => {
            report.problems.push(parsed.at.problem(format!("its {side} is no entity of this file or graph")));
            return Ok(());
        }
    };
    let outcome = store_relationship(tx, parsed, source, target);
    match outcome {
        Ok(Outcome::New) => report.relationships.new += 1,
        Ok(Outcome::Existing { changed }) => count(&mut report.relationships, changed),
        Err(error) => report.problems.push(record_problem(&parsed.at, &error)?),
    }
    Ok(())
}

enum Outcome {
    New,
    Existing { changed: bool },
}

fn store_relationship(
    tx: &Tx<'_>,
    parsed: &ParsedRelationship,
    source: EntityId,
    target: EntityId,
) -> Result<Outcome> {
    let relationship_type = text::type_name("relationship_type", &parsed.relationship_type)?;
    if let Some(stored) = &parsed.stored {
        check_id_and_times(stored.id.as_str(), [stored.created_at, stored.updated_at])?;
    }
    check_weight("weight", parsed.weight)?;
    check_properties("properties", &parsed.properties)?;
    let existing = relationships::by_ends(tx.read(), &source, &target, &relationship_type)?;
    if let (None, Some(stored)) = (&existing, &parsed.stored) {
        let taken = relationships::by_id(tx.read(), &stored.id)?.is_some();
        let id = if taken { RelationshipId::generate() } else { stored.id.clone() };
        let relationship =
            Relationship { id, source_id: source, target_id: target, relationship_type, ..stored.clone() };
        tx.create_relationship(&relationship)?;
        return Ok(Outcome::New);
    }
    let new = NewRelationship {
        source_id: source,
        target_id: target,
        relationship_type,
        weight: parsed.weight,
        properties: parsed.properties.clone(),
    };
    let (after, _) = put(tx, "", &new)?;
    Ok(match existing {
        Some(before) => Outcome::Existing { changed: before != after },
        None => Outcome::New,
    })
}

/// A relation may name an entity that only the graph has.
fn in_graph(tx: &Tx<'_>, name: &str) -> Result<Option<EntityId>> {
    let rows = entities::by_key(tx.read(), &text::fold_key(name))?;
    Ok(rows.into_iter().next().map(|row| row.entity.id))
}

/// A bad record becomes a line of the report; a failing store stays an error.
fn record_problem(at: &super::Place, error: &Error) -> Result<Problem> {
    match error {
        Error::Invalid(_) | Error::Argument { .. } | Error::Collision { .. } => {
            Ok(at.problem(error.to_string()))
        }
        Error::Store(gm_store::Error::Conflict) => Ok(at.problem("it clashes with another record")),
        _ => Err(Error::ImportFormat("the graph could not take it".into())),
    }
}

fn count(tally: &mut Tally, changed: bool) {
    if changed {
        tally.changed += 1;
    } else {
        tally.unchanged += 1;
    }
}
