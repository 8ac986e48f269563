//! Where data lies: names that become files, odd paths, folders without rights, rights of others.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use gm_testkit::{Home, McpProcess};
use serde_json::{Value, json};

use crate::{data, home, sql};

fn one(name: &str) -> Value {
    json!({ "entities": [{ "name": name, "entity_type": "t", "observations": [format!("about {name}")] }] })
}

/// Everything below a folder.
fn everything(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(everything(&path));
        }
        found.push(path);
    }
    found
}

#[test]
fn b029_no_argument_leads_out_of_the_library() {
    let home = home();
    let secret = home.file("outside.json", r#"{"secret":"kept outside"}"#);
    let tools: Value = serde_json::from_str(&std::fs::read_to_string(data("tools.json")).unwrap()).unwrap();
    for tool in tools.as_array().unwrap() {
        for field in tool["inputSchema"]["properties"].as_object().unwrap().keys() {
            let is_place =
                ["path", "file", "folder", "directory", "uri"].iter().any(|word| field.contains(word));
            assert!(!is_place, "{} takes a place in the file system: {field}", tool["name"]);
        }
    }
    home.ok(&["graphs"]);
    std::os::unix::fs::symlink(&secret, home.library().join("link.db")).unwrap();
    std::os::unix::fs::symlink("/etc", home.library().join("etc.db")).unwrap();
    let before = everything(home.path()).len();
    for name in ["link", "etc", "../outside", "../../evil", "/abs/evil"] {
        for arguments in [
            vec!["export", "--graph", name],
            vec!["status", "--graph", name],
            vec!["import", &data("server-memory-tiny.jsonl"), "--graph", name],
        ] {
            let refused = home.run(&arguments);
            let told = format!(
                "{}{}",
                String::from_utf8_lossy(&refused.stdout),
                String::from_utf8_lossy(&refused.stderr)
            );
            assert!(!refused.status.success(), "{arguments:?}");
            assert!(!told.contains("kept outside") && !told.contains("root:"), "{told}");
        }
    }
    let listed = home.ok(&["graphs", "--json"]);
    assert!(!listed.contains("kept outside"));
    assert_eq!(everything(home.path()).len(), before, "nothing appeared");
    assert_eq!(std::fs::read_to_string(&secret).unwrap(), r#"{"secret":"kept outside"}"#);
    // A database's own name becomes a graph's name inside the library, whatever it is.
    for odd in ["..evil.db", "%2e%2e%2fx.db", "-.db", "graph.db", "a b'c.db"] {
        let source = home.path().join("in");
        std::fs::create_dir_all(&source).unwrap();
        std::fs::copy(data("graph-mem-1.0.0.db"), source.join(odd)).unwrap();
        home.ok(&["import", source.join(odd).to_str().unwrap()]);
        std::fs::remove_dir_all(&source).unwrap();
    }
    let outside: Vec<PathBuf> = everything(home.path())
        .into_iter()
        .filter(|path| !path.starts_with(home.library()) && path.extension().is_some_and(|e| e == "db"))
        .collect();
    assert!(outside.is_empty(), "{outside:?}");
}

#[test]
fn b040_a_name_that_is_taken_works_for_life() {
    let home = home();
    let mut taken = Vec::new();
    for name in ["main", "my-graph", "2025", "select", "a.b", "grüße", "-x", "--help", "_", "default", "null"]
    {
        let mut agent = home.server(&[]);
        let made =
            agent.request("tools/call", json!({ "name": "create_graph", "arguments": { "name": name } }));
        if made["isError"] == true {
            let told = made["content"][0]["text"].as_str().unwrap();
            assert!(told.contains("letters, digits") || told.contains("already_exists"), "{name}: {told}");
            continue;
        }
        taken.push(name);
        agent.call("switch_graph", json!({ "name": name }));
        agent.call("add_entities", one("Kestrel"));
        assert_eq!(agent.call("search_nodes", json!({ "query": "kestrel" }))["count"], 1, "{name}");
        assert_eq!(agent.call("read_graph", json!({ "graph": name }))["graph"], name);
        assert!(agent.close(std::time::Duration::from_secs(10)).is_some());
        let flag = format!("--graph={name}");
        let export = home.ok(&["export", &flag]);
        assert!(export.contains("Kestrel"), "{name}");
        let file = home.file("export.json", &export);
        home.ok(&["import", &file, &flag]);
        assert_eq!(home.ok(&["export", &flag]), export, "{name}");
        let mut agent = home.server(&[]);
        if name != "default" {
            agent.call("delete_graph", json!({ "name": name }));
            agent.refused("switch_graph", json!({ "name": name }));
        }
    }
    assert!(["main", "my-graph", "2025", "select"].iter().all(|name| taken.contains(name)), "{taken:?}");
}

/// Create, search, export, import, a second process, and the printed configuration, on one folder.
fn smoke(home: &Home, folder: &Path) {
    let command = |arguments: &[&str]| {
        let mut command = home.command();
        command.env("GRAPHMEM_HOME", folder).args(arguments);
        command
    };
    let ok = |arguments: &[&str]| -> String {
        let output = command(arguments).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?} in {}: {errors}", folder.display());
        String::from_utf8(output.stdout).unwrap()
    };
    let mut agent = McpProcess::start(command(&["server"]));
    let mut second = McpProcess::start(command(&["server"]));
    agent.call("add_entities", one("Heron"));
    assert_eq!(second.call("search_nodes", json!({ "query": "heron" }))["count"], 1);
    agent.call("create_graph", json!({ "name": "work" }));
    second.call("switch_graph", json!({ "name": "work" }));
    second.call("add_entities", one("Egret"));
    assert_eq!(agent.call("list_graphs", json!({}))["count"], 2);
    let out = folder.join("out.json");
    ok(&["export", "--output", out.to_str().unwrap()]);
    ok(&["import", out.to_str().unwrap(), "--graph", "work"]);
    ok(&["import", &data("graph-mem-1.0.0.db")]);
    assert!(folder.join("graph.db").exists() && folder.join("work.db").exists(), "no other folder was made");
    let printed = ok(&["connect", "bot"]);
    let stdio = printed.split("as a process of its own:").nth(1).unwrap();
    let config: Value = serde_json::from_str(stdio.trim()).unwrap();
    let server = &config["mcpServers"]["graph-mem"];
    let words: Vec<&str> = std::iter::once(&server["command"])
        .chain(server["args"].as_array().unwrap())
        .map(|word| word.as_str().unwrap())
        .collect();
    let environment: Vec<(&str, &str)> = server["env"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
        .collect();
    // A client without a shell, and one that hands a line to a shell.
    let mut plain = Command::new(words[0]);
    plain.args(&words[1..]);
    let quoted = |word: &str| format!("'{}'", word.replace('\'', r"'\''"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")]);
    for mut client in [plain, shell] {
        client.current_dir("/").env("HOME", home.path().join("elsewhere")).env_remove("GRAPHMEM_HOME");
        client.env_remove("GRAPHMEM_DB_PATH").envs(environment.iter().copied());
        let mut bot = McpProcess::start(client);
        assert_eq!(bot.call("search_nodes", json!({ "query": "heron" }))["count"], 1);
    }
}

#[test]
fn b127_folders_with_spaces_accents_and_signs() {
    let home = home();
    let folder = home.path().join("gm tést's 数据 %20 #1?x=1&y").join("data");
    smoke(&home, &folder);
}

#[test]
fn b127_folders_with_very_long_paths() {
    let home = home();
    let mut folder = home.path().to_owned();
    while folder.as_os_str().len() < 240 {
        folder = folder.join("a long name of a folder");
    }
    smoke(&home, &folder);
}

/// A command for which the rights on files count even when the tests run as root.
fn without_privilege(home: &Home, arguments: &[&str]) -> Command {
    let binary = home.command().get_program().to_owned();
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0);
    let mut command = if is_root {
        let mut command = Command::new("setpriv");
        command.arg("--bounding-set=-dac_override,-dac_read_search").arg("--").arg(binary);
        command
    } else {
        Command::new(binary)
    };
    command.current_dir(home.path()).env("HOME", home.path()).env("GRAPHMEM_HOME", home.library());
    command.env_remove("GRAPHMEM_DB_PATH").args(arguments);
    command
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// A library with a graph `work`, all processes gone.
fn library_with_work() -> Home {
    let home = home();
    let mut agent = home.server(&[]);
    agent.call("create_graph", json!({ "name": "work" }));
    let mut heron = one("Heron");
    heron["graph"] = json!("work");
    agent.call("add_entities", heron);
    assert!(agent.close(std::time::Duration::from_secs(10)).is_some());
    home
}

fn reading_works_and_writing_is_refused(home: &Home) -> McpProcess {
    let mut agent = McpProcess::start(without_privilege(home, &["server", "--graph", "work"]));
    let listed = agent.call("list_graphs", json!({}));
    let work = listed["graphs"].as_array().unwrap().iter().find(|g| g["name"] == "work").unwrap();
    assert_eq!((&work["unreadable"], &work["entities"]), (&Value::Null, &json!(1)), "{work}");
    assert_eq!(agent.call("get_entity", json!({ "name": "Heron" }))["observation_count"], 1);
    assert_eq!(agent.call("search_nodes", json!({ "query": "heron" }))["count"], 1);
    let export = without_privilege(home, &["export", "--graph", "work"]).output().unwrap();
    let errors = String::from_utf8_lossy(&export.stderr);
    assert!(export.status.success(), "{errors}");
    assert!(String::from_utf8_lossy(&export.stdout).contains("Heron"));
    let error = agent.refused("add_entities", one("Egret"));
    assert_eq!(error["error_type"], "read_only", "{error}");
    agent
}

fn writing_works_again(mut agent: McpProcess) {
    agent.call("add_entities", one("Egret"));
    assert_eq!(agent.call("read_graph", json!({}))["entities"], 2, "without a restart");
}

#[test]
fn b128_a_file_that_may_not_be_written_is_read() {
    let home = library_with_work();
    set_mode(&home.library().join("work.db"), 0o400);
    reading_works_and_writing_is_refused(&home);
}

#[test]
fn b128_a_file_that_may_not_be_written_is_named() {
    let home = library_with_work();
    set_mode(&home.library().join("work.db"), 0o400);
    let mut agent = reading_works_and_writing_is_refused(&home);
    let error = agent.refused("add_entities", one("Egret"));
    assert!(error["message"].as_str().unwrap().contains("`work.db`"), "{error}");
}

#[test]
fn b128_a_file_that_may_be_written_again_is_written_without_a_restart() {
    let home = library_with_work();
    let file = home.library().join("work.db");
    set_mode(&file, 0o400);
    let agent = reading_works_and_writing_is_refused(&home);
    set_mode(&file, 0o600);
    writing_works_again(agent);
}

#[test]
fn b128_a_folder_that_may_not_be_written_is_read() {
    let home = library_with_work();
    let modes = |folder: u32, file: u32| {
        for path in everything(&home.library()) {
            set_mode(&path, if path.is_dir() { folder } else { file });
        }
        set_mode(&home.library(), folder);
    };
    modes(0o500, 0o400);
    // The rights come back whatever happens, so that the folder can be removed.
    let reading = std::panic::AssertUnwindSafe(|| reading_works_and_writing_is_refused(&home));
    let agent = std::panic::catch_unwind(reading);
    modes(0o700, 0o600);
    match agent {
        Ok(agent) => writing_works_again(agent),
        Err(failure) => std::panic::resume_unwind(failure),
    }
}

#[test]
fn b128_a_folder_that_may_not_be_entered_is_said_to_be_that() {
    let home = library_with_work();
    let before = everything(home.path()).len();
    set_mode(&home.library(), 0o000);
    let outputs: Vec<_> = [vec!["status", "--graph", "work"], vec!["graphs"], vec!["server"]]
        .iter()
        .map(|arguments| {
            without_privilege(&home, arguments).stdin(std::process::Stdio::null()).output().unwrap()
        })
        .collect();
    set_mode(&home.library(), 0o700);
    for output in outputs {
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && message.starts_with("error: "), "{message}");
        let is_named = message.contains("library") || message.contains("state.sqlite");
        assert!(is_named && !message.contains("SQLite"), "what cannot be used is named: {message}");
    }
    assert_eq!(everything(home.path()).len(), before, "no new database anywhere");
}

#[test]
fn b143_nothing_is_readable_by_others() {
    let home = home();
    // What a program makes under the usual mask, not under a strict one of the machine.
    let binary = home.command().get_program().to_string_lossy().into_owned();
    let run = |line: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("umask 022; exec \"$0\" {line}"), &binary]).current_dir(home.path());
        command.env("HOME", home.path()).env("GRAPHMEM_HOME", home.library()).env_remove("GRAPHMEM_LOG");
        command
    };
    std::fs::create_dir_all(home.path().join("in")).unwrap();
    let mut bad = std::fs::read_to_string(data("server-memory-tiny.jsonl")).unwrap();
    bad.push_str("{\"type\":\"mystery\"}\n");
    std::fs::write(home.path().join("in/bad.jsonl"), bad).unwrap();
    std::fs::copy(data("graph-mem-1.0.0.db"), home.path().join("in/theirs.db")).unwrap();
    let mut told = String::new();
    for line in [
        "graphs --create work",
        "import in/bad.jsonl --skip-invalid",
        "import in/theirs.db",
        "export --output out.json",
        "connect bot",
    ] {
        let output = run(line).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{line}: {errors}");
        told.push_str(&errors);
    }
    // A file of the old program laid into the library, as people do it: moved after a copy.
    std::fs::copy(data("graph-mem-1.0.0.db"), home.library().join("old.db")).unwrap();
    assert!(run("status --graph old").output().unwrap().status.success());
    let listener = gm_testkit::HttpServer::start(run("server --transport http --port 0"));
    let mut agent = McpProcess::start(run("server"));
    agent.call("add_entities", one("the private word quetzal"));
    agent.refused("add_entities", json!({ "entities": [{ "name": "quetzal", "entity_type": 7 }] }));
    let mode = |path: &Path| std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777;
    let mut seen = Vec::new();
    let ours = everything(&home.library()).into_iter().chain([
        home.library(),
        home.path().join("out.json"),
        home.path().join("in/bad.jsonl.rejected.jsonl"),
    ]);
    for path in ours {
        let wanted = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&path), wanted, "{} {:o}", path.display(), mode(&path));
        seen.push(path.file_name().unwrap().to_string_lossy().into_owned());
    }
    for expected in ["graph.db", "graph.db-wal", "state.sqlite", "endpoint.json", "backups", "work.db"] {
        assert!(seen.iter().any(|name| name == expected), "{expected} is not among {seen:?}");
    }
    assert!(!told.contains("quetzal"), "{told}");
    drop(listener);
}

