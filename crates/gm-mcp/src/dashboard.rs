//! Showing the graph to the person, as far as a tool may ask for it.

use gm_engine::Library;

/// How the person was shown the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// The window is in front.
    Focused,
    /// The window is being opened.
    Started,
    /// The explorer was opened in the person's browser.
    Opened,
    /// The explorer is there, but this machine has no screen to open it on.
    Serving,
}

impl Shown {
    pub(crate) const WORDS: [&'static str; 4] = ["focused", "started", "opened", "serving"];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Focused => "focused",
            Self::Started => "started",
            Self::Opened => "opened",
            Self::Serving => "serving",
        }
    }
}

/// What was shown, and where it is. The address carries no credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dashboard {
    pub url: String,
    pub shown: Shown,
}

/// Brings the explorer before the person. Called off the async threads; may block shortly.
pub trait ShowDashboard: Send + Sync {
    /// `port` is where a browser's explorer should be served; 0 leaves the choice to the program.
    /// Fails with a sentence for the agent.
    fn show(&self, library: &Library, port: u16) -> Result<Dashboard, String>;
}
