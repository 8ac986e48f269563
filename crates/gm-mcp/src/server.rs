//! The MCP server: one value per stdio process, HTTP session or stateless request.

use std::cell::Cell;
use std::sync::Arc;

use gm_engine::{Identity, Library, Rights};
use gm_model::{Actor, text};
use parking_lot::Mutex;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
    Tool, ToolAnnotations,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value};

use crate::attendance::Attendance;
use crate::call::{ActiveGraph, Call};
use crate::dashboard::ShowDashboard;
use crate::failure::Failure;
use crate::spec::{Effect, ToolSpec};
use crate::tools::ToolSet;
use crate::{arguments, tools};

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
}

#[derive(Debug, Clone)]
struct StdioName {
    given: Option<String>,
}

impl GraphMemServer {
    /// For HTTP: the identity comes with each request. [`another`](Self::another) serves each session.
    pub fn for_http(library: Library) -> Self {
        let attendance = Arc::new(Attendance::new(&library));
        Self {
            library,
            stdio: None,
            active: Arc::default(),
            dashboard: None,
            tools: ToolSet::All,
            attendance,
        }
    }

    /// The same for a session of its own, which begins in no graph.
    pub fn another(&self) -> Self {
        Self { active: Arc::default(), ..self.clone() }
    }

    /// For a process of an agent's own: named by `--as`, else by what the client calls itself.
    pub fn for_stdio(library: Library, name: Option<String>, graph: Option<String>) -> Self {
        let stdio = Some(StdioName { given: name });
        let active = Arc::new(Mutex::new(graph));
        let attendance = Arc::new(Attendance::new(&library));
        Self { library, stdio, active, dashboard: None, tools: ToolSet::All, attendance }
    }

    /// What `open_dashboard` does here.
    pub fn with_dashboard(self, dashboard: Arc<dyn ShowDashboard>) -> Self {
        Self { dashboard: Some(dashboard), ..self }
    }

    /// Shows and takes only some tools.
    pub fn with_tools(self, tools: ToolSet) -> Self {
        Self { tools, ..self }
    }

    /// The tools of this client: an HTTP client asks for them in its URL, by `?tools=core`.
    fn tools(&self, context: &RequestContext<RoleServer>) -> ToolSet {
        let parts = context.extensions.get::<http::request::Parts>();
        let query = parts.and_then(|parts| parts.uri.query()).unwrap_or_default();
        if query.split('&').any(|pair| pair == "tools=core") { ToolSet::Core } else { self.tools }
    }

    fn run(&self, tool: &'static ToolSpec, caller: Caller, arguments: JsonObject) -> Result<String, Failure> {
        let (arguments, explicit) = arguments::check(tool.fields, arguments)?;
        let state = self.library.state();
        let active = match caller.is_stateless {
            true => ActiveGraph::Identity(state.clone(), caller.actor.name.clone()),
            false => ActiveGraph::Session(self.active.clone()),
        };
        let rights = match caller.rights {
            Some(rights) => Some(rights),
            // What the person allowed a name holds for it whatever way it comes.
            None => {
                state.identity(&caller.actor.name).map_err(gm_engine::Error::from)?.map(|known| known.rights)
            }
        };
        let deletes_for_good = rights.as_ref().is_some_and(|rights| rights.delete_for_good);
        let call = Call {
            library: &self.library,
            actor: Actor { deletes_for_good, ..caller.actor },
            rights,
            active,
            dashboard: self.dashboard.as_deref(),
            explicit,
            recalled: Cell::default(),
        };
        let outcome = self.answer(tool, &call, arguments);
        let graph = match &call.explicit {
            Some(graph) => graph.clone(),
            None => call.active_name().unwrap_or_default(),
        };
        let recalled = call.recalled.take().filter(|_| outcome.is_ok());
        self.attendance.called(&call.actor, self.transport(), &graph, tool.name, tool.effect, recalled);
        outcome
    }

    fn answer(&self, tool: &'static ToolSpec, call: &Call<'_>, arguments: Value) -> Result<String, Failure> {
        call.check_right(tool.effect)?;
        let mut answer = (tool.run)(call, arguments)?;
        if !answer.has("graph") {
            answer = match &call.explicit {
                Some(_) => answer.with("graph", call.graph()?.name()),
                None => answer.with("graph", call.active_name()?),
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
            rights: Some(identity.rights),
            is_stateless,
        })
    }
}

struct Caller {
    actor: Actor,
    rights: Option<Rights>,
    is_stateless: bool,
}

impl StdioName {
    fn caller(&self, client: Option<&Implementation>) -> Caller {
        let name = self
            .given
            .clone()
            .unwrap_or_else(|| text::sanitised_agent_name(client.map_or("", |client| client.name.as_str())));
        Caller { actor: Actor::agent(name, label(client)), rights: None, is_stateless: false }
    }
}

/// Bounded, printable, and of one line: it comes from outside and goes into the journal.
fn label(client: Option<&Implementation>) -> String {
    let printable = |text: &str| text.chars().filter(|c| !c.is_control()).take(60).collect::<String>();
    client.map_or_else(String::new, |client| {
        format!("{} {}", printable(&client.name), printable(&client.version)).trim().to_owned()
    })
}

impl ServerHandler for GraphMemServer {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
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
        if request.is_some_and(|request| request.cursor.is_some()) {
            let message = "`cursor` is none of this server: all tools are told at once";
            return Err(ErrorData::invalid_params(message, None));
        }
        Ok(ListToolsResult::with_all_items(tools(self.tools(&context))))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::by_name(name).map(describe)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = called(&request.name, self.tools(&context))?;
        let caller = self.caller(&context)?;
        let server = self.clone();
        // On stdio the reply is written by `reply`, which sends the text as structure too.
        let is_structured = self.stdio.is_none();
        let arguments = request.arguments.unwrap_or_default();
        // Storage blocks; the async threads stay free for pings and other calls.
        let mut result = tokio::task::spawn_blocking(move || server.result(tool, caller, arguments))
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
