import type { SceneColumns } from "./columns";
import { coreLayer, emphasise, FADED, type Attention, type Emphasis } from "./emphasis";
import type { Folding } from "./folding";
import type { GraphIndex } from "./graphIndex";
import { Tween } from "./cameraMotion";
import type { Theme } from "./theme";

const HOVER_DELAY_MS = 70;
const FADE_IN_MS = 120;
const FADE_OUT_MS = 90;

/**
 * Hover, focus, selection and search hits, by id because indices do not last; turned into layers when something
 * changed, not every frame.
 */
export class AttentionState {
  readonly selected = new Set<string>();
  focused: string | null = null;
  hovered: string | null = null;
  /** The relationship that is selected, and the one the keyboard is on. */
  selectedEdge: string | null = null;
  focusedEdge: string | null = null;
  hoveredEdge: string | null = null;
  private highlighted: ReadonlySet<string> | null = null;
  /** Hovered long enough for the rest to fade. */
  private dwelt: string | null = null;
  private timer = 0;
  private dweltEdge: string | null = null;
  private edgeTimer = 0;
  private readonly fade = new Tween(1);
  /** How many of the most linked nodes a picture is read by; 0 lets all count alike. */
  private coreSize = 0;
  private near = false;
  private core: { key: string; theme: Theme; layers: Emphasis["under"] } | undefined;
  private revision = 0;
  private resolved: { key: string; theme: Theme; attention: Attention; emphasis: Emphasis } | undefined;
  /** Kept while the fade runs out, so that what was lit does not drop to faded first. */
  private leaving: Emphasis | undefined;

  constructor(
    private readonly columns: SceneColumns,
    private readonly index: GraphIndex,
    private readonly folding: Folding,
    private readonly changed: () => void,
  ) {}

  hover(id: string | null): void {
    this.hovered = id;
    window.clearTimeout(this.timer);
    if (id === null) this.dwell(null);
    // From one node to the next the picture is already faded: waiting again would flicker.
    else if (this.dwelt !== null) this.dwell(id);
    else this.timer = window.setTimeout(() => this.dwell(id), HOVER_DELAY_MS);
  }

  /** A line is told once the pointer stays on it: on its way it crosses many. */
  hoverEdge(id: string | null): void {
    if (id === this.hoveredEdge) return;
    this.hoveredEdge = id;
    window.clearTimeout(this.edgeTimer);
    const dwell = () => {
      if (this.dweltEdge === id) return;
      this.dweltEdge = id;
      this.touch();
    };
    if (id === null) dwell();
    else this.edgeTimer = window.setTimeout(dwell, HOVER_DELAY_MS);
  }

  selectEdge(id: string | null): void {
    if (id === this.selectedEdge) return;
    this.selectedEdge = id;
    this.touch();
  }

  focusEdge(id: string | null): void {
    if (id === this.focusedEdge) return;
    this.focusedEdge = id;
    this.touch();
  }

  select(ids: Iterable<string>): void {
    this.selected.clear();
    for (const id of ids) if (this.columns.indexOf(id) !== undefined) this.selected.add(id);
    this.touch();
  }

  focus(id: string | null): void {
    this.focused = id;
    this.focusedEdge = null;
    this.touch();
  }

  highlight(ids: readonly string[] | null): void {
    this.highlighted = ids === null ? null : new Set(ids);
    this.touch();
  }

  /** The camera is so near that all count alike. */
  setNear(near: boolean): void {
    if (near === this.near) return;
    this.near = near;
    if (this.coreSize > 0) this.revision++;
  }

  setCore(size: number): void {
    if (size === this.coreSize) return;
    this.coreSize = size;
    this.touch();
  }

  /** Forget what is no longer there. Returns whether the selection changed. */
  prune(): boolean {
    const before = this.selected.size;
    for (const id of this.selected) if (this.columns.indexOf(id) === undefined) this.selected.delete(id);
    if (this.focused !== null && this.columns.indexOf(this.focused) === undefined) this.focused = null;
    if (this.hovered !== null && this.columns.indexOf(this.hovered) === undefined) this.hover(null);
    const isGone = (id: string | null) => id !== null && this.columns.edgeIndexOf(id) === undefined;
    if (isGone(this.focusedEdge)) this.focusedEdge = null;
    if (isGone(this.selectedEdge)) this.selectedEdge = null;
    if (isGone(this.hoveredEdge)) this.hoverEdge(null);
    this.touch();
    return this.selected.size !== before;
  }

