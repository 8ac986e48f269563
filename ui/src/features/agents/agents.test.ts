import { describe, expect, it } from "vitest";
import type { Agent } from "../../ipc/generated/wire";
import type { AgentRights, AgentSession } from "../../ipc/parts";
import { isSilent, mayWrite, presenceChip, presenceLine } from "./presence";
import { formOf, graphChoices, LEVELS, rightsLine, rightsOf, toggleGraph } from "./rightsForm";

const NOW = 1_000_000_000_000;
const session = (secondsAgo: number, calls = 1): AgentSession => ({
  client: "claude-code 2.1", transport: "stdio", is_here: true, graph: "default", connected_at: 0, last_seen: NOW / 1000 - secondsAgo, reads: calls, writes: 0, reads_minute: 0, writes_minute: 0,
});
const agent = (part: Partial<Agent> = {}): Agent => ({ name: "claude", has_token: true, is_paused: false, sessions: [], ...part });
const chip = (agents: Agent[], allPaused = false) => presenceChip({ agents, all_paused: allPaused }, NOW);

describe("where an agent is", () => {
  it("is at work, last seen, or never seen", () => {
    expect(presenceLine(agent({ sessions: [session(60)], last_seen: NOW / 1000 - 60 }), NOW)).toBe("at work");
    expect(presenceLine(agent({ sessions: [session(600)], last_seen: NOW / 1000 - 600 }), NOW)).toBe("last seen 10 min ago");
    expect(presenceLine(agent(), NOW)).toBe("not seen yet");
  });

  it("is at work by any of its clients, and says that it is paused", () => {
    expect(presenceLine(agent({ sessions: [session(5000), session(10)], is_paused: true }), NOW)).toBe("paused · at work");
  });
});

describe("the chip of the status bar", () => {
  it("counts who is at work, else who there is", () => {
    expect(chip([agent({ sessions: [session(60)] }), agent({ sessions: [session(4000)] }), agent()])).toEqual({ text: "1 agent at work", warns: false, atWork: true });
    expect(chip([agent(), agent()])).toEqual({ text: "2 agents", warns: false, atWork: false });
  });

  it("is not there while nobody is", () => {
    expect(chip([])).toBeNull();
  });

  it("warns when all are paused, one by one or together, even before the first comes", () => {
    expect(chip([agent({ sessions: [session(1)], is_paused: true })])).toMatchObject({ text: "agents paused", warns: true });
    expect(chip([], true)).toMatchObject({ warns: true });
    expect(chip([agent({ is_paused: true }), agent()])).toMatchObject({ text: "2 agents", warns: false });
  });
});

describe("an agent that says nothing", () => {
  it("has come and called nothing", () => {
    expect(isSilent(agent())).toBe(false);
    expect(isSilent(agent({ sessions: [session(10, 0)] }))).toBe(true);
    expect(isSilent(agent({ sessions: [session(10, 0), session(10, 3)] }))).toBe(false);
  });

  it("is asked to write only if it may", () => {
    expect(mayWrite(agent())).toBe(true);
    expect(mayWrite(agent({ is_paused: true }))).toBe(false);
    expect(mayWrite(agent({ rights: { write: false, delete: false, delete_for_good: false, graphs: [] } }))).toBe(false);
  });
});

describe("rights", () => {
  const rights = (write: boolean, mayDelete: boolean, forGood: boolean, graphs: string[] = []): AgentRights => ({ write, delete: mayDelete, delete_for_good: forGood, graphs });

  it("go into the form and come out the same", () => {
    for (const each of [rights(false, false, false), rights(true, false, false), rights(true, true, false, ["b", "d"]), rights(true, true, true)]) expect(rightsOf(formOf(each))).toEqual(each);
    expect(LEVELS.map((level) => rightsOf({ level, everywhere: true, graphs: new Set() })?.delete)).toEqual([false, false, true, true]);
  });

  it("allow no delete to who may not write", () => {
    expect(formOf(rights(false, true, true)).level).toBe("read");
  });

  it("cannot name no graph, since that would mean all of them", () => {
    const none = toggleGraph({ ...formOf(rights(true, true, false, ["a"])) }, "a");
    expect(rightsOf(none)).toBeNull();
    expect(rightsOf({ ...none, everywhere: true })?.graphs).toEqual([]);
  });

  it("keep graphs that are not here", () => {
    expect(graphChoices(["a", "b"], new Set(["b", "gone"]))).toEqual([{ name: "a", isHere: true }, { name: "b", isHere: true }, { name: "gone", isHere: false }]);
  });

  it("are told in one line", () => {
    expect(rightsLine(rights(true, true, false))).toBe("Read, write and delete · all graphs");
    expect(rightsLine(rights(false, false, false, ["a", "b", "c"]))).toBe("Read only · 3 graphs");
  });
});
