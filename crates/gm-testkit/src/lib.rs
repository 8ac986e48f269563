//! What black-box tests share: a library of their own in a temporary folder, the real binary as
//! an MCP server on stdio or HTTP, and small clients for both.

mod http;
mod stdio;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub use http::{HttpServer, message_of};
pub use stdio::McpProcess;

/// A home library that is gone after the test, and the binary that works on it.
pub struct Home {
    folder: tempfile::TempDir,
    binary: PathBuf,
}

impl Home {
    /// `binary` is the path of the built `graph-mem`.
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        Self { folder, binary: binary.into() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn library(&self) -> PathBuf {
        self.path().join("library")
    }

    /// The binary with this home and nothing of the surroundings.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .current_dir(self.path())
            .env("HOME", self.path())
            .env("GRAPHMEM_HOME", self.library())
            .env_remove("GRAPHMEM_DB_PATH")
            .env_remove("GRAPHMEM_GRAPH")
            .env_remove("GRAPHMEM_LOG")
            .env_remove("GRAPHMEM_PORT")
            .env_remove("GRAPHMEM_TRAVERSAL_NODE_BUDGET")
            .env_remove("GRAPHMEM_EMBEDDINGS")
            .env_remove("GRAPHMEM_EMBEDDING_MODEL")
            .env_remove("GRAPHMEM_MODELS")
            .env_remove("GRAPHMEM_SEARCH_FUSION")
            .env_remove("ORT_DYLIB_PATH")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("CODEX_HOME")
            // No test opens anything on the screen of whoever runs it.
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().expect("the binary starts")
    }

    /// Runs a command that must succeed and returns what it printed.
    pub fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "graph-mem {arguments:?} failed: {errors}");
        String::from_utf8(output.stdout).expect("output is UTF-8")
    }

    /// Runs a command with some text on its standard input.
    pub fn fed(&self, arguments: &[&str], text: &str) -> Output {
        let piped = || Stdio::piped();
        let mut command = self.command();
        command.args(arguments).stdin(piped()).stdout(piped()).stderr(piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut input = child.stdin.take().expect("standard input is piped");
        input.write_all(text.as_bytes()).expect("the command reads");
        drop(input);
        child.wait_with_output().expect("the command ends")
    }

    /// Writes a file into the home's folder and returns its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path().join(name);
        std::fs::write(&path, content).expect("the temporary folder can be written");
        path.to_string_lossy().into_owned()
    }

    /// Starts `graph-mem server` and shakes hands.
    pub fn server(&self, arguments: &[&str]) -> McpProcess {
        let mut command = self.command();
        command.arg("server").args(arguments);
        McpProcess::start(command)
    }

    /// Starts the HTTP listener on a free port.
    pub fn http(&self) -> HttpServer {
        let mut command = self.command();
        command.args(["server", "--transport", "http", "--port", "0"]);
        HttpServer::start(command)
    }
}
