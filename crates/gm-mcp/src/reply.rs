//! A reply as a line of JSON.
//!
//! A tool's answer travels twice, as text and as structure. It is written once: where a result has its
//! text alone, the same bytes are sent as its structure.

use std::io;

use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ContentBlock, JsonRpcMessage, ServerResult};
use rmcp::service::TxJsonRpcMessage;
use serde::Serialize;

/// A message and its newline.
pub(crate) fn line(message: &TxJsonRpcMessage<RoleServer>) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    match message {
        JsonRpcMessage::Response(response) => match &response.result {
            ServerResult::CallToolResult(result) => match answer(result) {
                Some(text) => answered(&mut line, &response.id, result, text)?,
                None => put(&mut line, message)?,
            },
            _ => put(&mut line, message)?,
        },
        _ => put(&mut line, message)?,
    }
    line.push(b'\n');
    Ok(line)
}

/// The text of an answer whose structure is that text; of a result that has nothing besides.
fn answer(result: &CallToolResult) -> Option<&str> {
    match (result.is_error, &result.structured_content, &result.meta, &result.content[..]) {
        (Some(false), None, None, [ContentBlock::Text(content)])
            if content.meta.is_none() && content.annotations.is_none() =>
        {
            Some(&content.text)
        }
        _ => None,
    }
}

fn answered(line: &mut Vec<u8>, id: &impl Serialize, result: &CallToolResult, text: &str) -> io::Result<()> {
    // Escaping makes the text a quarter longer at most, as answers go.
    line.reserve(text.len() * 9 / 4 + 128);
    line.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    put(line, id)?;
    line.extend_from_slice(b",\"result\":{");
    if let Some(result_type) = &result.result_type {
        line.extend_from_slice(b"\"resultType\":");
        put(line, result_type)?;
        line.push(b',');
    }
    line.extend_from_slice(b"\"content\":[{\"type\":\"text\",\"text\":\"");
    put_escaped(line, text);
    line.extend_from_slice(b"\"}],\"structuredContent\":");
    line.extend_from_slice(text.as_bytes());
    line.extend_from_slice(b",\"isError\":false}}");
    Ok(())
}

/// JSON as the inside of a JSON string. Written JSON has no control characters of its own, so that
/// quotes and backslashes are all there is to escape.
fn put_escaped(line: &mut Vec<u8>, json: &str) {
    let bytes = json.as_bytes();
    let mut from = 0;
    for at in memchr::memchr2_iter(b'"', b'\\', bytes) {
        line.extend_from_slice(&bytes[from..at]);
        line.push(b'\\');
        from = at;
    }
    line.extend_from_slice(&bytes[from..]);
}

fn put(line: &mut Vec<u8>, value: &impl Serialize) -> io::Result<()> {
    Ok(serde_json::to_writer(line, value)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::{RequestId, ResultType};
    use serde_json::{Value, json};

    fn sent(result: CallToolResult) -> Value {
        let message = JsonRpcMessage::response(ServerResult::CallToolResult(result), RequestId::Number(7));
        let line = line(&message).unwrap();
        assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
        serde_json::from_slice(&line).unwrap()
    }

    #[test]
    fn a_text_is_sent_as_structure_too() {
        let answer =
            json!({ "name": "quote \" slash \\ line \n tab \t bell \u{7} \u{2028} 仓库 🦀", "n": 1.5 });
        let mut result = CallToolResult::success(vec![ContentBlock::text(answer.to_string())]);
        result.result_type = None;
        let reply = sent(result.clone());
        assert_eq!((&reply["id"], &reply["result"]["isError"]), (&json!(7), &json!(false)));
        assert_eq!(reply["result"]["structuredContent"], answer);
        assert_eq!(reply["result"]["content"], json!([{ "type": "text", "text": answer.to_string() }]));
        assert!(reply["result"].get("resultType").is_none());
        result.result_type = Some(ResultType::COMPLETE);
        assert_eq!(sent(result)["result"]["resultType"], "complete");
    }

    #[test]
    fn an_error_has_no_structure() {
        let reply = sent(CallToolResult::error(vec![ContentBlock::text("{}")]));
        assert!(reply["result"].get("structuredContent").is_none());
    }
}
