//! The layout's side of `cargo xtask bench layout`: makes the graphs, measures ticks and errors, and
//! judges settled pictures. Prints JSON lines.
//!
//! `measure ticks FOLDER SEED SIZE…` writes `ticks-SIZE.bin` for others to lay out as well;
//! `measure graphs FOLDER SEED` writes the graphs of the comparison of pictures;
//! `measure judge FOLDER` compares `NAME.d3-TICKS.bin` with pictures of our own.

#![allow(clippy::print_stdout)]

use std::fs;
use std::path::Path;
use std::time::Instant;

use gm_layout::{ChargeTree, Neighbours, Opening, Parameters, Point, Simulation, degrees, place, radius_of};

const GRAPHS: [&str; 5] = ["communities", "scale-free", "grid", "tree", "parts"];
/// Places are compared after so many ticks; the last is the settled picture.
const CHECKPOINTS: [usize; 6] = [0, 10, 30, 60, 120, 300];

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(arguments.get(1).ok_or("a folder is needed")?);
    let seed = || -> Result<u64> { Ok(arguments.get(2).ok_or("a seed is needed")?.parse()?) };
    match arguments[0].as_str() {
        "ticks" => arguments[3..].iter().try_for_each(|size| ticks(folder, seed()?, size.parse()?)),
        "graphs" => GRAPHS.iter().try_for_each(|name| {
            let (n, links) = graph(name, seed()?);
            Ok(fs::write(folder.join(format!("{name}.bin")), to_bytes(n, &links, &[]))?)
        }),
        "judge" => GRAPHS.iter().try_for_each(|name| judge(folder, name)),
        _ => Err("ticks, graphs or judge".into()),
    }
}

struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// d3's own first places.
fn phyllotaxis(n: usize) -> Vec<Point> {
    (0..n)
        .map(|i| {
            let (radius, angle) = (10.0 * (0.5 + i as f64).sqrt(), i as f64 * 2.399_963_229_728_653);
            Point::new((radius * angle.cos()) as f32, (radius * angle.sin()) as f32)
        })
        .collect()
}

