//! The MCP server: one value per stdio process, HTTP session or stateless request.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use gm_engine::{Identity, Library, Rights};
use gm_model::Actor;
use parking_lot::Mutex;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    ContentBlock, ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation, JsonObject,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter, Tool,
    ToolAnnotations, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value};
use tokio::sync::Semaphore;

use crate::attendance::Attendance;
use crate::call::{ActiveGraph, Call, Progress};
use crate::caller::{Caller, StdioName, label};
use crate::dashboard::ShowDashboard;
use crate::failure::Failure;
use crate::news::{Seen, Wanted};
use crate::resources::Place;
use crate::spec::{Effect, ToolSpec};
use crate::tools::ToolSet;
use crate::{arguments, completion, news, prompts, resources, tools};

const INSTRUCTIONS: &str = "graph-mem is a knowledge graph that you share with a person who watches and edits it at the same time. \
Search before you add (search_nodes): adding to what exists keeps the graph free of doubles. \
Keep entities small and named as people name them; put single facts into observations; link entities with relationships. \
Results name the graph they used; `graph` uses another for one call. Everything you write carries your name and can be taken back by the person.";

/// Who sends an HTTP request; put into the request's extensions by the listener's guard.
#[derive(Debug, Clone)]
pub struct HttpCaller(pub Identity);

/// Serves the tools over one library.
#[derive(Clone)]
pub struct GraphMemServer {
    library: Library,
    /// The name a stdio process was given; `None` on HTTP, where every request carries an identity.
    stdio: Option<StdioName>,
    active: Arc<Mutex<Option<String>>>,
    dashboard: Option<Arc<dyn ShowDashboard>>,
    tools: ToolSet,
    attendance: Arc<Attendance>,
    /// What this session has watched for it.
    pub(crate) wanted: Arc<Mutex<Wanted>>,
    /// Calls over HTTP that run at a time, whoever asks; others wait their turn.
    places: Arc<Semaphore>,
}

/// Calls over HTTP that run at a time. Storage has one writer and a small pool of readers.
const CALLS_AT_A_TIME: usize = 16;
/// A notice that a client does not take within this time is left out.
pub(crate) const NOTICE_WITHIN: Duration = Duration::from_secs(5);

impl GraphMemServer {
    /// For HTTP: the identity comes with each request. [`another`](Self::another) serves each session.
    pub fn for_http(library: Library) -> Self {
        let attendance = Arc::new(Attendance::new(&library));
        Self::new(library, None, None, attendance)
    }

    /// The same for a session of its own, which begins in no graph.
    pub fn another(&self) -> Self {
        Self { active: Arc::default(), wanted: Arc::default(), ..self.clone() }
    }

    fn new(
        library: Library,
        stdio: Option<StdioName>,
        graph: Option<String>,
        attendance: Arc<Attendance>,
    ) -> Self {
        Self {
            library,
            stdio,
            active: Arc::new(Mutex::new(graph)),
            dashboard: None,
            tools: ToolSet::ALL,
            attendance,
            wanted: Arc::default(),
            places: Arc::new(Semaphore::new(CALLS_AT_A_TIME)),
        }
    }

    pub(crate) fn library(&self) -> &Library {
        &self.library
    }

    /// For a process of an agent's own: named by `--as`, else by what the client calls itself.
    pub fn for_stdio(library: Library, name: Option<String>, graph: Option<String>) -> Self {
        let stdio = Some(StdioName { given: name });
        let attendance = Arc::new(Attendance::new(&library));
        Self::new(library, stdio, graph, attendance)
    }

    /// What `open_dashboard` does here.
    pub fn with_dashboard(self, dashboard: Arc<dyn ShowDashboard>) -> Self {
        Self { dashboard: Some(dashboard), ..self }
    }

    /// Shows and takes only some tools.
    pub fn with_tools(self, tools: ToolSet) -> Self {
        Self { tools, ..self }
    }

    /// The tools of this client: an HTTP client asks for them in its URL, by `?tools=core` or `?tools=NAME,NAME`.
    fn tools(&self, context: &RequestContext<RoleServer>) -> Result<ToolSet, ErrorData> {
        let parts = context.extensions.get::<http::request::Parts>();
        let query = parts.and_then(|parts| parts.uri.query()).unwrap_or_default();
        let Some(asked) = query.split('&').find_map(|pair| pair.strip_prefix("tools=")) else {
            return Ok(self.tools);
        };
        let asked = percent_encoding::percent_decode_str(asked).decode_utf8_lossy();
        ToolSet::parse(&asked)
            .map_err(|problem| ErrorData::invalid_params(format!("`tools` of the address {problem}"), None))
    }

