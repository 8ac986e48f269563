import type { SceneData, SceneOp } from "../graph/types";

export type KnownNode = { name: string; type: string; pinned: boolean };

/** Name, type and pin of every node in the picture, for whatever has only an id. Follows the scene op by op. */
export class NodeIndex {
  private readonly nodes = new Map<string, KnownNode>();

  get size(): number {
    return this.nodes.size;
  }

  get(id: string): KnownNode | undefined {
    return this.nodes.get(id);
  }

  load({ ids, names, types, typeIndex, pinned }: Pick<SceneData, "ids" | "names" | "types" | "typeIndex" | "pinned">): void {
    this.nodes.clear();
    ids.forEach((id, at) => this.nodes.set(id, { name: names[at] ?? "", type: types[typeIndex[at] ?? -1] ?? "", pinned: pinned[at] === 1 }));
  }

  apply(ops: readonly SceneOp[]): void {
    for (const op of ops) {
      if (op.op === "node") this.nodes.set(op.node.id, { name: op.node.name, type: op.node.entityType, pinned: op.node.pinned ?? this.nodes.get(op.node.id)?.pinned ?? false });
      else if (op.op === "node_removed") this.nodes.delete(op.id);
      else if (op.op === "pin") this.pin(op.id, op.x !== null);
    }
  }

  pin(id: string, pinned: boolean): void {
    const node = this.nodes.get(id);
    if (node !== undefined) this.nodes.set(id, { ...node, pinned });
  }

  idOfName(name: string): string | undefined {
    return [...this.nodes].find(([, node]) => node.name === name)?.[0];
  }

  idsOfType(type: string): string[] {
    return [...this.nodes].filter(([, node]) => node.type === type).map(([id]) => id);
  }

  idsShown(hiddenTypes: ReadonlySet<string>): string[] {
    return [...this.nodes].filter(([, node]) => !hiddenTypes.has(node.type)).map(([id]) => id);
  }
}
