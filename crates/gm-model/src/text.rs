//! The normal form of texts: what is stored, what is compared, what is indexed.
//!
//! Names keep their spelling but are trimmed and NFC; types are also lower-cased; keys fold case
//! over the whole of Unicode (Unicode 3.13, default caseless matching of NFC text). Search text
//! is segmented here so that SQLite's own tokenizer can index it: a plain `sqlite3` can then
//! check the file.

use snowball_stemmers_rs::{Algorithm, Stemmer};
use std::fmt;

use icu_casemap::CaseMapper;
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

use crate::limits;

/// Why a text cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvalidKind {
    /// Empty, blank, or nothing but invisible characters.
    Blank,
    /// Longer than `limit` of `unit`.
    TooLong { limit: usize, unit: &'static str },
    /// Holds a NUL character.
    Nul,
    /// Holds a line break where one line is wanted.
    LineBreak,
    /// Outside the grammar, which is told.
    Grammar(&'static str),
}

/// A refused text: the field's name and the reason, never the text itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    pub field: String,
    pub kind: InvalidKind,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = &self.field;
        match &self.kind {
            InvalidKind::Blank => write!(f, "`{field}` is blank; give at least one visible character"),
            InvalidKind::TooLong { limit, unit } => {
                write!(f, "`{field}` is longer than {limit} {unit}; shorten it")
            }
            InvalidKind::Nul => write!(f, "`{field}` holds a NUL character; leave it out"),
            InvalidKind::LineBreak => write!(f, "`{field}` holds a line break; write it on one line"),
            InvalidKind::Grammar(expected) => write!(f, "`{field}` must be {expected}"),
        }
    }
}

impl std::error::Error for Invalid {}

/// A name as it is stored: trimmed, NFC, its case kept.
pub fn name(field: &str, text: &str) -> Result<String, Invalid> {
    line(field, text, limits::MAX_NAME_CHARS)
}

/// A name to look something up by: as [`name`], but of any length, since stored names of older
/// files may be longer than what is taken today.
pub fn lookup_name(field: &str, text: &str) -> Result<String, Invalid> {
    if is_blank(text) {
        return Err(Invalid { field: field.to_owned(), kind: InvalidKind::Blank });
    }
    Ok(nfc(text.trim()))
}

/// An entity type or relationship type as it is stored: trimmed, NFC, lower-cased.
pub fn type_name(field: &str, text: &str) -> Result<String, Invalid> {
    let text = line(field, text, limits::MAX_TYPE_CHARS)?;
    // A type is a word to group by: what nobody can see must not make two of one.
    let visible: String = text.to_lowercase().chars().filter(|c| !INVISIBLE_IN_KEYS.contains(c)).collect();
    Ok(nfc(visible.trim()))
}

/// A description: any text up to the bound, NUL excepted; may be empty.
pub fn description(field: &str, text: &str) -> Result<String, Invalid> {
    let invalid = |kind| Invalid { field: field.to_owned(), kind };
    if text.contains('\0') {
        return Err(invalid(InvalidKind::Nul));
    }
    if text.len() > limits::MAX_TEXT_BYTES {
        return Err(invalid(InvalidKind::TooLong { limit: limits::MAX_TEXT_BYTES, unit: "bytes" }));
    }
    // Blank is empty: what counts as missing must not depend on spaces.
    Ok(if text.trim().is_empty() { String::new() } else { text.to_owned() })
}

/// An observation: as a description, but not blank.
pub fn observation(field: &str, text: &str) -> Result<String, Invalid> {
    let text = description(field, text)?;
    if is_blank(&text) {
        return Err(Invalid { field: field.to_owned(), kind: InvalidKind::Blank });
    }
    Ok(text.trim().to_owned())
}

/// An observation's source: one line, may be empty.
pub fn source(field: &str, text: &str) -> Result<String, Invalid> {
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    line(field, text, limits::MAX_SOURCE_CHARS)
}

