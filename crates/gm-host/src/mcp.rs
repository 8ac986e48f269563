//! `/mcp`: Streamable HTTP for agents, the stateless revision and the handshake ones on one path.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use gm_engine::Library;
use gm_mcp::{Checked, GraphMemServer, ShowDashboard};
use gm_model::limits::MAX_REQUEST_BYTES;
use http::{HeaderMap, Method, StatusCode, header};
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::body;
use crate::guard;
use crate::limits;
use crate::listener::Shared;
use crate::reply::{self, Refusal};

/// Bytes of a refusal that are read.
const MAX_REFUSAL_BYTES: usize = 4_096;

type Service = StreamableHttpService<GraphMemServer, LocalSessionManager>;

/// Sessions of the handshake revisions, kept for as long as a client may pause.
pub(crate) fn sessions() -> Arc<LocalSessionManager> {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(limits::SESSION_IDLE);
    Arc::new(sessions)
}

/// Agents stay on the library the listener began with, whatever the window opens later.
pub(crate) fn routes(
    shared: Arc<Shared>,
    library: Library,
    dashboard: Arc<dyn ShowDashboard>,
    cancel: CancellationToken,
) -> Router<Arc<Shared>> {
    let config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(MAX_REQUEST_BYTES)
        // The guard knows under which names this is called; the library only this machine.
        .disable_allowed_hosts()
        .with_cancellation_token(cancel);
    let server = GraphMemServer::for_http(library).with_dashboard(dashboard);
    let service: Service =
        StreamableHttpService::new(move || Ok(server.another()), shared.mcp_sessions.clone(), config);
    let handler = move |State(_): State<Arc<Shared>>, request: Request| serve(service.clone(), request);
    Router::new()
        .route("/mcp", any(handler.clone()))
        .route("/mcp/", any(handler))
        .layer(middleware::from_fn_with_state(shared, guard::check_agent))
}

async fn serve(service: Service, request: Request) -> Response {
    let method = request.method().clone();
    if ![Method::POST, Method::GET, Method::DELETE].contains(&method) {
        let mut response =
            Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method", "use POST, GET or DELETE").into_response();
        response.headers_mut().insert(header::ALLOW, header::HeaderValue::from_static("POST, GET, DELETE"));
        return response;
    }
    if method == Method::POST && !guard::is_json(request.headers()) {
        return Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "not_json",
            "send `Content-Type: application/json`",
        )
        .into_response();
    }
    let (parts, body) = request.into_parts();
    match body::read(body).await {
        Ok(body) => {
            let mut id = Value::Null;
            let mut body = body;
            if method == Method::POST {
                let text = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&body).trim_ascii();
                match gm_mcp::screen(text) {
                    Checked::Answer(reply) => {
                        return reply::json(
                            StatusCode::BAD_REQUEST,
                            String::from_utf8_lossy(&reply).into_owned(),
                        );
                    }
                    Checked::Forward(message) => {
                        id = message.get("id").cloned().unwrap_or_default();
                        if let Some(refused) = gone(&parts.headers, &message) {
                            return refused;
                        }
                        body = serde_json::to_vec(&message).unwrap_or(body);
                    }
                    Checked::Drop => return StatusCode::ACCEPTED.into_response(),
                }
            }
            let length = body.len();
            let mut request = Request::from_parts(parts, Body::from(body));
            request.headers_mut().insert(header::CONTENT_LENGTH, length.into());
            let response = in_json(id, service.handle(request).await.map(Body::new)).await;
            if method == Method::DELETE && response.status() == StatusCode::ACCEPTED {
                // The session is over when this is read; there is nothing more to wait for.
                return StatusCode::NO_CONTENT.into_response();
            }
            response
        }
        Err(refusal) => refusal.into_response(),
    }
}

/// Methods that the stateless revision does not have any more. Its library asks for their headers first.
const GONE: [&str; 5] =
    ["resources/subscribe", "resources/unsubscribe", "tasks/get", "tasks/update", "tasks/cancel"];

fn gone(headers: &HeaderMap, message: &Map<String, Value>) -> Option<Response> {
    let version = headers.get("mcp-protocol-version")?.to_str().ok()?;
    let method = message.get("method")?.as_str()?;
    if version < ProtocolVersion::V_2026_07_28.as_str() || !GONE.contains(&method) {
        return None;
    }
    let error =
        json!({ "code": -32601, "message": format!("{method} is not part of this protocol version") });
    let told = json!({ "jsonrpc": "2.0", "id": message.get("id"), "error": error });
    Some(reply::json(StatusCode::NOT_FOUND, told.to_string()))
}

/// What the protocol refuses in plain words, as the JSON that clients read.
async fn in_json(id: Value, response: Response) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_told = kind
        .is_some_and(|kind| kind.starts_with("application/json") || kind.starts_with("text/event-stream"));
    if !response.status().is_client_error() || is_told {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let said = axum::body::to_bytes(body, MAX_REFUSAL_BYTES).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let message = if said.trim().is_empty() { "the request is not of this protocol" } else { said.trim() };
    let told = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32600, "message": message } });
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    Response::from_parts(parts, Body::from(told.to_string()))
}
