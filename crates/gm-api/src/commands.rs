//! The list of commands and their handlers.

use std::path::{Path, PathBuf};

use gm_engine::entities::{EntityUpdate, NewEntity, Status};
use gm_engine::history::Since;
use gm_engine::import::{self, ImportOptions};
use gm_engine::undo::{self, OnConflict};
use gm_engine::{Applied, entities, export, history, observations, overview, sample, scene};
use gm_model::{Actor, ActorKind, Change, EntityId, ObjectKind, ObservationId, TransactionId, limits};
use gm_store::entities::EntityOrder;
use serde_json::{Value, json};

use crate::agents::*;
use crate::app::{App, Caller};
use crate::clients::*;
use crate::error::ApiError;
use crate::layout::{layout_frame, layout_order};
use crate::models::*;
use crate::picture::picture;
use crate::relationships::*;
use crate::scene_bytes;
use crate::search::*;
use crate::wire::*;

pub(crate) type Result<T, E = ApiError> = std::result::Result<T, E>;

/// What a command answers: JSON, or bytes where JSON would be slow.
#[derive(Debug)]
pub enum Reply {
    Json(String),
    Bytes(Vec<u8>),
}

macro_rules! commands {
    ($($name:ident: $request:ty => $reply:tt $(($only:ident))?,)*) => {
        pub(crate) fn dispatch(app: &App, caller: Caller, command: &str, arguments: Value) -> Result<Reply> {
            match command {
                $(stringify!($name) => {
                    $(commands!(@only $only, caller);)?
                    let request: $request = parse(arguments)?;
                    commands!(@reply $reply, $name(app, caller, request)?)
                })*
                _ => Err(ApiError::new("unknown_command", "there is no such command")),
            }
        }

        /// Names of all commands with the TypeScript of request and answer.
        pub(crate) fn command_types(config: &ts_rs::Config) -> Vec<(&'static str, String, String)> {
            use ts_rs::TS;
            vec![$((stringify!($name), <$request>::name(config), commands!(@type $reply, config)),)*]
        }
    };
    (@only window, $caller:ident) => {
        if $caller != Caller::Window {
            return Err(ApiError::new("window_only", "only the desktop window can do this"));
        }
    };
    (@reply bytes, $value:expr) => { Ok(Reply::Bytes($value)) };
    (@reply $reply:ty, $value:expr) => {{
        let value: $reply = $value;
        Ok(Reply::Json(serde_json::to_string(&value).expect("wire types are plain data")))
    }};
    (@type bytes, $config:ident) => { "ArrayBuffer".to_owned() };
    (@type $reply:ty, $config:ident) => { <$reply>::name($config) };
}

