//! Messages before the protocol sees them: what is no request is answered here, by the rules of
//! JSON-RPC 2.0, and serving goes on.

use serde_json::{Map, Value, json};

/// What is to be done with a message.
pub enum Checked {
    /// Well formed: hand it on.
    Forward(Map<String, Value>),
    /// The reply to a message that is none.
    Answer(Vec<u8>),
    /// Nobody asked.
    Drop,
}

/// Looks at one message.
pub fn screen(text: &[u8]) -> Checked {
    let value: Value = match serde_json::from_slice(text) {
        Ok(value) => value,
        Err(_) => return Checked::Answer(error_line(Value::Null, -32700, "the line is not JSON")),
    };
    let mut message = match value {
        Value::Object(message) => message,
        Value::Array(_) => {
            let what = "batches are not part of this protocol version";
            return Checked::Answer(error_line(Value::Null, -32600, what));
        }
        _ => return Checked::Answer(error_line(Value::Null, -32600, "a message is an object")),
    };
    let id = match message.get("id") {
        Some(id @ Value::String(_)) => id.clone(),
        Some(id @ Value::Number(number)) if number.is_i64() => id.clone(),
        Some(_) => {
            return Checked::Answer(error_line(Value::Null, -32600, "`id` must be text or a whole number"));
        }
        None => Value::Null,
    };
    if message.get("jsonrpc") != Some(&json!("2.0")) {
        return Checked::Answer(error_line(id, -32600, "`jsonrpc` must be \"2.0\""));
    }
    let Some(method) = message.get("method").cloned() else {
        // A reply to something that was never asked.
        return if message.contains_key("result") || message.contains_key("error") {
            Checked::Drop
        } else {
            Checked::Answer(error_line(id, -32600, "`method` is missing"))
        };
    };
    let Some(method) = method.as_str() else {
        return Checked::Answer(error_line(id, -32600, "`method` must be text"));
    };
    if message.contains_key("result") || message.contains_key("error") {
        return Checked::Answer(error_line(id, -32600, "a message is a request or a reply, not both"));
    }
    // Some clients send null for what they leave out.
    if message.get("params").is_some_and(Value::is_null) {
        message.shift_remove("params");
    }
    if let Some(Value::Object(params)) = message.get_mut("params")
        && params.get("_meta").is_some_and(Value::is_null)
    {
        params.shift_remove("_meta");
    }
    let params = message.get("params");
    let meta = params.and_then(|params| params.get("_meta"));
    if meta.is_some_and(|meta| !meta.is_object()) {
        return Checked::Answer(error_line(id, -32602, "`params._meta` must be an object"));
    }
    if params.is_some_and(|params| !params.is_object()) {
        return Checked::Answer(error_line(id, -32602, "`params` must be an object"));
    }
    if !id.is_null()
        && let Some(problem) = misshapen(method, params)
    {
        return Checked::Answer(error_line(id, -32602, &problem));
    }
    Checked::Forward(message)
}

/// What a field of `params` has to be.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Text,
    /// `null` counts as absent.
    Object,
}

use Shape::{Object, Text};

/// A path, with dots between levels, what stands there, and whether it must be there.
type Field = (&'static str, Shape, bool);

/// Fields of each method's `params`. The protocol's
/// library takes what does not fit for a method that it does not know.
const SHAPES: &[(&str, &[Field])] = &[
    (
        "tools/call",
        &[
            ("name", Text, true),
            ("arguments", Object, false),
            ("inputResponses", Object, false),
            ("requestState", Text, false),
        ],
    ),
    ("tools/list", &[("cursor", Text, false)]),
    ("resources/list", &[("cursor", Text, false)]),
    ("resources/templates/list", &[("cursor", Text, false)]),
    ("prompts/list", &[("cursor", Text, false)]),
    ("resources/read", &[("uri", Text, true)]),
    ("resources/subscribe", &[("uri", Text, true)]),
    ("resources/unsubscribe", &[("uri", Text, true)]),
    ("prompts/get", &[("name", Text, true), ("arguments", Object, false)]),
    (
        "completion/complete",
        &[
            ("ref", Object, true),
            ("ref.type", Text, true),
            ("argument", Object, true),
            ("argument.name", Text, true),
            ("argument.value", Text, true),
            ("context", Object, false),
            ("context.arguments", Object, false),
        ],
    ),
    ("subscriptions/listen", &[("notifications", Object, true)]),
    (
        "initialize",
        &[
            ("protocolVersion", Text, true),
            ("capabilities", Object, true),
            ("clientInfo", Object, true),
            ("clientInfo.name", Text, true),
            ("clientInfo.version", Text, true),
        ],
    ),
];

/// Where a request of the stateless revision says so, since when there is one, and what it has no more.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const STATELESS: &str = "2026-07-28";
const OF_HANDSHAKES: [&str; 3] = ["initialize", "resources/subscribe", "resources/unsubscribe"];

/// Which field of a method's `params` is not what it should be.
fn misshapen(method: &str, params: Option<&Value>) -> Option<String> {
    let (_, fields) = SHAPES.iter().find(|(known, _)| *known == method)?;
    let version = params.and_then(|params| params.get("_meta")?.get(VERSION)?.as_str());
    if OF_HANDSHAKES.contains(&method) && version.is_some_and(|version| version >= STATELESS) {
        // Whatever it says, there is no such method.
        return None;
    }
    let nothing = Value::Null;
    let params = params.unwrap_or(&nothing);
    for (path, shape, is_required) in *fields {
        let value = path.split('.').try_fold(params, |value, field| value.get(field));
        let (fits, expected) = match (value, shape) {
            (None, _) => (!is_required, "is missing"),
            (Some(Value::Null), Object) => (!is_required, "is missing"),
            (Some(value), Text) => (value.is_string(), "must be text"),
            (Some(value), Object) => (value.is_object(), "must be an object"),
        };
        if !fits {
            return Some(format!("`params.{path}` {expected}"));
        }
    }
    let reference = params.get("ref");
    let kind = reference.and_then(|reference| reference.get("type")).and_then(Value::as_str);
    let (field, what) = match kind {
        Some("ref/prompt") => ("name", "a prompt"),
        Some("ref/resource") => ("uri", "a template"),
        Some(_) if method == "completion/complete" => {
            return Some("`params.ref.type` must be `ref/prompt` or `ref/resource`".into());
        }
        _ => return None,
    };
    let named = reference.and_then(|reference| reference.get(field)).is_some_and(Value::is_string);
    (!named).then(|| format!("`params.ref.{field}` must name {what}"))
}

pub(crate) fn error_line(id: Value, code: i64, message: &str) -> Vec<u8> {
    let mut line =
        json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }).to_string();
    line.push('\n');
    line.into_bytes()
}
