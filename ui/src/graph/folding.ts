import type { SceneColumns } from "./columns";

/** Where every edge begins and ends as it is drawn: at the node that a folded end is in. */
export type DrawnEnds = { source: Uint32Array; target: Uint32Array };

/**
 * Nodes that are gathered in one of their number: they are not drawn, and their edges go to the one that stands for
 * them. The graph and its layout know nothing of it. By id, because indices do not last.
 */
export class Folding {
  /** Grows whenever something is folded or unfolded. */
  version = 0;
  private holderOf = new Map<string, string>();
  private now: { version: number; columns: number; of: Uint32Array; counts: Map<number, number>; folded: number; ends: DrawnEnds } | undefined;

  constructor(private readonly columns: SceneColumns) {}

  /** Gather nodes in `holder`. What is gathered in one of them comes along. Returns how many there are in it now. */
  fold(holder: string, members: Iterable<string>): number {
    // One that is itself folded away cannot stand for others.
    this.holderOf.delete(holder);
    const gathered = new Set(members);
    gathered.delete(holder);
    for (const [member, within] of this.holderOf) if (gathered.has(within)) this.holderOf.set(member, holder);
    for (const member of gathered) this.holderOf.set(member, holder);
    this.version++;
    return [...this.holderOf.values()].filter((within) => within === holder).length;
  }

  /** Let out what is in these; all of it if none is named. Returns the ids of what came out. */
  unfold(holders?: ReadonlySet<string>): string[] {
    const out = [...this.holderOf].flatMap(([member, holder]) => (holders === undefined || holders.has(holder) ? [member] : []));
    for (const member of out) this.holderOf.delete(member);
    if (out.length > 0) this.version++;
    return out;
  }

  membersOf(holder: string): string[] {
    return [...this.holderOf].flatMap(([member, within]) => (within === holder ? [member] : []));
  }

  /** Let out whatever hides one of these. */
  reveal(ids: readonly string[]): boolean {
    const holders = new Set(ids.flatMap((id) => this.holderOf.get(id) ?? []));
    return holders.size > 0 && this.unfold(holders).length > 0;
  }

  /** Who stands for others is gone: they are seen again. */
  prune(): void {
    const { columns } = this;
    for (const [member, holder] of this.holderOf) {
      if (columns.indexOf(member) !== undefined && columns.indexOf(holder) !== undefined) continue;
      this.holderOf.delete(member);
      this.version++;
    }
  }

  /** To come back to this graph as it was left. */
  state(): ReadonlyMap<string, string> {
    return new Map(this.holderOf);
  }

  restore(state: ReadonlyMap<string, string> | undefined): void {
    if (state === undefined && this.holderOf.size === 0) return;
    this.holderOf = new Map(state);
    this.version++;
  }

  /** How many nodes are not drawn. */
  get folded(): number {
    return this.resolved()?.folded ?? 0;
  }

  isFolded(node: number): boolean {
    const resolved = this.resolved();
    return resolved !== undefined && node >= 0 && resolved.of[node] !== node;
  }

  /** The node that stands on the canvas for this one, which may be itself. */
  drawnAs(node: number): number {
    return this.resolved()?.of[node] ?? node;
  }

  /** How many nodes are gathered in this one. */
  countIn(node: number): number {
    return this.resolved()?.counts.get(node) ?? 0;
  }

  holders(): Iterable<number> {
    return this.resolved()?.counts.keys() ?? [];
  }

  /** The columns' own where nothing is folded. */
  ends(): DrawnEnds {
    return this.resolved()?.ends ?? { source: this.columns.edgeSource, target: this.columns.edgeTarget };
  }

  /** Both ends are gathered in one node, though they are two. */
  isInner(edge: number): boolean {
    const resolved = this.resolved();
    return resolved !== undefined && resolved.ends.source[edge] === resolved.ends.target[edge] && this.columns.edgeSource[edge] !== this.columns.edgeTarget[edge];
  }

  /** It ends at another node than the one it belongs to. */
  isMoved(edge: number): boolean {
    const resolved = this.resolved();
    return resolved !== undefined && (resolved.ends.source[edge] !== this.columns.edgeSource[edge] || resolved.ends.target[edge] !== this.columns.edgeTarget[edge]);
  }

  private resolved() {
    const { columns, holderOf } = this;
    if (holderOf.size === 0) return undefined;
    // Asked for every node, so no text is made to compare.
    if (this.now?.version === this.version && this.now.columns === columns.version) return this.now;
    const of = Uint32Array.from({ length: columns.nodeCount }, (_, node) => node);
    const counts = new Map<number, number>();
    let folded = 0;
    for (const [member, holder] of holderOf) {
      const [node, within] = [columns.indexOf(member), columns.indexOf(holder)];
      if (node === undefined || within === undefined) continue;
      of[node] = within;
      counts.set(within, (counts.get(within) ?? 0) + 1);
      folded++;
    }
    const mapped = (column: Uint32Array) => column.subarray(0, columns.edgeCount).map((node) => of[node]!);
    this.now = { version: this.version, columns: columns.version, of, counts, folded, ends: { source: mapped(columns.edgeSource), target: mapped(columns.edgeTarget) } };
    return this.now;
  }
}
