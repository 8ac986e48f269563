//! A library of its own for a project.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use gm_engine::location::FOLDER;
use gm_engine::{Library, Location, connect as config, now};
use gm_store::{StateFile, create_private_folder};

use crate::args::Args;
use crate::exit::Failure;
use crate::output::{note, say};
use crate::settings::Settings;

/// Makes what is missing and leaves what is there.
pub fn init(args: &Args, settings: &Settings, name: Option<&str>) -> Result<()> {
    if args.db.is_some() {
        let message = "`init` makes a project's library; `--db` names a file instead";
        return Err(Failure::used_wrongly(message).into());
    }
    let (options, home) = (&settings.location, settings.home.clone());
    let project = match &args.project_dir {
        Some(project) => options.working_directory.join(project),
        None => options.working_directory.clone(),
    };
    if !project.is_dir() {
        return Err(Failure::used_wrongly(format!("`{}` is no directory", project.display())).into());
    }
    let folder = project.join(FOLDER);
    create_private_folder(&folder)?;
    keep_private(&folder);
    let state = Arc::new(StateFile::open(&home, now())?);
    let location = Location { folder: folder.clone(), default_file: None };
    let library = Library::open(location, state, "cli", "graph-mem command")?;
    let known = library.names()?;
    library.graph(gm_engine::library::DEFAULT_GRAPH)?;
    let made = !known.iter().any(|graph| graph == gm_engine::library::DEFAULT_GRAPH);
    let verb = if made { "made" } else { "found" };
    say(format!("{verb} library `{}` with the graph `default`", folder.display()));
    if let Some(name) = name {
        let stored = known.iter().find(|graph| graph.eq_ignore_ascii_case(name));
        match stored {
            Some(stored) => say(format!("found graph `{stored}`")),
            None => say(format!("made graph `{}`", library.create(name)?.name())),
        }
    }
    if folder == home {
        note("this is the home library: it is used wherever no project has one of its own");
        return Ok(());
    }
    say(format!(
        "commands and agents started below `{}` use it. For an agent, in the client's configuration:\n{}",
        project.display(),
        config::stdio_config("NAME", &library, &home)
    ));
    if options.db_path.is_some() {
        note("hint: `GRAPHMEM_DB_PATH` is set and comes first; unset it to use this library");
    }
    if let Some(tree) = work_tree(&project)
        && !is_ignored(&project, &tree)
    {
        note(format!("hint: add `{FOLDER}/` to `{}`: memory is private", tree.join(".gitignore").display()));
    }
    Ok(())
}

/// A folder somebody made beforehand may be open to others.
fn keep_private(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let is_open = fs::metadata(folder).is_ok_and(|meta| meta.permissions().mode() & 0o077 != 0);
        if is_open && let Err(error) = fs::set_permissions(folder, fs::Permissions::from_mode(0o700)) {
            note(format!("hint: others may enter `{}`: {error}", folder.display()));
        }
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// The git work tree a folder is in; `.git` is a file in linked work trees.
fn work_tree(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|above| above.join(".git").exists()).map(Path::to_path_buf)
}

/// Whether a plain line of the ignore files between the project and the tree's top names the
/// folder. Patterns are git's business: a hint too many costs nothing.
fn is_ignored(project: &Path, tree: &Path) -> bool {
    let mut files: Vec<PathBuf> = project
        .ancestors()
        .take_while(|above| above.starts_with(tree))
        .map(|above| above.join(".gitignore"))
        .collect();
    files.push(tree.join(".git/info/exclude"));
    files.iter().filter_map(|file| fs::read_to_string(file).ok()).any(|text| {
        text.lines().any(|line| {
            let name = line.trim().trim_start_matches("**/").trim_matches('/');
            name == FOLDER || name.ends_with(&format!("/{FOLDER}"))
        })
    })
}
