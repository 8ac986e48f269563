import type { Agent, AgentList } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { ago } from "../../time";

/** Who asked or wrote something in this time is at work; models think for minutes between two calls. */
const AT_WORK_SECONDS = 5 * 60;

type Seen = Pick<Agent, "sessions" | "last_seen" | "is_paused">;

/** Sessions are told only of processes that live. */
export function isAtWork({ sessions }: Pick<Agent, "sessions">, nowMs: number): boolean {
  return sessions.some((session) => nowMs / 1000 - session.last_seen < AT_WORK_SECONDS);
}

/** Where an agent is, in a few words. */
export function presenceLine(agent: Seen, nowMs: number): string {
  const state = isAtWork(agent, nowMs) ? t.agents.working : agent.last_seen === undefined ? t.agents.never : t.agents.seen(ago(agent.last_seen, nowMs));
  return agent.is_paused ? t.agents.pausedBut(state) : state;
}

export type PresenceChip = { text: string; warns: boolean; atWork: boolean };

/** All agents in two or three words; null while there are none to speak of. */
export function presenceChip({ agents, all_paused: allPaused }: AgentList, nowMs: number): PresenceChip | null {
  if (allPaused || (agents.length > 0 && agents.every((agent) => agent.is_paused))) return { text: t.status.agentsPaused, warns: true, atWork: false };
  if (agents.length === 0) return null;
  const working = agents.filter((agent) => isAtWork(agent, nowMs)).length;
  return working > 0 ? { text: t.status.atWork(working), warns: false, atWork: true } : { text: t.status.agents(agents.length), warns: false, atWork: false };
}

/** It came and has neither asked nor written anything: its person may not know how to begin. */
export function isSilent({ sessions }: Pick<Agent, "sessions">): boolean {
  return sessions.length > 0 && sessions.every((session) => session.reads + session.writes === 0);
}

/** Without a word of the person everything is allowed. */
export function mayWrite({ is_paused: isPaused, rights }: Pick<Agent, "is_paused" | "rights">): boolean {
  return !isPaused && rights?.write !== false;
}
