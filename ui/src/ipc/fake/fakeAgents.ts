import type { AgentList } from "../generated/wire";
import type { Reply, Request } from "../host";
import type { AgentRights, AgentSession, Recall } from "../parts";
import type { FakeGraph } from "./fakeGraph";

export type FakeAgent = { created_at?: number; last_seen?: number; rights?: AgentRights; sessions?: AgentSession[]; is_paused?: boolean; /** A process of its own, without a token. */ stdio_only?: boolean };

const ALL_RIGHTS: AgentRights = { write: true, delete: true, delete_for_good: false, graphs: [] };

/** Who there is, what each may do, and what each was told. */
export class FakeAgents extends Map<string, FakeAgent> {
  allPaused = false;
  /** The newest first. */
  readonly recalls: Recall[] = [];
  private asked = 0;

  list(): AgentList {
    const agents = [...this].map(([name, { stdio_only: stdioOnly = false, sessions = [], is_paused: isPaused = false, rights = ALL_RIGHTS, ...agent }]) => ({
      name, ...agent, sessions, has_token: !stdioOnly, is_paused: isPaused || this.allPaused, rights,
    }));
    return { agents, all_paused: this.allPaused };
  }

  pause({ name, paused }: Request<"pause_agent">): Record<symbol, never> {
    if (name === undefined) this.allPaused = paused;
    else this.set(name, { ...this.get(name), is_paused: paused });
    return {};
  }

  setRights({ name, rights }: Request<"set_agent_rights">): Record<symbol, never> {
    this.set(name, { ...this.get(name), rights });
    return {};
  }

  /** An agent asks, and is told of these. */
  ask(recall: Omit<Recall, "id" | "hits" | "is_here" | "client"> & Partial<Recall>): void {
    this.recalls.unshift({ id: ++this.asked, hits: recall.found.length, is_here: true, client: "claude-code 2.1", ...recall });
  }

  told({ agent, graph, entity, before, limit = 100 }: Request<"recalls">, graphs: ReadonlyMap<string, FakeGraph>): Reply<"recalls"> {
    const recalls = this.recalls.filter(
      (recall) =>
        (agent === undefined || recall.agent === agent) && (graph === undefined || recall.graph === graph) && (before === undefined || recall.id < before) && (entity === undefined || recall.found.some(({ id }) => id === entity)),
    );
    return { recalls: recalls.slice(0, limit).map((recall) => ({ ...recall, found: recall.found.map(({ id }) => ({ id, name: recall.is_here ? graphs.get(recall.graph)?.entities.get(id)?.name : undefined })) })) };
  }
}
