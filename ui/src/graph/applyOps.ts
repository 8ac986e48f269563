import type { SceneColumns } from "./columns";
import type { SceneOp } from "./types";

/** What a batch of live changes did, by id, because indices do not survive removals. */
export type Changes = {
  added: string[];
  changed: string[];
  removed: string[];
  edgesAdded: string[];
  edgesRemoved: string[];
  /** Nodes that were there before and gained or lost an edge. */
  touched: string[];
  /** Nodes that came with a place of their own. */
  placed: Set<string>;
};

/**
 * Write a batch into the columns. Order matters only between kinds: nodes before edges, so that an edge may name a
 * node of the same batch in any order; removals of nodes last, in one pass.
 */
export function applyOps(columns: SceneColumns, ops: readonly SceneOp[]): Changes {
  const changes: Changes = { added: [], changed: [], removed: [], edgesAdded: [], edgesRemoved: [], touched: [], placed: new Set() };
  const removed = new Set<string>();
  const touched = new Set<string>();
  const late: Extract<SceneOp, { op: "edge" }>[] = [];

  for (const op of ops) {
    switch (op.op) {
      case "node": {
        removed.delete(op.node.id);
        const before = columns.indexOf(op.node.id);
        const same = before !== undefined && columns.names[before] === op.node.name && columns.types[columns.typeOf[before]!] === op.node.entityType;
        const { added } = columns.putNode(op.node);
        if (added) {
          changes.added.push(op.node.id);
          if (op.node.x !== undefined && op.node.y !== undefined) changes.placed.add(op.node.id);
        } else if (!same) changes.changed.push(op.node.id);
        break;
      }
      case "node_removed":
        removed.add(op.id);
        break;
      case "edge":
        if (!putEdge(columns, op, changes, touched)) late.push(op);
        break;
      case "edge_removed": {
        const index = columns.edgeIndexOf(op.id);
        if (index === undefined) break;
        touched.add(columns.ids[columns.edgeSource[index]!]!).add(columns.ids[columns.edgeTarget[index]!]!);
        columns.removeEdge(op.id);
        changes.edgesRemoved.push(op.id);
        break;
      }
      case "pin": {
        const index = columns.indexOf(op.id);
        if (index === undefined) break;
        columns.pinned[index] = op.x === null || op.y === null ? 0 : 1;
        columns.dirty.nodes.add(index);
        if (op.x !== null && op.y !== null) columns.place(index, op.x, op.y);
        break;
      }
    }
  }
  for (const op of late) putEdge(columns, op, changes, touched);

  changes.removed = [...removed].filter((id) => columns.indexOf(id) !== undefined);
  columns.removeNodes(changes.removed);
  const gone = new Set(changes.removed);
  changes.added = changes.added.filter((id) => !gone.has(id));
  const fresh = new Set(changes.added);
  changes.touched = [...touched].filter((id) => !gone.has(id) && !fresh.has(id));
  return changes;
}

function putEdge(columns: SceneColumns, op: Extract<SceneOp, { op: "edge" }>, changes: Changes, touched: Set<string>): boolean {
  const { index, added } = columns.putEdge(op.edge);
  if (index < 0) return false;
  if (added) {
    changes.edgesAdded.push(op.edge.id);
    touched.add(op.edge.source).add(op.edge.target);
  }
  return true;
}