commands! {
    app_info: Nothing => AppInfo,
    list_graphs: Nothing => GraphList,
    create_graph: NameRequest => GraphSummary,
    open_sample: Nothing => GraphSummary,
    open_library: OpenLibrary => AppInfo (window),
    overview: GraphRef => Overview,
    scene: GraphRef => bytes,
    changes_since: ChangesRequest => SceneDelta,
    save_positions: SavePositions => Written,
    set_pin: SetPin => Written,
    list_entities: ListRequest => EntityPage,
    search: SearchRequest => SearchResults,
    related: RelatedRequest => RelatedList,
    meaning_status: GraphRef => MeaningStatus,
    pause_meaning: PauseMeaning => Nothing,
    switch_meaning: SwitchMeaning => Nothing,
    reembed: GraphRef => MeaningStatus,
    list_models: Nothing => ModelList,
    install_model: InstallModel => Nothing (window),
    use_model: NameRequest => Nothing (window),
    remove_model: NameRequest => Nothing (window),
    entity: DetailRequest => EntityDetail,
    add_entity: AddEntity => Written,
    update_entity: UpdateEntity => Written,
    delete_entities: IdsRequest => Written,
    add_observation: AddObservation => Written,
    update_observation: UpdateObservation => Written,
    delete_observations: IdsRequest => Written,
    relationship: ObjectRef => RelationshipDetail,
    add_relationship: AddRelationship => Written,
    update_relationship: UpdateRelationship => Written,
    reverse_relationship: ReverseRelationship => Written,
    delete_relationships: IdsRequest => Written,
    undo_state: GraphRef => UndoState,
    undo: TakeBackRequest => TakenBack,
    redo: TakeBackRequest => TakenBack,
    revert: RevertRequest => TakenBack,
    history: HistoryRequest => History,
    import_file: ImportFile => ImportReport (window),
    import_content: ImportContent => ImportReport,
    export_file: ExportFile => Exported (window),
    export_text: GraphRef => ExportText,
    list_agents: Nothing => AgentList,
    connect_agent: NameRequest => AgentConnection,
    revoke_agent: NameRequest => Written,
    list_clients: Nothing => ClientList (window),
    plan_client: ClientRequest => ClientPlan (window),
    attach_client: ClientRequest => ClientAttached (window),
    detach_client: NameRequest => ClientDetached (window),
    teach_client: TeachClient => ClientTaught (window),
    set_agent_rights: SetAgentRights => Nothing,
    pause_agent: PauseAgent => Nothing,
    recalls: RecallsRequest => RecallList,
    trash: GraphRef => TrashList,
    restore_from_trash: IdsRequest => Restored,
    empty_trash: EmptyTrash => Written,
    layout_order: LayoutOrder => Nothing,
    layout_frame: FrameRequest => bytes,
    picture: PictureRequest => bytes,
}

fn parse<T: serde::de::DeserializeOwned>(arguments: Value) -> Result<T> {
    let arguments = if arguments.is_null() { json!({}) } else { arguments };
    serde_json::from_value(arguments)
        .map_err(|error| ApiError::new("invalid_argument", without_values(&error.to_string())))
}

/// serde quotes the value it met, which may be memory text; what it expected is enough.
fn without_values(message: &str) -> String {
    let names_a_field = message.starts_with("missing field") || message.starts_with("unknown field");
    match message.rfind(", expected ") {
        _ if names_a_field => message.to_owned(),
        Some(at) => format!("an argument has the wrong form{}", &message[at..]),
        None => "the arguments do not fit this command".to_owned(),
    }
}

fn app_info(app: &App, caller: Caller, _: Nothing) -> Result<AppInfo> {
    let listener = app.listener();
    let folder = app.library().folder().to_owned();
    Ok(AppInfo {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        host: if caller == Caller::Window { "window" } else { "browser" }.to_owned(),
        is_home_library: folder == *app.home(),
        library: folder.to_string_lossy().into_owned(),
        mcp_url: listener.url,
        listener_problem: listener.problem,
        probe: std::env::var_os("GRAPHMEM_PROBE").is_some_and(|value| value == "1"),
        recent_libraries: app
            .state()
            .recents()?
            .into_iter()
            .map(|f| f.to_string_lossy().into_owned())
            .collect(),
    })
}

fn list_graphs(app: &App, _: Caller, _: Nothing) -> Result<GraphList> {
    Ok(GraphList { graphs: app.library().list()?.into_iter().map(summary).collect() })
}

fn summary(info: gm_engine::GraphInfo) -> GraphSummary {
    let counts = info.content.as_ref().copied().unwrap_or_default();
    GraphSummary {
        name: info.name,
        size_bytes: info.size_bytes,
        last_modified: info.last_modified,
        entities: counts.entities,
        relationships: counts.relationships,
        observations: counts.observations,
        problem: info.content.err(),
    }
}

fn summary_of(app: &App, name: &str) -> Result<GraphSummary> {
    let found = app.library().list()?.into_iter().find(|info| info.name == name);
    found.map(summary).ok_or_else(|| ApiError::new("not_found", format!("no graph `{name}` in this library")))
}

fn create_graph(app: &App, _: Caller, request: NameRequest) -> Result<GraphSummary> {
    let graph = app.library().create(request.name.trim())?;
    app.emit(&Event::GraphsChanged);
    summary_of(app, graph.name())
}

