//! The one window.

use std::sync::Arc;

use gm_api::App;
use gm_engine::Library;
use gm_mcp::{ShowDashboard, Shown};
use tauri::{
    AppHandle, DragDropEvent, Emitter, Manager, WebviewUrl, WebviewWindow, WebviewWindowBuilder, WindowEvent,
};

use crate::EVENT;

const LABEL: &str = "main";

pub fn open(handle: &AppHandle) -> tauri::Result<()> {
    let window = WebviewWindowBuilder::new(handle, LABEL, WebviewUrl::App("index.html".into()))
        .title("graph-mem")
        .inner_size(1280.0, 840.0)
        .min_inner_size(960.0, 600.0)
        // The page is our own: wherever a link of some text leads, this window does not go there.
        .on_navigation(|url| url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost"))
        .build()?;
    survive_page_crash(&window);
    let target = window.clone();
    window.on_window_event(move |event| {
        if let WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) = event {
            let paths = paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
            let _ = target.emit(EVENT, gm_api::wire::Event::FilesDropped { paths });
        }
    });
    Ok(())
}

pub fn bring_to_front(handle: &AppHandle) {
    if let Some(window) = handle.get_webview_window(LABEL) {
        // Each is a wish the desktop may refuse.
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

/// What `open_dashboard` does here: the window comes to the front.
pub struct Dashboard {
    handle: AppHandle,
}

impl Dashboard {
    pub fn new(handle: &AppHandle) -> Self {
        Self { handle: handle.clone() }
    }
}

impl ShowDashboard for Dashboard {
    fn show(&self, _: &Library, _: u16) -> Result<gm_mcp::Dashboard, String> {
        let handle = self.handle.clone();
        self.handle
            .run_on_main_thread(move || bring_to_front(&handle))
            .map_err(|_| "the window is closing".to_owned())?;
        let listener = self.handle.state::<Arc<App>>().listener_address();
        Ok(gm_mcp::Dashboard { url: listener.unwrap_or_default(), shown: Shown::Focused })
    }
}

pub fn toggle_full_screen(handle: &AppHandle) {
    if let Some(window) = handle.get_webview_window(LABEL) {
        let is_full = window.is_fullscreen().unwrap_or(false);
        let _ = window.set_fullscreen(!is_full);
    }
}

/// When the page's process dies, the page is loaded anew; the engine and the listener live on in
/// this process and nothing is lost.
#[cfg(target_os = "linux")]
fn survive_page_crash(window: &WebviewWindow) {
    use webkit2gtk::WebViewExt;
    let installed = window.with_webview(|view| {
        view.inner().connect_web_process_terminated(|view, _| {
            tracing::warn!("the page's process ended; loading it anew");
            view.reload();
        });
    });
    if let Err(error) = installed {
        tracing::warn!(%error, "the page would not be reloaded after a crash");
    }
}

#[cfg(not(target_os = "linux"))]
fn survive_page_crash(_: &WebviewWindow) {}
