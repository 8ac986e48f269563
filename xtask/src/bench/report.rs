//! What `bench engine` says.

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::samples::{Samples, rounded};
use super::table::{Table, number, print_line};

/// One kind of operation.
pub struct Row {
    name: &'static str,
    samples: Samples,
    per_second: Option<f64>,
    /// Milliseconds.
    target: Option<f64>,
}

impl Row {
    pub fn new(name: &'static str, samples: Samples, target: Option<f64>) -> Self {
        Self { name, samples, per_second: None, target }
    }

    /// Calls that stored so many items together.
    pub fn batches(name: &'static str, samples: Samples, items: usize) -> Self {
        let per_second = Some(items as f64 / samples.sum() * 1e3);
        Self { name, samples, per_second, target: None }
    }

    /// A target holds if 19 of 20 are within it.
    fn holds(&self) -> &'static str {
        match self.target {
            None => "",
            Some(target) if self.samples.p95() <= target => "yes",
            Some(target) if self.samples.median() <= target => "median only",
            Some(_) => "NO",
        }
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.name.to_owned(),
            self.samples.count().to_string(),
            number(self.samples.median()),
            number(self.samples.p95()),
            number(self.samples.worst()),
            self.per_second.map(number).unwrap_or_default(),
            self.target.map(|target| format!("≤ {target}")).unwrap_or_default(),
            self.holds().to_owned(),
        ]
    }

    fn to_json(&self) -> Value {
        let mut row = self.samples.to_json();
        row["name"] = json!(self.name);
        if let Some(rate) = self.per_second {
            row["per_second"] = json!(rate.round());
        }
        if let Some(target) = self.target {
            row["target_ms"] = json!(target);
            row["holds"] = json!(self.holds());
        }
        row
    }
}

/// One number about a run.
pub struct Fact {
    pub name: &'static str,
    /// `None` where this system does not tell.
    pub value: Option<f64>,
    pub unit: &'static str,
}

/// Everything about one size.
pub struct Run {
    pub corpus: Value,
    pub rows: Vec<Row>,
    pub facts: Vec<Fact>,
}

impl Run {
    pub fn fact(&mut self, name: &'static str, value: Option<f64>, unit: &'static str) {
        self.facts.push(Fact { name, value, unit });
    }

    /// Entities, observations and relationships together.
    pub fn objects(&self) -> f64 {
        let of = |kind: &str| self.corpus[kind].as_f64().unwrap_or_default();
        of("entities") + of("observations") + of("relationships")
    }

    fn print(&self) -> Result<()> {
        print_line(&format!("\ncorpus {}", self.corpus))?;
        let mut table = head();
        self.rows.iter().for_each(|row| table.row(row.cells()));
        table.print()?;
        let mut facts = Table::new(&["", ""]);
        for fact in &self.facts {
            let value = fact.value.map_or_else(|| "—".to_owned(), number);
            facts.row(vec![fact.name.to_owned(), format!("{value} {}", fact.unit)]);
        }
        facts.print()
    }

    fn to_json(&self) -> Value {
        let facts = self.facts.iter().map(|fact| {
            let name = format!("{} ({})", fact.name, fact.unit);
            (name, json!(fact.value.map(rounded)))
        });
        json!({
            "corpus": self.corpus,
            "operations": self.rows.iter().map(Row::to_json).collect::<Vec<_>>(),
            "facts": facts.collect::<Map<_, _>>(),
        })
    }
}

fn head() -> Table {
    Table::new(&["milliseconds", "n", "median", "p95", "worst", "items/s", "target", "holds (p95)"])
}

pub fn engine(mut about: Value, walk: &Row, runs: &[Run], json: bool) -> Result<()> {
    if json {
        about["walk"] = walk.to_json();
        about["runs"] = runs.iter().map(Run::to_json).collect();
        return print_line(&about.to_string());
    }
    print_line(&format!("{} on {}", about["version"].as_str().unwrap_or_default(), about["machine"]))?;
    let mut table = head();
    table.row(walk.cells());
    table.print()?;
    runs.iter().try_for_each(Run::print)
}
