import { useSyncExternalStore } from "react";

type Size = { width: number; height: number };

let size: Size = { width: window.innerWidth, height: window.innerHeight };

function subscribe(listener: () => void): () => void {
  window.addEventListener("resize", listener);
  return () => window.removeEventListener("resize", listener);
}

/** The same object while the window keeps its size, as React asks of a snapshot. */
function snapshot(): Size {
  const { innerWidth: width, innerHeight: height } = window;
  if (width !== size.width || height !== size.height) size = { width, height };
  return size;
}

export function useWindowSize(): Size {
  return useSyncExternalStore(subscribe, snapshot);
}
