import { agent, type FakeGraph } from "../src/ipc/fake/fakeGraph";
import type { FakeHost } from "../src/ipc/fake/fakeHost";
import { addEntity, addObservation, addRelationship, deleteEntities } from "../src/ipc/fake/fakeWrites";

const DAY = 86_400;

/** Agents of every kind, what they asked, and what was deleted: everything the Agents panel and the trash can show. */
export function fillAgents(host: FakeHost, graph: FakeGraph | undefined): void {
  const now = Date.now() / 1000;
  const session = { client: "claude-code 2.1", transport: "http", is_here: true, graph: "sample", connected_at: now - 3600, last_seen: now - 40, reads: 140, writes: 12, reads_minute: 12, writes_minute: 3 };
  host.agents.set("claude-code", {
    created_at: now - 9 * DAY, last_seen: now - 40,
    sessions: [session, { ...session, client: "claude-desktop 0.14", transport: "stdio", graph: "research", last_seen: now - 900, connected_at: now - 7200, reads: 3, writes: 0, reads_minute: 0, writes_minute: 0 }],
  });
  host.agents.set("research-assistant", { created_at: now - 4 * DAY, last_seen: now - 7200, is_paused: true, rights: { write: true, delete: false, delete_for_good: false, graphs: ["research", "archive-2024"] } });
  host.agents.set("cursor", { created_at: now - DAY, last_seen: now - 70, sessions: [{ ...session, client: "cursor 1.7", graph: "default", last_seen: now - 70, reads: 0, writes: 0, reads_minute: 0, writes_minute: 0 }] });
  host.agents.set("ops-agent", { created_at: now - DAY, rights: { write: false, delete: false, delete_for_good: false, graphs: [] } });
  host.agents.set("a-script-of-somebody-with-a-very-long-name-that-has-to-be-cut", { stdio_only: true, last_seen: now - 10, sessions: [{ ...session, client: "", transport: "stdio", is_here: false, graph: "notes", last_seen: now - 10 }] });
  if (graph === undefined) return;
  fillRecalls(host, graph, now);
  fillTrash(graph);
}

function fillRecalls(host: FakeHost, graph: FakeGraph, now: number): void {
  const ids = [...graph.entities.keys()];
  const some = (from: number, n: number) => ids.slice(from, from + n).map((id) => ({ id }));
  for (let n = 60; n > 0; n--) host.agents.ask({ time: now - 3600 - n * 300, agent: n % 3 === 0 ? "cursor" : "claude-code", graph: "sample", tool: "search_nodes", query: `earlier question ${n}`, found: some(n % 20, n % 7) });
  host.agents.ask({ time: now - 2000, agent: "claude-code", graph: "research", tool: "search_nodes", query: "who works on embeddings", found: [{ id: "gone1" }] });
  host.agents.ask({ time: now - 1500, agent: "claude-code", graph: "notes", tool: "get_entity", query: "Roadmap", found: [{ id: "x" }], is_here: false });
  host.agents.ask({ time: now - 900, agent: "cursor", graph: "sample", tool: "find_connections", query: "AuthService", found: some(4, 6) });
  host.agents.ask({ time: now - 700, agent: "<b>claude</b>", client: "x\u202ey", graph: "sample", tool: "search_observations", query: "<img src=x onerror=alert(1)> abc\u202edef ذاكرة", found: some(2, 1) });
  host.agents.ask({ time: now - 300, agent: "claude-code", graph: "sample", tool: "search_nodes", query: "what do we know about parking permits for the museum’s night guards, and did anybody say who renews them every year?", found: [] });
  host.agents.ask({ time: now - 95, agent: "claude-code", graph: "sample", tool: "search_nodes", query: "which services use the token store", found: [...some(8, 12), { id: "deleted-since" }], hits: 31 });
}

function fillTrash(graph: FakeGraph): void {
  const by = agent("claude-code");
  const [first, second] = [...graph.entities.values()];
  const a = addEntity(graph, by, { name: "Old ticket desk", entity_type: "place", description: "", observations: ["closed in 2019", "had two windows", "was painted green"] }).id!;
  const b = addEntity(graph, by, { name: "Turnstile", entity_type: "tool", description: "", observations: [] }).id!;
  const c = addEntity(graph, by, { name: "<i>Ω 漢字 \u202eabc</i>", entity_type: "person", description: "", observations: ["x"] }).id!;
  addRelationship(graph, by, { source_id: a, target_id: first!.id, relationship_type: "part_of", weight: 1 });
  addRelationship(graph, by, { source_id: b, target_id: a, relationship_type: "stood_at", weight: 1 });
  const note = addObservation(graph, by, { entity_id: second!.id, content: "A note that somebody thought nobody would need.\nIt has a second line, and it is long enough to be cut somewhere, since what is deleted is not always short." }).id!;
  deleteEntities(graph, by, [b]);
  deleteEntities(graph, { actor: "person", is_agent: false, client: "window" }, [a]);
  deleteEntities(graph, agent("research-assistant"), [c]);
  graph.transact(by, "delete_observations", (put) => put("observation", note, undefined));
}
