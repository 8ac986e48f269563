import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { App } from "../App";
import type { Host } from "../ipc/host";
import { AppContext } from "./AppContext";
import { createApp, type App as AppParts } from "./createApp";
import { installProbe } from "./probe";
import { wire } from "./wire";

/** Put the explorer on the page with this host behind it. */
export function mount(root: HTMLElement, host: Host): AppParts {
  const app = createApp(host);
  wire(app);
  const off = app.stores.workspace.subscribe(() => {
    const { info } = app.stores.workspace.get();
    if (info === null) return;
    off();
    if (info.probe) installProbe(app);
  });
  // Asked before the first render: the answer is on its way while React builds the page.
  void app.session.start();
  createRoot(root).render(
    // No StrictMode: it would build the canvas, and its WebGL context, twice.
    <QueryClientProvider client={app.queries}>
      <AppContext value={app}>
        <App />
      </AppContext>
    </QueryClientProvider>,
  );
  return app;
}
