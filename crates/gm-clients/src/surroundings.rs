//! Where this user's programs keep things. All of it can be set, so that tests have a home of their own.

use std::path::{Path, PathBuf};

/// The kinds of system whose clients keep files in different places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    Linux,
    Mac,
    Windows,
}

/// What paths are made of.
#[derive(Debug, Clone)]
pub struct Surroundings {
    pub system: System,
    pub home: PathBuf,
    /// `%APPDATA%` on Windows.
    pub app_data: PathBuf,
    /// `$XDG_CONFIG_HOME`, or `~/.config`.
    pub config: PathBuf,
    /// `$CODEX_HOME`, or `~/.codex`.
    pub codex: PathBuf,
    /// Folders with programs.
    pub programs: Vec<PathBuf>,
    /// The project that is worked on.
    pub project: PathBuf,
}

impl Surroundings {
    /// Of this process; `None` where there is no home folder.
    pub fn of_this_user(project: PathBuf) -> Option<Self> {
        let home = std::env::home_dir()?;
        let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let system = match () {
            () if cfg!(windows) => System::Windows,
            () if cfg!(target_os = "macos") => System::Mac,
            () => System::Linux,
        };
        Some(Self {
            system,
            app_data: given("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming")),
            config: given("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config")),
            codex: given("CODEX_HOME").unwrap_or_else(|| home.join(".codex")),
            programs: std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect(),
            project,
            home,
        })
    }

    /// Where VS Code keeps a user's files.
    pub(crate) fn code_user(&self) -> PathBuf {
        match self.system {
            System::Windows => self.app_data.join("Code/User"),
            System::Mac => self.home.join("Library/Application Support/Code/User"),
            System::Linux => self.config.join("Code/User"),
        }
    }

    pub(crate) fn has_program(&self, name: &str) -> bool {
        let file = if self.system == System::Windows { format!("{name}.exe") } else { name.to_owned() };
        self.programs.iter().any(|folder| folder.join(&file).is_file())
    }

    /// A path for people: `~` for the home folder.
    pub fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.home) {
            Ok(rest) => format!("~/{}", rest.display()),
            Err(_) => path.display().to_string(),
        }
    }
}
