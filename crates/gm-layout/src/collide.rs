//! Dots that keep clear of each other: d3's `forceCollide` on a grid.

use rayon::prelude::*;

use crate::Point;

/// A hashed grid, kept for its memory.
#[derive(Debug, Default)]
pub(crate) struct Collisions {
    starts: Vec<u32>,
    members: Vec<u32>,
    bucket_of: Vec<u32>,
    ahead: Vec<Point>,
}

impl Collisions {
    /// Pushes overlapping dots apart: half of the overlap each, weighed by the other's area as in d3.
    pub(crate) fn part(&mut self, points: &[Point], velocities: &mut [Point], radii: &[f32], strength: f32) {
        let n = points.len();
        let largest = radii.iter().fold(0.0f32, |a, &b| a.max(b));
        if n < 2 || largest <= 0.0 {
            return;
        }
        let size = 2.0 * largest;
        let n_buckets = (n * 2).next_power_of_two();
        let mask = n_buckets as u32 - 1;
        let bucket = |x: i32, y: i32| {
            ((x as u32).wrapping_mul(0x9e37_79b9) ^ (y as u32).wrapping_mul(0x85eb_ca6b)).rotate_left(13)
                & mask
        };
        let cell = |p: Point| ((p.x / size).floor() as i32, (p.y / size).floor() as i32);
        self.ahead.clear();
        self.ahead
            .extend(points.iter().zip(velocities.iter()).map(|(p, v)| Point::new(p.x + v.x, p.y + v.y)));
        self.bucket_of.clear();
        self.bucket_of.extend(self.ahead.iter().map(|&p| {
            let (x, y) = cell(p);
            bucket(x, y)
        }));
        self.starts.clear();
        self.starts.resize(n_buckets + 1, 0);
        for &bucket in &self.bucket_of {
            self.starts[bucket as usize + 1] += 1;
        }
        for i in 0..n_buckets {
            self.starts[i + 1] += self.starts[i];
        }
        self.members.resize(n, 0);
        let mut cursor = self.starts.clone();
        for (node, &bucket) in self.bucket_of.iter().enumerate() {
            self.members[cursor[bucket as usize] as usize] = node as u32;
            cursor[bucket as usize] += 1;
        }
        let (starts, members, ahead) = (&self.starts, &self.members, &self.ahead);
        velocities.par_iter_mut().enumerate().with_min_len(1024).for_each(|(node, velocity)| {
            let (here, radius) = (ahead[node], radii[node]);
            let (cx, cy) = cell(here);
            let mut seen = [u32::MAX; 9];
            let mut n_seen = 0;
            for (x, y) in
                (-1..=1).flat_map(|y| (-1..=1).map(move |x| (cx.wrapping_add(x), cy.wrapping_add(y))))
            {
                let bucket = bucket(x, y);
                // Two cells may share a bucket; what is in it must not push twice.
                if seen[..n_seen].contains(&bucket) {
                    continue;
                }
                seen[n_seen] = bucket;
                n_seen += 1;
                let row = starts[bucket as usize] as usize..starts[bucket as usize + 1] as usize;
                // A crowd on one spot is parted by the charge; the square of its number helps nobody.
                for &other in members[row].iter().take(256) {
                    if other as usize == node {
                        continue;
                    }
                    let (there, reach) = (ahead[other as usize], radius + radii[other as usize]);
                    let (mut dx, mut dy) = (here.x - there.x, here.y - there.y);
                    let squared = dx * dx + dy * dy;
                    if squared >= reach * reach {
                        continue;
                    }
                    if squared == 0.0 {
                        (dx, dy) = if (node as u32) < other { (1e-3, 0.0) } else { (-1e-3, 0.0) };
                    }
                    let length = (dx * dx + dy * dy).sqrt();
                    let (area, others) = (radius * radius, radii[other as usize].powi(2));
                    let push = (reach - length) / length * strength * others / (area + others);
                    velocity.x += dx * push;
                    velocity.y += dy * push;
                }
            }
        });
    }
}
