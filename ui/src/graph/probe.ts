import type { AttentionState } from "./attentionState";
import type { CameraControl } from "./cameraControl";
import type { SceneColumns } from "./columns";
import type { Folding } from "./folding";
import type { GraphIndex } from "./graphIndex";
import type { SceneActions } from "./interaction/actions";
import type { Stage } from "./stage";
import type { FrameStats, Point, SceneProbe } from "./types";

type Parts = {
  ready: boolean;
  columns: SceneColumns;
  index: GraphIndex;
  camera: CameraControl;
  attention: AttentionState;
  folding: Folding;
  stage: Stage;
  actions: SceneActions;
  frames: Omit<FrameStats, "renderer">;
  /** Where the first cluster's name is written. */
  clusterName: Point | null;
};

/** A reading of the scene for tests and the status bar; it changes nothing and starts no frame. */
export function readProbe({ ready, columns, index, folding, camera, attention, stage, actions, frames, clusterName }: Parts): SceneProbe {
  const shown = index.shownCounts();
  return {
    ready,
    counts: { nodes: columns.nodeCount, edges: columns.edgeCount, shownNodes: shown.nodes, shownEdges: shown.edges, folded: folding.folded },
    positions: () => {
      const positions: Record<string, Point> = {};
      for (let i = 0; i < columns.nodeCount; i++) positions[columns.ids[i]!] = { x: columns.positions[2 * i]!, y: columns.positions[2 * i + 1]! };
      return positions;
    },
    edges: () => Array.from({ length: columns.edgeCount }, (_, edge) => ({ id: columns.edgeIds[edge]!, source: columns.ids[columns.edgeSource[edge]!]!, target: columns.ids[columns.edgeTarget[edge]!]! })),
    camera: { ...camera.camera, width: stage.width, height: stage.height },
    selection: [...attention.selected],
    selectedEdge: attention.selectedEdge,
    clusterName,
    visibleLabels: stage.labels.visibleLabels(),
    frameStats: { ...frames, renderer: stage.renderer.kind },
    screenOf: (id) => actions.screenOf(id),
    screenOfEdge: (id) => actions.screenOfEdge(id),
  };
}
