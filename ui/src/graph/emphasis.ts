import type { Adjacency } from "./adjacency";
import type { SceneColumns } from "./columns";
import type { DrawnEnds } from "./folding";
import type { LitLayer } from "./renderer/types";
import type { Theme } from "./theme";

/** What the person points at, has chosen or has searched for, as indices into the columns. */
export type Attention = {
  hovered: number | undefined;
  focused: number | undefined;
  selected: ReadonlySet<number>;
  /** Search hits; null when no search lights anything. */
  highlighted: ReadonlySet<number> | null;
  /** A relationship that is selected, and one that is pointed at by mouse or keys. */
  chosenEdge?: number | undefined;
  pointedEdge?: number | undefined;
};

export type Emphasis = {
  /** How much of the rest is left: 1 is all of it. */
  rest: number;
  /** What is lit as long as nobody looks at anything else. */
  under: readonly LitLayer[];
  lit: LitLayer[];
  /** Nodes at full strength while the rest is faded; null when nothing is. */
  strong: ReadonlySet<number> | null;
};

/** What is left of everything else while a neighbourhood or the hits of a search are looked at. */
export const FADED = 0.18;
/** What is left of the many in a large picture, beside the few it is read by. */
export const QUIET = 0.5;

/** Nodes and edges beyond this get no layer of their own: a selection of everything is the picture itself. */
const SELECTED_EDGES_UP_TO = 200;

/**
 * Attention in, layers out. Hovering a node fades all but its neighbourhood; else search hits fade the rest;
 * a selection colours its edges and fades nothing.
 */
export function emphasise(
  attention: Attention,
  columns: SceneColumns,
  adjacency: Adjacency,
  theme: Theme,
  under: readonly LitLayer[] = [],
  ends: DrawnEnds & { drawnFor?: ReadonlyMap<number, number> } = { source: columns.edgeSource, target: columns.edgeTarget },
): Emphasis {
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
  } else lit.push(...under);

  if (selected.size > 0 && selected.size <= SELECTED_EDGES_UP_TO) {
    const around = neighbourhood(selected, adjacency);
    // A selection outside the hovered neighbourhood stays visible but must not compete with it.
    const edges = strong === null ? [...around.edges] : [...around.edges].filter((edge) => strong.has(ends.source[edge]!) && strong.has(ends.target[edge]!));
    lit.push({ nodes: Uint32Array.from(selected), edges: Uint32Array.from(edges), colour: theme.accent });
  }
  for (const [edge, colour] of [[attention.pointedEdge, theme.edgeLit], [attention.chosenEdge, theme.accent]] as const) {
    if (edge === undefined) continue;
    lit.push({ nodes: Uint32Array.of(ends.source[edge]!, ends.target[edge]!), edges: Uint32Array.of(ends.drawnFor?.get(edge) ?? edge), colour });
  }
  // Where the keyboard is stays in sight whatever the pointer is doing.
  if (strong !== null && focused !== undefined && !strong.has(focused) && !selected.has(focused)) {
    lit.push({ nodes: Uint32Array.of(focused), edges: new Uint32Array(0), colour: theme.accent });
  }
  return { rest: strong !== null ? FADED : under.length > 0 ? QUIET : 1, under, lit, strong };
}

/** The layer of a picture's core, with the links inside it. */
export function coreLayer(core: ReadonlySet<number>, columns: SceneColumns, adjacency: Adjacency, theme: Theme): LitLayer {
  const nodes = [...core].sort((a, b) => columns.degree[a]! - columns.degree[b]!);
  return { nodes: Uint32Array.from(nodes), edges: edgesWithin(core, adjacency), colour: theme.edge };
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
