import type { Event } from "./generated/wire";
import type { Connection } from "./host";
import { IpcError, toIpcError } from "./ipcError";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;

type Options = {
  url: string;
  token: string;
  onEvent: (event: Event) => void;
  onConnection: (connection: Connection) => void;
  /** Replaced in tests. */
  open?: (url: string) => WebSocket;
};

/**
 * The browser form's ear, and the way frames of a layout come. The token goes in the first message, never in the address; after a loss it reconnects
 * with growing patience, and whoever listens asks for what was missed.
 */
export class LiveSocket {
  private socket: WebSocket | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private delay = FIRST_DELAY_MS;
  private closed = false;
  /** Open, and our token on its way: nothing may come before it. */
  private greeted = false;
  private readonly asked = new Map<number, { resolve: (bytes: ArrayBuffer) => void; reject: (error: unknown) => void }>();
  private nextId = 1;

  constructor(private readonly options: Options) {
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  /** A frame of a layout; undefined while there is no connection, when another way must do. */
  frame(layout: number, after: number): Promise<ArrayBuffer> | undefined {
    const { socket } = this;
    if (!this.greeted || socket === undefined) return undefined;
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, layout, after }));
    });
  }

  private answered(data: ArrayBuffer): void {
    if (data.byteLength < 4) return;
    const id = new DataView(data).getUint32(0, true);
    this.asked.get(id)?.resolve(data.slice(4));
    this.asked.delete(id);
  }

  private refused({ id, error }: Refused): void {
    this.asked.get(id)?.reject(toIpcError(error));
    this.asked.delete(id);
  }

  /** Whoever waits would wait for ever. */
  private dropAsked(): void {
    for (const { reject } of this.asked.values()) reject(new IpcError("unreachable", "graph-mem does not answer"));
    this.asked.clear();
  }

  private connect(): void {
    const { url, token, onEvent, onConnection } = this.options;
    const socket = this.options.open?.(url) ?? new WebSocket(url);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      socket.send(JSON.stringify({ token }));
      this.greeted = true;
      this.delay = FIRST_DELAY_MS;
      onConnection("live");
    };
    socket.onmessage = (message) => {
      if (message.data instanceof ArrayBuffer) return this.answered(message.data);
      if (typeof message.data !== "string") return;
      const said = parse(message.data);
      if (said === undefined) return;
      if ("event" in said) onEvent(said);
      else this.refused(said);
    };
    socket.onclose = () => {
      this.greeted = false;
      this.dropAsked();
      if (this.closed) return;
      onConnection("lost");
      this.timer = setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(LONGEST_DELAY_MS, this.delay * 2);
    };
  }
}

type Refused = { id: number; error: unknown };

function parse(text: string): Event | Refused | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null && ("event" in value || "id" in value) ? (value as Event | Refused) : undefined;
  } catch {
    return undefined;
  }
}