/// A graph's name. The grammar keeps it a plain file stem on every system.
pub fn graph_name(field: &str, text: &str) -> Result<String, Invalid> {
    const GRAMMAR: &str = "1 to 64 letters, digits, `-` or `_`, and not a name reserved by the system";
    let invalid = || Invalid { field: field.to_owned(), kind: InvalidKind::Grammar(GRAMMAR) };
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if !plain || text.is_empty() || text.len() > limits::MAX_GRAPH_NAME_LENGTH {
        return Err(invalid());
    }
    let lower = text.to_ascii_lowercase();
    let device = |prefix: &str| {
        lower.strip_prefix(prefix).is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    let reserved = ["graph", "con", "prn", "aux", "nul"].contains(&lower.as_str());
    if reserved || device("com") || device("lpt") {
        return Err(invalid());
    }
    Ok(text.to_owned())
}

/// An agent's name: what the journal and the window call it.
pub fn agent_name(field: &str, text: &str) -> Result<String, Invalid> {
    const GRAMMAR: &str =
        "1 to 64 letters, digits, `-`, `_` or `.`, and none of `person`, `cli`, `import`, `consolidation`";
    let text = text.trim();
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    let reserved = ["person", "cli", "import", "consolidation"].contains(&text.to_ascii_lowercase().as_str());
    if !plain || text.is_empty() || text.len() > limits::MAX_AGENT_NAME_LENGTH || reserved {
        return Err(Invalid { field: field.to_owned(), kind: InvalidKind::Grammar(GRAMMAR) });
    }
    Ok(text.to_owned())
}

/// Makes an agent's name of whatever a client calls itself; never fails.
pub fn sanitised_agent_name(client: &str) -> String {
    let mut plain = String::new();
    for c in client.trim().chars().take(limits::MAX_AGENT_NAME_LENGTH) {
        let keep = c.is_ascii_alphanumeric() || "-_.".contains(c);
        if keep {
            plain.push(c);
        } else if !plain.ends_with('-') {
            plain.push('-');
        }
    }
    let plain = plain.trim_matches('-').to_ascii_lowercase();
    match agent_name("client", &plain) {
        Ok(name) => name,
        Err(_) if plain.is_empty() => "agent".to_owned(),
        Err(_) => agent_name("client", &format!("agent-{plain}")).unwrap_or_else(|_| "agent".to_owned()),
    }
}

/// The key by which names are compared: NFC, case folded, without invisible joiners that a
/// reader cannot see (zero-width space, word joiner, byte order mark, soft hyphen).
pub fn fold_key(name: &str) -> String {
    if name.is_ascii() {
        return name.trim().to_ascii_lowercase();
    }
    let folded = CaseMapper::new().fold_string(&nfc(name)).into_owned();
    let visible: String = folded.chars().filter(|c| !INVISIBLE_IN_KEYS.contains(c)).collect();
    nfc(visible.trim())
}

/// Text as SQLite's `unicode61` tokenizer should see it: NFC; the parts of a camel-case word
/// follow the word; runs of scripts written without spaces become overlapping pairs, with the
/// last character alone at the end so that a one-character prefix finds it too.
pub fn segment(text: &str) -> String {
    let mut out = segment_words(text);
    push_stems(&mut out);
    out
}

/// The same without the stems.
pub fn segment_words(text: &str) -> String {
    if text.is_ascii() && !has_inner_capital(text) {
        return text.to_owned();
    }
    let text = nfc(text);
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for word in split_script_runs(&text) {
        match word {
            Run::Plain(plain) => out.push_str(plain),
            Run::Word(word) => {
                out.push_str(word);
                let parts = camel_parts(word);
                if parts.len() > 1 {
                    for part in parts {
                        out.push(' ');
                        out.push_str(part);
                    }
                }
            }
            Run::Unspaced(run) => {
                out.push(' ');
                push_pairs(&mut out, run);
                out.push(' ');
            }
        }
    }
    out
}

/// Shorter words are their own stems.
const MIN_STEMMED: usize = 4;

/// Adds the stems of a text's words behind it, each as often as it stands there: what is asked for by
/// its stem is found in every form, and beginnings and phrases still meet the words as they are.
fn push_stems(out: &mut String) {
    let words = out.len();
    let mut from = 0;
    while from < words {
        let rest = &out[from..words];
        let start = rest.find(char::is_alphanumeric).map_or(words, |at| from + at);
        let rest = &out[start..words];
        let end = rest.find(|c: char| !c.is_alphanumeric()).map_or(words, |at| start + at);
        if let Some(stem) = stem(&out[start..end]) {
            out.push(' ');
            out.push_str(&stem);
        }
        from = end;
    }
}

/// The stem of an English word, by Snowball's `english` algorithm (Porter, 2001); `None` for a word that
/// is its own stem, and for what is no plain word of ASCII letters. Words of other languages that are
/// written with these letters lose an ending too, in texts and questions alike.
pub fn stem(word: &str) -> Option<String> {
    thread_local!(static ENGLISH: Stemmer = Stemmer::create(Algorithm::English));
    if word.len() < MIN_STEMMED || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let word = word.to_ascii_lowercase();
    let stem = ENGLISH.with(|english| english.stem(&word).into_owned());
    (stem != word).then_some(stem)
}

/// Whether a word of an ASCII text may have parts.
fn has_inner_capital(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair[0].is_ascii_alphanumeric() && pair[1].is_ascii_uppercase())
}

