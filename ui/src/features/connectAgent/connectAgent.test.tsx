// @vitest-environment jsdom
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AppContext } from "../../app/AppContext";
import { createApp, type App } from "../../app/createApp";
import { FakeHost } from "../../ipc/fake/fakeHost";
import { IpcError } from "../../ipc/ipcError";
import { t } from "../../strings";
import { ConnectAgentDialog } from "./ConnectAgentDialog";

const CLAUDE_FILE = "~/.claude.json";
const CURSOR_FILE = "~/.cursor/mcp.json";
let host: FakeHost;
let app: App;
const onClose = vi.fn();

async function show({ kind = "window", name, before }: { kind?: "window" | "browser"; name?: string; before?: FakeHost["before"] } = {}): Promise<void> {
  host = new FakeHost(kind);
  host.before = before;
  app = createApp(host);
  host.onEvent((event) => app.session.handle(event));
  await app.session.start();
  open(name);
}

/** Closed, if it was open, and opened anew. */
function open(name?: string): void {
  cleanup();
  render(<QueryClientProvider client={app.queries}><AppContext value={app}><ConnectAgentDialog name={name} onClose={onClose} /></AppContext></QueryClientProvider>);
}

beforeEach(() => void onClose.mockReset());
afterEach(cleanup);

const asked = (command: string) => host.calls.filter((call) => call.command === command).map(({ request }) => request);
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole("button", { name }));
const pick = async (client: string) => press(new RegExp(`^${client}`));
const dialog = () => screen.getByRole("dialog").textContent;
const focused = () => document.activeElement;

/** Until its plan is there the button would do nothing. */
async function connect(client: string): Promise<void> {
  await pick(client);
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: t.clients.connect(client) });
  await waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
  await screen.findByText(t.clients.tried(28));
}

describe("which client", () => {
  it("those of this machine are told first, the others unfold", async () => {
    await show();
    const found = within(await screen.findByRole("list", { name: t.clients.list })).getAllByRole("button");
    expect(found.map((row) => row.textContent)).toEqual([`Claude Code${CLAUDE_FILE} found`, "Codex CLI~/.codex/config.toml found", `Cursor${CURSOR_FILE} found`]);
    expect(screen.queryByText("Zed")).toBeNull();
    await press(t.clients.others(7));
    expect(screen.getByText("Zed")).toBeDefined();
  });

  it("the others stand open where none was found", async () => {
    await show();
    host.clients.installed.clear();
    open();
    expect(await screen.findByText(t.clients.none)).toBeDefined();
    expect(screen.getByText("Zed")).toBeDefined();
  });

  it("something else is always there, whatever fails", async () => {
    await show({
      before: (command) => {
        if (command === "list_clients") throw new IpcError("unavailable", "there is no home folder to look for clients in");
      },
    });
    expect((await screen.findByRole("alert")).textContent).toContain("there is no home folder");
    await pick("Something else");
    expect(focused()).toBe(screen.getByLabelText(t.connect.name));
  });

  it("one that documents no file is left alone, and connected by hand", async () => {
    await show();
    await press(t.clients.others(7));
    await pick("Roo Code");
    expect(screen.getByText(t.clients.noPlace("Roo Code"))).toBeDefined();
    expect(asked("plan_client")).toEqual([]);
    await press(t.clients.byHand);
    expect(screen.getByLabelText<HTMLInputElement>(t.connect.name).value).toBe("roo");
    await press(t.clients.back);
    expect(focused()?.textContent).toContain("Roo Code");
  });
});

