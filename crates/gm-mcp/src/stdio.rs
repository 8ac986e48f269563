//! stdio, with the manners the transport itself lacks: every line that is no request is answered
//! once, and serving goes on.

use gm_model::limits::MAX_REQUEST_BYTES;
use rmcp::ServiceExt;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;

use crate::GraphMemServer;
use crate::screen::{Checked, error_line, screen};

/// Bytes on their way between the line filter and the protocol.
const PIPE_BYTES: usize = 256 * 1024;

/// Serves until standard input ends. Standard output carries the protocol and nothing else.
pub async fn serve_stdio(server: GraphMemServer) -> std::io::Result<()> {
    serve(server, tokio::io::stdin(), tokio::io::stdout()).await
}

pub(crate) async fn serve(
    server: GraphMemServer,
    input: impl AsyncRead + Unpin + Send + 'static,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> std::io::Result<()> {
    let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
    let (from_protocol, to_protocol) = tokio::io::split(ours);
    let (lines, outgoing) = mpsc::channel(64);
    let replies = tokio::spawn(copy_lines(from_protocol, lines.clone()));
    let writer = tokio::spawn(write_lines(outgoing, output));
    let filter = tokio::spawn(filter_lines(input, to_protocol, lines));
    // An `initialize` that never comes is not an error: the client went away.
    if let Ok(running) = server.serve(theirs).await {
        let _ = running.waiting().await;
    }
    filter.abort();
    let _ = replies.await;
    drop(filter);
    writer.await.map_err(std::io::Error::other)?
}

/// Hands well-formed messages on; answers the rest itself.
async fn filter_lines(
    input: impl AsyncRead + Unpin,
    mut to_protocol: impl AsyncWrite + Unpin,
    replies: mpsc::Sender<Vec<u8>>,
) {
    let mut input = BufReader::with_capacity(64 * 1024, input);
    let mut line = Vec::new();
    // A notice before any request would end the protocol before it began.
    let mut begun = false;
    loop {
        line.clear();
        match read_line(&mut input, &mut line).await {
            Ok(Line::End) | Err(_) => break,
            Ok(Line::TooLong) => {
                let _ =
                    replies.send(error_line(Value::Null, -32600, "the message is larger than 16 MiB")).await;
                continue;
            }
            Ok(Line::Whole) => {}
        }
        let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line).trim_ascii();
        if text.is_empty() {
            continue;
        }
        match screen(text) {
            Checked::Forward { is_request } => {
                begun |= is_request;
                if !begun {
                    continue;
                }
                let mut message = text.to_vec();
                message.push(b'\n');
                if to_protocol.write_all(&message).await.is_err() || to_protocol.flush().await.is_err() {
                    break;
                }
            }
            Checked::Answer(reply) => {
                let _ = replies.send(reply).await;
            }
            Checked::Drop => {}
        }
    }
    // The end of input is the end of the session: the protocol sees it on its side of the pipe.
    let _ = to_protocol.shutdown().await;
}

enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads one line of bounded length; what is over the bound is read away.
async fn read_line(input: &mut (impl AsyncBufReadExt + Unpin), line: &mut Vec<u8>) -> std::io::Result<Line> {
    let mut bounded = input.take(MAX_REQUEST_BYTES as u64 + 1);
    let n = bounded.read_until(b'\n', line).await?;
    if n == 0 {
        return Ok(Line::End);
    }
    if n <= MAX_REQUEST_BYTES || line.last() == Some(&b'\n') {
        return Ok(Line::Whole);
    }
    loop {
        let available = input.fill_buf().await?;
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

async fn copy_lines(from: impl AsyncRead + Unpin, to: mpsc::Sender<Vec<u8>>) {
    let mut from = BufReader::with_capacity(64 * 1024, from);
    loop {
        let mut line = Vec::new();
        match from.read_until(b'\n', &mut line).await {
            Ok(n) if n > 0 => {
                if to.send(line).await.is_err() {
                    return;
                }
            }
            _ => return,
        }
    }
}

async fn write_lines(
    mut lines: mpsc::Receiver<Vec<u8>>,
    mut output: impl AsyncWrite + Unpin,
) -> std::io::Result<()> {
    while let Some(line) = lines.recv().await {
        output.write_all(&line).await?;
        output.flush().await?;
    }
    Ok(())
}
