// @vitest-environment jsdom
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppContext } from "../../app/AppContext";
import { createApp, type App } from "../../app/createApp";
import { followSelection } from "../../app/inspector";
import { agent, type FakeGraph } from "../../ipc/fake/fakeGraph";
import { FakeHost } from "../../ipc/fake/fakeHost";
import { addEntity, addObservation, addRelationship, deleteEntities, updateEntity, updateObservation, updateRelationship } from "../../ipc/fake/fakeWrites";
import { selectOnly } from "../../state/selection/selection";
import { t } from "../../strings";
import { DetailPanel } from "./DetailPanel";

const CLAUDE = agent("claude-code");
let host: FakeHost;
let app: App;
let graph: FakeGraph;
let id: string;
let time: number;

beforeEach(async () => {
  time = 1000;
  host = new FakeHost("window", () => (time += 1));
  graph = host.addGraph("notes");
  id = addEntity(graph, CLAUDE, { name: "Ada", entity_type: "person", description: "first", observations: ["likes numbers"] }).id!;
  app = createApp(host);
  host.onEvent((event) => app.session.handle(event));
  followSelection(app.stores, app.scene.nodes);
  await app.session.start();
  app.stores.selection.set((selection) => selectOnly(selection, [id]));
  render(
    <QueryClientProvider client={app.queries}>
      <AppContext value={app}>
        <DetailPanel graph="notes" />
      </AppContext>
    </QueryClientProvider>,
  );
  await screen.findByText(/changed by claude-code/);
});
afterEach(cleanup);

const edit = (label: string) => {
  fireEvent.click(screen.getByRole("button", { name: `${t.detail.edit}: ${label}` }));
  return screen.getByRole<HTMLInputElement>("textbox", { name: label });
};
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const byAgent = (change: (g: FakeGraph) => void) => act(async () => {
  host.by("notes", CLAUDE, (g) => change(g));
  await new Promise((resolve) => setTimeout(resolve, 120));
});
const entity = () => graph.entities.get(id)!;

describe("editing in place", () => {
  it("saves on Enter and shows what the host made of it", async () => {
    const field = edit(t.detail.name);
    type(field, "  Ada Lovelace ");
    fireEvent.keyDown(field, { key: "Enter" });
    await screen.findByText("Ada Lovelace");
    expect(entity().name).toBe("Ada Lovelace");
  });

  it("puts back what was there on Esc", () => {
    const field = edit(t.detail.name);
    type(field, "nonsense");
    fireEvent.keyDown(field, { key: "Escape" });
    expect(screen.getByText("Ada")).toBeDefined();
    expect(entity().name).toBe("Ada");
  });

  it("says at the field why a name is refused, and keeps what was typed", async () => {
    const field = edit(t.detail.name);
    type(field, "   ");
    fireEvent.keyDown(field, { key: "Enter" });
    expect((await screen.findByRole("alert")).textContent).toContain("blank");
    expect(field.value).toBe("   ");
  });

  it("writes nothing when nothing changed", () => {
    const field = edit(t.detail.description);
    fireEvent.blur(field);
    expect(host.calls.some((call) => call.command === "update_entity")).toBe(false);
  });
});

describe("an agent writes while the person types", () => {
  it("never touches the text, and says so quietly", async () => {
    const field = edit(t.detail.description);
    type(field, "mine");
    await byAgent((g) => updateEntity(g, CLAUDE, { id, description: "theirs" }));
    expect(field.value).toBe("mine");
    expect(screen.getByRole("status").textContent).toContain("theirs");
  });

  it("takes another field's change along without asking", async () => {
    const field = edit(t.detail.description);
    type(field, "mine");
    await byAgent((g) => updateEntity(g, CLAUDE, { id, name: "Ada L." }));
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
    await waitFor(() => expect(entity()).toMatchObject({ description: "mine", name: "Ada L." }));
  });

  it("does so even when the change was not heard of yet", async () => {
    const field = edit(t.detail.description);
    type(field, "mine");
    updateEntity(graph, CLAUDE, { id, name: "Ada L." });
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
    await waitFor(() => expect(entity()).toMatchObject({ description: "mine", name: "Ada L." }));
  });

  const clash = async () => {
    const field = edit(t.detail.description);
    type(field, "mine");
    updateEntity(graph, CLAUDE, { id, description: "theirs" });
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
    await screen.findByText(t.conflict.title);
    expect(entity().description, "nothing is overwritten unasked").toBe("theirs");
    return field;
  };

  it("offers mine, theirs and both: mine", async () => {
    await clash();
    fireEvent.click(screen.getByText(t.conflict.mine));
    await waitFor(() => expect(entity().description).toBe("mine"));
  });

  it("theirs", async () => {
    await clash();
    fireEvent.click(screen.getByText(t.conflict.theirs));
    await screen.findByText("theirs");
    expect(entity().description).toBe("theirs");
  });

  it("both, to be finished by hand", async () => {
    await clash();
    fireEvent.click(screen.getByText(t.conflict.both));
    const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: t.detail.description });
    expect(field.value).toBe("theirs\n\nmine");
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
    await waitFor(() => expect(entity().description).toBe("theirs\n\nmine"));
  });

  it("compares observations before writing over them", async () => {
    const observation = [...graph.observations.keys()][0]!;
    const field = edit(t.detail.observation);
    type(field, "loves numbers");
    updateObservation(graph, CLAUDE, { id: observation, content: "hates numbers" });
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
    await screen.findByText(t.conflict.title);
    expect(graph.observations.get(observation)?.content).toBe("hates numbers");
  });

  it("keeps the text of an observation that is deleted meanwhile, and saves it as a new one", async () => {
    const observation = [...graph.observations.keys()][0]!;
    const field = edit(t.detail.observation);
    type(field, "loves numbers");
    await byAgent((g) => g.transact(CLAUDE, "delete_observations", (put) => put("observation", observation, undefined)));
    const kept = screen.getByRole<HTMLTextAreaElement>("textbox", { name: t.detail.observation });
    expect(kept.value).toBe("loves numbers");
    fireEvent.keyDown(kept, { key: "Enter", ctrlKey: true });
    await waitFor(() => expect([...graph.observations.values()].map(({ content }) => content)).toEqual(["loves numbers"]));
  });

  it("rescues the text when the whole entity is deleted", async () => {
    const field = edit(t.detail.description);
    type(field, "a long thought");
    await byAgent((g) => deleteEntities(g, CLAUDE, [id]));
    act(() => app.stores.selection.set((selection) => selectOnly(selection, [])));
    expect(await screen.findByText("a long thought")).toBeDefined();
    fireEvent.click(screen.getByText(t.detail.recreate));
    await waitFor(() => expect([...graph.entities.values()]).toMatchObject([{ name: "Ada", description: "a long thought" }]));
  });
});

