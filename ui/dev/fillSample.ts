import { agent, type FakeGraph } from "../src/ipc/fake/fakeGraph";
import { generate } from "./generate";
import { addRelationship } from "../src/ipc/fake/fakeWrites";

/** Fill a fake graph from the engine's sample text: one transaction for each agent's block, as the engine does it. */
export function fillSample(graph: FakeGraph, text: string): void {
  const named = (name: string) => [...graph.entities.values()].find((entity) => entity.name === name)?.id ?? "";
  for (const work of text.split("\n@ ").slice(1)) {
    const [name = "", ...lines] = work.split("\n");
    const by = agent(name.trim());
    graph.transact(by, "add_entities", (put) => {
      let newest = "";
      for (const line of lines) {
        const [mark, parts] = [line[0], line.slice(2).split(" | ")];
        const now = graph.now();
        if (mark === "+") {
          newest = graph.newId("e");
          put("entity", newest, { id: newest, name: parts[0]!, entity_type: parts[1]!, description: parts[2] ?? "", properties: {}, created_at: now, updated_at: now });
        } else if (mark === "-") {
          const id = graph.newId("o");
          put("observation", id, { id, entity_id: newest, content: parts[0]!, source: "sample", created_at: now });
        } else if (mark === ">") {
          const id = graph.newId("r");
          put("relationship", id, { id, source_id: named(parts[0]!), target_id: named(parts[2]!), relationship_type: parts[1]!, weight: Number(parts[3]), properties: {} });
        }
      }
    });
    for (const line of lines.filter((each) => each.startsWith("! "))) {
      const [who, description] = line.slice(2).split(" | ");
      const entity = graph.entities.get(named(who!));
      if (entity !== undefined) graph.transact(by, "update_entity", (put) => put("entity", entity.id, { ...entity, description: description!, updated_at: graph.now() }));
    }
  }
}

/** Thousands of entities, for lists and speed. */
export function fillBig(graph: FakeGraph, nodes: number): void {
  const data = generate({ nodes, edgesPerNode: 2 });
  graph.transact(agent("generator"), "add_entities", (put) => {
    data.ids.forEach((id, at) => {
      const now = graph.now();
      put("entity", id, { id, name: data.names[at]!, entity_type: data.types[data.typeIndex[at]!]!, description: "", properties: {}, created_at: now, updated_at: now });
      graph.places.set(id, [data.positions[2 * at]!, data.positions[2 * at + 1]!]);
    });
    data.edgeIds.forEach((id, at) => put("relationship", id, { id, source_id: data.ids[data.edgeSource[at]!]!, target_id: data.ids[data.edgeTarget[at]!]!, relationship_type: data.edgeTypes[data.edgeTypeIndex[at]!]!, weight: data.edgeWeight[at]!, properties: {} }));
  });
}

/** Names that break layouts, for looking at them. */
export function fillHostile(graph: FakeGraph): void {
  const names = [
    "<img src=x onerror=alert(1)>", "Ωmega 漢字 🙂", "x".repeat(500), "ذاكرة طويلة الأمد", "בדיקות קבלה", "👩‍👩‍👧‍👦 family 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "abc\u202edef\u200bghi", "知识图谱与长期记忆的可视化整理工具",
    `"><script>alert(1)</script>`, "{{7*7}} ${7*7}", "[click](javascript:alert(1))", "a".repeat(40) + " " + "b".repeat(200),
  ];
  const by = agent("hostile<b>agent</b>");
  const ids = names.map((name) => graph.newId("e") + name.length);
  graph.transact(by, "add_entities", (put) => {
    names.forEach((name, at) => {
      const now = graph.now();
      const id = ids[at]!;
      put("entity", id, { id, name, entity_type: at % 3 === 0 ? "<b>type</b>" : at % 3 === 1 ? "a-very-long-type-name-that-never-ends-and-goes-on" : "نوع", description: `${name}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![p](http://127.0.0.1:9/px.png)`, properties: { "<i>key</i>": { nested: { deep: [1, 2, { x: "<b>" }] } }, url: "https://example.org", long: "y".repeat(3000) }, created_at: now, updated_at: now });
      for (let n = 0; n < (at === 0 ? 120 : 2); n++) {
        const observation = graph.newId("o");
        put("observation", observation, { id: observation, entity_id: id, content: `${n}: ${name} ${n === 1 ? "z".repeat(60_000) : ""}`, source: "<u>src</u>", created_at: now });
      }
    });
  });
  ids.slice(1).forEach((id, at) => addRelationship(graph, by, { source_id: ids[0]!, target_id: id, relationship_type: at === 2 ? "r".repeat(120) : "<b>rel</b>", weight: 0.1 * at }));
}
