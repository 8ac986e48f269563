//! Adjacency in compressed rows.

/// Every node's neighbours, in both directions and in the order of the links; loops are left out.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// The link by which each neighbour is one.
    links: Vec<u32>,
}

impl Neighbours {
    /// `links` are index pairs below `n_nodes`.
    pub fn of(n_nodes: usize, links: &[(u32, u32)]) -> Self {
        let mut starts = vec![0u32; n_nodes + 1];
        for &(source, target) in links.iter().filter(|(s, t)| s != t) {
            starts[source as usize + 1] += 1;
            starts[target as usize + 1] += 1;
        }
        for i in 0..n_nodes {
            starts[i + 1] += starts[i];
        }
        let mut cursor = starts.clone();
        let n_ends = starts[n_nodes] as usize;
        let (mut ends, mut by) = (vec![0u32; n_ends], vec![0u32; n_ends]);
        for (link, &(source, target)) in links.iter().enumerate().filter(|(_, (s, t))| s != t) {
            for (from, to) in [(source, target), (target, source)] {
                let at = &mut cursor[from as usize];
                ends[*at as usize] = to;
                by[*at as usize] = link as u32;
                *at += 1;
            }
        }
        Self { starts, ends, links: by }
    }

    pub fn n_nodes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub fn of_node(&self, node: u32) -> &[u32] {
        &self.ends[self.row(node)]
    }

    /// Links by which [`of_node`](Self::of_node)'s neighbours are such, in the same order.
    pub fn links_of(&self, node: u32) -> &[u32] {
        &self.links[self.row(node)]
    }

    pub fn row(&self, node: u32) -> std::ops::Range<usize> {
        self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize
    }

    /// The number of the connected component of each node, and how many there are.
    pub fn components(&self) -> (Vec<u32>, usize) {
        let mut of = vec![u32::MAX; self.n_nodes()];
        let mut n = 0;
        let mut stack = Vec::new();
        for root in 0..self.n_nodes() as u32 {
            if of[root as usize] != u32::MAX {
                continue;
            }
            of[root as usize] = n;
            stack.push(root);
            while let Some(node) = stack.pop() {
                for &next in self.of_node(node) {
                    if of[next as usize] == u32::MAX {
                        of[next as usize] = n;
                        stack.push(next);
                    }
                }
            }
            n += 1;
        }
        (of, n as usize)
    }
}