describe("what will be changed", () => {
  it("is shown before anything is, with the signs of added lines", async () => {
    await show();
    const before = host.clients.files.get(CLAUDE_FILE);
    await pick("Claude Code");
    const lines = await screen.findByRole("group", { name: t.clients.diff(CLAUDE_FILE, 8, 0) });
    expect(lines.textContent).toContain('+    "graph-mem": {');
    expect(screen.getByText(t.clients.keeps)).toBeDefined();
    expect(screen.getByText("A server of a project must be approved there once.")).toBeDefined();
    const source = screen.getByText("https://code.claude.com/docs/en/mcp");
    expect(source.closest("a"), "a link would lead the window away").toBeNull();
    expect(host.clients.files.get(CLAUDE_FILE)).toBe(before);
    expect(asked("attach_client")).toEqual([]);
  });

  it("is another for the listener, and never shows a token", async () => {
    await show();
    await pick("Cursor");
    fireEvent.click(await screen.findByRole("radio", { name: /^This window's listener/ }));
    expect((await screen.findByRole("group", { name: t.clients.diff(CURSOR_FILE, 10, 0) })).textContent).toContain("Bearer gmt_…");
    expect(screen.getByText(t.clients.makes)).toBeDefined();
  });

  it("leaves no choice where nothing listens, and says so", async () => {
    await show();
    Object.assign(host.info, { mcp_url: undefined, listener_problem: "port 7437 is in use" });
    await app.queries.invalidateQueries();
    await pick("Cursor");
    await screen.findByText(t.clients.change);
    expect(screen.queryByRole("radio")).toBeNull();
    expect(dialog()).toContain("This window cannot be called right now: port 7437 is in use.");
  });

  it("is not told of a file that cannot be read; it can be tried again, or done by hand", async () => {
    await show();
    host.clients.files.set(CURSOR_FILE, "{ broken");
    await pick("Cursor");
    expect((await screen.findByRole("alert")).textContent).toContain("is left as it is");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: t.clients.connect("Cursor") }).disabled).toBe(true);
    host.clients.files.set(CURSOR_FILE, "{}");
    await press(t.app.retry);
    expect(await screen.findByText(t.clients.keeps)).toBeDefined();
  });

  it("makes hidden characters of the file visible", async () => {
    await show();
    host.clients.files.set(CURSOR_FILE, '{\n  "x": "a\u202eb"\n}\n');
    await pick("Cursor");
    await screen.findByText(t.clients.keeps);
    expect(dialog()).toContain("a⟨RLO⟩b");
  });
});

describe("connecting", () => {
  it("writes, tries, and says what was kept; undoing brings the file back", async () => {
    await show();
    const before = host.clients.files.get(CLAUDE_FILE);
    await connect("Claude Code");
    expect(asked("attach_client")).toEqual([{ client: "claude-code", over_http: false, based_on: before }]);
    expect(dialog()).toContain("~/.graphmem/clients/claude-code-user-server");
    expect(screen.getByText(t.agents.promptText)).toBeDefined();
    expect(focused()?.getAttribute("aria-label"), "the page is what is read next").toBe(t.clients.connected("Claude Code"));
    await press(t.clients.undo);
    expect(await screen.findByText(t.clients.undoneTo("restored", CLAUDE_FILE))).toBeDefined();
    expect(host.clients.files.get(CLAUDE_FILE)).toBe(before);
    expect(dialog()).not.toContain(t.clients.tokenStays);
    await press(t.clients.another);
    expect(focused()?.textContent).toContain("Claude Code");
  });

  it("undone, deletes a file that was not there", async () => {
    await show();
    await connect("Cursor");
    expect(dialog()).toContain(t.clients.noCopy);
    await press(t.clients.undo);
    expect(await screen.findByText(t.clients.undoneTo("deleted", CURSOR_FILE))).toBeDefined();
  });

  it("undone after others changed the file, takes out its own part", async () => {
    await show();
    await connect("Cursor");
    host.clients.files.set(CURSOR_FILE, host.clients.files.get(CURSOR_FILE)!.replace('"mcpServers": {', '"mcpServers": {\n    "other": {},'));
    await press(t.clients.undo);
    expect(await screen.findByText(t.clients.undoneTo("taken_out", CURSOR_FILE))).toBeDefined();
    expect(host.clients.files.get(CURSOR_FILE)).toContain("other");
  });

  it("tells a failed trial with what to do, and tries again", async () => {
    await show();
    host.clients.problem = "no answer within 20 s";
    await pick("Cursor");
    await screen.findByText(t.clients.makes);
    await press(t.clients.connect("Cursor"));
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The trial failed: no answer within 20 s.");
    expect(alert.textContent).toContain(t.clients.trialProcess);
    expect(screen.queryByText(t.agents.promptText)).toBeNull();
    host.clients.problem = undefined;
    await press(t.app.retry);
    expect(await screen.findByText(t.clients.tried(28))).toBeDefined();
    expect(screen.getByRole("heading", { name: t.clients.connected("Cursor") })).toBeDefined();
  });

  it("tells where it failed, leaves the button its focus, and shows the change anew", async () => {
    await show();
    await pick("Cursor");
    await screen.findByText(t.clients.makes);
    host.before = (command) => {
      if (command === "attach_client") throw new IpcError("changed_meanwhile", "it was changed meanwhile; look at the change again");
    };
    host.clients.files.set(CURSOR_FILE, '{\n  "new": 1\n}\n');
    const button = screen.getByRole("button", { name: t.clients.connect("Cursor") });
    button.focus();
    fireEvent.click(button);
    expect((await screen.findByRole("alert")).textContent).toContain("look at the change again");
    expect(focused()).toBe(button);
    expect(await screen.findByText(t.clients.keeps)).toBeDefined();
  });

  it("is done once, however often the button is pressed", async () => {
    await show();
    await pick("Cursor");
    await screen.findByText(t.clients.makes);
    host.latency = 20;
    await press(t.clients.connect("Cursor"));
    fireEvent.click(screen.getByRole("button", { name: t.clients.connecting }));
    await screen.findByText(t.clients.tried(28));
    expect(asked("attach_client")).toHaveLength(1);
  });

  it("tells who has closed the dialog meanwhile what came of it", async () => {
    await show();
    await pick("Cursor");
    await screen.findByText(t.clients.makes);
    host.latency = 20;
    await press(t.clients.connect("Cursor"));
    cleanup();
    await waitFor(() => expect(app.stores.toasts.get().map(({ text }) => text)).toEqual([t.clients.lateDone("Cursor", 28)]));
  });
});

