import type { LayoutReply, LayoutRequest } from "./layoutLoop";
import type { LayoutFrame, LayoutParams, LayoutSource, LayoutTopology } from "./types";

/** The end of a worker that this side needs; tests put a loop of their own behind it. */
export type LayoutPort = {
  postMessage: (message: LayoutRequest, transfer: Transferable[]) => void;
  onmessage: ((event: { data: LayoutReply }) => void) | null;
  terminate: () => void;
};

function spawnWorker(): LayoutPort {
  return new Worker(new URL("./layoutWorker.ts", import.meta.url), { type: "module", name: "layout" }) as unknown as LayoutPort;
}

/** d3-force in a worker of its own, as a `LayoutSource`. The worker starts with the first use. */
export class D3ForceLayout implements LayoutSource {
  private port: LayoutPort | undefined;
  private version = -1;
  private readonly listeners = new Set<(frame: LayoutFrame) => void>();

  constructor(private readonly spawn: () => LayoutPort = spawnWorker) {}

  start(topology: LayoutTopology, positions: Float32Array, pinned: Uint8Array, params: LayoutParams = {}): void {
    this.send("start", topology, positions, pinned, params);
  }

  update(topology: LayoutTopology, positions: Float32Array, pinned: Uint8Array, params: LayoutParams = {}): void {
    this.send("update", topology, positions, pinned, params);
  }

  pin(index: number, x: number, y: number): void {
    this.post({ kind: "pin", node: index, x, y });
  }

  unpin(index: number): void {
    this.post({ kind: "unpin", node: index });
  }

  drag(indices: Uint32Array, xy: Float32Array, mobility?: Uint8Array): void {
    this.post({ kind: "drag", nodes: indices, xy, mobility });
  }

  drop(): void {
    this.post({ kind: "drop" });
  }

  reheat(alpha = 0.7): void {
    this.post({ kind: "reheat", alpha });
  }

  stop(): void {
    // Frames under way belong to a run that is over.
    this.version = -1;
    this.post({ kind: "stop" });
  }

  onFrame(callback: (frame: LayoutFrame) => void): () => void {
    this.listeners.add(callback);
    return () => this.listeners.delete(callback);
  }

  destroy(): void {
    this.listeners.clear();
    this.port?.terminate();
    this.port = undefined;
  }

  private send(kind: "start" | "update", topology: LayoutTopology, positions: Float32Array, pinned: Uint8Array, params: LayoutParams): void {
    this.version = topology.version;
    const request: LayoutRequest = {
      kind,
      // Columns have room to grow; the worker gets what is in use, as copies it may keep.
      topology: {
        ...topology,
        edgeSource: topology.edgeSource.slice(),
        edgeTarget: topology.edgeTarget.slice(),
        edgeWeight: topology.edgeWeight.slice(),
        radius: topology.radius.slice(0, topology.nodeCount),
      },
      positions: positions.slice(0, 2 * topology.nodeCount),
      pinned: pinned.slice(0, topology.nodeCount),
      params,
    };
    this.open().postMessage(request, [
      request.topology.edgeSource.buffer,
      request.topology.edgeTarget.buffer,
      request.topology.edgeWeight.buffer,
      request.topology.radius.buffer,
      request.positions.buffer,
      request.pinned.buffer,
    ]);
  }

  private post(request: LayoutRequest): void {
    this.port?.postMessage(request, []);
  }

  private open(): LayoutPort {
    if (this.port === undefined) {
      const port = this.spawn();
      port.onmessage = (event) => this.receive(event.data);
      this.port = port;
    }
    return this.port;
  }

  private receive(reply: LayoutReply): void {
    const { positions, topologyVersion, alpha, settled } = reply;
    if (topologyVersion === this.version) {
      for (const listener of this.listeners) listener({ topologyVersion, positions, alpha, settled });
    }
    // A frame too late for its topology is dropped here, but its buffer still goes back.
    this.port?.postMessage({ kind: "ack", positions }, [positions.buffer]);
  }
}
