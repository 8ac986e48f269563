//! A model without a model, for tests.

use crate::{EmbedError, Embedder, ModelIdentity, Role};

/// A text with this word cannot be embedded by [`HashEmbedder`]: for tests of failure.
pub const FAILING_WORD: &str = "FAILME";

/// A bag of hashed words: texts that share words are near each other. No model, no randomness.
pub struct HashEmbedder {
    model: ModelIdentity,
}

impl HashEmbedder {
    /// `dimension` must not be 0. Vectors of different revisions have nothing in common.
    pub fn new(dimension: usize, revision: &str) -> Self {
        assert!(dimension > 0, "a vector has at least one dimension");
        Self { model: Self::identity(dimension, revision) }
    }

    pub fn identity(dimension: usize, revision: &str) -> ModelIdentity {
        ModelIdentity { id: "hashed-words".into(), revision: revision.into(), dimension, max_tokens: 256 }
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0f32; self.model.dimension];
        let salt = fnv1a(self.model.revision.as_bytes());
        for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
            let hash = fnv1a(word.as_bytes()) ^ salt;
            let sign = if hash & 1 == 0 { 1.0 } else { -1.0 };
            vector[(hash >> 1) as usize % self.model.dimension] += sign;
        }
        let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
        if length == 0.0 {
            // A text without words still has a place, so that no distance is undefined.
            vector[0] = 1.0;
            return vector;
        }
        vector.iter_mut().for_each(|v| *v /= length);
        vector
    }
}

impl Embedder for HashEmbedder {
    fn model(&self) -> &ModelIdentity {
        &self.model
    }

    fn embed(&self, _role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if let Some(index) = texts.iter().position(|text| text.contains(FAILING_WORD)) {
            return Err(EmbedError::Failed { index });
        }
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo): stable between runs and systems, unlike the standard hasher.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn vectors_have_unit_length_and_do_not_depend_on_the_batch() {
        let embedder = HashEmbedder::new(64, "1");
        let texts = ["a lighthouse keeper", "", "…", "keeper of bees"];
        let batch = embedder.embed(Role::Passage, &texts).unwrap();
        for (text, vector) in texts.iter().zip(&batch) {
            assert!((cosine(vector, vector) - 1.0).abs() < 1e-5, "{text:?}");
            assert_eq!(embedder.embed(Role::Passage, &[text]).unwrap()[0], *vector);
        }
        assert!(cosine(&batch[0], &batch[3]) > cosine(&batch[0], &batch[1]));
    }

    #[test]
    fn the_failing_word_fails_at_its_place() {
        let embedder = HashEmbedder::new(8, "1");
        let failed = embedder.embed(Role::Passage, &["fine", "FAILME please"]);
        assert_eq!(failed, Err(EmbedError::Failed { index: 1 }));
    }
}