/// The terms of a query, as they stand in segmented text: lower-cased by the tokenizer later.
/// Camel-case words bring their parts instead of themselves, unspaced runs their pairs.
pub fn query_terms(query: &str) -> Vec<QueryTerm> {
    let query = nfc(query);
    let mut terms = Vec::new();
    for run in split_script_runs(&query) {
        match run {
            Run::Plain(_) => {}
            Run::Word(word) => {
                let parts = camel_parts(word);
                if parts.len() > 1 {
                    terms.extend(parts.into_iter().map(|p| QueryTerm::Word(p.to_owned())));
                } else {
                    terms.push(QueryTerm::Word(word.to_owned()));
                }
            }
            Run::Unspaced(run) => {
                let characters: Vec<char> = run.chars().collect();
                if let [single] = characters[..] {
                    terms.push(QueryTerm::Prefix(single.to_string()));
                }
                terms.extend(characters.windows(2).map(|pair| QueryTerm::Word(pair.iter().collect())));
            }
        }
        if terms.len() >= limits::MAX_QUERY_TERMS {
            terms.truncate(limits::MAX_QUERY_TERMS);
            break;
        }
    }
    terms
}

/// The words of segmented text as the text index holds them: lower-cased, Latin letters without
/// their marks. What SQLite's `unicode61` with `remove_diacritics 2` makes of the same text.
#[derive(Debug, Clone, Default)]
pub struct IndexWords {
    /// The words with spaces between.
    text: String,
}

impl IndexWords {
    pub fn of(segmented: &str) -> Self {
        let mut words = Self::default();
        words.set(segmented);
        words
    }

    /// Takes another text apart, in the room of the last one.
    pub fn set(&mut self, segmented: &str) {
        if segmented.is_ascii() {
            let mut bytes = std::mem::take(&mut self.text).into_bytes();
            bytes.clear();
            let plain = |b: u8| if b.is_ascii_alphanumeric() { b.to_ascii_lowercase() } else { b' ' };
            bytes.extend(segmented.bytes().map(plain));
            self.text = String::from_utf8(bytes).expect("ASCII stays ASCII");
            return;
        }
        self.text.clear();
        for c in nfc(segmented).chars() {
            if matches!(c, '\u{300}'..='\u{36f}') {
                continue;
            }
            if c.is_alphanumeric() {
                c.to_lowercase().for_each(|lower| push_plain(&mut self.text, lower));
            } else {
                self.text.push(' ');
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.text.split_ascii_whitespace()
    }
}

/// Adds a lower-case letter; a Latin one without marks.
fn push_plain(word: &mut String, lower: char) {
    match lower {
        '\u{300}'..='\u{36f}' => {}
        'ς' => word.push('σ'),
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => {
            let decomposed = DecomposingNormalizerBorrowed::new_nfd();
            let mut bytes = [0; 4];
            let parts = decomposed.normalize(lower.encode_utf8(&mut bytes));
            word.extend(parts.chars().filter(|part| !matches!(part, '\u{300}'..='\u{36f}')));
        }
        _ => word.push(lower),
    }
}

/// One term of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryTerm {
    Word(String),
    Prefix(String),
}

pub fn nfc(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    ComposingNormalizerBorrowed::new_nfc().normalize(text).into_owned()
}

const INVISIBLE_IN_KEYS: [char; 4] = ['\u{200b}', '\u{2060}', '\u{feff}', '\u{ad}'];

fn line(field: &str, text: &str, limit: usize) -> Result<String, Invalid> {
    let invalid = |kind| Invalid { field: field.to_owned(), kind };
    let text = text.trim();
    if is_blank(text) {
        return Err(invalid(InvalidKind::Blank));
    }
    if text.contains('\0') {
        return Err(invalid(InvalidKind::Nul));
    }
    if text.contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
        return Err(invalid(InvalidKind::LineBreak));
    }
    let text = nfc(text);
    if text.chars().count() > limit {
        return Err(invalid(InvalidKind::TooLong { limit, unit: "characters" }));
    }
    Ok(text)
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|c| {
        c.is_whitespace()
            || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' | '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}')
    })
}