    /// What the person allowed a caller; `None` where nothing was said. What was allowed a name holds for it
    /// whatever way it comes.
    pub(crate) fn rights(&self, caller: &Caller) -> Result<Option<Rights>, ErrorData> {
        self.rights_of(caller).map_err(resources::storage)
    }

    fn rights_of(&self, caller: &Caller) -> gm_engine::Result<Option<Rights>> {
        if let Some(rights) = &caller.rights {
            return Ok(Some(rights.clone()));
        }
        Ok(self.library.state().identity(&caller.actor.name)?.map(|known| known.rights))
    }

    /// Calls a tool for a caller.
    pub(crate) fn run(
        &self,
        tool: &'static ToolSpec,
        caller: Caller,
        arguments: JsonObject,
    ) -> Result<String, Failure> {
        let (arguments, explicit) = arguments::check(tool.fields, arguments)?;
        let state = self.library.state();
        let active = match caller.is_stateless {
            true => ActiveGraph::Identity(state.clone(), caller.actor.name.clone()),
            false => ActiveGraph::Session(self.active.clone()),
        };
        let meant = match &explicit {
            Some(graph) => graph.clone(),
            None => active.name()?,
        };
        let rights = self.rights_of(&caller)?;
        let deletes_for_good = rights.as_ref().is_some_and(|rights| rights.delete_for_good);
        let call = Call {
            library: &self.library,
            actor: Actor { deletes_for_good, ..caller.actor },
            rights,
            active,
            dashboard: self.dashboard.as_deref(),
            meant,
            used: Cell::default(),
            explicit,
            recalled: Cell::default(),
            progress: caller.progress,
        };
        let outcome = self.answer(tool, &call, arguments);
        if caller.is_watching {
            return outcome;
        }
        let recalled = call.recalled.take().filter(|_| outcome.is_ok());
        let used = call.used.take().or_else(|| call.active_name().ok()).unwrap_or_default();
        // What was refused changed nothing.
        let effect = if outcome.is_ok() { tool.effect } else { Effect::Read };
        self.attendance.called(&call.actor, self.transport(), &used, tool.name, effect, recalled);
        outcome
    }

    fn answer(&self, tool: &'static ToolSpec, call: &Call<'_>, arguments: Value) -> Result<String, Failure> {
        call.check_right(tool.effect)?;
        let mut answer = (tool.run)(call, arguments)?;
        if !answer.has("graph") {
            answer = match &call.explicit {
                Some(_) => answer.with("graph", call.graph()?.name()),
                None => answer.with("graph", call.meant.as_str()),
            };
        }
        // Answers to writes tell of every item that was sent.
        Ok(if tool.effect == Effect::Read { answer.bounded_json() } else { answer.to_json() })
    }

    fn result(&self, tool: &'static ToolSpec, caller: Caller, arguments: JsonObject) -> CallToolResult {
        match self.run(tool, caller, arguments) {
            Ok(answer) => CallToolResult::success(vec![ContentBlock::text(answer)]),
            Err(failure) => {
                tracing::debug!(tool = tool.name, error = failure.error_type, "tool call refused");
                CallToolResult::error(vec![ContentBlock::text(failure.to_json().to_string())])
            }
        }
    }

    /// A call of a client whose handshake is done, on the thread that asks.
    pub(crate) fn call_on_stdio(
        &self,
        request: CallToolRequestParams,
        client: &Implementation,
    ) -> Result<CallToolResult, ErrorData> {
        let tool = called(&request.name, self.tools)?;
        let stdio = self.stdio.as_ref();
        let stdio = stdio.ok_or_else(|| ErrorData::internal_error("this server is not on stdio", None))?;
        Ok(self.result(tool, stdio.caller(Some(client)), request.arguments.unwrap_or_default()))
    }

