//! stdio, with the manners that the library's own transport lacks: every line that is no request is
//! answered once, and serving goes on.
//!
//! A thread of its own reads lines; the protocol's loop gets whole messages and writes its replies
//! itself, so that a call crosses as few threads as it can.

use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gm_model::limits::MAX_REQUEST_BYTES;
use parking_lot::{Condvar, Mutex};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientNotification, ClientRequest, JsonRpcMessage,
    JsonRpcNotification, JsonRpcRequest, RequestId, RequestMetaObject,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServiceExt};
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use crate::GraphMemServer;
use crate::reply;
use crate::screen::{Checked, error_line, screen};

/// Messages that may wait for the protocol before reading stops.
const WAITING_MESSAGES: usize = 64;

/// Serves until standard input ends. Standard output carries the protocol and nothing else.
pub async fn serve_stdio(server: GraphMemServer) -> io::Result<()> {
    widen(&io::stdout());
    let output = Output::new(io::stdout());
    let (sender, incoming) = mpsc::channel(WAITING_MESSAGES);
    let running = Arc::new(Running::default());
    let reader = Reader { messages: sender, replies: output.clone(), running: running.clone() };
    // Standard input blocks, and cannot be read in any other way on every system.
    std::thread::Builder::new()
        .name("stdin".into())
        .spawn(move || reader.read(BufReader::with_capacity(64 * 1024, io::stdin())))?;
    // An `initialize` that never comes is not an error: the client went away.
    let ended = match server.serve(Lines { incoming, output, running: running.clone() }).await {
        Ok(service) => service.waiting().await.map(drop),
        Err(_) => Ok(()),
    };
    running.end();
    ended.map_err(io::Error::other)
}

/// Calls that were handed on and not answered yet.
///
/// Calls run beside each other, except for those that change where others go: a client that sends
/// `switch_graph` and a write together means them in that order.
#[derive(Default)]
struct Running {
    calls: Mutex<HashSet<RequestId>>,
    fewer: Condvar,
    ended: AtomicBool,
}

/// Tools by which a caller's other calls go elsewhere.
const IN_TURN: [&str; 1] = ["switch_graph"];

impl Running {
    fn begin(&self, id: RequestId) {
        self.calls.lock().insert(id);
    }

    /// It was answered, or will not be.
    fn done(&self, id: &RequestId) {
        self.calls.lock().remove(id);
        self.fewer.notify_all();
    }

    fn end(&self) {
        self.ended.store(true, Ordering::Release);
        self.fewer.notify_all();
    }

    /// Waits until no call runs.
    fn wait(&self) {
        let mut calls = self.calls.lock();
        while !calls.is_empty() && !self.ended.load(Ordering::Acquire) {
            self.fewer.wait_for(&mut calls, Duration::from_secs(1));
        }
    }
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
}

impl<W: Write + Send + 'static> Transport<RoleServer> for Lines<W> {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
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

/// The reading side.
struct Reader<W> {
    messages: mpsc::Sender<RxJsonRpcMessage<RoleServer>>,
    replies: Output<W>,
    running: Arc<Running>,
}

