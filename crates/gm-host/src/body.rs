//! Reading request bodies, bounded in size and time.

use std::time::Duration;

use axum::body::Body;
use futures::StreamExt;
use gm_model::limits::MAX_REQUEST_BYTES;
use http::StatusCode;

use crate::reply::Refusal;

/// What is over the bound is read away up to here, so that a client still sending hears the answer
/// instead of a broken connection.
const MAX_DRAINED_BYTES: usize = 4 * MAX_REQUEST_BYTES;
/// How long a body may take to arrive.
const WITHIN: Duration = Duration::from_secs(30);

/// The whole body, or why it is not taken.
pub(crate) async fn read(body: Body) -> Result<Vec<u8>, Refusal> {
    read_up_to(MAX_REQUEST_BYTES, body).await
}

/// The same with another bound.
pub(crate) async fn read_up_to(most: usize, body: Body) -> Result<Vec<u8>, Refusal> {
    match tokio::time::timeout(WITHIN, collect(most, body)).await {
        Ok(outcome) => outcome,
        Err(_) => {
            Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the body took longer than 30 s"))
        }
    }
}

async fn collect(most: usize, body: Body) -> Result<Vec<u8>, Refusal> {
    let mut chunks = body.into_data_stream();
    let (mut whole, mut n_bytes) = (Vec::new(), 0);
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| {
            Refusal::new(StatusCode::BAD_REQUEST, "invalid_argument", "the body did not arrive whole")
        })?;
        n_bytes += chunk.len();
        if n_bytes <= most {
            whole.extend_from_slice(&chunk);
        } else {
            whole = Vec::new();
        }
        if n_bytes > MAX_DRAINED_BYTES {
            break;
        }
    }
    if n_bytes > most {
        let bound =
            if most < 1 << 20 { format!("{} KiB", most >> 10) } else { format!("{} MiB", most >> 20) };
        let message = format!("this request may have {bound} at most");
        return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", &message));
    }
    Ok(whole)
}
