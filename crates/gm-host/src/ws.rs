//! `/ws`: events for a browser. The token comes in the first message, so that it is in no URL.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;

use crate::listener::Shared;

/// How long a socket may stay silent before it has said who it is.
const HELLO_WITHIN: Duration = Duration::from_secs(5);
/// A first message is a token and nothing more.
const MAX_MESSAGE_BYTES: usize = 4096;

pub(crate) async fn open(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.max_message_size(MAX_MESSAGE_BYTES).on_upgrade(move |socket| follow(shared, socket))
}

#[derive(Deserialize)]
struct Hello {
    token: String,
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
                Some(Ok(_)) => {}
                _ => return,
            },
            () = shared.closing.cancelled() => return,
        }
    }
}
