import { createContext, use } from "react";
import type { App } from "./createApp";

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = use(AppContext);
  if (app === null) throw new Error("useApp outside of AppContext");
  return app;
}
