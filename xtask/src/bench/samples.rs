//! Times of one operation, and what is said of them.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

/// A slow operation is not repeated past this, except for [`LEAST`].
const BUDGET: Duration = Duration::from_secs(8);
/// Repetitions that are made however long they take.
const LEAST: usize = 5;

#[derive(Default)]
pub struct Samples {
    /// Milliseconds, in order of size.
    sorted: Vec<f64>,
}

impl Samples {
    /// Repeats an operation that tells how long it took.
    pub fn take(most: usize, mut operation: impl FnMut() -> Result<Duration>) -> Result<Self> {
        let begun = Instant::now();
        let mut times = Vec::with_capacity(most);
        while times.len() < most && (times.len() < LEAST || begun.elapsed() < BUDGET) {
            times.push(operation()?);
        }
        Ok(times.into_iter().collect())
    }

    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    pub fn p95(&self) -> f64 {
        self.quantile(0.95)
    }

    pub fn worst(&self) -> f64 {
        self.quantile(1.0)
    }

    pub fn sum(&self) -> f64 {
        self.sorted.iter().sum()
    }

    /// The nearest rank: a time that was measured.
    fn quantile(&self, share: f64) -> f64 {
        let rank = (self.sorted.len() as f64 * share).ceil() as usize;
        self.sorted.get(rank.max(1) - 1).copied().unwrap_or(f64::NAN)
    }

    pub fn to_json(&self) -> Value {
        json!({
            "n": self.count(), "median_ms": rounded(self.median()), "p95_ms": rounded(self.p95()),
            "worst_ms": rounded(self.worst()),
        })
    }
}

impl FromIterator<Duration> for Samples {
    fn from_iter<T: IntoIterator<Item = Duration>>(times: T) -> Self {
        let mut sorted: Vec<f64> = times.into_iter().map(|time| time.as_secs_f64() * 1e3).collect();
        sorted.sort_by(f64::total_cmp);
        Self { sorted }
    }
}

/// Microseconds are told, and nothing finer.
pub fn rounded(milliseconds: f64) -> f64 {
    (milliseconds * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_times_that_were_measured() {
        let samples: Samples = (1..=20).rev().map(Duration::from_millis).collect();
        assert_eq!((samples.median(), samples.p95(), samples.worst()), (10.0, 19.0, 20.0));
    }
}
