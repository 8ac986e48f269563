//! Answers of the listener's own: JSON, always, also for errors.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use gm_api::ApiError;
use http::{StatusCode, header};

/// An error with the status that fits its code.
pub(crate) struct Refusal(pub StatusCode, pub ApiError);

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: &str, message: &str) -> Self {
        Self(status, ApiError::new(code, message))
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "nothing is at this path")
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        let status = match error.code.as_str() {
            "invalid_argument" | "invalid_file" => StatusCode::BAD_REQUEST,
            "too_large" => StatusCode::PAYLOAD_TOO_LARGE,
            "not_found" | "unknown_command" => StatusCode::NOT_FOUND,
            "window_only" | "permission_denied" | "read_only" => StatusCode::FORBIDDEN,
            "ambiguous" | "already_exists" | "conflict" | "changed_meanwhile" | "in_use"
            | "nothing_to_do" => StatusCode::CONFLICT,
            "busy" | "no_listener" => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self(status, error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = serde_json::to_string(&self.1).expect("an error is plain data");
        let mut response = json(self.0, body);
        // Whoever is not let in, or sends too much, has nothing more to say on this connection.
        if matches!(
            self.0,
            StatusCode::UNAUTHORIZED
                | StatusCode::FORBIDDEN
                | StatusCode::PAYLOAD_TOO_LARGE
                | StatusCode::REQUEST_TIMEOUT
        ) {
            response.headers_mut().insert(header::CONNECTION, header::HeaderValue::from_static("close"));
        }
        response
    }
}

pub(crate) fn json(status: StatusCode, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    response
}
