//! What the page may ask of the shell: every engine command through one door, and the dialogs
//! only a native program can show.

use std::path::PathBuf;
use std::sync::Arc;

use gm_api::{ApiError, App, Caller, Reply};
use serde_json::Value;
use tauri::ipc::{InvokeBody, InvokeResponseBody, Request, Response};
use tauri::{AppHandle, Manager, State, WebviewWindow};
use tauri_plugin_dialog::{DialogExt, FilePath};

use crate::menu::LiveEntries;

type Result<T> = std::result::Result<T, ApiError>;

/// Runs one engine command. JSON arrives as an object, bytes as an array buffer.
#[tauri::command]
pub async fn call(app: State<'_, Arc<App>>, command: String, arguments: Value) -> Result<Response> {
    let app = app.inner().clone();
    let reply =
        tauri::async_runtime::spawn_blocking(move || app.call(Caller::Window, &command, arguments)).await;
    match reply {
        Ok(Ok(Reply::Json(text))) => Ok(Response::new(InvokeResponseBody::Json(text))),
        Ok(Ok(Reply::Bytes(bytes))) => Ok(Response::new(bytes)),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(ApiError::new("internal", "the command failed unexpectedly")),
    }
}

/// Runs one engine command whose argument is bytes; its name stands in a header.
#[tauri::command]
pub async fn call_bytes(app: State<'_, Arc<App>>, request: Request<'_>) -> Result<Response> {
    let command = request.headers().get("command").and_then(|name| name.to_str().ok()).unwrap_or_default();
    let command = command.to_owned();
    let bytes = match request.body() {
        InvokeBody::Raw(bytes) => bytes.clone(),
        // Once the page fell back to the slower channel, bytes come as a list of numbers.
        InvokeBody::Json(value) => serde_json::from_value(value.clone())
            .map_err(|_| ApiError::new("invalid_argument", "bytes are needed"))?,
    };
    let app = app.inner().clone();
    match tauri::async_runtime::spawn_blocking(move || app.call_bytes(&command, &bytes)).await {
        Ok(Ok(Reply::Bytes(bytes))) => Ok(Response::new(bytes)),
        Ok(Ok(Reply::Json(text))) => Ok(Response::new(InvokeResponseBody::Json(text))),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(ApiError::new("internal", "the command failed unexpectedly")),
    }
}

#[tauri::command]
pub async fn pick_import(handle: AppHandle) -> Result<Option<String>> {
    picked(move || {
        handle
            .dialog()
            .file()
            .set_title("Import into this graph")
            .add_filter("Graphs", &["json", "jsonl", "db"])
            .add_filter("All files", &["*"])
            .blocking_pick_file()
    })
    .await
}

#[tauri::command]
pub async fn pick_export(handle: AppHandle, suggested: String) -> Result<Option<String>> {
    picked(move || {
        let dialog = handle.dialog().file().set_title("Export this graph").set_file_name(suggested);
        dialog.add_filter("JSON", &["json"]).blocking_save_file()
    })
    .await
}

#[tauri::command]
pub async fn pick_folder(handle: AppHandle) -> Result<Option<String>> {
    picked(move || handle.dialog().file().set_title("Open a library").blocking_pick_folder()).await
}

/// Asks where a picture goes, draws it and writes it there. `request` is that of the command `picture`.
#[tauri::command]
pub async fn save_picture(
    handle: AppHandle,
    app: State<'_, Arc<App>>,
    suggested: String,
    request: Value,
) -> Result<Option<String>> {
    let ending = suggested.rsplit('.').next().unwrap_or_default().to_owned();
    let path = picked(move || {
        let dialog = handle.dialog().file().set_title("Export this picture").set_file_name(suggested);
        dialog.add_filter(ending.to_uppercase(), &[&ending]).blocking_save_file()
    })
    .await?;
    let Some(path) = path else { return Ok(None) };
    let (app, target) = (app.inner().clone(), PathBuf::from(&path));
    let written = tauri::async_runtime::spawn_blocking(move || -> Result<()> {
        let Reply::Bytes(bytes) = app.call(Caller::Window, "picture", request)? else {
            return Err(ApiError::new("internal", "the picture did not come as bytes"));
        };
        Ok(gm_engine::export::write_bytes(&target, &bytes)?)
    });
    written.await.unwrap_or_else(|_| Err(ApiError::new("internal", "the command failed unexpectedly")))?;
    Ok(Some(path))
}

#[tauri::command]
pub fn menu_state(
    handle: AppHandle,
    undo: Option<String>,
    redo: Option<String>,
    has_graph: bool,
) -> Result<()> {
    handle
        .state::<LiveEntries>()
        .show(undo.as_deref(), redo.as_deref(), has_graph)
        .map_err(|error| ApiError::new("internal", error.to_string()))
}

#[tauri::command]
pub fn set_title(window: WebviewWindow, title: String) -> Result<()> {
    window.set_title(&title).map_err(|error| ApiError::new("internal", error.to_string()))
}

async fn picked(ask: impl FnOnce() -> Option<FilePath> + Send + 'static) -> Result<Option<String>> {
    let chosen = tauri::async_runtime::spawn_blocking(ask).await;
    let path = chosen.ok().flatten().and_then(|file| file.into_path().ok());
    Ok(path.map(|path| path.to_string_lossy().into_owned()))
}
