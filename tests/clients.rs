//! Attaching clients and teaching them, by command, in a home with their files.

use gm_testkit::Home;
use serde_json::{Value, json};

use crate::home;

fn text(home: &Home, path: &str) -> String {
    std::fs::read_to_string(home.path().join(path)).unwrap_or_default()
}

fn write(home: &Home, path: &str, content: &str) {
    let path = home.path().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

#[test]
fn a_client_is_attached_tried_and_taken_back() {
    let home = home();
    let before = "{\n  // mine\n  \"mcpServers\": { \"other\": { \"command\": \"npx\" }, },\n}\n";
    write(&home, ".cursor/mcp.json", before);
    let listed = home.ok(&["connect"]);
    let found: Vec<&str> = listed.lines().filter(|line| line.contains("found")).collect();
    assert!(found.len() == 1 && found[0].contains("~/.cursor/mcp.json"), "{listed}");
    // Nobody is asked who cannot answer: the change is shown, and not made.
    let shown = home.run(&["connect", "cursor"]);
    assert_eq!(shown.status.code(), Some(1));
    let diff = String::from_utf8(shown.stdout).unwrap();
    assert!(diff.contains("+    \"graph-mem\": {") && diff.contains("--as"), "{diff}");
    assert_eq!(text(&home, ".cursor/mcp.json"), before);
    let made = home.ok(&["connect", "cursor", "--yes"]);
    assert!(made.contains("28 tools") && made.contains("graph `default` with 0 entities"), "{made}");
    let config = text(&home, ".cursor/mcp.json");
    assert!(config.contains("// mine") && config.contains("\"other\""), "{config}");
    // What is written starts a server that writes under the client's name.
    let start = config.find("\"args\"").unwrap();
    assert!(config[start..].contains("\"cursor\""), "{config}");
    assert!(home.ok(&["connect", "cursor", "--yes"]).contains("knows graph-mem already"));
    assert!(home.ok(&["connect", "cursor", "--undo"]).contains("is what it was before"));
    assert_eq!(text(&home, ".cursor/mcp.json"), before);
    assert_eq!(home.run(&["connect", "cursor", "--undo"]).status.code(), Some(4));
    // A broken file is somebody's, and stays.
    write(&home, ".cursor/mcp.json", "{ broken");
    let refused = home.run(&["connect", "cursor", "--yes"]);
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("left as it is"));
    assert_eq!(text(&home, ".cursor/mcp.json"), "{ broken");
    // What its vendor documents no place for is said to be so, and can be copied.
    for (client, says) in [("roo", "--project"), ("claude-desktop", "where it asks for it")] {
        let refused = home.run(&["connect", client, "--yes"]);
        assert!(String::from_utf8_lossy(&refused.stderr).contains(says), "{refused:?}");
        assert!(String::from_utf8_lossy(&refused.stdout).contains("mcpServers"), "{refused:?}");
    }
    // Who is connected is known, and can be restricted, before it came.
    assert!(home.ok(&["agents"]).contains("cursor"));
}

