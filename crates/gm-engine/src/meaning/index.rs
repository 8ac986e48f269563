//! Every vector of a graph in memory, a byte a number, looked through from end to end.
//!
//! At the sizes a person's memory reaches this is exact and quick enough (docs/adr/0008): a filter costs
//! nothing but asking it, and an index of neighbours would have to be built, kept and paid for in
//! recall.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use gm_store::ReadTx;
use gm_store::search::TextIndex;
use gm_store::vectors::{self, FileModel, Part};
use rayon::prelude::*;

use crate::Result;

/// Pieces of the vectors for each thread, none smaller than this.
const CHUNKS_EACH: usize = 2;
const LEAST_CHUNK: usize = 2_048;
/// A question's numbers are scaled to this: the sum of products with bytes then fits 32 bits up to 8,192
/// dimensions (Cauchy and Schwarz: at most dimension × 127 × 2,047).
const QUERY_SCALE: f32 = 2_047.0;

/// A row near a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    pub which: TextIndex,
    pub rid: i64,
    pub entity_rid: i64,
    /// The cosine; of a long text that of its nearest part.
    pub similarity: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Owner {
    which: TextIndex,
    rid: i64,
    entity_rid: i64,
}

/// The vectors of a graph, as they were at a moment of its log.
#[derive(Default)]
pub struct VectorIndex {
    model: Option<FileModel>,
    seq: i64,
    dimension: usize,
    /// Slot by slot, `dimension` bytes each; an empty slot has no owner.
    bytes: Vec<i8>,
    scales: Vec<f32>,
    owners: Vec<Option<Owner>>,
    /// Whether a slot is one of several of its row.
    shared: Vec<bool>,
    slots: HashMap<(TextIndex, i64), Vec<u32>>,
    empty: Vec<u32>,
}

impl VectorIndex {
    pub(crate) fn is_current(&self, tx: &ReadTx<'_>, model: &FileModel) -> Result<bool> {
        Ok(self.model.as_ref() == Some(model) && self.seq == vectors::log_head(tx)?)
    }

    /// Brings the index to the moment of a read.
    pub(crate) fn catch_up(&mut self, tx: &ReadTx<'_>, model: &FileModel) -> Result<()> {
        let head = vectors::log_head(tx)?;
        let changed = match &self.model {
            Some(known) if known == model => vectors::changed_since(tx, self.seq)?,
            _ => None,
        };
        match changed {
            Some(changed) => {
                for (which, rid) in changed {
                    self.remove(which, rid);
                    if let Some((entity_rid, parts)) = vectors::of_row(tx, which, rid)? {
                        parts.iter().for_each(|part| self.add(Owner { which, rid, entity_rid }, part));
                    }
                }
            }
            None => {
                *self = Self { model: Some(model.clone()), dimension: model.dimension, ..Self::default() };
                vectors::each(tx, |which, rid, entity_rid, scale, bytes| {
                    let bytes = bytes.iter().map(|byte| byte.cast_signed()).collect();
                    self.add(Owner { which, rid, entity_rid }, &Part { scale, bytes });
                })?;
            }
        }
        self.seq = head;
        Ok(())
    }

