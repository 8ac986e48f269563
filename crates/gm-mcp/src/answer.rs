//! What a tool answers: an object whose long lists are kept as the JSON they will be sent as.
//!
//! A list that would make an answer too large is cut from its end, and the answer says so: some clients
//! take no event above a megabyte, and no model reads one.

use std::borrow::Cow;

use gm_model::limits::MAX_ANSWER_BYTES;
use serde::Serialize;
use serde_json::Value;

/// Lists of answers that may be cut, and the flag that tells of a cut, where they have one of their own.
const LISTS: [(&str, &str); 4] = [
    ("observations", "observations_truncated"),
    ("relationships", "relationships_truncated"),
    ("results", "truncated"),
    ("entities", "truncated"),
];

#[derive(Default)]
pub(crate) struct Answer {
    fields: Vec<(Cow<'static, str>, Part)>,
}

enum Part {
    Value(Value),
    List(List),
}

/// Items as JSON, one after the other with commas between.
#[derive(Default)]
struct List {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Answer {
    pub(crate) fn with(mut self, field: &'static str, value: impl Into<Value>) -> Self {
        self.fields.push((field.into(), Part::Value(value.into())));
        self
    }

    pub(crate) fn with_list(
        mut self,
        field: &'static str,
        items: impl IntoIterator<Item = impl Serialize>,
    ) -> Self {
        self.fields.push((field.into(), Part::List(List::of(items))));
        self
    }

    pub(crate) fn has(&self, field: &str) -> bool {
        self.fields.iter().any(|(name, _)| name == field)
    }

    /// Gives a field another value, if it is there.
    fn replace(&mut self, field: &str, value: Value) -> bool {
        let known = self.fields.iter_mut().find(|(name, _)| name == field);
        known.map(|(_, part)| *part = Part::Value(value)).is_some()
    }

    fn list(&self, field: &str) -> Option<&List> {
        self.fields.iter().find_map(|(name, part)| match part {
            Part::List(list) if name == field => Some(list),
            _ => None,
        })
    }

    fn list_mut(&mut self, field: &str) -> Option<&mut List> {
        self.fields.iter_mut().find_map(|(name, part)| match part {
            Part::List(list) if name == field => Some(list),
            _ => None,
        })
    }

    /// The answer as JSON.
    pub(crate) fn to_json(&self) -> String {
        let lists = self.fields.iter().map(|(_, part)| match part {
            Part::List(list) => list.text.len(),
            Part::Value(_) => 0,
        });
        let mut json = Vec::with_capacity(lists.sum::<usize>() + 1_024);
        json.push(b'{');
        for (i, (name, part)) in self.fields.iter().enumerate() {
            if i > 0 {
                json.push(b',');
            }
            write(&mut json, name);
            json.push(b':');
            match part {
                Part::Value(value) => write(&mut json, value),
                Part::List(list) => {
                    json.push(b'[');
                    json.extend_from_slice(&list.text);
                    json.push(b']');
                }
            }
        }
        json.push(b'}');
        String::from_utf8(json).expect("JSON is text")
    }

    /// As JSON, cut to the bound of an answer.
    pub(crate) fn bounded_json(&mut self) -> String {
        loop {
            let json = self.to_json();
            if json.len() <= MAX_ANSWER_BYTES || !self.cut(json.len() - MAX_ANSWER_BYTES) {
                return json;
            }
        }
    }

    /// Cuts some bytes, or all there is, from the end of the longest list. False if none has an item.
    fn cut(&mut self, bytes: usize) -> bool {
        let longest = LISTS
            .iter()
            .filter_map(|(name, flag)| Some((self.list(name)?.text.len(), *name, *flag)))
            .filter(|(length, ..)| *length > 0)
            .max();
        let Some((_, name, flag)) = longest else { return false };
        let left = self.list_mut(name).map_or(0, |list| list.cut(bytes));
        self.replace("count", left.into());
        let _ = self.replace(flag, true.into()) || self.replace("truncated", true.into());
        true
    }
}

impl List {
    fn of(items: impl IntoIterator<Item = impl Serialize>) -> Self {
        let mut list = Self::default();
        for item in items {
            if !list.ends.is_empty() {
                list.text.push(b',');
            }
            write(&mut list.text, &item);
            list.ends.push(list.text.len());
        }
        list
    }

    /// Takes whole items away until some bytes are gone; how many items are left.
    fn cut(&mut self, bytes: usize) -> usize {
        let wanted = self.text.len().saturating_sub(bytes);
        while self.ends.last().is_some_and(|end| *end > wanted) {
            self.ends.pop();
        }
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
        self.ends.len()
    }
}

/// An object becomes an answer, its lists becoming lists that can be cut.
impl From<Value> for Answer {
    fn from(value: Value) -> Self {
        let Value::Object(map) = value else { return Self::default() };
        let part = |name: &str, value| match value {
            Value::Array(items) if LISTS.iter().any(|(list, _)| *list == name) => Part::List(List::of(items)),
            value => Part::Value(value),
        };
        let fields = map.into_iter().map(|(name, value)| {
            let part = part(&name, value);
            (name.into(), part)
        });
        Self { fields: fields.collect() }
    }
}

fn write(json: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(json, value).expect("what a graph holds can be written as JSON");
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_long_list_is_cut_and_told() {
        let items: Vec<Value> = (0..100).map(|i| json!({ "n": i, "text": "x".repeat(10_000) })).collect();
        let mut answer: Answer =
            json!({ "results": items, "count": 100, "total": 100, "truncated": false }).into();
        let text = answer.bounded_json();
        let answer: Value = serde_json::from_str(&text).unwrap();
        let left = answer["results"].as_array().unwrap().len();
        assert!(text.len() <= MAX_ANSWER_BYTES && left > 30, "{left} left");
        assert_eq!((&answer["count"], &answer["truncated"]), (&json!(left), &json!(true)));
        assert_eq!(answer["results"][0]["n"], 0, "the end goes, not the beginning");
    }

    #[test]
    fn the_longest_list_is_cut_and_has_its_own_flag() {
        let long = |n: usize| (0..n).map(|_| "y".repeat(1_000)).collect::<Vec<_>>();
        let mut answer = Answer::default()
            .with("name", "z")
            .with_list("observations", long(500))
            .with("observations_truncated", false)
            .with_list("relationships", long(100))
            .with("relationships_truncated", false);
        let answer: Value = serde_json::from_str(&answer.bounded_json()).unwrap();
        assert_eq!(answer["relationships"].as_array().unwrap().len(), 100);
        assert_eq!(answer["observations_truncated"], true);
        assert_eq!(answer["relationships_truncated"], false);
    }

    #[test]
    fn what_has_no_list_stays_whole() {
        let mut answer: Answer = json!({ "text": "x".repeat(2 * MAX_ANSWER_BYTES), "results": [] }).into();
        assert!(answer.bounded_json().len() > MAX_ANSWER_BYTES);
    }
}
