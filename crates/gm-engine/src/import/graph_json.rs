//! Our own export, and that of graph-mem 1.0: lists of entities, relationships, observations, all
//! with ids.

use std::collections::HashMap;

use gm_model::{EntityId, Observation, ObservationId, Properties, Relationship, RelationshipId};
use serde_json::{Map, Value};

use super::{
    End, Parsed, ParsedEntity, ParsedObservation, ParsedRelationship, Place, optional_string, string_field,
};
use crate::export::{self, ExportedEntity};
use crate::{Error, Result};

pub(super) fn parse(mut map: Map<String, Value>) -> Result<Parsed> {
    check_version(&map)?;
    let mut parsed = Parsed::default();
    let mut by_id: HashMap<String, usize> = HashMap::new();
    for (place, object) in records(&mut map, "entities", &mut parsed)? {
        match entity(&place, &object) {
            Ok(entity) => {
                if let Some(stored) = &entity.stored {
                    by_id.insert(stored.entity.id.to_string(), parsed.entities.len());
                }
                parsed.entities.push(entity);
            }
            Err(reason) => parsed.problems.push(place.problem(reason)),
        }
    }
    for (place, object) in records(&mut map, "relationships", &mut parsed)? {
        match relationship(&place, &object) {
            Ok(relationship) => parsed.relationships.push(relationship),
            Err(reason) => parsed.problems.push(place.problem(reason)),
        }
    }
    for (place, object) in records(&mut map, "observations", &mut parsed)? {
        match observation(&place, &object) {
            Ok((entity_id, observation)) => match by_id.get(&entity_id) {
                Some(&at) => parsed.entities[at].observations.push(observation),
                None => parsed.problems.push(place.problem("its `entity_id` is no entity of this file")),
            },
            Err(reason) => parsed.problems.push(place.problem(reason)),
        }
    }
    Ok(parsed)
}

fn check_version(map: &Map<String, Value>) -> Result<()> {
    match (map.get("format"), map.get("version")) {
        (Some(Value::String(format)), Some(version)) if format == export::FORMAT => {
            let version = version.as_u64().unwrap_or(u64::MAX);
            if version > u64::from(export::VERSION) {
                return Err(Error::ImportFormat(format!(
                    "it has export version {version}; this program reads up to {}",
                    export::VERSION
                )));
            }
            Ok(())
        }
        (Some(_), _) => Err(Error::ImportFormat("its `format` is not `graph-mem`".into())),
        // graph-mem 1.0 names its own program version.
        (None, Some(Value::String(version))) if version.starts_with("1.") => Ok(()),
        (None, Some(_)) => Err(Error::ImportFormat("its `version` is not one of graph-mem 1.x".into())),
        (None, None) => Ok(()),
    }
}

fn records(
    map: &mut Map<String, Value>,
    list: &'static str,
    parsed: &mut Parsed,
) -> Result<Vec<(Place, Map<String, Value>)>> {
    let Some(value) = map.remove(list) else { return Ok(Vec::new()) };
    let Value::Array(values) = value else {
        return Err(Error::ImportFormat(format!("its `{list}` is not a list")));
    };
    let mut found = Vec::with_capacity(values.len());
    for (i, value) in values.into_iter().enumerate() {
        let place = Place { list, number: i as u64 + 1, record: value.to_string() };
        match value {
            Value::Object(object) => found.push((place, object)),
            _ => parsed.problems.push(place.problem("a record must be an object")),
        }
    }
    Ok(found)
}

fn entity(place: &Place, object: &Map<String, Value>) -> Result<ParsedEntity, String> {
    let id = string_field(object, "id")?;
    let name = string_field(object, "name")?;
    let entity_type = string_field(object, "entity_type")?;
    let description = optional_string(object, "description")?;
    let properties = properties(object)?;
    let created_at = time(object, "created_at")?;
    let mut aliases = Vec::new();
    if let Some(list) = object.get("aliases") {
        let list = list.as_array().ok_or("`aliases` must be a list")?;
        for alias in list {
            aliases.push(alias.as_str().ok_or("`aliases` must hold text")?.to_owned());
        }
    }
    let pin = match object.get("pin") {
        None | Some(Value::Null) => None,
        Some(Value::Array(at)) => {
            match (at.first().and_then(Value::as_f64), at.get(1).and_then(Value::as_f64)) {
                (Some(x), Some(y)) => Some((x, y)),
                _ => return Err("`pin` must be two numbers".into()),
            }
        }
        Some(_) => return Err("`pin` must be two numbers".into()),
    };
    let stored = ExportedEntity {
        entity: gm_model::Entity {
            id: EntityId::from_string(id),
            name: name.clone(),
            entity_type: entity_type.clone(),
            description: description.clone(),
            properties: properties.clone(),
            created_at,
            updated_at: time(object, "updated_at")?,
        },
        aliases,
        pin,
    };
    Ok(ParsedEntity {
        at: place.clone(),
        stored: Some(stored),
        name,
        entity_type,
        description,
        properties,
        observations: Vec::new(),
    })
}

fn relationship(place: &Place, object: &Map<String, Value>) -> Result<ParsedRelationship, String> {
    let source_id = string_field(object, "source_id")?;
    let target_id = string_field(object, "target_id")?;
    let relationship_type = string_field(object, "relationship_type")?;
    let weight = match object.get("weight") {
        None | Some(Value::Null) => 1.0,
        Some(value) => value.as_f64().ok_or("`weight` must be a number")?,
    };
    let properties = properties(object)?;
    let stored = Relationship {
        id: RelationshipId::from_string(string_field(object, "id")?),
        source_id: EntityId::from_string(source_id.clone()),
        target_id: EntityId::from_string(target_id.clone()),
        relationship_type: relationship_type.clone(),
        weight,
        properties: properties.clone(),
        created_at: time(object, "created_at")?,
        updated_at: time(object, "updated_at")?,
    };
    Ok(ParsedRelationship {
        at: place.clone(),
        stored: Some(stored),
        source: End::Id(source_id),
        target: End::Id(target_id),
        relationship_type,
        weight,
        properties,
    })
}

fn observation(place: &Place, object: &Map<String, Value>) -> Result<(String, ParsedObservation), String> {
    let entity_id = string_field(object, "entity_id")?;
    let content = string_field(object, "content")?;
    let source = optional_string(object, "source")?;
    let stored = Observation {
        id: ObservationId::from_string(string_field(object, "id")?),
        entity_id: EntityId::from_string(entity_id.clone()),
        content: content.clone(),
        source: source.clone(),
        created_at: time(object, "created_at")?,
    };
    Ok((entity_id, ParsedObservation { at: place.clone(), stored: Some(stored), content, source }))
}

fn properties(object: &Map<String, Value>) -> Result<Properties, String> {
    match object.get("properties") {
        None | Some(Value::Null) => Ok(Properties::new()),
        Some(Value::Object(properties)) => Ok(properties.clone()),
        Some(_) => Err("`properties` must be an object".into()),
    }
}

fn time(object: &Map<String, Value>, field: &str) -> Result<f64, String> {
    let time = object.get(field).and_then(Value::as_f64);
    time.filter(|t| t.is_finite()).ok_or_else(|| format!("`{field}` must be a number of seconds"))
}
