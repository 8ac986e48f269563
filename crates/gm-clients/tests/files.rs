//! Files of other programs, as people have them: changed in one place, taken back byte for byte.

use std::fs;
use std::path::{Path, PathBuf};

use gm_clients::{
    ALL, Domain, PlanError, Scope, Server, Surroundings, System, Undone, by_id, connect, guide_of, install,
    undo, uninstall,
};

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn around(&self) -> Surroundings {
        let home = self.path().to_owned();
        Surroundings {
            system: System::Linux,
            app_data: home.join("AppData"),
            config: home.join(".config"),
            codex: home.join(".codex"),
            programs: vec![home.join("bin")],
            project: home.join("project"),
            home,
        }
    }

    fn write(&self, path: &str, content: &str) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Every file below the home with what it holds, our own notes left out.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        fn walk(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                match entry.path() {
                    path if path.is_dir() => walk(&path, found),
                    path => found.push((path.clone(), fs::read(&path).unwrap())),
                }
            }
        }
        let mut found = Vec::new();
        walk(self.path(), &mut found);
        found.retain(|(path, _)| !path.starts_with(self.library()));
        found.sort();
        found
    }

    fn library(&self) -> PathBuf {
        self.path().join(".graphmem")
    }
}

fn stdio() -> Server {
    Server::Stdio {
        command: "/usr/bin/graph-mem".into(),
        arguments: vec!["server".into(), "--as".into(), "claude-code".into()],
        environment: vec![],
    }
}

fn http() -> Server {
    Server::Http { url: "http://127.0.0.1:7437/mcp".into(), token: format!("gmt_{}", "ab12".repeat(16)) }
}

/// As people have them: comments, trailing commas, a byte order mark, Windows line ends, tabs, no end of line.
const FILES: &[(&str, &str, &str)] = &[
    (
        "cursor",
        ".cursor/mcp.json",
        "\u{feff}{\r\n  // mine\r\n  \"mcpServers\": {\r\n    \"other\": { \"command\": \"npx\", \"args\": [\"-y\", \"x\"], },\r\n  },\r\n}\r\n",
    ),
    (
        "zed",
        ".config/zed/settings.json",
        "// Zed settings\n{\n\t\"theme\": \"One Dark\", /* dark */\n\t\"vim_mode\": true,\n\t// \"context_servers\": {},\n}\n",
    ),
    (
        "codex",
        ".codex/config.toml",
        "# my configuration\nmodel = \"o9\"   # the best\n\n[mcp_servers.other]\ncommand = \"npx\"\nargs = [\n  \"-y\", # yes\n  \"x\",\n]\n\n[tui]\ntheme = 'dark'\n",
    ),
    ("claude-code", ".claude.json", "{\"numStartups\": 3, \"projects\": {\"/a\": {\"mcpServers\": {}}}}"),
    ("amp", ".config/amp/settings.jsonc", "{\n  \"amp.url\": \"x\", // here\n}"),
    (
        "opencode",
        ".config/opencode/opencode.json",
        "{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n",
    ),
    ("vscode", ".config/Code/User/mcp.json", "{\n  \"inputs\": [],\n  \"servers\": {}\n}\n"),
    ("gemini", ".gemini/settings.json", ""),
];

#[test]
fn a_change_is_shown_made_with_a_copy_and_taken_back_byte_for_byte() {
    let home = Home::new();
    let around = home.around();
    for (_, path, content) in FILES {
        home.write(path, content);
    }
    let before = home.files();
    for server in [stdio(), http()] {
        for (id, path, content) in FILES {
            let client = by_id(id).unwrap();
            let plan = connect(client, &around, Scope::User, &server).unwrap();
            assert_eq!(plan.path, home.path().join(path));
            let diff = plan.diff();
            let (minus, plus) = (lines(&diff, '-'), lines(&diff, '+'));
            assert!(!plus.is_empty() && plus.iter().any(|line| line.contains("graph-mem")), "{id}:\n{diff}");
            // Beside what is added, only the end of a line that had no comma, or a file of one line.
            assert!(minus.len() <= 2 || content.lines().count() <= 1, "{id}:\n{diff}");
            assert!(!diff.contains("ab12"), "no token is shown:\n{diff}");
            assert_eq!(fs::read_to_string(&plan.path).unwrap(), *content, "looking changes nothing");

            let applied = plan.apply(&home.library()).unwrap();
            let after = fs::read_to_string(&plan.path).unwrap();
            assert_eq!(fs::read_to_string(applied.backup.unwrap()).unwrap(), *content);
            for piece in [
                "// mine",
                "/* dark */",
                "# the best",
                "# yes",
                "// here",
                "numStartups",
                "inputs",
                "\u{feff}",
            ] {
                assert_eq!(content.contains(piece), after.contains(piece), "{id} keeps {piece:?}:\n{after}");
            }
            assert_eq!(content.contains("\r\n"), after.contains("\r\n"), "{id}: {after:?}");
            assert!(
                !content.contains("\r\n") || !after.replace("\r\n", "").contains('\n'),
                "{id}: {after:?}"
            );
            assert!(
                !connect(client, &around, Scope::User, &server).unwrap().is_needed(),
                "{id}: the same again is nothing:\n{after}"
            );
        }
        // Another way of reaching us, written over the first; what undo brings back is still the beginning.
        let cursor = by_id("cursor").unwrap();
        let other = if server == stdio() { http() } else { stdio() };
        connect(cursor, &around, Scope::User, &other).unwrap().apply(&home.library()).unwrap();
        for (id, path, _) in FILES {
            let undone = undo(by_id(id).unwrap(), &around, Scope::User, &home.library()).unwrap();
            assert_eq!(undone, Undone::Restored(home.path().join(path)));
        }
        assert_eq!(home.files(), before);
    }
}

