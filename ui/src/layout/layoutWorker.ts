import { LayoutLoop, type LayoutReply, type LayoutRequest } from "./layoutLoop";

/** The thread the layout runs on; everything that can be tested is in `LayoutLoop`. */
type WorkerScope = {
  postMessage: (message: LayoutReply, transfer: Transferable[]) => void;
  onmessage: ((event: MessageEvent<LayoutRequest>) => void) | null;
};
const scope = self as unknown as WorkerScope;

// A message to oneself yields to waiting requests without the 4 ms floor of nested timers.
const turn = new MessageChannel();
let next: (() => void) | undefined;
turn.port1.onmessage = () => {
  const work = next;
  next = undefined;
  work?.();
};

const loop = new LayoutLoop({
  post: (reply) => scope.postMessage(reply, [reply.positions.buffer]),
  later: (work) => {
    next = work;
    turn.port2.postMessage(null);
  },
  now: () => performance.now(),
});
scope.onmessage = (event) => loop.handle(event.data);
