//! Embedding models for the person at the window: which there are, getting one, choosing one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gm_engine::embed::model::{DEFAULT_MODEL, MANIFEST, is_model_name};
use gm_engine::embed::{Embeddings, hub, install};
use gm_engine::meaning::{self, Choice};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::app::{App, Caller};
use crate::commands::Result;
use crate::error::ApiError;
use crate::wire::{NameRequest, Nothing};

/// How long a model may take to be loaded and tried before it is chosen.
const TRIAL: Duration = Duration::from_secs(60);

/// The models of this machine, those that can be had, and what is being installed.
#[derive(Debug, Clone, Serialize, TS)]
pub struct ModelList {
    /// The one that is wished for, whether or not it is here.
    pub in_use: String,
    /// It is named by the environment or the configuration, which go before any choice made here.
    pub is_fixed: bool,
    pub default_model: String,
    /// Whether the default model and the runtime that every model needs are here.
    pub has_default: bool,
    pub installed: Vec<InstalledModel>,
    pub available: Vec<AvailableModel>,
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<ModelJob>,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct InstalledModel {
    pub name: String,
    pub dimension: u32,
    /// It came with the program or was brought by another, and cannot be removed here.
    pub is_foreign: bool,
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Serialize, TS)]
pub struct AvailableModel {
    pub name: String,
    pub dimension: u32,
    pub description: String,
}

/// Something is being installed, or was.
#[derive(Debug, Clone, Serialize, TS)]
pub struct ModelJob {
    pub model: String,
    /// How far it is, for people.
    pub told: String,
    pub is_done: bool,
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct InstallModel {
    /// The default one, with the runtime, unless named.
    #[ts(optional)]
    pub name: Option<String>,
}

/// What this program installs at the moment; one at a time.
#[derive(Default)]
pub(crate) struct Installing(Arc<Mutex<Option<ModelJob>>>);

fn choice(app: &App) -> Result<Choice> {
    let choice = app.library().meaning_settings().choice(app.state());
    choice.ok_or_else(|| ApiError::new("unavailable", "this program's model stays as it is"))
}

pub(crate) fn list_models(app: &App, _: Caller, _: Nothing) -> Result<ModelList> {
    let choice = choice(app)?;
    let installed = choice.places.models().into_iter().map(|(folder, model)| InstalledModel {
        name: match &model {
            Ok(model) => model.manifest.id.clone(),
            Err(_) => folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        },
        dimension: model.as_ref().map_or(0, |model| model.manifest.dimension as u32),
        is_foreign: !folder.starts_with(&choice.target),
        problem: model.err().map(|error| error.to_string()),
    });
    let available = hub::available().into_iter().map(|model| AvailableModel {
        name: model.name,
        dimension: model.dimension as u32,
        description: model.description,
    });
    Ok(ModelList {
        in_use: choice.wanted.clone(),
        is_fixed: choice.is_fixed,
        default_model: DEFAULT_MODEL.to_owned(),
        has_default: choice.places.model(DEFAULT_MODEL).is_ok() && choice.places.runtime().is_ok(),
        installed: installed.collect(),
        available: available.collect(),
        job: app.installing().0.lock().clone(),
    })
}

/// Begins to install a model. How far it is, [`list_models`] tells.
pub(crate) fn install_model(app: &App, _: Caller, request: InstallModel) -> Result<Nothing> {
    let choice = choice(app)?;
    let name = request.name.unwrap_or_else(|| DEFAULT_MODEL.to_owned());
    if name != DEFAULT_MODEL && hub::available().iter().all(|model| model.name != name) {
        return Err(ApiError::new("invalid_argument", "`name` is none of the models that can be had"));
    }
    let shared = app.installing().0.clone();
    {
        let mut job = shared.lock();
        if job.as_ref().is_some_and(|job| !job.is_done) {
            return Err(ApiError::new("busy", "another model is being installed; wait for it"));
        }
        *job = Some(ModelJob { model: name.clone(), told: String::new(), is_done: false, problem: None });
    }
    let started = std::thread::Builder::new().name("model".into()).spawn({
        let shared = shared.clone();
        move || {
            let mut tell = |what: &str| {
                if let Some(job) = shared.lock().as_mut() {
                    what.clone_into(&mut job.told);
                }
            };
            let outcome = catch_unwind(AssertUnwindSafe(|| get(&choice, &name, &mut tell)));
            if let Some(job) = shared.lock().as_mut() {
                job.is_done = true;
                job.problem = match outcome {
                    Ok(outcome) => outcome.err().map(|error| error.to_string()),
                    // Whatever happened, another attempt must be possible.
                    Err(_) => Some("installing ended unexpectedly".to_owned()),
                };
            }
        }
    });
    if started.is_err() {
        *shared.lock() = None;
        return Err(ApiError::new("unavailable", "no thread for installing"));
    }
    Ok(Nothing {})
}

/// The default model comes with the runtime; another needs it as well.
fn get(
    choice: &Choice,
    name: &str,
    tell: &mut dyn FnMut(&str),
) -> std::result::Result<(), install::InstallError> {
    if name != DEFAULT_MODEL {
        hub::install(name, &choice.target, tell)?;
    }
    if name == DEFAULT_MODEL || choice.places.checked_runtime().is_err() {
        install::through_package_client(&choice.target, tell)?;
    }
    Ok(())
}

/// Makes a model that works that of every program.
pub(crate) fn use_model(app: &App, _: Caller, request: NameRequest) -> Result<Nothing> {
    let choice = choice(app)?;
    if choice.is_fixed {
        let message = "the environment or the configuration of this program names another model";
        return Err(ApiError::new("invalid_argument", message));
    }
    // A path would be a folder anywhere; here only what is listed can be chosen.
    if !is_model_name(&request.name) {
        return Err(ApiError::new("invalid_argument", "`name` must be that of an installed model"));
    }
    Embeddings::of(&choice.places, &request.name)
        .query("a", TRIAL)
        .map_err(|error| ApiError::new(error.code(), error.to_string()))?;
    meaning::choose(app.state(), &request.name)?;
    Ok(Nothing {})
}

/// Removes a model that was installed here and is not in use.
pub(crate) fn remove_model(app: &App, _: Caller, request: NameRequest) -> Result<Nothing> {
    let choice = choice(app)?;
    let folder: PathBuf = choice.target.join(&request.name);
    if !is_model_name(&request.name) || !folder.join(MANIFEST).is_file() {
        return Err(ApiError::new("not_found", "`name` is no model that was installed here"));
    }
    if request.name == choice.wanted {
        return Err(ApiError::new("invalid_argument", "this model is in use; choose another first"));
    }
    std::fs::remove_dir_all(&folder)
        .map_err(|error| ApiError::new("io", format!("the model cannot be removed: {error}")))?;
    Ok(Nothing {})
}