fn lines(diff: &str, sign: char) -> Vec<&str> {
    diff.lines().skip(2).filter(|line| line.starts_with(sign)).collect()
}

#[test]
fn what_is_written_is_what_the_vendor_documents() {
    let home = Home::new();
    let around = home.around();
    let mut written = String::new();
    for client in ALL {
        assert!(client.source.starts_with("https://"), "{} has a page that says so", client.id);
        for (name, server) in [("stdio", stdio()), ("http", http())] {
            for (scope, told) in [(Scope::User, "user"), (Scope::Project, "project")] {
                let Ok(plan) = connect(client, &around, scope, &server) else { continue };
                plan.apply(&home.library()).unwrap();
                let path = plan.path.strip_prefix(home.path()).unwrap().display().to_string();
                let text = fs::read_to_string(&plan.path).unwrap().replace(&"ab12".repeat(16), "TOKEN");
                written += &format!("== {} {name} {told}: {path}\n{}\n", client.id, text.trim_end());
                undo(client, &around, scope, &home.library()).unwrap();
            }
        }
    }
    assert_eq!(home.files(), vec![], "nothing is left of files and folders that we made");
    let expected = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/written.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(expected, &written).unwrap();
    }
    assert_eq!(written, fs::read_to_string(expected).unwrap_or_default());
}

#[test]
fn what_others_changed_since_is_kept() {
    let home = Home::new();
    let around = home.around();
    let cursor = by_id("cursor").unwrap();
    let path = home.write(".cursor/mcp.json", "{ \"mcpServers\": { \"a\": {} } }\n");
    connect(cursor, &around, Scope::User, &stdio()).unwrap().apply(&home.library()).unwrap();
    let changed = fs::read_to_string(&path).unwrap().replace("\"a\": {}", "\"a\": { \"new\": 1 }");
    fs::write(&path, &changed).unwrap();
    assert_eq!(undo(cursor, &around, Scope::User, &home.library()).unwrap(), Undone::TakenOut(path.clone()));
    let left = fs::read_to_string(&path).unwrap();
    assert!(left.contains("\"new\": 1") && !left.contains("graph-mem"), "{left}");
    assert!(matches!(undo(cursor, &around, Scope::User, &home.library()), Err(PlanError::NothingToUndo)));
    // A change that was looked at is not made to another file.
    let plan = connect(cursor, &around, Scope::User, &stdio()).unwrap();
    fs::write(&path, "{}").unwrap();
    assert!(matches!(plan.apply(&home.library()), Err(PlanError::ChangedMeanwhile { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), "{}");
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    let home = Home::new();
    let around = home.around();
    let cursor = by_id("cursor").unwrap();
    for broken in [
        "{ \"mcpServers\": ",
        "[]",
        "{ \"mcpServers\": [] }",
        "\"x\"",
        "{}{}",
        "{ \"mcpServers\": \"a secret\" }",
    ] {
        let path = home.write(".cursor/mcp.json", broken);
        let error = connect(cursor, &around, Scope::User, &stdio()).unwrap_err().to_string();
        assert!(
            error.contains("mcp.json") && error.contains("left as it is") && !error.contains("a secret"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), broken);
    }
    home.write(".codex/config.toml", "model = ");
    assert!(connect(by_id("codex").unwrap(), &around, Scope::User, &stdio()).is_err());
    fs::write(home.path().join(".cursor/mcp.json"), [0xff, 0xfe, 0]).unwrap();
    assert!(connect(cursor, &around, Scope::User, &stdio()).unwrap_err().to_string().contains("not text"));
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_file_as_readable_as_it_was() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let around = home.around();
    let real = home.write("dotfiles/mcp.json", "{}\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir_all(home.path().join(".cursor")).unwrap();
    let link = home.path().join(".cursor/mcp.json");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    connect(by_id("cursor").unwrap(), &around, Scope::User, &stdio())
        .unwrap()
        .apply(&home.library())
        .unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("graph-mem"));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&real), 0o640);
    assert_eq!(mode(&home.library().join("clients")), 0o700);
    let plan = connect(by_id("droid").unwrap(), &around, Scope::User, &http()).unwrap();
    assert_eq!(
        mode(&plan.apply(&home.library()).unwrap().path),
        0o600,
        "a new file with a token is its user's alone"
    );
}

