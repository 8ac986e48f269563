//! Arbitrary and damaged files: imported whole, or refused with the graph as it was.

use std::sync::Arc;

use gm_engine::import::{self, ImportOptions};
use gm_engine::{Error, Graph, Library};
use gm_model::Actor;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::{cases, exported, in_time, is_clean, library};

fn data(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../tests/data/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// A small export of ours: parts of everything.
fn small_export() -> Vec<u8> {
    let (library, _folder) = library();
    let graph = library.graph("default").unwrap();
    import::import(&graph, &Actor::import(), &data("server-memory-tiny.jsonl"), ImportOptions::default())
        .unwrap();
    exported(&graph).into_bytes()
}

/// The first entities, relationships and observations of the old program's export.
fn small_old_export() -> Vec<u8> {
    let mut whole: serde_json::Value = serde_json::from_slice(&data("graph-mem-1.0.0-export.json")).unwrap();
    whole["entities"].as_array_mut().unwrap().truncate(12);
    let kept: Vec<serde_json::Value> =
        whole["entities"].as_array().unwrap().iter().map(|entity| entity["id"].clone()).collect();
    for (list, ends) in [("relationships", &["source_id", "target_id"][..]), ("observations", &["entity_id"])]
    {
        whole[list]
            .as_array_mut()
            .unwrap()
            .retain(|object| ends.iter().all(|end| kept.contains(&object[*end])));
    }
    serde_json::to_vec_pretty(&whole).unwrap()
}

/// What is done to a sound file.
#[derive(Debug, Clone)]
enum Damage {
    Flip(usize, u8),
    Truncate(usize),
    Insert(usize, Vec<u8>),
    DuplicateLine(usize),
    SwapLines(usize, usize),
    RemoveLine(usize),
    /// A word of the file by another: types and bounds change, the JSON stays sound.
    Replace(usize, usize),
}

const REPLACEMENTS: [(&str, &str); 18] = [
    ("\"weight\":1.0", "\"weight\":1e999"),
    ("\"weight\":1.0", "\"weight\":-0.1"),
    ("\"weight\":1.0", "\"weight\":null"),
    ("\"properties\":{}", "\"properties\":[1]"),
    ("\"created_at\":1", "\"created_at\":99999999999999999999"),
    ("\"created_at\":1", "\"created_at\":-1"),
    ("\"observations\":[", "\"observations\":[null,"),
    ("\"observations\":[", "\"observations\":[[[[[["),
    ("\"name\":\"", "\"name\":\"\\u0000"),
    ("\"name\":\"", "\"name\":\"\\ud83d"),
    ("\"name\":", "\"name\":{},\"name\":"),
    ("\"type\":\"entity\"", "\"type\":7"),
    ("\"version\": 1", "\"version\": 18446744073709551616"),
    ("\"id\":\"", "\"id\":\" "),
    ("\"source_id\":\"", "\"source_id\":\"x"),
    ("\"entityType\":", "\"entity_type\":"),
    ("{", "{\"deep\":[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]],"),
    ("}", ""),
];

fn damage() -> impl Strategy<Value = Vec<Damage>> {
    let at = any::<usize>;
    let one = prop_oneof![
        4 => (at(), any::<u8>()).prop_map(|(at, by)| Damage::Flip(at, by)),
        1 => at().prop_map(Damage::Truncate),
        2 => (at(), proptest::collection::vec(any::<u8>(), 1..20)).prop_map(|(at, b)| Damage::Insert(at, b)),
        2 => at().prop_map(Damage::DuplicateLine),
        2 => (at(), at()).prop_map(|(a, b)| Damage::SwapLines(a, b)),
        1 => at().prop_map(Damage::RemoveLine),
        4 => (0..REPLACEMENTS.len(), at()).prop_map(|(which, at)| Damage::Replace(which, at)),
    ];
    proptest::collection::vec(one, 1..5)
}

fn damaged(sound: &[u8], all: &[Damage]) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    for damage in all {
        if bytes.is_empty() {
            return bytes;
        }
        let n = bytes.len();
        let lines =
            |bytes: &[u8]| -> Vec<Vec<u8>> { bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect() };
        match damage {
            Damage::Flip(at, by) => bytes[at % n] ^= by,
            Damage::Truncate(at) => bytes.truncate(at % n),
            Damage::Insert(at, new) => {
                let at = at % n;
                bytes.splice(at..at, new.iter().copied());
            }
            Damage::DuplicateLine(at) => {
                let mut lines = lines(&bytes);
                let at = at % lines.len();
                lines.insert(at, lines[at].clone());
                bytes = lines.join(&b'\n');
            }
            Damage::SwapLines(a, b) => {
                let mut lines = lines(&bytes);
                let n = lines.len();
                lines.swap(a % n, b % n);
                bytes = lines.join(&b'\n');
            }
            Damage::RemoveLine(at) => {
                let mut lines = lines(&bytes);
                let at = at % lines.len();
                lines.remove(at);
                bytes = lines.join(&b'\n');
            }
            Damage::Replace(which, at) => {
                let (old, new) = REPLACEMENTS[*which];
                let places: Vec<usize> = bytes
                    .windows(old.len())
                    .enumerate()
                    .filter(|(_, window)| *window == old.as_bytes())
                    .map(|(place, _)| place)
                    .collect();
                if !places.is_empty() {
                    let place = places[at % places.len()];
                    bytes.splice(place..place + old.len(), new.bytes());
                }
            }
        }
    }
    bytes
}

