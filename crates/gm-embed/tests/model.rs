//! The real model, where the tests were given one.

use std::path::PathBuf;
use std::time::Duration;

use gm_embed::model::{DEFAULT_MODEL, Places};
use gm_embed::{EmbedError, Embeddings};

#[allow(clippy::print_stderr)]
fn model() -> Option<Embeddings> {
    let places = Places(vec![std::env::var_os("GRAPHMEM_TEST_MODELS").map(PathBuf::from)?]);
    let embeddings = Embeddings::of(&places, DEFAULT_MODEL);
    if embeddings.identity().is_err() {
        eprintln!("passed over: no embedding model; `cargo xtask test` gets one");
        return None;
    }
    Some(embeddings)
}

fn passages(model: &Embeddings, texts: &[&str]) -> Vec<Vec<f32>> {
    model.passages(texts.iter().map(|text| (*text).to_owned()).collect()).unwrap()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[test]
fn a_vector_depends_on_its_text_alone() {
    let Some(model) = model() else { return };
    let long = "a long text that says much ".repeat(40);
    let mut texts = vec!["short", "Uses bcrypt for password hashing", &long, "", "🙂", "仓库系统"];
    let filler: Vec<String> = (0..40).map(|i| format!("filler number {i} {}", "word ".repeat(i))).collect();
    let alone: Vec<Vec<f32>> = texts.iter().map(|text| passages(&model, &[text]).remove(0)).collect();
    let count = texts.len();
    texts.extend(filler.iter().map(String::as_str));
    let together = passages(&model, &texts);
    assert_eq!(together[..count], alone[..], "bit for bit, whatever stands beside it");
    texts[..count].reverse();
    let mut turned = passages(&model, &texts[..count]);
    turned.reverse();
    assert_eq!(turned, alone, "in any order");
    for vector in &alone {
        assert_eq!(vector.len(), 384);
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-5);
    }
}

#[test]
fn texts_of_like_meaning_are_near() {
    let Some(model) = model() else { return };
    let question = loop {
        match model.query("how are passwords stored", Duration::from_secs(30)) {
            // A busy machine; what was computed late is remembered.
            Err(EmbedError::Late) => {}
            answer => break answer.unwrap(),
        }
    };
    let near =
        passages(&model, &["AuthService: Uses bcrypt for password hashing", "Tomatoes want much water"]);
    let (alike, other) = (cosine(&question, &near[0]), cosine(&question, &near[1]));
    assert!(alike > other + 0.2, "{alike} and {other}");
}
