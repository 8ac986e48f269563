import type { Attribution, Entity, Observation, SceneOp } from "../generated/wire";
import { IpcError } from "../ipcError";

export type FakeObservation = Observation & { entity_id: string };
export type FakeRelation = { id: string; source_id: string; target_id: string; relationship_type: string; weight: number; properties: Record<string, unknown> };
export type Pin = { id: string; x: number; y: number };
export type Kind = "entity" | "observation" | "relationship" | "pin";
type Thing = Entity | FakeObservation | FakeRelation | Pin;

export type Row = { seq: number; kind: Kind; id: string; before: Thing | undefined; after: Thing | undefined };
export type Transaction = { id: string; by: Attribution; operation: string; rows: Row[]; takes?: string; link?: "undo" | "redo" | "revert"; undone: boolean };

export const PERSON = { actor: "person", is_agent: false, client: "window" };
export const agent = (name: string) => ({ actor: name, is_agent: true, client: "claude-code 2.1" });

/** One graph in memory with a journal, true enough to the engine for the screens to be built and tested against it. */
export class FakeGraph {
  readonly entities = new Map<string, Entity>();
  readonly observations = new Map<string, FakeObservation>();
  readonly relations = new Map<string, FakeRelation>();
  readonly pins = new Map<string, Pin>();
  readonly places = new Map<string, [number, number]>();
  readonly journal: Transaction[] = [];
  /** What was taken out of the trash for good. */
  readonly forgotten = new Set<string>();
  seq = 0;
  private serial = 0;

  constructor(
    readonly name: string,
    private readonly clock: () => number,
  ) {}

  newId(prefix: string): string {
    return `${prefix}${(++this.serial).toString(36).padStart(6, "0")}`;
  }

  now(): number {
    return this.clock();
  }

  transact<T>(by: Omit<Attribution, "time">, operation: string, act: (put: (kind: Kind, id: string, after: Thing | undefined) => void) => T, link: Pick<Transaction, "takes" | "link"> = {}): { value: T; changes: number } {
    const rows: Row[] = [];
    const undoAll = () => rows.reverse().forEach((row) => this.write(row.kind, row.id, row.before));
    try {
      const value = act((kind, id, after) => {
        const before = this.table(kind).get(id);
        if (before === undefined && after === undefined) return;
        rows.push({ seq: 0, kind, id, before, after });
        this.write(kind, id, after);
      });
      for (const row of rows) row.seq = ++this.seq;
      if (rows.length > 0) this.journal.push({ id: this.newId("t"), by: { ...by, time: this.now() }, operation, rows, undone: false, ...link });
      return { value, changes: rows.length };
    } catch (thrown) {
      undoAll();
      throw thrown;
    }
  }

  require(id: string): Entity {
    const entity = this.entities.get(id);
    if (entity === undefined) throw new IpcError("not_found", "there is no such entity");
    return entity;
  }

  table(kind: Kind): Map<string, Thing> {
    return { entity: this.entities, observation: this.observations, relationship: this.relations, pin: this.pins }[kind];
  }

  private write(kind: Kind, id: string, after: Thing | undefined): void {
    if (after === undefined) this.table(kind).delete(id);
    else this.table(kind).set(id, after);
  }
}

export function opOf(row: Row): SceneOp | undefined {
  if (row.kind === "observation") return undefined;
  if (row.kind === "pin") {
    const pin = row.after as Pin | undefined;
    return { op: "pin", id: row.id, x: pin?.x ?? null, y: pin?.y ?? null };
  }
  if (row.kind === "entity") {
    const entity = row.after as Entity | undefined;
    return entity === undefined ? { op: "node_removed", id: row.id } : { op: "node", node: { id: row.id, name: entity.name, entityType: entity.entity_type } };
  }
  const relation = row.after as FakeRelation | undefined;
  if (relation === undefined) return { op: "edge_removed", id: row.id };
  return { op: "edge", edge: { id: row.id, source: relation.source_id, target: relation.target_id, relationshipType: relation.relationship_type, weight: relation.weight } };
}

export function touchedBy(row: Row): string[] {
  const thing = (row.after ?? row.before)!;
  if (row.kind === "observation") return [(thing as FakeObservation).entity_id];
  if (row.kind === "relationship") return [(thing as FakeRelation).source_id, (thing as FakeRelation).target_id];
  return [row.id];
}
