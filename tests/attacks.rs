//! Whoever should not come in, and whoever asks too much: refused, and serving goes on.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

use gm_testkit::{Home, HttpServer};
use serde_json::{Value, json};

use crate::home;

fn token(home: &Home, name: &str) -> String {
    home.ok(&["connect", name, "--print-token"]).trim().to_owned()
}

/// Sends bytes as they are and reads the answer until its end.
fn raw(listener: &HttpServer, bytes: &[u8]) -> String {
    let mut stream = listener.connect();
    // The listener may have hung up on what it reads.
    let _ = stream.write_all(bytes);
    rest(&mut stream)
}

fn rest(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

/// An agent that is let in, by which is seen that serving goes on and nothing was changed.
struct Witness<'a> {
    listener: &'a HttpServer,
    token: String,
    session: String,
}

impl<'a> Witness<'a> {
    fn new(home: &Home, listener: &'a HttpServer) -> Self {
        let token = token(home, "witness");
        let session = listener.initialize(&token, "witness");
        Self { listener, token, session }
    }

    fn entities(&self) -> u64 {
        let overview = self.listener.call(&self.token, &self.session, "read_graph", json!({}));
        overview["structuredContent"]["entities"].as_u64().unwrap()
    }
}

fn write() -> String {
    let arguments = json!({ "entities": [{ "name": "intruder", "entity_type": "t" }] });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "add_entities", "arguments": arguments } })
        .to_string()
}

#[test]
fn b136_b137_no_page_of_another_site_gets_anything() {
    let home = home();
    let listener = home.http();
    let witness = Witness::new(&home, &listener);
    let (port, token) = (listener.port, &witness.token);
    let own = format!("127.0.0.1:{port}");
    let request = |method: &str, path: &str, headers: &[(&str, &str)], body: &str| {
        let mut text =
            format!("{method} {path} HTTP/1.1\r\nContent-Length: {}\r\nConnection: close\r\n", body.len());
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        let answer = raw(&listener, format!("{text}\r\n{body}").as_bytes());
        assert!(!answer.to_lowercase().contains("access-control-"), "{method} {path}: {answer}");
        assert!(!answer.contains(token.as_str()));
        status(&answer)
    };
    let bearer = format!("Bearer {token}");
    let json_type = ("Content-Type", "application/json");
    let accept = ("Accept", "application/json, text/event-stream");
    let session = ("Mcp-Session-Id", witness.session.as_str());
    let let_in = [("Host", own.as_str()), ("Authorization", &bearer), json_type, accept, session];
    let foreign = [
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
        "http://127.0.0.1:1",
        "tauri://localhost",
        &format!("http://localhost:{port}.evil.example"),
        &format!("https://127.0.0.1:{port}"),
    ];
    for path in ["/mcp", "/mcp/", "/api/session", "/api/call/overview", "/ws", "/", "/api/hello"] {
        for origin in foreign {
            for method in ["POST", "GET", "DELETE", "OPTIONS"] {
                let headers = [&let_in[..], &[("Origin", origin)]].concat();
                assert_eq!(request(method, path, &headers, &write()), 403, "{method} {path} {origin}");
            }
        }
        // A name that somebody made point here.
        for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1:1", "169.254.169.254", ""] {
            let headers = [&[("Host", host)], &let_in[1..]].concat();
            assert_eq!(request("POST", path, &headers, &write()), 403, "{path} {host}");
        }
        let twice = [&let_in[..], &[("Host", "evil.example")]].concat();
        assert!([400, 403].contains(&request("POST", path, &twice, &write())), "two hosts");
    }
    // What a form of another site can send without being asked for leave.
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain; application/json",
        "",
    ] {
        let headers = [&let_in[..2], &[("Content-Type", kind), accept, session]].concat();
        assert_eq!(request("POST", "/mcp", &headers, &write()), 415, "{kind}");
    }
    assert_eq!(
        request("POST", "/mcp", &[&let_in[..2], &[accept, session]].concat(), &write()),
        415,
        "no type"
    );
    for credential in [
        vec![],
        vec![("Authorization", "Bearer gmt_wrong")],
        vec![("Authorization", "Basic eDp5")],
        vec![("Cookie", bearer.as_str())],
    ] {
        let headers = [&[let_in[0], json_type, accept, session], &credential[..]].concat();
        assert_eq!(request("POST", "/mcp", &headers, &write()), 401, "{credential:?}");
    }
    let headers = [let_in[0], json_type, accept, session];
    for path in [
        format!("/mcp?token={token}"),
        format!("/mcp?access_token={token}"),
        format!("/mcp?authorization=Bearer%20{token}"),
    ] {
        assert_eq!(request("POST", &path, &headers, &write()), 401, "a token in the address is none");
    }
    assert_eq!(witness.entities(), 0);
    assert_eq!(request("POST", "/mcp", &let_in, &write()), 200, "and who may, still can");
    assert_eq!(witness.entities(), 1);
}

