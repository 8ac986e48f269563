//! Two lists as one: what the words say and what the meaning says, in a score that means the same in
//! every answer.

/// How the two are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fusion {
    /// Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): Σ w / (k + rank + 1), k = 60,
    /// weights 0.5, ranks from 0. Unscaled: first in both lists is 0.0164, first in one 0.0082.
    Rrf,
    /// A weighted sum of the cosine and of BM25 put through b / (b + half), from 0 to 1.
    #[default]
    Convex,
}

const RRF_K: f64 = 60.0;
const RRF_WEIGHT: f64 = 0.5;
/// What the cosine counts; the words count the rest. With [`TEXT_HALF`] chosen by measurement
/// (docs/adr/0008).
const VECTOR_WEIGHT: f64 = 0.6;
/// BM25 that counts half.
const TEXT_HALF: f64 = 8.0;

/// What is known of one candidate. Ranks count from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Evidence {
    /// Its BM25, if any word matched.
    pub bm25: Option<f64>,
    pub text_rank: Option<u32>,
    /// The cosine, if it has a vector.
    pub similarity: Option<f64>,
    pub vector_rank: Option<u32>,
}

impl Fusion {
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Rrf, Self::Convex].into_iter().find(|fusion| fusion.as_str() == word)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rrf => "rrf",
            Self::Convex => "convex",
        }
    }

    pub fn score(self, evidence: &Evidence) -> f64 {
        match self {
            Self::Rrf => {
                let part =
                    |rank: Option<u32>| rank.map_or(0.0, |rank| RRF_WEIGHT / (RRF_K + f64::from(rank) + 1.0));
                part(evidence.text_rank) + part(evidence.vector_rank)
            }
            Self::Convex => {
                let text = evidence.bm25.map_or(0.0, saturated);
                let vector = evidence.similarity.map_or(0.0, |similarity| similarity.clamp(0.0, 1.0));
                (1.0 - VECTOR_WEIGHT) * text + VECTOR_WEIGHT * vector
            }
        }
    }

    /// Of a candidate whose name is what was asked for: nothing can answer better.
    pub fn best(self) -> f64 {
        match self {
            Self::Rrf => 2.0 * RRF_WEIGHT / (RRF_K + 1.0),
            Self::Convex => 1.0,
        }
    }
}

fn saturated(bm25: f64) -> f64 {
    let bm25 = bm25.max(0.0);
    bm25 / (bm25 + half())
}

fn half() -> f64 {
    std::env::var("GM_HALF").ok().and_then(|v| v.parse().ok()).unwrap_or(TEXT_HALF)
}
