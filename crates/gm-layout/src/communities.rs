//! Groups of nodes by modularity: the method of Louvain (Blondel, Guillaume, Lambiotte and Lefebvre,
//! Fast unfolding of communities in large networks, 2008), the same for the same input.

/// Rounds over all nodes of one level.
const MAX_ROUNDS: usize = 20;
/// A level that gains less is the last.
const MIN_GAIN: f64 = 1e-4;

/// The groups of a graph.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Communities {
    /// The group of each node; groups are numbered by size, the largest first.
    pub of: Vec<u32>,
    pub n: usize,
    /// Newman's modularity of this division.
    pub modularity: f64,
}

/// Divides the nodes into groups with more links inside than chance would put there. `weights` belong
/// to the links, none is 1 throughout; links from a node to itself are left out.
pub fn communities(n_nodes: usize, links: &[(u32, u32)], weights: &[f32]) -> Communities {
    let weight = |link: usize| f64::from(weights.get(link).copied().unwrap_or(1.0).max(0.0));
    let mut graph = Weighted::new(
        n_nodes,
        links.iter().enumerate().filter(|(_, (s, t))| s != t).map(|(at, &(s, t))| (s, t, weight(at))),
    );
    let mut of: Vec<u32> = (0..n_nodes as u32).collect();
    let mut last = graph.modularity(&(0..n_nodes as u32).collect::<Vec<_>>());
    loop {
        let (group_of, n_groups) = graph.divide();
        let now = graph.modularity(&group_of);
        if now < last + MIN_GAIN {
            break;
        }
        last = now;
        of.iter_mut().for_each(|group| *group = group_of[*group as usize]);
        graph = graph.shrunk(&group_of, n_groups);
    }
    let (of, n) = by_size(of);
    let modularity = modularity(n_nodes, links, weights, &of);
    Communities { of, n, modularity }
}

/// Newman's modularity of a division: the share of links inside groups, less what chance would put there.
pub fn modularity(n_nodes: usize, links: &[(u32, u32)], weights: &[f32], of: &[u32]) -> f64 {
    let weight = |link: usize| f64::from(weights.get(link).copied().unwrap_or(1.0).max(0.0));
    let links = links.iter().enumerate().filter(|(_, (s, t))| s != t);
    Weighted::new(n_nodes, links.map(|(at, &(s, t))| (s, t, weight(at)))).modularity(of)
}

/// A graph in compressed rows, each link in both of its rows.
struct Weighted {
    starts: Vec<u32>,
    ends: Vec<(u32, f64)>,
    /// Weight inside of what a node stands for, counted twice as a link's two ends are.
    inside: Vec<f64>,
    /// All weight at a node.
    strength: Vec<f64>,
    total: f64,
}

