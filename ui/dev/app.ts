import { mount } from "../src/app/mount";
import { agent } from "../src/ipc/fake/fakeGraph";
import { FakeHost } from "../src/ipc/fake/fakeHost";
import { addEntity, addObservation, addRelationship, updateEntity } from "../src/ipc/fake/fakeWrites";
import "../src/styles/tokens.css";
import "../src/styles/base.css";
import { fillAgents } from "./fillAgents";
import { fillBig, fillHostile, fillSample } from "./fillSample";
import sample from "./sample.txt?raw";

/**
 * The whole explorer on a fake host: ?state=sample|empty|first|hostile|big&kind=browser&problem=1&live=1&agents=0&paused=1&clients=0&trial=fails
 * `window.dev` has the host and the app, for trying things out and for screenshots.
 */
const query = new URLSearchParams(window.location.search);
const state = query.get("state") ?? "sample";

// The journal of the sample spreads over two days, newest a few minutes ago.
let time = Date.now() / 1000 - 48 * 3600;
let past = true;
const clock = () => (past ? (time += 120) : Date.now() / 1000);
const host = new FakeHost(query.get("kind") === "browser" ? "browser" : "window", clock);
host.sample = (graph) => fillSample(graph, sample);
if (state !== "first") {
  if (state === "empty") host.addGraph("notes");
  else if (state === "big") fillBig(host.addGraph("big"), Number(query.get("nodes") ?? 5000));
  else if (state === "hostile") fillHostile(host.addGraph("hostile"));
  else {
    host.sample(host.addGraph("sample"));
    host.addGraph("research");
    fillHostile(host.addGraph("hostile"));
    host.unreadable.set("old-notes", "the file is damaged: its header is not that of a database");
  }
}
time = Date.now() / 1000 - 600;
const graph = host.graphs.get("sample");
const named = (name: string) => [...(graph?.entities.values() ?? [])].find((entity) => entity.name === name)!.id;
if (graph !== undefined) {
  const person = { actor: "person", is_agent: false, client: "window" };
  updateEntity(graph, person, { id: named("AuthService"), properties: { language: "Rust", replicas: 3, oncall: { primary: "Tomasz Wild", escalation: ["Jun Park"] } } });
  addObservation(graph, agent("claude-code"), { entity_id: named("AuthService"), content: "Moved from cookie sessions to short-lived tokens; the old endpoint answers 410 since Monday." });
  addRelationship(graph, agent("claude-code"), { source_id: named("AuthService"), target_id: named("Status page"), relationship_type: "reports_to", weight: 0.45 });
}
past = false;
if (query.get("agents") !== "0") fillAgents(host, graph);
if (query.get("paused") === "1") host.agents.allPaused = true;
if (query.get("problem") === "1") Object.assign(host.info, { mcp_url: undefined, listener_problem: "Port 7437 is in use by another program (pid 4182)" });
if (query.get("clients") === "0") host.clients.installed.clear();
if (query.get("trial") === "fails") host.clients.problem = "no answer within 20 s";
if (query.get("latency") !== null) host.latency = Number(query.get("latency"));
localStorage.setItem("graph-mem.last-graph:/home/ada/.graphmem", JSON.stringify(query.get("graph") ?? "sample"));
if (query.get("theme") !== null) localStorage.setItem("graph-mem.theme", JSON.stringify(query.get("theme")));

const app = mount(document.getElementById("root")!, host);
Object.assign(window, { dev: { host, app, named, agent, addEntity, addObservation, addRelationship, updateEntity } });

if (query.get("live") === "1") {
  let n = 0;
  setInterval(() => {
    host.by("sample", agent("claude-code"), (g, by) => {
      const { id } = addEntity(g, by, { name: `Finding ${++n}`, entity_type: "concept", description: "", observations: [`Seen at ${new Date().toLocaleTimeString()}`] });
      addRelationship(g, by, { source_id: id!, target_id: named("Transcriber"), relationship_type: "about", weight: 1 });
    });
  }, 1500);
}
