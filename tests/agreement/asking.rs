//! Our server, given what the peer was given; its answers in the form of `data/peer-answers.json`: ids and times
//! left out, names in place of ids, what has no order as sets. What an answer says of itself is looked at here.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gm_testkit::{Home, McpProcess};
use serde_json::{Value, json};

/// Our server with the recorded graph in it.
pub(super) struct Ours {
    agent: McpProcess,
    /// Names by id, with the type where several entities share the name.
    labels: HashMap<String, String>,
    shared: BTreeSet<String>,
}

impl Ours {
    pub(super) fn built(home: &Home, writes: &[Value]) -> Self {
        let mut agent = home.server(&[]);
        for write in writes {
            let tool = text(&write[0]);
            let arguments = with_ids(&mut agent, write[1].clone());
            let answer = agent.call(&tool, arguments);
            assert_eq!(outcome(&tool, &answer), write[2], "{tool} {}", write[1]);
        }
        let everyone = agent.call("list_entities", json!({ "limit": 500 }));
        let (mut seen, mut shared) = (BTreeSet::new(), BTreeSet::new());
        for entity in items(&everyone["results"]) {
            if !seen.insert(text(&entity["name"])) {
                shared.insert(text(&entity["name"]));
            }
        }
        let mut ours = Self { agent, labels: HashMap::new(), shared };
        let ids = items(&everyone["results"]).iter().map(|e| (text(&e["id"]), ours.label_of(e)));
        ours.labels = ids.collect();
        ours
    }

    fn label(&self, name: &Value, entity_type: &Value) -> String {
        let name = text(name);
        if self.shared.contains(&name) { format!("{name} ({})", text(entity_type)) } else { name }
    }

    fn label_of(&self, entity: &Value) -> String {
        self.label(&entity["name"], &entity["entity_type"])
    }

    fn edge(&self, relationship: &Value) -> String {
        let source = self.label(&relationship["source_name"], &relationship["source_type"]);
        let target = self.label(&relationship["target_name"], &relationship["target_type"]);
        format!("{source} -{}> {target}", text(&relationship["relationship_type"]))
    }

    /// A path as text. Every step of it must be a relationship of the graph.
    fn path(&self, path: &Value, edges: &BTreeSet<String>) -> String {
        let (mut told, mut from) = (String::new(), String::new());
        for step in items(path) {
            let to = self.labels[&text(&step["entity_id"])].clone();
            let kind = text(&step["relationship_type"]);
            let (arrow, edge) = match step["direction"].as_str() {
                Some("outgoing") => (format!(" -{kind}> "), format!("{from} -{kind}> {to}")),
                Some("incoming") => (format!(" <{kind}- "), format!("{to} -{kind}> {from}")),
                _ => (String::new(), String::new()),
            };
            assert_eq!(edges.contains(&edge), !told.is_empty(), "{told}{arrow}{to}");
            told.push_str(&arrow);
            told.push_str(&to);
            from = to;
        }
        told
    }

    /// Asks as the peer was asked, and brings the answer into the form of the file.
    pub(super) fn ask(&mut self, tool: &str, arguments: &Value, edges: &BTreeSet<String>) -> Value {
        if arguments["offset"] == "every" {
            return self.every_page(tool, arguments);
        }
        let result = self.agent.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        if result["isError"] == true {
            return json!("refused");
        }
        let answer = &result["structuredContent"];
        match tool {
            "list_entities" | "list_relationships" => {
                assert_eq!(answer["count"], items(&answer["results"]).len());
                pick(answer, &["count", "total", "limit", "offset"])
            }
            "get_entity" => self.entity(answer),
            "find_connections" => self.connections(arguments, answer, edges),
            "find_paths" => {
                let paths = items(&answer["paths"]);
                let lengths: BTreeSet<usize> = paths.iter().map(|path| items(path).len() - 1).collect();
                let paths: BTreeSet<String> = paths.iter().map(|path| self.path(path, edges)).collect();
                assert_eq!(answer["count"], paths.len(), "no path is told twice");
                assert!(lengths.len() < 2, "all are of one length");
                json!({ "length": lengths.first(), "paths": paths })
            }
            "get_subgraph" => self.subgraph(arguments, answer, edges),
            "read_graph" => {
                let fields =
                    ["entities", "relationships", "observations", "entity_types", "relationship_types"];
                let mut told = pick(answer, &fields);
                told["most_connected"] = self.ranked(&answer["most_connected"], "degree");
                let recent = items(&answer["recent_entities"]).iter();
                told["recent_entities"] = recent.map(|entity| self.label_of(entity)).collect();
                told
            }
            // Its advice is prose, and each has its own.
            "graph_health" => {
                let fields = ["counts", "entity_types", "missing_description_count", "missing_descriptions"];
                let mut told = pick(answer, &fields);
                told["observation_hotspots"] = self.ranked(&answer["observation_hotspots"], "observations");
                told
            }
            _ => panic!("{tool} is asked for and not known here"),
        }
    }

    fn ranked(&self, list: &Value, count: &str) -> Value {
        items(list).iter().map(|entity| json!([self.label_of(entity), entity[count]])).collect()
    }

    fn every_page(&mut self, tool: &str, arguments: &Value) -> Value {
        let (mut pages, mut found, mut offset) = (Vec::new(), BTreeMap::new(), 0);
        loop {
            let mut page = arguments.clone();
            page["offset"] = json!(offset);
            let answer = self.agent.call(tool, page);
            let rows = items(&answer["results"]);
            for row in rows {
                let (key, value) = match tool {
                    "list_entities" => (self.label_of(row), Value::Null),
                    _ => (self.edge(row), row["weight"].clone()),
                };
                assert!(found.insert(key, value).is_none(), "{tool} {arguments} tells {row} twice");
            }
            pages.push(rows.len());
            let limit = answer["limit"].as_u64().unwrap();
            offset += limit;
            if (rows.len() as u64) < limit {
                let names: Vec<&String> = found.keys().collect();
                let found = if tool == "list_entities" { json!(names) } else { json!(found) };
                return json!({ "pages": pages, "total": answer["total"], "found": found });
            }
        }
    }

