import type { GraphScene } from "../graph/GraphScene";
import { applyOps } from "../graph/applyOps";
import { SceneColumns } from "../graph/columns";
import { pictureOf, wholeOf, type Focus } from "../graph/subset";
import type { SceneData, SceneOp } from "../graph/types";
import { NO_FOCUS, went, wentBack, wentForward, type FocusView, type Look } from "../state/focusView/focusView";
import { selectOnly } from "../state/selection/selection";
import type { Stores } from "../state/stores";

const REFRESH_MS = 150;

/**
 * One entity and what is around it, as a picture of its own over the whole one, which waits with its places. Nothing
 * done here is saved but what is written into the memory itself.
 */
export class FocusViews {
  private readonly whole = new SceneColumns();
  private graph = "";
  private settled = true;
  /** Something came that the whole picture has no place for yet: it is read anew when one goes back to it. */
  private outdated = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly stores: Stores, private readonly scene: () => GraphScene | null, private readonly reread: () => void) {}

  get active(): boolean {
    return this.stores.focus.get().now !== null;
  }

  /** Another graph; or the same one read anew, where what was looked at can still be gone back to. */
  reset(graph: string): void {
    clearTimeout(this.timer);
    this.outdated = false;
    this.stores.focus.set((view) => (graph === this.graph && view.now === null ? view : NO_FOCUS));
  }

  enter(id: string): void {
    const now = this.stores.focus.get().now;
    if (now?.id === id) return;
    this.go(now === null ? { id, depth: 1, direction: "both", hiddenRelations: new Set() } : { ...now, id });
  }

  change(part: Partial<Omit<Focus, "id">>): void {
    const { now } = this.stores.focus.get();
    if (now === null) return;
    const next = { ...now, ...part };
    this.stores.focus.set((view) => ({ ...view, now: next }));
    this.show(next, null);
  }

  leave(): void {
    if (this.active) this.go(null);
  }

  back(): void {
    this.step(wentBack(this.stores.focus.get(), this.look()));
  }

  forward(): void {
    this.step(wentForward(this.stores.focus.get(), this.look()));
  }

  /** Live changes while a neighbourhood is shown. */
  apply(ops: readonly SceneOp[]): void {
    const changes = applyOps(this.whole, ops);
    if (changes.added.length > 0 || changes.removed.length > 0 || changes.edgesAdded.length > 0) this.outdated = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { now } = this.stores.focus.get();
      if (now === null) return;
      if (this.whole.indexOf(now.id) === undefined) this.leave();
      else this.show(now, this.scene()?.lens() ?? null);
    }, REFRESH_MS);
  }

  private go(focus: Focus | null): void {
    const look = this.look();
    if (focus !== null && !this.show(focus, null)) return;
    this.stores.focus.set((view) => went(view, look, focus));
    if (focus === null) this.showWhole(null);
    else this.stores.selection.set((selection) => selectOnly(selection, [focus.id]));
  }

  private step(step: { view: FocusView; look: Look } | null): void {
    if (step === null) return;
    const { view, look } = step;
    if (look.focus === null) this.showWhole(look.camera);
    else if (!this.show(look.focus, look.camera)) return;
    this.stores.focus.set(({ count, relations }) => ({ ...view, count, relations }));
    this.stores.selection.set((selection) => selectOnly(selection, look.selection));
  }

  private look(): Look {
    return { focus: this.stores.focus.get().now, camera: this.scene()?.lens() ?? null, selection: this.stores.selection.get().ids };
  }

  private show(focus: Focus, camera: Look["camera"]): boolean {
    const scene = this.scene();
    if (scene === null) return false;
    if (!this.active) this.keepWhole(scene);
    const places = this.active ? scene.placeOf.bind(scene) : () => undefined;
    const picture = pictureOf(this.whole, `${this.graph} · ${focus.id}`, focus, places);
    if (picture === null) return false;
    scene.load(picture);
    if (camera !== null) scene.setLens(camera);
    this.stores.focus.set((view) => ({ ...view, count: picture.ids.length, relations: this.whole.edgeTypes.slice() }));
    return true;
  }

  private keepWhole(scene: GraphScene): void {
    const whole = scene.whole();
    this.graph = whole.graph;
    this.settled = whole.settled;
    this.outdated = false;
    this.whole.load(whole);
  }

  private showWhole(camera: Look["camera"]): void {
    clearTimeout(this.timer);
    if (this.outdated) {
      this.outdated = false;
      this.reread();
      return;
    }
    this.scene()?.load(wholeOf(this.whole, this.graph, this.settled) satisfies SceneData);
    if (camera !== null) this.scene()?.setLens(camera);
  }
}
