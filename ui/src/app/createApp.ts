import type { QueryClient } from "@tanstack/react-query";
import { createQueryClient } from "../data/queryClient";
import type { Host } from "../ipc/host";
import type { LayoutHost } from "../layout/types";
import { createStores, type Stores } from "../state/stores";
import { Edits } from "./edits";
import { SceneLink } from "./sceneLink";
import { Session } from "./session";
import { Toaster } from "./toaster";

/** One page's worth of everything. Components get it by `useApp`; actions and tests get it handed in. */
export type App = {
  host: Host;
  queries: QueryClient;
  stores: Stores;
  scene: SceneLink;
  session: Session;
  edits: Edits;
  toaster: Toaster;
};

export function createApp(host: Host): App {
  const queries = createQueryClient();
  const stores = createStores();
  const scene = new SceneLink(stores, layoutHost(host));
  const session = new Session(host, queries, stores, scene);
  const toaster = new Toaster(stores);
  const edits = new Edits(host, stores, session, scene, toaster);
  return { host, queries, stores, scene, session, edits, toaster };
}

function layoutHost(host: Host): LayoutHost {
  return {
    callBytes: (command, bytes) => host.callBytes(command, bytes),
    layoutOrder: (layout, order) => host.call("layout_order", { layout, order }),
    layoutFrame: (layout, after) => host.call("layout_frame", { layout, after }),
  };
}
