//! Which library a program works on.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folder of a project that is its library.
pub const FOLDER: &str = ".graphmem";

/// What the command line and the environment say, and where the program was started.
#[derive(Debug, Clone, Default)]
pub struct LocationOptions {
    /// `--db FILE`
    pub db: Option<PathBuf>,
    /// `--project-dir DIR`
    pub project_dir: Option<PathBuf>,
    /// `GRAPHMEM_DB_PATH`
    pub db_path: Option<OsString>,
    /// A file that is used instead of the home library, where no project has one.
    pub fallback_db: Option<PathBuf>,
    /// `GRAPHMEM_HOME`
    pub home: Option<OsString>,
    /// The user's home directory.
    pub user_home: Option<PathBuf>,
    pub working_directory: PathBuf,
}

/// A folder of graphs, and the file that is its default graph if that is not `graph.db`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    pub folder: PathBuf,
    pub default_file: Option<PathBuf>,
}

impl LocationOptions {
    /// Reads the environment of this process.
    pub fn from_environment() -> Self {
        Self {
            db: None,
            project_dir: None,
            fallback_db: None,
            db_path: std::env::var_os("GRAPHMEM_DB_PATH").filter(|v| !v.is_empty()),
            home: std::env::var_os("GRAPHMEM_HOME").filter(|v| !v.is_empty()),
            user_home: std::env::home_dir(),
            working_directory: std::env::current_dir().unwrap_or_default(),
        }
    }

    /// `--db` > `--project-dir` > `GRAPHMEM_DB_PATH` > the nearest `.graphmem/` from the working
    /// directory upwards (never the home library, never above the home directory) > the home
    /// library.
    pub fn locate(&self) -> Location {
        if let Some(file) = &self.db {
            return self.of_file(file);
        }
        if let Some(project) = &self.project_dir {
            return Location { folder: self.absolute(project).join(FOLDER), default_file: None };
        }
        if let Some(file) = &self.db_path {
            return self.of_file(Path::new(file));
        }
        let home = self.home_library();
        if let Some(folder) = self.nearest(&home) {
            return Location { folder, default_file: None };
        }
        if let Some(file) = &self.fallback_db {
            return self.of_file(file);
        }
        Location { folder: home, default_file: None }
    }

    /// `GRAPHMEM_HOME` itself, else `~/.graphmem`.
    pub fn home_library(&self) -> PathBuf {
        match (&self.home, &self.user_home) {
            (Some(home), _) => self.absolute(Path::new(home)),
            (None, Some(user)) => user.join(FOLDER),
            (None, None) => self.working_directory.join(FOLDER),
        }
    }

    fn of_file(&self, file: &Path) -> Location {
        let file = self.absolute(file);
        let folder = file.parent().map_or_else(|| self.working_directory.clone(), Path::to_path_buf);
        let is_default = file.file_name().is_some_and(|name| name == "graph.db");
        Location { folder, default_file: (!is_default).then_some(file) }
    }

    fn nearest(&self, home_library: &Path) -> Option<PathBuf> {
        for folder in self.working_directory.ancestors() {
            let candidate = folder.join(FOLDER);
            if candidate.is_dir() && candidate != home_library {
                return Some(candidate);
            }
            if self.user_home.as_deref() == Some(folder) {
                return None;
            }
        }
        None
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        self.working_directory.join(path)
    }
}

/// The home library of this process's environment.
pub fn home_folder() -> PathBuf {
    LocationOptions::from_environment().home_library()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(at: &Path) -> LocationOptions {
        LocationOptions {
            user_home: Some(at.join("home")),
            working_directory: at.join("home/project/sub"),
            ..LocationOptions::default()
        }
    }

    #[test]
    fn the_nearest_project_library_wins_over_the_home_library() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("home/project/sub")).unwrap();
        std::fs::create_dir_all(root.path().join("home/.graphmem")).unwrap();
        std::fs::create_dir_all(root.path().join(".graphmem")).unwrap();
        let found = options(root.path()).locate();
        assert_eq!(found.folder, root.path().join("home/.graphmem"), "never above the home directory");
        std::fs::create_dir_all(root.path().join("home/project/.graphmem")).unwrap();
        assert_eq!(options(root.path()).locate().folder, root.path().join("home/project/.graphmem"));
    }

    #[test]
    fn flags_beat_the_environment() {
        let at = Path::new("/nowhere");
        let mut all = options(at);
        all.db_path = Some("/x/env.db".into());
        assert_eq!(all.locate().default_file, Some(PathBuf::from("/x/env.db")));
        all.project_dir = Some("/p".into());
        assert_eq!(all.locate(), Location { folder: "/p/.graphmem".into(), default_file: None });
        all.db = Some("/y/graph.db".into());
        assert_eq!(all.locate(), Location { folder: "/y".into(), default_file: None });
        all.home = Some("/h".into());
        assert_eq!(all.home_library(), PathBuf::from("/h"));
    }
}
