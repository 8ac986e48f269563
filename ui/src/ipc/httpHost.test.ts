// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import type { Event } from "./generated/wire";
import { createHttpHost, openSession } from "./httpHost";
import { IpcError } from "./ipcError";

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

class FakeSocket {
  static all: FakeSocket[] = [];
  onopen: (() => void) | undefined;
  onmessage: ((message: { data: unknown }) => void) | undefined;
  onclose: (() => void) | undefined;
  readonly sent: string[] = [];
  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.onclose?.();
  }
}
const openSocket = (url: string) => new FakeSocket(url) as unknown as WebSocket;

describe("the browser's host", () => {
  it("trades the code for a token", async () => {
    const fetch = vi.fn(() => Promise.resolve(json(200, { token: "secret" })));
    await expect(openSession("abc", fetch)).resolves.toBe("secret");
    expect(fetch).toHaveBeenCalledWith("/api/session", expect.objectContaining({ method: "POST", body: '{"code":"abc"}' }));
  });

  it("says that a used code needs a fresh link", async () => {
    await expect(openSession("abc", () => Promise.resolve(json(401, { code: "unauthorized", message: "no" })))).rejects.toMatchObject({ code: "session_expired" });
  });

  it("sends the token in the header and never in the address", async () => {
    const fetch = vi.fn((_path: string, _init: RequestInit) => Promise.resolve(json(200, { graphs: [] })));
    await createHttpHost({ token: "secret", fetch }).call("list_graphs", {});
    const [path, init] = fetch.mock.calls[0]!;
    expect(path).toBe("/api/call/list_graphs");
    expect(init.headers).toMatchObject({ Authorization: "Bearer secret" });
    expect(path + (init.body as string)).not.toContain("secret");
  });

  it("hands bytes over as a buffer", async () => {
    const fetch = () => Promise.resolve(new Response(new Uint8Array([1, 2, 3]), { headers: { "content-type": "application/octet-stream" } }));
    const reply = await createHttpHost({ token: "t", fetch }).call("scene", { graph: "g" });
    expect(new Uint8Array(reply)).toEqual(Uint8Array.of(1, 2, 3));
  });

  it("turns a failure into an error with code, hint and details", async () => {
    const body = { code: "conflict", message: "no", hint: "look", details: [1] };
    const host = createHttpHost({ token: "t", fetch: () => Promise.resolve(json(409, body)) });
    const error: unknown = await host.call("undo", { graph: "g" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(IpcError);
    expect(error).toMatchObject(body);
  });

  it("has a code even when the answer is no JSON, or there is none", async () => {
    const broken = createHttpHost({ token: "t", fetch: () => Promise.resolve(new Response("<html>", { status: 502 })) });
    await expect(broken.call("list_graphs", {})).rejects.toMatchObject({ code: "failed" });
    const gone = createHttpHost({ token: "t", fetch: () => Promise.reject(new TypeError("fetch failed")) });
    await expect(gone.call("list_graphs", {})).rejects.toMatchObject({ code: "unreachable" });
  });

  it("tells that the session ended, whoever asked", async () => {
    const host = createHttpHost({ token: "t", fetch: () => Promise.resolve(json(401, { code: "unauthorized", message: "no" })) });
    const seen: string[] = [];
    host.onConnection((state) => seen.push(state));
    await expect(host.call("list_graphs", {})).rejects.toMatchObject({ code: "session_expired" });
    expect(seen).toEqual(["expired"]);
  });

  it("has frames over the socket once it is open, over HTTP before and after, and waits for none that was lost", async () => {
    FakeSocket.all = [];
    const fetch = vi.fn(() => Promise.resolve(new Response(new Uint8Array([9]), { headers: { "content-type": "application/octet-stream" } })));
    const host = createHttpHost({ token: "t", fetch, openSocket });
    host.onEvent(() => undefined);
    const ask = () => host.call("layout_frame", { layout: 7, after: 3 });
    expect(new Uint8Array(await ask())).toEqual(Uint8Array.of(9));
    const socket = FakeSocket.all[0]!;
    socket.onopen?.();
    const [first, second, third] = [ask(), ask(), ask()];
    expect(socket.sent.slice(1).map((text) => JSON.parse(text) as unknown)).toEqual([1, 2, 3].map((id) => ({ id, layout: 7, after: 3 })));
    socket.onmessage?.({ data: Uint8Array.of(2, 0, 0, 0, 5, 6).buffer });
    expect(new Uint8Array(await second)).toEqual(Uint8Array.of(5, 6));
    socket.onmessage?.({ data: '{"id":1,"error":{"code":"not_found","message":"this layout is over"}}' });
    await expect(first).rejects.toMatchObject({ code: "not_found" });
    socket.onclose?.();
    await expect(third).rejects.toMatchObject({ code: "unreachable" });
    await ask();
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it("opens the socket with the token first, passes events on and comes back after a loss", () => {
    vi.useFakeTimers();
    FakeSocket.all = [];
    const host = createHttpHost({ token: "secret", fetch: vi.fn(), openSocket });
    const states: string[] = [];
    const events: Event[] = [];
    host.onConnection((state) => states.push(state));
    host.onEvent((event) => events.push(event));
    const first = FakeSocket.all[0]!;
    expect(first.url).not.toContain("secret");
    first.onopen?.();
    expect(first.sent).toEqual(['{"token":"secret"}']);
    first.onmessage?.({ data: '{"event":"graphs_changed"}' });
    first.onmessage?.({ data: "not json" });
    expect(events).toEqual([{ event: "graphs_changed" }]);

    first.onclose?.();
    expect(states).toEqual(["live", "lost"]);
    vi.advanceTimersByTime(500);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.all[1]!.onclose?.();
    vi.advanceTimersByTime(500);
    expect(FakeSocket.all, "each failure waits longer").toHaveLength(2);
    vi.advanceTimersByTime(500);
    FakeSocket.all[2]!.onopen?.();
    expect(states.at(-1)).toBe("live");
    vi.useRealTimers();
  });
});
