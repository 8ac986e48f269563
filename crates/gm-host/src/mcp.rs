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
use http::{Method, StatusCode, header};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use crate::body;
use crate::guard;
use crate::listener::Shared;
use crate::reply::{self, Refusal};

type Service = StreamableHttpService<GraphMemServer, LocalSessionManager>;

/// Agents stay on the library the listener began with, whatever the window opens later.
pub(crate) fn routes(
    shared: Arc<Shared>,
    library: Library,
    dashboard: Arc<dyn ShowDashboard>,
    cancel: CancellationToken,
) -> Router<Arc<Shared>> {
    let config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(MAX_REQUEST_BYTES)
        .with_cancellation_token(cancel);
    let server = GraphMemServer::for_http(library).with_dashboard(dashboard);
    let service: Service = StreamableHttpService::new(
        move || Ok(server.another()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
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
            if method == Method::POST
                && let Checked::Answer(reply) = gm_mcp::screen(body.trim_ascii())
            {
                return reply::json(StatusCode::BAD_REQUEST, String::from_utf8_lossy(&reply).into_owned());
            }
            let response = service.handle(Request::from_parts(parts, Body::from(body))).await.map(Body::new);
            if method == Method::DELETE && response.status() == StatusCode::ACCEPTED {
                // The session is over when this is read; there is nothing more to wait for.
                return StatusCode::NO_CONTENT.into_response();
            }
            response
        }
        Err(refusal) => refusal.into_response(),
    }
}
