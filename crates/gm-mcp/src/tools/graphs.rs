//! Tools on the graphs of the library.

use gm_model::limits;
use serde::Deserialize;
use serde_json::{Value, json};

use super::read_arguments;
use crate::answer::Answer;
use crate::call::Call;
use crate::dashboard::Shown;
use crate::failure::Failure;
use crate::spec::{
    Effect, Field, Kind, ToolSpec, boolean, integer, list_of, number, object, object_with, optional,
    required, text,
};

const NAME: Field = required(
    "name",
    Kind::Text { max_chars: limits::MAX_GRAPH_NAME_LENGTH },
    "Name of the graph: letters, digits, `-` and `_`.",
);

#[derive(Deserialize)]
struct NameArguments {
    name: String,
}

pub(crate) static LIST_GRAPHS: ToolSpec = ToolSpec {
    name: "list_graphs",
    title: "List graphs",
    description: "The named graphs of this library with their sizes, and which one your calls go to.",
    fields: &[],
    output: || {
        object(json!({
            "graphs": list_of(object_with(
                json!({
                    "name": text(), "file": text(), "size_bytes": integer(), "last_modified": number(), "active": boolean(),
                    "entities": integer(), "relationships": integer(), "observations": integer(),
                    "unreadable": boolean(), "error": text(),
                }),
                &["unreadable", "error"],
            )),
            "count": integer(),
            "active_graph": text(),
        }))
    },
    effect: Effect::Read,
    run: list_graphs,
};

fn list_graphs(call: &Call<'_>, _: Value) -> Result<Answer, Failure> {
    let active = call.active_name()?;
    let graphs: Vec<Value> = call
        .library
        .list()?
        .into_iter()
        .filter(|info| call.may_use(&info.name))
        .map(|info| {
            let counts = info.content.as_ref().copied().unwrap_or_default();
            let mut graph = json!({
                "name": info.name,
                "file": info.file.file_name().map(|name| name.to_string_lossy()),
                "size_bytes": info.size_bytes,
                "last_modified": info.last_modified,
                "active": info.name == active,
                "entities": counts.entities,
                "relationships": counts.relationships,
                "observations": counts.observations,
            });
            if let Err(problem) = info.content {
                graph["unreadable"] = json!(true);
                graph["error"] = json!(problem);
            }
            graph
        })
        .collect();
    Ok(json!({ "count": graphs.len(), "graphs": graphs, "active_graph": active }).into())
}

/// Refuses what cannot be a graph's name under the argument's own.
fn check_name(name: &str) -> Result<(), Failure> {
    if !name.eq_ignore_ascii_case(gm_engine::library::DEFAULT_GRAPH) {
        gm_model::text::graph_name("name", name).map_err(gm_engine::Error::from)?;
    }
    Ok(())
}

pub(crate) static CREATE_GRAPH: ToolSpec = ToolSpec {
    name: "create_graph",
    title: "Create a graph",
    description: "Make a new, empty graph in this library. switch_graph moves you there.",
    fields: &[NAME],
    output: || {
        object(json!({ "name": text(), "file": text(), "status": { "type": "string", "enum": ["created"] } }))
    },
    effect: Effect::Write,
    run: create_graph,
};

fn create_graph(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: NameArguments = read_arguments(arguments);
    call.check_graph(&arguments.name)?;
    let graph = call.library.create(&arguments.name)?;
    let file = graph.path().file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(json!({ "name": graph.name(), "file": file, "status": "created", "graph": graph.name() }).into())
}

pub(crate) static SWITCH_GRAPH: ToolSpec = ToolSpec {
    name: "switch_graph",
    title: "Switch graph",
    description: "Choose the graph your own calls go to from now on. Nobody else is moved.",
    fields: &[NAME],
    output: || {
        object(json!({
            "name": text(), "entities": integer(), "relationships": integer(), "observations": integer(),
            "status": { "type": "string", "enum": ["switched", "already_active"] },
        }))
    },
    effect: Effect::Session,
    run: switch_graph,
};

fn switch_graph(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: NameArguments = read_arguments(arguments);
    check_name(&arguments.name)?;
    let before = call.active_name()?;
    let graph = call.library.graph(&arguments.name).map_err(|error| call.hide(error))?;
    call.check_graph(graph.name())?;
    let counts = graph.counts()?;
    call.switch(graph.name())?;
    Ok(json!({
        "name": graph.name(),
        "entities": counts.entities,
        "relationships": counts.relationships,
        "observations": counts.observations,
        "status": if before == graph.name() { "already_active" } else { "switched" },
        "graph": graph.name(),
    })
    .into())
}

pub(crate) static DELETE_GRAPH: ToolSpec = ToolSpec {
    name: "delete_graph",
    title: "Delete a graph",
    description: "Delete a whole graph and its file. Refused while anybody has it open, the window included; who, is told. The person keeps a copy.",
    fields: &[NAME],
    output: || {
        object(json!({
            "name": text(), "deleted_files": list_of(text()), "status": { "type": "string", "enum": ["deleted"] },
        }))
    },
    effect: Effect::Delete,
    run: delete_graph,
};

fn delete_graph(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: NameArguments = read_arguments(arguments);
    check_name(&arguments.name)?;
    call.check_graph(&arguments.name)?;
    if call.active_name()?.eq_ignore_ascii_case(&arguments.name) {
        return Err(Failure::argument("name", "is your active graph; switch_graph to another one first"));
    }
    let files = call.library.delete(&arguments.name, !call.actor.deletes_for_good)?;
    Ok(Answer::default()
        .with("name", arguments.name.as_str())
        .with("deleted_files", files)
        .with("status", "deleted")
        .with("graph", arguments.name))
}

pub(crate) static OPEN_DASHBOARD: ToolSpec = ToolSpec {
    name: "open_dashboard",
    title: "Show the graph to the person",
    description: "Bring the graph-mem window, or the explorer in a browser, before the person. The address opens nothing for you.",
    fields: &[optional(
        "port",
        Kind::Integer { min: 0, max: u16::MAX as i64, default: 0 },
        "Port for a browser's explorer; 0: any free one.",
    )],
    output: || {
        object(
            json!({ "url": text(), "status": { "type": "string", "enum": Shown::WORDS }, "message": text() }),
        )
    },
    effect: Effect::Session,
    run: open_dashboard,
};

#[derive(Deserialize)]
struct DashboardArguments {
    port: u16,
}

fn open_dashboard(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: DashboardArguments = read_arguments(arguments);
    let dashboard = call
        .dashboard
        .ok_or_else(|| {
            Failure::new("unavailable", "this program has no explorer; the person can run `graph-mem ui`")
        })?
        .show(call.library, arguments.port)
        .map_err(|problem| Failure::new("unavailable", problem))?;
    let message = match dashboard.shown {
        Shown::Focused => "The window is in front of the person.",
        Shown::Started => "The window is opening.",
        Shown::Opened => "The explorer is open in the person's browser.",
        Shown::Serving => {
            "This machine has no screen. The person gets a link to the explorer with `graph-mem ui`."
        }
    };
    Ok(json!({ "url": dashboard.url, "status": dashboard.shown.as_str(), "message": message }).into())
}
