//! Binding, serving, and telling others where.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::routing::get;
use axum::{Router, middleware};
use gm_api::App;
use gm_mcp::ShowDashboard;
use gm_store::{StateFile, create_private_file};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use parking_lot::Mutex;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use serde::{Deserialize, Serialize};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::{Semaphore, broadcast};
use tokio_util::sync::CancellationToken;

use crate::dashboard::ListenerDashboard;
use crate::guard::{self, Allowed};
use crate::limits::{self, Open, Paces};
use crate::sessions::Sessions;
use crate::{api, mcp, pages, ws};

/// The port agents are told first.
pub const DEFAULT_PORT: u16 = 7437;
const PORT_SETTING: &str = "listener.port";
const ENDPOINT_FILE: &str = "endpoint.json";
const BACKLOG: u32 = 1024;
const AFTER_FAILURE: Duration = Duration::from_millis(100);
/// How long requests that run when the listener closes may take.
const CLOSING_WITHIN: Duration = Duration::from_secs(5);
/// How long a program waits for a listener to say who it is, and how much it reads.
const HELLO_WITHIN: Duration = Duration::from_millis(500);
const MAX_HELLO_BYTES: u64 = 4096;
/// Events waiting for a slow browser.
const EVENTS_KEPT: usize = 256;

/// Which port to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PortChoice {
    /// The kept one; at the very first start 7437, or a free one that is then kept.
    Kept,
    /// Exactly this one.
    Exactly(u16),
    /// Any free one, kept by nobody.
    #[default]
    Free,
}

#[derive(Clone, Default)]
pub struct HostOptions {
    pub port: PortChoice,
    /// Write `endpoint.json`, so that other programs find this listener.
    pub announce: bool,
    /// What `open_dashboard` does; the person's browser if left out.
    pub dashboard: Option<Arc<dyn ShowDashboard>>,
    /// An address of this machine at which agents of others may attach. Nothing is encrypted there.
    pub lan: Option<IpAddr>,
}

#[derive(Debug, thiserror::Error)]
pub enum HostError {
    #[error("port {port} is in use")]
    PortInUse { port: u16 },
    #[error("cannot listen on port {port}: {source}")]
    Bind { port: u16, source: std::io::Error },
    #[error(transparent)]
    Store(#[from] gm_store::Error),
    #[error("cannot write the endpoint file: {0}")]
    Endpoint(std::io::Error),
}

/// What `endpoint.json` tells. Readers check the nonce against `/api/hello`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Endpoint {
    pub port: u16,
    pub pid: u32,
    pub nonce: String,
    /// Where agents of other machines attach, if they may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lan: Option<String>,
}

impl Endpoint {
    /// The listener of a home library, if it is alive: whoever answers at that port must know the
    /// nonce, or a stranger that took the port would be told tokens.
    pub fn find(home: &Path) -> Option<Self> {
        let endpoint: Self = serde_json::from_slice(&std::fs::read(home.join(ENDPOINT_FILE)).ok()?).ok()?;
        endpoint.answers().unwrap_or(false).then_some(endpoint)
    }

    fn answers(&self) -> std::io::Result<bool> {
        use std::io::{Read, Write};
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), self.port);
        let mut stream = std::net::TcpStream::connect_timeout(&address, HELLO_WITHIN)?;
        stream.set_read_timeout(Some(HELLO_WITHIN))?;
        stream.set_write_timeout(Some(HELLO_WITHIN))?;
        let port = self.port;
        write!(stream, "GET /api/hello HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.take(MAX_HELLO_BYTES).read_to_string(&mut answer)?;
        Ok(answer.contains(&self.nonce))
    }

    pub fn mcp_url(&self) -> String {
        mcp_url(self.port)
    }
}

pub(crate) struct Shared {
    pub app: Arc<App>,
    pub sessions: Sessions,
    pub paces: Paces,
    pub open: Open,
    /// The protocol's own, to be ended when an agent has too many.
    pub mcp_sessions: Arc<LocalSessionManager>,
    pub nonce: String,
    pub events: broadcast::Sender<String>,
    /// The graph of REST calls that name none.
    pub rest_graph: Mutex<String>,
    pub closing: CancellationToken,
}

