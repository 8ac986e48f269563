//! The HTTP listener as a child process, and raw requests to it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;

pub struct HttpServer {
    child: Child,
    pub port: u16,
    agent: Agent,
}

/// A raw answer: status, headers of interest, body.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub body: String,
    pub session: Option<String>,
    pub cross_origin: Option<String>,
}

impl HttpServer {
    pub fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the listener starts");
        let errors = child.stderr.take().expect("standard error is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let line = lines.recv_timeout(Duration::from_secs(30)).expect("the listener says where it is");
        let port = line
            .split("127.0.0.1:")
            .nth(1)
            .and_then(|rest| rest.split('/').next())
            .and_then(|port| port.parse().ok())
            .unwrap_or_else(|| panic!("no address in: {line}"));
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A refused request may end its connection; none is used again.
            .max_idle_connections(0)
            .timeout_global(Some(Duration::from_secs(30)));
        Self { child, port, agent: config.build().into() }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// A connection of its own, for what no client would send.
    pub fn connect(&self) -> std::net::TcpStream {
        let stream = std::net::TcpStream::connect(("127.0.0.1", self.port)).expect("the listener takes it");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout can be set");
        stream
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// One request, exactly as told.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = ureq::http::Request::builder().method(method).uri(self.url(path));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body.to_owned()).expect("the request is well formed");
        let mut response = self.agent.run(request).expect("the listener answers");
        let header =
            |name: &str| response.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
        let (session, cross_origin) = (header("mcp-session-id"), header("access-control-allow-origin"));
        let status = response.status().as_u16();
        // An event stream that stays open is cut by its first answer.
        let body = response.body_mut().read_to_string().unwrap_or_default();
        Answer { status, body, session, cross_origin }
    }

    /// A JSON-RPC message to `/mcp` with a token.
    pub fn post_mcp(&self, token: &str, session: Option<&str>, message: &Value) -> Answer {
        let bearer = format!("Bearer {token}");
        let mut headers = vec![
            ("Authorization", bearer.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2025-06-18"),
        ];
        if let Some(session) = session {
            headers.push(("Mcp-Session-Id", session));
        }
        self.send("POST", "/mcp", &headers, &message.to_string())
    }

    /// Shakes hands; returns the session's id.
    pub fn initialize(&self, token: &str, client: &str) -> String {
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": client, "version": "1.0" },
        });
        let begun = self.post_mcp(
            token,
            None,
            &json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }),
        );
        assert_eq!(begun.status, 200, "{}", begun.body);
        let session = begun.session.expect("a session begins");
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        self.post_mcp(token, Some(&session), &ready);
        session
    }

    /// Calls a tool in a session and returns the whole result.
    pub fn call(&self, token: &str, session: &str, tool: &str, arguments: Value) -> Value {
        let message = json!({
            "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": tool, "arguments": arguments },
        });
        let answer = self.post_mcp(token, Some(session), &message);
        assert_eq!(answer.status, 200, "{}", answer.body);
        message_of(&answer.body)["result"].clone()
    }
}

/// The JSON-RPC message of a body, which may be plain JSON or an event stream.
pub fn message_of(body: &str) -> Value {
    let data = body
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .map(str::trim)
        .find(|data| !data.is_empty());
    serde_json::from_str(data.unwrap_or(body)).unwrap_or_else(|_| panic!("no message in: {body}"))
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