    /// Runs what blocks on storage beside the async threads.
    pub(crate) async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(Self) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let server = self.clone();
        tokio::task::spawn_blocking(move || work(server))
            .await
            .map_err(|_| ErrorData::internal_error("the request failed unexpectedly", None))?
    }

    fn transport(&self) -> &'static str {
        if self.stdio.is_some() { "stdio" } else { "http" }
    }

    fn caller(&self, context: &RequestContext<RoleServer>) -> Result<Caller, ErrorData> {
        let client = context.client_info();
        let newest_handshake = ProtocolVersion::V_2025_11_25;
        let is_stateless =
            context.protocol_version().is_some_and(|version| version.as_str() > newest_handshake.as_str());
        if let Some(stdio) = &self.stdio {
            return Ok(stdio.caller(client.as_ref()));
        }
        let parts = context.extensions.get::<http::request::Parts>();
        let caller = parts.and_then(|parts| parts.extensions.get::<HttpCaller>());
        // The guard lets nobody through without one; this only keeps a wrong wiring from writing.
        let caller = caller.ok_or_else(|| ErrorData::invalid_request("no identity", None))?;
        let identity = caller.0.clone();
        Ok(Caller {
            actor: Actor::agent(&identity.name, label(client.as_ref())),
            needs_token: true,
            rights: Some(identity.rights),
            is_stateless,
            is_watching: false,
            progress: None,
        })
    }
}

// Watching by `resources/subscribe` is what clients of the handshake revisions know.
#[allow(deprecated)]
impl ServerHandler for GraphMemServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_resources_list_changed()
            .enable_prompts()
            .enable_completions()
            .build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("graph-mem", env!("CARGO_PKG_VERSION"));
        info.server_info.title = Some("graph-mem".into());
        info.instructions = Some(INSTRUCTIONS.into());
        info
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let client = context.peer.peer_info().map(|info| info.client_info.clone());
        let actor = match &self.stdio {
            Some(stdio) => stdio.caller(client.as_ref()).actor,
            None => {
                let parts = context.extensions.get::<http::request::Parts>();
                let Some(caller) = parts.and_then(|parts| parts.extensions.get::<HttpCaller>()) else {
                    return;
                };
                Actor::agent(&caller.0.name, label(client.as_ref()))
            }
        };
        let graph = self.active.lock().clone();
        let graph = graph.as_deref().unwrap_or(gm_engine::library::DEFAULT_GRAPH);
        self.attendance.arrived(&actor, self.transport(), graph);
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        refuse_cursor(request)?;
        Ok(ListToolsResult::with_all_items(tools(self.tools(&context)?)))
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        refuse_cursor(request)?;
        let caller = self.caller(&context)?;
        // Who has a list is told when it is another one. Newer clients ask for that by themselves.
        if !caller.is_stateless {
            self.watch(caller.clone(), context.peer);
        }
        self.aside(move |server| {
            server.wanted.lock().graphs = Some(resources::graphs(&server, caller.clone())?);
            resources::list(&server, caller)
        })
        .await
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        refuse_cursor(request)?;
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let caller = self.caller(&context)?;
        let read = self.aside(move |server| resources::read(&server, caller, &request.uri)).await?;
        Ok(read.into())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        refuse_cursor(request)?;
        Ok(prompts::list())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let caller = self.caller(&context)?;
        let prompt = self
            .aside(move |server| prompts::get(&server, caller, &request.name, request.arguments.as_ref()))
            .await?;
        Ok(prompt.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let caller = self.caller(&context)?;
        let completion = self.aside(move |server| completion::complete(&server, caller, &request)).await?;
        Ok(CompleteResult::new(completion))
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let mut accepted = requested.clone();
        if let Some(uris) = &mut accepted.resource_subscriptions {
            uris.retain(|uri| Place::parse(uri).is_some());
            uris.truncate(news::MAX_WATCHED);
        }
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let caller = self.caller(context.request_context())?.watching();
        let uris: Vec<String> = context.accepted().resource_subscriptions.clone().unwrap_or_default();
        let begun = caller.clone();
        let wanted = self
            .aside(move |server| {
                let places = uris.into_iter().filter_map(|uri| {
                    let place = Place::parse(&uri)?;
                    let mark = news::mark(&server, &begun, &place);
                    Some((uri, (place, mark)))
                });
                Ok(Wanted { resources: places.collect(), ..Wanted::default() })
            })
            .await?;
        // What changed between the acknowledgment and this moment would go untold: the client is told once to
        // look, and from here on of every change.
        for uri in wanted.resources.keys() {
            let _ = context.sink().notify_resource_updated(uri.clone()).await;
        }
        let wanted = Arc::new(Mutex::new(wanted));
        let mut seen = Seen::default();
        loop {
            let news;
            (news, seen) = self.news(&caller, &wanted, seen).await?;
            let sink = context.sink();
            // A client that is gone is noticed below.
            if news.list_changed && context.accepted().resources_list_changed == Some(true) {
                let _ = sink.notify_resource_list_changed().await;
            }
            for uri in news.updated {
                let _ = sink.notify_resource_updated(uri).await;
            }
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = tokio::time::sleep(news::EACH) => {}
            }
        }
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let caller = self.caller(&context)?;
        let place = Place::parse(&request.uri)
            .ok_or_else(|| ErrorData::resource_not_found("no such resource", None))?;
        {
            let wanted = self.wanted.lock();
            if wanted.resources.len() >= news::MAX_WATCHED && !wanted.resources.contains_key(&request.uri) {
                return Err(too_many_watched());
            }
        }
        let (asking, uri) = (caller.clone(), request.uri);
        self.aside(move |server| {
            let mark = news::mark(&server, &asking, &place);
            let mut wanted = server.wanted.lock();
            // Others of this session may have come meanwhile.
            if wanted.resources.len() >= news::MAX_WATCHED && !wanted.resources.contains_key(&uri) {
                return Err(too_many_watched());
            }
            wanted.resources.insert(uri, (place, mark));
            Ok(())
        })
        .await?;
        self.watch(caller, context.peer);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.wanted.lock().resources.remove(&request.uri);
        Ok(())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::by_name(name).map(describe)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = called(&request.name, self.tools(&context)?)?;
        let caller = Caller { progress: progress(&context), ..self.caller(&context)? };
        let server = self.clone();
        // On stdio the reply is written by `reply`, which sends the text as structure too.
        let is_structured = self.stdio.is_none();
        let arguments = request.arguments.unwrap_or_default();
        // Storage blocks; the async threads stay free for pings and other calls.
        let place = if is_structured { self.places.clone().acquire_owned().await.ok() } else { None };
        let mut result = tokio::task::spawn_blocking(move || {
            let _place = place;
            server.result(tool, caller, arguments)
        })
        .await
        .map_err(|_| ErrorData::internal_error("the tool failed unexpectedly", None))?;
        if is_structured
            && result.is_error != Some(true)
            && let [ContentBlock::Text(answer)] = &result.content[..]
        {
            let structure = serde_json::from_str(&answer.text);
            result.structured_content =
                Some(structure.map_err(|_| ErrorData::internal_error("the answer is no JSON", None))?);
        }
        Ok(result.into())
    }
}

