import { useEffect, useState } from "react";

/** The value as it was once it stood still. An empty one counts at once: clearing a field must not lag. */
export function useDebounced(value: string, milliseconds: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === "" ? 0 : milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return value === "" ? "" : settled;
}
