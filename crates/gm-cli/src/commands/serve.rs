//! Commands that keep running: the MCP server and the explorer in a browser.

use std::io::BufRead;
use std::net::IpAddr;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use gm_api::App;
use gm_host::{Host, HostOptions, PortChoice, ProcessDashboard};
use gm_mcp::{GraphMemServer, ToolSet};
use gm_model::text;

use crate::context::Context;
use crate::output::{note, say};
use crate::settings::Settings;

/// Serves one agent until standard input ends.
pub fn stdio(settings: &Settings, name: Option<String>, tools: ToolSet) -> Result<()> {
    let name = name.map(|name| text::agent_name("as", &name)).transpose().map_err(gm_engine::Error::from)?;
    let context = Context::open(settings, "server", name.as_deref().unwrap_or("stdio server"))?;
    // An agent whose graph is not there would only learn it from its first call.
    if let Some(graph) = &context.graph_name
        && let Err(missing @ gm_engine::Error::NoSuchGraph { .. }) = context.library.graph(graph)
    {
        return Err(missing.into());
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let dashboard = Arc::new(ProcessDashboard::new(context.home, runtime.handle().clone()));
    let library = context.library.clone();
    let server = GraphMemServer::for_stdio(context.library, name, context.graph_name)
        .with_dashboard(dashboard)
        .with_tools(tools);
    let served = runtime.block_on(gm_mcp::serve_stdio(server));
    // An explorer that was opened holds graphs until the very end.
    library.close();
    // A read of standard input that still waits must not hold the process.
    runtime.shutdown_background();
    Ok(served?)
}

/// Serves any number of agents over HTTP until stopped.
pub fn http(settings: &Settings, port: Option<u16>, lan: Option<IpAddr>) -> Result<()> {
    let port = port.or(settings.port()).map_or(PortChoice::Kept, PortChoice::Exactly);
    serve(settings, port, lan, |host| {
        note(format!("agents attach at {}; stop with Ctrl+C", host.mcp_url()));
        if let Some(url) = host.lan_url() {
            note(lan_warning(&url));
        }
        None
    })
}

/// Serves the explorer to a browser until stopped.
pub fn ui(settings: &Settings, port: Option<u16>) -> Result<()> {
    let port = port.map_or(PortChoice::Free, PortChoice::Exactly);
    serve(settings, port, None, |host| {
        say(host.browser_link());
        note("open this link in a browser; it works once. Press Enter for another, Ctrl+C to stop");
        Some(())
    })
}

/// Said at the start and wherever the listener is told of.
pub fn lan_warning(url: &str) -> String {
    format!(
        "WARNING: other machines can reach this memory at {url}, by whoever has a token; tokens and texts travel unencrypted"
    )
}

fn serve(
    settings: &Settings,
    port: PortChoice,
    lan: Option<IpAddr>,
    announce: impl Fn(&Host) -> Option<()>,
) -> Result<()> {
    let context = Context::open(settings, "server", "graph-mem server")?;
    let app = App::new(
        context.library.state().clone(),
        context.home.clone(),
        context.library.clone(),
        "graph-mem ui",
    );
    let runtime = tokio::runtime::Runtime::new()?;
    // A browser's own port is nobody else's business.
    let announced = port != PortChoice::Free;
    let outcome = runtime.block_on(async {
        let options = HostOptions { port, announce: announced, dashboard: None, lan };
        let host = Arc::new(
            Host::start(app.clone(), &context.home, options).await.context("the listener did not start")?,
        );
        app.set_listener(Ok(host.mcp_url()));
        if announce(&host).is_some() {
            let host = host.clone();
            // Standard input blocks; a thread of its own waits on it.
            std::thread::spawn(move || {
                for _ in std::io::stdin().lock().lines().map_while(Result::ok) {
                    say(host.browser_link());
                }
            });
        }
        stopped().await;
        Ok(())
    });
    runtime.shutdown_timeout(std::time::Duration::from_secs(10));
    context.library.close();
    outcome
}

async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
