//! `cargo xtask bench peers`: ours beside other memory servers, in one run. The calls of one operation
//! are made to one server without a pause, then to the next server, then comes the next operation: a
//! burst as an agent makes it, and close enough in time that a busy machine meets all of them alike.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::random::Random;
use super::samples::{Samples, rounded};
use super::stdio::Server;
use super::table::{Table, number, print_line};
use super::work::{Corpus, Dialect, KINDS, Work};
use super::{machine, ours};
use crate::process::say;

const BATCH: usize = 100;
/// Enough that a p95 is not the third slowest call of a server that was just woken.
const SAMPLES: usize = 200;
const STARTS: usize = 5;
/// What we hold ourselves to against graph-mem 1.0 in Python.
const ADD_FACTOR: f64 = 30.0;
const CALL_FACTOR: f64 = 10.0;
const MEMORY_FACTOR: f64 = 2.0;
/// Milliseconds.
const START_TARGET: f64 = 50.0;

/// How the others are started, where they are there.
pub struct Others {
    pub graph_mem_python: Option<String>,
    pub server_memory: Option<String>,
}

/// A server of the race, with a home of its own.
struct Contender {
    name: &'static str,
    dialect: Dialect,
    server: Server,
    start: Samples,
    /// Gone with it.
    _home: tempfile::TempDir,
}

/// One kind of call: the times of each contender, ours first.
struct Row {
    name: &'static str,
    times: Vec<Option<Samples>>,
    /// How many times quicker than graph-mem 1.0 ours shall be.
    factor: f64,
}

pub fn peers(binary: &Path, others: &Others, entities: usize, seed: u64, json: bool) -> Result<()> {
    let mut contenders = contenders(binary, others)?;
    let mut random = Random::new(seed);
    let corpus = Corpus::new(entities, &mut random);
    let mut rows = fill(&mut contenders, &corpus)?;
    for (name, kind) in KINDS {
        say(&format!("· {name}"));
        let work: Vec<Work> = (0..SAMPLES).map(|_| kind(&corpus, &mut random)).collect();
        rows.push(race(&mut contenders, name, &work, CALL_FACTOR)?);
    }
    let report = Report {
        about: json!({
            "bench": "peers", "version": ours::version(binary)?, "machine": machine::describe(),
            "entities": corpus.entities.len(), "relationships": corpus.edges.len(), "seed": seed,
        }),
        memory: contenders.iter().map(|contender| machine::resident_mb(contender.server.pid())).collect(),
        rows,
        items: [corpus.entities.len(), corpus.edges.len()],
        contenders,
    };
    if json { print_line(&report.to_json().to_string()) } else { report.print() }
}

fn contenders(binary: &Path, others: &Others) -> Result<Vec<Contender>> {
    let mut contenders =
        vec![Contender::start("ours", Dialect::GraphMem, &|home| Ok(ours::server(binary, home)))?];
    if let Some(line) = &others.graph_mem_python {
        contenders.push(Contender::start("python", Dialect::GraphMem, &|home| other(line, home))?);
    }
    if let Some(line) = &others.server_memory {
        contenders.push(Contender::start("server-memory", Dialect::ServerMemory, &|home| other(line, home))?);
    }
    Ok(contenders)
}

/// A command line of a person, its data kept in `home`.
fn other(line: &str, home: &Path) -> Result<Command> {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().context("the command of a peer is empty")?);
    command
        .args(words)
        .env("HOME", home)
        .env("GRAPHMEM_DB_PATH", home.join("graph.db"))
        .env("MEMORY_FILE_PATH", home.join("memory.jsonl"));
    Ok(command)
}

impl Contender {
    /// Starts it several times in empty homes, and keeps the last.
    fn start(
        name: &'static str,
        dialect: Dialect,
        command: &dyn Fn(&Path) -> Result<Command>,
    ) -> Result<Self> {
        say(&format!("· starting {name}"));
        let mut starts = Vec::new();
        loop {
            let home = tempfile::tempdir()?;
            let server = Server::start(command(home.path())?, home.path())?;
            starts.push(server.start);
            if starts.len() == STARTS {
                return Ok(Self { name, dialect, server, start: starts.into_iter().collect(), _home: home });
            }
            server.close()?;
        }
    }

