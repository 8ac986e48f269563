//! A reply as a line of JSON.
//!
//! A tool's answer travels twice, as text and as structure. It is written once: where a result has its
//! text alone, the same bytes are sent as its structure.

use std::io;

use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ContentBlock, JsonRpcMessage, ServerResult};
use rmcp::service::TxJsonRpcMessage;

/// A message and its newline.
pub(crate) fn line(message: &TxJsonRpcMessage<RoleServer>) -> io::Result<Vec<u8>> {
    let mut line = match message {
        JsonRpcMessage::Response(response) => match &response.result {
            ServerResult::CallToolResult(result) if structure(result).is_some() => {
                let mut line = b"{\"jsonrpc\":\"2.0\",\"id\":".to_vec();
                serde_json::to_writer(&mut line, &response.id)?;
                line.extend_from_slice(b",\"result\":");
                serde_json::to_writer(&mut line, result)?;
                // Before the brace that ends the result.
                line.pop();
                line.extend_from_slice(b",\"structuredContent\":");
                line.extend_from_slice(structure(result).unwrap_or_default().as_bytes());
                line.extend_from_slice(b"}}");
                line
            }
            _ => serde_json::to_vec(message)?,
        },
        _ => serde_json::to_vec(message)?,
    };
    line.push(b'\n');
    Ok(line)
}

/// The text of an answer whose structure is that text.
fn structure(result: &CallToolResult) -> Option<&str> {
    match (result.is_error, &result.structured_content, &result.content[..]) {
        (Some(false), None, [content]) => ContentBlock::as_text(content).map(|text| text.text.as_str()),
        _ => None,
    }
}
