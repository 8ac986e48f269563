import type { Event } from "./generated/wire";
import type { Connection } from "./host";

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
 * The browser form's ear. The token goes in the first message, never in the address; after a loss it reconnects
 * with growing patience, and whoever listens asks for what was missed.
 */
export class LiveSocket {
  private socket: WebSocket | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private delay = FIRST_DELAY_MS;
  private closed = false;

  constructor(private readonly options: Options) {
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private connect(): void {
    const { url, token, onEvent, onConnection } = this.options;
    const socket = this.options.open?.(url) ?? new WebSocket(url);
    this.socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({ token }));
      this.delay = FIRST_DELAY_MS;
      onConnection("live");
    };
    socket.onmessage = (message) => {
      if (typeof message.data !== "string") return;
      const event = parse(message.data);
      if (event !== undefined) onEvent(event);
    };
    socket.onclose = () => {
      if (this.closed) return;
      onConnection("lost");
      this.timer = setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(LONGEST_DELAY_MS, this.delay * 2);
    };
  }
}

function parse(text: string): Event | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null && "event" in value ? (value as Event) : undefined;
  } catch {
    return undefined;
  }
}
