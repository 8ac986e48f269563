//! An MCP client on a child process's pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Long enough for a loaded machine, short enough that a hang fails the test.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct McpProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next_id: u64,
}

impl McpProcess {
    /// Starts a process and shakes hands as a client of 2025-06-18.
    pub fn start(command: Command) -> Self {
        let mut process = Self::start_silent(command);
        process.initialize("testkit");
        process
    }

    /// Starts a process and says nothing yet.
    pub fn start_silent(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("standard output is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, input, lines, next_id: 1 }
    }

    pub fn initialize(&mut self, client: &str) -> Value {
        let answer = self.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": client, "version": "1.0" },
            }),
        );
        self.send_line(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        answer
    }

    /// Sends a line as it is.
    pub fn send_line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("standard input is open");
        // A server that died is found out when its answer is missing.
        let _ = writeln!(input, "{line}");
        let _ = input.flush();
    }

    /// Sends a request without waiting and returns its id.
    pub fn send(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send_line(
            &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string(),
        );
        id
    }

    /// The next message, or `None` if none comes.
    pub fn receive(&mut self, patience: Duration) -> Option<Value> {
        let line = self.lines.recv_timeout(patience).ok()?;
        Some(serde_json::from_str(&line).unwrap_or_else(|_| panic!("not a protocol message: {line}")))
    }

    /// Sends a request and returns its whole reply.
    pub fn exchange(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message = self.receive(left).unwrap_or_else(|| panic!("no reply to {method}"));
            if message["id"] == id {
                return message;
            }
        }
    }

    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let reply = self.exchange(method, params);
        assert!(reply.get("error").is_none(), "{method} failed: {reply}");
        reply["result"].clone()
    }

    /// Calls a tool and returns the whole result, error or not.
    pub fn result(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// Calls a tool that must succeed and returns its structured result.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_ne!(result["isError"], true, "{tool} failed: {}", result["content"]);
        result["structuredContent"].clone()
    }

    /// Calls a tool that must fail and returns the error object it reports.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(result["isError"], true, "{tool} succeeded: {result}");
        assert!(result.get("structuredContent").is_none(), "an error has no structured content");
        let text = result["content"][0]["text"].as_str().expect("an error has text");
        serde_json::from_str(text).expect("the text is the error object")
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends the process at once, as a crash would.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Closes standard input and waits for the process to leave.
    pub fn close(mut self, patience: Duration) -> Option<ExitStatus> {
        drop(self.input.take());
        let until = Instant::now() + patience;
        while Instant::now() < until {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }
}

impl Drop for McpProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
