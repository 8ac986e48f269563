import type { QueryClient } from "@tanstack/react-query";
import { keys } from "../data/keys";
import { outOfDate, outOfDateAfter, type CachedDetail } from "../data/invalidation";
import { LiveFollow } from "../data/liveFollow";
import { RefreshQueue } from "../data/refreshQueue";
import { decodeScene } from "../ipc/decodeScene";
import type { EntityDetail, Event, GraphList, SceneBatch } from "../ipc/generated/wire";
import type { Connection, Host } from "../ipc/host";
import { toIpcError } from "../ipc/ipcError";
import { isText, remember, remembered } from "../state/remember";
import type { Stores } from "../state/stores";
import { NOTHING } from "../state/selection/selection";
import { WHOLE_VIEW } from "../state/view/view";
import type { Workspace } from "../state/workspace/workspace";
import { t } from "../strings";
import { chooseGraph } from "./chooseGraph";
import { PinEchoes } from "./pinEchoes";
import type { SceneLink } from "./sceneLink";

/** Which library and graph are open, and how the picture and the panels follow them. */
export class Session {
  readonly live: LiveFollow;
  readonly refresh: RefreshQueue;
  readonly pins = new PinEchoes();
  private opening = 0;

  constructor(
    private readonly host: Host,
    private readonly queries: QueryClient,
    private readonly stores: Stores,
    private readonly scene: SceneLink,
  ) {
    this.refresh = new RefreshQueue(queries);
    scene.reread = () => void this.rereadScene();
    this.live = new LiveFollow({
      changesSince: (graph, seq) => host.call("changes_since", { graph, seq }),
      apply: (batches) => this.applied(batches),
      reload: async (graph) => {
        const seq = await this.loadScene(graph);
        this.refresh.add([keys.graph(graph)]);
        return seq;
      },
    });
  }

  get graph(): string | null {
    return this.stores.workspace.get().graph;
  }

  /** Open what was open last time, or the first-run page. */
  async start(): Promise<void> {
    try {
      const [info, { graphs }] = await Promise.all([
        this.host.call("app_info", {}),
        this.queries.fetchQuery({ queryKey: keys.graphs, queryFn: () => this.host.call("list_graphs", {}), staleTime: 0 }),
      ]);
      this.queries.setQueryData(keys.info, info);
      this.change({ info });
      const graph = chooseGraph(graphs, remembered(lastGraphKey(info.library), isText));
      if (graph === null) this.close("first_run");
      else await this.open(graph);
    } catch (thrown) {
      this.failed(thrown);
    }
  }

  async open(graph: string): Promise<void> {
    const opening = ++this.opening;
    this.live.stop();
    this.stores.selection.set(() => NOTHING);
    this.stores.relationship.set(() => null);
    this.stores.unseen.set(() => new Set());
    this.stores.view.set(() => WHOLE_VIEW);
    this.stores.filter.set((filter) => ({ ...filter, text: "", type: null }));
    // The size is known from the list: the panels take their place before the picture is fitted between them.
    const known = this.queries.getQueryData<GraphList>(keys.graphs)?.graphs.find(({ name }) => name === graph);
    this.change({ phase: "opening", graph, problem: null, nodes: known?.entities ?? 0 });
    try {
      const seq = await this.loadScene(graph);
      if (opening !== this.opening) return;
      this.live.begin(graph, seq);
      // Changes may have come between the reading of the picture and this line.
      this.live.notify();
      this.change({ phase: "open" });
      const { info } = this.stores.workspace.get();
      if (info !== null) remember(lastGraphKey(info.library), graph);
      this.host.setTitle(t.app.title(graph));
    } catch (thrown) {
      if (opening === this.opening) this.failed(thrown);
    }
  }

  handle(event: Event): void {
    if (event.event === "graph_changed" && event.graph === this.graph) this.live.notify(event.seq);
    this.refresh.add(outOfDate(event, this.graph));
    if (event.event === "library_changed") this.leave();
  }

  /** Another folder: a graph of the same name there is another graph. */
  private leave(): void {
    this.live.stop();
    this.stores.drafts.set(() => new Map());
    void this.start();
  }

  connection(connection: Connection): void {
    const before = this.stores.workspace.get().connection;
    this.change({ connection });
    if (connection !== "live" || before === "live") return;
    // Back after a loss: nothing heard meanwhile can be trusted to have been everything.
    this.live.notify();
    this.refresh.add([keys.graphs, keys.agents, keys.everyRecall, ["graph"]]);
  }

  /** After one of our own writes; the event would come a moment later anyway. */
  wrote(): void {
    this.live.notify();
    // Whoever regrets a write does so at once: its undo must not wait for the picture.
    if (this.graph !== null) void this.queries.invalidateQueries({ queryKey: keys.undo(this.graph) });
  }

  /** The picture once more, as it is now. */
  private async rereadScene(): Promise<void> {
    const { graph } = this;
    if (graph === null) return;
    try {
      this.live.begin(graph, await this.loadScene(graph));
      this.live.notify();
    } catch {
      // Another graph was opened meanwhile.
    }
  }

  private async loadScene(graph: string): Promise<number> {
    const data = decodeScene(await this.host.call("scene", { graph }));
    if (graph !== this.graph) throw new Error("another graph was opened meanwhile");
    this.pins.clear();
    this.scene.load(data);
    return data.seq;
  }

  private applied(batches: readonly SceneBatch[]): void {
    const { graph } = this;
    if (graph === null) return;
    this.scene.apply(batches, (op) => this.pins.isEcho(op));
    const cached: CachedDetail[] = this.queries
      .getQueryCache()
      .findAll({ queryKey: keys.entities(graph) })
      .map((query) => ({ id: query.queryKey[3] as string, detail: query.state.data as EntityDetail | undefined }));
    this.refresh.add(outOfDateAfter(graph, batches, cached));
  }

  private close(phase: "first_run"): void {
    this.opening++;
    this.live.stop();
    this.stores.selection.set(() => NOTHING);
    this.stores.relationship.set(() => null);
    this.change({ phase, graph: null, problem: null });
    this.host.setTitle(t.app.name);
  }

  private failed(thrown: unknown): void {
    const { message, hint } = toIpcError(thrown);
    this.change({ phase: "failed", problem: { message, hint } });
  }

  private change(part: Partial<Workspace>): void {
    this.stores.workspace.set((workspace) => ({ ...workspace, ...part }));
  }
}

function lastGraphKey(library: string): string {
  return `last-graph:${library}`;
}
