//! Text embedding behind a trait, so that the engine never knows which model answers.
//!
//! [`HashEmbedder`] is deterministic and needs no model: for tests, and as the reference of what
//! every embedder owes (unit length, the same vector for the same text whatever stands beside it).

/// Why a text has no vector.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum EmbedError {
    #[error("the embedding model is not available: {0}")]
    Unavailable(String),
    #[error("the embedding model failed on text {index} of the batch")]
    Failed { index: usize },
}

/// What a vector depends on beside its text. Vectors of different models are never compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelIdentity {
    pub id: String,
    pub revision: String,
    pub dimension: usize,
}

/// Turns texts into vectors of unit length.
pub trait Embedder: Send + Sync {
    fn model(&self) -> &ModelIdentity;

    /// One vector a text, in order. A vector never depends on the other texts of the batch.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// A bag of hashed words: texts that share words are near each other. No model, no randomness.
pub struct HashEmbedder {
    model: ModelIdentity,
}

impl HashEmbedder {
    /// `dimension` must not be 0.
    pub fn new(dimension: usize) -> Self {
        assert!(dimension > 0, "a vector has at least one dimension");
        Self { model: ModelIdentity { id: "hashed-words".into(), revision: "1".into(), dimension } }
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0f32; self.model.dimension];
        for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
            let hash = fnv1a(word.as_bytes());
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

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
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
        let embedder = HashEmbedder::new(64);
        let texts = ["a lighthouse keeper", "", "…", "keeper of bees"];
        let batch = embedder.embed(&texts).unwrap();
        for (text, vector) in texts.iter().zip(&batch) {
            assert!((cosine(vector, vector) - 1.0).abs() < 1e-5, "{text:?}");
            assert_eq!(embedder.embed(&[text]).unwrap()[0], *vector);
        }
        assert!(cosine(&batch[0], &batch[3]) > cosine(&batch[0], &batch[1]));
    }
}
