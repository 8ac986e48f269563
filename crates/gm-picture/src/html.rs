//! The picture as a page by itself: data, d3-force and drawing in one file that opens anywhere, offline.

use rust_embed::RustEmbed;
use serde_json::json;

use crate::text::shown;
use crate::{Graph, Options, Theme};

#[derive(RustEmbed)]
#[folder = "../../ui/dist-standalone"]
#[allow_missing = true]
struct Script;

/// Nothing but what is in the file: no network, no other script.
const POLICY: &str =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/// The page; `None` when the explorer's pages were not built into this program.
pub fn html(graph: &Graph<'_>, options: &Options) -> Option<String> {
    let script = Script::get("picture.js")?;
    let script = String::from_utf8_lossy(&script.data);
    let hidden: Vec<bool> = graph.types.iter().map(|t| options.hidden_types.contains(t)).collect();
    let kept: Vec<usize> = (0..graph.names.len())
        .filter(|&node| !hidden.get(graph.type_index[node] as usize).copied().unwrap_or(false))
        .collect();
    let mut index = vec![usize::MAX; graph.names.len()];
    for (at, &node) in kept.iter().enumerate() {
        index[node] = at;
    }
    let edges: Vec<[usize; 3]> = (0..graph.edge_source.len())
        .map(|e| {
            [
                index[graph.edge_source[e] as usize],
                index[graph.edge_target[e] as usize],
                graph.edge_type_index[e] as usize,
            ]
        })
        .filter(|[source, target, _]| *source != usize::MAX && *target != usize::MAX)
        .collect();
    // What is hidden is not told by its name either; the numbers stay, for they are those of the colours.
    let told = |names: &[String], is_used: &[bool]| -> Vec<String> {
        names
            .iter()
            .zip(is_used)
            .map(|(name, used)| if *used { name.clone() } else { String::new() })
            .collect()
    };
    let (mut used, mut used_edges) = (vec![false; graph.types.len()], vec![false; graph.edge_types.len()]);
    for &node in &kept {
        used[graph.type_index[node] as usize] = true;
    }
    for edge in &edges {
        used_edges[edge[2]] = true;
    }
    let tenth = |v: f32| (f64::from(v) * 10.0).round() / 10.0;
    let data = json!({
        "title": graph.title,
        "theme": if options.theme == Theme::Dark { "dark" } else { "light" },
        "legend": options.legend,
        "types": told(graph.types, &used),
        "edgeTypes": told(graph.edge_types, &used_edges),
        "names": kept.iter().map(|&node| &graph.names[node]).collect::<Vec<_>>(),
        "typeOf": kept.iter().map(|&node| graph.type_index[node]).collect::<Vec<_>>(),
        "places": kept.iter().flat_map(|&n| [tenth(graph.positions[2 * n]), tenth(graph.positions[2 * n + 1])]).collect::<Vec<_>>(),
        "edges": edges,
    });
    // In a script element no text can end it: neither `</script` nor `<!--` survives.
    let data = data
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    Some(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n</head>\n<body>\n\
         <script type=\"application/json\" id=\"graph\">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n",
        shown(graph.title),
    ))
}