#[test]
fn projects_have_changes_of_their_own() {
    let home = home();
    let at = |project: &str, arguments: &[&str]| {
        let folder = home.path().join(project);
        std::fs::create_dir_all(&folder).unwrap();
        let output = home.command().current_dir(folder).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    write(&home, "one/.cursor/mcp.json", "{ /* one */ }");
    for project in ["one", "two"] {
        assert_eq!(at(project, &["connect", "cursor", "--project", "--yes"]).0, Some(0));
    }
    assert_eq!(
        at("three", &["connect", "cursor", "--project", "--undo"]).0,
        Some(4),
        "nothing is of this project"
    );
    assert_eq!(at("one", &["connect", "cursor", "--project", "--undo"]).0, Some(0));
    assert_eq!(text(&home, "one/.cursor/mcp.json"), "{ /* one */ }");
    assert!(text(&home, "two/.cursor/mcp.json").contains("graph-mem"));
    assert_eq!(at("two", &["connect", "cursor", "--project", "--undo"]).0, Some(0));
    assert!(!home.path().join("two/.cursor").exists());
    let left: Vec<_> = std::fs::read_dir(home.library().join("clients")).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn looking_costs_nobody_a_token() {
    let home = home();
    let listener = home.http();
    let token = home.ok(&["connect", "scribe", "--print-token"]).trim().to_owned();
    home.ok(&["connect", "scribe", "--print"]);
    assert_eq!(home.run(&["connect", "scribe", "--undo"]).status.code(), Some(4));
    listener.initialize(&token, "client");
    let near = home.run(&["connect", "curser"]);
    assert!(String::from_utf8_lossy(&near.stderr).contains("did you mean the client `cursor`"), "{near:?}");
    home.ok(&["connect", "vscode", "--transport", "http", "--yes"]);
    let again = home.run(&["connect", "vscode", "--transport", "http", "--yes"]);
    assert!(
        String::from_utf8_lossy(&again.stderr).contains("wherever its present one stands, it ends"),
        "{again:?}"
    );
    let undone = home.run(&["connect", "vscode", "--undo"]);
    assert!(String::from_utf8_lossy(&undone.stderr).contains("agents revoke vscode"), "{undone:?}");
}

#[test]
fn a_client_is_attached_to_the_listener_with_a_token_of_its_own() {
    let home = home();
    let listener = home.http();
    let looked = home.run(&["connect", "vscode", "--transport", "http"]);
    assert_eq!(looked.status.code(), Some(1));
    assert_eq!(home.ok(&["agents", "--json"]).trim(), "[]", "looking makes no agent");
    let made = home.ok(&["connect", "vscode", "--transport", "http", "--as", "editor", "--yes"]);
    assert!(made.contains("28 tools") && !made.contains("gmt_0"), "{made}");
    let config: Value = serde_json::from_str(&text(&home, ".config/Code/User/mcp.json")).unwrap();
    let entry = &config["servers"]["graph-mem"];
    assert_eq!(
        (&entry["type"], entry["url"].as_str()),
        (&json!("http"), Some(listener.url("/mcp").as_str()))
    );
    let token = entry["headers"]["Authorization"].as_str().unwrap();
    assert!(token.starts_with("Bearer gmt_") && !made.contains(token.trim_start_matches("Bearer ")));
    let agents: Value = serde_json::from_str(&home.ok(&["agents", "--json"])).unwrap();
    assert_eq!(agents[0]["name"], "editor");
    drop(listener);
    home.ok(&["connect", "vscode", "--undo"]);
    assert!(!home.path().join(".config").exists(), "folders that were made for it are gone");
}

#[test]
fn what_agents_are_taught_names_every_tool_and_no_other() {
    let home = home();
    let mut agent = home.server(&[]);
    let listed = agent.request("tools/list", json!({}));
    let tools: Vec<&str> =
        listed["tools"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap()).collect();
    home.ok(&["install", "claude-code", "--global"]);
    let skill = text(&home, ".claude/skills/graph-mem/SKILL.md");
    for tool in &tools {
        // Taking out an observation is taught as what is done to it.
        assert!(skill.contains(&format!("`{tool}`")), "{tool} is taught");
    }
    let named = skill.split('`').skip(1).step_by(2).filter(|word| {
        word.contains('_')
            && [
                "add_", "get_", "find_", "read_", "list_", "update_", "delete_", "search_", "merge_",
                "compact_", "create_", "switch_", "open_",
            ]
            .iter()
            .any(|verb| word.starts_with(verb))
    });
    for word in named {
        assert!(tools.contains(&word), "`{word}` is no tool");
    }
    write(&home, "AGENTS.md", "# Ours\n");
    for client in ["codex", "opencode", "amp"] {
        home.ok(&["install", client, "--domain", "code"]);
        assert_eq!(text(&home, "AGENTS.md").matches("graph-mem:begin").count(), 1);
    }
    assert!(home.ok(&["install", "codex", "--domain", "code"]).contains("up to date"));
    assert!(home.ok(&["install", "codex"]).contains("up to date"), "what it is for is not forgotten");
    home.ok(&["uninstall", "codex"]);
    assert_eq!(text(&home, "AGENTS.md"), "# Ours\n");
    assert_eq!(home.run(&["uninstall", "codex"]).status.code(), Some(4));
    home.ok(&["uninstall", "claude-code", "--global"]);
    assert!(!home.path().join(".claude").exists());
    assert_eq!(home.run(&["install", "nope"]).status.code(), Some(4));
    assert_eq!(home.run(&["install", "claude-desktop"]).status.code(), Some(4));
}