impl Weighted {
    fn new(n: usize, links: impl Iterator<Item = (u32, u32, f64)> + Clone) -> Self {
        let mut starts = vec![0u32; n + 1];
        let mut inside = vec![0.0; n];
        for (s, t, weight) in links.clone() {
            if s == t {
                inside[s as usize] += 2.0 * weight;
            } else {
                starts[s as usize + 1] += 1;
                starts[t as usize + 1] += 1;
            }
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut cursor = starts.clone();
        let mut ends = vec![(0, 0.0); starts[n] as usize];
        for (s, t, weight) in links.filter(|(s, t, _)| s != t) {
            for (from, to) in [(s, t), (t, s)] {
                ends[cursor[from as usize] as usize] = (to, weight);
                cursor[from as usize] += 1;
            }
        }
        let strength: Vec<f64> = (0..n)
            .map(|i| {
                ends[starts[i] as usize..starts[i + 1] as usize].iter().map(|e| e.1).sum::<f64>() + inside[i]
            })
            .collect();
        let total = strength.iter().sum();
        Self { starts, ends, inside, strength, total }
    }

    fn n(&self) -> usize {
        self.inside.len()
    }

    fn ends_of(&self, node: usize) -> &[(u32, f64)] {
        &self.ends[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    fn modularity(&self, of: &[u32]) -> f64 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let n = of.iter().max().map_or(0, |&m| m as usize + 1);
        let (mut inside, mut strength) = (vec![0.0; n], vec![0.0; n]);
        for node in 0..self.n() {
            let group = of[node];
            strength[group as usize] += self.strength[node];
            inside[group as usize] += self.inside[node];
            inside[group as usize] += self
                .ends_of(node)
                .iter()
                .filter(|(end, _)| of[*end as usize] == group)
                .map(|e| e.1)
                .sum::<f64>();
        }
        inside.iter().zip(&strength).map(|(i, s)| i / self.total - (s / self.total).powi(2)).sum()
    }

    /// Moves nodes to the group where they add most, until none gains.
    fn divide(&self) -> (Vec<u32>, usize) {
        let n = self.n();
        let mut of: Vec<u32> = (0..n as u32).collect();
        let mut strength = self.strength.clone();
        let mut towards = vec![0.0; n];
        let mut touched: Vec<u32> = Vec::new();
        for _ in 0..MAX_ROUNDS {
            let mut n_moved = 0;
            for node in 0..n {
                let own = of[node];
                for &(end, weight) in self.ends_of(node) {
                    let group = of[end as usize];
                    if towards[group as usize] == 0.0 {
                        touched.push(group);
                    }
                    towards[group as usize] += weight;
                }
                strength[own as usize] -= self.strength[node];
                let gain = |group: u32| {
                    towards[group as usize] - strength[group as usize] * self.strength[node] / self.total
                };
                let (mut best, mut most) = (own, gain(own));
                for &group in &touched {
                    let gained = gain(group);
                    if gained > most + 1e-12 || (gained > most - 1e-12 && group < best && best != own) {
                        (best, most) = (group, gained);
                    }
                }
                strength[best as usize] += self.strength[node];
                if best != own {
                    of[node] = best;
                    n_moved += 1;
                }
                for group in touched.drain(..) {
                    towards[group as usize] = 0.0;
                }
            }
            if n_moved * 500 <= n {
                break;
            }
        }
        let mut number = vec![u32::MAX; n];
        let mut n_groups = 0;
        for group in &mut of {
            let number = &mut number[*group as usize];
            if *number == u32::MAX {
                *number = n_groups;
                n_groups += 1;
            }
            *group = *number;
        }
        (of, n_groups as usize)
    }

    fn shrunk(&self, group_of: &[u32], n_groups: usize) -> Self {
        let mut links: Vec<(u32, u32, f64)> = Vec::new();
        let mut inside = vec![0.0; n_groups];
        for node in 0..self.n() {
            inside[group_of[node] as usize] += self.inside[node] / 2.0;
            for &(end, weight) in self.ends_of(node).iter().filter(|(end, _)| *end as usize > node) {
                let (a, b) = (group_of[node], group_of[end as usize]);
                if a == b {
                    inside[a as usize] += weight;
                } else {
                    links.push((a.min(b), a.max(b), weight));
                }
            }
        }
        links.sort_unstable_by_key(|&(a, b, _)| (a, b));
        links.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        links.extend((0..n_groups as u32).map(|group| (group, group, inside[group as usize])));
        Self::new(n_groups, links.iter().copied())
    }
}

/// The same groups, the largest first; of equal ones the one with the first node.
fn by_size(of: Vec<u32>) -> (Vec<u32>, usize) {
    let n = of.iter().max().map_or(0, |&m| m as usize + 1);
    let mut sizes = vec![0u32; n];
    let mut firsts = vec![u32::MAX; n];
    for (node, &group) in of.iter().enumerate() {
        sizes[group as usize] += 1;
        firsts[group as usize] = firsts[group as usize].min(node as u32);
    }
    let mut order: Vec<usize> = (0..n).filter(|&group| sizes[group] > 0).collect();
    order.sort_by_key(|&group| (std::cmp::Reverse(sizes[group]), firsts[group]));
    let mut number = vec![0u32; n];
    for (at, &group) in order.iter().enumerate() {
        number[group] = at as u32;
    }
    let n = order.len();
    (of.into_iter().map(|group| number[group as usize]).collect(), n)
}
