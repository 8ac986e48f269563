//! Long texts taken apart: a model sees some 250 tokens, and what stands behind them would be
//! found by nobody.

/// What a part may cost, in quarters of a token: a model with 256 tokens sees all of it.
const PART_COST: usize = 900;
/// What a part shares with the one before it.
const SHARED_COST: usize = 100;
/// Characters before a cut among which a gap between words is looked for.
const LOOKED_BACK: usize = 200;
/// Parts a text has at most: enough for 64 KiB of whatever kind.
pub const MAX_PARTS: usize = 360;

/// A text as parts that each fit a model, cut between words where there are any, overlapping a
/// little. A short text is one part.
pub fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    while parts.len() < MAX_PARTS {
        let rest = &text[from..];
        let Some(end) = affordable(rest, PART_COST) else {
            parts.push(rest);
            break;
        };
        let cut = cut_before(rest, end);
        parts.push(&rest[..cut]);
        // As far back as the next part may repeat, and never so far that it does not move on.
        let shared = rest[..cut].char_indices().rev().scan(0, |spent, (at, c)| {
            *spent += cost(c);
            (*spent <= SHARED_COST).then_some(at)
        });
        let back = shared.last().unwrap_or(cut);
        from += cut_before(rest, back).max(cut / 2 + 1).min(cut);
        from = (from..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    }
    parts
}

/// About what a character costs a model, in quarters of a token: four letters of a word are one, a
/// letter of a script without spaces is one by itself.
fn cost(c: char) -> usize {
    match c {
        ' ' | '\n' | '\t' | '\r' => 0,
        'a'..='z' | 'A'..='Z' => 1,
        '0'..='9' => 2,
        '\u{c0}'..='\u{5ff}' => 2,
        _ => 4,
    }
}

/// The byte at which a text begins to cost more than it may, if it does.
fn affordable(text: &str, most: usize) -> Option<usize> {
    let mut spent = 0;
    text.char_indices().find_map(|(at, c)| {
        spent += cost(c);
        (spent > most).then_some(at)
    })
}

/// The last gap between words before a byte, unless that is far away.
fn cut_before(text: &str, end: usize) -> usize {
    text[..end]
        .char_indices()
        .rev()
        .take(LOOKED_BACK)
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
        assert!(found.iter().all(|part| part.chars().map(cost).sum::<usize>() <= PART_COST));
    }

    #[test]
    fn texts_without_gaps_and_of_wide_characters_are_cut_too() {
        for text in ["x".repeat(5_000), "仓".repeat(5_000), "🦀\u{301}".repeat(3_000)] {
            let found = parts(&text);
            assert!(
                found.len() > 4
                    && found.iter().all(|part| part.chars().map(cost).sum::<usize>() <= PART_COST)
            );
            assert!(text.ends_with(found.last().unwrap()), "the end is in a part");
        }
    }

    #[test]
    fn all_of_the_longest_text_is_in_a_part() {
        for unit in ["word ", "0123456789abcdef ", "仓库系统", ".,;:", "слово ", "🦀", "x"] {
            let text = unit.repeat(65_536 / unit.len());
            let found = parts(&text);
            assert!(found.len() < MAX_PARTS, "{unit}: {}", found.len());
            let first = found[0].as_ptr() as usize;
            let mut covered = 0;
            for part in found {
                let from = part.as_ptr() as usize - first;
                assert!(from <= covered, "{unit}: nothing is left out");
                covered = covered.max(from + part.len());
            }
            assert_eq!(covered, text.len());
        }
    }
}
