import type { AppInfo, Attribution, Event, GraphSummary, InstalledModel, ModelJob } from "../generated/wire";
import type { CommandName, Connection, Host, ImportChoice, MenuState, Reply, Request } from "../host";
import { IpcError } from "../ipcError";
import { FakeAgents } from "./fakeAgents";
import { FakeClients } from "./fakeClients";
import { FakeGraph, PERSON } from "./fakeGraph";
import { importContent } from "./fakeImport";
import * as reads from "./fakeReads";
import * as trash from "./fakeTrash";
import { takeBack, undoState } from "./fakeUndo";
import * as writes from "./fakeWrites";

type Handlers = { [K in CommandName]: (request: Request<K>) => Reply<K> };
type By = Omit<Attribution, "time">;

/** The host of tests and of the development page: the same commands, in this page's memory. */
export class FakeHost implements Host {
  readonly kind: Host["kind"];
  readonly graphs = new Map<string, FakeGraph>();
  readonly unreadable = new Map<string, string>();
  readonly agents = new FakeAgents();
  readonly clients = new FakeClients();
  readonly calls: { command: CommandName; request: unknown }[] = [];
  info: AppInfo;
  sample: (graph: FakeGraph) => void = () => undefined;
  nextImport: ImportChoice | null = null;
  menu: MenuState | undefined;
  model = "all-minilm-l6-v2-int8";
  models: InstalledModel[] = [{ name: "all-minilm-l6-v2-int8", dimension: 384, is_foreign: true }, { name: "mine", dimension: 768, is_foreign: false }];
  modelJob: ModelJob | undefined;
  title = "";
  /** Milliseconds each answer takes, so that the page is seen waiting as it would be. */
  latency = 0;
  /** Put in front of a command, to fail or to delay it. */
  before: ((command: CommandName, request: unknown) => void | Promise<void>) | undefined;
  private readonly events = new Set<(event: Event) => void>();
  private readonly connections = new Set<(connection: Connection) => void>();
  private readonly handlers: Handlers;

  constructor(kind: Host["kind"] = "window", private readonly clock: () => number = () => Date.now() / 1000) {
    this.kind = kind;
    this.info = { version: "0.1.0", host: kind, library: "/home/ada/.graphmem", is_home_library: true, mcp_url: "http://127.0.0.1:7437/mcp", recent_libraries: [], probe: true };
    this.handlers = this.makeHandlers();
  }

  addGraph(name: string): FakeGraph {
    const graph = new FakeGraph(name, this.clock);
    this.graphs.set(name, graph);
    return graph;
  }

  /** Somebody else writes: the change and its notice, as from another process. */
  by<T>(graph: string, by: By, act: (graph: FakeGraph, by: By) => T): T {
    const found = this.find(graph);
    const before = found.seq;
    const value = act(found, by);
    if (found.seq !== before) this.emit({ event: "graph_changed", graph, seq: found.seq });
    return value;
  }

  /** No native engine here: the page lays out by itself. */
  callBytes(): Promise<ArrayBuffer> {
    return Promise.reject(new IpcError("unknown_command", "this host does not lay out"));
  }

  emit(event: Event): void {
    for (const handler of [...this.events]) handler(event);
  }

  connection(state: Connection): void {
    for (const handler of [...this.connections]) handler(state);
  }

  async call<K extends CommandName>(command: K, request: Request<K>): Promise<Reply<K>> {
    this.calls.push({ command, request });
    await this.before?.(command, request);
    await (this.latency > 0 ? new Promise((resolve) => setTimeout(resolve, this.latency)) : Promise.resolve());
    // What crosses a process boundary is a copy.
    const reply = this.handlers[command](structuredClone(request));
    return reply instanceof ArrayBuffer ? reply : structuredClone(reply);
  }

  onEvent(handler: (event: Event) => void): () => void {
    this.events.add(handler);
    return () => void this.events.delete(handler);
  }

  onConnection(handler: (connection: Connection) => void): () => void {
    this.connections.add(handler);
    return () => void this.connections.delete(handler);
  }

  pickImportFile = (): Promise<ImportChoice | null> => Promise.resolve(this.nextImport);
  saveExport = (graph: string): Promise<string | null> => Promise.resolve(`/home/ada/${graph}.json`);
  savePicture = (suggested: string): Promise<string | null> => Promise.resolve(`/home/ada/${suggested}`);
  pickFolder = (): Promise<string | null> => Promise.resolve(null);
  setMenuState = (state: MenuState): void => void (this.menu = state);
  setTitle = (title: string): void => void (this.title = title);

