//! The sums at the heart of the charge force, on sixteen bodies at once.
//!
//! A source at `u` from a body (as a complex number) pulls it with the conjugate of `q / u`. A cell
//! adds its second and third moment: `Σ q_i / (u + δ_i) = Q / u + Q₂ / u³ − Q₃ / u⁴ + …`, where
//! `Q_k = Σ q_i δ_i^k` and the first moment is nought about the centre of charge.

/// Bodies that are summed together.
pub(crate) const LANES: usize = 16;

/// A far cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source {
    pub x: f32,
    pub y: f32,
    pub charge: f32,
    pub second_re: f32,
    pub second_im: f32,
    pub third_re: f32,
    pub third_im: f32,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub min_squared: f32,
    pub max_squared: f32,
}

/// Sixteen bodies and the push on each.
pub(crate) struct Chunk<'a> {
    pub x: &'a [f32; LANES],
    pub y: &'a [f32; LANES],
    pub push_x: &'a mut [f32; LANES],
    pub push_y: &'a mut [f32; LANES],
}

/// Adds what far cells and near bodies (given as columns) do to a chunk.
pub(crate) fn push(chunk: Chunk<'_>, far: &[Source], near: [&[f32]; 3], bounds: Bounds) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        // SAFETY: the processor has what the function was compiled for.
        #[allow(unsafe_code)]
        unsafe {
            push_avx2(chunk, far, near, bounds);
        }
        return;
    }
    push_portably(chunk, far, near, bounds);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn push_avx2(chunk: Chunk<'_>, far: &[Source], near: [&[f32]; 3], bounds: Bounds) {
    push_portably(chunk, far, near, bounds);
}

#[inline(always)]
fn push_portably(chunk: Chunk<'_>, far: &[Source], near: [&[f32]; 3], bounds: Bounds) {
    let (mut sum_x, mut sum_y) = ([0.0f32; LANES], [0.0f32; LANES]);
    for source in far {
        for lane in 0..LANES {
            let (dx, dy) = (source.x - chunk.x[lane], source.y - chunk.y[lane]);
            let squared = dx * dx + dy * dy;
            let inverse = if squared < bounds.max_squared { 1.0 / squared } else { 0.0 };
            let (re, im) = (dx * inverse, -dy * inverse);
            let (re2, im2) = (re * re - im * im, 2.0 * re * im);
            // (Q + (Q₂ − Q₃ r) r²) r
            let moment_re = source.second_re - (source.third_re * re - source.third_im * im);
            let moment_im = source.second_im - (source.third_re * im + source.third_im * re);
            let factor_re = source.charge + moment_re * re2 - moment_im * im2;
            let factor_im = moment_re * im2 + moment_im * re2;
            sum_x[lane] += factor_re * re - factor_im * im;
            sum_y[lane] -= factor_re * im + factor_im * re;
        }
    }
    let [xs, ys, charges] = near;
    for ((&x, &y), &charge) in xs.iter().zip(ys).zip(charges) {
        for lane in 0..LANES {
            let (dx, dy) = (x - chunk.x[lane], y - chunk.y[lane]);
            let squared = dx * dx + dy * dy;
            // As in d3: nearer than `distanceMin`, the geometric mean of both. A body meets itself
            // here as well, with a displacement of nought.
            let softened = squared.max((bounds.min_squared * squared).sqrt()).max(1e-18);
            let strength = if squared < bounds.max_squared { charge / softened } else { 0.0 };
            sum_x[lane] += dx * strength;
            sum_y[lane] += dy * strength;
        }
    }
    for lane in 0..LANES {
        chunk.push_x[lane] += sum_x[lane];
        chunk.push_y[lane] += sum_y[lane];
    }
}
