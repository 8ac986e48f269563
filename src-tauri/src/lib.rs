//! Composition of the desktop app: engine, listener, window. No rules of the domain live here.
//!
//! One file per concern: `shell` (what the page may ask), `menu`, `window`, `display` (what the
//! machine can show). Without a display the same explorer is served to a browser.

mod display;
mod menu;
mod shell;
mod window;

use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use gm_api::App;
use gm_engine::meaning::Wishes;
use gm_engine::{Library, Location, home_folder, now};
use gm_host::{Host, HostOptions, PortChoice};
use gm_mcp::ShowDashboard;
use gm_store::StateFile;
use tauri::{Emitter, Manager, RunEvent};

/// The event under which the page hears of everything.
const EVENT: &str = "graph-mem";

/// Runs until the window is closed.
pub fn run() -> Result<()> {
    start_logs();
    if !gm_host::has_screen() {
        return serve_without_display();
    }
    display::prepare();
    tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(|handle, _, _| window::bring_to_front(handle)))
        .plugin(tauri_plugin_window_state::Builder::new().build())
        .plugin(tauri_plugin_dialog::init())
        .invoke_handler(tauri::generate_handler![
            shell::call,
            shell::call_bytes,
            shell::pick_import,
            shell::pick_export,
            shell::pick_folder,
            shell::save_picture,
            shell::menu_state,
            shell::set_title,
        ])
        .setup(|tauri_app| {
            // Only the first instance comes here: a second one has handed over and left.
            let app = open_app()?;
            let dashboard = window::Dashboard::new(tauri_app.handle());
            let host = tauri::async_runtime::block_on(listen(&app, Some(Arc::new(dashboard))));
            let handle = tauri_app.handle().clone();
            app.on_event(Arc::new(move |event| {
                // A window that is just closing hears nothing, and needs nothing.
                let _ = handle.emit(EVENT, event);
            }));
            tauri_app.manage(app);
            tauri_app.manage(Mutex::new(host));
            menu::install(tauri_app.handle())?;
            window::open(tauri_app.handle())?;
            Ok(())
        })
        .build(tauri::generate_context!())
        .context("the window cannot be opened")?
        .run(|handle, event| {
            if let RunEvent::Exit = event {
                // The process ends without dropping what it manages: the listener takes its address
                // back, and the graphs are left whole in their files.
                if let Ok(mut host) = handle.state::<Mutex<Option<Host>>>().lock() {
                    host.take();
                }
                handle.state::<Arc<App>>().close();
            }
        });
    Ok(())
}

fn open_app() -> Result<Arc<App>> {
    let home = home_folder();
    let state = Arc::new(StateFile::open(&home, now()).context("the home library cannot be used")?);
    let location = Location { folder: home.clone(), default_file: None };
    let library = Library::open(location, state.clone(), "desktop", "the graph-mem window")?;
    library.search_by_meaning(Wishes::from_environment().settings(&home, &state, true));
    Ok(App::new(state, home, library, "the graph-mem window"))
}

/// Starts the listener. If it cannot start the window still opens, and says so.
async fn listen(app: &Arc<App>, dashboard: Option<Arc<dyn ShowDashboard>>) -> Option<Host> {
    let options = HostOptions { port: PortChoice::Kept, announce: true, dashboard, lan: None };
    match Host::start(app.clone(), &home_folder(), options).await {
        Ok(host) => {
            app.set_listener(Ok(host.mcp_url()));
            Some(host)
        }
        Err(error) => {
            tracing::warn!(%error, "no listener");
            app.set_listener(Err(error.to_string()));
            None
        }
    }
}

/// The explorer for a browser, on the listener agents use.
fn serve_without_display() -> Result<()> {
    use std::io::Write;
    let app = open_app()?;
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let host =
            listen(&app, None).await.context("the listener did not start; is another graph-mem running?")?;
        writeln!(std::io::stdout(), "{}", host.browser_link())?;
        writeln!(
            std::io::stderr(),
            "no display here: open this link in a browser; it works once. Stop with Ctrl+C"
        )?;
        tokio::signal::ctrl_c().await?;
        Ok(())
    })
}

fn start_logs() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("GRAPHMEM_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    // What draws pictures tells the characters it finds no letters for, and those are memory.
    let silent = ["usvg=off", "fontdb=off"].into_iter().filter_map(|directive| directive.parse().ok());
    let filter = silent.fold(filter, tracing_subscriber::EnvFilter::add_directive);
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
}