#[test]
fn b143_logs_hold_no_memory_text() {
    let home = home();
    let log = home.path().join("log");
    let mut command = home.command();
    command.arg("server");
    let mut line = Command::new("sh");
    line.args(["-c", "exec \"$0\" server 2>\"$1\""])
        .arg(command.get_program())
        .arg(&log)
        .current_dir(home.path())
        .env("HOME", home.path())
        .env("GRAPHMEM_HOME", home.library())
        .env_remove("GRAPHMEM_LOG");
    let mut agent = McpProcess::start(line);
    agent.call("add_entities", one("quetzal"));
    agent.refused("add_entities", json!({ "entities": [{ "name": "quetzal\0", "entity_type": "quetzal" }] }));
    agent.call("search_nodes", json!({ "query": "quetzal" }));
    agent.refused("get_entity", json!({ "name": "quetzalcoatl" }));
    agent.send_line("{\"quetzal\":");
    agent.request("ping", json!({}));
    drop(agent);
    let logged = std::fs::read_to_string(&log).unwrap();
    assert!(!logged.contains("quetzal"), "{logged}");
    assert_eq!(sql(&home.library().join("graph.db"), "SELECT count(*) FROM entities"), "1");
}

#[test]
fn a_named_file_has_one_name_and_is_not_deleted_under_another() {
    let home = home();
    let folder = home.path().join("lib");
    std::fs::create_dir(&folder).unwrap();
    let file = folder.join("foo.db");
    let mut command = home.command();
    command.args(["server", "--db", file.to_str().unwrap()]);
    let mut agent = gm_testkit::McpProcess::start(command);
    agent.call("add_entities", json!({ "entities": [{ "name": "A", "entity_type": "t" }] }));
    let listed = agent.call("list_graphs", json!({}));
    assert_eq!(listed["count"], 1, "{listed}");
    agent.refused("delete_graph", json!({ "name": "foo" }));
    agent.refused("create_graph", json!({ "name": "foo" }));
    assert_eq!(agent.call("read_graph", json!({}))["entities"], 1);
}

#[test]
fn a_database_may_be_the_first_thing_in_a_library() {
    let home = home();
    let project = home.path().join("project");
    let place = project.to_string_lossy();
    home.ok(&["--project-dir", &place, "import", &data("graph-mem-1.0.0.db")]);
    assert!(project.join(".graphmem/graph-mem-1-0-0.db").is_file());
    assert_eq!(std::fs::metadata(project.join(".graphmem")).unwrap().mode() & 0o777, 0o700);
}