    /// `None` if it has no such tool.
    fn time(&mut self, work: &Work) -> Result<Option<Duration>> {
        let Some((tool, arguments)) = work.call(self.dialect) else { return Ok(None) };
        self.server.call(tool, arguments).map(Some).with_context(|| format!("{} in a race", self.name))
    }
}

fn fill(contenders: &mut [Contender], corpus: &Corpus) -> Result<Vec<Row>> {
    say("· adding entities and relationships");
    let batches: Vec<Work> =
        corpus.entities.chunks(BATCH).map(|batch| Work::AddEntities(batch.to_vec())).collect();
    let entities = race(contenders, "add_entities, batches of 100", &batches, ADD_FACTOR)?;
    let batches: Vec<Work> =
        corpus.edges.chunks(BATCH).map(|batch| Work::AddRelationships(batch.to_vec())).collect();
    let edges = race(contenders, "add_relationships, batches of 100", &batches, ADD_FACTOR)?;
    Ok(vec![entities, edges])
}

fn race(contenders: &mut [Contender], name: &'static str, work: &[Work], factor: f64) -> Result<Row> {
    let mut times: Vec<Vec<Duration>> = Vec::new();
    for contender in contenders {
        let taken = work.iter().filter_map(|work| contender.time(work).transpose());
        times.push(taken.collect::<Result<_>>()?);
    }
    let times = times.into_iter().map(|times| (!times.is_empty()).then(|| times.into_iter().collect()));
    Ok(Row { name, times: times.collect(), factor })
}

impl Row {
    /// How many times quicker ours is than another, by median and by p95.
    fn ratios(&self, other: usize) -> Option<(f64, f64)> {
        let (ours, other) = (self.times.first()?.as_ref()?, self.times.get(other)?.as_ref()?);
        Some((other.median() / ours.median(), other.p95() / ours.p95()))
    }

    fn holds(&self, python: Option<usize>) -> &'static str {
        match python.and_then(|python| self.ratios(python)) {
            None => "",
            Some((median, p95)) => verdict(median >= self.factor, p95 >= self.factor),
        }
    }
}

fn verdict(median: bool, p95: bool) -> &'static str {
    match (median, p95) {
        (true, true) => "yes",
        (true, false) => "median only",
        (false, _) => "NO",
    }
}

struct Report {
    about: Value,
    contenders: Vec<Contender>,
    rows: Vec<Row>,
    /// Entities and relationships that the first two rows stored.
    items: [usize; 2],
    /// Megabytes after the run.
    memory: Vec<Option<f64>>,
}

impl Report {
    fn python(&self) -> Option<usize> {
        self.contenders.iter().position(|contender| contender.name == "python")
    }

    fn print(&self) -> Result<()> {
        print_line(&self.about.to_string())?;
        let mut head = vec!["milliseconds".to_owned()];
        for (at, contender) in self.contenders.iter().enumerate() {
            head.extend([format!("{} median", contender.name), "p95".to_owned()]);
            if at > 0 {
                head.extend(["× median".to_owned(), "× p95".to_owned()]);
            }
        }
        head.extend(["target".to_owned(), "holds".to_owned()]);
        let mut table = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
        self.rows.iter().for_each(|row| table.row(self.cells(row)));
        table.row(self.start_cells());
        table.print()?;
        print_line("")?;
        self.print_totals()
    }

    fn cells(&self, row: &Row) -> Vec<String> {
        let mut cells = vec![row.name.to_owned()];
        for (at, times) in row.times.iter().enumerate() {
            cells.extend(pair(times.as_ref().map(|times| (times.median(), times.p95()))));
            if at > 0 {
                cells.extend(pair(row.ratios(at)));
            }
        }
        if self.python().is_some() {
            cells.extend([format!("≥ {}×", row.factor), row.holds(self.python()).to_owned()]);
        }
        cells
    }

