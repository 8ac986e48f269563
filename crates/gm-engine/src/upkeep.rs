//! Looking after a graph: its health, an audit of its content, what might be linked.

use std::collections::{HashMap, HashSet};

use gm_model::{EntityId, limits, text};
use gm_store::entities::EntityRow;
use gm_store::search::TextIndex;
use gm_store::{ReadTx, counters, entities, relationships};

use crate::entities::other_end;
use crate::graph::{Counts, Graph, counts};
use crate::meaning::Unmeant;
use crate::meaning::index::VectorIndex;
use crate::search::Evidence;
use crate::search::query::TextQuery;
use crate::{Result, search};

/// Entities told as hotspots.
const HOTSPOTS: u32 = 5;
/// Names told of entities without description.
const MISSING_NAMES: u32 = 10;
/// Observations on one entity above which compacting is suggested.
const MANY_OBSERVATIONS: u64 = 50;
/// Entities one audit looks at.
const AUDIT_SCAN: u32 = 20_000;
/// Names told per finding.
const FINDING_NAMES: usize = 30;
/// Words of an entity by which others like it are looked for; those of its name come first.
const SUGGESTION_WORDS: usize = 32;
/// How much of an entity's words another must say to be proposed though it is not near in meaning.
const LEAST_COVERAGE: f64 = 0.2;
/// Checks an entity passes or fails in the quality score.
const AUDIT_CHECKS: usize = 4;

#[derive(Debug, Clone, PartialEq)]
pub struct Health {
    pub counts: Counts,
    pub entity_types: Vec<(String, u64)>,
    /// Name, type, observations.
    pub observation_hotspots: Vec<(String, String, u64)>,
    pub missing_descriptions: Vec<String>,
    pub missing_description_count: u64,
    pub suggested_actions: Vec<String>,
}

/// A graph's state in a few numbers, at a cost that does not grow with it.
pub fn health(tx: &ReadTx<'_>) -> Result<Health> {
    let counts = counts(tx)?;
    let observation_hotspots = counters::most_observed(tx, HOTSPOTS)?;
    let missing_description_count = counters::count(tx, "without_description", "")?;
    let mut suggested_actions = Vec::new();
    if counts.entities == 0 {
        suggested_actions
            .push("The graph is empty: add what is worth remembering with add_entities.".to_owned());
    }
    if missing_description_count > 0 {
        suggested_actions.push(format!(
            "Describe the {missing_description_count} entities without a description (update_entity)."
        ));
    }
    for (name, _, n) in observation_hotspots.iter().filter(|(_, _, n)| *n > MANY_OBSERVATIONS) {
        suggested_actions.push(format!("Condense the {n} observations of `{name}` (compact_observations)."));
    }
    if counts.entities > 1 && counts.relationships == 0 {
        suggested_actions
            .push("Link entities with add_relationships; suggest_connections finds candidates.".to_owned());
    }
    Ok(Health {
        counts,
        entity_types: counters::by_type(tx, "entity", 10)?,
        observation_hotspots,
        missing_descriptions: entities::without_description(tx, MISSING_NAMES)?,
        missing_description_count,
        suggested_actions,
    })
}

/// How many entities something was found of, and the first of their names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Finding {
    pub count: u64,
    pub names: Vec<String>,
}

