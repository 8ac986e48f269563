//! Models by name from a model hub, which here is a server of the test's own that breaks off.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::home;
use crate::meaning::models;

const REPOSITORY: &str = "/Qdrant/all-MiniLM-L6-v2-onnx/resolve/main/";
const NAME: &str = "allminilml6v2";

#[derive(Default)]
struct Served {
    files: HashMap<String, Vec<u8>>,
    /// The digest that is promised for the weights.
    digest: String,
    /// Whoever asks is sent away.
    forbids: bool,
    /// Connections for the weights that still break off half-way.
    breaking: usize,
    /// From which byte the weights were asked for, each time.
    starts: Vec<usize>,
}

struct Hub {
    address: String,
    served: Arc<Mutex<Served>>,
}

impl Hub {
    fn start(files: HashMap<String, Vec<u8>>, digest: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let served = Arc::new(Mutex::new(Served { files, digest: digest.into(), ..Served::default() }));
        let shared = served.clone();
        // It goes with the test's process.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = shared.clone();
                std::thread::spawn(move || drop(answer(stream, &shared)));
            }
        });
        Self { address, served }
    }
}

fn answer(mut stream: TcpStream, served: &Mutex<Served>) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let mut asked = String::new();
    let mut range = (0, None);
    while let Some(line) = lines.next().transpose()? {
        if line.is_empty() {
            break;
        }
        if let Some(path) = line.strip_prefix("GET ") {
            asked = path.split(' ').next().unwrap_or_default().to_owned();
        }
        if let Some(bytes) = line.to_lowercase().strip_prefix("range: bytes=") {
            let (from, to) = bytes.split_once('-').unwrap_or((bytes, ""));
            range = (from.parse().unwrap_or(0), to.parse::<usize>().ok());
        }
    }
    let mut served = served.lock().unwrap();
    let name = asked.strip_prefix(REPOSITORY).unwrap_or_default().to_owned();
    if served.forbids {
        return stream.write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    }
    let Some(bytes) = served.files.get(&name).cloned() else {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    };
    let is_weights = name == "model.onnx";
    let etag = if is_weights { served.digest.clone() } else { "../../../elsewhere".to_owned() };
    let (from, to) = (range.0.min(bytes.len()), range.1.map_or(bytes.len(), |to| (to + 1).min(bytes.len())));
    let body = &bytes[from..to];
    let mut sent = body.len();
    if is_weights && range.1.is_none() {
        served.starts.push(from);
        if served.breaking > 0 {
            served.breaking -= 1;
            sent /= 2;
        }
    }
    drop(served);
    write!(
        stream,
        "HTTP/1.1 206 Partial Content\r\ncontent-length: {}\r\ncontent-range: bytes {from}-{}/{}\r\netag: \"{etag}\"\r\n\
         x-repo-commit: 0123456789abcdef0123456789abcdef01234567\r\nconnection: close\r\n\r\n",
        body.len(),
        to.saturating_sub(1),
        bytes.len(),
    )?;
    stream.write_all(&body[..sent])
}

/// A model's files; the weights need not be any that can be loaded.
fn files(weights: Vec<u8>, from: Option<&Path>) -> HashMap<String, Vec<u8>> {
    let text = |name: &str| match from {
        Some(folder) => std::fs::read(folder.join(name)).unwrap(),
        None => b"{\"max_position_embeddings\":128}".to_vec(),
    };
    let mut files: HashMap<String, Vec<u8>> =
        ["tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"]
            .map(|name| (name.to_owned(), text(name)))
            .into();
    files.insert("model.onnx".into(), weights);
    files
}

fn digest(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn b094_a_download_that_broke_off_goes_on_and_a_wrong_file_is_never_used() {
    let weights: Vec<u8> = (0..3_000_000u32).map(|i| (i * 31 % 251) as u8).collect();
    let hub = Hub::start(files(weights.clone(), None), &digest(&weights));
    hub.served.lock().unwrap().breaking = 2;
    let home = home();
    let install = || {
        let mut command = home.command();
        command.args(["model", "install", NAME]).env("HF_ENDPOINT", &hub.address);
        let output = command.output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, told) = install();
    assert!(code == Some(0) && told.contains("model use allminilml6v2"), "{told}");
    // Each attempt began where the one before had ended.
    let starts = hub.served.lock().unwrap().starts.clone();
    assert_eq!(starts, [0, 1_500_000, 2_250_000], "each goes on where the one before ended");
    let folder = home.library().join("models").join(NAME);
    assert_eq!(std::fs::read(folder.join("model.onnx")).unwrap(), weights);
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("model.json")).unwrap()).unwrap();
    assert_eq!((&manifest["dimension"], &manifest["max_tokens"]), (&384.into(), &128.into()));
    // What the hub promised and what came differ.
    hub.served.lock().unwrap().digest = digest(b"other weights");
    let (code, told) = install();
    assert!(code == Some(1) && told.contains("SHA-256"), "{told}");
    assert_eq!(std::fs::read(folder.join("model.onnx")).unwrap(), weights, "the one that was there stays");
    hub.served.lock().unwrap().forbids = true;
    let (code, told) = install();
    assert!(code == Some(1) && told.contains("403"), "{told}");
    let left = std::fs::read_dir(home.library().join("models")).unwrap().flatten();
    let left: Vec<_> = left.map(|entry| entry.file_name()).filter(|name| name != ".hub").collect();
    assert_eq!(left, [NAME]);
    // A name that the hub gave leads nowhere.
    assert!(!home.library().join("elsewhere").exists() && !home.path().join("elsewhere").exists());
}

#[test]
fn a_hub_out_of_reach_is_named_with_what_to_do() {
    let home = home();
    let mut command = home.command();
    command.args(["model", "install", NAME]).env("HF_ENDPOINT", "http://127.0.0.1:9");
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(told.contains("127.0.0.1:9") && told.contains("--from FOLDER"), "{told}");
    let output = home.run(&["model", "install", "nope"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("graph-mem model available"));
}

#[test]
fn a_model_from_the_hub_is_used() {
    let Some(models) = models() else { return };
    let from = models.join("all-minilm-l6-v2-int8");
    let weights = std::fs::read(from.join("model.onnx")).unwrap();
    let hub = Hub::start(files(weights.clone(), Some(&from)), &digest(&weights));
    let home = home();
    std::fs::create_dir_all(home.library().join("models")).unwrap();
    std::os::unix::fs::symlink(
        models.join("onnxruntime-1.32.0"),
        home.library().join("models/onnxruntime-1.32.0"),
    )
    .unwrap();
    for arguments in [["model", "install", NAME], ["model", "use", NAME]] {
        let mut command = home.command();
        let output = command.args(arguments).env("HF_ENDPOINT", &hub.address).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let status = home.ok(&["model", "status", "--json"]);
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    assert_eq!((&status["model"], &status["works"]), (&NAME.into(), &true.into()), "{status}");
}
