//! The size of an answer. A list that would make it too large is cut from its end, and the answer
//! says so: some clients take no event above a megabyte, and no model reads one.

use gm_model::limits::MAX_ANSWER_BYTES;
use serde_json::{Value, json};

/// Lists of answers, and the flag that tells of a cut, where they have one of their own.
const LISTS: [(&str, &str); 4] = [
    ("observations", "observations_truncated"),
    ("relationships", "relationships_truncated"),
    ("results", "truncated"),
    ("entities", "truncated"),
];

/// Cuts an answer to its bound.
pub(crate) fn bound(answer: &mut Value) {
    while size(answer) > MAX_ANSWER_BYTES {
        let longest = LISTS
            .iter()
            .filter(|(list, _)| answer[*list].as_array().is_some_and(|items| !items.is_empty()))
            .max_by_key(|(list, _)| size(&answer[*list]));
        let Some((list, flag)) = longest else { return };
        let over = size(answer) - MAX_ANSWER_BYTES;
        let items = answer[*list].as_array_mut().expect("only lists were looked at");
        let mut cut = 0;
        while cut < over {
            let Some(item) = items.pop() else { break };
            cut += size(&item) + 1;
        }
        let left = items.len();
        if answer.get("count").is_some() {
            answer["count"] = json!(left);
        }
        let flag = if answer.get(*flag).is_some() { *flag } else { "truncated" };
        if answer.get(flag).is_some() {
            answer[flag] = json!(true);
        }
    }
}

/// Bytes of a value as JSON, counted without writing it anywhere.
fn size(value: &Value) -> usize {
    struct Counter(usize);
    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    serde_json::to_writer(&mut counter, value).expect("counting cannot fail");
    counter.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_cut_and_told() {
        let items: Vec<Value> = (0..100).map(|i| json!({ "n": i, "text": "x".repeat(10_000) })).collect();
        let mut answer = json!({ "results": items, "count": 100, "total": 100, "truncated": false });
        bound(&mut answer);
        let left = answer["results"].as_array().unwrap().len();
        assert!(size(&answer) <= MAX_ANSWER_BYTES && left > 30, "{left} left");
        assert_eq!((&answer["count"], &answer["truncated"]), (&json!(left), &json!(true)));
        assert_eq!(answer["results"][0]["n"], 0, "the end goes, not the beginning");
    }
}
