// @vitest-environment jsdom
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AppContext } from "../../app/AppContext";
import { createApp, type App } from "../../app/createApp";
import { agent, type FakeGraph } from "../../ipc/fake/fakeGraph";
import { FakeHost } from "../../ipc/fake/fakeHost";
import { addEntity, addRelationship, deleteEntities } from "../../ipc/fake/fakeWrites";
import { IpcError } from "../../ipc/ipcError";
import { t } from "../../strings";
import { TrashDialog } from "./TrashDialog";

const CLAUDE = agent("claude-code");
let host: FakeHost;
let app: App;
let graph: FakeGraph;
let ids: string[];
const onClose = vi.fn();

beforeEach(async () => {
  onClose.mockReset();
  host = new FakeHost();
  graph = host.addGraph("notes");
  ids = ["Ada", "Grace", "Edsger"].map((name) => addEntity(graph, CLAUDE, { name, entity_type: "person", description: "", observations: [`about ${name}`] }).id!);
  addRelationship(graph, CLAUDE, { source_id: ids[0]!, target_id: ids[1]!, relationship_type: "knows", weight: 1 });
  // The relation goes with Grace, whom it hangs on first.
  deleteEntities(graph, CLAUDE, [ids[1]!]);
  deleteEntities(graph, CLAUDE, [ids[0]!]);
  app = createApp(host);
  host.onEvent((event) => app.session.handle(event));
  await app.session.start();
  render(<QueryClientProvider client={app.queries}><AppContext value={app}><TrashDialog onClose={onClose} /></AppContext></QueryClientProvider>);
  await screen.findByText("Ada");
});
afterEach(cleanup);

const toasts = () => app.stores.toasts.get().map(({ text }) => text);
const select = (name: string) => fireEvent.click(screen.getByRole("checkbox", { name: t.trash.select(name) }));

describe("the trash", () => {
  it("tells what went with a thing, by whom, and until when it is there", () => {
    const row = screen.getByText("Grace").closest("li")!;
    expect(row.textContent).toContain("with 1 observation and 1 relation");
    expect(row.textContent).toContain("deleted by claude-code, just now");
    expect(row.textContent).toContain("gone for good in 30 days");
  });

  it("gives one thing back, names it, and selects it", async () => {
    fireEvent.click(screen.getByRole("button", { name: t.trash.restoreOne("Ada") }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(toasts()).toEqual(["Restored “Ada” with 1 observation"]);
    await waitFor(() => expect(app.stores.selection.get().ids).toEqual([ids[0]]));
    expect(graph.entities.get(ids[0]!)?.name).toBe("Ada");
  });

  it("says what stays in it", async () => {
    fireEvent.click(screen.getByRole("button", { name: t.trash.restoreOne("Grace") }));
    await waitFor(() => expect(toasts()).toEqual(["Restored “Grace” with 1 observation. 1 relation stays in the trash, because the other end is not there"]));
  });

  it("gives several back at once", async () => {
    select("Ada");
    select("Grace");
    fireEvent.click(screen.getByText(t.trash.restoreMany(2)));
    await waitFor(() => expect(toasts()).toEqual(["Restored 2 entities, 2 observations and 1 relation"]));
    await waitFor(() => expect(app.stores.selection.get().ids).toEqual([ids[0], ids[1]]));
  });

  it("names what stands in the way and gives nothing back", async () => {
    host.before = (command) => {
      if (command === "restore_from_trash") throw new IpcError("conflict", "…", "…", [{ object_kind: "entity", object_id: ids[0], field: "", reason: "it exists again" }]);
    };
    fireEvent.click(screen.getByRole("button", { name: t.trash.restoreOne("Ada") }));
    await waitFor(() => expect(toasts()).toEqual(["Not restored: “Ada”: it exists again. Nothing was restored"]));
    expect(onClose).not.toHaveBeenCalled();
  });

  it("is emptied only after it was asked again", async () => {
    fireEvent.click(screen.getByText(t.trash.empty));
    fireEvent.click(screen.getByText(t.app.cancel));
    expect(screen.getByText("Ada")).toBeDefined();
    fireEvent.click(screen.getByText(t.trash.empty));
    fireEvent.click(screen.getByText(t.trash.emptyNow));
    expect(await screen.findByText(t.trash.none)).toBeDefined();
    expect(host.calls.find(({ command }) => command === "empty_trash")?.request).toEqual({ graph: "notes" });
  });

  it("loses only what was selected, if something is", async () => {
    select("Grace");
    fireEvent.click(screen.getByText(t.trash.deleteMany(1)));
    fireEvent.click(screen.getByText(t.trash.deleteNow));
    await waitFor(() => expect(screen.queryByText("Grace")).toBeNull());
    expect(screen.getByText("Ada")).toBeDefined();
  });
});