enum Run<'a> {
    /// Separators, copied as they are.
    Plain(&'a str),
    Word(&'a str),
    Unspaced(&'a str),
}

fn split_script_runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let kind = CharKind::of(first);
        let end = rest.char_indices().find(|(_, c)| !kind.continues(*c)).map_or(rest.len(), |(at, _)| at);
        let (run, tail) = rest.split_at(end);
        rest = tail;
        Some(match kind {
            CharKind::Separator => Run::Plain(run),
            CharKind::Word => Run::Word(run),
            CharKind::Unspaced => Run::Unspaced(run),
        })
    })
}

#[derive(Clone, Copy, PartialEq)]
enum CharKind {
    Separator,
    Word,
    Unspaced,
}

impl CharKind {
    fn of(c: char) -> Self {
        if is_unspaced(c) {
            Self::Unspaced
        } else if c.is_alphanumeric() || is_combining(c) {
            Self::Word
        } else {
            Self::Separator
        }
    }

    fn continues(self, c: char) -> bool {
        Self::of(c) == self || (self == Self::Unspaced && is_combining(c))
    }
}

fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{487}' | '\u{591}'..='\u{5bd}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{93a}'..='\u{94f}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}')
}

/// Scripts written without spaces between words. Hangul is written with spaces but glued by its
/// particles, so pairs find its stems too.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}'   // Thai, Lao
        | '\u{1000}'..='\u{109f}' // Myanmar
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' // kana
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' // Han
        | '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7af}' // Hangul
        | '\u{20000}'..='\u{3134f}')
}

fn push_pairs(out: &mut String, run: &str) {
    let characters: Vec<char> = run.chars().collect();
    for pair in characters.windows(2) {
        out.extend(pair);
        out.push(' ');
    }
    out.extend(characters.last());
}

