//! BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) over texts already
//! at hand: for rows that were drawn from the index without its own ranking. Same constants and
//! column weights as the index, so that both kinds of score can stand in one list.

use std::collections::HashSet;

use gm_model::text::{IndexWords, QueryTerm};
use gm_store::search::{TextHit, TextRow};

use super::query::TextQuery;

const K1: f64 = 1.2;
const B: f64 = 0.75;
/// How much a word in a name counts against one in a type or description.
const NAME_WEIGHT: f64 = 8.0;

/// What a row must hold, word by word as the index holds them.
struct Wanted {
    words: Vec<String>,
    /// The last word may go on.
    is_beginning: bool,
    is_required: bool,
    /// Inverse document frequency.
    weight: f64,
}

/// A query ready to be compared with texts.
pub struct Scorer {
    wanted: Vec<Wanted>,
}

impl Scorer {
    /// `rows_with` tells for each term of the query how many of `total` rows hold it.
    pub fn new(query: &TextQuery, rows_with: &[u32], total: u64) -> Self {
        let terms = query.terms.iter().zip(rows_with).map(|(term, rows)| {
            let (text, is_beginning) = match term {
                QueryTerm::Word(text) => (text, false),
                QueryTerm::Prefix(text) => (text, true),
            };
            let weight = inverse_frequency(*rows, total);
            Wanted { words: words(text), is_beginning, is_required: false, weight }
        });
        let phrases = query.phrases.iter().map(|phrase| {
            let words = phrase.iter().flat_map(|term| match term {
                QueryTerm::Word(text) | QueryTerm::Prefix(text) => words(text),
            });
            Wanted { words: words.collect(), is_beginning: false, is_required: true, weight: 1.0 }
        });
        Self { wanted: phrases.chain(terms).filter(|wanted| !wanted.words.is_empty()).collect() }
    }

    /// Nothing compared yet.
    pub fn ranking(&self) -> Ranking<'_> {
        Ranking {
            scorer: self,
            text: IndexWords::default(),
            known: HashSet::new(),
            matching: Vec::new(),
            frequencies: Vec::new(),
            length: 0,
        }
    }
}

/// Rows compared with a query one after the other. How much a word counts depends on how long the
/// others are: scores are told at the end.
pub struct Ranking<'a> {
    scorer: &'a Scorer,
    /// Where the words of a text are taken apart.
    text: IndexWords,
    known: HashSet<i64>,
    matching: Vec<Matching>,
    /// Of each matching row, how often it holds each wanted word, weighed by where.
    frequencies: Vec<f64>,
    /// Words in all rows.
    length: usize,
}

struct Matching {
    entity_rid: i64,
    rid: i64,
    length: usize,
}

impl Ranking<'_> {
    /// Compares a row, if it is not known yet.
    pub fn add(&mut self, row: TextRow<'_>) {
        if !self.known.insert(row.rid) {
            return;
        }
        let wanted = &self.scorer.wanted;
        let start = self.frequencies.len();
        self.frequencies.resize(start + wanted.len(), 0.0);
        let frequencies = &mut self.frequencies[start..];
        let mut length = 0;
        for (text, weight) in [(row.name, NAME_WEIGHT), (row.body, 1.0)] {
            self.text.set(text);
            length += count(wanted, &self.text, weight, frequencies);
        }
        self.length += length;
        let lacks = |(wanted, frequency): (&Wanted, &f64)| wanted.is_required && *frequency == 0.0;
        if frequencies.iter().all(|frequency| *frequency == 0.0)
            || wanted.iter().zip(&*frequencies).any(lacks)
        {
            self.frequencies.truncate(start);
        } else {
            self.matching.push(Matching { entity_rid: row.entity_rid, rid: row.rid, length });
        }
    }

    /// How many rows were compared.
    pub fn rows(&self) -> usize {
        self.known.len()
    }

    /// The rows that match, best first.
    pub fn finish(self) -> Vec<TextHit> {
        let wanted = &self.scorer.wanted;
        let mean_length = (self.length as f64 / self.known.len().max(1) as f64).max(1.0);
        let mut hits: Vec<TextHit> = self
            .matching
            .iter()
            .zip(self.frequencies.chunks_exact(wanted.len().max(1)))
            .map(|(row, frequencies)| {
                let length = row.length as f64 / mean_length;
                let part = |(wanted, frequency): (&Wanted, &f64)| {
                    wanted.weight * frequency * (K1 + 1.0) / (frequency + K1 * (1.0 - B + B * length))
                };
                let score = wanted.iter().zip(frequencies).map(part).sum();
                TextHit { entity_rid: row.entity_rid, rid: row.rid, score }
            })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.rid.cmp(&a.rid)));
        hits
    }
}

/// Adds how often a text holds each wanted word; how many words it has.
fn count(wanted: &[Wanted], text: &IndexWords, weight: f64, frequencies: &mut [f64]) -> usize {
    let mut length = 0;
    for word in text.iter() {
        length += 1;
        for (wanted, frequency) in wanted.iter().zip(&mut *frequencies) {
            if let [only] = wanted.words.as_slice()
                && wanted.ends_with(word, only)
            {
                *frequency += weight;
            }
        }
    }
    if wanted.iter().any(|wanted| wanted.words.len() > 1) {
        let words: Vec<&str> = text.iter().collect();
        let several = wanted.iter().zip(frequencies).filter(|(wanted, _)| wanted.words.len() > 1);
        several.for_each(|(wanted, frequency)| *frequency += weight * wanted.times_in(&words) as f64);
    }
    length
}

/// What a word weighs that so many of all rows hold: as SQLite's text index has it.
pub fn inverse_frequency(rows: u32, total: u64) -> f64 {
    let rows = f64::from(rows);
    ((total as f64 - rows + 0.5).max(0.5) / (rows + 0.5)).ln().max(1e-6)
}

impl Wanted {
    /// Whether a word is the last one wanted.
    fn ends_with(&self, word: &str, last: &str) -> bool {
        if self.is_beginning { word.starts_with(last) } else { word == last }
    }

    fn times_in(&self, words: &[&str]) -> usize {
        let (last, first) = self.words.split_last().expect("something is wanted");
        let matches = |at: &&[&str]| {
            let (end, start) = at.split_last().expect("a window is as long as what is wanted");
            start == first && self.ends_with(end, last)
        };
        words.windows(self.words.len()).filter(matches).count()
    }
}

fn words(text: &str) -> Vec<String> {
    IndexWords::of(text).iter().map(str::to_owned).collect()
}
