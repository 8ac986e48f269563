import { useCallback, useState } from "react";
import { toIpcError, type IpcError } from "../ipc/ipcError";

/** One act that may fail in front of the person: whether it runs, and what to say where it was asked for. */
export function useSubmit<A extends unknown[], R>(act: (...args: A) => Promise<R>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<IpcError | null>(null);
  const submit = useCallback(
    async (...args: A): Promise<R | undefined> => {
      setBusy(true);
      setError(null);
      try {
        return await act(...args);
      } catch (thrown) {
        setError(toIpcError(thrown));
        return undefined;
      } finally {
        setBusy(false);
      }
    },
    [act],
  );
  return { submit, busy, error, clear: useCallback(() => setError(null), []) };
}