/// Charge, links and gravity at theta 0.9, two links per node, as d3 comes.
fn ticks(folder: &Path, seed: u64, n: usize) -> Result<()> {
    let mut random = Random::new(seed);
    let links: Vec<(u32, u32)> =
        (0..2 * n).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
    let start = phyllotaxis(n);
    fs::write(folder.join(format!("ticks-{n}.bin")), to_bytes(n, &links, &start))?;
    let parameters = Parameters { gravity_x: 0.03, gravity_y: 0.03, ..Parameters::default() };
    let mut simulation = Simulation::new(start, &links, parameters);
    let n_ticks = (2_000_000 / n).clamp(12, 60);
    (0..10).for_each(|_| simulation.step());
    let mut times: Vec<f64> = (0..n_ticks)
        .map(|_| {
            let began = Instant::now();
            simulation.step();
            began.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let error = rms_error(simulation.points());
    println!(
        "{{\"nodes\":{n},\"links\":{},\"tick_ms\":{:.4},\"tick_p95_ms\":{:.4},\"rms_error\":{error:.6}}}",
        links.len(),
        times[n_ticks / 2],
        times[n_ticks * 95 / 100],
    );
    Ok(())
}

/// Against the exact sum in double precision, over five hundred of the nodes.
fn rms_error(points: &[Point]) -> f64 {
    let charge = Parameters::default().charge;
    let mut pushes = vec![Point::default(); points.len()];
    let mut tree = ChargeTree::default();
    tree.build(points, &vec![charge; points.len()]);
    let opening = Opening { theta: 0.9, distance_min: 1.0, distance_max: f32::INFINITY };
    tree.push(&mut pushes, 1.0, opening, |_| true);
    let (mut error, mut size) = (0.0, 0.0);
    for (i, on) in points.iter().enumerate().step_by((points.len() / 500).max(1)) {
        let (mut x, mut y) = (0.0f64, 0.0f64);
        for (_, from) in points.iter().enumerate().filter(|(j, _)| *j != i) {
            let (dx, dy) = (f64::from(from.x - on.x), f64::from(from.y - on.y));
            let squared = dx * dx + dy * dy;
            let softened = if squared < 1.0 { squared.sqrt() } else { squared };
            if softened > 0.0 {
                x += dx * f64::from(charge) / softened;
                y += dy * f64::from(charge) / softened;
            }
        }
        error += (f64::from(pushes[i].x) - x).powi(2) + (f64::from(pushes[i].y) - y).powi(2);
        size += x * x + y * y;
    }
    (error / size).sqrt()
}

fn graph(name: &str, seed: u64) -> (usize, Vec<(u32, u32)>) {
    let mut random = Random::new(seed);
    match name {
        "communities" => {
            let (n, n_groups) = (1_000, 25);
            let links = (0..2_500).map(|_| {
                let a = random.below(n);
                let b = if random.below(12) == 0 {
                    random.below(n)
                } else {
                    random.below(n / n_groups) * n_groups + a % n_groups
                };
                (a as u32, b as u32)
            });
            (n, links.filter(|(a, b)| a != b).collect())
        }
        "scale-free" => {
            // Barabási and Albert: who has links gets links.
            let n = 1_500;
            let mut links: Vec<(u32, u32)> = vec![(0, 1)];
            for node in 2..n as u32 {
                for _ in 0..2 {
                    let (a, b) = links[random.below(links.len())];
                    let end = if random.below(2) == 0 { a } else { b };
                    if end != node {
                        links.push((node, end));
                    }
                }
            }
            (n, links)
        }
        "grid" => {
            let (wide, high) = (30u32, 30u32);
            let links = (0..wide * high).flat_map(|i| {
                let right = (i % wide + 1 < wide).then_some((i, i + 1));
                right.into_iter().chain((i / wide + 1 < high).then_some((i, i + wide)))
            });
            ((wide * high) as usize, links.collect())
        }
        "tree" => (1_093, (1..1_093).map(|i| ((i - 1) / 3, i)).collect()),
        _ => {
            // Sixty parts of four to thirty nodes, and as many nodes alone.
            let (mut n, mut links) = (0u32, Vec::new());
            for _ in 0..60 {
                let size = 4 + random.below(27) as u32;
                for i in 1..size {
                    links.push((n + random.below(i as usize) as u32, n + i));
                    if random.below(3) == 0 {
                        links.push((n + random.below(i as usize) as u32, n + i));
                    }
                }
                n += size;
            }
            ((n + 60) as usize, links)
        }
    }
}

fn to_bytes(n: usize, links: &[(u32, u32)], start: &[Point]) -> Vec<u8> {
    let mut out: Vec<u8> = [n as u32, links.len() as u32].iter().flat_map(|w| w.to_le_bytes()).collect();
    out.extend(links.iter().flat_map(|&(s, t)| [s, t]).flat_map(u32::to_le_bytes));
    out.extend(start.iter().flat_map(|p| [p.x, p.y]).flat_map(f32::to_le_bytes));
    out
}

fn read(folder: &Path, name: &str) -> Result<(usize, Vec<(u32, u32)>)> {
    let bytes = fs::read(folder.join(format!("{name}.bin")))?;
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let (n, m) = (words[0] as usize, words[1] as usize);
    Ok((n, words[2..2 + 2 * m].chunks_exact(2).map(|p| (p[0], p[1])).collect()))
}

fn judge(folder: &Path, name: &str) -> Result<()> {
    let (n, links) = read(folder, name)?;
    let began = Instant::now();
    let mut simulation = Simulation::new(place(&vec![None; n], &links), &links, Parameters::explorer());
    let place_ms = began.elapsed().as_secs_f64() * 1e3;
    simulation.set_alpha(0.3);
    simulation.plan(300);
    let mut ours = Vec::new();
    let mut done = 0;
    for checkpoint in CHECKPOINTS {
        while done < checkpoint {
            simulation.step();
            done += 1;
        }
        ours.push(simulation.points().to_vec());
    }
    let mut theirs = Vec::new();
    for checkpoint in CHECKPOINTS {
        let bytes = fs::read(folder.join(format!("{name}.d3-{checkpoint}.bin")))?;
        let numbers: Vec<f32> =
            bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        theirs.push(numbers.chunks_exact(2).map(|p| Point::new(p[0], p[1])).collect::<Vec<_>>());
    }
    let distances = Distances::of(n, &links);
    let stress = |pictures: &[Vec<Point>]| pictures.iter().map(|p| distances.stress(p)).collect::<Vec<_>>();
    let (our_stress, their_stress) = (stress(&ours), stress(&theirs));
    let settled = |stress: &[f64]| {
        let end = stress[stress.len() - 1] * 1.02;
        CHECKPOINTS[stress.iter().position(|s| *s <= end).unwrap_or(stress.len() - 1)]
    };
    let (a, b) = (ours.pop().ok_or("none")?, theirs.pop().ok_or("none")?);
    println!(
        "{{\"graph\":\"{name}\",\"nodes\":{n},\"links\":{},\"place_ms\":{place_ms:.1},\
         \"length_variation\":{:.4},\"d3_length_variation\":{:.4},\
         \"preservation\":{:.4},\"d3_preservation\":{:.4},\"crossings\":{:.5},\"d3_crossings\":{:.5},\
         \"stress\":{:.4},\"d3_stress\":{:.4},\"settle_ticks\":{},\"d3_settle_ticks\":{}}}",
        links.len(),
        length_variation(&a, &links),
        length_variation(&b, &links),
        preservation(&a, n, &links),
        preservation(&b, n, &links),
        crossings(&a, &links),
        crossings(&b, &links),
        our_stress[our_stress.len() - 1],
        their_stress[their_stress.len() - 1],
        settled(&our_stress),
        settled(&their_stress),
    );
    Ok(())
}

/// Deviation of the links' lengths from their mean, as a share of it. Lengths are measured between rims,
/// since that is what the forces are asked for.
fn length_variation(points: &[Point], links: &[(u32, u32)]) -> f64 {
    let degree = degrees(points.len(), links);
    let lengths: Vec<f64> = links
        .iter()
        .map(|&(s, t)| {
            let (a, b) = (points[s as usize], points[t as usize]);
            let rims = radius_of(degree[s as usize]) + radius_of(degree[t as usize]);
            f64::from(((a.x - b.x).hypot(a.y - b.y) - rims).max(0.0))
        })
        .collect();
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    let variance = lengths.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / lengths.len() as f64;
    variance.sqrt() / mean
}

/// Of each node's nearest in the picture, as many as it has neighbours: the share that are neighbours.
fn preservation(points: &[Point], n: usize, links: &[(u32, u32)]) -> f64 {
    let neighbours = Neighbours::of(n, links);
    let (mut sum, mut count) = (0.0, 0.0);
    for node in 0..n as u32 {
        let mut near: Vec<u32> = neighbours.of_node(node).to_vec();
        near.sort_unstable();
        near.dedup();
        if near.is_empty() {
            continue;
        }
        let here = points[node as usize];
        let mut others: Vec<(f32, u32)> = (0..n as u32)
            .filter(|&other| other != node)
            .map(|other| (points[other as usize].x - here.x).hypot(points[other as usize].y - here.y))
            .zip((0..n as u32).filter(|&other| other != node))
            .collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0));
        let found =
            others[..near.len()].iter().filter(|(_, other)| near.binary_search(other).is_ok()).count();
        sum += found as f64 / near.len() as f64;
        count += 1.0;
    }
    sum / count
}

