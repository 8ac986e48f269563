//! Long texts taken apart: a model sees some 250 tokens, and what stands behind them would be
//! found by nobody.

/// Characters of a part: about as much as a model with 256 tokens sees of English text.
const PART_CHARS: usize = 900;
/// Characters that a part shares with the one before it.
const SHARED_CHARS: usize = 120;
/// Parts a text has at most: what stands behind them is found by its words alone.
pub const MAX_PARTS: usize = 80;

/// A text as parts that each fit a model, cut between words where there are any, overlapping a
/// little. A short text is one part.
pub fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    while parts.len() < MAX_PARTS {
        let rest = &text[from..];
        let Some(end) = char_offset(rest, PART_CHARS) else {
            parts.push(rest);
            break;
        };
        let cut = cut_before(rest, end);
        parts.push(&rest[..cut]);
        let back = cut.saturating_sub(SHARED_CHARS);
        let back = (back..cut).find(|at| rest.is_char_boundary(*at)).unwrap_or(cut);
        // A part always moves on, however the text is made.
        from += if back == 0 { cut } else { cut_before(rest, back).max(1.max(back / 2)) };
        from = (from..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    }
    parts
}

/// The byte at which the character of this number begins, if there are that many.
fn char_offset(text: &str, chars: usize) -> Option<usize> {
    // Most texts are short in bytes already.
    if text.len() <= chars { None } else { text.char_indices().nth(chars).map(|(at, _)| at) }
}

/// The last gap between words before a byte, unless that is far away.
fn cut_before(text: &str, end: usize) -> usize {
    text[..end]
        .char_indices()
        .rev()
        .take(PART_CHARS / 4)
        .find(|(_, c)| c.is_whitespace())
        .map_or(end, |(at, c)| at + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_one_part() {
        assert_eq!(parts(""), [""]);
        assert_eq!(parts("a note"), ["a note"]);
    }

    #[test]
    fn every_word_of_a_long_text_is_in_a_part() {
        let words: Vec<String> = (0..3_000).map(|i| format!("word{i}")).collect();
        let text = words.join(" ");
        let found = parts(&text);
        assert!(found.len() > 10 && found.len() <= MAX_PARTS);
        for word in &words {
            assert!(
                found.iter().any(|part| part.split_whitespace().any(|w| w == word)),
                "{word} is in no part"
            );
        }
        assert!(found.iter().all(|part| part.chars().count() <= PART_CHARS));
    }

    #[test]
    fn texts_without_gaps_and_of_wide_characters_are_cut_too() {
        for text in ["x".repeat(5_000), "仓".repeat(5_000), "🦀\u{301}".repeat(3_000)] {
            let found = parts(&text);
            assert!(found.len() > 4 && found.iter().all(|part| part.chars().count() <= PART_CHARS));
            assert!(text.ends_with(found.last().unwrap()), "the end is in a part");
        }
    }
}