#[test]
fn a_page_with_a_token_of_the_explorer_obeys_the_same_rules() {
    let home = home();
    let mut command = home.command();
    let mut ui = command
        .args(["ui", "--port", "0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut link = String::new();
    BufReader::new(ui.stdout.take().unwrap()).read_line(&mut link).unwrap();
    let (address, code) = link.trim().split_once("/#").unwrap();
    let post = |path: &str, headers: &[(&str, &str)], body: &Value| {
        let mut request = ureq::post(format!("{address}{path}")).config().http_status_as_error(false).build();
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut answer = request.send(body.to_string()).unwrap();
        let text = answer.body_mut().read_to_string().unwrap();
        (
            answer.status().as_u16(),
            serde_json::from_str::<Value>(&text).unwrap_or_else(|_| panic!("{path}: {text}")),
        )
    };
    let json_type = ("Content-Type", "application/json");
    let (status, session) = post("/api/session", &[json_type], &json!({ "code": code }));
    assert_eq!(status, 200);
    assert_eq!(post("/api/session", &[json_type], &json!({ "code": code })).0, 401, "a code is good once");
    let bearer = format!("Bearer {}", session["token"].as_str().unwrap());
    let add = json!({ "graph": "default", "name": "Harbour", "entity_type": "place" });
    let with = |more: &[(&'static str, &'static str)]| {
        let mut headers = vec![("Authorization", bearer.clone())];
        headers.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        post("/api/call/add_entity", &headers, &add).0
    };
    assert_eq!(with(&[("Content-Type", "text/plain")]), 415);
    assert_eq!(with(&[json_type, ("Origin", "https://evil.example")]), 403);
    assert_eq!(with(&[json_type, ("Origin", "null")]), 403);
    assert_eq!(with(&[json_type, ("Host", "evil.example")]), 403);
    assert_eq!(with(&[json_type]), 200);
    // Whatever is wrong is told as JSON, too.
    let bearer = ("Authorization", bearer.as_str());
    assert_eq!(post("/api/entity?graph=default", &[json_type, bearer], &json!([])).0, 400);
    assert_eq!(
        post("/api/graphs/switch", &[json_type, bearer], &json!({ "nam": "x" })).1["code"],
        "invalid_argument"
    );
    assert_eq!(post("/api/session", &[json_type], &json!({ "code": "x".repeat(10_000) })).0, 413);
    // An agent's token opens nothing here, and the page's nothing there.
    let agent = format!("Bearer {}", token(&home, "ada"));
    assert_eq!(
        post("/api/call/overview", &[json_type, ("Authorization", &agent)], &json!({ "graph": "default" })).0,
        401
    );
    assert_eq!(post("/mcp", &[json_type, bearer], &json!({})).0, 401);
    let _ = ui.kill();
    let _ = ui.wait();
}

#[test]
fn b074_malformed_messages_are_answered_and_end_nothing() {
    let home = home();
    let listener = home.http();
    let witness = Witness::new(&home, &listener);
    let bearer = format!("Bearer {}", witness.token);
    let post = |body: &str| {
        let headers = [
            ("Authorization", bearer.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Mcp-Session-Id", witness.session.as_str()),
            ("MCP-Protocol-Version", "2025-06-18"),
        ];
        let answer = listener.send("POST", "/mcp", &headers, body);
        (answer.status, gm_testkit::message_of(&answer.body))
    };
    let flood = format!("[{}]", vec![r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#; 10_000].join(","));
    for (body, code) in [
        ("not json", -32700),
        (r#"{"jsonrpc":"2.0","method":"#, -32700),
        ("", -32700),
        ("[]", -32600),
        (&flood, -32600),
        ("7", -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}"#, -32602),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_graph","requestState":7}}"#,
            -32602,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":7}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{}}"#, -32602),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"tidy_graph","arguments":7}}"#,
            -32602,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"resources/read"}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":7}}"#, -32602),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/none"},"argument":{"name":"a","value":"b"}}}"#,
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"tidy_graph"},"argument":{"name":"a","value":7}}}"#,
            -32602,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, -32601),
    ] {
        let (status, answer) = post(body);
        assert!((200..500).contains(&status), "{body:.60}: {status}");
        assert_eq!(answer["error"]["code"], code, "{body:.60}: {answer}");
        assert_eq!(witness.entities(), 0);
    }
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{}1{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(post(&deep).1["error"]["code"], -32700);
    let (_, pong) = post("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}");
    assert_eq!(pong["result"], json!({}));
    assert_eq!(witness.entities(), 0);
}

