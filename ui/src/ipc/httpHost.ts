import type { Event } from "./generated/wire";
import type { ByteCommand, CommandName, Connection, Host, ImportChoice, Reply, Request } from "./host";
import { IpcError, isApiError, toIpcError } from "./ipcError";
import { LiveSocket } from "./liveSocket";

export const EXPIRED = "session_expired";

type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** Trade the single-use code of the address for a token, which lives in this page's memory and nowhere else. */
export async function openSession(code: string, fetch: Fetch = window.fetch.bind(window)): Promise<string> {
  const response = await post(fetch, "/api/session", { code });
  if (!response.ok) throw new IpcError(EXPIRED, "this link was used already or is too old");
  const { token } = (await response.json()) as { token: string };
  return token;
}

type Options = { token: string; fetch?: Fetch; openSocket?: (url: string) => WebSocket };

/** The same explorer served by the loopback listener: commands over HTTP, events and frames of a layout over a WebSocket. */
export function createHttpHost({ token, fetch = window.fetch.bind(window), openSocket }: Options): Host {
  const events = new Set<(event: Event) => void>();
  const connections = new Set<(connection: Connection) => void>();
  const tell = (connection: Connection) => connections.forEach((handler) => handler(connection));
  let socket: LiveSocket | undefined;

  async function call<K extends CommandName>(command: K, request: Request<K>): Promise<Reply<K>> {
    if (command === "layout_frame") {
      const { layout, after } = request as Request<"layout_frame">;
      const frame = socket?.frame(layout, after);
      if (frame !== undefined) return (await frame);
    }
    return (await answer(post(fetch, `/api/call/${command}`, request, token))) as Reply<K>;
  }

  async function callBytes(command: ByteCommand, bytes: Uint8Array): Promise<ArrayBuffer> {
    const headers = { "Content-Type": "application/octet-stream", Authorization: `Bearer ${token}` };
    return (await answer(fetch(`/api/bytes/${command}`, { method: "POST", headers, body: bytes as Uint8Array<ArrayBuffer> }))) as ArrayBuffer;
  }

  async function answer(asked: Promise<Response>): Promise<unknown> {
    const response = await asked.catch((thrown: unknown) => {
      throw new IpcError("unreachable", "graph-mem does not answer", "Is `graph-mem ui` or the desktop window still running?", thrown);
    });
    if (response.ok) {
      const bytes = response.headers.get("content-type")?.startsWith("application/octet-stream") === true;
      return bytes ? response.arrayBuffer() : response.json();
    }
    if (response.status === 401) {
      socket?.close();
      tell("expired");
      throw new IpcError(EXPIRED, "this page's session has ended");
    }
    throw await errorOf(response);
  }

  return {
    kind: "browser",
    call,
    callBytes,
    onEvent(handler) {
      events.add(handler);
      socket ??= new LiveSocket({ url: socketUrl(), token, open: openSocket, onEvent: (event) => events.forEach((each) => each(event)), onConnection: tell });
      return () => void events.delete(handler);
    },
    onConnection(handler) {
      connections.add(handler);
      return () => void connections.delete(handler);
    },
    pickImportFile,
    async saveExport(graph) {
      const { file_name, content } = await call("export_text", { graph });
      download(file_name, new Blob([content], { type: "application/json" }));
      return file_name;
    },
    async savePicture(suggested, request) {
      download(suggested, new Blob([await call("picture", request)]));
      return suggested;
    },
    // Folders of this machine are the window's business.
    pickFolder: () => Promise.resolve(null),
    setMenuState: () => undefined,
    setTitle: (title) => {
      document.title = title;
    },
  };
}

function post(fetch: Fetch, path: string, body: unknown, token?: string): Promise<Response> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  return fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function errorOf(response: Response): Promise<IpcError> {
  const body = await response.json().catch(() => null) as unknown;
  if (isApiError(body)) return toIpcError(body);
  return new IpcError("failed", `graph-mem answered with status ${response.status}`);
}

function socketUrl(): string {
  const { protocol, host } = window.location;
  return `${protocol === "https:" ? "wss" : "ws"}://${host}/ws`;
}

function pickImportFile(): Promise<ImportChoice | null> {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = ".json,.jsonl,.ndjson,application/json";
    input.onchange = () => {
      const file = input.files?.[0];
      resolve(file === undefined ? null : readChoice(file));
    };
    input.oncancel = () => resolve(null);
    input.click();
  });
}

export async function readChoice(file: File): Promise<ImportChoice> {
  return { name: file.name, content: await file.text() };
}

function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Revoked later: some browsers start reading only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
