import { selectOnly } from "../state/selection/selection";
import type { App } from "./createApp";

/** A look into the picture for tests, defined only when the program was started for them (`GRAPHMEM_PROBE=1`). */
export function installProbe(app: App): void {
  const scene = () => app.scene.probe();
  const probe = {
    /** The graph is loaded and drawn at least once. */
    ready: () => app.stores.workspace.get().phase === "open" && app.scene.drawn,
    counts: () => scene()?.counts,
    positions: () => scene()?.positions() ?? {},
    camera: () => scene()?.camera,
    selection: () => scene()?.selection ?? [],
    visibleLabels: () => scene()?.visibleLabels ?? [],
    frameStats: () => scene()?.frameStats,
    screenOf: (id: string) => scene()?.screenOf(id) ?? null,
    edges: () => scene()?.edges() ?? [],
    selectedEdge: () => scene()?.selectedEdge ?? null,
    screenOfEdge: (id: string) => scene()?.screenOfEdge(id) ?? null,
    /** Names in the picture that is shown. */
    clusterName: () => scene()?.clusterName ?? null,
    names: () => Object.keys(scene()?.positions() ?? {}).map((id) => app.scene.nodes.get(id)?.name ?? ""),
    nameOf: (id: string) => app.scene.nodes.get(id)?.name ?? null,
    /** Collapsed into another. */
    isHidden: (id: string) => app.scene.isHidden(id),
    idOf: (name: string) => app.scene.nodes.idOfName(name) ?? null,
    select: (ids: string[]) => app.stores.selection.set((selection) => selectOnly(selection, ids)),
    graph: () => app.session.graph,
    seq: () => app.session.live.seq,
  };
  Object.defineProperty(window, "__graphmem", { value: probe, configurable: true });
}
