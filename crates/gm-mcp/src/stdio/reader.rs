//! The reading side: lines become messages, and calls of tools become answers.
//!
//! One of several threads reads at a time. A plain call is run by the thread that read it, while the
//! next thread reads on; handing it to the protocol's loop would wake four threads one after another,
//! which takes longer than most calls do.

use std::io::{self, BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use gm_model::limits::MAX_REQUEST_BYTES;
use parking_lot::{Mutex, MutexGuard};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientNotification, ClientRequest, ErrorData, Implementation,
    JsonRpcMessage, JsonRpcNotification, JsonRpcRequest, RequestId, RequestMetaObject, ServerResult,
};
use rmcp::service::RxJsonRpcMessage;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use super::Output;
use super::running::Running;
use super::session::Session;
use crate::GraphMemServer;
use crate::reply;
use crate::screen::{Checked, error_line, screen};

/// Threads that read. All but one may run calls; what comes meanwhile goes to the protocol's loop, so
/// that a ping is answered however long calls take.
pub(super) const READERS: usize = 4;

/// Tools by which a caller's other calls go elsewhere.
const IN_TURN: [&str; 1] = ["switch_graph"];

/// Tools that tell how far they are.
const TOLD_OF: [&str; 3] = ["add_entities", "add_relationships", "audit_graph"];

pub(super) struct Reader<R, W> {
    input: Mutex<Input<R>>,
    server: GraphMemServer,
    messages: mpsc::Sender<RxJsonRpcMessage<RoleServer>>,
    replies: Output<W>,
    running: Arc<Running>,
    session: Arc<Session>,
    /// A permit for each call on a reading thread.
    here: Mutex<usize>,
}

struct Input<R> {
    lines: R,
    line: Vec<u8>,
    /// A notice before anybody began would end the protocol.
    has_begun: bool,
    has_ended: bool,
}

/// What is left to do when a line was read and the next thread may read on.
enum Step {
    Call { id: RequestId, call: Box<CallToolRequestParams>, client: Arc<Implementation> },
    Nothing,
    End,
}

impl<R: BufRead, W: Write> Reader<R, W> {
    pub(super) fn new(
        lines: R,
        server: GraphMemServer,
        messages: mpsc::Sender<RxJsonRpcMessage<RoleServer>>,
        replies: Output<W>,
        running: Arc<Running>,
        session: Arc<Session>,
    ) -> Self {
        let input = Input { lines, line: Vec::new(), has_begun: false, has_ended: false };
        Self { input: Mutex::new(input), server, messages, replies, running, session, here: Mutex::new(0) }
    }

    /// Reads until the input ends.
    pub(super) fn read(&self) {
        loop {
            let mut input = self.input.lock();
            match self.step(&mut input) {
                Step::Call { id, call, client } => {
                    // Whatever comes behind a call like this meets what it did.
                    let kept = IN_TURN.contains(&call.name.as_ref()).then_some(input);
                    let answered = self.answer(id, *call, &client, kept);
                    *self.here.lock() -= 1;
                    if answered.is_err() {
                        self.input.lock().has_ended = true;
                    }
                }
                Step::Nothing => {}
                Step::End => {
                    input.has_ended = true;
                    return;
                }
            }
        }
    }