#[test]
fn b134_no_name_leads_out_of_the_library() {
    let home = home();
    let listener = home.http();
    let witness = Witness::new(&home, &listener);
    std::fs::write(home.path().join("outside.db"), "mine").unwrap();
    let names = [
        "../outside",
        "..\\outside",
        "/etc/passwd",
        "a/b",
        "a\\b",
        ".",
        "..",
        "~",
        "a\0.db",
        "%2e%2e%2fx",
        "file:x?mode=memory",
        ":memory:",
        "",
        " ",
        "graph",
        "CON/..",
        "x.db",
        "ａ/b",
    ];
    for name in names {
        for tool in ["create_graph", "switch_graph", "delete_graph"] {
            let result = listener.call(&witness.token, &witness.session, tool, json!({ "name": name }));
            assert_eq!(result["isError"], true, "{tool} {name:?}: {result}");
        }
        let result = listener.call(&witness.token, &witness.session, "read_graph", json!({ "graph": name }));
        // Blank is what a client sends for what it leaves out.
        assert!(result["isError"] == true || name.trim().is_empty(), "{name:?}: {result}");
    }
    assert_eq!(std::fs::read_to_string(home.path().join("outside.db")).unwrap(), "mine");
    for path in [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/api/../mcp",
    ] {
        let answer = raw(
            &listener,
            format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", listener.port)
                .as_bytes(),
        );
        assert!([400, 401, 404].contains(&status(&answer)) && !answer.contains("root:"), "{path}: {answer}");
    }
    let files: Vec<_> =
        std::fs::read_dir(home.library()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    let graphs = files.iter().filter(|file| file.to_string_lossy().ends_with(".db")).count();
    assert_eq!(graphs, 0, "{files:?}");
}

#[test]
fn b083_large_and_endless_bodies_take_no_memory_and_end() {
    let home = home();
    let listener = home.http();
    let witness = Witness::new(&home, &listener);
    witness.entities();
    let before = resident(&listener);
    let head = |more: &str| {
        format!(
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n{more}\r\n",
            listener.port, witness.token
        )
    };
    let piece = vec![b'x'; 1 << 20];
    // A hundred megabytes, told beforehand.
    let mut stream = listener.connect();
    stream.write_all(head("Content-Length: 104857600\r\n").as_bytes()).unwrap();
    for _ in 0..100 {
        if stream.write_all(&piece).is_err() {
            break;
        }
    }
    let answer = rest(&mut stream);
    assert!(answer.is_empty() || status(&answer) == 413, "{answer}");
    // Pieces without end.
    let mut stream = listener.connect();
    stream.write_all(head("Transfer-Encoding: chunked\r\n").as_bytes()).unwrap();
    let began = Instant::now();
    let ended = (0..2_000).any(|_| {
        stream
            .write_all(b"100000\r\n")
            .and_then(|()| stream.write_all(&piece))
            .and_then(|()| stream.write_all(b"\r\n"))
            .is_err()
    });
    assert!(ended && began.elapsed() < Duration::from_secs(60), "cut off");
    let mut stream = listener.connect();
    stream.write_all(head("Content-Length: 20971520\r\n").as_bytes()).unwrap();
    for _ in 0..20 {
        stream.write_all(&piece).unwrap();
    }
    let answer = rest(&mut stream);
    assert!(
        status(&answer) == 413 && answer.contains("16 MiB") && answer.contains("\"code\":\"too_large\""),
        "{answer}"
    );
    assert_eq!(witness.entities(), 0);
    let more = resident(&listener).saturating_sub(before);
    assert!(more < 80 << 10, "{more} KiB more than {before}");
}

#[test]
fn slow_clients_and_swollen_heads_are_cut_off() {
    let home = home();
    let listener = home.http();
    let witness = Witness::new(&home, &listener);
    // Heads that never end, a byte now and then; many of them.
    let began = Instant::now();
    let mut slow: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = listener.connect();
            stream.write_all(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-").unwrap();
            stream
        })
        .collect();
    let mut silent = listener.connect();
    assert_eq!(witness.entities(), 0, "others are served meanwhile");
    for (name, bytes) in [
        (
            "many headers",
            format!(
                "GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}\r\n",
                listener.port,
                "X-A: b\r\n".repeat(5_000)
            ),
        ),
        (
            "a long header",
            format!(
                "GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-A: {}\r\n\r\n",
                listener.port,
                "b".repeat(1 << 20)
            ),
        ),
        (
            "a long address",
            format!("GET /{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", "a".repeat(1 << 20), listener.port),
        ),
        ("no HTTP", "\u{16}\u{3}\u{1} hello\r\n\r\n".to_owned()),
        (
            "smuggled",
            format!(
                "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
                listener.port
            ),
        ),
    ] {
        let answer = raw(&listener, bytes.as_bytes());
        assert!(answer.is_empty() || (400..500).contains(&status(&answer)), "{name}: {answer:.200}");
    }
    std::thread::sleep(Duration::from_secs(2));
    for stream in &mut slow {
        let _ = stream.write_all(b"a");
    }
    assert_eq!(witness.entities(), 0);
    for stream in slow.iter_mut().chain([&mut silent]) {
        rest(stream);
        assert!(began.elapsed() < Duration::from_secs(45), "cut off in time");
    }
    assert_eq!(witness.entities(), 0);
}

