import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RefreshQueue } from "./refreshQueue";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a steady stream of changes neither starves a slow answer nor leaves an old one standing", async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  let truth = 0;
  let asked = 0;
  const observer = new QueryObserver(queries, {
    queryKey: ["list"],
    queryFn: async () => {
      asked++;
      const seen = truth;
      await new Promise((resolve) => setTimeout(resolve, 60));
      return seen;
    },
  });
  const seen: number[] = [];
  const off = observer.subscribe((result) => result.data !== undefined && seen.push(result.data));
  await vi.advanceTimersByTimeAsync(100);
  const queue = new RefreshQueue(queries);
  for (truth = 1; truth <= 50; truth++) {
    queue.add([["list"]]);
    await vi.advanceTimersByTimeAsync(20);
  }
  truth = 50;
  expect(new Set(seen).size, "answers came while the stream ran").toBeGreaterThan(3);
  await vi.advanceTimersByTimeAsync(1000);
  expect(observer.getCurrentResult().data).toBe(50);
  expect(asked).toBeLessThan(15);
  off();
});