/// A graph that already holds something the file may touch.
fn target() -> (Library, Arc<Graph>, tempfile::TempDir) {
    let (library, folder) = library();
    let graph = library.graph("default").unwrap();
    let held = b"{\"type\":\"entity\",\"name\":\"Held\",\"entityType\":\"t\",\"observations\":[\"before\"]}";
    import::import(&graph, &Actor::import(), held, ImportOptions::default()).unwrap();
    (library, graph, folder)
}

fn taken_or_refused(graph: &Graph, bytes: &[u8]) -> Result<(), TestCaseError> {
    let before = exported(graph);
    let dry = ImportOptions { dry_run: true, ..ImportOptions::default() };
    let foreseen = in_time("a dry run", || import::import(graph, &Actor::import(), bytes, dry));
    prop_assert_eq!(&exported(graph), &before, "a dry run changes nothing");
    match in_time("an import", || import::import(graph, &Actor::import(), bytes, ImportOptions::default())) {
        Ok(report) => {
            prop_assert!(report.applied && report.problem_count == 0);
            prop_assert!(foreseen.is_ok_and(|foreseen| foreseen.entities == report.entities));
            // What was taken can be told, read back, and taken again without a change.
            let after = exported(graph);
            let again = import::import(graph, &Actor::import(), after.as_bytes(), ImportOptions::default());
            prop_assert!(again.is_ok(), "its own export is refused: {:?}", again.err());
            prop_assert_eq!(exported(graph), after);
        }
        Err(Error::Import(report)) => {
            prop_assert!(!report.applied && report.problem_count > 0);
            for problem in &report.problems {
                prop_assert!(problem.line > 0 && problem.reason.len() < 1_000, "{:?}", problem.reason);
            }
            prop_assert_eq!(&exported(graph), &before, "refused, and as it was");
            let skip = ImportOptions { skip_invalid: true, ..ImportOptions::default() };
            match import::import(graph, &Actor::import(), bytes, skip) {
                Ok(skipped) => prop_assert!(skipped.problem_count > 0, "what is left out is told"),
                Err(error) => prop_assert!(is_clean(&error), "{}", error),
            }
        }
        Err(error) => {
            prop_assert!(is_clean(&error), "{}", error);
            prop_assert_eq!(&exported(graph), &before, "refused, and as it was");
        }
    }
    Ok(())
}

#[test]
fn any_bytes_are_a_file_to_refuse() {
    let (_library, graph, _folder) = target();
    let json = proptest::collection::vec(
        prop_oneof![
            Just("{"),
            Just("}"),
            Just("["),
            Just("]"),
            Just(","),
            Just(":"),
            Just("\n"),
            Just("null"),
            Just("1e309"),
            Just("\"type\""),
            Just("\"entity\""),
            Just("\"entities\""),
            Just("\"format\""),
            Just("\"graph-mem\""),
            Just("\"version\""),
            Just("1"),
            Just("\"\\ud800\""),
            Just("\u{feff}"),
        ],
        0..40,
    )
    .prop_map(|parts| parts.concat().into_bytes());
    let database = proptest::collection::vec(any::<u8>(), 0..200)
        .prop_map(|rest| [b"SQLite format 3\0".as_slice(), &rest].concat());
    let bytes = prop_oneof![3 => proptest::collection::vec(any::<u8>(), 0..2_000), 4 => json, 1 => database];
    TestRunner::new(cases(192)).run(&bytes, |bytes| taken_or_refused(&graph, &bytes)).unwrap();
}