describe("everything an entity has", () => {
  it("shows markup as text", async () => {
    await byAgent((g) => updateEntity(g, CLAUDE, { id, name: "<img src=x onerror=alert(1)>" }));
    expect(await screen.findByText("<img src=x onerror=alert(1)>")).toBeDefined();
    expect(document.querySelector("img")).toBeNull();
  });

  it("says how many observations there are and shows them on request", async () => {
    await byAgent((g) => {
      for (let n = 0; n < 60; n++) addObservation(g, CLAUDE, { entity_id: id, content: `note ${n}` });
    });
    fireEvent.click(await screen.findByText("Show all 61"));
    await waitFor(() => expect(screen.getByText("note 0")).toBeDefined());
    expect(screen.queryByText("Show all 61")).toBeNull();
  });

  it("shows any number of observations, some hundred at a time", async () => {
    await byAgent((g) => {
      for (let n = 0; n < 700; n++) addObservation(g, CLAUDE, { entity_id: id, content: `note ${n}` });
    });
    fireEvent.click(await screen.findByText("Show 500 of 651 more"));
    fireEvent.click(await screen.findByText("Show all 701", undefined, { timeout: 5000 }));
    await waitFor(() => expect(screen.getByText("note 0")).toBeDefined(), { timeout: 5000 });
    expect(screen.getAllByText(/^note \d+$/)).toHaveLength(700);
  });

  it("names who changed it", () => {
    expect(screen.getByText(/changed by claude-code/)).toBeDefined();
  });
});

