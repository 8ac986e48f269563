//! Requests, answers and events as they travel. Engine types may change freely: they are not
//! these.

use gm_model::Properties;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// No arguments.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Names a graph.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct GraphRef {
    pub graph: String,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NameRequest {
    pub name: String,
}

/// Names objects of a graph by id.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct IdsRequest {
    pub graph: String,
    pub ids: Vec<String>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct EntityRef {
    pub graph: String,
    pub id: String,
}

/// The program, its library and its listener.
#[derive(Debug, Clone, Serialize, TS)]
pub struct AppInfo {
    pub version: String,
    /// `window` or `browser`.
    pub host: String,
    pub library: String,
    pub is_home_library: bool,
    /// Where agents attach; absent while nothing listens.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp_url: Option<String>,
    /// Why nothing listens.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listener_problem: Option<String>,
    pub recent_libraries: Vec<String>,
    /// Whether tests may look into the picture (`GRAPHMEM_PROBE=1`).
    pub probe: bool,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct GraphSummary {
    pub name: String,
    pub size_bytes: u64,
    pub last_modified: f64,
    pub entities: u64,
    pub relationships: u64,
    pub observations: u64,
    /// Why the file cannot be read.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct GraphList {
    pub graphs: Vec<GraphSummary>,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct TypeCount {
    pub name: String,
    pub count: u64,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct ConnectedEntity {
    pub name: String,
    pub entity_type: String,
    pub degree: u64,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct Overview {
    pub graph: String,
    pub entities: u64,
    pub relationships: u64,
    pub observations: u64,
    pub entity_types: Vec<TypeCount>,
    pub relationship_types: Vec<TypeCount>,
    pub most_connected: Vec<ConnectedEntity>,
    /// What opening an older file changed, in one sentence.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub migration_note: Option<String>,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct Entity {
    pub id: String,
    pub name: String,
    pub entity_type: String,
    pub description: String,
    #[ts(type = "Record<string, unknown>")]
    pub properties: Properties,
    pub created_at: f64,
    pub updated_at: f64,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct Observation {
    pub id: String,
    pub content: String,
    pub source: String,
    pub created_at: f64,
}

/// An edge seen from one of its ends.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Relation {
    pub id: String,
    pub relationship_type: String,
    /// `outgoing` or `incoming`.
    pub direction: String,
    pub weight: f64,
    #[ts(type = "Record<string, unknown>")]
    pub properties: Properties,
    pub other_id: String,
    pub other_name: String,
    pub other_type: String,
}

/// One object of a graph, by its id.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ObjectRef {
    pub graph: String,
    pub id: String,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct RelationshipEnd {
    pub id: String,
    pub name: String,
    pub entity_type: String,
}

/// A relationship by itself, with what it links.
#[derive(Debug, Clone, Serialize, TS)]
pub struct RelationshipDetail {
    pub id: String,
    pub relationship_type: String,
    /// Strength, 0 to 1.
    pub weight: f64,
    #[ts(type = "Record<string, unknown>")]
    pub properties: Properties,
    pub source: RelationshipEnd,
    pub target: RelationshipEnd,
    pub created_at: f64,
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_change: Option<Attribution>,
}

/// Who wrote, and when.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Attribution {
    /// `person`, `cli`, `import`, or the agent's name.
    pub actor: String,
    pub is_agent: bool,
    pub client: String,
    pub time: f64,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct EntityDetail {
    pub entity: Entity,
    pub aliases: Vec<String>,
    pub observations: Vec<Observation>,
    pub observation_count: u64,
    pub relations: Vec<Relation>,
    pub relation_count: u64,
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_change: Option<Attribution>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct DetailRequest {
    pub graph: String,
    pub id: String,
    /// Observations and relations wanted; 50 if left out.
    #[serde(default)]
    #[ts(optional)]
    pub nested: Option<u32>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ListRequest {
    pub graph: String,
    #[serde(default)]
    #[ts(optional)]
    pub entity_type: Option<String>,
    /// Only names that contain this, without case.
    #[serde(default)]
    #[ts(optional)]
    pub name_contains: Option<String>,
    /// `name` or `updated`.
    #[serde(default)]
    #[ts(optional)]
    pub order: Option<String>,
    pub limit: u32,
    pub offset: u32,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct EntityRow {
    pub id: String,
    pub name: String,
    pub entity_type: String,
    pub updated_at: f64,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct EntityPage {
    pub rows: Vec<EntityRow>,
    pub total: u64,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    pub graph: String,
    pub query: String,
    pub limit: u32,
    #[serde(default)]
    #[ts(optional)]
    pub entity_types: Option<Vec<String>>,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct SearchHit {
    pub id: String,
    pub name: String,
    pub entity_type: String,
    pub description: String,
    pub relevance_score: f64,
    /// The observation that matched best; empty when the name or description did.
    pub matched_observation: String,
    /// Words of the query that stand in its texts.
    pub matched_words: Vec<String>,
    /// The cosine of the query and its nearest text, if meaning counted.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// Whether it is among the nearest, rather than found by its words alone.
    pub is_near: bool,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct SearchResults {
    pub hits: Vec<SearchHit>,
    /// Why meaning did not count, for people; absent if it did.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words_only: Option<String>,
    /// Whether the same question says more in a moment: the model is being loaded or busy, or the first vectors
    /// are being made.
    pub is_loading: bool,
    /// Texts whose vectors are still to come: the same question may find more then.
    #[ts(type = "number")]
    pub pending: u64,
}

/// An entity that may belong with another, or be the same.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Related {
    pub id: String,
    pub name: String,
    pub entity_type: String,
    pub already_connected: bool,
    /// From 0 to 1.
    pub score: f64,
    /// The cosine of the two entities' own texts, for those nearest in meaning.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likeness: Option<f64>,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct RelatedList {
    pub related: Vec<Related>,
    /// Texts whose vectors are still to come.
    #[ts(type = "number")]
    pub pending: u64,
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words_only: Option<String>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RelatedRequest {
    pub graph: String,
    pub id: String,
    pub limit: u32,
}

/// Search by meaning: the model, and how far a graph's vectors are.
#[derive(Debug, Clone, Serialize, TS)]
pub struct MeaningStatus {
    /// `off`, `missing`, `idle`, `loading` or `ready`.
    pub state: String,
    /// What is missing, and what to do.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The model of the graph's vectors, where it is another.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_model: Option<String>,
    pub is_paused: bool,
    #[ts(type = "number")]
    pub texts: u64,
    /// Texts without a vector, those that failed not among them.
    #[ts(type = "number")]
    pub pending: u64,
    #[ts(type = "number")]
    pub failed: u64,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SwitchMeaning {
    pub on: bool,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct PauseMeaning {
    pub paused: bool,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct AddEntity {
    pub graph: String,
    pub name: String,
    pub entity_type: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub observations: Vec<String>,
    /// Where to put and pin the node, when the person pointed at a place.
    #[serde(default)]
    #[ts(optional)]
    pub at: Option<(f64, f64)>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct UpdateEntity {
    pub graph: String,
    pub id: String,
    #[serde(default)]
    #[ts(optional)]
    pub name: Option<String>,
    #[serde(default)]
    #[ts(optional)]
    pub entity_type: Option<String>,
    #[serde(default)]
    #[ts(optional)]
    pub description: Option<String>,
    /// Merged key by key; null deletes a key.
    #[serde(default)]
    #[ts(optional, type = "Record<string, unknown>")]
    pub properties: Option<Properties>,
    /// The `updated_at` the person saw: if the entity changed since, nothing is written and the
    /// answer is `changed_meanwhile` with the entity as it is now.
    #[serde(default)]
    #[ts(optional)]
    pub seen_updated_at: Option<f64>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct AddObservation {
    pub graph: String,
    pub entity_id: String,
    pub content: String,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct UpdateObservation {
    pub graph: String,
    pub id: String,
    pub content: String,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct AddRelationship {
    pub graph: String,
    pub source_id: String,
    pub target_id: String,
    pub relationship_type: String,
    pub weight: f64,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct UpdateRelationship {
    pub graph: String,
    pub id: String,
    #[serde(default)]
    #[ts(optional)]
    pub relationship_type: Option<String>,
    #[serde(default)]
    #[ts(optional)]
    pub weight: Option<f64>,
    #[serde(default)]
    #[ts(optional, type = "Record<string, unknown>")]
    pub properties: Option<Properties>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ReverseRelationship {
    pub graph: String,
    pub id: String,
    /// What else is to be changed with it.
    #[serde(default)]
    #[ts(optional)]
    pub relationship_type: Option<String>,
    #[serde(default)]
    #[ts(optional)]
    pub weight: Option<f64>,
}

/// What a write did.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Written {
    /// The object written, if it is one.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `created`, `merged`, `updated` or `deleted`.
    pub status: String,
    /// Objects that changed; 0 when there was nothing to do.
    pub changes: u64,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct TakeBackRequest {
    pub graph: String,
    /// Take back what can be, and report the rest, instead of refusing.
    #[serde(default)]
    #[ts(optional)]
    pub partial: Option<bool>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RevertRequest {
    pub graph: String,
    pub transaction: String,
    #[serde(default)]
    #[ts(optional)]
    pub partial: Option<bool>,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct TakenBack {
    /// The verb that was taken back, such as `add_entity`.
    pub operation: String,
    pub changes: u64,
    /// Objects that stayed because they were changed since.
    pub left: u64,
}

/// The verbs undo and redo would act on, for menus.
#[derive(Debug, Clone, Serialize, TS)]
pub struct UndoState {
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redo: Option<String>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct HistoryRequest {
    pub graph: String,
    /// Continue below this sequence number.
    #[serde(default)]
    #[ts(optional)]
    pub before: Option<i64>,
    pub limit: u32,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct HistoryEntry {
    pub transaction: String,
    pub first_seq: i64,
    pub by: Attribution,
    pub operation: String,
    pub changes: u64,
    /// Names of the first entities it touched, as they were then.
    pub subjects: Vec<String>,
    /// Ids of those entities.
    pub subject_ids: Vec<String>,
    pub undone: bool,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct History {
    pub entries: Vec<HistoryEntry>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ChangesRequest {
    pub graph: String,
    /// The journal position the picture shows.
    pub seq: i64,
}

/// A node of the picture.
#[derive(Debug, Clone, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SceneNode {
    pub id: String,
    pub name: String,
    pub entity_type: String,
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pinned: Option<bool>,
}

/// An edge of the picture.
#[derive(Debug, Clone, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SceneEdge {
    pub id: String,
    pub source: String,
    pub target: String,
    pub relationship_type: String,
    pub weight: f64,
}

/// One change to a picture.
#[derive(Debug, Clone, Serialize, TS)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum SceneOp {
    Node {
        node: SceneNode,
    },
    NodeRemoved {
        id: String,
    },
    Edge {
        edge: SceneEdge,
    },
    EdgeRemoved {
        id: String,
    },
    /// Null when the node was let go.
    Pin {
        id: String,
        x: Option<f64>,
        y: Option<f64>,
    },
}

/// What one transaction did to the picture.
#[derive(Debug, Clone, Serialize, TS)]
pub struct SceneBatch {
    pub by: Attribution,
    pub operation: String,
    pub ops: Vec<SceneOp>,
    /// Entities whose panel is out of date, those of changed observations included.
    pub touched: Vec<String>,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct SceneDelta {
    /// The journal position the batches lead to.
    pub seq: i64,
    /// The picture must be loaded anew.
    pub reload: bool,
    pub batches: Vec<SceneBatch>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SavePositions {
    pub graph: String,
    pub ids: Vec<String>,
    /// x0, y0, x1, y1, …
    pub xy: Vec<f64>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SetPin {
    pub graph: String,
    pub id: String,
    /// Null lets the node go.
    pub at: Option<(f64, f64)>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ImportFile {
    pub graph: String,
    pub path: String,
    #[serde(default)]
    pub skip_invalid: bool,
    #[serde(default)]
    pub dry_run: bool,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ImportContent {
    pub graph: String,
    pub content: String,
    #[serde(default)]
    pub skip_invalid: bool,
    #[serde(default)]
    pub dry_run: bool,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct Tally {
    pub new: u64,
    pub changed: u64,
    pub unchanged: u64,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct ImportProblem {
    pub line: u64,
    /// What `line` counts: `line`, or the list, such as `relationships`.
    pub place: String,
    pub reason: String,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct ImportReport {
    /// The graph it went to: a database becomes a graph of its own.
    pub graph: String,
    /// `server_memory`, `graph_mem` or `database`.
    pub format: String,
    pub entities: Tally,
    pub relationships: Tally,
    pub observations: Tally,
    pub problem_count: u64,
    pub problems: Vec<ImportProblem>,
    /// Whether the graph was changed. False: a rehearsal, or refused because of the problems.
    pub applied: bool,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ExportFile {
    pub graph: String,
    pub path: String,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct Exported {
    pub path: String,
    pub entities: u64,
    pub relationships: u64,
    pub observations: u64,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct ExportText {
    pub file_name: String,
    pub content: String,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct Agent {
    pub name: String,
    /// Whether it has a token; without, it only comes as a process of its own.
    pub has_token: bool,
    /// What it may do; everything where the person said nothing.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rights: Option<AgentRights>,
    /// Its writes wait until the person lets them go on.
    pub is_paused: bool,
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<f64>,
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_seen: Option<f64>,
    /// Its clients at work, the last seen first.
    pub sessions: Vec<AgentSession>,
}

#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct AgentRights {
    pub write: bool,
    pub delete: bool,
    /// What it deletes passes by the trash.
    pub delete_for_good: bool,
    /// Graphs it may use; empty means all.
    pub graphs: Vec<String>,
}

/// One client of an agent, in one process.
#[derive(Debug, Clone, Serialize, TS)]
pub struct AgentSession {
    pub client: String,
    /// `stdio` or `http`.
    pub transport: String,
    /// Whether it works in the library that is open here.
    pub is_here: bool,
    /// The graph it used last.
    pub graph: String,
    pub connected_at: f64,
    pub last_seen: f64,
    pub reads: u64,
    pub writes: u64,
    /// In the last minute.
    pub reads_minute: u64,
    pub writes_minute: u64,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct AgentList {
    pub agents: Vec<Agent>,
    pub all_paused: bool,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SetAgentRights {
    pub name: String,
    pub rights: AgentRights,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct PauseAgent {
    /// All agents if left out.
    #[ts(optional)]
    pub name: Option<String>,
    pub paused: bool,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RecallsRequest {
    #[ts(optional)]
    pub agent: Option<String>,
    #[ts(optional)]
    pub graph: Option<String>,
    /// Only questions that told of this entity.
    #[ts(optional)]
    pub entity: Option<String>,
    /// Only questions before this one, by its id.
    #[ts(optional)]
    pub before: Option<i64>,
    #[ts(optional)]
    pub limit: Option<u32>,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct RecalledEntity {
    pub id: String,
    /// Its name now; absent if it is gone or elsewhere.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A question of an agent, and what it was told.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Recall {
    pub id: i64,
    pub time: f64,
    pub agent: String,
    pub client: String,
    /// Whether it was asked of the library that is open here.
    pub is_here: bool,
    pub graph: String,
    pub tool: String,
    pub query: String,
    /// The best first, fifty at most; `hits` is how many there were.
    pub found: Vec<RecalledEntity>,
    pub hits: u64,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct RecallList {
    pub recalls: Vec<Recall>,
}

/// One thing that was deleted and can be had back.
#[derive(Debug, Clone, Serialize, TS)]
pub struct TrashEntry {
    pub id: String,
    /// `entity`, `relationship` or `observation`.
    pub kind: String,
    /// An entity's name, what an observation said, a relationship's type.
    pub label: String,
    /// An entity's type; for others what they belong to.
    pub detail: String,
    /// What went with an entity.
    pub observations: u64,
    pub relationships: u64,
    pub by: Attribution,
    /// When it goes for good.
    pub expires_at: f64,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct TrashList {
    pub entries: Vec<TrashEntry>,
    pub total: u64,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct Restored {
    pub entities: u64,
    pub observations: u64,
    pub relationships: u64,
    /// What hung on them and stays in the trash, since its other end is not there.
    pub left: u64,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct EmptyTrash {
    pub graph: String,
    /// All if left out.
    #[ts(optional)]
    pub ids: Option<Vec<String>>,
}

/// What to hand to an agent. The token is told this once.
#[derive(Debug, Clone, Serialize, TS)]
pub struct AgentConnection {
    pub name: String,
    pub token: String,
    pub url: String,
    /// Configuration of a client that speaks HTTP.
    pub http_config: String,
    /// Configuration of a client that starts its own process.
    pub stdio_config: String,
}

/// A program of the user's that speaks MCP.
#[derive(Debug, Clone, Serialize, TS)]
pub struct McpClient {
    pub id: String,
    pub name: String,
    /// There are signs of it on this machine.
    pub is_installed: bool,
    /// Where its servers stand; absent where its vendor documents no place for one user.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Whether it can call the listener; else it starts a process of its own.
    pub can_http: bool,
    /// Whether it reads instructions from a file.
    pub can_install: bool,
    /// What its user should know; may be empty.
    pub remark: String,
    /// The vendor's page that says so.
    pub source: String,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct ClientList {
    pub clients: Vec<McpClient>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ClientRequest {
    pub client: String,
    /// By the listener of this window; else it starts a process of its own.
    pub over_http: bool,
    /// The file as it was shown, by `based_on` of the plan. A file that is another by now is left as it is.
    #[ts(optional)]
    pub based_on: Option<String>,
}

/// A change that was not made.
#[derive(Debug, Clone, Serialize, TS)]
pub struct ClientPlan {
    pub file: String,
    /// False: it is configured so already.
    pub is_needed: bool,
    /// The change, as a unified diff; tokens are not shown.
    pub diff: String,
    /// Names what stands in the file now.
    pub based_on: String,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct ClientAttached {
    pub file: String,
    /// Where what stood there is kept.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    /// Tools that it will see.
    pub tools: u64,
    /// Why a round trip failed, if it did.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct ClientDetached {
    pub file: String,
    /// `restored`: the file is what it was; `deleted`: it was ours alone; `taken_out`: others changed it since.
    pub status: String,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct TeachClient {
    pub client: String,
    /// `code`, `research` or `general`.
    pub domain: String,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct ClientTaught {
    pub file: String,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct OpenLibrary {
    pub folder: String,
}

/// What happened. Never what to do about it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A graph's journal grew, whoever wrote.
    GraphChanged { graph: String, seq: i64 },
    /// Graphs came or went.
    GraphsChanged,
    /// Another library was opened.
    LibraryChanged,
    /// Agents came or went.
    AgentsChanged,
    /// A menu entry was chosen.
    Menu { action: String },
    /// Files were dropped onto the window.
    FilesDropped { paths: Vec<String> },
}

/// One layout of a page, by the number the page drew, and what is to happen to it.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct LayoutOrder {
    pub layout: u32,
    pub order: LayoutStep,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LayoutStep {
    Pin {
        node: u32,
        x: f32,
        y: f32,
    },
    Unpin {
        node: u32,
    },
    /// A person holds these nodes; places are x0, y0, x1, y1, …
    Hold {
        nodes: Vec<u32>,
        xy: Vec<f32>,
    },
    Release,
    Reheat {
        alpha: f32,
    },
    Settings(LayoutSettings),
    Pause {
        paused: bool,
    },
    Stop,
}

/// What a person turns: factors of the explorer's own forces, and the opening angle.
#[derive(Debug, Clone, Deserialize, TS)]
pub struct LayoutSettings {
    pub link_distance: f32,
    pub link_strength: f32,
    pub repulsion: f32,
    pub damping: f32,
    pub gravity: f32,
    pub theta: f32,
}

/// Asks for the frame after this one.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct FrameRequest {
    pub layout: u32,
    pub after: u32,
}

/// A picture of a graph as a file.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct PictureRequest {
    pub graph: String,
    pub format: PictureFormat,
    pub dark: bool,
    /// Pixels; a PNG has twice as many.
    pub width: u32,
    pub height: u32,
    /// The place in the middle and the zoom; without it, the whole graph.
    #[serde(default)]
    #[ts(optional)]
    pub view: Option<[f32; 3]>,
    #[serde(default)]
    pub hidden_types: Vec<String>,
    pub legend: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PictureFormat {
    Png,
    Svg,
    Html,
}

/// Where nodes may stand: by forces, or for another reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, TS)]
#[ts(rename_all = "snake_case")]
pub enum ArrangeKind {
    Force,
    Circle,
    Tree,
    ByType,
}

impl ArrangeKind {
    /// In the order of their numbers in a picture's flags.
    pub const ALL: [Self; 4] = [Self::Force, Self::Circle, Self::Tree, Self::ByType];
}
