//! Words are ranked outside the index too; both must take texts apart alike.

use gm_model::text::{self, IndexWords};
use proptest::prelude::*;
use rusqlite::Connection;

fn words(segmented: &str) -> Vec<String> {
    IndexWords::of(segmented).iter().map(str::to_owned).collect()
}

fn indexed(connection: &Connection, text: &str) -> Vec<String> {
    connection.execute("DELETE FROM f", []).unwrap();
    connection.execute("INSERT INTO f (t) VALUES (?1)", [text]).unwrap();
    let mut statement = connection.prepare("SELECT term FROM v ORDER BY offset").unwrap();
    let words = statement.query_map([], |row| row.get(0)).unwrap();
    words.collect::<rusqlite::Result<_>>().unwrap()
}

fn index() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "CREATE VIRTUAL TABLE f USING fts5 (t, tokenize = 'unicode61 remove_diacritics 2');
             CREATE VIRTUAL TABLE v USING fts5vocab (f, instance);",
        )
        .unwrap();
    connection
}

#[test]
fn known_texts() {
    let index = index();
    for sample in [
        "Crème brûlée, naïve façade — Żółć",
        "AuthService auth_service auth-service v2.10",
        "仓库系统 in Zürich",
        "Ελληνικά Όσος",
        "Привет, Мир №5",
        "don't e=mc2 100% user@host",
        "한국어 서버",
    ] {
        let segmented = text::segment(sample);
        assert_eq!(words(&segmented), indexed(&index, &segmented), "{sample}");
    }
}

proptest! {
    #[test]
    fn latin_cyrillic_and_signs(sample in "[ -~À-ÖØ-öø-žА-я]{0,60}") {
        let segmented = text::segment(&sample);
        prop_assert_eq!(words(&segmented), indexed(&index(), &segmented));
    }
}