fn open_sample(app: &App, _: Caller, _: Nothing) -> Result<GraphSummary> {
    let library = app.library();
    let known = library.names()?;
    if !known.iter().any(|name| name == sample::SAMPLE_GRAPH) {
        sample::fill(&*library.create(sample::SAMPLE_GRAPH)?)?;
        app.emit(&Event::GraphsChanged);
    }
    summary_of(app, sample::SAMPLE_GRAPH)
}

fn open_library(app: &App, caller: Caller, request: OpenLibrary) -> Result<AppInfo> {
    let folder = PathBuf::from(&request.folder);
    if !folder.is_dir() {
        return Err(ApiError::new("not_found", "`folder` is no folder on this machine"));
    }
    // A project folder means the library inside it.
    let inner = folder.join(".graphmem");
    app.open_library(if inner.is_dir() { inner } else { folder })?;
    app_info(app, caller, Nothing {})
}

fn overview(app: &App, _: Caller, request: GraphRef) -> Result<Overview> {
    let graph = app.graph(&request.graph)?;
    let seen = graph.read(overview::overview)?;
    let types =
        |list: Vec<(String, u64)>| list.into_iter().map(|(name, count)| TypeCount { name, count }).collect();
    Ok(Overview {
        graph: graph.name().to_owned(),
        entities: seen.counts.entities,
        relationships: seen.counts.relationships,
        observations: seen.counts.observations,
        entity_types: types(seen.entity_types),
        relationship_types: types(seen.relationship_types),
        most_connected: seen
            .most_connected
            .into_iter()
            .map(|(name, entity_type, degree)| ConnectedEntity { name, entity_type, degree })
            .collect(),
        migration_note: migration_note(&graph.file().migrated),
    })
}

fn migration_note(migrated: &gm_store::Migrated) -> Option<String> {
    let backup = migrated.backup.as_ref()?.file_name()?.to_string_lossy().into_owned();
    let repaired = migrated.repaired.as_ref().filter(|report| !report.is_clean()).map(|report| {
        let mended = report.weights_mended.len() + report.names_mended.len() + report.properties_mended.len();
        let dropped = report.dangling_dropped.len() + report.relationships_merged.len();
        format!(" {mended} values were mended and {dropped} broken links left out.")
    });
    Some(format!(
        "This graph came from an older version. The file as it was is backups/{backup}.{}",
        repaired.unwrap_or_default()
    ))
}

fn scene(app: &App, _: Caller, request: GraphRef) -> Result<Vec<u8>> {
    let graph = app.graph(&request.graph)?;
    let scene = graph.read(scene::scene)?;
    Ok(scene_bytes::encode(graph.name(), &scene))
}

fn changes_since(app: &App, _: Caller, request: ChangesRequest) -> Result<SceneDelta> {
    let graph = app.graph(&request.graph)?;
    let since = graph.read(|tx| history::since(tx, request.seq))?;
    Ok(match since {
        Since::Reload => SceneDelta { seq: request.seq, reload: true, batches: Vec::new() },
        Since::Changes { changes, seq } => SceneDelta { seq, reload: false, batches: batches(&changes) },
    })
}

fn batches(changes: &[Change]) -> Vec<SceneBatch> {
    let by_transaction = changes.chunk_by(|a, b| a.transaction == b.transaction);
    by_transaction
        .map(|rows| {
            let mut touched: Vec<String> = rows.iter().flat_map(touched_entities).collect();
            touched.sort();
            touched.dedup();
            SceneBatch {
                by: attribution(&rows[0].actor, rows[0].time),
                operation: rows[0].operation.clone(),
                ops: rows.iter().filter_map(scene_op).collect(),
                touched,
            }
        })
        .collect()
}

