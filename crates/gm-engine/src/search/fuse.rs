//! Two lists as one: what the words say and what the meaning says, in a score that means the same in
//! every answer.

/// How the two are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fusion {
    /// Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): Σ w / (k + rank + 1), k = 60,
    /// weights 0.5, ranks from 0. Unscaled: first in both lists is 0.0164, first in one 0.0082.
    Rrf,
    /// A weighted sum of the cosine and of how much of the query's words a text says, from 0 to 1.
    #[default]
    Convex,
}

const RRF_K: f64 = 60.0;
const RRF_WEIGHT: f64 = 0.5;
/// What the cosine counts; the words count the rest (docs/adr/0008).
const VECTOR_WEIGHT: f64 = 0.6;

/// What the cosine is taken for where there is no vector, as a share of the coverage: texts that say every
/// word of a question are about so near. They must not stand behind all others until theirs is made.
const UNKNOWN_SIMILARITY: f64 = 2.0 / 3.0;

/// What is known of one candidate. Ranks count from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Evidence {
    /// How much of the query's words it says, if any matched: its BM25 as a share of what a text of
    /// average length has that holds every word once, at most 1.
    pub coverage: Option<f64>,
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
                let text = evidence.coverage.unwrap_or(0.0).clamp(0.0, 1.0);
                let vector = evidence.similarity.unwrap_or(UNKNOWN_SIMILARITY * text).clamp(0.0, 1.0);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(text: Option<(u32, f64)>, vector: Option<(u32, f64)>) -> Evidence {
        Evidence {
            text_rank: text.map(|(rank, _)| rank),
            coverage: text.map(|(_, coverage)| coverage),
            vector_rank: vector.map(|(rank, _)| rank),
            similarity: vector.map(|(_, similarity)| similarity),
        }
    }

    #[test]
    fn reciprocal_ranks_are_added_and_never_scaled() {
        let score = |of: &Evidence| Fusion::Rrf.score(of);
        let first_in_both = score(&evidence(Some((0, 0.1)), Some((0, 0.3))));
        assert!((first_in_both - 1.0 / 61.0).abs() < 1e-12 && first_in_both == Fusion::Rrf.best());
        assert!((score(&evidence(Some((0, 1.0)), None)) - 0.5 / 61.0).abs() < 1e-12);
        assert!((score(&evidence(Some((1, 1.0)), Some((4, 0.2)))) - (0.5 / 62.0 + 0.5 / 65.0)).abs() < 1e-12);
        assert_eq!(score(&Evidence::default()), 0.0);
    }

    #[test]
    fn the_convex_sum_stays_between_nothing_and_everything() {
        let score = |of: &Evidence| Fusion::Convex.score(of);
        assert!((score(&evidence(Some((0, 1.0)), Some((0, 1.0)))) - 1.0).abs() < 1e-12);
        // Without a vector the words speak for it, though not for all.
        assert!((score(&evidence(Some((9, 0.5)), None)) - 0.4).abs() < 1e-12);
        assert!((score(&evidence(None, Some((9, 0.5)))) - 0.3).abs() < 1e-12);
        // A text that points the other way says no more than one that says nothing.
        assert_eq!(
            score(&evidence(Some((0, 0.5)), Some((3, -0.4)))),
            score(&evidence(Some((0, 0.5)), Some((3, 0.0))))
        );
        assert_eq!(score(&Evidence::default()), 0.0);
    }

    #[test]
    fn fusions_have_names() {
        for fusion in [Fusion::Rrf, Fusion::Convex] {
            assert_eq!(Fusion::parse(fusion.as_str()), Some(fusion));
        }
        assert_eq!(Fusion::parse("borda"), None);
    }
}
