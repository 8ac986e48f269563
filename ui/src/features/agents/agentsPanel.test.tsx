// @vitest-environment jsdom
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppContext } from "../../app/AppContext";
import { createApp, type App } from "../../app/createApp";
import { agent, type FakeGraph } from "../../ipc/fake/fakeGraph";
import { FakeHost } from "../../ipc/fake/fakeHost";
import { addEntity } from "../../ipc/fake/fakeWrites";
import type { AgentSession } from "../../ipc/parts";
import { t } from "../../strings";
import { ActivityPanel } from "../activity/ActivityPanel";
import { PresenceState } from "../statusBar/PresenceState";
import { AgentsPanel } from "./AgentsPanel";

const CLAUDE = agent("claude-code");
let host: FakeHost;
let app: App;
let graph: FakeGraph;
let ids: string[];

const session = (calls: number): AgentSession => ({ client: "claude-code 2.1", transport: "stdio", is_here: true, graph: "notes", connected_at: 1000, last_seen: Date.now() / 1000, reads: calls, writes: 0, reads_minute: calls, writes_minute: 0 });
const asked = (command: string) => host.calls.filter((call) => call.command === command).map(({ request }) => request);
const card = async (name: string) => within(await screen.findByRole("listitem", { name }));

beforeEach(async () => {
  host = new FakeHost();
  graph = host.addGraph("notes");
  host.addGraph("other");
  ids = ["Ada", "Grace", "Edsger", "Barbara"].map((name) => addEntity(graph, CLAUDE, { name, entity_type: "person", description: "", observations: [] }).id!);
  host.agents.set("claude-code", { created_at: 1, last_seen: Date.now() / 1000, sessions: [session(12)] });
  host.agents.set("script", { stdio_only: true, last_seen: Date.now() / 1000, sessions: [session(0)] });
  app = createApp(host);
  host.onEvent((event) => app.session.handle(event));
  await app.session.start();
});
afterEach(cleanup);

function show(what = <AgentsPanel />): void {
  render(<QueryClientProvider client={app.queries}><AppContext value={app}>{what}</AppContext></QueryClientProvider>);
}

describe("the Agents panel", () => {
  it("tells where each agent works and how busy it is", async () => {
    show();
    const claude = await card("claude-code");
    expect(claude.getByText("at work")).toBeDefined();
    expect(claude.getByText("12 reads, 0 writes a minute")).toBeDefined();
    expect(claude.getByText("Read, write and delete · all graphs")).toBeDefined();
  });

  it("marks configurations that lead nowhere while the kept port is taken", async () => {
    Object.assign(host.info, { mcp_url: undefined, listener_problem: "port 7437 is in use" });
    app.queries.clear();
    show();
    const claude = await card("claude-code");
    expect(await claude.findByText(t.agents.stale("port 7437 is in use"))).toBeDefined();
    // A process of its own needs no port.
    expect((await card("script")).queryByText(t.agents.stale("port 7437 is in use"))).toBeNull();
  });

  it("pauses one and lets it go on", async () => {
    show();
    fireEvent.click((await card("claude-code")).getByText(t.agents.pause));
    await screen.findByText("paused · at work");
    expect(asked("pause_agent")).toEqual([{ name: "claude-code", paused: true }]);
    fireEvent.click((await card("claude-code")).getByText(t.agents.resume));
    await waitFor(() => expect(screen.queryByText("paused · at work")).toBeNull());
  });

  it("pauses all, and then none alone can go on", async () => {
    show();
    fireEvent.click(await screen.findByText(t.agents.pauseAll));
    await screen.findByText(t.agents.allPaused);
    expect(asked("pause_agent")).toEqual([{ paused: true }]);
    expect((await card("script")).getByText<HTMLButtonElement>(t.agents.resume).disabled).toBe(true);
  });

  it("asks for at least one graph before it saves rights", async () => {
    show();
    fireEvent.click((await card("claude-code")).getByText(t.rights.change));
    fireEvent.click(screen.getByRole("radio", { name: /^Read only/ }));
    fireEvent.click(screen.getByRole("radio", { name: t.rights.some }));
    fireEvent.click(screen.getByText(t.app.save));
    expect((await screen.findByRole("alert")).textContent).toContain(t.rights.chooseOne);
    expect(asked("set_agent_rights")).toEqual([]);
    fireEvent.click(screen.getByRole("checkbox", { name: "other" }));
    fireEvent.click(screen.getByText(t.app.save));
    await screen.findByText("Read only · other");
    expect(asked("set_agent_rights")).toEqual([{ name: "claude-code", rights: { write: false, delete: false, delete_for_good: false, graphs: ["other"] } }]);
  });

  it("has no token to speak of for a process of its own, rights by its name, and the words for its beginning", async () => {
    show();
    const script = await card("script");
    expect(script.getByText(t.rights.change)).toBeDefined();
    expect(script.queryByRole("button", { name: t.agents.more("script") })).toBeNull();
    expect(script.getByText(t.agents.promptText)).toBeDefined();
    expect((await card("claude-code")).queryByText(t.agents.promptText)).toBeNull();
  });

  it("revokes only after it was asked again", async () => {
    show();
    fireEvent.click((await card("claude-code")).getByRole("button", { name: t.agents.more("claude-code") }));
    fireEvent.click(screen.getByRole("menuitem", { name: t.agents.revoke }));
    expect(asked("revoke_agent")).toEqual([]);
    fireEvent.click(await screen.findByText(t.connect.revoke));
    await waitFor(() => expect(screen.queryByRole("listitem", { name: "claude-code" })).toBeNull());
  });

  it("names the one thing to do while there is no agent", async () => {
    host.agents.clear();
    show();
    fireEvent.click(await screen.findByText(t.agents.connect));
    expect(app.stores.dialog.get()).toEqual({ kind: "connect" });
    expect(screen.queryByText(t.agents.pauseAll)).toBeNull();
  });
});