fn scene_op(change: &Change) -> Option<SceneOp> {
    let id = change.object_id.clone();
    let text = |value: &Value, field: &str| value[field].as_str().unwrap_or_default().to_owned();
    match (change.kind, &change.after) {
        (ObjectKind::Entity, Some(after)) => {
            let position = &after["position"];
            Some(SceneOp::Node {
                node: SceneNode {
                    id,
                    name: text(after, "name"),
                    entity_type: text(after, "entity_type"),
                    x: position[0].as_f64(),
                    y: position[1].as_f64(),
                    pinned: position[2].as_bool(),
                },
            })
        }
        (ObjectKind::Entity, None) => Some(SceneOp::NodeRemoved { id }),
        (ObjectKind::Relationship, Some(after)) => Some(SceneOp::Edge {
            edge: SceneEdge {
                id,
                source: text(after, "source_id"),
                target: text(after, "target_id"),
                relationship_type: text(after, "relationship_type"),
                weight: after["weight"].as_f64().unwrap_or(1.0),
            },
        }),
        (ObjectKind::Relationship, None) => Some(SceneOp::EdgeRemoved { id }),
        (ObjectKind::Pin, after) => {
            let at = |axis| after.as_ref().and_then(|pin| pin[axis].as_f64());
            Some(SceneOp::Pin { id, x: at("x"), y: at("y") })
        }
        (ObjectKind::Observation, _) => None,
    }
}

fn touched_entities(change: &Change) -> Vec<String> {
    let value = change.after.as_ref().or(change.before.as_ref());
    let field = |name: &str| value.and_then(|v| v[name].as_str()).map(str::to_owned);
    match change.kind {
        ObjectKind::Entity | ObjectKind::Pin => vec![change.object_id.clone()],
        ObjectKind::Observation => field("entity_id").into_iter().collect(),
        ObjectKind::Relationship => field("source_id").into_iter().chain(field("target_id")).collect(),
    }
}

pub(crate) fn attribution(actor: &Actor, time: f64) -> Attribution {
    let is_agent = actor.kind == ActorKind::Agent;
    let name = if is_agent { actor.name.clone() } else { actor.to_string() };
    Attribution { actor: name, is_agent, client: actor.client.clone(), time }
}

fn save_positions(app: &App, caller: Caller, request: SavePositions) -> Result<Written> {
    if request.xy.len() != request.ids.len() * 2 || request.xy.iter().any(|v| !v.is_finite()) {
        return Err(ApiError::new("invalid_argument", "`xy` must hold two finite numbers for every id"));
    }
    let applied = app.graph(&request.graph)?.transact(&app.actor(caller), "save_positions", |tx| {
        for (id, at) in request.ids.iter().zip(request.xy.chunks_exact(2)) {
            tx.save_position(&EntityId::from_string(id.clone()), at[0], at[1])?;
        }
        Ok(())
    })?;
    Ok(written(None, "updated", &applied))
}

fn set_pin(app: &App, caller: Caller, request: SetPin) -> Result<Written> {
    if request.at.is_some_and(|(x, y)| !x.is_finite() || !y.is_finite()) {
        return Err(ApiError::new("invalid_argument", "`at` must be two finite numbers"));
    }
    let id = EntityId::from_string(request.id);
    let operation = if request.at.is_some() { "pin" } else { "unpin" };
    let applied = app.graph(&request.graph)?.transact(&app.actor(caller), operation, |tx| {
        entities::require(tx.read(), &id)?;
        tx.set_pin(&id, request.at)
    })?;
    Ok(written(Some(id.into_string()), "updated", &applied))
}

fn list_entities(app: &App, _: Caller, request: ListRequest) -> Result<EntityPage> {
    let order = match request.order.as_deref() {
        None | Some("name") => EntityOrder::Name,
        Some("updated") => EntityOrder::Updated,
        Some(_) => return Err(ApiError::new("invalid_argument", "`order` must be `name` or `updated`")),
    };
    let (rows, total) = app.graph(&request.graph)?.read(|tx| {
        entities::list(
            tx,
            request.entity_type.as_deref(),
            request.name_contains.as_deref(),
            order,
            request.limit,
            request.offset,
        )
    })?;
    let rows = rows
        .into_iter()
        .map(|row| EntityRow {
            id: row.entity.id.into_string(),
            name: row.entity.name,
            entity_type: row.entity.entity_type,
            updated_at: row.entity.updated_at,
        })
        .collect();
    Ok(EntityPage { rows, total })
}