describe("a relation by itself", () => {
  let relation: string;
  beforeEach(async () => {
    const target = addEntity(graph, CLAUDE, { name: "Engine", entity_type: "machine", description: "", observations: [] }).id!;
    relation = addRelationship(graph, CLAUDE, { source_id: id, target_id: target, relationship_type: "describes", weight: 0.5 }).id!;
    updateRelationship(graph, CLAUDE, { id: relation, properties: { since: 1843 } });
    act(() => app.stores.relationship.set(() => relation));
    await screen.findByText("describes");
  });
  const now = () => graph.relations.get(relation);

  it("takes the place of what was selected, and gives it back to the next that is", () => {
    expect(app.stores.selection.get().ids).toEqual([]);
    act(() => app.stores.selection.set((selection) => selectOnly(selection, [id])));
    expect(app.stores.relationship.get()).toBeNull();
  });

  it("tells its ends, weight, properties and who wrote it, and each is edited where it stands", async () => {
    expect(screen.getByText("Ada")).toBeDefined();
    expect(screen.getByText("Engine")).toBeDefined();
    expect(screen.getByText(/changed by claude-code/)).toBeDefined();
    for (const [label, text] of [[t.detail.type, "explains"], [t.detail.weight, "0.75"], ["since", "1842"]] as const) {
      const field = screen.queryByRole("combobox", { name: label }) ?? (fireEvent.click(screen.getByRole("button", { name: `${t.detail.edit}: ${label}` })), screen.getByLabelText<HTMLInputElement>(label));
      type(field, text);
      fireEvent.keyDown(field, { key: "Enter" });
      fireEvent.blur(field);
      await screen.findByText(text);
    }
    expect(now()).toMatchObject({ relationship_type: "explains", weight: 0.75, properties: { since: 1842 } });
  });

  it("refuses a weight that is none, and keeps what was typed", async () => {
    const field = edit(t.detail.weight);
    type(field, "7");
    fireEvent.keyDown(field, { key: "Enter" });
    expect((await screen.findByRole("alert")).textContent).toContain(t.detail.weightRange);
    expect(field.value).toBe("7");
    expect(now()?.weight).toBe(0.5);
  });

  it("lets both stand when an agent changed the same field, and saves nothing meanwhile", async () => {
    const field = edit(t.detail.weight);
    type(field, "0.9");
    await byAgent((g) => updateRelationship(g, CLAUDE, { id: relation, weight: 0.1 }));
    fireEvent.keyDown(field, { key: "Enter" });
    await waitFor(() => expect(screen.getByRole("button", { name: t.conflict.mine })).toBeDefined());
    expect(now()?.weight).toBe(0.1);
    fireEvent.click(screen.getByRole("button", { name: t.conflict.mine }));
    await waitFor(() => expect(now()?.weight).toBe(0.9));
  });

  it("keeps what was typed when an agent deletes it", async () => {
    type(edit(t.detail.weight), "0.8");
    await byAgent((g) => g.transact(CLAUDE, "delete_relationships", (put) => put("relationship", relation, undefined)));
    expect((await screen.findByRole("alert")).textContent).toBe(t.relation.gone);
    expect(screen.getByText("0.8")).toBeDefined();
  });

  it("keeps a property that is being written when an agent deletes it, and saving makes it again", async () => {
    const field = edit("since");
    type(field, "1850");
    await byAgent((g) => updateRelationship(g, CLAUDE, { id: relation, properties: {} }));
    expect(field.isConnected).toBe(true);
    expect(field.value).toBe("1850");
    fireEvent.keyDown(field, { key: "Enter" });
    await waitFor(() => expect(screen.getByRole("button", { name: t.conflict.mine })).toBeDefined());
    fireEvent.click(screen.getByRole("button", { name: t.conflict.mine }));
    await waitFor(() => expect(now()?.properties).toEqual({ since: 1850 }));
  });

  it("keeps a new property that is being typed when an agent deletes what it is written about", async () => {
    fireEvent.click(screen.getByRole("button", { name: t.detail.addProperty }));
    type(screen.getByLabelText(t.detail.key), "colour");
    type(screen.getByLabelText(t.detail.value), "teal");
    await byAgent((g) => g.transact(CLAUDE, "delete_relationships", (put) => put("relationship", relation, undefined)));
    await screen.findByText(t.relation.gone);
    expect(screen.getByText("colour")).toBeDefined();
    expect(screen.getByText("teal")).toBeDefined();
  });

  it("has no both for two weights", async () => {
    const field = edit(t.detail.weight);
    type(field, "0.9");
    await byAgent((g) => updateRelationship(g, CLAUDE, { id: relation, weight: 0.1 }));
    fireEvent.keyDown(field, { key: "Enter" });
    await screen.findByRole("button", { name: t.conflict.mine });
    expect(screen.queryByRole("button", { name: t.conflict.both })).toBeNull();
  });

  it("is not turned into one that is there already", async () => {
    const { source_id, target_id } = now()!;
    addRelationship(graph, CLAUDE, { source_id: target_id, target_id: source_id, relationship_type: "describes", weight: 1 });
    fireEvent.click(screen.getByRole("button", { name: t.detail.flip }));
    await waitFor(() => expect(app.stores.toasts.get().some(({ text }) => text === t.relation.twin)).toBe(true));
    expect(now()).toMatchObject({ weight: 0.5, properties: { since: 1843 } });
  });

  it("turned round after typing, it has what was typed", async () => {
    const field = edit(t.detail.weight);
    type(field, "0.25");
    fireEvent.blur(field);
    fireEvent.click(screen.getByRole("button", { name: t.detail.flip }));
    await waitFor(() => expect(now()).toBeUndefined());
    expect([...graph.relations.values()].find((each) => each.target_id === id)?.weight).toBe(0.25);
  });

  it("says so when it was deleted already, and offers to undo nothing", async () => {
    const remove = screen.getByRole("button", { name: t.relation.remove });
    host.by("notes", CLAUDE, (g) => g.transact(CLAUDE, "delete_relationships", (put) => put("relationship", relation, undefined)));
    fireEvent.click(remove);
    await waitFor(() => expect(app.stores.toasts.get().map(({ text, action }) => [text, action])).toContainEqual([t.undo.goneAlready, undefined]));
  });

  it("turned round, it is another one with the same properties", async () => {
    fireEvent.click(screen.getByRole("button", { name: t.detail.flip }));
    await waitFor(() => expect(now()).toBeUndefined());
    const turned = [...graph.relations.values()].find((each) => each.target_id === id);
    expect(turned).toMatchObject({ relationship_type: "describes", weight: 0.5, properties: { since: 1843 } });
    expect(app.stores.relationship.get()).toBe(turned!.id);
  });
});
