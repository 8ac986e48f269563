//! Who is at the other end of a handshake.

use std::sync::Arc;

use parking_lot::Mutex;
use rmcp::model::Implementation;

/// How far the handshake has come. Only a client that made it step by step has its calls run on the
/// reading threads: of any other the protocol's loop decides what it may ask.
#[derive(Default)]
pub(super) struct Session(Mutex<Handshake>);

#[derive(Default)]
enum Handshake {
    #[default]
    None,
    Asked(Arc<Implementation>),
    Accepted(Arc<Implementation>),
    Done(Arc<Implementation>),
    /// Out of order, or of a protocol whose requests stand alone.
    Other,
}

impl Session {
    /// An `initialize` came.
    pub(super) fn asked(&self, client: Implementation) {
        let mut handshake = self.0.lock();
        *handshake = match *handshake {
            Handshake::None => Handshake::Asked(Arc::new(client)),
            _ => Handshake::Other,
        };
    }

    /// It is being granted.
    pub(super) fn accepted(&self) {
        let mut handshake = self.0.lock();
        *handshake = match std::mem::take(&mut *handshake) {
            Handshake::Asked(client) => Handshake::Accepted(client),
            _ => Handshake::Other,
        };
    }

    /// The client has seen that.
    pub(super) fn begun(&self) {
        let mut handshake = self.0.lock();
        *handshake = match std::mem::take(&mut *handshake) {
            Handshake::Accepted(client) | Handshake::Done(client) => Handshake::Done(client),
            _ => Handshake::Other,
        };
    }

    /// The client, once the handshake is done.
    pub(super) fn client(&self) -> Option<Arc<Implementation>> {
        match &*self.0.lock() {
            Handshake::Done(client) => Some(client.clone()),
            _ => None,
        }
    }
}