fn entity(app: &App, _: Caller, request: DetailRequest) -> Result<EntityDetail> {
    let id = EntityId::from_string(request.id);
    let nested = request.nested.unwrap_or(limits::MAX_NESTED_ITEMS).clamp(1, limits::MAX_SHOWN_NESTED_ITEMS);
    let (detail, last_change) = app.graph(&request.graph)?.read(|tx| {
        let row = entities::require(tx, &id)?;
        Ok((entities::detail(tx, row, nested)?, entities::last_change(tx, &id)?))
    })?;
    let relations = detail
        .relationships
        .into_iter()
        .map(|named| {
            let outgoing = named.relationship.source_id == id;
            let other_id = entities::other_end(&named.relationship, &id).to_string();
            let (other_name, other_type) = if outgoing {
                (named.target_name, named.target_type)
            } else {
                (named.source_name, named.source_type)
            };
            Relation {
                id: named.relationship.id.into_string(),
                relationship_type: named.relationship.relationship_type,
                direction: if outgoing { "outgoing" } else { "incoming" }.to_owned(),
                weight: named.relationship.weight,
                properties: named.relationship.properties,
                other_id,
                other_name,
                other_type,
            }
        })
        .collect();
    Ok(EntityDetail {
        entity: wire_entity(detail.entity),
        aliases: detail.aliases,
        observations: detail
            .observations
            .into_iter()
            .map(|o| Observation {
                id: o.id.into_string(),
                content: o.content,
                source: o.source,
                created_at: o.created_at,
            })
            .collect(),
        observation_count: detail.observation_count,
        relations,
        relation_count: detail.relationship_count,
        last_change: last_change.map(|(actor, time)| attribution(&actor, time)),
    })
}

fn wire_entity(entity: gm_model::Entity) -> Entity {
    Entity {
        id: entity.id.into_string(),
        name: entity.name,
        entity_type: entity.entity_type,
        description: entity.description,
        properties: entity.properties,
        created_at: entity.created_at,
        updated_at: entity.updated_at,
    }
}

fn add_entity(app: &App, caller: Caller, request: AddEntity) -> Result<Written> {
    let new = NewEntity {
        name: request.name,
        entity_type: request.entity_type,
        description: request.description,
        properties: Default::default(),
        observations: request.observations,
    };
    let applied = app.graph(&request.graph)?.transact(&app.actor(caller), "add_entity", |tx| {
        let added = entities::add(tx, "", &new, "")?;
        if let (Some(at), Status::Created) = (request.at, added.status) {
            tx.set_pin(&added.id, Some(at))?;
        }
        Ok(added)
    })?;
    Ok(written(Some(applied.value.id.to_string()), applied.value.status.as_str(), &applied))
}

fn update_entity(app: &App, caller: Caller, request: UpdateEntity) -> Result<Written> {
    let id = EntityId::from_string(request.id);
    let update = EntityUpdate {
        name: request.name,
        entity_type: request.entity_type,
        description: request.description,
        properties: request.properties,
    };
    let mut current = None;
    let outcome = app.graph(&request.graph)?.transact(&app.actor(caller), "update_entity", |tx| {
        let row = entities::require(tx.read(), &id)?;
        if request.seen_updated_at.is_some_and(|seen| seen != row.entity.updated_at) {
            current = Some(row.entity);
            return Err(gm_engine::Error::argument("seen_updated_at", "is not the entity's any more"));
        }
        entities::update(tx, &id, &update)
    });
    if let Some(entity) = current {
        let mut error = ApiError::new("changed_meanwhile", "it was changed while you were editing");
        error.details = json!(wire_entity(entity));
        return Err(error);
    }
    let applied = outcome?;
    Ok(written(Some(id.into_string()), "updated", &applied))
}

fn delete_entities(app: &App, caller: Caller, request: IdsRequest) -> Result<Written> {
    let ids: Vec<EntityId> = request.ids.into_iter().map(EntityId::from_string).collect();
    let graph = app.graph(&request.graph)?;
    let applied = graph.transact(&app.actor(caller), "delete_entities", |tx| entities::delete(tx, &ids))?;
    Ok(written(None, "deleted", &applied))
}

