import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeHost } from "../ipc/fake/fakeHost";
import { agent } from "../ipc/fake/fakeGraph";
import { addEntity, deleteEntities } from "../ipc/fake/fakeWrites";
import { selectOnly } from "../state/selection/selection";
import { chooseGraph } from "./chooseGraph";
import { createApp, type App } from "./createApp";
import { PinEchoes } from "./pinEchoes";

const CLAUDE = agent("claude-code");
const entity = (name: string) => ({ name, entity_type: "person", description: "", observations: [] });
const ticks = async () => {
  for (let n = 0; n < 30; n++) await Promise.resolve();
};

let host: FakeHost;
let app: App;
beforeEach(async () => {
  host = new FakeHost();
  const graph = host.addGraph("notes");
  addEntity(graph, CLAUDE, entity("Ada"));
  app = createApp(host);
  host.onEvent((event) => app.session.handle(event));
  await app.session.start();
  await ticks();
});

const asked = (command: string) => host.calls.filter((call) => call.command === command);

describe("a session", () => {
  it("opens what has something in it", () => {
    expect(app.stores.workspace.get()).toMatchObject({ phase: "open", graph: "notes", nodes: 1 });
    expect(host.title).toContain("notes");
  });

  it("shows another program's write without being asked", async () => {
    host.by("notes", CLAUDE, (graph, by) => addEntity(graph, by, entity("Grace")));
    await ticks();
    expect(app.stores.workspace.get().nodes).toBe(2);
    expect(app.session.live.seq).toBe(2);
  });

  it("neither loses nor doubles anything of a burst", async () => {
    for (let n = 0; n < 200; n++) host.by("notes", CLAUDE, (graph, by) => addEntity(graph, by, entity(`Finding ${n}`)));
    await ticks();
    expect(app.scene.nodes.size).toBe(201);
    expect(asked("changes_since").length, "notices are gathered").toBeLessThan(10);
  });

  it("leaves the selection alone while others write", async () => {
    const id = [...host.graphs.get("notes")!.entities.keys()][0]!;
    app.stores.selection.set((selection) => selectOnly(selection, [id]));
    const before = app.stores.selection.get();
    host.by("notes", CLAUDE, (graph, by) => addEntity(graph, by, entity("Grace")));
    await ticks();
    expect(app.stores.selection.get()).toBe(before);
  });

  it("catches up after the connection was lost", async () => {
    app.session.connection("lost");
    addEntity(host.graphs.get("notes")!, CLAUDE, entity("Written meanwhile"));
    app.session.connection("live");
    await ticks();
    expect(app.scene.nodes.size).toBe(2);
  });

  it("offers the way back after a delete, and takes it", async () => {
    const id = [...host.graphs.get("notes")!.entities.keys()][0]!;
    await app.edits.deleteEntities([id]);
    const [toast] = app.stores.toasts.get();
    expect(toast?.text).toBe("Deleted “Ada”");
    toast?.action?.run();
    await ticks();
    expect(host.graphs.get("notes")!.entities.size).toBe(1);
    expect(app.scene.nodes.get(id)?.name).toBe("Ada");
  });

  it("asks before an undo that cannot be whole", async () => {
    const { id } = await app.edits.write("add_entity", entity("Grace"));
    host.by("notes", CLAUDE, (graph, by) => deleteEntities(graph, by, [id!]));
    await app.edits.takeBack({ verb: "undo" });
    expect(app.stores.dialog.get()).toMatchObject({ kind: "conflicts", attempt: { verb: "undo" }, conflicts: [{ object_id: id }] });
  });

  it("begins anew with another library", async () => {
    host.graphs.clear();
    host.emit({ event: "library_changed" });
    await ticks();
    expect(app.stores.workspace.get()).toMatchObject({ phase: "first_run", graph: null });
  });

  it("says why a graph cannot be opened", async () => {
    host.unreadable.set("broken", "the file is damaged");
    await app.session.open("broken");
    expect(app.stores.workspace.get()).toMatchObject({ phase: "failed", problem: { message: "the file is damaged" } });
  });

  it("loads the picture anew when the host cannot tell the difference", async () => {
    const call = host.call.bind(host);
    vi.spyOn(host, "call").mockImplementation((command, request) => (command === "changes_since" ? Promise.resolve({ seq: 1, reload: true, batches: [] } as never) : call(command, request)));
    addEntity(host.graphs.get("notes")!, CLAUDE, entity("Grace"));
    app.session.live.notify();
    await ticks();
    expect(app.scene.nodes.size).toBe(2);
    expect(app.session.live.seq).toBe(2);
  });
});

describe("which graph to begin with", () => {
  const summary = (name: string, entities: number, last_modified: number, problem?: string) => ({ name, entities, last_modified, problem, size_bytes: 0, relationships: 0, observations: 0 });
  it("is the last one, else the newest with content, else none", () => {
    const graphs = [summary("a", 3, 1), summary("b", 2, 9), summary("c", 0, 99), summary("d", 9, 99, "damaged")];
    expect(chooseGraph(graphs, "a")).toBe("a");
    expect(chooseGraph(graphs, "d")).toBe("b");
    expect(chooseGraph(graphs, undefined)).toBe("b");
    expect(chooseGraph([summary("c", 0, 1)], "c")).toBeNull();
    expect(chooseGraph([], undefined)).toBeNull();
  });
});

describe("pins that come back", () => {
  it("are known as our own once, and others' are not", () => {
    const echoes = new PinEchoes();
    echoes.expect("a", { x: 1, y: 2 });
    expect(echoes.isEcho({ op: "pin", id: "a", x: 5, y: 5 })).toBe(false);
    expect(echoes.isEcho({ op: "pin", id: "a", x: 1, y: 2 })).toBe(true);
    expect(echoes.isEcho({ op: "pin", id: "a", x: 1, y: 2 })).toBe(false);
  });
});