/// Notices to a client that asked for them with its request.
fn progress(context: &RequestContext<RoleServer>) -> Option<Arc<Progress>> {
    let token = context.meta.get_progress_token()?;
    let (peer, cancelled) = (context.peer.clone(), context.ct.clone());
    let runtime = tokio::runtime::Handle::current();
    let tell = move |done: u64, total: u64| {
        let notice = ProgressNotificationParam::new(token.clone(), done as f64).with_total(total as f64);
        // A client that takes none is no reason to stop.
        let _ = runtime
            .block_on(async { tokio::time::timeout(NOTICE_WITHIN, peer.notify_progress(notice)).await });
    };
    Some(Arc::new(Progress::new(tell, move || cancelled.is_cancelled())))
}

fn too_many_watched() -> ErrorData {
    let most = news::MAX_WATCHED;
    let message = format!("{most} resources are watched for you, which is as many as can be");
    ErrorData::invalid_request(message, None)
}

/// Lists are told whole; a cursor is none of ours.
fn refuse_cursor(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    if request.is_some_and(|request| request.cursor.is_some()) {
        let message = "`cursor` is none of this server: all is told at once";
        return Err(ErrorData::invalid_params(message, None));
    }
    Ok(())
}

/// The tool of a name, if it is among those that are shown.
fn called(name: &str, tools: ToolSet) -> Result<&'static ToolSpec, ErrorData> {
    tools::by_name(name).filter(|tool| tools.has(tool.name)).ok_or_else(|| {
        let meant = tools::meant(name, tools);
        let hint = meant.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        ErrorData::invalid_params(format!("no such tool; `tools/list` names them{hint}"), None)
    })
}

pub(crate) fn tools(set: ToolSet) -> Vec<Tool> {
    set.tools().map(describe).collect()
}

fn describe(spec: &ToolSpec) -> Tool {
    let schema = |map: Map<String, Value>| Arc::new(map);
    let mut tool = Tool::new(spec.name, spec.description, schema(spec.input_schema()));
    tool.title = Some(spec.title.into());
    tool.output_schema = Some(schema(spec.output_schema()));
    let mut annotations = ToolAnnotations::default();
    annotations.read_only_hint = Some(spec.effect == Effect::Read);
    // The other hints mean nothing of a tool that only reads.
    if spec.effect != Effect::Read {
        annotations.destructive_hint = Some(spec.effect == Effect::Delete);
        annotations.idempotent_hint = Some(true);
    }
    tool.annotations = Some(annotations);
    tool
}