    fn entity(&self, answer: &Value) -> Value {
        let observations = items(&answer["observations"]).iter().map(|o| match o["source"].as_str() {
            None | Some("") => o["content"].clone(),
            Some(source) => json!([o["content"], source]),
        });
        let relationships = items(&answer["relationships"]).iter().map(|r| {
            let outgoing = r["direction"] == "outgoing";
            let (arrow, end) = if outgoing { (">", "target") } else { ("<", "source") };
            let other = self.label(&r[format!("{end}_name")], &r[format!("{end}_type")]);
            let plain = r["properties"] == json!({});
            let value = if plain { r["weight"].clone() } else { json!([r["weight"], r["properties"]]) };
            (format!("{arrow} {} {other}", text(&r["relationship_type"])), value)
        });
        let mut told = json!({
            "is": self.label_of(answer),
            "type": answer["entity_type"],
            "description": answer["description"],
            "properties": answer["properties"],
            "observations": observations.collect::<Value>(),
            "relationships": relationships.collect::<Value>(),
        });
        told.as_object_mut()
            .unwrap()
            .retain(|_, value| *value != json!("") && *value != json!([]) && *value != json!({}));
        for (list, count, cut) in [
            ("observations", "observation_count", "observations_truncated"),
            ("relationships", "relationship_count", "relationships_truncated"),
        ] {
            assert_eq!(answer[cut], answer[count] != items(&answer[list]).len(), "{list}");
            if answer[cut] == true {
                told[count] = answer[count].clone();
            }
        }
        told
    }

    fn connections(&self, arguments: &Value, answer: &Value, edges: &BTreeSet<String>) -> Value {
        let mut reached: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let one_way = matches!(arguments["direction"].as_str(), Some("outgoing" | "incoming"));
        for result in items(&answer["results"]) {
            let (label, path) = (self.label_of(&result["entity"]), items(&result["path"]));
            assert!(self.path(&result["path"], edges).ends_with(&label), "{label}: the path leads there");
            assert_eq!(result["depth"], path.len() - 1, "{label}: the path is as long as it is deep");
            let steps = &path[1..];
            assert!(!one_way || steps.iter().all(|step| step["direction"] == arguments["direction"]));
            reached.entry(result["depth"].to_string()).or_default().insert(label);
        }
        let told: usize = reached.values().map(BTreeSet::len).sum();
        assert_eq!(answer["count"], told, "nothing is reached twice at one depth");
        json!({ "truncated": answer["truncated"], "reached": reached })
    }

    /// Relationships are counted only: they must be all there are between the entities.
    fn subgraph(&self, arguments: &Value, answer: &Value, edges: &BTreeSet<String>) -> Value {
        let listed: Vec<String> = items(&answer["entities"]).iter().map(|e| self.label_of(e)).collect();
        let entities: BTreeSet<&str> = listed.iter().map(String::as_str).collect();
        let told: BTreeSet<String> = items(&answer["relationships"]).iter().map(|r| self.edge(r)).collect();
        assert_eq!(told.len(), items(&answer["relationships"]).len(), "no relationship is told twice");
        let (mut beside, mut between) = (BTreeSet::new(), BTreeSet::new());
        for edge in edges {
            let (source, target) = (edge.split_once(" -").unwrap().0, edge.rsplit_once("> ").unwrap().1);
            beside.extend([(source, target), (target, source)]);
            if entities.contains(source) && entities.contains(target) {
                between.insert(edge.clone());
            }
        }
        assert_eq!(told, between, "the relationships between {arguments}");
        // Nearest first: the entities asked for, then only what is beside one told before.
        let asked: BTreeSet<String> = items(&arguments["entity_names"]).iter().map(text).collect();
        for (place, label) in listed.iter().enumerate().skip(asked.len()) {
            let near = listed[..place].iter().any(|known| beside.contains(&(known.as_str(), label.as_str())));
            assert!(near, "{label} is told before what leads to it");
        }
        json!({ "truncated": answer["truncated"], "entities": entities, "relationships": told.len() })
    }
}

/// The file names observations by their text.
fn with_ids(agent: &mut McpProcess, mut arguments: Value) -> Value {
    for field in ["observation_id", "observation_ids", "keep_ids"] {
        let named = arguments[field].clone();
        if named.is_null() {
            continue;
        }
        let entity = agent.call("get_entity", json!({ "name": arguments["entity_name"] }));
        let id = |content: &Value| -> Value {
            let found = items(&entity["observations"]).iter().find(|o| o["content"] == *content);
            found.unwrap_or_else(|| panic!("no observation {content}"))["id"].clone()
        };
        arguments[field] = match &named {
            Value::Array(contents) => contents.iter().map(id).collect(),
            content => id(content),
        };
    }
    arguments
}

/// What a write did: which items were merged, how many were added or deleted. The peer calls a merged
/// relationship `updated`.
fn outcome(tool: &str, answer: &Value) -> Value {
    match tool {
        "add_entities" | "add_relationships" => {
            let results = items(&answer["results"]).iter().enumerate();
            results.filter(|(_, r)| r["status"] != "created").map(|(place, _)| place).collect()
        }
        "add_observations" => answer["count"].clone(),
        _ => answer["deleted"].clone(),
    }
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

pub(super) fn items(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

fn pick(answer: &Value, fields: &[&str]) -> Value {
    fields.iter().map(|field| (*field, answer[*field].clone())).collect()
}
