import type { SceneData } from "../src/graph/types";

/** Seeded graphs that look like agent memory: communities, few hubs and many leaves, names of several scripts. */

function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const TYPES = ["person", "project", "organization", "concept", "place", "event", "document", "tool", "preference", "decision", "topic"];
const TYPE_SHARES = [0.24, 0.16, 0.12, 0.14, 0.09, 0.08, 0.06, 0.05, 0.03, 0.02, 0.01];
const RELATIONS = ["knows", "works_on", "part_of", "relates_to", "depends_on", "located_in", "decided_by", "mentions"];
const FIRST = ["Ada", "Grace", "Nora", "Linus", "Mei", "Omar", "Yuki", "Elena", "Tomás", "Ingrid", "Kofi", "Priya", "Søren", "Zoë", "Mateo", "Amara"];
const LAST = ["Lovelace", "Hopper", "Okafor", "Tanaka", "Silva", "Haddad", "Nguyen", "Larsen", "Novak", "Osei", "Iyer", "Castillo"];
const THINGS = ["Search index", "Billing rewrite", "Quarterly review", "Release checklist", "Onboarding", "Vector store", "Design tokens", "Migration plan", "Incident 42", "API gateway", "Graph layout", "Mobile app"];
const OTHER = ["知识图谱", "東京オフィス", "ذاكرة طويلة الأمد", "בדיקות קבלה", "🙂 retro notes", "Ωmega protocol", "Проект «Заря»", "서울 회의"];

export type GenerateOptions = { nodes: number; edgesPerNode?: number; seed?: number; settled?: boolean; scripts?: boolean; spiral?: boolean };

export function generate({ nodes, edgesPerNode = 2, seed = 7, settled = false, scripts = true, spiral = false }: GenerateOptions): SceneData {
  const next = random(seed);
  const communities = Math.max(3, Math.round(Math.sqrt(nodes) / 2.2));
  const communityOf = Uint32Array.from({ length: nodes }, () => Math.floor(communities * next() ** 1.6));
  const members: number[][] = Array.from({ length: communities }, () => []);
  communityOf.forEach((community, node) => members[community]!.push(node));

  const source: number[] = [];
  const target: number[] = [];
  const weight: number[] = [];
  const edges = Math.round(nodes * edgesPerNode);
  // A member early in its community's list is likelier to be chosen: the tail of degrees is heavy.
  const pick = (list: number[]) => list[Math.floor(list.length * next() ** 2.8)]!;
  const connect = (from: number, to: number) => {
    source.push(from);
    target.push(to);
    weight.push(next() < 0.7 ? 1 : Math.round(next() * 100) / 100);
  };
  for (let node = 1; node < nodes && source.length < edges; node++) {
    const own = members[communityOf[node]!]!;
    const to = pick(own);
    if (to !== node) connect(node, to);
  }
  while (source.length < edges) {
    const node = Math.floor(nodes * next());
    const own = members[communityOf[node]!]!;
    const near = next() < 0.86;
    const to = near ? pick(own) : pick(members[Math.floor(communities * next())]!.length > 0 ? members[Math.floor(communities * next())]! : own) ?? 0;
    if (to === undefined) continue;
    if (to === node && next() > 0.03) continue;
    connect(node, to);
    if (next() < 0.04) connect(to, node);
  }

  const typeIndex = Uint16Array.from({ length: nodes }, (_, node) => {
    // Communities lean to a type, as memories of one project do.
    if (next() < 0.45) return communityOf[node]! % 8;
    let at = next();
    return Math.max(0, TYPE_SHARES.findIndex((share) => (at -= share) < 0));
  });
  const names = Array.from({ length: nodes }, (_, node) => {
    if (scripts && next() < 0.06) return OTHER[Math.floor(next() * OTHER.length)]!;
    if (typeIndex[node] === 0) return `${FIRST[Math.floor(next() * FIRST.length)]} ${LAST[Math.floor(next() * LAST.length)]}`;
    const thing = THINGS[Math.floor(next() * THINGS.length)]!;
    return next() < 0.12 ? `${thing} of ${FIRST[Math.floor(next() * FIRST.length)]} ${LAST[Math.floor(next() * LAST.length)]}, draft ${node}` : `${thing} ${node % 97}`;
  });
  const positions = new Float32Array(2 * nodes);
  const spread = 26 * Math.sqrt(nodes);
  for (let node = 0; node < nodes; node++) {
    const community = communityOf[node]!;
    const angle = community * 2.399963;
    const radius = spread * Math.sqrt((community + 0.5) / communities);
    const around = next() * 2 * Math.PI;
    const away = 20 * Math.sqrt(members[community]!.length) * Math.sqrt(next());
    if (spiral) {
      // What a host that knows nothing of layout would do.
      positions[2 * node] = Math.cos(node * 2.399963) * 30 * Math.sqrt(node);
      positions[2 * node + 1] = Math.sin(node * 2.399963) * 30 * Math.sqrt(node);
      continue;
    }
    positions[2 * node] = Math.cos(angle) * radius + Math.cos(around) * away;
    positions[2 * node + 1] = Math.sin(angle) * radius + Math.sin(around) * away;
  }
  return {
    graph: `generated-${nodes}-${seed}`,
    seq: 1,
    ids: Array.from({ length: nodes }, (_, node) => `n${node}`),
    names,
    typeIndex,
    types: TYPES,
    positions,
    pinned: new Uint8Array(nodes),
    edgeIds: source.map((_, edge) => `e${edge}`),
    edgeSource: Uint32Array.from(source),
    edgeTarget: Uint32Array.from(target),
    edgeTypeIndex: Uint16Array.from(source, () => Math.floor(RELATIONS.length * next() ** 1.5)),
    edgeTypes: RELATIONS,
    edgeWeight: Float32Array.from(weight),
    settled,
  };
}