  private find(name: string): FakeGraph {
    const problem = this.unreadable.get(name);
    if (problem !== undefined) throw new IpcError("damaged", problem, "The file was left as it is.");
    const graph = this.graphs.get(name) ?? (name === "default" ? this.addGraph(name) : undefined);
    if (graph === undefined) throw new IpcError("not_found", `no graph \`${name}\` in this library`);
    return graph;
  }

  private summary(graph: FakeGraph): GraphSummary {
    const last = graph.journal[graph.journal.length - 1];
    return { name: graph.name, size_bytes: 4096 + graph.seq * 300, last_modified: last?.by.time ?? 0, entities: graph.entities.size, relationships: graph.relations.size, observations: graph.observations.size };
  }

  /** A write of the person, and the notice of it. */
  private mine<T>(name: string, act: (graph: FakeGraph, by: By) => T): T {
    const graph = this.find(name);
    const before = graph.seq;
    const value = act(graph, { ...PERSON, client: this.kind });
    if (graph.seq !== before) setTimeout(() => this.emit({ event: "graph_changed", graph: name, seq: graph.seq }), 0);
    return value;
  }

  /** Something about agents changed here. */
  private told<T>(reply: T): T {
    this.emit({ event: "agents_changed" });
    return reply;
  }

  /** Other programs of this machine are the window's business. */
  private theirs(): FakeClients {
    if (this.kind === "browser") throw new IpcError("window_only", "only the desktop window can do this");
    return this.clients;
  }

  private attach(request: Request<"attach_client">): Reply<"attach_client"> {
    const attached = this.theirs().attach(request, this.info.mcp_url);
    const agent = this.agents.get(request.client);
    if (request.over_http) this.agents.set(request.client, { ...agent, stdio_only: false, created_at: this.clock() });
    return this.told(attached);
  }

