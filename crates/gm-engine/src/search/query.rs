//! User text taken apart: quoted parts are phrases that must stand, `word*` is a beginning,
//! everything else is words of which any may match.

use gm_model::limits;
use gm_model::text::{self, IndexWords, QueryTerm};
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

/// Leaves out the words that hold a sentence together, by the list of the language that knows most of
/// them; unless the query has no others.
fn without_stop_words(terms: Vec<QueryTerm>) -> Vec<QueryTerm> {
    let words: Vec<String> = terms
        .iter()
        .map(|term| match term {
            QueryTerm::Word(word) => word.to_lowercase(),
            // Asked for as a beginning: meant.
            QueryTerm::Prefix(_) => String::new(),
        })
        .collect();
    let known = |list: &[&str]| words.iter().filter(|word| list.contains(&word.as_str())).count();
    let lists = LANGUAGES.iter().filter_map(|language| stop_words::lookup(language));
    // The first of equals: English is asked first.
    let Some(list) = lists.rev().max_by_key(|list| known(list)) else { return terms };
    let kept: Vec<QueryTerm> = terms
        .iter()
        .zip(&words)
        .filter(|(_, word)| !list.contains(&word.as_str()))
        .map(|(term, _)| term.clone())
        .collect();
    if kept.is_empty() { terms } else { kept }
}

/// Languages whose stop words are known, as the library calls them.
const LANGUAGES: [&str; 14] =
    ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "ru", "tr", "el"];

/// What a text asks for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextQuery {
    pub phrases: Vec<Vec<QueryTerm>>,
    /// Words by their stems.
    pub terms: Vec<QueryTerm>,
    /// The same as they were written.
    written: Vec<String>,
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
        parsed.terms = without_stop_words(std::mem::take(&mut parsed.terms));
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

    /// The words of the query, as they were written, that stand in some texts in any form.
    pub fn matched_in<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        if self.is_empty() {
            return Vec::new();
        }
        let texts: Vec<IndexWords> =
            texts.into_iter().map(|text| IndexWords::of(&text::segment_words(text))).collect();
        let stands = |term: &QueryTerm| {
            let (wanted, is_beginning) = match term {
                QueryTerm::Word(word) => (word, false),
                QueryTerm::Prefix(word) => (word, true),
            };
            IndexWords::of(wanted).iter().all(|wanted| {
                let is_it = |word: &str| {
                    word == wanted
                        || (is_beginning && word.starts_with(wanted))
                        // Stemming is dear, and leaves the beginning of a word as it is.
                        || (word.as_bytes().get(..2) == wanted.as_bytes().get(..2)
                            && text::stem(word).is_some_and(|stem| stem == wanted))
                };
                texts.iter().any(|text| text.iter().any(is_it))
            })
        };
        let phrases = self.phrases.iter().flatten().map(|term| match term {
            QueryTerm::Word(word) | QueryTerm::Prefix(word) => (term, word),
        });
        let mut matched = Vec::new();
        for (term, written) in self.terms.iter().zip(&self.written).chain(phrases) {
            if stands(term) && !matched.contains(written) {
                matched.push(written.clone());
            }
        }
        matched
    }

    fn of_terms_and_phrases(terms: Vec<QueryTerm>, phrases: Vec<Vec<QueryTerm>>) -> Self {
        let (mut distinct, mut written) = (Vec::new(), Vec::new());
        for term in terms {
            let (term, word) = match term {
                QueryTerm::Word(word) => {
                    (QueryTerm::Word(text::stem(&word).unwrap_or_else(|| word.clone())), word)
                }
                QueryTerm::Prefix(word) => (QueryTerm::Prefix(word.clone()), word),
            };
            if distinct.len() < limits::MAX_QUERY_TERMS && !distinct.contains(&term) {
                distinct.push(term);
                written.push(word);
            }
        }
        Self { phrases, terms: distinct, written }
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