/// `HTTPServerName2` → `HTTP Server Name2`; one part when there is nothing to split.
fn camel_parts(word: &str) -> Vec<&str> {
    let characters: Vec<(usize, char)> = word.char_indices().collect();
    let mut cuts = vec![0];
    for i in 1..characters.len() {
        let (before, (at, this)) = (characters[i - 1].1, characters[i]);
        let next_lower = characters.get(i + 1).is_some_and(|(_, c)| c.is_lowercase());
        let starts_part = this.is_uppercase()
            && (before.is_lowercase() || before.is_numeric() || (before.is_uppercase() && next_lower));
        if starts_part {
            cuts.push(at);
        }
    }
    cuts.push(word.len());
    cuts.windows(2).map(|w| &word[w[0]..w[1]]).filter(|p| !p.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonically_equal_names_have_one_form_and_one_key() {
        assert_eq!(name("name", "Cafe\u{301} Zu\u{308}rich").unwrap(), "Café Zürich");
        assert_eq!(fold_key("STRASSE"), fold_key("straße"), "full folding, not only lower-casing");
        assert_eq!(fold_key("ΌΣΟΣ"), fold_key("όσος"), "final sigma folds");
        assert_eq!(fold_key("Al\u{200b}ice"), fold_key("alice"));
    }

    #[test]
    fn every_kind_of_text_has_its_stored_form() {
        assert_eq!(lookup_name("name", " Ann ").unwrap(), "Ann");
        assert_eq!(type_name("t", " Ser\u{200b}vice ").unwrap(), "service");
        assert_eq!(description("d", " kept \n as it is ").unwrap(), " kept \n as it is ");
        assert_eq!(description("d", " \n ").unwrap(), "");
        assert_eq!(observation("o", " said ").unwrap(), "said");
        assert_eq!(source("s", "  ").unwrap(), "");
        assert_eq!(source("s", " a report ").unwrap(), "a report");
        assert_eq!(fold_key("  ANN bo "), "ann bo");
        assert!(type_name("t", "two\nlines").unwrap_err().to_string().starts_with("`t` "));
    }

    #[test]
    fn bounds_are_the_last_that_is_taken() {
        assert!(description("d", &"x".repeat(limits::MAX_TEXT_BYTES)).is_ok());
        assert!(description("d", &"x".repeat(limits::MAX_TEXT_BYTES + 1)).is_err());
        assert!(agent_name("as", &"x".repeat(limits::MAX_AGENT_NAME_LENGTH)).is_ok());
        assert!(agent_name("as", &"x".repeat(limits::MAX_AGENT_NAME_LENGTH + 1)).is_err());
        assert!(graph_name("g", &"x".repeat(limits::MAX_GRAPH_NAME_LENGTH)).is_ok());
        assert!(graph_name("g", &"x".repeat(limits::MAX_GRAPH_NAME_LENGTH + 1)).is_err());
    }

    #[test]
    fn only_words_with_parts_are_taken_apart() {
        assert_eq!(segment("plain text"), "plain text");
        assert_eq!(segment("HTTPServer"), "HTTPServer HTTP Server");
        assert_eq!(segment("Zürich"), "Zürich");
        assert_eq!(segment("ÜberService"), "ÜberService Über Service servic");
        let words = |query: &str| {
            let terms = query_terms(query).into_iter().map(|term| match term {
                QueryTerm::Word(word) | QueryTerm::Prefix(word) => word,
            });
            terms.collect::<Vec<_>>()
        };
        assert_eq!(words("plain"), ["plain"]);
        assert_eq!(words("AuthService Zürich"), ["Auth", "Service", "Zürich"]);
    }

    #[test]
    fn blank_and_invisible_names_are_refused_by_field() {
        for text in ["", "   ", "\u{200b}", "\u{feff}\u{200d}"] {
            let refused = name("name", text).unwrap_err();
            assert_eq!((refused.field.as_str(), refused.kind), ("name", InvalidKind::Blank));
        }
        assert_eq!(name("name", "a\0b").unwrap_err().kind, InvalidKind::Nul);
        assert_eq!(name("name", "a\nb").unwrap_err().kind, InvalidKind::LineBreak);
        assert!(name("name", &"x".repeat(512)).is_ok() && name("name", &"x".repeat(513)).is_err());
    }

    #[test]
    fn graph_names_stay_plain_file_stems() {
        for bad in [
            "../x",
            "a/b",
            "a\\b",
            ".",
            "..",
            "~",
            "a\0",
            "",
            "graph",
            "Graph",
            "CON",
            "nul",
            "com1",
            "x.",
            "x ",
            "a.b",
            "grüße",
            &"x".repeat(65),
        ] {
            assert!(graph_name("name", bad).is_err(), "{bad:?} is refused");
        }
        for good in ["main", "my-graph", "2025", "select", "com12", &"x".repeat(64)] {
            assert!(graph_name("name", good).is_ok(), "{good:?} is taken");
        }
    }

    #[test]
    fn client_names_become_agent_names() {
        assert_eq!(sanitised_agent_name("Claude Code (v2)"), "claude-code-v2");
        assert_eq!(sanitised_agent_name("person"), "agent-person");
        assert_eq!(sanitised_agent_name("  "), "agent");
    }

    #[test]
    fn index_words_fold_as_the_index_does() {
        let words = |text: &str| IndexWords::of(text).iter().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words("Crème-Brûlée HTTP2"), ["creme", "brulee", "http2"]);
        assert_eq!(words("HTTP2 is Not-found"), ["http2", "is", "not", "found"]);
        assert_eq!(words("İstanbul όσος"), ["istanbul", "όσοσ"]);
        assert_eq!(words(" 仓库 库系 !"), ["仓库", "库系"]);
        assert!(words("… !").is_empty());
    }

    #[test]
    fn stems_stand_behind_the_words_as_often_as_these_do() {
        assert_eq!(segment("She painted two paintings"), "She painted two paintings paint paint");
        assert_eq!(segment("hopes, 'Hoping'; naïve2 HOPED"), "hopes, 'Hoping'; naïve2 HOPED hope hope hope");
        assert_eq!(
            (stem("running"), stem("run"), stem("Zürich"), stem("v2s")),
            (Some("run".into()), None, None, None)
        );
    }

    #[test]
    fn identifiers_and_unspaced_scripts_are_segmented() {
        assert_eq!(segment("AuthService"), "AuthService Auth Service authservic servic");
        assert_eq!(segment("HTTPServer2Go"), "HTTPServer2Go HTTP Server2 Go");
        assert_eq!(segment("仓库系统"), " 仓库 库系 系统 统 ");
        assert_eq!(query_terms("仓库"), vec![QueryTerm::Word("仓库".into())]);
        assert_eq!(query_terms("仓"), vec![QueryTerm::Prefix("仓".into())]);
        assert_eq!(
            query_terms("why-not?"),
            vec![QueryTerm::Word("why".into()), QueryTerm::Word("not".into())]
        );
    }
}
