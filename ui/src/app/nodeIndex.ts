import type { SceneData, SceneOp } from "../graph/types";

export type KnownNode = { name: string; type: string };

/** Name and type of every node in the picture, for whatever has only an id. Follows the scene op by op. */
export class NodeIndex {
  private readonly nodes = new Map<string, KnownNode>();

  get size(): number {
    return this.nodes.size;
  }

  get(id: string): KnownNode | undefined {
    return this.nodes.get(id);
  }

  load(data: Pick<SceneData, "ids" | "names" | "types" | "typeIndex">): void {
    this.nodes.clear();
    data.ids.forEach((id, at) => this.nodes.set(id, { name: data.names[at] ?? "", type: data.types[data.typeIndex[at] ?? -1] ?? "" }));
  }

  apply(ops: readonly SceneOp[]): void {
    for (const op of ops) {
      if (op.op === "node") this.nodes.set(op.node.id, { name: op.node.name, type: op.node.entityType });
      else if (op.op === "node_removed") this.nodes.delete(op.id);
    }
  }

  clear(): void {
    this.nodes.clear();
  }

  idsOfType(type: string): string[] {
    return [...this.nodes].filter(([, node]) => node.type === type).map(([id]) => id);
  }

  idsShown(hiddenTypes: ReadonlySet<string>): string[] {
    return [...this.nodes].filter(([, node]) => !hiddenTypes.has(node.type)).map(([id]) => id);
  }
}
