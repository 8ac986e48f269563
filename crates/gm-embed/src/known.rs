//! Vectors of texts that were embedded lately, by the digest of the text: what is imported again, copied
//! or said of several things is not computed again. Kept with the loaded model, and gone with it.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::{EmbedError, Embedder, Role};

/// Numbers kept in each of the two halves: 8 MB.
const MOST_NUMBERS: usize = 1 << 21;

type Key = [u8; 32];

#[derive(Default)]
pub(crate) struct Known {
    /// What was used since the halves changed places; and before that.
    young: HashMap<Key, Vec<f32>>,
    old: HashMap<Key, Vec<f32>>,
    numbers: usize,
}

impl Known {
    /// The vectors of some passages, each text computed once.
    pub(crate) fn embed(
        &mut self,
        model: &dyn Embedder,
        texts: &[&str],
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        let keys: Vec<Key> = texts.iter().map(|text| Sha256::digest(text).into()).collect();
        let mut places: HashMap<Key, usize> = HashMap::new();
        let mut missing = Vec::new();
        for (at, key) in keys.iter().enumerate() {
            if !self.young.contains_key(key) && !self.old.contains_key(key) && !places.contains_key(key) {
                places.insert(*key, missing.len());
                missing.push(at);
            }
        }
        let made = if missing.is_empty() {
            Vec::new()
        } else {
            let texts: Vec<&str> = missing.iter().map(|at: &usize| texts[*at]).collect();
            model.embed(Role::Passage, &texts).map_err(|error| match error {
                EmbedError::Failed { index } => {
                    EmbedError::Failed { index: missing.get(index).copied().unwrap_or(index) }
                }
                other => other,
            })?
        };
        let found = |key: &Key| self.young.get(key).or_else(|| self.old.get(key)).cloned();
        let vectors: Vec<Vec<f32>> = keys
            .iter()
            .map(|key| {
                places.get(key).map_or_else(|| found(key).expect("looked for above"), |at| made[*at].clone())
            })
            .collect();
        for (key, vector) in keys.into_iter().zip(&vectors) {
            if !self.young.contains_key(&key) {
                // Used again, it outlasts the next change.
                self.old.remove(&key);
                self.keep(key, vector.clone());
            }
        }
        Ok(vectors)
    }

    fn keep(&mut self, key: Key, vector: Vec<f32>) {
        if self.numbers + vector.len() > MOST_NUMBERS {
            self.old = std::mem::take(&mut self.young);
            self.numbers = 0;
        }
        self.numbers += vector.len();
        self.young.insert(key, vector);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HashEmbedder, ModelIdentity};
    use parking_lot::Mutex;

    struct Counting(HashEmbedder, Mutex<Vec<String>>);

    impl Embedder for Counting {
        fn model(&self) -> &ModelIdentity {
            self.0.model()
        }

        fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
            self.1.lock().extend(texts.iter().map(|text| (*text).to_owned()));
            self.0.embed(role, texts)
        }
    }

    #[test]
    fn equal_texts_are_computed_once_and_get_the_same() {
        let model = Counting(HashEmbedder::new(32, "1"), Mutex::default());
        let mut known = Known::default();
        let first = known.embed(&model, &["a", "b", "a"]).unwrap();
        let again = known.embed(&model, &["c", "b", "a"]).unwrap();
        assert_eq!(*model.1.lock(), ["a", "b", "c"]);
        assert_eq!((&first[0], &first[1]), (&first[2], &again[1]));
        assert_eq!(again, HashEmbedder::new(32, "1").embed(Role::Passage, &["c", "b", "a"]).unwrap());
    }

    #[test]
    fn a_failing_text_is_told_by_its_own_place() {
        let model = Counting(HashEmbedder::new(8, "1"), Mutex::default());
        let mut known = Known::default();
        known.embed(&model, &["a", "b"]).unwrap();
        let failed = known.embed(&model, &["a", "b", "c", "FAILME"]).unwrap_err();
        assert_eq!(failed, EmbedError::Failed { index: 3 });
        assert!(known.embed(&model, &["a"]).is_ok());
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let dimension = MOST_NUMBERS / 4;
        let model = Counting(HashEmbedder::new(dimension, "1"), Mutex::default());
        let mut known = Known::default();
        for i in 0..20 {
            known.embed(&model, &["kept", &format!("text {i}")]).unwrap();
        }
        assert!(known.young.len() <= 4 && known.old.len() <= 4);
        assert_eq!(model.1.lock().iter().filter(|text| *text == "kept").count(), 1, "what is used stays");
    }
}
