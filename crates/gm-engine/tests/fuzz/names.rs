//! Arbitrary text as a graph's name and as a place: nothing is made outside the library.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use gm_engine::{Library, Location, LocationOptions};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::{cases, in_time, is_clean, library, odd_text};

fn graph_name() -> impl Strategy<Value = String> {
    let near = "[A-Za-z0-9_-]{1,70}";
    let path = proptest::collection::vec(
        prop_oneof![
            Just(".."),
            Just("."),
            Just("/"),
            Just("\\"),
            Just("~"),
            Just("%2e"),
            Just("\0"),
            Just("outside"),
            Just(".db"),
            Just("-wal"),
            Just("graph"),
            Just("default"),
            Just("CON"),
            Just(":memory:"),
            Just("file:x?mode=memory"),
            Just("ﬁle"),
            Just(" "),
        ],
        1..6,
    )
    .prop_map(|parts| parts.concat());
    prop_oneof![3 => near, 3 => path, 2 => odd_text()]
}

/// Every file and folder below a place, the library's own left out.
fn outside(root: &Path, library: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path == library {
            continue;
        }
        if path.is_dir() {
            found.extend(outside(&path, library));
        }
        found.push(path);
    }
    found.sort();
    found
}

/// Whether a name is one of the grammar, said a second time and in other words.
fn is_of_the_grammar(name: &str) -> bool {
    let plain = name.chars().all(|c| matches!(c, 'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_'));
    plain && !name.is_empty() && name.len() <= 64 && !name.eq_ignore_ascii_case("graph")
}

#[test]
fn a_graph_name_is_of_the_grammar_or_refused() {
    let (library, root) = library();
    std::fs::write(root.path().join("outside.db"), "untouched").unwrap();
    let before = outside(root.path(), library.folder());
    TestRunner::new(cases(128))
        .run(&graph_name(), |name| {
            let known = library.names().unwrap();
            let created = in_time("creation", || library.create(&name).map(|graph| graph.name().to_owned()));
            match created {
                Ok(stored) => {
                    prop_assert!(is_of_the_grammar(&name), "{:?} was taken", name);
                    prop_assert!(stored.eq_ignore_ascii_case(&name));
                    prop_assert!(library.names().unwrap().contains(&stored));
                    prop_assert!(library.create(&name).is_err(), "it exists");
                    library.graph(&name).unwrap().counts().unwrap();
                    library.delete(&name, false).unwrap();
                    prop_assert_eq!(library.names().unwrap(), known, "deleted without a trace");
                }
                Err(error) => prop_assert!(is_clean(&error), "{}", error),
            }
            for outcome in [library.graph(&name).map(drop), library.delete(&name, false).map(drop)] {
                if let Err(error) = outcome {
                    prop_assert!(is_clean(&error), "{}", error);
                }
            }
            prop_assert_eq!(&outside(root.path(), library.folder()), &before, "{:?} reached outside", name);
            Ok(())
        })
        .unwrap();
    assert_eq!(std::fs::read_to_string(root.path().join("outside.db")).unwrap(), "untouched");
    assert!(library.folder().read_dir().unwrap().all(|entry| {
        let name = entry.unwrap().file_name();
        name.to_string_lossy().starts_with("graph.db")
    }));
}

#[test]
fn any_place_can_be_asked_for_and_is_inside_what_was_said() {
    let place = || {
        proptest::option::of(prop_oneof![
            proptest::collection::vec(1u8..=255, 0..40)
                .prop_map(|bytes| PathBuf::from(OsString::from_vec(bytes))),
            odd_text().prop_map(PathBuf::from),
            "[a-z./ ]{0,20}".prop_map(PathBuf::from),
        ])
    };
    let root = tempfile::tempdir().unwrap();
    let options = (place(), place(), place(), place(), place());
    TestRunner::new(cases(256))
        .run(&options, |(db, project_dir, db_path, home, user_home)| {
            let options = LocationOptions {
                db: db.clone(),
                project_dir: project_dir.clone(),
                db_path: db_path.map(PathBuf::into_os_string),
                home: home.map(PathBuf::into_os_string),
                user_home,
                fallback_db: None,
                working_directory: root.path().to_owned(),
            };
            let found: Location = in_time("locating", || options.locate());
            if let (None, Some(project)) = (&db, &project_dir) {
                prop_assert_eq!(found.folder, root.path().join(project).join(".graphmem"));
            }
            options.home_library();
            prop_assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0, "asking makes nothing");
            Ok(())
        })
        .unwrap();
}

#[test]
fn any_file_name_becomes_a_graph_inside_the_library() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/graph-mem-1.0.0-badweight.db");
    let name =
        prop_oneof![odd_text(), "[a-z.%_ -]{1,30}", Just("graph".to_owned()), Just("default".to_owned())];
    TestRunner::new(cases(24))
        .run(&name, |name| {
            let (library, root): (Library, _) = library();
            let name: String = name.chars().filter(|c| !matches!(c, '/' | '\0' | '\\')).take(40).collect();
            let source = root.path().join(format!("{name}.db"));
            if std::fs::copy(sample, &source).is_err() {
                // The system itself does not take such a name.
                return Ok(());
            }
            let before = outside(root.path(), library.folder());
            let seen = gm_engine::import::look_at_database(&library, &source).unwrap();
            let (graph, counts) = (seen.graph, seen.counts);
            prop_assert!(is_of_the_grammar(&graph) && counts.entities == 10, "{:?}", graph);
            gm_engine::import::adopt_database(&library, &source, &graph).unwrap();
            prop_assert_eq!(library.graph(&graph).unwrap().counts().unwrap().entities, 10);
            prop_assert_eq!(outside(root.path(), library.folder()), before);
            Ok(())
        })
        .unwrap();
}

#[test]
fn any_path_of_the_system_can_be_read() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/graph-mem-1.0.0-badweight.db");
    for folder in [b"back\\slash".as_slice(), b"latin-1 \xe9", b"\xff"] {
        let (library, root): (Library, _) = library();
        let folder = root.path().join(OsString::from_vec(folder.to_vec()));
        std::fs::create_dir(&folder).unwrap();
        let source = folder.join("in.db");
        std::fs::copy(sample, &source).unwrap();
        let seen = gm_engine::import::look_at_database(&library, &source);
        assert_eq!(seen.unwrap_or_else(|error| panic!("{folder:?}: {error}")).counts.entities, 10);
    }
}