    /// Vectors that are looked through.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.owners.len() - self.empty.len()
    }

    fn add(&mut self, owner: Owner, part: &Part) {
        // A vector of another length is damage; its row is found by its words.
        if part.bytes.len() != self.dimension {
            return;
        }
        let slot = match self.empty.pop() {
            Some(slot) => {
                let at = slot as usize;
                self.bytes[at * self.dimension..][..self.dimension].copy_from_slice(&part.bytes);
                self.scales[at] = part.scale;
                self.owners[at] = Some(owner);
                self.shared[at] = false;
                slot
            }
            None => {
                self.bytes.extend_from_slice(&part.bytes);
                self.scales.push(part.scale);
                self.owners.push(Some(owner));
                self.shared.push(false);
                (self.owners.len() - 1) as u32
            }
        };
        let slots = self.slots.entry((owner.which, owner.rid)).or_default();
        slots.push(slot);
        if slots.len() > 1 {
            slots.iter().for_each(|slot| self.shared[*slot as usize] = true);
        }
    }

    fn remove(&mut self, which: TextIndex, rid: i64) {
        for slot in self.slots.remove(&(which, rid)).into_iter().flatten() {
            self.owners[slot as usize] = None;
            self.empty.push(slot);
        }
    }

    /// The vector of a row as it is kept, the first part of a long text.
    pub fn vector(&self, which: TextIndex, rid: i64) -> Option<Vec<f32>> {
        let slot = *self.slots.get(&(which, rid))?.first()? as usize;
        let bytes = &self.bytes[slot * self.dimension..][..self.dimension];
        Some(bytes.iter().map(|byte| f32::from(*byte) * self.scales[slot]).collect())
    }

    /// The cosine of a vector of unit length and a row; of a long text that of its nearest part.
    pub fn similarity(&self, query: &[f32], which: TextIndex, rid: i64) -> Option<f64> {
        let slots = self.slots.get(&(which, rid))?;
        let cosine = |slot: &u32| {
            let at = *slot as usize;
            let bytes = &self.bytes[at * self.dimension..][..self.dimension];
            let sum: f32 = bytes.iter().zip(query).map(|(a, b)| f32::from(*a) * b).sum();
            f64::from(sum * self.scales[at]).clamp(-1.0, 1.0)
        };
        slots.iter().map(cosine).reduce(f64::max)
    }

    /// The rows nearest to a vector of unit length among those that `is_wanted`, nearest first. Exact:
    /// every vector that is wanted is compared.
    pub fn nearest(&self, query: &[f32], limit: usize, is_wanted: Option<&Wanted<'_>>) -> Vec<Near> {
        if self.dimension == 0 || query.len() != self.dimension || limit == 0 {
            return Vec::new();
        }
        let largest = query.iter().fold(0.0f32, |largest, v| largest.max(v.abs()));
        if !largest.is_normal() {
            return Vec::new();
        }
        let query_scale = largest / QUERY_SCALE;
        let wanted: Vec<i16> = query.iter().map(|v| (v / query_scale).round() as i16).collect();
        let chunk = self.owners.len().div_ceil(rayon::current_num_threads() * CHUNKS_EACH).max(LEAST_CHUNK);
        let found: Vec<(f32, u32)> = self
            .bytes
            .par_chunks(chunk * self.dimension)
            .enumerate()
            .flat_map_iter(|(at, bytes)| {
                let mut nearest = Nearest::new(limit);
                for (i, bytes) in bytes.chunks_exact(self.dimension).enumerate() {
                    let slot = at * chunk + i;
                    let Some(owner) = self.owners[slot] else { continue };
                    if is_wanted.is_some_and(|wanted| !wanted(owner.which, owner.rid, owner.entity_rid)) {
                        continue;
                    }
                    let similarity = dot(bytes, &wanted) as f32 * self.scales[slot] * query_scale;
                    if self.shared[slot] {
                        nearest.add_part((owner.which, owner.rid), similarity, slot as u32);
                    } else if similarity > nearest.least {
                        nearest.add(similarity, slot as u32);
                    }
                }
                nearest.into_iter()
            })
            .collect();
        let mut folded: HashMap<(TextIndex, i64), Near> = HashMap::with_capacity(found.len());
        for (similarity, slot) in found {
            let Some(Owner { which, rid, entity_rid }) = self.owners[slot as usize] else { continue };
            let similarity = f64::from(similarity).clamp(-1.0, 1.0);
            let near = folded.entry((which, rid)).or_insert(Near { which, rid, entity_rid, similarity });
            near.similarity = near.similarity.max(similarity);
        }
        let mut nearest: Vec<Near> = folded.into_values().collect();
        nearest.sort_unstable_by(|a, b| {
            b.similarity.total_cmp(&a.similarity).then(b.which.cmp(&a.which)).then(b.rid.cmp(&a.rid))
        });
        nearest.truncate(limit);
        nearest
    }
}

/// Whether a row may be found, by its table, its number and that of the entity it is about.
pub(crate) type Wanted<'a> = dyn Fn(TextIndex, i64, i64) -> bool + Sync + 'a;

