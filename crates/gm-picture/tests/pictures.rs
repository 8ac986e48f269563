//! What a picture holds, and what no name can make of it.

use gm_picture::{Graph, Options, Theme, View, html, png, svg};

struct Made {
    names: Vec<String>,
    types: Vec<String>,
    type_index: Vec<u16>,
    positions: Vec<f32>,
    edge_types: Vec<String>,
    source: Vec<u32>,
    target: Vec<u32>,
    edge_type: Vec<u16>,
    weight: Vec<f32>,
}

impl Made {
    /// Names on a grid, each linked to the one before.
    fn of(names: &[&str]) -> Self {
        let n = names.len();
        Self {
            names: names.iter().map(ToString::to_string).collect(),
            types: (0..12).map(|i| format!("type {i}")).collect(),
            type_index: (0..n).map(|i| (i % 12) as u16).collect(),
            positions: (0..n).flat_map(|i| [(i % 30) as f32 * 60.0, (i / 30) as f32 * 60.0]).collect(),
            edge_types: vec!["follows".into()],
            source: (1..n as u32).collect(),
            target: (0..n as u32 - 1).collect(),
            edge_type: vec![0; n - 1],
            weight: vec![1.0; n - 1],
        }
    }

    fn graph(&self) -> Graph<'_> {
        Graph {
            title: "a & <b>",
            names: &self.names,
            types: &self.types,
            type_index: &self.type_index,
            positions: &self.positions,
            edge_types: &self.edge_types,
            edge_source: &self.source,
            edge_target: &self.target,
            edge_type_index: &self.edge_type,
            edge_weight: &self.weight,
        }
    }
}

const HOSTILE: [&str; 8] = [
    "</script><script>alert(1)</script>",
    "<!--",
    "]]></text><image href=\"http://example.com/x.png\"/>",
    "\" onload=\"alert(1)",
    "\u{202e}reversed\u{200b}",
    "\0\u{1}\u{fffe}control",
    "&lt;b&gt;",
    "漢字 🎉 naïve",
];

#[test]
fn hostile_names_are_text_in_every_form() {
    let made = Made::of(&HOSTILE);
    let text = svg(&made.graph(), &Options::default());
    for wrong in ["<script", "<image", "onload=\"", "\u{202e}", "\0"] {
        assert!(!text.contains(wrong), "{wrong:?} in {text}");
    }
    assert!(text.contains("⟨202E⟩reversed"));
    // It is read again as the document it is: every name a text of its own.
    assert!(png(&text, 1.0).unwrap().starts_with(b"\x89PNG"));
    let Some(page) = html(&made.graph(), &Options::default()) else { return };
    let data = page.split("id=\"graph\">").nth(1).unwrap();
    let (data, rest) = data.split_once("</script>").unwrap();
    assert!(!data.contains('<'), "nothing in the data can end its element");
    let read: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(read["names"][0], HOSTILE[0]);
    assert_eq!(rest.matches("</script>").count(), 1, "one script, and it is ours");
    assert!(page.contains("default-src 'none'"));
}

/// Text boxes as they are written.
fn labels(svg: &str) -> Vec<(f32, f32, f32)> {
    let attribute = |line: &str, name: &str| -> f32 {
        let from = line.split(&format!(" {name}=\"")).nth(1).unwrap();
        from.split('"').next().unwrap().parse().unwrap()
    };
    svg.lines()
        .filter(|line| line.starts_with("<text") && line.contains("textLength"))
        .map(|line| (attribute(line, "x"), attribute(line, "y"), attribute(line, "textLength")))
        .collect()
}

#[test]
fn no_two_names_overlap_and_the_legend_is_kept_free() {
    let names: Vec<String> = (0..400).map(|i| format!("Entity number {i}")).collect();
    let made = Made::of(&names.iter().map(String::as_str).collect::<Vec<_>>());
    for zoom in [0.3, 0.7, 1.0, 2.5] {
        let view = View { x: 870.0, y: 400.0, zoom };
        let text = svg(&made.graph(), &Options { view: Some(view), ..Options::default() });
        let labels = labels(&text);
        assert!(!labels.is_empty(), "zoom {zoom}");
        for (at, a) in labels.iter().enumerate() {
            for b in &labels[at + 1..] {
                let apart = a.0 + a.2 <= b.0 + 1.0 || b.0 + b.2 <= a.0 + 1.0 || (a.1 - b.1).abs() >= 14.0;
                assert!(apart, "zoom {zoom}: {a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn what_is_hidden_is_not_in_it_and_nothing_at_all_is_a_picture_too() {
    let made = Made::of(&["one", "two", "three"]);
    let options = Options { hidden_types: vec!["type 1".into()], theme: Theme::Dark, ..Options::default() };
    let text = svg(&made.graph(), &options);
    assert!(text.contains(">one<") && !text.contains(">two<") && !text.contains("type 1"));
    assert_eq!(text.matches("<path d=\"M").count(), 0, "no line to what is hidden");
    let empty = Graph {
        names: &[],
        types: &[],
        type_index: &[],
        positions: &[],
        edge_source: &[],
        edge_target: &[],
        edge_type_index: &[],
        edge_weight: &[],
        ..made.graph()
    };
    assert!(svg(&empty, &Options::default()).ends_with("</svg>\n"));
    // However near, it is a picture of this size.
    let near = View { x: 0.0, y: 0.0, zoom: 1e9 };
    assert!(svg(&made.graph(), &Options { view: Some(near), ..Options::default() }).len() < 10_000);
    if let Some(page) = html(&made.graph(), &options) {
        assert!(!page.contains("type 1\""), "a hidden type is not told by its name");
    }
    // Places that are no numbers are left out.
    let mut broken = Made::of(&["one", "two"]);
    broken.positions[0] = f32::NAN;
    let text = svg(&broken.graph(), &Options::default());
    assert!(!text.contains("NaN") && text.contains(">two<"));
}

#[test]
fn loops_and_parallel_relationships_can_be_told_apart() {
    let mut made = Made::of(&["one", "two"]);
    made.source = vec![0, 1, 0, 1];
    made.target = vec![1, 0, 1, 1];
    made.edge_type = vec![0; 4];
    made.weight = vec![1.0; 4];
    let text = svg(&made.graph(), &Options { legend: false, ..Options::default() });
    assert_eq!(text.matches('Q').count(), 2, "two of three bend: {text}");
    assert_eq!(
        text.lines()
            .filter(|line| line.contains("stroke-width") && line.contains('C') && line.starts_with("<path"))
            .count(),
        1,
        "one loop"
    );
}
