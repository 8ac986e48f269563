//! Who may come in. One layer for every route: Host, then Origin; the token layers stand on the
//! routes that carry data.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use gm_mcp::HttpCaller;
use http::{HeaderMap, Method, StatusCode, header};
use rmcp::transport::streamable_http_server::SessionManager;

use crate::limits::{Held, MAX_OPEN_OF_AGENT, REQUESTS_A_SECOND};
use crate::listener::Shared;
use crate::reply::Refusal;

/// Names under which this listener may be addressed.
#[derive(Debug, Clone)]
pub(crate) struct Allowed {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Allowed {
    pub(crate) fn for_port(port: u16) -> Self {
        let hosts: Vec<String> =
            ["127.0.0.1", "localhost", "[::1]"].iter().map(|h| format!("{h}:{port}")).collect();
        let origins = hosts.iter().map(|host| format!("http://{host}")).collect();
        Self { hosts, origins }
    }

    /// One address of this machine, for agents on others. No page is let in there.
    pub(crate) fn for_address(address: SocketAddr) -> Self {
        Self { hosts: vec![address.to_string()], origins: Vec::new() }
    }

    pub(crate) fn host(&self, headers: &HeaderMap) -> bool {
        // Exactly one: two could be read differently by two readers.
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|value| value.to_str().ok());
        let named =
            host.is_some_and(|host| self.hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(host)));
        named && hosts.next().is_none()
    }

    /// Programs send no Origin; a browser's must be ours.
    pub(crate) fn origin(&self, headers: &HeaderMap) -> bool {
        headers.get_all(header::ORIGIN).iter().all(|value| {
            value
                .to_str()
                .is_ok_and(|origin| self.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin)))
        })
    }
}

/// Host and Origin, for every request whatever its path.
pub(crate) async fn check_source(State(allowed): State<Allowed>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    if !allowed.host(headers) {
        return Refusal::new(StatusCode::FORBIDDEN, "host_refused", "this Host is not served")
            .into_response();
    }
    if !allowed.origin(headers) {
        return Refusal::new(StatusCode::FORBIDDEN, "origin_refused", "this Origin is not served")
            .into_response();
    }
    next.run(request).await
}

/// An agent's token, for `/mcp`.
pub(crate) async fn check_agent(
    State(shared): State<Arc<Shared>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(token) = bearer(request.headers()).map(str::to_owned) else {
        return unauthorized("a token is needed: `Authorization: Bearer …`");
    };
    let state = shared.app.state().clone();
    // The lookup reads a file; it must not hold up the async threads.
    let found = tokio::task::spawn_blocking(move || state.identity_by_token(&token)).await;
    let identity = match found {
        Ok(Ok(Some(identity))) => identity,
        Ok(Ok(None)) => return unauthorized("this token is not known; connect the agent again"),
        _ => {
            return Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "storage", "identities cannot be read now")
                .into_response();
        }
    };
    let name = identity.name.clone();
    let session = session_of(request.headers());
    if let Some(session) = &session
        && !shared.sessions.belongs(session, &name)
    {
        return Refusal::new(StatusCode::NOT_FOUND, "no_session", "no such session; initialize again")
            .into_response();
    }
    let Some(place) = shared.open.take(&name) else {
        return Refusal::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too_many_requests",
            &format!("{MAX_OPEN_OF_AGENT} of your requests are open, streams among them; end some first"),
        )
        .into_response();
    };
    if !shared.paces.allows(&name) {
        let mut response = Refusal::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too_many_requests",
            &format!("more than {REQUESTS_A_SECOND} requests a second; wait a second and go on"),
        )
        .into_response();
        response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
        return response;
    }
    request.extensions_mut().insert(HttpCaller(identity));
    let ends_session = *request.method() == Method::DELETE;
    let response = next.run(request).await;
    if let (true, Some(session)) = (ends_session && response.status().is_success(), &session) {
        shared.sessions.forget(session);
    }
    if response.status() == StatusCode::NOT_FOUND
        && let Some(session) = &session
    {
        shared.sessions.forget(session);
    }
    if session.is_none()
        && let Some(begun) = session_of(response.headers())
    {
        for ended in shared.sessions.bind(&begun, &name) {
            // It may have ended by itself.
            let _ = shared.mcp_sessions.close_session(&ended.into()).await;
        }
    }
    response.map(|body| Held::body(body, place))
}

/// A browser's token, for `/api`.
pub(crate) async fn check_browser(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let known = bearer(request.headers()).is_some_and(|token| shared.sessions.is_browser_token(token));
    if !known {
        return unauthorized("this page needs a fresh link; run `graph-mem ui`");
    }
    // Neither type can be sent by a form: a page of another site would have to ask first.
    let takes_bytes = request.uri().path().starts_with("/api/bytes/");
    let (is_right, wanted) = if takes_bytes {
        (is_bytes(request.headers()), "send `Content-Type: application/octet-stream`")
    } else {
        (is_json(request.headers()), "send `Content-Type: application/json`")
    };
    if has_body(request.method()) && !is_right {
        return Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", wanted).into_response();
    }
    next.run(request).await
}

fn is_bytes(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/octet-stream"))
}

pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

fn has_body(method: &Method) -> bool {
    *method == Method::POST || *method == Method::PUT
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn session_of(headers: &HeaderMap) -> Option<String> {
    headers.get("mcp-session-id")?.to_str().ok().map(str::to_owned)
}

fn unauthorized(message: &str) -> Response {
    let mut response = Refusal::new(StatusCode::UNAUTHORIZED, "unauthorized", message).into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn only_our_own_names_are_served() {
        let allowed = Allowed::for_port(7437);
        for good in ["127.0.0.1:7437", "localhost:7437", "[::1]:7437"] {
            assert!(allowed.host(&headers(&[(header::HOST, good)])), "{good}");
        }
        for bad in ["evil.example", "127.0.0.1", "127.0.0.1:80", "localhost.evil.example:7437", ""] {
            assert!(!allowed.host(&headers(&[(header::HOST, bad)])), "{bad}");
        }
        assert!(!allowed.host(&HeaderMap::new()));
    }

    #[test]
    fn foreign_origins_are_refused_and_none_is_a_program() {
        let allowed = Allowed::for_port(7437);
        assert!(allowed.origin(&HeaderMap::new()));
        assert!(allowed.origin(&headers(&[(header::ORIGIN, "http://127.0.0.1:7437")])));
        for bad in [
            "null",
            "https://evil.example",
            "http://127.0.0.1:9",
            "http://localhost.evil.example",
            "tauri://localhost",
            "https://127.0.0.1:7437",
        ] {
            assert!(!allowed.origin(&headers(&[(header::ORIGIN, bad)])), "{bad}");
        }
    }
}