    fn step(&self, input: &mut Input<R>) -> Step {
        if input.has_ended {
            return Step::End;
        }
        input.line.clear();
        let refused = match read_line(&mut input.lines, &mut input.line) {
            Ok(Line::End) | Err(_) => return Step::End,
            Ok(Line::TooLong) => error_line(Value::Null, -32600, "the message is larger than 16 MiB"),
            Ok(Line::Whole) => {
                let text = input.line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&input.line).trim_ascii();
                if text.is_empty() {
                    return Step::Nothing;
                }
                match screen(text) {
                    Checked::Drop => return Step::Nothing,
                    Checked::Answer(reply) => reply,
                    Checked::Forward(message) => {
                        input.has_begun |= begins(&message);
                        if !input.has_begun && !message.contains_key("id") {
                            return Step::Nothing;
                        }
                        match typed(message) {
                            Ok(Some(message)) => return self.take(message),
                            Ok(None) => return Step::Nothing,
                            Err(reply) => reply,
                        }
                    }
                }
            }
        };
        if self.replies.line(&refused).is_err() { Step::End } else { Step::Nothing }
    }

    /// Sees to a message: a call for this thread to run, or one for the protocol's loop.
    fn take(&self, message: RxJsonRpcMessage<RoleServer>) -> Step {
        let handed_on = match message {
            JsonRpcMessage::Request(JsonRpcRequest {
                id,
                request: ClientRequest::CallToolRequest(call),
                ..
            }) => {
                let in_turn = IN_TURN.contains(&call.params.name.as_ref());
                if in_turn {
                    self.running.wait();
                }
                if let Some(client) = self.client_here(&id, &call) {
                    return Step::Call { id, call: Box::new(call.params), client };
                }
                self.running.begin(id.clone());
                let call = ClientRequest::CallToolRequest(call);
                let handed_on = self.hand_on(JsonRpcMessage::request(call, id));
                if in_turn && handed_on {
                    self.running.wait();
                }
                handed_on
            }
            JsonRpcMessage::Request(JsonRpcRequest {
                request: ClientRequest::InitializeRequest(ref asked),
                ..
            }) => {
                self.session.asked(asked.params.client_info.clone());
                self.hand_on(message)
            }
            JsonRpcMessage::Notification(JsonRpcNotification { ref notification, .. }) => {
                match notification {
                    // A call that was cancelled gets no reply.
                    ClientNotification::CancelledNotification(cancelled) => {
                        cancelled.params.request_id.iter().for_each(|id| self.running.done(id));
                    }
                    ClientNotification::InitializedNotification(_) => self.session.begun(),
                    _ => {}
                }
                self.hand_on(message)
            }
            _ => self.hand_on(message),
        };
        if handed_on { Step::Nothing } else { Step::End }
    }

    /// The caller of a call that this thread may run; a place for it is taken then.
    fn client_here(&self, id: &RequestId, call: &CallToolRequest) -> Option<Arc<Implementation>> {
        let client = self.session.client()?;
        // Notices of progress are the protocol's loop's to send.
        let asks = call.extensions.get::<RequestMetaObject>();
        if asks.is_some_and(|meta| meta.get_progress_token().is_some())
            && TOLD_OF.contains(&call.params.name.as_ref())
        {
            return None;
        }
        // Metadata of the protocol's own change how a request is to be understood.
        let has_own = |meta: &RequestMetaObject| meta.keys().any(|key| key.contains("modelcontextprotocol"));
        if call.extensions.get::<RequestMetaObject>().is_some_and(has_own) {
            return None;
        }
        let mut here = self.here.lock();
        if *here + 1 == READERS || !self.running.begin_only(id) {
            return None;
        }
        *here += 1;
        Some(client)
    }

    /// Runs a call and writes its answer. `kept` is given back between the two.
    fn answer(
        &self,
        id: RequestId,
        call: CallToolRequestParams,
        client: &Implementation,
        kept: Option<MutexGuard<'_, Input<R>>>,
    ) -> io::Result<()> {
        let failed = |_| Err(ErrorData::internal_error("the tool failed unexpectedly", None));
        let called = AssertUnwindSafe(|| self.server.call_on_stdio(call, client));
        let outcome = catch_unwind(called).unwrap_or_else(failed);
        drop(kept);
        let reply = match outcome {
            Ok(mut result) => {
                // A word of the newer protocol, which has no handshake.
                result.result_type = None;
                JsonRpcMessage::response(ServerResult::CallToolResult(result), id.clone())
            }
            Err(error) => JsonRpcMessage::error(error, Some(id.clone())),
        };
        let written = if self.running.is_awaited(&id) {
            reply::line(&reply).and_then(|line| self.replies.line(&line))
        } else {
            Ok(())
        };
        self.running.done(&id);
        written
    }

    /// False if the protocol has ended.
    fn hand_on(&self, message: RxJsonRpcMessage<RoleServer>) -> bool {
        self.messages.blocking_send(message).is_ok()
    }
}

/// Whether a message begins a session: by a handshake, or by saying in itself which protocol it speaks.
fn begins(message: &Map<String, Value>) -> bool {
    let meta = || message.get("params")?.get("_meta")?.get("io.modelcontextprotocol/protocolVersion");
    message.get("method").is_some_and(|method| method == "initialize") || meta().is_some()
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
    let mut bounded = input.by_ref().take(MAX_REQUEST_BYTES as u64 + 1);
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