#[cfg(unix)]
#[test]
fn links_are_followed_wherever_they_lead() {
    let home = Home::new();
    let around = home.around();
    fs::create_dir_all(home.path().join("dotfiles")).unwrap();
    fs::create_dir_all(home.path().join("project")).unwrap();
    // To nothing yet.
    let link = home.path().join(".claude.json");
    std::os::unix::fs::symlink("dotfiles/claude.json", &link).unwrap();
    connect(by_id("claude-code").unwrap(), &around, Scope::User, &stdio())
        .unwrap()
        .apply(&home.library())
        .unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(home.path().join("dotfiles/claude.json")).unwrap().contains("graph-mem"));
    // To an empty file.
    let real = home.write("project/REAL.md", "");
    let link = home.path().join("project/AGENTS.md");
    std::os::unix::fs::symlink("REAL.md", &link).unwrap();
    let codex = by_id("codex").unwrap();
    let guide = guide_of(codex, &around, Scope::Project, Domain::General).unwrap();
    install(codex, &guide).unwrap().apply(&home.library()).unwrap();
    uninstall(codex, &guide).unwrap().apply(&home.library()).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "");
    // To what is no file.
    fs::create_dir_all(home.path().join(".cursor/mcp.json")).unwrap();
    assert!(connect(by_id("cursor").unwrap(), &around, Scope::User, &stdio()).is_err());
}

#[test]
fn toml_keeps_the_line_ends_of_windows() {
    let home = Home::new();
    let around = home.around();
    let before = "\u{feff}model = \"o9\"\r\n\r\n[mcp_servers.other]\r\ncommand = \"x\"\r\n";
    let path = home.write(".codex/config.toml", before);
    let codex = by_id("codex").unwrap();
    connect(codex, &around, Scope::User, &stdio()).unwrap().apply(&home.library()).unwrap();
    let after = fs::read_to_string(&path).unwrap();
    assert!(after.starts_with(before) && !after.replace("\r\n", "").contains('\n'), "{after:?}");
}

#[test]
fn what_was_there_before_us_is_not_ours_to_take_out() {
    let home = Home::new();
    let around = home.around();
    let own = "{ \"mcpServers\": { \"graph-mem\": { \"command\": \"mine\" } } }\n";
    let path = home.write(".cursor/mcp.json", own);
    let cursor = by_id("cursor").unwrap();
    connect(cursor, &around, Scope::User, &stdio()).unwrap().apply(&home.library()).unwrap();
    undo(cursor, &around, Scope::User, &home.library()).unwrap();
    assert!(matches!(undo(cursor, &around, Scope::User, &home.library()), Err(PlanError::NothingToUndo)));
    assert_eq!(fs::read_to_string(&path).unwrap(), own);
}

#[test]
fn clients_are_found_by_their_programs_and_folders() {
    let home = Home::new();
    let around = home.around();
    let found = || -> Vec<&str> { ALL.iter().filter(|c| c.is_installed(&around)).map(|c| c.id).collect() };
    assert_eq!(found(), Vec::<&str>::new());
    home.write("bin/amp", "");
    home.write(".cursor/mcp.json", "{}");
    assert_eq!(found(), ["cursor", "amp"]);
}

#[test]
fn instructions_go_where_clients_look_and_are_gone_without_a_trace() {
    let home = Home::new();
    let around = home.around();
    home.write("project/AGENTS.md", "# Ours\n\nUse tabs.\n");
    home.write(".gemini/GEMINI.md", "Be brief.");
    home.write("project/.github/copilot-instructions.md", "\u{feff}A\r\nB\r\n");
    let before = home.files();
    for client in ALL {
        for scope in [Scope::User, Scope::Project] {
            let Some(guide) = guide_of(client, &around, scope, Domain::Code) else {
                assert_eq!(client.id, "claude-desktop");
                continue;
            };
            assert!(guide.source.starts_with("https://"));
            let plan = install(client, &guide).unwrap();
            plan.apply(&home.library()).unwrap();
            let text = fs::read_to_string(&guide.path).unwrap();
            assert!(text.contains("search_nodes") && text.contains("a code base"), "{}", client.id);
            // Another domain takes the place of the first.
            let other = guide_of(client, &around, scope, Domain::Research).unwrap();
            install(client, &other).unwrap().apply(&home.library()).unwrap();
            let text = fs::read_to_string(&guide.path).unwrap();
            assert!(
                !text.contains("a code base") && text.matches("# Memory: graph-mem").count() == 1,
                "{}",
                client.id
            );
            assert!(!install(client, &other).unwrap().is_needed());
            uninstall(client, &guide).unwrap().apply(&home.library()).unwrap();
            assert!(matches!(uninstall(client, &guide), Err(PlanError::NothingToUndo)));
        }
    }
    assert_eq!(home.files(), before);
}

#[test]
fn the_text_names_every_tool_it_should_and_no_other() {
    let home = Home::new();
    let guide =
        guide_of(by_id("claude-code").unwrap(), &home.around(), Scope::User, Domain::General).unwrap();
    let head: Vec<&str> = guide.text.lines().take(4).collect();
    assert_eq!((head[0], head[1], head[3]), ("---", "name: graph-mem", "---"));
    let description = head[2].strip_prefix("description: ").unwrap();
    assert!(description.len() <= 1_024);
}
