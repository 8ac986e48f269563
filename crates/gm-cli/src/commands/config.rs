//! Settings: what they are and where they come from.

use anyhow::Result;
use gm_engine::now;
use gm_store::StateFile;
use serde_json::{Value, json};

use crate::output::{note, say};
use crate::settings::{Settings, Source, built_in};

/// The port the listener begins with.
pub const FIRST_PORT: &str = "7437";

pub fn show(settings: &Settings, json: bool) -> Result<()> {
    let mut rows = Vec::new();
    for (key, setting) in settings.all() {
        let (value, source) = match (&setting.value, key.name) {
            (Some(value), _) => (Some(value.clone()), setting.source.to_string()),
            (None, "home") => {
                (Some(settings.home.to_string_lossy().into_owned()), Source::Default.to_string())
            }
            (None, "port") => match shared(settings, "listener.port")? {
                Some(port) => (Some(port), "kept from the first start".to_owned()),
                None => (Some(FIRST_PORT.to_owned()), Source::Default.to_string()),
            },
            (None, "embedding_model") => match shared(settings, gm_engine::meaning::SHARED_MODEL)? {
                Some(model) => (Some(model), "chosen by `model use`".to_owned()),
                None => (built_in(key.name), Source::Default.to_string()),
            },
            (None, name) => (built_in(name), Source::Default.to_string()),
        };
        rows.push((key, value, source));
    }
    let library = settings.location.locate();
    if json {
        let list: Vec<Value> = rows
            .iter()
            .map(|(key, value, source)| {
                json!({
                    "key": key.name, "value": value, "source": source, "meaning": key.meaning,
                    "in_file": key.in_file, "variable": key.variable, "flag": key.flag,
                })
            })
            .collect();
        say(json!({ "file": settings.file, "library": library.folder, "settings": list }).to_string());
        return Ok(());
    }
    for (key, value, source) in rows {
        say(format!("{:<22} {:<36} {source}", key.name, value.as_deref().unwrap_or("-")));
    }
    let exists = if settings.file.exists() { "" } else { " (not there yet)" };
    note(format!(
        "library: {}\nconfiguration: {}{exists}",
        library.folder.display(),
        settings.file.display()
    ));
    Ok(())
}

/// What all programs of the person share under a name. Looked up only where there is a state file already:
/// asking makes nothing.
fn shared(settings: &Settings, name: &str) -> Result<Option<String>> {
    if !settings.home.join("state.sqlite").exists() {
        return Ok(None);
    }
    let value = StateFile::open(&settings.home, now())?.setting(name)?;
    Ok(value.filter(|value| !value.is_empty()))
}