  clear(): void {
    this.selected.clear();
    this.focused = this.dwelt = this.hovered = null;
    this.selectedEdge = this.focusedEdge = this.hoveredEdge = this.dweltEdge = null;
    this.highlighted = null;
    window.clearTimeout(this.timer);
    window.clearTimeout(this.edgeTimer);
    this.touch();
  }

  resolve(theme: Theme, now: number, animate: boolean): { attention: Attention; emphasis: Emphasis; fade: number; fading: boolean } {
    const picture = `${this.columns.version} ${this.folding.version}`;
    const key = `${this.revision} ${this.near} ${picture}`;
    if (this.resolved?.key !== key || this.resolved.theme !== theme) {
      const attention = this.attention();
      const emphasis = emphasise(attention, this.columns, this.index.drawnAdjacency(), theme, this.underneath(theme), this.index.fan());
      const before = this.resolved?.emphasis;
      this.leaving = (before?.strong ?? null) !== null && emphasis.strong === null && this.resolved?.key.endsWith(` ${picture}`) === true ? before : undefined;
      this.resolved = { key, theme, attention, emphasis };
    }
    const { attention, emphasis } = this.resolved;
    this.fade.to(emphasis.rest, animate ? (emphasis.rest === FADED ? FADE_IN_MS : FADE_OUT_MS) : 0, now);
    const fading = this.fade.running(now);
    if (!fading) this.leaving = undefined;
    const shown = this.leaving === undefined ? emphasis : { ...this.leaving, lit: this.merged(this.leaving, emphasis) };
    return { attention, emphasis: shown, fade: this.fade.at(now), fading };
  }

  destroy(): void {
    window.clearTimeout(this.timer);
    window.clearTimeout(this.edgeTimer);
  }

  private mergedNow: { leaving: Emphasis; emphasis: Emphasis; lit: Emphasis["lit"] } | undefined;

  /** One array for as long as both stay the same: renderers send layers again when the array is another. */
  private merged(leaving: Emphasis, emphasis: Emphasis): Emphasis["lit"] {
    if (this.mergedNow?.leaving !== leaving || this.mergedNow.emphasis !== emphasis) {
      this.mergedNow = { leaving, emphasis, lit: [...leaving.lit.slice(0, 1), ...emphasis.lit] };
    }
    return this.mergedNow.lit;
  }

  /** The core's layer; the same one while nothing about it changed. */
  private underneath(theme: Theme): Emphasis["under"] {
    const { columns, index } = this;
    const coreSize = this.near ? 0 : this.coreSize;
    const key = `${coreSize} ${columns.version} ${this.folding.version}`;
    if (this.core?.key !== key || this.core.theme !== theme) {
      const order = index.order();
      const most = coreSize > 0 && coreSize < order.length ? order.slice(-coreSize) : undefined;
      this.core = { key, theme, layers: most === undefined ? [] : [coreLayer(new Set(most), columns, index.drawnAdjacency(), theme)] };
    }
    return this.core.layers;
  }

  private attention(): Attention {
    const indexOf = (id: string | null) => (id === null ? undefined : this.columns.indexOf(id));
    const drawn = (node: number | undefined) => (node === undefined ? undefined : this.folding.drawnAs(node));
    const edgeOf = (id: string | null) => (id === null ? undefined : this.columns.edgeIndexOf(id));
    // What is folded away is lit through the node it is in.
    const indices = (ids: Iterable<string>) => new Set([...ids].flatMap((id) => this.columns.indexOf(id) ?? []).map((node) => this.folding.drawnAs(node)));
    return {
      hovered: drawn(indexOf(this.dwelt)),
      focused: drawn(indexOf(this.focused)),
      selected: indices(this.selected),
      highlighted: this.highlighted === null ? null : indices(this.highlighted),
      chosenEdge: edgeOf(this.selectedEdge),
      pointedEdge: edgeOf(this.dweltEdge ?? this.focusedEdge),
    };
  }

  private dwell(id: string | null): void {
    if (id === this.dwelt) return;
    this.dwelt = id;
    this.touch();
  }

  private touch(): void {
    this.revision++;
    this.changed();
  }
}