/// The nearest slots of a chunk.
struct Nearest {
    limit: usize,
    /// What a slot must exceed to be among them.
    least: f32,
    best: BinaryHeap<Reverse<(Ordered, u32)>>,
    /// Rows of several parts stand beside the others: together they must not take the places of rows
    /// that are nearer.
    of_parts: HashMap<(TextIndex, i64), (f32, u32)>,
}

impl Nearest {
    fn new(limit: usize) -> Self {
        let best = BinaryHeap::with_capacity(limit + 1);
        Self { limit, least: f32::NEG_INFINITY, best, of_parts: HashMap::new() }
    }

    fn add(&mut self, similarity: f32, slot: u32) {
        self.best.push(Reverse((Ordered(similarity), slot)));
        if self.best.len() > self.limit {
            self.best.pop();
        }
        if self.best.len() == self.limit
            && let Some(Reverse((least, _))) = self.best.peek()
        {
            self.least = least.0;
        }
    }

    fn add_part(&mut self, row: (TextIndex, i64), similarity: f32, slot: u32) {
        let nearest = self.of_parts.entry(row).or_insert((similarity, slot));
        if similarity > nearest.0 {
            *nearest = (similarity, slot);
        }
    }

    fn into_iter(self) -> impl Iterator<Item = (f32, u32)> {
        let whole = self.best.into_iter().map(|Reverse((similarity, slot))| (similarity.0, slot));
        whole.chain(self.of_parts.into_values())
    }
}

/// A similarity that can be sorted.
#[derive(PartialEq)]
struct Ordered(f32);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

fn dot(bytes: &[i8], query: &[i16]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor was just asked whether it has what the function is compiled for.
        #[allow(unsafe_code)]
        return unsafe { dot_avx2(bytes, query) };
    }
    dot_plain(bytes, query)
}

/// Sixteen products at a time: half again as quick as what the compiler makes of the plain loop.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)]
fn dot_avx2(bytes: &[i8], query: &[i16]) -> i32 {
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_loadu_si128, _mm256_add_epi32, _mm256_cvtepi8_epi16, _mm256_loadu_si256,
        _mm256_madd_epi16, _mm256_setzero_si256, _mm256_storeu_si256,
    };
    let (bytes, last_bytes) = bytes.as_chunks::<16>();
    let (query, last_query) = query.as_chunks::<16>();
    let mut sums = _mm256_setzero_si256();
    for (bytes, query) in bytes.iter().zip(query) {
        // SAFETY: each array has exactly the 16 or 32 bytes that are loaded; loads need no alignment.
        let (bytes, query) = unsafe {
            (
                _mm_loadu_si128(bytes.as_ptr().cast::<__m128i>()),
                _mm256_loadu_si256(query.as_ptr().cast::<__m256i>()),
            )
        };
        sums = _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_cvtepi8_epi16(bytes), query));
    }
    let mut eight = [0i32; 8];
    // SAFETY: the array has exactly the 32 bytes that are stored.
    unsafe { _mm256_storeu_si256(eight.as_mut_ptr().cast::<__m256i>(), sums) };
    eight.iter().sum::<i32>() + dot_plain(last_bytes, last_query)
}