describe("the chip", () => {
  it("opens the panel, and hears of agents without being told", async () => {
    host.agents.clear();
    show(<PresenceState />);
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(screen.queryByRole("button")).toBeNull();
    host.agents.set("claude-code", { last_seen: Date.now() / 1000, sessions: [session(1)] });
    fireEvent.click(await screen.findByText("1 agent at work", {}, { timeout: 4_000 }));
    expect(app.stores.panels.get()).toMatchObject({ right: true, tab: "agents" });
  });
});

describe("one agent's changes", () => {
  it("stand alone until everybody's are wanted", async () => {
    addEntity(graph, agent("cursor"), { name: "Alan", entity_type: "person", description: "", observations: [] });
    show(<ActivityPanel graph="notes" />);
    expect(await screen.findByRole("region", { name: "cursor" })).toBeDefined();
    act(() => app.stores.agents.set((view) => ({ ...view, changesOf: "claude-code" })));
    expect(await screen.findByRole("region", { name: "claude-code" })).toBeDefined();
    expect(screen.queryByRole("region", { name: "cursor" })).toBeNull();
    fireEvent.click(screen.getByText(t.activity.everybody));
    expect(await screen.findByRole("region", { name: "cursor" })).toBeDefined();
  });
});

describe("questions", () => {
  const ask = (query: string, found: string[], part = {}) => host.agents.ask({ time: Date.now() / 1000, agent: "claude-code", graph: "notes", tool: "search_nodes", query, found: found.map((id) => ({ id })), ...part });
  const showQuestions = () => {
    act(() => app.stores.agents.set((view) => ({ ...view, tab: "questions" })));
    show();
  };

  it("light what they found, and a chip goes to one of them", async () => {
    ask("who was first", [...ids, "deleted-since"]);
    showQuestions();
    fireEvent.click(await screen.findByText("who was first"));
    expect(app.stores.selection.get().ids).toEqual(ids);
    expect(screen.getByText(t.questions.gone(1))).toBeDefined();
    fireEvent.click(screen.getByText("Barbara"));
    expect(app.stores.selection.get().ids).toEqual([ids[3]]);
  });

  it("of another graph select nothing here by themselves", async () => {
    ask("elsewhere", [ids[0]!], { graph: "other" });
    showQuestions();
    fireEvent.click(await screen.findByText("elsewhere"));
    expect(app.stores.selection.get().ids).toEqual([]);
    expect(app.session.graph).toBe("notes");
  });

  it("are text, whatever they say", async () => {
    ask("<img src=x onerror=alert(1)>\u202e", []);
    showQuestions();
    expect((await screen.findByText(/<img src=x/)).textContent).toContain("⟨RLO⟩");
    expect(document.querySelector("img")).toBeNull();
    expect(screen.getByText(t.questions.nothing)).toBeDefined();
  });

  it("come page by page, and of one agent alone if wanted", async () => {
    for (let n = 0; n < 50; n++) ask(`question ${n}`, []);
    host.agents.ask({ time: 1, agent: "cursor", graph: "notes", tool: "get_entity", query: "Ada", found: [] });
    showQuestions();
    fireEvent.click(await screen.findByText(t.questions.older));
    await screen.findByText("question 0");
    act(() => app.stores.agents.set((view) => ({ ...view, questionsOf: "cursor" })));
    await waitFor(() => expect(screen.queryByText("question 49")).toBeNull());
    expect(await screen.findByText("Ada")).toBeDefined();
    fireEvent.click(screen.getByText(t.questions.everybody));
    expect(await screen.findByText("question 49")).toBeDefined();
  });
});
