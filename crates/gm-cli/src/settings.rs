//! Every setting of the command line, and where its value comes from: built in, then
//! `config.toml` in the home library, then the environment, then flags; the later wins.
//!
//! A new setting is a line of [`KEYS`] and a reader below.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use gm_engine::LocationOptions;
use gm_engine::meaning::Wishes;
use gm_engine::search::Fusion;
use gm_model::{limits, text};
use gm_store::{create_private_file, create_private_folder};
use toml_edit::{DocumentMut, Item, Value};

use crate::args::Args;
use crate::exit::Failure;

const FILE: &str = "config.toml";

/// One setting, and the places it can be set in.
pub struct Key {
    pub name: &'static str,
    pub meaning: &'static str,
    pub in_file: bool,
    pub variable: Option<&'static str>,
    pub flag: Option<&'static str>,
}

pub const KEYS: [Key; 11] = [
    Key {
        name: "home",
        meaning: "the home library, which holds the configuration",
        in_file: false,
        variable: Some("GRAPHMEM_HOME"),
        flag: None,
    },
    Key {
        name: "db",
        meaning: "the graph file to use; in the configuration, where no project has a library",
        in_file: true,
        variable: Some("GRAPHMEM_DB_PATH"),
        flag: Some("--db"),
    },
    Key {
        name: "project_dir",
        meaning: "the project whose library is used",
        in_file: false,
        variable: None,
        flag: Some("--project-dir"),
    },
    Key {
        name: "graph",
        meaning: "the graph that commands work on",
        in_file: true,
        variable: Some("GRAPHMEM_GRAPH"),
        flag: Some("--graph"),
    },
    Key {
        name: "log",
        meaning: "what is logged to standard error, such as `info` or `gm_mcp=trace`",
        in_file: true,
        variable: Some("GRAPHMEM_LOG"),
        flag: None,
    },
    Key {
        name: "port",
        meaning: "the port agents attach to over HTTP",
        in_file: true,
        variable: Some("GRAPHMEM_PORT"),
        flag: Some("--port"),
    },
    Key {
        name: "traversal_node_budget",
        meaning: "nodes one traversal may reach",
        in_file: true,
        variable: Some("GRAPHMEM_TRAVERSAL_NODE_BUDGET"),
        flag: None,
    },
    Key {
        name: "embeddings",
        meaning: "search by meaning: `on` or `off`",
        in_file: true,
        variable: Some("GRAPHMEM_EMBEDDINGS"),
        flag: None,
    },
    Key {
        name: "embedding_model",
        meaning: "the embedding model: its name, or its folder",
        in_file: true,
        variable: Some("GRAPHMEM_EMBEDDING_MODEL"),
        flag: None,
    },
    Key {
        name: "models",
        meaning: "a folder of embedding models that is looked into first",
        in_file: true,
        variable: Some("GRAPHMEM_MODELS"),
        flag: None,
    },
    Key {
        name: "search_fusion",
        meaning: "how words and meaning count together: `convex` or `rrf`",
        in_file: true,
        variable: Some("GRAPHMEM_SEARCH_FUSION"),
        flag: None,
    },
];

/// Where a value comes from; the later beats the earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    Default,
    File,
    Environment,
    Flag,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Default => "default",
            Self::File => "configuration",
            Self::Environment => "environment",
            Self::Flag => "flag",
        })
    }
}

/// A value and its source.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    pub value: Option<String>,
    pub source: Source,
}

/// The settings of this process.
pub struct Settings {
    pub home: PathBuf,
    pub file: PathBuf,
    pub location: LocationOptions,
    /// In the order of [`KEYS`].
    values: Vec<Setting>,
}

impl Settings {
    pub fn load(args: &Args) -> Result<Self> {
        let mut location = LocationOptions::from_environment();
        location.db = args.db.clone();
        location.project_dir = args.project_dir.clone();
        let home = location.home_library();
        let file = home.join(FILE);
        let configured = read_file(&file)?;
        let mut values = Vec::new();
        for key in &KEYS {
            values.push(find(key, args, &configured, &file)?);
        }
        let mut settings = Self { home, file, location, values };
        let db = settings.setting("db");
        if db.source == Source::File {
            // A path in a file is meant from where the file is, not from where a command is run.
            settings.location.fallback_db = db.value.as_ref().map(|path| settings.home.join(path));
        }
        Ok(settings)
    }

