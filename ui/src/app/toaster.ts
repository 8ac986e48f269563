import { toIpcError } from "../ipc/ipcError";
import type { Stores } from "../state/stores";
import { addToast, removeToast, type Toast } from "../state/toasts/toasts";

const SHORT_MS = 3_000;
const ERROR_MS = 8_000;

/** Short messages at the foot of the canvas. */
export class Toaster {
  private nextId = 1;

  constructor(private readonly stores: Stores) {}

  say(text: string, options: Partial<Pick<Toast, "action" | "lasts">> = {}): number {
    return this.show({ text, tone: "info", lasts: SHORT_MS, ...options });
  }

  fail(thrown: unknown, doing?: string): number {
    const { message, hint } = toIpcError(thrown);
    const fact = doing === undefined ? message : `${doing}: ${message}`;
    return this.show({ text: hint === undefined ? fact : `${fact}. ${hint}`, tone: "error", lasts: ERROR_MS });
  }

  dismiss(id: number): void {
    this.stores.toasts.set((toasts) => removeToast(toasts, id));
  }

  private show(toast: Omit<Toast, "id">): number {
    const id = this.nextId++;
    this.stores.toasts.set((toasts) => addToast(toasts, { ...toast, id }));
    return id;
  }
}
