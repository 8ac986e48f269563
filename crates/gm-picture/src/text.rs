//! Text that is only text.

/// As it may stand in a picture: without characters that hide or turn text, and with no markup in it.
pub(crate) fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push(' '),
            _ if hides(character) => out.push_str(&format!("⟨{:04X}⟩", character as u32)),
            _ => out.push(character),
        }
    }
    out
}

/// Controls, turns of direction, tags, and what no document in XML may hold.
fn hides(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
        | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e0fff}')
}

/// At most so many characters, the middle left out: the end of a name often tells it apart.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let n = text.chars().count();
    if n <= most {
        return text.to_owned();
    }
    let (head, tail) = ((most - 1).div_ceil(2), (most - 1) / 2);
    text.chars().take(head).chain(['…']).chain(text.chars().skip(n - tail)).collect()
}

/// Width at 12 px, about: wide scripts take a whole em.
pub(crate) fn width(text: &str) -> f32 {
    text.chars()
        .map(|c| match c as u32 {
            0x300..=0x36f => 0.0,
            0x1100..=0x11ff
            | 0x2e80..=0xa4cf
            | 0xac00..=0xd7a3
            | 0xf900..=0xfaff
            | 0xff00..=0xff60
            | 0x1f000.. => 12.5,
            _ if c.is_uppercase() || matches!(c, 'm' | 'w' | '@' | '%') => 9.2,
            _ if matches!(c, 'i' | 'l' | 'j' | 't' | 'f' | 'r' | ' ' | '.' | ',' | ':' | '\'') => 4.6,
            _ => 7.2,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_text() {
        assert_eq!(shown("<b>&\"'</b>"), "&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;");
        assert_eq!(shown("a\u{202e}b\0\nc"), "a⟨202E⟩b⟨0000⟩ c");
        assert_eq!(shortened("abcdefghij", 5), "ab…ij");
        assert_eq!(shortened("漢字かな", 4), "漢字かな");
        assert!(width("漢字") > width("il"));
    }
}
