import type { ApiError } from "./generated/wire";

/** A command that failed. `code` is what the screens act on; `message` and `hint` are for people only. */
export class IpcError extends Error {
  override readonly name = "IpcError";

  constructor(
    readonly code: string,
    message: string,
    readonly hint?: string,
    readonly details?: unknown,
  ) {
    super(message);
  }
}

/** Whatever a host rejected with, as an error with a code. */
export function toIpcError(thrown: unknown): IpcError {
  if (thrown instanceof IpcError) return thrown;
  if (isApiError(thrown)) return new IpcError(thrown.code, thrown.message, thrown.hint, thrown.details);
  if (typeof thrown === "string") return new IpcError("failed", thrown);
  return new IpcError("failed", thrown instanceof Error ? thrown.message : "the program did not answer");
}

export function isApiError(value: unknown): value is ApiError {
  return typeof value === "object" && value !== null && "code" in value && typeof value.code === "string" && "message" in value && typeof value.message === "string";
}

export function hasCode(error: unknown, code: string): error is IpcError {
  return error instanceof IpcError && error.code === code;
}