/// Kilobytes of a process in memory.
fn resident(listener: &HttpServer) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", listener.pid())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[test]
fn one_agent_with_many_streams_keeps_no_other_out() {
    let home = home();
    let listener = home.http();
    let token = token(&home, "greedy");
    let witness = Witness::new(&home, &listener);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "greedy", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": { "_meta": meta, "notifications": { "resourcesListChanged": true } } }).to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nContent-Length: {}\r\n\r\n",
        listener.port,
        body.len()
    );
    let mut streams = Vec::new();
    let mut refused = 0;
    for _ in 0..300 {
        let mut stream = listener.connect();
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        refused += u32::from(first.ends_with(b"429"));
        streams.push(stream);
    }
    assert!(refused >= 40, "{refused} of 300 were refused");
    assert_eq!(witness.entities(), 0);
    let other = self::token(&home, "other");
    assert!(!listener.initialize(&other, "other").is_empty());
    // Those that leave make room.
    drop(streams);
    let give_up = Instant::now() + Duration::from_secs(20);
    while listener.post_mcp(&token, None, &json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).status
        == 429
    {
        assert!(Instant::now() < give_up);
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// An address of this machine on its network, if it has one. Nothing is sent.
fn lan_address() -> Option<std::net::IpAddr> {
    let socket = std::net::UdpSocket::bind(("0.0.0.0", 0)).ok()?;
    socket.connect(("192.0.2.1", 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}

#[test]
fn other_machines_come_in_by_choice_alone_and_get_nothing_but_tools() {
    let home = home();
    for wrong in ["0.0.0.0", "::", "127.0.0.1", "localhost"] {
        let refused = home.run(&["server", "--transport", "http", "--port", "0", "--lan", wrong]);
        assert_eq!(refused.status.code(), Some(2), "{wrong}");
    }
    let Some(address) = lan_address() else { return };
    let closed = home.http();
    assert!(TcpStream::connect((address, closed.port)).is_err(), "without being asked nothing listens there");
    drop(closed);
    let mut command = home.command();
    command.args(["server", "--transport", "http", "--port", "0", "--lan", &address.to_string()]);
    let listener = HttpServer::start(command);
    let host = std::net::SocketAddr::new(address, listener.port).to_string();
    let token = token(&home, "ada");
    let ask = |method: &str, path: &str, host: &str, more: &str| {
        let mut stream = TcpStream::connect((address, listener.port)).unwrap();
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"far","version":"1"}}}"#;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n{more}\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        status(&rest(&mut stream))
    };
    let bearer = format!("Authorization: Bearer {token}\r\n");
    assert_eq!(ask("POST", "/mcp", &host, &bearer), 200);
    assert_eq!(ask("POST", "/mcp", &host, ""), 401);
    assert_eq!(ask("POST", "/mcp", &host, &format!("{bearer}Origin: http://{host}\r\n")), 403, "no page");
    assert_eq!(ask("POST", "/mcp", &format!("127.0.0.1:{}", listener.port), &bearer), 403);
    for path in ["/", "/api/hello", "/api/session", "/api/call/overview", "/ws"] {
        assert_eq!(ask("GET", path, &host, &bearer), 404, "{path}");
    }
    let told = home.run(&["status"]);
    assert!(
        String::from_utf8_lossy(&told.stderr)
            .contains(&format!("WARNING: other machines can reach this memory at http://{host}/mcp")),
        "{told:?}"
    );
}
