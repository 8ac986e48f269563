//! What the tool `open_dashboard` does in programs without a window of their own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gm_api::App;
use gm_engine::Library;
use gm_mcp::{Dashboard, ShowDashboard, Shown};
use gm_store::create_private_file;
use parking_lot::Mutex;
use tokio::runtime::Handle;

use crate::listener::{DEFAULT_PORT, Endpoint, Host, HostOptions, PortChoice, Shared, address};

const DESKTOP: &str = "graph-mem-desktop";
/// The page that takes a browser to the explorer. The single-use code stands in this file, which only
/// its owner can read, and not in an argument, which everybody on the machine can.
const DOORWAY: &str = "open-explorer.html";

/// For a listener: its own pages, in the person's browser.
pub(crate) struct ListenerDashboard {
    pub shared: Arc<Shared>,
    pub home: PathBuf,
    pub port: u16,
    /// When it was shown last.
    pub shown: Mutex<Option<Instant>>,
}

/// How soon a page is opened again for an agent.
const AGAIN_AFTER: Duration = Duration::from_secs(10);

impl ShowDashboard for ListenerDashboard {
    fn show(&self, _: &Library, _: u16) -> Result<Dashboard, String> {
        // Whoever asks again and again opens one page, and uses up no more codes than that.
        let is_new = {
            let mut shown = self.shown.lock();
            let is_new = shown.is_none_or(|shown| shown.elapsed() > AGAIN_AFTER);
            if is_new {
                *shown = Some(Instant::now());
            }
            is_new
        };
        let shown = if is_new {
            open_in_browser(&self.home, &self.shared.sessions.link(self.port))
        } else {
            if has_screen() { Shown::Opened } else { Shown::Serving }
        };
        Ok(Dashboard { url: address(self.port), shown })
    }
}

/// For a process of an agent's own: the window if this machine has it and it shows the same
/// library; else the explorer, served by this process for as long as it lives.
pub struct ProcessDashboard {
    home: PathBuf,
    runtime: Handle,
    host: Mutex<Option<Host>>,
}

impl ProcessDashboard {
    pub fn new(home: PathBuf, runtime: Handle) -> Self {
        Self { home, runtime, host: Mutex::default() }
    }

    fn serve(&self, library: &Library, port: u16) -> Result<Dashboard, String> {
        let mut running = self.host.lock();
        if running.as_ref().is_none_or(|host| port != 0 && host.port() != port) {
            let app =
                App::new(library.state().clone(), self.home.clone(), library.clone(), "graph-mem server");
            let port = if port == 0 { PortChoice::Free } else { PortChoice::Exactly(port) };
            let options = HostOptions { port, ..HostOptions::default() };
            let host = self.runtime.block_on(Host::start(app, &self.home, options));
            *running = Some(host.map_err(|error| {
                format!("the explorer cannot be served: {error}; leave `port` out to take a free one")
            })?);
        }
        let Some(host) = running.as_ref() else { return Err("the explorer is not there".to_owned()) };
        let shown = open_in_browser(&self.home, &host.browser_link());
        Ok(Dashboard { url: address(host.port()), shown })
    }
}

impl ShowDashboard for ProcessDashboard {
    fn show(&self, library: &Library, port: u16) -> Result<Dashboard, String> {
        let shows_this_library = library.location().default_file.is_none() && library.folder() == self.home;
        if let Some(program) = desktop_program().filter(|_| shows_this_library && has_screen()) {
            let running = Endpoint::find(&self.home);
            let shown = if running.is_some() { Shown::Focused } else { Shown::Started };
            // A second start hands over to the first and leaves.
            start_apart(&program).map_err(|_| "the window cannot be started".to_owned())?;
            return Ok(Dashboard { url: address(running.map_or(DEFAULT_PORT, |it| it.port)), shown });
        }
        self.serve(library, port)
    }
}

/// Whether this machine can show anything to a person.
pub fn has_screen() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// The window's program, if it lies beside this one.
fn desktop_program() -> Option<PathBuf> {
    let file = format!("{DESKTOP}{}", std::env::consts::EXE_SUFFIX);
    std::env::current_exe().ok().map(|program| program.with_file_name(file)).filter(|path| path.is_file())
}

/// Starts a program that outlives this one and shares nothing with it.
fn start_apart(program: &Path) -> std::io::Result<()> {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    let mut child = command.spawn()?;
    // Nobody asks how it ends; but it must not stay as a zombie.
    std::thread::spawn(move || child.wait());
    Ok(())
}

fn open_in_browser(home: &Path, link: &str) -> Shown {
    let opened = has_screen() && write_doorway(home, link).and_then(open::that_detached).is_ok();
    if opened { Shown::Opened } else { Shown::Serving }
}

fn write_doorway(home: &Path, link: &str) -> std::io::Result<PathBuf> {
    let path = home.join(DOORWAY);
    drop(create_private_file(&path).map_err(std::io::Error::other)?);
    // The link is our own: an address of this machine and a code of letters and digits.
    std::fs::write(
        &path,
        format!(
            "<!doctype html><meta charset=utf-8><title>graph-mem</title><meta http-equiv=refresh content=\"0; url={link}\">"
        ),
    )?;
    Ok(path)
}