/// A running listener; it ends when dropped.
pub struct Host {
    shared: Arc<Shared>,
    port: u16,
    lan: Option<IpAddr>,
    endpoint_file: Option<PathBuf>,
}

impl Host {
    /// Binds 127.0.0.1 and ::1 and serves until dropped. Must be called inside a Tokio runtime.
    pub async fn start(app: Arc<App>, home: &Path, options: HostOptions) -> Result<Self, HostError> {
        let (port, listeners) = bind(app.state(), options.port).await?;
        let (events, _) = broadcast::channel(EVENTS_KEPT);
        let shared = Arc::new(Shared {
            app: app.clone(),
            sessions: Sessions::default(),
            paces: Paces::default(),
            open: Open::default(),
            mcp_sessions: mcp::sessions(),
            nonce: gm_store::state::random_token(),
            events: events.clone(),
            rest_graph: Mutex::new(gm_engine::library::DEFAULT_GRAPH.into()),
            closing: CancellationToken::new(),
        });
        app.on_event(Arc::new(move |event| {
            // Nobody listening is no failure.
            let _ = events.send(serde_json::to_string(event).expect("events are plain data"));
        }));
        let dashboard = options.dashboard.clone().unwrap_or_else(|| {
            Arc::new(ListenerDashboard {
                shared: shared.clone(),
                home: home.to_owned(),
                port,
                shown: Mutex::default(),
            })
        });
        let library = shared.app.library();
        let agents = mcp::routes(shared.clone(), library, dashboard, shared.closing.clone());
        let router = router(&shared, agents.clone(), Allowed::for_port(port));
        let places = Arc::new(Semaphore::new(limits::MAX_CONNECTIONS));
        for listener in listeners {
            tokio::spawn(serve(listener, router.clone(), places.clone(), shared.closing.clone()));
        }
        if let Some(address) = options.lan {
            let listener = bind_one(address, port)?;
            let router = agents_alone(&shared, agents, Allowed::for_address(SocketAddr::new(address, port)));
            tokio::spawn(serve(listener, router, places, shared.closing.clone()));
        }
        let mut host = Self { shared, port, lan: options.lan, endpoint_file: None };
        if options.announce {
            host.endpoint_file = Some(host.announce(home)?);
        }
        Ok(host)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where agents attach.
    pub fn mcp_url(&self) -> String {
        mcp_url(self.port)
    }

    /// Where agents of other machines attach, if they may.
    pub fn lan_url(&self) -> Option<String> {
        self.lan.map(|address| format!("http://{}/mcp", SocketAddr::new(address, self.port)))
    }

    /// A link for one browser, good once.
    pub fn browser_link(&self) -> String {
        self.shared.sessions.link(self.port)
    }

    fn announce(&self, home: &Path) -> Result<PathBuf, HostError> {
        let path = home.join(ENDPOINT_FILE);
        let endpoint = Endpoint {
            port: self.port,
            pid: std::process::id(),
            nonce: self.shared.nonce.clone(),
            lan: self.lan_url(),
        };
        let draft = home.join(format!("{ENDPOINT_FILE}.{}", std::process::id()));
        drop(create_private_file(&draft)?);
        let text = serde_json::to_string(&endpoint).expect("an endpoint is plain data");
        std::fs::write(&draft, text)
            .and_then(|()| std::fs::rename(&draft, &path))
            .map_err(HostError::Endpoint)?;
        Ok(path)
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.shared.closing.cancel();
        if let Some(path) = &self.endpoint_file {
            // Another listener may have told its own place since; a leftover is harmless, readers check the nonce.
            let told =
                std::fs::read(path).ok().and_then(|text| serde_json::from_slice::<Endpoint>(&text).ok());
            if told.is_some_and(|told| told.nonce == self.shared.nonce) {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

fn router(shared: &Arc<Shared>, agents: Router<Arc<Shared>>, allowed: Allowed) -> Router {
    Router::new()
        .merge(api::routes(shared.clone()))
        .merge(agents)
        .route("/ws", get(ws::open))
        .route("/api/{*rest}", axum::routing::any(api::nothing))
        .fallback_service(get(pages::page).fallback(api::nothing))
        .layer(middleware::from_fn_with_state(allowed, guard::check_source))
        .with_state(shared.clone())
}

/// What other machines may ask for: nothing but `/mcp`, each request with its token.
fn agents_alone(shared: &Arc<Shared>, agents: Router<Arc<Shared>>, allowed: Allowed) -> Router {
    Router::new()
        .merge(agents)
        .fallback(api::nothing)
        .layer(middleware::from_fn_with_state(allowed, guard::check_source))
        .with_state(shared.clone())
}

/// Takes connections until the listener closes. No client can keep one by being slow: its head must come in
/// time and be of bounded size, as bodies must (`body`).
async fn serve(listener: TcpListener, router: Router, places: Arc<Semaphore>, closing: CancellationToken) {
    loop {
        // More than so many wait in the system's queue.
        let Ok(place) = places.clone().acquire_owned().await else { return };
        let stream = tokio::select! {
            () = closing.cancelled() => return,
            taken = listener.accept() => match taken {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // Too many open files, or a client that left at once: neither is an end.
                    tracing::warn!(%error, "a connection was not taken");
                    tokio::time::sleep(AFTER_FAILURE).await;
                    continue;
                }
            },
        };
        // Answers are small and awaited.
        let _ = stream.set_nodelay(true);
        let (router, closing) = (router.clone(), closing.clone());
        tokio::spawn(async move {
            let _place = place;
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(limits::HEAD_WITHIN)
                .max_headers(limits::MAX_HEADERS)
                .max_buf_size(limits::MAX_HEAD_BYTES)
                .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
                .with_upgrades();
            let mut connection = std::pin::pin!(connection);
            tokio::select! {
                // How a connection ended is the client's business.
                _ = connection.as_mut() => return,
                () = closing.cancelled() => connection.as_mut().graceful_shutdown(),
            }
            let _ = tokio::time::timeout(CLOSING_WITHIN, connection).await;
        });
    }
}

async fn bind(state: &StateFile, choice: PortChoice) -> Result<(u16, Vec<TcpListener>), HostError> {
    match choice {
        PortChoice::Exactly(port) => bind_both(port),
        PortChoice::Free => bind_both(0),
        PortChoice::Kept => {
            let kept = state.setting(PORT_SETTING)?.and_then(|text| text.parse().ok());
            if let Some(port) = kept {
                return bind_both(port);
            }
            let bound = match bind_both(DEFAULT_PORT) {
                Err(HostError::PortInUse { .. } | HostError::Bind { .. }) => bind_both(0)?,
                outcome => outcome?,
            };
            state.set_setting(PORT_SETTING, &bound.0.to_string())?;
            Ok(bound)
        }
    }
}

/// IPv4 must be had. IPv6 may not exist here; but if it does and the port is somebody else's,
/// agents that resolve `localhost` to it would hand their tokens to a stranger.
fn bind_both(port: u16) -> Result<(u16, Vec<TcpListener>), HostError> {
    let v4 = bind_one(IpAddr::V4(Ipv4Addr::LOCALHOST), port)?;
    let port = v4.local_addr().map_err(|source| HostError::Bind { port, source })?.port();
    match bind_one(IpAddr::V6(Ipv6Addr::LOCALHOST), port) {
        Ok(v6) => Ok((port, vec![v4, v6])),
        Err(HostError::PortInUse { port }) => Err(HostError::PortInUse { port }),
        Err(_) => Ok((port, vec![v4])),
    }
}

fn bind_one(address: IpAddr, port: u16) -> Result<TcpListener, HostError> {
    let failed = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::AddrInUse => HostError::PortInUse { port },
        _ => HostError::Bind { port, source },
    };
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }.map_err(failed)?;
    // After a restart the old connections linger; on Unix this does not let two listeners share.
    #[cfg(unix)]
    socket.set_reuseaddr(true).map_err(failed)?;
    socket.bind(SocketAddr::new(address, port)).map_err(failed)?;
    socket.listen(BACKLOG).map_err(failed)
}

fn mcp_url(port: u16) -> String {
    format!("{}mcp", address(port))
}

/// Where a listener is; this alone opens nothing.
pub(crate) fn address(port: u16) -> String {
    format!("http://127.0.0.1:{port}/")
}