impl Finding {
    fn add(&mut self, name: &str) {
        self.count += 1;
        if self.names.len() < FINDING_NAMES {
            self.names.push(name.to_owned());
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Audit {
    pub counts: Counts,
    pub scanned: u64,
    pub scan_truncated: bool,
    pub disconnected: Finding,
    pub missing_descriptions: Finding,
    pub missing_observations: Finding,
    pub missing_properties: Finding,
    pub weakly_connected: Finding,
    /// Entities whose names differ only in case, spaces or punctuation, or only in type.
    pub duplicate_candidates: Finding,
    /// 0 to 100: the share of passed checks.
    pub quality_score: f64,
}

/// Looks at entities one by one, oldest first, up to a bound that is told.
///
/// `tell` hears how many of how many were looked at; its error ends the audit.
pub fn audit(tx: &ReadTx<'_>, tell: &mut dyn FnMut(u64, u64) -> Result<()>) -> Result<Audit> {
    let rows = entities::audit_rows(tx, AUDIT_SCAN)?;
    let counts = counts(tx)?;
    let mut audit = Audit {
        counts,
        scanned: rows.len() as u64,
        scan_truncated: counts.entities > rows.len() as u64,
        ..Audit::default()
    };
    let mut by_letters: HashMap<String, Vec<usize>> = HashMap::new();
    for (i, row) in rows.iter().enumerate() {
        tell(i as u64, rows.len() as u64)?;
        let findings = [
            (row.degree == 0, &mut audit.disconnected),
            (!row.has_description, &mut audit.missing_descriptions),
            (row.observations == 0, &mut audit.missing_observations),
            (!row.has_properties, &mut audit.missing_properties),
            (row.degree == 1, &mut audit.weakly_connected),
        ];
        for (_, finding) in findings.into_iter().filter(|(found, _)| *found) {
            finding.add(&row.name);
        }
        let letters: String = row.name_key.chars().filter(|c| c.is_alphanumeric()).collect();
        // Names of symbols alone (`C++`, `++`) would all look alike.
        if letters.chars().count() > 2 {
            by_letters.entry(letters).or_default().push(i);
        }
    }
    let mut alike: Vec<usize> = by_letters.into_values().filter(|group| group.len() > 1).flatten().collect();
    alike.sort_unstable();
    alike.into_iter().for_each(|i| audit.duplicate_candidates.add(&rows[i].name));
    let failed = audit.disconnected.count
        + audit.missing_descriptions.count
        + audit.missing_observations.count
        + audit.missing_properties.count;
    let checks = (rows.len() * AUDIT_CHECKS).max(1) as f64;
    audit.quality_score = ((1.0 - failed as f64 / checks) * 1000.0).round() / 10.0;
    Ok(audit)
}

impl Audit {
    /// The audit as a few lines of text.
    pub fn report(&self) -> String {
        let mut lines = vec![format!(
            "{} entities, {} relationships, {} observations. Quality {:.1} of 100.",
            self.counts.entities, self.counts.relationships, self.counts.observations, self.quality_score
        )];
        if self.scan_truncated {
            lines.push(format!("Only the oldest {} entities were looked at.", self.scanned));
        }
        let findings = [
            ("without any relationship", &self.disconnected),
            ("with a single relationship", &self.weakly_connected),
            ("without description", &self.missing_descriptions),
            ("without observations", &self.missing_observations),
            ("without properties", &self.missing_properties),
            ("that may be duplicates", &self.duplicate_candidates),
        ];
        for (what, finding) in findings.into_iter().filter(|(_, finding)| finding.count > 0) {
            let more = if finding.count as usize > finding.names.len() { ", …" } else { "" };
            lines.push(format!("{} {what}: {}{more}", finding.count, finding.names.join(", ")));
        }
        lines.join("\n")
    }
}

/// An entity that may belong with another.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    pub row: EntityRow,
    pub already_connected: bool,
    /// From 0 to 1.
    pub score: f64,
    pub evidence: Evidence,
    /// Words of the one that stand in the texts of this one, as the index holds them.
    pub matched_words: Vec<String>,
}

impl Graph {
    /// Entities whose texts are near those of one, by words and by meaning, and whether they are linked
    /// to it already; and why meaning did not count, if it did not.
    pub fn suggest_connections(
        &self,
        find: impl Fn(&ReadTx<'_>) -> Result<EntityRow>,
        limit: u32,
    ) -> Result<(Vec<Suggestion>, Option<Unmeant>)> {
        let ((found, by_meaning), unmeant) = self
            .with_vectors(|tx, index| suggest_connections(tx, Some(index), &find(tx)?, limit))?
            .with_unmeant(|| self.read(|tx| suggest_connections(tx, None, &find(tx)?, limit)))?;
        let unmeant = match unmeant {
            None if !by_meaning => Some(self.stalled()?.unwrap_or(Unmeant::Pending)),
            unmeant => unmeant,
        };
        Ok((found, unmeant))
    }
}

/// And whether meaning counted.
fn suggest_connections(
    tx: &ReadTx<'_>,
    index: Option<&VectorIndex>,
    row: &EntityRow,
    limit: u32,
) -> Result<(Vec<Suggestion>, bool)> {
    let id = &row.entity.id;
    // One that was just written is compared by its words until its vector is there.
    let index = index.filter(|index| index.vector(TextIndex::Entities, row.rid).is_some());
    let linked: HashSet<EntityId> =
        relationships::touching(tx, id)?.iter().map(|r| other_end(r, id).clone()).collect();
    let mut words = text::query_terms(&format!("{} {}", row.entity.name, row.entity.description));
    for observation in gm_store::observations::of_entity(tx, id, limits::MAX_NESTED_ITEMS)? {
        words.extend(text::query_terms(&observation.content));
    }
    words.retain(|term| matches!(term, text::QueryTerm::Word(word) if word.chars().count() > 2));
    let mut words = TextQuery::of_terms(words);
    words.terms.truncate(SUGGESTION_WORDS);
    let limit = limit.clamp(1, limits::MAX_SEARCH_LIMIT) as usize;
    let wanted = limit * 2 + linked.len().min(200) + 1;
    let mut found = Vec::with_capacity(limit);
    let ranked = search::related(tx, index, row, &words, wanted)?;
    // Where meaning counts, what is neither near nor shares much is noise.
    let is_near = |of: &Evidence| of.vector_rank.is_some() || of.coverage > Some(LEAST_COVERAGE);
    let ranked = ranked.into_iter().filter(|(.., of)| index.is_none() || is_near(of));
    for (rid, score, evidence) in ranked.take(limit) {
        if let Some(row) = search::entity_in(tx, rid)? {
            let already_connected = linked.contains(&row.entity.id);
            let texts = [&row.entity.name, &row.entity.description];
            let matched_words = words.matched_in(texts.into_iter().map(String::as_str));
            found.push(Suggestion { row, already_connected, score, evidence, matched_words });
        }
    }
    Ok((found, index.is_some()))
}