    pub fn setting(&self, name: &str) -> &Setting {
        let at = KEYS.iter().position(|key| key.name == name).expect("settings are asked for by known names");
        &self.values[at]
    }

    pub fn all(&self) -> impl Iterator<Item = (&'static Key, &Setting)> {
        KEYS.iter().zip(&self.values)
    }

    /// The graph somebody chose; else each command has its own default.
    pub fn graph(&self) -> Option<String> {
        self.setting("graph").value.clone()
    }

    pub fn log(&self) -> Option<&str> {
        self.setting("log").value.as_deref()
    }

    pub fn port(&self) -> Option<u16> {
        self.setting("port").value.as_deref().and_then(|port| port.parse().ok())
    }

    pub fn meaning(&self) -> Wishes {
        let text = |name| self.setting(name).value.clone();
        Wishes {
            off: text("embeddings").is_some_and(|word| word == "off"),
            model: text("embedding_model"),
            // A path in a file is meant from where the file is.
            models: text("models").map(|folder| match self.setting("models").source {
                Source::File => self.home.join(folder),
                _ => PathBuf::from(folder),
            }),
            fusion: text("search_fusion").and_then(|word| Fusion::parse(&word)),
        }
    }

    pub fn traversal_node_budget(&self) -> Option<usize> {
        self.setting("traversal_node_budget").value.as_deref().and_then(|n| n.parse().ok())
    }
}

fn find(key: &Key, args: &Args, configured: &[(String, String)], file: &Path) -> Result<Setting> {
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
    let flag = match key.name {
        "db" => path(&args.db),
        "project_dir" => path(&args.project_dir),
        "graph" => args.graph.clone(),
        _ => None,
    };
    // Its path need not be text: the engine reads the variable itself.
    let variable = key.variable.and_then(std::env::var_os).filter(|value| !value.is_empty());
    let in_file = configured.iter().find(|(name, _)| name == key.name).map(|(_, value)| value.clone());
    if let Some(value) = flag {
        return Ok(Setting { value: Some(value), source: Source::Flag });
    }
    if let Some(value) = variable {
        let value = value.to_string_lossy().into_owned();
        check(key, &value, key.variable.unwrap_or_default())?;
        return Ok(Setting { value: Some(value), source: Source::Environment });
    }
    if let Some(value) = in_file {
        check(key, &value, &format!("{}` in `{}", key.name, file.display()))?;
        return Ok(Setting { value: Some(value), source: Source::File });
    }
    Ok(Setting { value: None, source: Source::Default })
}

/// Refuses a value that means nothing; `place` is where it stands.
fn check(key: &Key, value: &str, place: &str) -> Result<()> {
    let problem = match key.name {
        "graph" => text::graph_name("graph", value).err().map(|_| "is no name of a graph"),
        "log" => value.parse::<tracing_subscriber::EnvFilter>().err().map(|_| "is no filter of logs"),
        "port" => value
            .parse::<u16>()
            .map_or(true, |port| port == 0)
            .then_some("must be a whole number from 1 to 65535"),
        "embeddings" => (!["on", "off"].contains(&value)).then_some("must be `on` or `off`"),
        "search_fusion" => Fusion::parse(value).is_none().then_some("must be `convex` or `rrf`"),
        "traversal_node_budget" => {
            value.parse::<usize>().map_or(true, |n| n == 0).then_some("must be a whole number above 0")
        }
        _ => None,
    };
    match problem {
        Some(problem) => Err(Failure::used_wrongly(format!("`{place}` {problem}: `{value}`")).into()),
        None => Ok(()),
    }
}