#[test]
fn depth_and_numbers_without_bound_are_refused() {
    let (_library, graph, _folder) = target();
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
    let entity = |properties: &str| {
        format!(
            "{{\"format\":\"graph-mem\",\"version\":1,\"entities\":[{{\"id\":\"e1\",\"name\":\"N\",\"entity_type\":\"t\",\"created_at\":1.0,\"updated_at\":1.0,\"properties\":{properties}}}],\"relationships\":[],\"observations\":[]}}"
        )
    };
    let files = [
        deep("[", "]"),
        deep("{\"a\":", "}"),
        entity(&deep("{\"a\":", "}")),
        entity(&format!("{{\"n\":{}}}", "9".repeat(100_000))),
        entity(&format!("{{\"n\":1e{}}}", "9".repeat(1_000))),
        entity(&format!("{{\"a\":{}1{}}}", "[".repeat(100), "]".repeat(100))),
        format!(
            "{{\"type\":\"entity\",\"name\":\"N\",\"entityType\":\"t\",\"observations\":{}}}",
            deep("[", "]")
        ),
        format!(
            "{{\"type\":\"entity\",\"name\":\"{}\",\"entityType\":\"t\",\"observations\":[]}}",
            "n".repeat(1 << 20)
        ),
    ];
    for file in files {
        let before = exported(&graph);
        let outcome = in_time("an import", || {
            import::import(&graph, &Actor::import(), file.as_bytes(), ImportOptions::default())
        });
        let error = outcome.expect_err("refused");
        assert!(is_clean(&error), "{error}");
        assert_eq!(exported(&graph), before);
    }
}

#[test]
fn damaged_files_of_the_memory_server() {
    let sound = data("server-memory-tiny.jsonl");
    TestRunner::new(cases(64))
        .run(&damage(), |damage| taken_or_refused(&target().1, &damaged(&sound, &damage)))
        .unwrap();
}

#[test]
fn damaged_exports() {
    for sound in [small_export(), small_old_export()] {
        TestRunner::new(cases(48))
            .run(&damage(), |damage| taken_or_refused(&target().1, &damaged(&sound, &damage)))
            .unwrap();
    }
}

#[test]
fn damaged_databases() {
    let sound = data("graph-mem-1.0.0-badweight.db");
    let ours = {
        let (library, folder) = library();
        let graph = library.graph("work").or_else(|_| library.create("work")).unwrap();
        import::import(&graph, &Actor::import(), &small_old_export(), ImportOptions::default()).unwrap();
        let copy = folder.path().join("copy.db");
        gm_store::copy(graph.path(), &copy).unwrap();
        std::fs::read(copy).unwrap()
    };
    let few = proptest::collection::vec(
        prop_oneof![
            (any::<usize>(), any::<u8>()).prop_map(|(at, by)| Damage::Flip(at, by)),
            // The header and the schema are where most is decided.
            (0usize..200, any::<u8>()).prop_map(|(at, by)| Damage::Flip(at, by)),
            any::<usize>().prop_map(Damage::Truncate),
            (any::<usize>(), proptest::collection::vec(any::<u8>(), 1..20))
                .prop_map(|(at, b)| Damage::Insert(at, b)),
        ],
        1..6,
    );
    let (library, root) = library();
    let held = library.graph("default").unwrap();
    let before = exported(&held);
    for sound in [sound, ours] {
        TestRunner::new(cases(32))
            .run(&few, |damage| {
                let bytes = damaged(&sound, &damage);
                let source = root.path().join("in.db");
                std::fs::write(&source, &bytes).unwrap();
                let names = library.names().unwrap();
                let adopted = in_time("an adoption", || {
                    let name = import::look_at_database(&library, &source)?.graph;
                    import::adopt_database(&library, &source, &name)?;
                    Ok::<_, Error>(name)
                });
                match adopted {
                    Ok(name) => {
                        // Damage that nothing has read yet may show later, as damage.
                        let graph = library.graph(&name).unwrap();
                        if let Err(error) = graph.read(gm_engine::export::export) {
                            prop_assert!(["damaged", "storage"].contains(&error.code()), "{}", error);
                        }
                        drop(graph);
                        library.delete(&name, false).unwrap();
                    }
                    Err(error) => prop_assert!(is_clean(&error), "{} {}", error.code(), error),
                }
                prop_assert_eq!(library.names().unwrap(), names, "nothing half adopted stays");
                prop_assert_eq!(std::fs::read(&source).unwrap(), bytes, "the source is as it was");
                prop_assert_eq!(&exported(&held), &before);
                Ok(())
            })
            .unwrap();
    }
}
