//! The embedding model: getting it, choosing it, and giving a graph its vectors.

use std::process::ExitCode;

use anyhow::Result;
use gm_engine::embed::model::{DEFAULT_MODEL, MANIFEST, Places, is_model_name};
use gm_engine::embed::{EmbedError, Embeddings, hub, install};
use gm_engine::meaning;
use gm_engine::now;
use gm_store::StateFile;
use gm_store::search::TextIndex;
use serde_json::json;

use crate::args::Model;
use crate::context::Context;
use crate::exit::Failure;
use crate::output::{counted, note, say};
use crate::progress::Progress;
use crate::settings::{Settings, Source};

/// How long `model status` and `model use` wait for a model to be loaded and tried.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);

pub fn model(settings: &Settings, what: &Model) -> Result<ExitCode> {
    let places = settings.meaning().places(&settings.home);
    let state = || StateFile::open(&settings.home, now());
    match what {
        Model::Install { model: Some(name), .. } => return from_hub(settings, &places, name),
        Model::Install { from, .. } => return installing(settings, &places, from.as_deref()),
        Model::Available { json } => available(*json),
        Model::Status { json } => return status(settings, &places, &state()?, *json),
        Model::Path => places.0.iter().for_each(|place| say(place.display().to_string())),
        Model::Use { model } => {
            // Other programs are started elsewhere.
            let absolute = model.contains(['/', '\\']).then(|| std::path::absolute(model)).transpose()?;
            let model = &absolute.map_or_else(|| model.clone(), |path| path.to_string_lossy().into_owned());
            let embeddings = Embeddings::of(&places, model);
            embeddings.query("a", PATIENCE).map_err(|error| Failure::failed(error.to_string()))?;
            meaning::choose(&state()?, model)?;
            match named_elsewhere(settings) {
                Some(place) => {
                    say(format!("`{model}` is chosen; until this is taken out, another goes before it:"));
                    say(place);
                }
                None => say(format!("`{model}` is used by every program from now on")),
            }
            note("hint: a graph with vectors of another model goes by words until `graph-mem reembed`");
        }
        Model::Remove { model } => {
            let target = settings.meaning().target(&settings.home);
            let folder = target.join(model);
            if !is_model_name(model) || !folder.join(MANIFEST).is_file() {
                let message = format!("no model `{model}` in `{}`", target.display());
                return Err(Failure::not_found(message).into());
            }
            std::fs::remove_dir_all(&folder)
                .map_err(|error| Failure::failed(format!("cannot remove `{}`: {error}", folder.display())))?;
            say(format!("removed `{model}`"));
            if settings.meaning().wanted_model(&state()?) == *model {
                note("it was in use: search goes by words until it is installed again or another is chosen");
            }
        }
        Model::Pause => {
            meaning::pause(&state()?, true)?;
            say("no vectors are made until `graph-mem model resume`");
        }
        Model::Resume => {
            meaning::pause(&state()?, false)?;
            say("vectors are made again");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn installing(settings: &Settings, places: &Places, from: Option<&std::path::Path>) -> Result<ExitCode> {
    let target = settings.meaning().target(&settings.home);
    if from.is_none() && install::is_installed(places) {
        say(format!("`{DEFAULT_MODEL}` and its runtime are installed"));
        return Ok(ExitCode::SUCCESS);
    }
    let failed = |error: install::InstallError| Failure::failed(error.to_string());
    if let Some(from) = from.filter(|from| from.join(MANIFEST).is_file()) {
        let folder = install::own_model(from, &target).map_err(failed)?;
        say(format!("installed in `{}`", folder.display()));
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        note(format!("hint: use it with `graph-mem model use {name}`"));
        return Ok(ExitCode::SUCCESS);
    }
    let progress = Progress::start("installing");
    let installed = match from {
        Some(from) => install::from_folder(from, &target),
        None => install::through_package_client(&target, &mut |what| {
            progress.tell(what.to_owned());
            note(what);
        }),
    };
    drop(progress);
    let installed = installed.map_err(failed)?;
    say(format!("installed in `{}`", installed.model.display()));
    note("running programs use it within a few seconds");
    Ok(ExitCode::SUCCESS)
}

/// Another model than the default one, with the runtime if that is not there.
fn from_hub(settings: &Settings, places: &Places, name: &str) -> Result<ExitCode> {
    if name == DEFAULT_MODEL {
        return installing(settings, places, None);
    }
    let target = settings.meaning().target(&settings.home);
    let failed = |error: install::InstallError| Failure::failed(error.to_string());
    let progress = Progress::start("downloading");
    let folder = hub::install(name, &target, &mut |what| progress.tell(what)).map_err(failed)?;
    drop(progress);
    say(format!("installed in `{}`", folder.display()));
    if places.checked_runtime().is_err() {
        note("the runtime that every model needs is not there: `graph-mem model install` gets it");
    }
    note(format!("hint: use it with `graph-mem model use {}`", name.to_lowercase()));
    Ok(ExitCode::SUCCESS)
}

fn available(as_json: bool) {
    let models = hub::available();
    if as_json {
        let model = |model: &hub::Available| {
            json!({
                "name": model.name, "repository": model.repository, "dimension": model.dimension,
                "description": model.description,
            })
        };
        say(json!({ "models": models.iter().map(model).collect::<Vec<_>>() }).to_string());
        return;
    }
    let width = models.iter().map(|model| model.name.len()).max().unwrap_or(0);
    say(format!("{DEFAULT_MODEL:width$}  384  the default, quick on any machine; comes with its runtime"));
    for model in &models {
        say(format!("{:width$}  {:>4}  {}", model.name, model.dimension, model.description));
    }
    note("hint: `graph-mem model install NAME` gets one from the model hub, over the network");
}

/// What names a model and goes before `model use`, and how it is taken out.
fn named_elsewhere(settings: &Settings) -> Option<String> {
    let setting = settings.setting("embedding_model");
    let value = setting.value.as_deref()?;
    Some(match setting.source {
        Source::File => format!(
            "`embedding_model` in `{}` says `{value}`; `graph-mem config --edit embedding_model=` takes it out",
            settings.file.display()
        ),
        _ => format!("`GRAPHMEM_EMBEDDING_MODEL` in the environment says `{value}`"),
    })
}

fn switched_off_by(settings: &Settings) -> String {
    match settings.setting("embeddings").source {
        Source::File => format!("`embeddings` in `{}`", settings.file.display()),
        Source::Environment => "`GRAPHMEM_EMBEDDINGS` in the environment".into(),
        _ => "the window: Edit → Search by Meaning… switches it on".into(),
    }
}

/// Tries the model, so that what is told is what search will meet.
fn status(settings: &Settings, places: &Places, state: &StateFile, as_json: bool) -> Result<ExitCode> {
    let wishes = settings.meaning();
    let wanted = wishes.wanted_model(state);
    let embeddings = wishes.settings(&settings.home, state, false).model.get();
    let tried = embeddings.query("a", PATIENCE);
    let is_paused = meaning::is_paused(state)?;
    let models = places.models();
    if as_json {
        let identity = embeddings.identity().ok();
        say(json!({
            "model": wanted,
            "works": tried.is_ok(),
            "problem": tried.as_ref().err().map(|error| json!({ "code": error.code(), "message": error.to_string() })),
            "revision": identity.map(|identity| &identity.revision),
            "dimension": identity.map(|identity| identity.dimension),
            "paused": is_paused,
            "runtime": places.runtime().ok(),
            "installed": models.iter().map(|(folder, model)| json!({
                "folder": folder,
                "id": model.as_ref().ok().map(|model| &model.manifest.id),
                "problem": model.as_ref().err().map(ToString::to_string),
            })).collect::<Vec<_>>(),
        })
        .to_string());
    } else {
        match &tried {
            Ok(_) => say(format!("in use     {wanted}")),
            Err(EmbedError::Off) => say(format!("off        by {}", switched_off_by(settings))),
            Err(error) => say(format!("in use     {wanted}, which cannot be used: {error}")),
        }
        if let (Err(_), Some(place)) = (&tried, named_elsewhere(settings)) {
            say(format!("           {place}"));
        }
        for (folder, model) in &models {
            match model {
                Ok(model) => say(format!(
                    "installed  {} ({} dimensions) in `{}`",
                    model.manifest.id,
                    model.manifest.dimension,
                    folder.display()
                )),
                Err(error) => say(format!("broken     {error}")),
            }
        }
        match places.runtime() {
            Ok(runtime) => say(format!("runtime    {}", runtime.display())),
            Err(error) => say(format!("runtime    {error}")),
        }
        if is_paused {
            say("paused     `graph-mem model resume` goes on");
        }
    }
    Ok(if tried.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(crate::exit::FAILED) })
}

pub fn reembed(context: &Context, anew: bool, as_json: bool) -> Result<ExitCode> {
    let graph = context.graph()?;
    let progress = Progress::start("making vectors");
    let done = graph.reembed(anew, &mut |made, left| {
        progress.tell(format!("{made} of {}", made + left));
        true
    })?;
    drop(progress);
    let kind = |which: TextIndex| match which {
        TextIndex::Entities => "entity",
        TextIndex::Observations => "observation",
    };
    if as_json {
        let failed = done.failed.iter().map(|(which, id)| json!({ "kind": kind(*which), "id": id }));
        say(json!({
            "graph": graph.name(), "made": done.made, "failed_count": done.left.failed,
            "failed": failed.collect::<Vec<_>>(),
        })
        .to_string());
    } else {
        say(format!("graph `{}`: {} made", graph.name(), counted(done.made, "vector was", "vectors were")));
        for (which, id) in &done.failed {
            note(format!("the text of {} `{id}` has none: the model failed on it", kind(*which)));
        }
    }
    Ok(if done.left.failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(crate::exit::FAILED) })
}
