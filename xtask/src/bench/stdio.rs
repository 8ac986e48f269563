//! A client of MCP on a child's pipes that keeps time. The clock stops when the whole reply has
//! been read; making sense of it is not the server's time.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

/// How long a server may take to leave after its input ended.
const LEAVING: Duration = Duration::from_secs(60);
/// Bytes read from the pipe at once: a long reply takes few reads.
const READ_BYTES: usize = 256 * 1024;

pub struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    errors: PathBuf,
    next_id: u64,
    /// From spawning to the reply to `initialize`.
    pub start: Duration,
}

impl Server {
    /// Starts a server in a folder and shakes hands; what it says on standard error goes to a file
    /// there.
    pub fn start(mut command: Command, folder: &Path) -> Result<Self> {
        let errors = folder.join("stderr.txt");
        let begun = Instant::now();
        let mut child = command
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(&errors)?)
            .spawn()
            .with_context(|| format!("`{}` cannot be started", command.get_program().display()))?;
        let input = child.stdin.take();
        let output = child.stdout.take().context("standard output is not piped")?;
        let output = BufReader::with_capacity(READ_BYTES, output);
        let mut server = Self { child, input, output, errors, next_id: 1, start: Duration::ZERO };
        server.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "bench", "version": "1.0" },
            }),
        )?;
        server.start = begun.elapsed();
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(server)
    }

    /// Calls a tool that must succeed; returns how long its reply took.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Result<Duration> {
        let params = json!({ "name": tool, "arguments": arguments });
        let (took, reply) = self.request("tools/call", params)?;
        let result = &reply["result"];
        // Some servers report failures as ordinary results.
        let failed = result["isError"] == true || result["structuredContent"]["error"] == true;
        ensure!(!failed, "{tool} failed: {}", result["content"]);
        Ok(took)
    }

    /// What a tool that must succeed answers.
    pub fn answer(&mut self, tool: &str, arguments: Value) -> Result<Value> {
        let params = json!({ "name": tool, "arguments": arguments });
        let (_, mut reply) = self.request("tools/call", params)?;
        let result = &mut reply["result"];
        ensure!(result["isError"] != true, "{tool} failed: {}", result["content"]);
        Ok(result["structuredContent"].take())
    }

    fn request(&mut self, method: &str, params: Value) -> Result<(Duration, Value)> {
        let id = self.next_id;
        self.next_id += 1;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let mut line = message.to_string();
        line.push('\n');
        let begun = Instant::now();
        self.write(&line)?;
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line)?;
            let took = begun.elapsed();
            if read == 0 {
                bail!("the server left without a reply to {method}:\n{}", self.last_words());
            }
            let reply: Value = serde_json::from_str(&line).context("not a protocol message")?;
            if reply["id"] == id {
                ensure!(reply.get("error").is_none(), "{method} failed: {}", reply["error"]);
                return Ok((took, reply));
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        self.write(&format!("{message}\n"))
    }

    fn write(&mut self, line: &str) -> Result<()> {
        let input = self.input.as_mut().context("standard input is closed")?;
        input.write_all(line.as_bytes())?;
        Ok(input.flush()?)
    }

    fn last_words(&self) -> String {
        let said = std::fs::read_to_string(&self.errors).unwrap_or_default();
        let lines: Vec<&str> = said.lines().collect();
        lines[lines.len().saturating_sub(10)..].join("\n")
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends its input and waits until it left, so that its files are whole.
    pub fn close(mut self) -> Result<()> {
        drop(self.input.take());
        let until = Instant::now() + LEAVING;
        while Instant::now() < until {
            if self.child.try_wait()?.is_some() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        bail!("the server did not leave when its input ended")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