/// The share of link pairs that cross, of four hundred thousand pairs drawn by lot.
fn crossings(points: &[Point], links: &[(u32, u32)]) -> f64 {
    let mut random = Random::new(11);
    let side = |a: Point, b: Point, c: Point| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    let (mut crossed, mut pairs) = (0u32, 0u32);
    for _ in 0..400_000 {
        let ((a, b), (c, d)) = (links[random.below(links.len())], links[random.below(links.len())]);
        if a == c || a == d || b == c || b == d {
            continue;
        }
        pairs += 1;
        let [a, b, c, d] = [a, b, c, d].map(|node| points[node as usize]);
        let crosses = side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0;
        crossed += u32::from(crosses);
    }
    f64::from(crossed) / f64::from(pairs)
}

/// Steps between nodes, from two hundred of them.
struct Distances(Vec<(u32, Vec<u32>)>);

impl Distances {
    fn of(n: usize, links: &[(u32, u32)]) -> Self {
        let neighbours = Neighbours::of(n, links);
        let from = (0..n as u32).step_by((n / 200).max(1));
        Self(
            from.map(|root| {
                let mut steps = vec![u32::MAX; n];
                steps[root as usize] = 0;
                let mut queue = std::collections::VecDeque::from([root]);
                while let Some(node) = queue.pop_front() {
                    for &next in neighbours.of_node(node) {
                        if steps[next as usize] == u32::MAX {
                            steps[next as usize] = steps[node as usize] + 1;
                            queue.push_back(next);
                        }
                    }
                }
                (root, steps)
            })
            .collect(),
        )
    }

    /// Kruskal's normalised stress at the best scale: 0 is a picture whose distances are the graph's.
    fn stress(&self, points: &[Point]) -> f64 {
        let pairs = || {
            self.0.iter().flat_map(|(root, steps)| {
                let here = points[*root as usize];
                steps.iter().enumerate().filter(|(_, s)| **s != u32::MAX && **s > 0).map(
                    move |(other, steps)| {
                        let there = points[other];
                        (f64::from((here.x - there.x).hypot(here.y - there.y)), f64::from(*steps))
                    },
                )
            })
        };
        let (mut cross, mut square) = (0.0, 0.0);
        for (length, steps) in pairs() {
            cross += length / steps;
            square += (length / steps).powi(2);
        }
        let scale = cross / square;
        let (mut sum, mut count) = (0.0, 0.0);
        for (length, steps) in pairs() {
            sum += (length * scale / steps - 1.0).powi(2);
            count += 1.0;
        }
        (sum / count).sqrt()
    }
}