fn add_observation(app: &App, caller: Caller, request: AddObservation) -> Result<Written> {
    let entity = EntityId::from_string(request.entity_id);
    let applied = app.graph(&request.graph)?.transact(&app.actor(caller), "add_observation", |tx| {
        entities::require(tx.read(), &entity)?;
        observations::add(tx, "content", &entity, &request.content, "")
    })?;
    let (observation, status) = &applied.value;
    Ok(written(Some(observation.id.to_string()), status.as_str(), &applied))
}

fn update_observation(app: &App, caller: Caller, request: UpdateObservation) -> Result<Written> {
    let id = ObservationId::from_string(request.id);
    let applied = app.graph(&request.graph)?.transact(&app.actor(caller), "update_observation", |tx| {
        observations::update(tx, &id, &request.content)
    })?;
    Ok(written(Some(id.into_string()), "updated", &applied))
}

fn delete_observations(app: &App, caller: Caller, request: IdsRequest) -> Result<Written> {
    let ids: Vec<ObservationId> = request.ids.into_iter().map(ObservationId::from_string).collect();
    let graph = app.graph(&request.graph)?;
    let applied =
        graph.transact(&app.actor(caller), "delete_observations", |tx| observations::delete(tx, &ids))?;
    Ok(written(None, "deleted", &applied))
}

pub(crate) fn written<T>(id: Option<String>, status: &str, applied: &Applied<T>) -> Written {
    Written { id, status: status.to_owned(), changes: applied.changes }
}

fn undo_state(app: &App, caller: Caller, request: GraphRef) -> Result<UndoState> {
    let state = undo::state(&*app.graph(&request.graph)?, &app.actor(caller))?;
    Ok(UndoState { undo: state.undo, redo: state.redo })
}

fn undo(app: &App, caller: Caller, request: TakeBackRequest) -> Result<TakenBack> {
    let graph = app.graph(&request.graph)?;
    Ok(taken_back(undo::undo(&graph, &app.actor(caller), on_conflict(request.partial))?))
}

fn redo(app: &App, caller: Caller, request: TakeBackRequest) -> Result<TakenBack> {
    let graph = app.graph(&request.graph)?;
    Ok(taken_back(undo::redo(&graph, &app.actor(caller), on_conflict(request.partial))?))
}

fn revert(app: &App, caller: Caller, request: RevertRequest) -> Result<TakenBack> {
    let graph = app.graph(&request.graph)?;
    let transaction = TransactionId::from_string(request.transaction);
    Ok(taken_back(undo::revert(&graph, &app.actor(caller), &transaction, on_conflict(request.partial))?))
}

fn on_conflict(partial: Option<bool>) -> OnConflict {
    if partial == Some(true) { OnConflict::TakeBackRest } else { OnConflict::Refuse }
}

fn taken_back(applied: Applied<undo::TakenBack>) -> TakenBack {
    TakenBack {
        operation: applied.value.operation,
        changes: applied.changes,
        left: applied.value.conflicts.len() as u64,
    }
}

/// Entities named per entry of the history.
const SUBJECTS: usize = 3;

fn history(app: &App, _: Caller, request: HistoryRequest) -> Result<History> {
    let entries = app.graph(&request.graph)?.read(|tx| {
        let rows = history::transactions(tx, request.before, request.limit)?;
        let mut entries = Vec::with_capacity(rows.len());
        for row in rows {
            let (subject_ids, subjects) = history::subjects(tx, &row, SUBJECTS)?.into_iter().unzip();
            entries.push(HistoryEntry {
                transaction: row.transaction.into_string(),
                first_seq: row.first_seq,
                by: attribution(&row.actor, row.time),
                operation: row.operation,
                changes: row.changes,
                subjects,
                subject_ids,
                undone: row.undone_by.is_some(),
            });
        }
        Ok(entries)
    })?;
    Ok(History { entries })
}

