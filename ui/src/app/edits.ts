import type { CommandName, Host, Reply, Request } from "../ipc/host";
import { hasCode } from "../ipc/ipcError";
import { conflictsOf } from "../data/conflicts";
import type { TakenBack } from "../ipc/generated/wire";
import type { TakeBack } from "../state/dialogs/dialogs";
import type { Stores } from "../state/stores";
import { t } from "../strings";
import type { SceneLink } from "./sceneLink";
import type { Session } from "./session";
import type { Toaster } from "./toaster";

const UNDO_MS = 8_000;

type InGraph<K extends CommandName> = Omit<Request<K>, "graph">;

/** Everything the person writes goes through here: the open graph, the live pull afterwards, the way back. */
export class Edits {
  private undoToast: number | undefined;
  private readonly saving = new Set<Promise<unknown>>();

  constructor(
    private readonly host: Host,
    private readonly stores: Stores,
    private readonly session: Session,
    private readonly scene: SceneLink,
    private readonly toaster: Toaster,
  ) {}

  /** One write into the open graph. Errors are the caller's: it knows which field they belong to. */
  async write<K extends CommandName>(command: K, request: InGraph<K>): Promise<Reply<K>> {
    const { graph } = this.session;
    if (graph === null) throw new Error("no graph is open");
    const reply = await this.host.call(command, { ...request, graph });
    // The offer to undo is for the newest write only; another one makes it mean something else.
    this.dropUndoOffer();
    this.session.wrote();
    return reply;
  }

  async addEntity(request: InGraph<"add_entity">): Promise<string | undefined> {
    const { id } = await this.write("add_entity", request);
    if (id !== undefined) this.scene.reveal(id);
    return id;
  }

  async deleteEntities(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const only = ids.length === 1 ? this.scene.nodes.get(ids[0]!)?.name : undefined;
    await this.attempt(t.undo.deleting, async () => {
      const { changes } = await this.write("delete_entities", { ids: [...ids] });
      if (changes === 0) this.toaster.say(t.undo.goneAlready);
      else this.offerUndo(only === undefined ? t.undo.deletedMany(ids.length) : t.undo.deletedOne(only));
    });
  }

  async deleteObservations(ids: readonly string[]): Promise<void> {
    await this.attempt(t.undo.deleting, async () => {
      const { changes } = await this.write("delete_observations", { ids: [...ids] });
      if (changes > 0) this.offerUndo(t.undo.deletedObservation(ids.length));
      else this.toaster.say(t.undo.goneAlready);
    });
  }

  async deleteProperty(of: "update_entity" | "update_relationship", id: string, key: string): Promise<void> {
    await this.attempt(t.undo.deleting, async () => {
      const { changes } = await this.write(of, { id, properties: { [key]: null } });
      if (changes === 0) return void this.toaster.say(t.undo.goneAlready);
      this.offerUndo(t.undo.deletedProperty(key));
    });
  }

  async deleteRelationships(ids: readonly string[]): Promise<void> {
    await this.attempt(t.undo.deleting, async () => {
      const { changes } = await this.write("delete_relationships", { ids: [...ids] });
      if (changes > 0) this.offerUndo(t.undo.deletedRelation(ids.length));
      else this.toaster.say(t.undo.goneAlready);
    });
  }

  /** Saving that is under way, so that what depends on it can wait. */
  async during<T>(saving: Promise<T>): Promise<T> {
    this.saving.add(saving);
    try {
      return await saving;
    } finally {
      this.saving.delete(saving);
    }
  }

  /** Once everything that is being saved is, or has failed: fields save when they lose the focus, which a click does first. */
  async saved(): Promise<void> {
    while (this.saving.size > 0) await Promise.allSettled(this.saving);
  }

  /** Answers the id of the relation that is there now. */
  async reverse(id: string, change: Omit<InGraph<"reverse_relationship">, "id"> = {}): Promise<string> {
    const { id: turned } = await this.write("reverse_relationship", { id, ...change });
    this.offerUndo(t.relation.turned);
    return turned ?? id;
  }

  /** A link that was proposed, as loose as can be: what it is called is the person's to say. */
  async link(source: string, target: string, name: string): Promise<void> {
    await this.attempt(t.related.linking, async () => {
      await this.write("add_relationship", { source_id: source, target_id: target, relationship_type: t.related.type, weight: 1 });
      this.offerUndo(t.related.linkedTo(name));
    });
  }

  /** `shown`: the canvas has done it already, so its coming back changes nothing. */
  pin(id: string, at: { x: number; y: number } | null, shown = true): void {
    if (shown) this.session.pins.expect(id, at);
    this.write("set_pin", { id, at: at === null ? null : [at.x, at.y] }).catch((thrown: unknown) => {
      this.session.pins.forget(id);
      this.toaster.fail(thrown, t.canvas.notPinned);
    });
  }

  savePositions(ids: string[], xy: number[]): void {
    const { graph } = this.session;
    if (graph === null || ids.length === 0) return;
    // Losing a place is no loss of memory: the next settling saves it again.
    this.host.call("save_positions", { graph, ids, xy }).catch(() => undefined);
  }

  /** Undo, redo or revert. What was changed since is shown before anything is applied. */
  async takeBack(attempt: TakeBack, partial = false): Promise<void> {
    const { graph } = this.session;
    if (graph === null) return;
    try {
      const taken = await this.send(attempt, graph, partial);
      this.dropUndoOffer();
      this.session.wrote();
      this.toaster.say(t.undo.done(attempt.verb, taken.operation, taken.left));
    } catch (thrown) {
      const conflicts = conflictsOf(thrown);
      if (conflicts !== null) this.stores.dialog.set(() => ({ kind: "conflicts", attempt, conflicts }));
      else if (hasCode(thrown, "nothing_to_do")) this.toaster.say(t.undo.nothing(attempt.verb));
      else this.toaster.fail(thrown, t.undo.failed(attempt.verb));
    }
  }

  private send(attempt: TakeBack, graph: string, partial: boolean): Promise<TakenBack> {
    if (attempt.verb === "revert") return this.host.call("revert", { graph, transaction: attempt.transaction, partial });
    return this.host.call(attempt.verb, { graph, partial });
  }

  private async attempt(doing: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (thrown) {
      this.toaster.fail(thrown, doing);
    }
  }

  private offerUndo(text: string): void {
    this.undoToast = this.toaster.say(text, { lasts: UNDO_MS, action: { label: t.undo.undo, run: () => void this.takeBack({ verb: "undo" }) } });
  }

  private dropUndoOffer(): void {
    if (this.undoToast !== undefined) this.toaster.dismiss(this.undoToast);
    this.undoToast = undefined;
  }
}
