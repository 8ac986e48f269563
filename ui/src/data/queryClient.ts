import { QueryClient } from "@tanstack/react-query";

/** The host is this machine: an answer stays true until an event says otherwise, and asking again cures nothing. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: Infinity, gcTime: 120_000, refetchOnWindowFocus: false, refetchOnReconnect: false, networkMode: "always" },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