fn import_file(app: &App, caller: Caller, request: ImportFile) -> Result<ImportReport> {
    let path = PathBuf::from(&request.path);
    let bytes = match import::read_source(&path)? {
        import::Source::Database => return import_database(app, &path, request.dry_run),
        import::Source::Text(bytes) => bytes,
    };
    let options = ImportOptions { skip_invalid: request.skip_invalid, dry_run: request.dry_run };
    import_bytes(app, caller, &request.graph, &bytes, options)
}

fn import_content(app: &App, caller: Caller, request: ImportContent) -> Result<ImportReport> {
    let options = ImportOptions { skip_invalid: request.skip_invalid, dry_run: request.dry_run };
    import_bytes(app, caller, &request.graph, request.content.as_bytes(), options)
}

/// A refused import is an answer here, not a failure: the window shows its report.
fn import_bytes(
    app: &App,
    _: Caller,
    graph: &str,
    bytes: &[u8],
    options: ImportOptions,
) -> Result<ImportReport> {
    let graph = app.graph(graph)?;
    let report = match import::import(&graph, &Actor::import(), bytes, options) {
        Ok(report) => report,
        Err(gm_engine::Error::Import(report)) => *report,
        Err(error) => return Err(error.into()),
    };
    Ok(wire_report(graph.name(), report))
}

fn wire_report(graph: &str, report: import::ImportReport) -> ImportReport {
    let tally = |t: import::Tally| Tally { new: t.new, changed: t.changed, unchanged: t.unchanged };
    ImportReport {
        graph: graph.to_owned(),
        format: match report.format {
            import::ImportFormat::ServerMemory => "server_memory",
            import::ImportFormat::GraphMem => "graph_mem",
        }
        .to_owned(),
        entities: tally(report.entities),
        relationships: tally(report.relationships),
        observations: tally(report.observations),
        problem_count: report.problem_count,
        problems: report
            .problems
            .into_iter()
            .take(limits::MAX_SHOWN_PROBLEMS)
            .map(|p| ImportProblem { line: p.line, place: p.place.to_owned(), reason: p.reason })
            .collect(),
        applied: report.applied,
    }
}

/// A database becomes a graph of its own: copied into the library, then migrated there. The
/// source stays as it is.
fn import_database(app: &App, path: &Path, dry_run: bool) -> Result<ImportReport> {
    let library = app.library();
    let import::SeenDatabase { graph, counts, is_known } = import::look_at_database(&library, path)?;
    if !dry_run && !is_known {
        import::adopt_database(&library, path, &graph)?;
        app.emit(&Event::GraphsChanged);
    }
    let new = |n| match is_known {
        true => Tally { new: 0, changed: 0, unchanged: n },
        false => Tally { new: n, changed: 0, unchanged: 0 },
    };
    Ok(ImportReport {
        graph,
        format: "database".into(),
        entities: new(counts.entities),
        relationships: new(counts.relationships),
        observations: new(counts.observations),
        problem_count: 0,
        problems: Vec::new(),
        applied: !dry_run,
    })
}

fn export_file(app: &App, _: Caller, request: ExportFile) -> Result<Exported> {
    let graph = app.graph(&request.graph)?;
    let content = graph.read(export::export)?;
    export::write_file(Path::new(&request.path), &export::to_json(&content))?;
    Ok(Exported {
        path: request.path,
        entities: content.entities.len() as u64,
        relationships: content.relationships.len() as u64,
        observations: content.observations.len() as u64,
    })
}

fn export_text(app: &App, _: Caller, request: GraphRef) -> Result<ExportText> {
    let graph = app.graph(&request.graph)?;
    let content = graph.read(export::export)?;
    Ok(ExportText { file_name: format!("{}.json", graph.name()), content: export::to_json(&content) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_arguments_do_not_repeat_values() {
        let refused =
            parse::<SavePositions>(json!({ "graph": "g", "ids": "a secret, expected nowhere", "xy": [] }))
                .unwrap_err();
        assert!(
            !refused.message.contains("secret") && refused.message.contains("expected a sequence"),
            "{refused:?}"
        );
        let refused = parse::<GraphRef>(json!({})).unwrap_err();
        assert!(refused.message.contains("missing field `graph`"));
    }
}