fn read_document(file: &Path) -> Result<DocumentMut> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            return Err(Failure::failed(format!("cannot read `{}`: {error}", file.display())).into());
        }
    };
    text.parse::<DocumentMut>().map_err(|error| {
        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        let message = format!("`{}` line {line} is no TOML: {}", file.display(), error.message());
        Failure::used_wrongly(message).into()
    })
}

fn read_file(file: &Path) -> Result<Vec<(String, String)>> {
    let document = read_document(file)?;
    let mut found = Vec::new();
    for (name, item) in document.iter() {
        known(name, &format!("`{}`", file.display()))?;
        let value = match item.as_value() {
            Some(Value::String(text)) => text.value().clone(),
            Some(Value::Integer(number)) => number.value().to_string(),
            _ => {
                let message = format!("`{name}` in `{}` must be text or a whole number", file.display());
                return Err(Failure::used_wrongly(message).into());
            }
        };
        found.push((name.to_owned(), value));
    }
    Ok(found)
}

/// The setting of a name that can stand in the file, or an error that tells the nearest.
fn known(name: &str, place: &str) -> Result<&'static Key> {
    let in_file = || KEYS.iter().filter(|key| key.in_file);
    if let Some(key) = in_file().find(|key| key.name == name) {
        return Ok(key);
    }
    if let Some(variable) = KEYS.iter().find(|key| key.name == name).map(|key| key.variable.or(key.flag)) {
        let instead = variable.unwrap_or_default();
        let message = format!("`{name}` cannot stand in {place}; use `{instead}`");
        return Err(Failure::used_wrongly(message).into());
    }
    let nearest = in_file().min_by_key(|key| strsim::levenshtein(name, key.name)).map_or("", |key| key.name);
    let names: Vec<&str> = in_file().map(|key| key.name).collect();
    Err(Failure::used_wrongly(format!(
        "{place} has no setting `{}`; did you mean `{nearest}`?\nhint: there are {}",
        name.escape_debug(),
        names.join(", ")
    ))
    .into())
}

/// Writes settings into the configuration; an empty value takes one out. All or none, and what
/// else stands in the file, comments included, stays.
pub fn edit(home: &Path, edits: &[String]) -> Result<()> {
    let file = home.join(FILE);
    let mut document = read_document(&file)?;
    for edit in edits {
        let Some((name, value)) = edit.split_once('=') else {
            let message = format!("`{edit}` is not of the form KEY=VALUE");
            return Err(Failure::used_wrongly(message).into());
        };
        let (name, value) = (name.trim(), value.trim());
        if value.is_empty() {
            // Also one that is not known: that is how it is mended.
            if document.remove(name).is_none() {
                known(name, "the configuration")?;
            }
            continue;
        }
        let key = known(name, "the configuration")?;
        check(key, value, name)?;
        let number = matches!(name, "port" | "traversal_node_budget").then(|| value.parse::<i64>().ok());
        document[name] = match number.flatten() {
            Some(number) => Item::Value(number.into()),
            None => Item::Value(value.into()),
        };
    }
    let failed = |error| Failure::failed(format!("cannot write `{}`: {error}", file.display()));
    create_private_folder(home)?;
    let draft = home.join(format!("{FILE}.{}.part", gm_model::new_ulid()));
    let written = create_private_file(&draft).map_err(anyhow::Error::from).and_then(|mut open| {
        open.write_all(document.to_string().as_bytes())
            .and_then(|()| open.sync_all())
            .and_then(|()| std::fs::rename(&draft, &file))
            .map_err(|error| failed(error).into())
    });
    if written.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    written
}

/// What a setting is where nobody set it.
pub fn built_in(name: &str) -> Option<String> {
    match name {
        "graph" => Some(gm_engine::library::DEFAULT_GRAPH.into()),
        "log" => Some(DEFAULT_LOG.into()),
        "embeddings" => Some("on".into()),
        "embedding_model" => Some(gm_engine::embed::model::DEFAULT_MODEL.into()),
        "search_fusion" => Some(Fusion::default().as_str().into()),
        "traversal_node_budget" => Some(limits::TRAVERSAL_NODE_BUDGET.to_string()),
        _ => None,
    }
}

pub const DEFAULT_LOG: &str = "warn";
