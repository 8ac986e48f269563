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
    if method == "tools/call" && !id.is_null() {
        let name = params.and_then(|params| params.get("name"));
        if !name.is_some_and(Value::is_string) {
            return Checked::Answer(error_line(id, -32602, "`params.name` must name a tool"));
        }
        let arguments = params.and_then(|params| params.get("arguments"));
        if arguments.is_some_and(|arguments| !arguments.is_object() && !arguments.is_null()) {
            return Checked::Answer(error_line(id, -32602, "`params.arguments` must be an object"));
        }
    }
    Checked::Forward(message)
}

pub(crate) fn error_line(id: Value, code: i64, message: &str) -> Vec<u8> {
    let mut line =
        json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }).to_string();
    line.push('\n');
    line.into_bytes()
}
