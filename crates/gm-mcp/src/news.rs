//! Notices to clients that asked for them: graphs that came or went, and resources that say something else
//! than before.
//!
//! What was asked for is looked at twice a second, as far as its graph's journal has moved; a resource is told
//! of only if its text is another one. A notice says that there is something new, never what.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use gm_store::journal;
use parking_lot::Mutex;
use rmcp::RoleServer;
use rmcp::model::{ErrorData, ResourceUpdatedNotificationParam};
use rmcp::service::Peer;

use crate::caller::Caller;
use crate::resources::{self, Place};
use crate::server::{GraphMemServer, NOTICE_WITHIN};

pub(crate) const EACH: Duration = Duration::from_millis(500);
/// Resources that one client can have watched.
pub(crate) const MAX_WATCHED: usize = 64;

/// What a client wants to be told of.
#[derive(Default)]
pub(crate) struct Wanted {
    /// Places by their addresses, with what stood there when they were asked for.
    pub resources: BTreeMap<String, (Place, u64)>,
    /// The graphs that were listed.
    pub graphs: Option<Vec<String>>,
    pub is_watched: bool,
}

/// What is new.
#[derive(Default)]
pub(crate) struct News {
    pub list_changed: bool,
    pub updated: Vec<String>,
}

/// What was last seen.
#[derive(Default)]
pub(crate) struct Seen {
    graphs: Option<Vec<String>>,
    heads: HashMap<String, i64>,
    texts: HashMap<String, u64>,
}

/// What stands at a place, as a number that another text will not have.
pub(crate) fn mark(server: &GraphMemServer, caller: &Caller, place: &Place) -> u64 {
    let mut hasher = DefaultHasher::new();
    resources::text_of(server, caller.watching(), place).hash(&mut hasher);
    hasher.finish()
}

/// Looks again. Blocks on storage.
pub(crate) fn look(
    server: &GraphMemServer,
    caller: &Caller,
    wanted: &Arc<Mutex<Wanted>>,
    seen: &mut Seen,
) -> News {
    let mut news = News::default();
    if let Ok(graphs) = resources::graphs(server, caller.clone()) {
        let before = seen.graphs.take().or_else(|| wanted.lock().graphs.clone());
        news.list_changed = before.is_some_and(|before| before != graphs);
        seen.graphs = Some(graphs);
    }
    let watched: Vec<(String, (Place, u64))> =
        wanted.lock().resources.iter().map(|(uri, known)| (uri.clone(), known.clone())).collect();
    let mut moved: HashMap<String, bool> = HashMap::new();
    for (uri, (place, begun)) in &watched {
        if let Some(graph) = place.graph() {
            let moved = moved.entry(graph.to_owned()).or_insert_with(|| {
                let head = server
                    .library()
                    .graph(graph)
                    .ok()
                    .and_then(|graph| graph.read(|tx| Ok(journal::head(tx)?)).ok());
                seen.heads.insert(graph.to_owned(), head.unwrap_or(-1)) != Some(head.unwrap_or(-1))
            });
            if !*moved && seen.texts.contains_key(uri) {
                continue;
            }
        }
        let text = mark(server, caller, place);
        if seen.texts.insert(uri.clone(), text).unwrap_or(*begun) != text {
            news.updated.push(uri.clone());
        }
    }
    seen.texts.retain(|uri, _| watched.iter().any(|(known, _)| known == uri));
    news
}

impl GraphMemServer {
    pub(crate) async fn news(
        &self,
        caller: &Caller,
        wanted: &Arc<Mutex<Wanted>>,
        mut seen: Seen,
    ) -> Result<(News, Seen), ErrorData> {
        let (caller, wanted) = (caller.clone(), wanted.clone());
        self.aside(move |server| {
            let known = server.library().state().identity(&caller.actor.name);
            if caller.needs_token && !known.is_ok_and(|known| known.is_some_and(|known| known.has_token)) {
                return Err(ErrorData::invalid_request("the token has ended", None));
            }
            let news = look(&server, &caller, &wanted, &mut seen);
            Ok((news, seen))
        })
        .await
    }

    /// Watches for a session until its client is gone; at most once for each.
    pub(crate) fn watch(&self, caller: Caller, peer: Peer<RoleServer>) {
        if std::mem::replace(&mut self.wanted.lock().is_watched, true) {
            return;
        }
        let (server, wanted) = (self.clone(), self.wanted.clone());
        let caller = caller.watching();
        tokio::spawn(async move {
            let mut seen = Seen::default();
            while !peer.is_transport_closed() {
                let Ok((news, seen_now)) = server.news(&caller, &wanted, seen).await else { return };
                seen = seen_now;
                let told = async {
                    if news.list_changed {
                        let _ = peer.notify_resource_list_changed().await;
                    }
                    for uri in news.updated {
                        let _ =
                            peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await;
                    }
                };
                let _ = tokio::time::timeout(NOTICE_WITHIN, told).await;
                tokio::time::sleep(EACH).await;
            }
        });
    }
}
