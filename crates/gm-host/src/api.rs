//! `/api`: the explorer's commands for a browser, by name and as REST.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request, State};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use gm_api::{ApiError, Caller, Reply};
use http::request::Parts;
use http::{StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::body;
use crate::guard;
use crate::listener::Shared;
use crate::reply::{self, Refusal};

type Answer = Result<Response, Refusal>;

pub(crate) fn routes(shared: Arc<Shared>) -> Router<Arc<Shared>> {
    let guarded = Router::new()
        .route("/api/call/{command}", post(call))
        .route("/api/bytes/{command}", post(call_bytes))
        .route("/api/graph", get(graph))
        .route("/api/entity", post(create_entity))
        .route("/api/entity/{name}", get(read_entity).put(update_entity).delete(delete_entity))
        .route("/api/search", get(search))
        .route("/api/stats", get(stats))
        .route("/api/graphs", get(graphs))
        .route("/api/graphs/switch", post(switch))
        .layer(middleware::from_fn_with_state(shared, guard::check_browser));
    Router::new().route("/api/session", post(session)).route("/api/hello", get(hello)).merge(guarded)
}

/// Bytes of a picture that is to be laid out: a million nodes and several million links.
const MAX_PICTURE_BYTES: usize = 80 * 1024 * 1024;
/// Bytes of a request for a token.
const MAX_CODE_BYTES: usize = 4 * 1024;

/// A body of JSON, bounded in size and time; `null` where there is none.
struct Given(Value);

impl<S: Send + Sync> FromRequest<S> for Given {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let body = body::read(request.into_body()).await?;
        if body.is_empty() {
            return Ok(Self(Value::Null));
        }
        serde_json::from_slice(&body)
            .map(Self)
            .map_err(|_| Refusal::new(StatusCode::BAD_REQUEST, "invalid_argument", "the body is not JSON"))
    }
}

/// What an address asks for.
struct Asked(GraphQuery);

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let asked = Query::try_from_uri(&parts.uri);
        asked.map(|Query(asked)| Self(asked)).map_err(|_| {
            let message = "the address may ask with `graph`, `q` and `limit`, a whole number";
            Refusal::new(StatusCode::BAD_REQUEST, "invalid_argument", message)
        })
    }
}

/// The nonce of `endpoint.json`: tells a program on this machine that it found the right listener.
async fn hello(State(shared): State<Arc<Shared>>) -> Response {
    reply::json(StatusCode::OK, json!({ "name": "graph-mem", "nonce": shared.nonce }).to_string())
}

#[derive(Deserialize)]
struct CodeRequest {
    code: String,
}

/// Trades a single-use code for a token.
async fn session(State(shared): State<Arc<Shared>>, request: Request) -> Answer {
    if !guard::is_json(request.headers()) {
        return Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "not_json",
            "send `Content-Type: application/json`",
        ));
    }
    let body = body::read_up_to(MAX_CODE_BYTES, request.into_body()).await?;
    let code: CodeRequest = serde_json::from_slice(&body)
        .map_err(|_| Refusal::new(StatusCode::BAD_REQUEST, "invalid_argument", "`code` is missing"))?;
    match shared.sessions.redeem(&code.code) {
        Some(token) => Ok(reply::json(StatusCode::OK, json!({ "token": token }).to_string())),
        None => {
            Err(Refusal::new(StatusCode::UNAUTHORIZED, "unauthorized", "this link was used or is too old"))
        }
    }
}

async fn call(
    State(shared): State<Arc<Shared>>,
    Path(command): Path<String>,
    Given(arguments): Given,
) -> Answer {
    run(&shared, &command, arguments).await
}

/// A picture to lay out, as bytes.
async fn call_bytes(
    State(shared): State<Arc<Shared>>,
    Path(command): Path<String>,
    request: Request,
) -> Answer {
    let bytes = body::read_up_to(MAX_PICTURE_BYTES, request.into_body()).await?;
    let app = shared.app.clone();
    answer(tokio::task::spawn_blocking(move || app.call_bytes(&command, &bytes)).await)
}

async fn run(shared: &Arc<Shared>, command: &str, arguments: Value) -> Answer {
    let (app, command) = (shared.app.clone(), command.to_owned());
    answer(tokio::task::spawn_blocking(move || app.call(Caller::Browser, &command, arguments)).await)
}