describe("a client that is connected already", () => {
  it("can be tested again without a change, or undone", async () => {
    await show();
    await connect("Cursor");
    const written = host.clients.files.get(CURSOR_FILE);
    open();
    await pick("Cursor");
    expect(await screen.findByText(t.clients.isRight)).toBeDefined();
    await press(t.clients.testAgain);
    expect(await screen.findByText(t.clients.unchanged(CURSOR_FILE))).toBeDefined();
    expect(host.clients.files.get(CURSOR_FILE)).toBe(written);
  });

  it("by the listener is seen as such, and its token outlives the undoing", async () => {
    await show();
    await pick("Cursor");
    fireEvent.click(await screen.findByRole("radio", { name: /^This window's listener/ }));
    await screen.findByText(t.clients.makes);
    await press(t.clients.connect("Cursor"));
    await screen.findByText(t.clients.tried(28));
    open();
    await pick("Cursor");
    expect(await screen.findByText(t.clients.isCalling)).toBeDefined();
    fireEvent.click(screen.getByRole("radio", { name: /^Its own process/ }));
    expect(await screen.findByText(t.clients.replaces)).toBeDefined();
    fireEvent.click(screen.getByRole("radio", { name: /^This window's listener/ }));
    await press(t.clients.undo);
    expect(await screen.findByText(t.clients.tokenStays)).toBeDefined();
  });
});

describe("teaching", () => {
  it("writes instructions for what the memory is for, and says what undoing leaves", async () => {
    await show();
    await connect("Claude Code");
    fireEvent.click(screen.getByRole("radio", { name: t.clients.domains.research }));
    await press(t.clients.teach);
    const file = "~/.claude-code/skills/graph-mem/SKILL.md";
    expect(await screen.findByText(t.clients.taught(file))).toBeDefined();
    expect(asked("teach_client")).toEqual([{ client: "claude-code", domain: "research" }]);
    await press(t.clients.undo);
    expect(await screen.findByText(t.clients.taughtStays(file))).toBeDefined();
  });

  it("is not offered where there is no place for instructions", async () => {
    await show();
    await press(t.clients.others(7));
    await connect("Claude Desktop");
    expect(screen.queryByRole("button", { name: t.clients.teach })).toBeNull();
  });
});

describe("by hand", () => {
  it("is all a browser offers", async () => {
    await show({ kind: "browser" });
    expect(focused()).toBe(screen.getByLabelText(t.connect.name));
    expect(screen.queryByRole("button", { name: t.clients.back })).toBeNull();
    expect(asked("list_clients")).toEqual([]);
  });

  it("is where a new token is asked for, with the name given", async () => {
    await show({ name: "cursor" });
    expect(screen.getByLabelText<HTMLInputElement>(t.connect.name).value).toBe("cursor");
    await press(t.connect.create);
    expect(await screen.findByText(t.connect.token)).toBeDefined();
  });

  it("leads to the agents there are", async () => {
    await show({ kind: "browser" });
    host.agents.set("cursor", {});
    await app.queries.invalidateQueries();
    await press(t.status.agents(1));
    expect(onClose).toHaveBeenCalled();
    expect(app.stores.panels.get()).toMatchObject({ right: true, tab: "agents" });
  });
});
