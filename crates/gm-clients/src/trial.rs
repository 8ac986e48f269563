//! A round trip as a client would make it: begin, ask for the tools, read the graph.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Server;

/// How long one answer may take; a first start makes the library.
const WITHIN: Duration = Duration::from_secs(20);
/// Bytes of an answer over HTTP.
const MAX_ANSWER: u64 = 4 * 1024 * 1024;

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    pub tools: usize,
    /// The graph in which calls begin.
    pub graph: String,
    pub entities: u64,
    pub took: Duration,
}

/// Tries a server as it is configured. The error says what did not work.
pub fn try_out(server: &Server) -> Result<Tried, String> {
    let began = Instant::now();
    let mut exchange: Box<dyn FnMut(Value) -> Result<Value, String>> = match server {
        Server::Stdio { command, arguments, environment } => {
            let mut process = Process::start(command, arguments, environment)?;
            Box::new(move |message| process.exchange(&message))
        }
        Server::Http { url, token } => {
            let mut caller = Caller { url: url.clone(), token: token.clone(), session: None };
            Box::new(move |message| caller.exchange(&message))
        }
    };
    let begin = json!({
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": { "name": "graph-mem connect", "version": env!("CARGO_PKG_VERSION") },
    });
    exchange(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin }))?;
    exchange(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
    let listed = exchange(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }))?;
    let tools = listed["tools"].as_array().map_or(0, Vec::len);
    let read = exchange(json!({
        "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": { "name": "read_graph", "arguments": {} },
    }))?;
    let told = &read["structuredContent"];
    let Some(graph) = told["graph"].as_str().filter(|_| tools > 0) else {
        return Err("it answers, but not as graph-mem does".into());
    };
    let entities = told["entities"].as_u64().unwrap_or_default();
    Ok(Tried { tools, graph: graph.to_owned(), entities, took: began.elapsed() })
}

/// The result of a reply, or why there is none.
fn result_of(reply: &Value) -> Result<Value, String> {
    match reply.get("error") {
        Some(error) => Err(format!("it refused: {}", error["message"].as_str().unwrap_or("no reason told"))),
        None => Ok(reply["result"].clone()),
    }
}

struct Process {
    child: Child,
    lines: Receiver<String>,
}

impl Process {
    fn start(command: &str, arguments: &[String], environment: &[(String, String)]) -> Result<Self, String> {
        let mut child = Command::new(command)
            .args(arguments)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            // A client starts it from a folder of its own.
            .current_dir(std::env::temp_dir())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("`{command}` cannot be started: {error}"))?;
        let output = child.stdout.take().ok_or("no output")?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, lines })
    }

    fn exchange(&mut self, message: &Value) -> Result<Value, String> {
        let gone = |_| "it ended before it answered".to_owned();
        let input = self.child.stdin.as_mut().ok_or("no input")?;
        writeln!(input, "{message}").and_then(|()| input.flush()).map_err(gone)?;
        let Some(id) = message.get("id") else { return Ok(Value::Null) };
        let give_up = Instant::now() + WITHIN;
        loop {
            let left = give_up.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                std::sync::mpsc::RecvTimeoutError::Timeout => {
                    format!("no answer within {} s", WITHIN.as_secs())
                }
                std::sync::mpsc::RecvTimeoutError::Disconnected => "it ended before it answered".to_owned(),
            })?;
            let reply: Value =
                serde_json::from_str(&line).map_err(|_| "it answers something else than MCP")?;
            if reply.get("id") == Some(id) {
                return result_of(&reply);
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The end of its input is the end of it; one that stays is ended.
        drop(self.child.stdin.take());
        let give_up = Instant::now() + Duration::from_secs(3);
        while Instant::now() < give_up {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Calls a listener on this machine.
struct Caller {
    url: String,
    token: String,
    session: Option<String>,
}

impl Caller {
    fn exchange(&mut self, message: &Value) -> Result<Value, String> {
        let rest = self.url.strip_prefix("http://").ok_or("its address is no http address")?;
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let address: SocketAddr = host.parse().map_err(|_| "its address names no port of this machine")?;
        let quiet = "nothing listens there; start the window, or `graph-mem server --transport http`";
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(3)).map_err(|_| quiet)?;
        stream
            .set_read_timeout(Some(WITHIN))
            .and_then(|()| stream.set_write_timeout(Some(WITHIN)))
            .map_err(|e| e.to_string())?;
        let body = message.to_string();
        let session = self.session.as_ref().map(|id| format!("Mcp-Session-Id: {id}\r\n")).unwrap_or_default();
        let head = format!(
            "POST /{path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n{session}Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.token,
            body.len()
        );
        let mut answer = Vec::new();
        stream
            .write_all(format!("{head}{body}").as_bytes())
            .and_then(|()| stream.take(MAX_ANSWER).read_to_end(&mut answer))
            .map_err(|_| "no whole answer came")?;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).unwrap_or_default().to_owned();
        if !status.starts_with('2') {
            return Err(match status.as_str() {
                "401" => "its token is not known there".into(),
                other => format!("it answers with HTTP status {other}"),
            });
        }
        for line in answer.lines().take_while(|line| !line.is_empty()) {
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("mcp-session-id")
            {
                self.session = Some(value.trim().to_owned());
            }
        }
        if message.get("id").is_none() {
            return Ok(Value::Null);
        }
        // Plain JSON or an event; pieces have lines of their own between.
        let said = answer.split_once("\r\n\r\n").map(|(_, body)| body).unwrap_or_default();
        let candidates = said.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
        let reply = candidates
            .filter(|line| line.starts_with('{'))
            .find_map(|line| serde_json::from_str::<Value>(line).ok());
        result_of(&reply.ok_or("it answers something else than MCP")?)
    }
}
