//! What this process remembers of those who came in: single-use codes, browser tokens, and which
//! agent each MCP session belongs to. All of it ends with the process.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use gm_store::state::random_token;
use parking_lot::Mutex;
use subtle::ConstantTimeEq;

use crate::limits::MAX_SESSIONS_OF_AGENT;

/// How long a code waits to be used.
const CODE_LIFE: Duration = Duration::from_secs(600);
/// Codes and browser tokens kept; the oldest goes.
const MAX_KEPT: usize = 64;
/// MCP sessions of all agents; the one that was not used for longest goes, and must then begin anew.
const MAX_SESSIONS: usize = 4096;

#[derive(Default)]
pub(crate) struct Sessions {
    codes: Mutex<VecDeque<(String, Instant)>>,
    tokens: Mutex<VecDeque<String>>,
    owners: Mutex<Owners>,
}

#[derive(Default)]
struct Owners(HashMap<String, Owner>);

struct Owner {
    agent: String,
    used: Instant,
}

impl Sessions {
    /// A code for one browser, for the next ten minutes.
    pub(crate) fn issue_code(&self) -> String {
        let code = random_token();
        push_bounded(&mut self.codes.lock(), (code.clone(), Instant::now()), MAX_KEPT);
        code
    }

    /// The address of the explorer with a code for one browser.
    pub(crate) fn link(&self, port: u16) -> String {
        format!("{}#{}", crate::listener::address(port), self.issue_code())
    }

    /// Trades a code for a token; the code is gone, whoever asks again.
    pub(crate) fn redeem(&self, code: &str) -> Option<String> {
        let mut codes = self.codes.lock();
        codes.retain(|(_, issued)| issued.elapsed() < CODE_LIFE);
        let at = codes.iter().position(|(known, _)| equal(known, code))?;
        codes.remove(at);
        let token = random_token();
        push_bounded(&mut self.tokens.lock(), token.clone(), MAX_KEPT);
        Some(token)
    }

    pub(crate) fn is_browser_token(&self, token: &str) -> bool {
        // Every kept token is compared, so that the time tells nothing.
        self.tokens.lock().iter().fold(false, |found, known| found | equal(known, token))
    }

    /// Notes whose session this is; tells which sessions have to end for it.
    pub(crate) fn bind(&self, session: &str, agent: &str) -> Vec<String> {
        let mut owners = self.owners.lock();
        owners.0.insert(session.to_owned(), Owner { agent: agent.to_owned(), used: Instant::now() });
        let of_agent = owners.0.values().filter(|owner| owner.agent == agent).count();
        let mut ended = Vec::new();
        if of_agent > MAX_SESSIONS_OF_AGENT {
            ended.extend(owners.oldest(|owner| owner.agent == agent));
        } else if owners.0.len() > MAX_SESSIONS {
            ended.extend(owners.oldest(|_| true));
        }
        for session in &ended {
            owners.0.remove(session);
        }
        ended
    }

    /// A session that ended belongs to nobody.
    pub(crate) fn forget(&self, session: &str) {
        self.owners.lock().0.remove(session);
    }

    /// Whether a session belongs to an agent, which is using it. A session nobody knows belongs to none.
    pub(crate) fn belongs(&self, session: &str, agent: &str) -> bool {
        let mut owners = self.owners.lock();
        let Some(owner) = owners.0.get_mut(session).filter(|owner| owner.agent == agent) else {
            return false;
        };
        owner.used = Instant::now();
        true
    }
}

impl Owners {
    /// The session that was not used for longest.
    fn oldest(&self, which: impl Fn(&Owner) -> bool) -> Option<String> {
        let candidates = self.0.iter().filter(|(_, owner)| which(owner));
        candidates.min_by_key(|(_, owner)| owner.used).map(|(session, _)| session.clone())
    }
}

fn push_bounded<T>(kept: &mut VecDeque<T>, item: T, most: usize) {
    if kept.len() == most {
        kept.pop_front();
    }
    kept.push_back(item);
}

fn equal(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_works_once() {
        let sessions = Sessions::default();
        let code = sessions.issue_code();
        assert!(sessions.redeem("gmt_wrong").is_none());
        let token = sessions.redeem(&code).expect("the first use works");
        assert!(sessions.redeem(&code).is_none(), "the second does not");
        assert!(sessions.is_browser_token(&token) && !sessions.is_browser_token(&code));
    }

    #[test]
    fn a_session_belongs_to_the_agent_that_began_it() {
        let sessions = Sessions::default();
        sessions.bind("s1", "ada");
        assert!(sessions.belongs("s1", "ada"));
        assert!(!sessions.belongs("s1", "bob") && !sessions.belongs("s2", "ada"));
    }

    #[test]
    fn the_session_that_was_not_used_for_longest_ends_for_one_too_many() {
        let sessions = Sessions::default();
        sessions.bind("of another", "bob");
        for i in 0..MAX_SESSIONS_OF_AGENT {
            assert!(sessions.bind(&format!("s{i}"), "ada").is_empty());
        }
        assert!(sessions.belongs("s0", "ada"));
        assert_eq!(sessions.bind("one more", "ada"), ["s1"]);
        assert!(!sessions.belongs("s1", "ada") && sessions.belongs("of another", "bob"));
    }
}