impl<W: Write> Reader<W> {
    /// Hands well-formed messages on; answers the rest itself.
    fn read(&self, mut input: impl BufRead) {
        let mut line = Vec::new();
        // A notice before any request would end the protocol before it began.
        let mut begun = false;
        loop {
            line.clear();
            let refused = match read_line(&mut input, &mut line) {
                Ok(Line::End) | Err(_) => return,
                Ok(Line::TooLong) => {
                    Some(error_line(Value::Null, -32600, "the message is larger than 16 MiB"))
                }
                Ok(Line::Whole) => {
                    let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line).trim_ascii();
                    if text.is_empty() {
                        continue;
                    }
                    match screen(text) {
                        Checked::Drop => None,
                        Checked::Answer(reply) => Some(reply),
                        Checked::Forward(message) => {
                            begun |= message.contains_key("id");
                            if !begun {
                                continue;
                            }
                            match typed(message) {
                                Ok(Some(message)) => {
                                    if !self.hand_on(message) {
                                        return;
                                    }
                                    None
                                }
                                Ok(None) => None,
                                Err(reply) => Some(reply),
                            }
                        }
                    }
                }
            };
            if let Some(refused) = refused
                && self.replies.line(&refused).is_err()
            {
                return;
            }
        }
    }

    /// False if the protocol has ended.
    fn hand_on(&self, message: RxJsonRpcMessage<RoleServer>) -> bool {
        match &message {
            JsonRpcMessage::Request(JsonRpcRequest {
                id,
                request: ClientRequest::CallToolRequest(call),
                ..
            }) => {
                let in_turn = IN_TURN.contains(&call.params.name.as_ref());
                if in_turn {
                    self.running.wait();
                }
                self.running.begin(id.clone());
                let handed_on = self.messages.blocking_send(message).is_ok();
                if in_turn && handed_on {
                    self.running.wait();
                }
                handed_on
            }
            JsonRpcMessage::Notification(JsonRpcNotification {
                notification: ClientNotification::CancelledNotification(cancelled),
                ..
            }) => {
                // A call that was cancelled gets no reply.
                cancelled.params.request_id.iter().for_each(|id| self.running.done(id));
                self.messages.blocking_send(message).is_ok()
            }
            _ => self.messages.blocking_send(message).is_ok(),
        }
    }
}

/// A message as the protocol knows it; `None` for a notice that it does not know.
///
/// A plain call of a tool is put together here: the library tries every kind of request in turn, and
/// copies a large batch several times on the way.
fn typed(mut message: Map<String, Value>) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Vec<u8>> {
    if message.get("method").is_some_and(|method| method == "tools/call")
        && let Some(call) = plain_call(&mut message)
    {
        return Ok(Some(call));
    }
    let id = message.get("id").cloned();
    match serde_json::from_value(Value::Object(message)) {
        Ok(message) => Ok(Some(message)),
        // Notices are never answered, known or not.
        Err(_) => match id {
            None => Ok(None),
            Some(id) => Err(error_line(id, -32600, "the request does not have the shape of its method")),
        },
    }
}

/// `None`, and nothing taken out, if the call says more than a tool, its arguments and metadata.
fn plain_call(message: &mut Map<String, Value>) -> Option<RxJsonRpcMessage<RoleServer>> {
    let id = match message.get("id")? {
        Value::String(text) => RequestId::String(text.as_str().into()),
        Value::Number(number) => RequestId::Number(number.as_i64()?),
        _ => return None,
    };
    let params = message.get_mut("params")?.as_object_mut()?;
    let plain = ["name", "arguments", "_meta"];
    if !params.keys().all(|key| plain.contains(&key.as_str())) {
        return None;
    }
    let mut call = CallToolRequestParams::new(params.get("name")?.as_str()?.to_owned());
    if let Some(Value::Object(arguments)) = params.get_mut("arguments").map(Value::take) {
        call = call.with_arguments(arguments);
    }
    let mut request = CallToolRequest::new(call);
    if let Some(Value::Object(meta)) = params.get_mut("_meta").map(Value::take) {
        request.extensions.insert(RequestMetaObject::from(meta));
    }
    Some(JsonRpcMessage::request(ClientRequest::CallToolRequest(request), id))
}

enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads one line of bounded length; what is over the bound is read away.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    let mut bounded = input.take(MAX_REQUEST_BYTES as u64 + 1);
    let n = bounded.read_until(b'\n', line)?;
    if n == 0 {
        return Ok(Line::End);
    }
    if n <= MAX_REQUEST_BYTES || line.last() == Some(&b'\n') {
        return Ok(Line::Whole);
    }
    loop {
        let available = input.fill_buf()?;
        if available.is_empty() {
            return Ok(Line::TooLong);
        }
        let newline = available.iter().position(|&b| b == b'\n');
        let used = newline.map_or(available.len(), |at| at + 1);
        input.consume(used);
        if newline.is_some() {
            return Ok(Line::TooLong);
        }
    }
}