fn answer(outcome: Result<Result<Reply, ApiError>, tokio::task::JoinError>) -> Answer {
    match outcome {
        Ok(Ok(Reply::Json(text))) => Ok(reply::json(StatusCode::OK, text)),
        Ok(Ok(Reply::Bytes(bytes))) => {
            let mut response = Response::new(Body::from(bytes));
            let headers = response.headers_mut();
            headers
                .insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/octet-stream"));
            headers.insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
            Ok(response)
        }
        Ok(Err(error)) => Err(error.into()),
        Err(_) => Err(Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "the command failed unexpectedly",
        )),
    }
}

/// `?graph=NAME`, else the graph of the last switch, else the default.
#[derive(Deserialize, Default)]
struct GraphQuery {
    graph: Option<String>,
    q: Option<String>,
    limit: Option<u32>,
}

fn graph_of(shared: &Shared, query: &GraphQuery) -> String {
    query.graph.clone().unwrap_or_else(|| shared.rest_graph.lock().clone())
}

async fn graph(State(shared): State<Arc<Shared>>, Asked(query): Asked) -> Answer {
    let graph = graph_of(&shared, &query);
    let (app, name) = (shared.app.clone(), graph.clone());
    let exported = tokio::task::spawn_blocking(move || {
        app.call(Caller::Browser, "export_text", json!({ "graph": name }))
    })
    .await
    .map_err(|_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the export failed"))??;
    let Reply::Json(text) = exported else { return Err(Refusal::not_found()) };
    let content =
        serde_json::from_str::<Value>(&text).ok().and_then(|v| v["content"].as_str().map(str::to_owned));
    Ok(reply::json(StatusCode::OK, content.unwrap_or_default()))
}

async fn stats(State(shared): State<Arc<Shared>>, Asked(query): Asked) -> Answer {
    run(&shared, "overview", json!({ "graph": graph_of(&shared, &query) })).await
}

async fn graphs(State(shared): State<Arc<Shared>>) -> Answer {
    run(&shared, "list_graphs", json!({})).await
}

async fn switch(State(shared): State<Arc<Shared>>, Given(request): Given) -> Answer {
    let Some(name) = request["name"].as_str() else {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "invalid_argument", "`name` is missing"));
    };
    let answer = run(&shared, "overview", json!({ "graph": name })).await?;
    name.clone_into(&mut shared.rest_graph.lock());
    Ok(answer)
}

async fn search(State(shared): State<Arc<Shared>>, Asked(query): Asked) -> Answer {
    let graph = graph_of(&shared, &query);
    let arguments =
        json!({ "graph": graph, "query": query.q.unwrap_or_default(), "limit": query.limit.unwrap_or(20) });
    run(&shared, "search", arguments).await
}

async fn create_entity(
    State(shared): State<Arc<Shared>>,
    Asked(query): Asked,
    Given(mut body): Given,
) -> Answer {
    set_graph(&shared, &query, &mut body)?;
    run(&shared, "add_entity", body).await
}

async fn read_entity(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    Asked(query): Asked,
) -> Answer {
    let graph = graph_of(&shared, &query);
    let id = id_of(&shared, &graph, name).await?;
    run(&shared, "entity", json!({ "graph": graph, "id": id })).await
}

async fn update_entity(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    Asked(query): Asked,
    Given(mut body): Given,
) -> Answer {
    let graph = graph_of(&shared, &query);
    let id = id_of(&shared, &graph, name).await?;
    set_graph(&shared, &query, &mut body)?;
    body["id"] = json!(id);
    run(&shared, "update_entity", body).await
}

async fn delete_entity(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    Asked(query): Asked,
) -> Answer {
    let graph = graph_of(&shared, &query);
    let id = id_of(&shared, &graph, name).await?;
    run(&shared, "delete_entities", json!({ "graph": graph, "ids": [id] })).await
}

fn set_graph(shared: &Shared, query: &GraphQuery, body: &mut Value) -> Result<(), Refusal> {
    let Value::Object(map) = body else {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "invalid_argument", "the body must be an object"));
    };
    map.entry("graph").or_insert_with(|| graph_of(shared, query).into());
    Ok(())
}

async fn id_of(shared: &Arc<Shared>, graph: &str, name: String) -> Result<String, Refusal> {
    let (app, graph) = (shared.app.clone(), graph.to_owned());
    let found = tokio::task::spawn_blocking(move || app.resolve(&graph, &name)).await;
    match found {
        Ok(outcome) => outcome.map_err(|error: ApiError| error.into()),
        Err(_) => Err(Refusal::not_found()),
    }
}

/// Whatever else a path is: a JSON 404.
pub(crate) async fn nothing() -> Response {
    Refusal::not_found().into_response()
}
