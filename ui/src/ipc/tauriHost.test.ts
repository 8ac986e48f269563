import { beforeEach, describe, expect, it, vi } from "vitest";
import { IpcError } from "./ipcError";
import { createTauriHost } from "./tauriHost";

const invoke = vi.hoisted(() => vi.fn<(command: string, args?: unknown) => Promise<unknown>>());
const listen = vi.hoisted(() => vi.fn<(name: string, handler: (event: { payload: unknown }) => void) => Promise<() => void>>());
vi.mock("@tauri-apps/api/core", () => ({ invoke }));
vi.mock("@tauri-apps/api/event", () => ({ listen }));

beforeEach(() => {
  invoke.mockReset();
  listen.mockReset();
});

describe("the window's host", () => {
  it("sends every command through one door", async () => {
    invoke.mockResolvedValue({ graphs: [] });
    await createTauriHost().call("list_graphs", {});
    expect(invoke).toHaveBeenCalledWith("call", { command: "list_graphs", arguments: {} });
  });

  it("keeps code, hint and details of a rejection", async () => {
    invoke.mockRejectedValue({ code: "changed_meanwhile", message: "no", hint: "h", details: { updated_at: 2 } });
    const error: unknown = await createTauriHost().call("undo", { graph: "g" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(IpcError);
    expect(error).toMatchObject({ code: "changed_meanwhile", hint: "h", details: { updated_at: 2 } });
  });

  it("gives a code to rejections that have none", async () => {
    invoke.mockRejectedValue("command call not allowed");
    await expect(createTauriHost().call("list_graphs", {})).rejects.toMatchObject({ code: "failed", message: "command call not allowed" });
  });

  it.each([Uint8Array.of(1, 2).buffer, Uint8Array.of(1, 2), [1, 2]])("takes the scene as bytes however they come", async (reply) => {
    invoke.mockResolvedValue(reply);
    const bytes = await createTauriHost().call("scene", { graph: "g" });
    expect([...new Uint8Array(bytes)]).toEqual([1, 2]);
  });

  it("exports where the person said, or not at all", async () => {
    invoke.mockImplementation((command) => Promise.resolve(command === "pick_export" ? "/tmp/x.json" : { path: "/tmp/x.json" }));
    await expect(createTauriHost().saveExport("g")).resolves.toBe("/tmp/x.json");
    invoke.mockResolvedValue(null);
    await expect(createTauriHost().saveExport("g")).resolves.toBeNull();
    expect(invoke).toHaveBeenLastCalledWith("pick_export", { suggested: "g.json" });
  });

  it("stops listening even when asked before it began", async () => {
    const stop = vi.fn();
    listen.mockResolvedValue(stop);
    createTauriHost().onEvent(() => undefined)();
    await Promise.resolve();
    await Promise.resolve();
    expect(stop).toHaveBeenCalled();
  });
});
