//! `/ws`: events and frames of a layout for a browser. The token comes in the first message, so that it
//! is in no URL. Afterwards each text message asks for a frame, `{"id", "layout", "after"}`; the answer is
//! binary, the id (little-endian, four bytes) and the frame as `layout_frame` gives it, or the text
//! `{"id", "error"}`.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;

use gm_api::{ApiError, App, Caller, Reply};
use tokio::task::JoinSet;

use crate::listener::Shared;

/// How long a socket may stay silent before it has said who it is.
const HELLO_WITHIN: Duration = Duration::from_secs(5);
/// A token, or three numbers.
const MAX_MESSAGE_BYTES: usize = 4096;
/// Frames a page may wait for at a time; it has need of one.
const MAX_ASKED: usize = 4;

pub(crate) async fn open(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.max_message_size(MAX_MESSAGE_BYTES).on_upgrade(move |socket| follow(shared, socket))
}

#[derive(Deserialize)]
struct Hello {
    token: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ask {
    id: u32,
    layout: u32,
    after: u32,
}

async fn follow(shared: Arc<Shared>, mut socket: WebSocket) {
    let first = tokio::time::timeout(HELLO_WITHIN, socket.recv()).await;
    let Ok(Some(Ok(Message::Text(text)))) = first else { return };
    let known = serde_json::from_str::<Hello>(&text)
        .is_ok_and(|hello| shared.sessions.is_browser_token(&hello.token));
    if !known {
        return;
    }
    let mut events = shared.events.subscribe();
    let mut frames = JoinSet::new();
    loop {
        tokio::select! {
            event = events.recv() => match event {
                Ok(text) => {
                    if socket.send(Message::Text(text.into())).await.is_err() {
                        return;
                    }
                }
                // Events only say that something happened; the next one leads to the same place.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            },
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => match serde_json::from_str::<Ask>(&text) {
                    Ok(ask) if frames.len() < MAX_ASKED => {
                        let app = shared.app.clone();
                        frames.spawn_blocking(move || frame(&app, &ask));
                    }
                    Ok(ask) => {
                        let busy = ApiError::new("too_many_requests", "wait for the frames that were asked for");
                        if socket.send(refused(Some(ask.id), &busy)).await.is_err() {
                            return;
                        }
                    }
                    Err(_) => {
                        let wrong = ApiError::new("invalid_argument", "`id`, `layout` and `after` must be whole numbers");
                        if socket.send(refused(None, &wrong)).await.is_err() {
                            return;
                        }
                    }
                },
                Some(Ok(_)) => {}
                _ => return,
            },
            Some(made) = frames.join_next() => {
                let Ok(message) = made else { continue };
                if socket.send(message).await.is_err() {
                    return;
                }
            },
            () = shared.closing.cancelled() => return,
        }
    }
}

fn frame(app: &App, ask: &Ask) -> Message {
    let asked = serde_json::json!({ "layout": ask.layout, "after": ask.after });
    match app.call(Caller::Browser, "layout_frame", asked) {
        Ok(Reply::Bytes(bytes)) => {
            let mut message = Vec::with_capacity(4 + bytes.len());
            message.extend(ask.id.to_le_bytes());
            message.extend(bytes);
            Message::Binary(message.into())
        }
        Ok(Reply::Json(_)) => refused(Some(ask.id), &ApiError::new("internal", "a frame is bytes")),
        Err(error) => refused(Some(ask.id), &error),
    }
}

fn refused(id: Option<u32>, error: &ApiError) -> Message {
    Message::Text(serde_json::json!({ "id": id, "error": error }).to_string().into())
}
