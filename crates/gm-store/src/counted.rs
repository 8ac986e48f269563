//! How many rows hold a word, remembered while nobody writes: who looks for several things, or types
//! a question letter by letter, asks for the same words again and again, and counting a common one
//! costs more than reading its best rows.

use std::collections::HashMap;

use parking_lot::Mutex;

use crate::Result;
use crate::search::TextIndex;

/// Counts that are kept; past that all are forgotten.
const MOST_KEPT: usize = 4_096;

#[derive(Default)]
pub(crate) struct WordCounts(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    /// The journal position that the counts belong to.
    seq: i64,
    rows: HashMap<(TextIndex, u32, String), u32>,
}

impl WordCounts {
    /// The count of a question at a moment of the journal, taken by `count` if it is not known.
    pub(crate) fn get(
        &self,
        seq: i64,
        (index, most, query): (TextIndex, u32, &str),
        count: impl FnOnce() -> Result<u32>,
    ) -> Result<u32> {
        let key = (index, most, query.to_owned());
        {
            let counts = self.0.lock();
            if counts.seq == seq
                && let Some(rows) = counts.rows.get(&key)
            {
                return Ok(*rows);
            }
        }
        let rows = count()?;
        let mut counts = self.0.lock();
        if counts.seq != seq || counts.rows.len() >= MOST_KEPT {
            *counts = Counts { seq, rows: HashMap::new() };
        }
        counts.rows.insert(key, rows);
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_holds_for_its_moment_alone() {
        let counts = WordCounts::default();
        let key = (TextIndex::Entities, 9, "word");
        assert_eq!(counts.get(1, key, || Ok(3)).unwrap(), 3);
        assert_eq!(counts.get(1, key, || Ok(4)).unwrap(), 3, "known");
        assert_eq!(counts.get(1, (TextIndex::Observations, 9, "word"), || Ok(5)).unwrap(), 5);
        assert_eq!(counts.get(2, key, || Ok(6)).unwrap(), 6, "somebody wrote");
        assert_eq!(counts.get(1, key, || Ok(7)).unwrap(), 7, "an older moment is counted anew");
    }
}
