//! Commands that search, and those about the model by which meaning is found.

use gm_engine::embed::ModelState;
use gm_engine::meaning::{self, Unmeant};
use gm_engine::search::SearchQuery;
use gm_engine::{Graph, entities};
use gm_model::EntityId;

use crate::app::{App, Caller};
use crate::commands::Result;
use crate::wire::*;

pub(crate) fn search(app: &App, _: Caller, request: SearchRequest) -> Result<SearchResults> {
    let query = SearchQuery {
        text: request.query,
        limit: request.limit,
        entity_types: request.entity_types.unwrap_or_default(),
        as_typed: true,
        ..SearchQuery::default()
    };
    let found = app.graph(&request.graph)?.search(&query)?;
    let hits = found
        .hits
        .into_iter()
        .map(|hit| SearchHit {
            id: hit.row.entity.id.into_string(),
            name: hit.row.entity.name,
            entity_type: hit.row.entity.entity_type,
            description: hit.row.entity.description,
            relevance_score: hit.relevance_score,
            matched_observation: hit.observations.into_iter().next().map(|o| o.content).unwrap_or_default(),
            matched_words: hit.matched_words,
            similarity: hit.evidence.similarity,
            is_near: hit.evidence.vector_rank.is_some(),
        })
        .collect();
    let is_soon = |unmeant: &Unmeant| {
        matches!(unmeant, Unmeant::ModelLoading | Unmeant::ModelLate | Unmeant::NoVectors)
    };
    let is_loading = found.unmeant.as_ref().is_some_and(is_soon);
    let words_only = found.unmeant.map(|unmeant| unmeant.reason().to_owned());
    Ok(SearchResults { hits, words_only, is_loading, pending: found.pending })
}

pub(crate) fn related(app: &App, _: Caller, request: RelatedRequest) -> Result<RelatedList> {
    let (graph, id) = (app.graph(&request.graph)?, EntityId::from_string(request.id));
    let (found, unmeant) = graph.suggest_connections(|tx| entities::require(tx, &id), request.limit)?;
    let (similar, _) = graph.similar(&id, request.limit as usize)?;
    let likeness = |id: &EntityId| similar.iter().find(|s| s.row.entity.id == *id).map(|s| s.similarity);
    let related = found
        .into_iter()
        .map(|found| Related {
            likeness: likeness(&found.row.entity.id),
            id: found.row.entity.id.into_string(),
            name: found.row.entity.name,
            entity_type: found.row.entity.entity_type,
            already_connected: found.already_connected,
            score: found.score,
        })
        .collect();
    let words_only = unmeant.map(|unmeant| unmeant.reason().to_owned());
    Ok(RelatedList { related, pending: graph.pending_vectors()?, words_only })
}

pub(crate) fn meaning_status(app: &App, _: Caller, request: GraphRef) -> Result<MeaningStatus> {
    let graph = app.graph(&request.graph)?;
    told_meaning(&graph)
}

fn told_meaning(graph: &Graph) -> Result<MeaningStatus> {
    let status = graph.meaning_status()?;
    let (state, problem) = match status.state {
        ModelState::Off => ("off", None),
        ModelState::Missing(problem) => ("missing", Some(problem)),
        ModelState::Idle => ("idle", None),
        ModelState::Loading => ("loading", None),
        ModelState::Ready => ("ready", None),
    };
    Ok(MeaningStatus {
        state: state.to_owned(),
        problem,
        model: status.model.ok().map(|model| model.id),
        other_model: status.file_model.filter(|_| status.is_other_model).map(|model| model.id),
        is_paused: status.is_paused,
        texts: status.texts,
        pending: status.progress.wanted - status.progress.failed,
        failed: status.progress.failed,
    })
}

pub(crate) fn pause_meaning(app: &App, _: Caller, request: PauseMeaning) -> Result<Nothing> {
    meaning::pause(app.state(), request.paused)?;
    Ok(Nothing {})
}

/// Every program follows within a few seconds.
pub(crate) fn switch_meaning(app: &App, _: Caller, request: SwitchMeaning) -> Result<Nothing> {
    meaning::switch(app.state(), request.on)?;
    Ok(Nothing {})
}

/// Begins the vectors of a graph anew with this program's model; they are made in the background.
pub(crate) fn reembed(app: &App, _: Caller, request: GraphRef) -> Result<MeaningStatus> {
    let graph = app.graph(&request.graph)?;
    graph.begin_vectors_anew()?;
    told_meaning(&graph)
}
