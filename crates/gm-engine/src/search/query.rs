//! User text taken apart: quoted parts are phrases that must stand, `word*` is a beginning,
//! everything else is words of which any may match.

use gm_model::limits;
use gm_model::text::{self, QueryTerm};
use gm_store::search::MatchExpression;

/// Characters a beginning has at least, unless it was asked for: shorter ones begin half of all
/// words.
const MIN_BEGINNING: usize = 2;

/// Which words of a query also match words that go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beginnings {
    None,
    Last,
    All,
}

/// What a text asks for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextQuery {
    pub phrases: Vec<Vec<QueryTerm>>,
    pub terms: Vec<QueryTerm>,
}

impl TextQuery {
    pub fn parse(query: &str, beginnings: Beginnings) -> Self {
        let mut parsed = Self::default();
        // An odd quote is only a character.
        let closed = query.matches('"').count() / 2 * 2;
        for (i, part) in query.splitn(closed + 1, '"').enumerate() {
            if i % 2 == 1 {
                let phrase = text::query_terms(part);
                if !phrase.is_empty() && parsed.phrases.len() < limits::MAX_QUERY_TERMS {
                    parsed.phrases.push(phrase);
                }
            } else {
                part.split_whitespace().for_each(|word| parsed.add_word(word));
            }
        }
        parsed.open(match beginnings {
            Beginnings::None => 0,
            Beginnings::Last => usize::from(!query.ends_with(char::is_whitespace)),
            Beginnings::All => parsed.terms.len(),
        });
        Self::of_terms_and_phrases(parsed.terms, parsed.phrases)
    }

    /// Words alone, any of which may match.
    pub fn of_terms(terms: Vec<QueryTerm>) -> Self {
        Self::of_terms_and_phrases(terms, Vec::new())
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.phrases.is_empty()
    }

    /// Every phrase, if there are any.
    pub fn required(&self) -> Option<MatchExpression> {
        let phrases: Vec<MatchExpression> =
            self.phrases.iter().filter_map(|words| MatchExpression::phrase(words)).collect();
        MatchExpression::all(&phrases)
    }

    fn of_terms_and_phrases(terms: Vec<QueryTerm>, phrases: Vec<Vec<QueryTerm>>) -> Self {
        let mut distinct: Vec<QueryTerm> = Vec::new();
        for term in terms {
            if distinct.len() < limits::MAX_QUERY_TERMS && !distinct.contains(&term) {
                distinct.push(term);
            }
        }
        Self { phrases, terms: distinct }
    }

    fn add_word(&mut self, word: &str) {
        let mut found = text::query_terms(word);
        if let (true, [QueryTerm::Word(only)]) = (word.ends_with('*'), &found[..]) {
            found = vec![QueryTerm::Prefix(only.clone())];
        }
        self.terms.extend(found);
    }

    /// Turns the last words into beginnings.
    fn open(&mut self, last: usize) {
        for term in self.terms.iter_mut().rev().take(last) {
            if let QueryTerm::Word(word) = term
                && word.chars().count() >= MIN_BEGINNING
            {
                *term = QueryTerm::Prefix(std::mem::take(word));
            }
        }
    }
}
