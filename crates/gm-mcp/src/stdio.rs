//! stdio, with the manners that the library's own transport lacks: every line that is no request is
//! answered once, and serving goes on.
//!
//! Threads of its own read lines and run plain calls of tools themselves (`reader`); the protocol's loop
//! gets all other messages whole, and writes its replies itself. A call crosses as few threads as it can.

mod reader;
mod running;
mod session;

use std::io::{self, BufReader, Write};
use std::sync::Arc;

use parking_lot::Mutex;
use rmcp::model::{JsonRpcMessage, ProtocolVersion, ServerResult};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServiceExt};
use tokio::sync::mpsc;

use self::reader::{READERS, Reader};
use self::running::Running;
use self::session::Session;
use crate::GraphMemServer;
use crate::reply;

/// Messages that may wait for the protocol before reading stops.
const WAITING_MESSAGES: usize = 64;

/// Serves until standard input ends. Standard output carries the protocol and nothing else.
pub async fn serve_stdio(server: GraphMemServer) -> io::Result<()> {
    widen(&io::stdout());
    let output = Output::new(io::stdout());
    let (sender, incoming) = mpsc::channel(WAITING_MESSAGES);
    let running = Arc::new(Running::default());
    let session = Arc::new(Session::default());
    let reader = Arc::new(Reader::new(
        BufReader::with_capacity(64 * 1024, io::stdin()),
        server.clone(),
        sender,
        output.clone(),
        running.clone(),
        session.clone(),
    ));
    // Standard input blocks, and cannot be read in any other way on every system.
    for _ in 0..READERS {
        let (reader, runtime) = (reader.clone(), tokio::runtime::Handle::current());
        std::thread::Builder::new().name("stdin".into()).spawn(move || {
            let _entered = runtime.enter();
            reader.read();
        })?;
    }
    drop(reader);
    // An `initialize` that never comes is not an error: the client went away.
    let ended = match server.serve(Lines { incoming, output, running: running.clone(), session }).await {
        Ok(service) => service.waiting().await.map(drop),
        Err(_) => Ok(()),
    };
    running.end();
    ended.map_err(io::Error::other)
}

/// Bytes that a pipe to the client shall hold: a long answer is handed over at once instead of in turns
/// with whoever reads it.
#[cfg(target_os = "linux")]
const PIPE_BYTES: usize = 1024 * 1024;

/// Makes the output hold more, if it is a pipe and the system allows it.
fn widen(output: &io::Stdout) {
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(output, PIPE_BYTES);
    #[cfg(not(target_os = "linux"))]
    let _ = output;
}

/// Whole lines, one at a time, whoever writes them.
struct Output<W>(Arc<Mutex<W>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<W: Write> Output<W> {
    fn new(writer: W) -> Self {
        Self(Arc::new(Mutex::new(writer)))
    }

    fn line(&self, line: &[u8]) -> io::Result<()> {
        let mut writer = self.0.lock();
        writer.write_all(line)?;
        writer.flush()
    }
}

/// The protocol's side: messages from the reading thread, replies to the output.
struct Lines<W> {
    incoming: mpsc::Receiver<RxJsonRpcMessage<RoleServer>>,
    output: Output<W>,
    running: Arc<Running>,
    session: Arc<Session>,
}

impl<W: Write + Send + 'static> Transport<RoleServer> for Lines<W> {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        if let JsonRpcMessage::Response(response) = &item
            && let ServerResult::InitializeResult(granted) = &response.result
            && granted.protocol_version <= ProtocolVersion::V_2025_11_25
        {
            self.session.accepted();
        }
        let outcome = reply::line(&item).and_then(|line| self.output.line(&line));
        match &item {
            JsonRpcMessage::Response(response) => self.running.done(&response.id),
            JsonRpcMessage::Error(error) => error.id.iter().for_each(|id| self.running.done(id)),
            _ => {}
        }
        std::future::ready(outcome)
    }

    /// The end of input is the end of the session.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.incoming.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
