//! BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) over texts already
//! at hand: for rows that were drawn from the index without its own ranking. Same constants and
//! column weights as the index, so that both kinds of score can stand in one list.

use gm_model::text::{IndexWords, QueryTerm};
use gm_store::search::TextRow;

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

    /// Rows that match, each with its score, best first.
    pub fn rank(&self, rows: Vec<TextRow>) -> Vec<(TextRow, f64)> {
        let texts: Vec<(IndexWords, IndexWords)> =
            rows.iter().map(|row| (IndexWords::of(&row.name), IndexWords::of(&row.body))).collect();
        let words: Vec<(Vec<&str>, Vec<&str>)> =
            texts.iter().map(|(name, body)| (name.iter().collect(), body.iter().collect())).collect();
        let lengths = words.iter().map(|(name, body)| name.len() + body.len());
        let mean = lengths.sum::<usize>() as f64 / (rows.len().max(1)) as f64;
        let mut ranked: Vec<(TextRow, f64)> = rows
            .into_iter()
            .zip(&words)
            .filter_map(|(row, (name, body))| self.score(name, body, mean).map(|score| (row, score)))
            .collect();
        ranked.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(b.rid.cmp(&a.rid)));
        ranked
    }

    /// `None` where nothing matches, or something required does not.
    fn score(&self, name: &[&str], body: &[&str], mean_length: f64) -> Option<f64> {
        let length = (name.len() + body.len()) as f64 / mean_length.max(1.0);
        let mut score = None;
        for wanted in &self.wanted {
            let frequency = NAME_WEIGHT * wanted.times_in(name) as f64 + wanted.times_in(body) as f64;
            if frequency == 0.0 {
                if wanted.is_required {
                    return None;
                }
                continue;
            }
            let part = frequency * (K1 + 1.0) / (frequency + K1 * (1.0 - B + B * length));
            *score.get_or_insert(0.0) += wanted.weight * part;
        }
        score
    }
}

/// What a word weighs that so many of all rows hold: as SQLite's text index has it.
pub fn inverse_frequency(rows: u32, total: u64) -> f64 {
    let rows = f64::from(rows);
    ((total as f64 - rows + 0.5).max(0.5) / (rows + 0.5)).ln().max(1e-6)
}

impl Wanted {
    fn times_in(&self, words: &[&str]) -> usize {
        let (last, first) = self.words.split_last().expect("something is wanted");
        let matches = |at: &&[&str]| {
            let (end, start) = at.split_last().expect("a window is as long as what is wanted");
            start == first && if self.is_beginning { end.starts_with(last.as_str()) } else { end == last }
        };
        words.windows(self.words.len()).filter(matches).count()
    }
}

fn words(text: &str) -> Vec<String> {
    IndexWords::of(text).iter().map(str::to_owned).collect()
}