fn dot_plain(bytes: &[i8], query: &[i16]) -> i32 {
    bytes.iter().zip(query).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meaning::quantised;

    fn random(state: &mut u64) -> f32 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 40) as f32 / (1u64 << 24) as f32 - 0.5
    }

    fn unit(dimension: usize, state: &mut u64) -> Vec<f32> {
        let vector: Vec<f32> = (0..dimension).map(|_| random(state)).collect();
        let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
        vector.into_iter().map(|v| v / length).collect()
    }

    fn filled(vectors: &[Vec<f32>]) -> VectorIndex {
        let mut index = VectorIndex { dimension: vectors[0].len(), ..VectorIndex::default() };
        for (i, vector) in vectors.iter().enumerate() {
            let rid = i as i64;
            let owner = Owner { which: TextIndex::Observations, rid, entity_rid: rid % 10 };
            index.add(owner, &quantised(vector));
        }
        index
    }

    #[test]
    fn what_is_found_is_what_a_comparison_with_every_float_finds() {
        let mut state = 11;
        let vectors: Vec<Vec<f32>> = (0..20_000).map(|_| unit(96, &mut state)).collect();
        let index = filled(&vectors);
        let (mut found, mut all) = (0, 0);
        for filter in [None, Some(3)] {
            for _ in 0..20 {
                let query = unit(96, &mut state);
                let mut exact: Vec<(f32, i64)> = vectors
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| filter.is_none_or(|f| i % 10 == f))
                    .map(|(i, v)| (v.iter().zip(&query).map(|(a, b)| a * b).sum(), i as i64))
                    .collect();
                exact.sort_by(|a, b| b.0.total_cmp(&a.0));
                let near = index.nearest(
                    &query,
                    10,
                    Some(&|_, _, entity| filter.is_none_or(|f| entity == f as i64)),
                );
                assert_eq!(near.len(), 10);
                for (similarity, rid) in &exact[..10] {
                    all += 1;
                    if let Some(near) = near.iter().find(|near| near.rid == *rid) {
                        found += 1;
                        assert!((near.similarity - f64::from(*similarity)).abs() < 0.01);
                    }
                }
            }
        }
        let recall = f64::from(found) / f64::from(all);
        assert!(recall >= 0.97, "recall {recall} on random vectors, which lie closer than texts do");
    }

    #[test]
    fn long_texts_take_one_place_each() {
        let mut state = 9;
        let near = unit(64, &mut state);
        let mut index = filled(&(0..30).map(|_| near.clone()).collect::<Vec<_>>());
        for rid in 100..120 {
            for _ in 0..80 {
                let owner = Owner { which: TextIndex::Entities, rid, entity_rid: rid };
                index.add(owner, &quantised(&near));
            }
        }
        let found = index.nearest(&near, 400, None);
        assert_eq!(found.len(), 50, "thirty short texts and twenty long ones");
    }

    #[test]
    fn slots_are_used_again_and_what_is_gone_is_not_found() {
        let mut state = 5;
        let vectors: Vec<Vec<f32>> = (0..100).map(|_| unit(32, &mut state)).collect();
        let mut index = filled(&vectors);
        for rid in 0..50 {
            index.remove(TextIndex::Observations, rid);
        }
        assert_eq!(index.len(), 50);
        let near = index.nearest(&vectors[7], 100, None);
        assert!(near.len() == 50 && near.iter().all(|near| near.rid >= 50));
        let owner = Owner { which: TextIndex::Entities, rid: 7, entity_rid: 7 };
        index.add(owner, &quantised(&vectors[7]));
        index.add(owner, &quantised(&vectors[8]));
        assert_eq!(index.owners.len(), 100);
        let near = index.nearest(&vectors[8], 3, None);
        assert!(near[0].which == TextIndex::Entities && near[0].similarity > 0.999);
        assert_eq!(near.iter().filter(|near| near.which == TextIndex::Entities).count(), 1);
    }

    #[test]
    fn every_way_of_multiplying_gives_the_same() {
        let mut state = 3;
        for dimension in [1, 15, 16, 17, 96, 384, 385, 1_024] {
            let bytes: Vec<i8> = (0..dimension).map(|_| (random(&mut state) * 254.0) as i8).collect();
            let query: Vec<i16> = (0..dimension).map(|_| (random(&mut state) * 4_094.0) as i16).collect();
            assert_eq!(dot(&bytes, &query), dot_plain(&bytes, &query), "{dimension}");
        }
    }

    #[test]
    fn sums_of_the_largest_numbers_fit() {
        for dimension in [384, 8_192] {
            let one = vec![1.0 / (dimension as f32).sqrt(); dimension];
            let index = filled(&[one.clone(), one.iter().map(|v| -v).collect()]);
            let near = index.nearest(&one, 2, None);
            assert!((near[0].similarity - 1.0).abs() < 0.01 && (near[1].similarity + 1.0).abs() < 0.01);
        }
    }

    #[test]
    fn questions_without_direction_find_nothing() {
        let index = filled(&[vec![1.0, 0.0]]);
        for query in [vec![0.0, 0.0], vec![f32::NAN, 1.0], vec![1.0], vec![]] {
            assert!(index.nearest(&query, 5, None).iter().all(|near| near.similarity.is_finite()));
        }
    }
}