  private makeHandlers(): Handlers {
    return {
      app_info: () => this.info,
      list_graphs: () => ({
        graphs: [...[...this.graphs.values()].map((graph) => this.summary(graph)), ...[...this.unreadable].map(([name, problem]) => ({ name, size_bytes: 9000, last_modified: 0, entities: 0, relationships: 0, observations: 0, problem }))],
      }),
      create_graph: ({ name }) => {
        if (!/^[A-Za-z0-9_-]{1,64}$/.test(name.trim())) throw new IpcError("invalid_argument", "`name` must be 1 to 64 letters, digits, `-` or `_`");
        if (this.graphs.has(name.trim())) throw new IpcError("already_exists", `there is a graph \`${name.trim()}\` already`);
        const graph = this.addGraph(name.trim());
        this.emit({ event: "graphs_changed" });
        return this.summary(graph);
      },
      layout_order: () => ({}),
      layout_frame: () => new ArrayBuffer(0),
      picture: () => new ArrayBuffer(0),
      related: () => ({ related: [], pending: 0 }),
      meaning_status: ({ graph }) => ({ state: "off", is_paused: false, texts: this.find(graph).entities.size + this.find(graph).observations.size, pending: 0, failed: 0 }),
      pause_meaning: () => ({}),
      switch_meaning: () => ({}),
      list_models: () => ({ in_use: this.model, is_fixed: false, default_model: "all-minilm-l6-v2-int8", has_default: true, installed: this.models, available: [{ name: "bgesmallenv15", dimension: 384, description: "Small English model" }], job: this.modelJob }),
      install_model: ({ name }) => {
        this.modelJob = { model: name ?? "all-minilm-l6-v2-int8", told: "model.onnx: 12 of 130 MB", is_done: false };
        return {};
      },
      use_model: ({ name }) => {
        this.model = name;
        return {};
      },
      remove_model: ({ name }) => {
        this.models = this.models.filter((model) => model.name !== name);
        return {};
      },
      reembed: () => {
        throw new IpcError("off", "search by meaning is switched off");
      },
      open_sample: () => {
        if (!this.graphs.has("sample")) this.sample(this.addGraph("sample"));
        return this.summary(this.find("sample"));
      },
      open_library: () => this.info,
      overview: ({ graph }) => reads.overview(this.find(graph)),
      scene: ({ graph }) => reads.scene(this.find(graph)),
      changes_since: ({ graph, seq }) => reads.changesSince(this.find(graph), seq),
      save_positions: ({ graph, ids, xy }) => {
        ids.forEach((id, at) => this.find(graph).places.set(id, [xy[2 * at]!, xy[2 * at + 1]!]));
        return { status: "updated", changes: 0 };
      },
      set_pin: ({ graph, id, at }) => this.mine(graph, (g, by) => ({ id, status: "updated", changes: g.transact(by, at === null ? "unpin" : "pin", (put) => put("pin", id, at === null ? undefined : { id, x: at[0], y: at[1] })).changes })),
      list_entities: ({ graph, ...request }) => reads.list(this.find(graph), request),
      search: ({ graph, ...request }) => reads.search(this.find(graph), request),
      entity: ({ graph, ...request }) => reads.detail(this.find(graph), request),
      add_entity: ({ graph, ...request }) => this.mine(graph, (g, by) => writes.addEntity(g, by, request)),
      update_entity: ({ graph, ...request }) => this.mine(graph, (g, by) => writes.updateEntity(g, by, request)),
      delete_entities: ({ graph, ids }) => this.mine(graph, (g, by) => writes.deleteEntities(g, by, ids)),
      add_observation: ({ graph, ...request }) => this.mine(graph, (g, by) => writes.addObservation(g, by, request)),
      update_observation: ({ graph, ...request }) => this.mine(graph, (g, by) => writes.updateObservation(g, by, request)),
      delete_observations: ({ graph, ids }) => this.mine(graph, (g, by) => ({ status: "deleted", changes: g.transact(by, "delete_observations", (put) => ids.forEach((id) => put("observation", id, undefined))).changes })),
      relationship: ({ graph, id }) => reads.relationship(this.find(graph), id),
      add_relationship: ({ graph, ...request }) => this.mine(graph, (g, by) => writes.addRelationship(g, by, request)),
      update_relationship: ({ graph, ...request }) => this.mine(graph, (g, by) => writes.updateRelationship(g, by, request)),
      reverse_relationship: ({ graph, ...request }) => this.mine(graph, (g, by) => writes.reverseRelationship(g, by, request)),
      delete_relationships: ({ graph, ids }) => this.mine(graph, (g, by) => ({ status: "deleted", changes: g.transact(by, "delete_relationships", (put) => ids.forEach((id) => put("relationship", id, undefined))).changes })),
      undo_state: ({ graph }) => undoState(this.find(graph)),
      undo: ({ graph, partial }) => this.mine(graph, (g) => takeBack(g, "undo", partial === true)),
      redo: ({ graph, partial }) => this.mine(graph, (g) => takeBack(g, "redo", partial === true)),
      revert: ({ graph, partial, transaction }) => this.mine(graph, (g) => takeBack(g, "revert", partial === true, transaction)),
      history: ({ graph, ...request }) => reads.history(this.find(graph), request),
      import_file: ({ graph, path }) => importContent(this.find(graph), path, { skip_invalid: true, dry_run: true }),
      import_content: ({ graph, content, ...options }) => this.mine(graph, (g) => importContent(g, content, options)),
      export_file: ({ path }) => ({ path, entities: 0, relationships: 0, observations: 0 }),
      export_text: ({ graph }) => ({ file_name: `${graph}.json`, content: "{}" }),
      list_agents: () => this.agents.list(),
      pause_agent: (request) => this.told(this.agents.pause(request)),
      set_agent_rights: (request) => this.told(this.agents.setRights(request)),
      recalls: (request) => this.agents.told(request, this.graphs),
      trash: ({ graph }) => trash.trash(this.find(graph)),
      restore_from_trash: ({ graph, ids }) => this.mine(graph, (g, by) => trash.restore(g, by, ids)),
      empty_trash: ({ graph, ids }) => trash.emptyTrash(this.find(graph), ids),
      connect_agent: ({ name }) => {
        if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name)) throw new IpcError("invalid_argument", "`name` must be 1 to 64 letters, digits, `-`, `_` or `.`");
        if (this.info.mcp_url === undefined) throw new IpcError("no_listener", this.info.listener_problem ?? "nothing listens for agents");
        this.agents.set(name, { ...this.agents.get(name), stdio_only: false, created_at: this.clock() });
        this.emit({ event: "agents_changed" });
        const token = "gm_7Qm2Zb0tH4vXw9sLk3Jr8NyE5uPcDfA1";
        const url = this.info.mcp_url;
        const http = { mcpServers: { "graph-mem": { type: "http", url, headers: { Authorization: `Bearer ${token}` } } } };
        const stdio = { mcpServers: { "graph-mem": { command: "/usr/bin/graph-mem", args: ["server", "--as", name] } } };
        return { name, token, url, http_config: JSON.stringify(http, null, 2), stdio_config: JSON.stringify(stdio, null, 2) };
      },
      revoke_agent: ({ name }) => {
        this.agents.delete(name);
        this.emit({ event: "agents_changed" });
        return { status: "deleted", changes: 1 };
      },
      list_clients: () => this.theirs().list(),
      plan_client: (request) => this.theirs().plan(request, this.info.mcp_url),
      attach_client: (request) => this.attach(request),
      detach_client: ({ name }) => this.theirs().detach(name),
      teach_client: (request) => this.theirs().teach(request),
    };
  }
}
