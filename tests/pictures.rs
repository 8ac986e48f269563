//! Pictures from the command line.

use std::fs;

use crate::home;

#[test]
fn a_graph_is_drawn_as_svg_png_and_a_page() {
    let home = home();
    home.ok(&["graphs", "--create", "work"]);
    let lines = [
        r#"{"type":"entity","name":"Ada <b>","entityType":"person","observations":[]}"#,
        r#"{"type":"entity","name":"Harbour","entityType":"place","observations":[]}"#,
        r#"{"type":"relation","from":"Ada <b>","to":"Harbour","relationType":"lives at"}"#,
    ];
    home.ok(&["--graph", "work", "import", &home.file("in.jsonl", lines.join("\n"))]);
    let place = |name: &str| home.path().join(name).to_string_lossy().into_owned();
    let draw = |name: &str, more: &[&str]| {
        let output = place(name);
        let mut arguments = vec!["--graph", "work", "picture", "--output", &output];
        arguments.extend(more);
        let said = home.ok(&arguments);
        let wanted =
            if more.contains(&"--hide") { "1 entity and 0" } else { "2 entities and 1 relationship" };
        assert!(said.contains(wanted), "{said}");
        fs::read(&output).unwrap()
    };
    let svg = String::from_utf8(draw("a.svg", &["--theme", "dark", "--layout", "tree"])).unwrap();
    assert!(svg.contains("Ada &lt;b&gt;") && svg.contains("person") && svg.contains("#14171D"));
    let plain =
        String::from_utf8(draw("b.svg", &["--no-legend", "--hide", "person", "--width", "300"])).unwrap();
    assert!(plain.contains("width=\"300\"") && !plain.contains("Ada") && plain.contains("Harbour"));
    assert!(draw("a.png", &["--scale", "1", "--width", "200", "--height", "100"]).starts_with(b"\x89PNG"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(place("a.png")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "memory is nobody else's business");
    }
    let (svg, other) = (place("a.svg"), place("c.svg"));
    for (arguments, said) in [
        (vec!["picture", "-o", &svg], "`--force`"),
        (vec!["picture", "-o", "a.gif"], "`.svg`, `.png` or `.html`"),
        (vec!["picture", "-o", &other, "--hide", "nobody"], "--hide nobody"),
        (vec!["picture", "-o", &other, "--width", "9"], "64"),
    ] {
        let mut all = vec!["--graph", "work"];
        all.extend(arguments);
        let refused = home.run(&all);
        let told = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && told.contains(said), "{told}");
    }
    assert!(!std::path::Path::new(&other).exists());
}
