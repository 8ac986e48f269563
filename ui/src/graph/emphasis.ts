import type { Adjacency } from "./adjacency";
import type { SceneColumns } from "./columns";
import type { LitLayer } from "./renderer/types";
import type { Theme } from "./theme";

/** What the person points at, has chosen or has searched for, as indices into the columns. */
export type Attention = {
  hovered: number | undefined;
  focused: number | undefined;
  selected: ReadonlySet<number>;
  /** Search hits; null when no search lights anything. */
  highlighted: ReadonlySet<number> | null;
};

export type Emphasis = {
  /** The rest is faded. */
  fades: boolean;
  lit: LitLayer[];
  /** Nodes at full strength while the rest is faded; null when nothing is. */
  strong: ReadonlySet<number> | null;
};

/** Nodes and edges beyond this get no layer of their own: a selection of everything is the picture itself. */
const SELECTED_EDGES_UP_TO = 200;

/**
 * Attention in, layers out. Hovering a node fades all but its neighbourhood; else search hits fade the rest;
 * a selection colours its edges and fades nothing.
 */
export function emphasise(attention: Attention, columns: SceneColumns, adjacency: Adjacency, theme: Theme): Emphasis {
  const { hovered, focused, selected, highlighted } = attention;
  const lit: LitLayer[] = [];
  let strong: ReadonlySet<number> | null = null;

  if (hovered !== undefined) {
    const around = neighbourhood([hovered], adjacency);
    strong = around.nodes;
    // Drawn in the order of importance like the rest, the hovered node on top.
    const nodes = [...around.nodes].sort((a, b) => columns.degree[a]! - columns.degree[b]!).filter((node) => node !== hovered);
    lit.push({ nodes: Uint32Array.from([...nodes, hovered]), edges: Uint32Array.from(around.edges), colour: theme.edgeLit });
  } else if (highlighted !== null) {
    strong = highlighted;
    lit.push({ nodes: Uint32Array.from(highlighted), edges: edgesWithin(highlighted, adjacency), colour: theme.edgeLit });
  }

  if (selected.size > 0 && selected.size <= SELECTED_EDGES_UP_TO) {
    const around = neighbourhood(selected, adjacency);
    // A selection outside the hovered neighbourhood stays visible but must not compete with it.
    const edges = strong === null ? [...around.edges] : [...around.edges].filter((edge) => strong.has(columns.edgeSource[edge]!) && strong.has(columns.edgeTarget[edge]!));
    lit.push({ nodes: Uint32Array.from(selected), edges: Uint32Array.from(edges), colour: theme.accent });
  }
  // Where the keyboard is stays in sight whatever the pointer is doing.
  if (strong !== null && focused !== undefined && !strong.has(focused) && !selected.has(focused)) {
    lit.push({ nodes: Uint32Array.of(focused), edges: new Uint32Array(0), colour: theme.accent });
  }
  return { fades: strong !== null, lit, strong };
}

function neighbourhood(of: Iterable<number>, adjacency: Adjacency): { nodes: Set<number>; edges: Set<number> } {
  const nodes = new Set<number>();
  const edges = new Set<number>();
  for (const node of of) {
    nodes.add(node);
    for (let k = adjacency.offsets[node]!; k < adjacency.offsets[node + 1]!; k++) {
      nodes.add(adjacency.neighbours[k]!);
      edges.add(adjacency.edges[k]!);
    }
  }
  return { nodes, edges };
}

function edgesWithin(nodes: ReadonlySet<number>, adjacency: Adjacency): Uint32Array {
  const edges = new Set<number>();
  for (const node of nodes) {
    for (let k = adjacency.offsets[node]!; k < adjacency.offsets[node + 1]!; k++) {
      if (nodes.has(adjacency.neighbours[k]!)) edges.add(adjacency.edges[k]!);
    }
  }
  return Uint32Array.from(edges);
}
