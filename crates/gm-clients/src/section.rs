//! A part of a file that several programs share: between two marks, replaced as a whole, gone without a trace.

const BEGIN: &str =
    "<!-- graph-mem:begin (made by `graph-mem install`; `graph-mem uninstall` takes it out) -->";
const END: &str = "<!-- graph-mem:end -->";
/// By which a mark is known, whatever else stands in it.
const BEGINS: &str = "<!-- graph-mem:begin";

/// Where the part is, its line ends and the blank line before it included.
fn find(text: &str) -> Result<Option<(usize, usize)>, String> {
    let mut begins = text.match_indices(BEGINS).map(|(at, _)| at);
    let mut ends = text.match_indices(END).map(|(at, _)| at);
    let found = match (begins.next(), ends.next()) {
        (None, None) => return Ok(None),
        (Some(begin), Some(end)) if begin < end => (begin, end + END.len()),
        _ => {
            return Err(
                "one of the marks of our section is missing; put it back or take out what is left".into()
            );
        }
    };
    if begins.next().is_some() || ends.next().is_some() {
        return Err("our section stands there twice; take one out".into());
    }
    Ok(Some(found))
}

/// The text with our part in it; what stood in it before is replaced.
pub(crate) fn put(before: &[u8], part: &str) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(before).map_err(|_| "it is not text".to_owned())?;
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let part = format!("{BEGIN}\n{}\n{END}", part.trim_end()).replace('\n', line_end);
    let after = match find(text)? {
        Some((begin, end)) => format!("{}{part}{}", &text[..begin], &text[end..]),
        None if text.is_empty() => format!("{part}{line_end}"),
        // What is added before and after it is known, so that it can be taken out again.
        None => format!("{text}{line_end}{line_end}{part}{line_end}"),
    };
    Ok(after.into_bytes())
}

/// The text without our part; `None` if it has none.
pub(crate) fn remove(before: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let text = std::str::from_utf8(before).map_err(|_| "it is not text".to_owned())?;
    let Some((begin, end)) = find(text)? else { return Ok(None) };
    let (mut head, mut tail) = (&text[..begin], &text[end..]);
    for line_end in ["\r\n", "\n"] {
        if let Some(rest) = tail.strip_prefix(line_end) {
            tail = rest;
            for _ in 0..2 {
                head = head.strip_suffix(line_end).unwrap_or(head);
            }
            break;
        }
    }
    Ok(Some(format!("{head}{tail}").into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(before: &str) {
        let once = put(before.as_bytes(), "one\ntwo\n").unwrap();
        let twice = put(&once, "three").unwrap();
        assert_eq!(put(&once, "one\ntwo").unwrap(), once, "the same again changes nothing");
        assert_eq!(remove(&twice).unwrap().unwrap(), before.as_bytes(), "{before:?}");
        assert_eq!(remove(before.as_bytes()).unwrap(), None);
    }

    #[test]
    fn what_was_there_before_is_there_again() {
        for before in [
            "",
            "x",
            "x\n",
            "x\n\n",
            "\u{feff}# A\r\n\r\nb\r\n",
            "a\n<!-- other:begin -->\nb\n<!-- other:end -->",
        ] {
            round(before);
        }
    }

    #[test]
    fn what_others_write_around_it_stays() {
        let text = String::from_utf8(put(b"above\n", "ours").unwrap()).unwrap() + "below\n";
        let text = text.replace("above", "above, changed");
        assert_eq!(remove(text.as_bytes()).unwrap().unwrap(), b"above, changed\nbelow\n");
    }

    #[test]
    fn broken_marks_are_left_to_people() {
        let whole = String::from_utf8(put(b"x\n", "ours").unwrap()).unwrap();
        for broken in [
            whole.replace(END, ""),
            whole.replace(BEGIN, ""),
            format!("{whole}{whole}"),
            format!("{END}\n{BEGIN}"),
        ] {
            assert!(put(broken.as_bytes(), "new").is_err() && remove(broken.as_bytes()).is_err(), "{broken}");
        }
    }
}
