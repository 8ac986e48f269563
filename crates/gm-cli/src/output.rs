//! What people read: answers on standard output, failures on standard error as a fact, the value
//! it is about, and what to do next.

use std::borrow::Cow;
use std::io::Write;

/// Prints an answer. A reader that went away (`| head`) is no failure.
pub fn say(text: impl AsRef<str>) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", inert(text.as_ref()));
}

/// A text that makes a terminal do nothing but show it: what agents wrote may hold anything. JSON is for
/// programs, and says such characters in its own way.
fn inert(text: &str) -> Cow<'_, str> {
    let is_harmful = |c: char| {
        c.is_control() && c != '\n' && c != '\t'
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    if text.starts_with(['{', '[']) || !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .map(|c| if is_harmful(c) { format!("⟨U+{:04X}⟩", u32::from(c)) } else { c.to_string() })
        .collect::<String>()
        .into()
}

/// Prints an answer that is a whole document already.
pub fn say_raw(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Prints a remark beside the answer.
pub fn note(text: impl AsRef<str>) {
    let _ = writeln!(std::io::stderr().lock(), "{}", inert(text.as_ref()));
}

pub fn fail(error: &anyhow::Error) {
    let mut lines = vec![format!("error: {error:#}")];
    if let Some(hint) = error.downcast_ref::<gm_engine::Error>().and_then(hint) {
        lines.push(format!("hint: {hint}"));
    }
    note(lines.join("\n"));
}

/// Likeness (Jaro and Winkler, 0 to 1) from which a graph's name may have been misspelt.
const ALIKE: f64 = 0.85;

fn hint(error: &gm_engine::Error) -> Option<String> {
    match error {
        gm_engine::Error::NoSuchGraph { name, known } => {
            let near = known.iter().find(|known| strsim::jaro_winkler(known, name) > ALIKE);
            let meant = near.map(|near| format!("did you mean `{near}`? Or ")).unwrap_or_default();
            return Some(format!("{meant}make it with `graph-mem graphs --create {name}`"));
        }
        gm_engine::Error::Ambiguous { types, .. } => {
            let types: Vec<String> = types.iter().map(|name| format!("`--type {name}`")).collect();
            return Some(format!("say which with {}", types.join(" or ")));
        }
        _ => {}
    }
    error.hint().or_else(|| match error.suggestions() {
        [] => None,
        names => Some(format!(
            "did you mean {}?",
            names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
        )),
    })
}

/// A size for people: `3.4 MiB`.
pub fn bytes(n: u64) -> String {
    match n {
        0..1_024 => format!("{n} bytes"),
        1_024..1_048_576 => format!("{:.1} KiB", n as f64 / 1_024.0),
        _ => format!("{:.1} MiB", n as f64 / 1_048_576.0),
    }
}

/// A number with a word: `1 entity`, `2 entities`.
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