    fn start_cells(&self) -> Vec<String> {
        let ours = &self.contenders[0].start;
        let mut cells = vec!["start to handshake".to_owned()];
        for (at, contender) in self.contenders.iter().enumerate() {
            let start = &contender.start;
            cells.extend(pair(Some((start.median(), start.p95()))));
            if at > 0 {
                cells.extend(pair(Some((start.median() / ours.median(), start.p95() / ours.p95()))));
            }
        }
        let holds = verdict(ours.median() <= START_TARGET, ours.p95() <= START_TARGET);
        cells.extend([format!("≤ {START_TARGET} ms"), holds.to_owned()]);
        cells
    }

    /// Items per second and memory: one number for each.
    fn print_totals(&self) -> Result<()> {
        let names = self.contenders.iter().map(|contender| contender.name);
        let mut table = Table::new(&std::iter::once("").chain(names).chain(["holds"]).collect::<Vec<_>>());
        for (name, rates) in self.rates() {
            let mut cells = vec![format!("{name} per second")];
            cells.extend(rates.iter().map(|rate| rate.map_or_else(|| "—".to_owned(), number)));
            if let Some(python) = self.python()
                && let (Some(ours), Some(python)) = (rates[0], rates[python])
            {
                let holds = if ours >= python * ADD_FACTOR { "yes" } else { "NO" };
                cells.push(format!("{}× ≥ {ADD_FACTOR}×: {holds}", number(ours / python)));
            }
            table.row(cells);
        }
        let mut cells = vec!["resident memory, MB".to_owned()];
        cells.extend(self.memory.iter().map(|memory| memory.map_or_else(|| "—".to_owned(), number)));
        if let Some(holds) = self.memory_holds() {
            cells.push(format!("≤ 1/{MEMORY_FACTOR}: {}", if holds { "yes" } else { "NO" }));
        }
        table.row(cells);
        table.print()
    }

    fn rates(&self) -> Vec<(&'static str, Vec<Option<f64>>)> {
        let rate = |row: usize| {
            let rates = self.rows[row].times.iter();
            rates.map(|times| times.as_ref().map(|t| self.items[row] as f64 / t.sum() * 1e3)).collect()
        };
        vec![("entities", rate(0)), ("relationships", rate(1))]
    }

    fn memory_holds(&self) -> Option<bool> {
        let (ours, python) = (self.memory[0]?, self.memory[self.python()?]?);
        Some(ours * MEMORY_FACTOR <= python)
    }

    fn to_json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            let mut told = self.by_name(|at| row.times[at].as_ref().map(Samples::to_json));
            let ratios = self.by_name(|at| {
                let (median, p95) = row.ratios(at).filter(|_| at > 0)?;
                Some(json!({ "median": rounded(median), "p95": rounded(p95) }))
            });
            told.insert("ratios".to_owned(), ratios.into());
            told.insert("name".to_owned(), json!(row.name));
            told.insert("target_ratio".to_owned(), json!(row.factor));
            told.insert("holds".to_owned(), json!(row.holds(self.python())));
            Value::from(told)
        });
        let mut report = self.about.clone();
        report["operations"] = rows.collect();
        report["start"] = self.by_name(|at| Some(self.contenders[at].start.to_json())).into();
        report["memory_mb"] = self.by_name(|at| self.memory[at].map(|memory| json!(rounded(memory)))).into();
        for (name, rates) in self.rates() {
            report[format!("{name}_per_second")] =
                self.by_name(|at| rates[at].map(|rate| json!(rate.round()))).into();
        }
        report
    }

    fn by_name(&self, value: impl Fn(usize) -> Option<Value>) -> Map<String, Value> {
        let contenders = self.contenders.iter().enumerate();
        contenders.filter_map(|(at, contender)| Some((contender.name.to_owned(), value(at)?))).collect()
    }
}

fn pair(values: Option<(f64, f64)>) -> [String; 2] {
    values.map_or_else(|| ["—".to_owned(), "—".to_owned()], |(one, other)| [number(one), number(other)])
}
