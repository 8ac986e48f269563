//! The embedding model, for tests and for a first start.

use std::path::{Path, PathBuf};

use gm_embed::install;
use gm_embed::model::Places;

use crate::process::{say, target};

/// Where tests find models.
pub fn for_tests() -> PathBuf {
    target().join("models")
}

/// Puts the default model and its runtime into a folder, unless they are there. Without them search
/// goes by words alone: a failure is told and stops nothing.
pub fn ensure(folder: &Path) {
    if install::is_installed(&Places(vec![folder.to_owned()])) {
        return;
    }
    say(&format!("· putting the embedding model into {}", folder.display()));
    let installed = match install::from_folder(&for_tests(), folder) {
        Err(_) => install::through_package_client(folder, &mut |what| say(&format!("  {what}"))),
        installed => installed,
    };
    if let Err(error) = installed {
        say(&format!("  the model is not there, search goes by words alone: {error}"));
    }
}

/// The folder of models in the home library, as the programs find it.
pub fn of_home() -> Option<PathBuf> {
    let given = std::env::var_os("GRAPHMEM_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    let home = given.or_else(|| std::env::home_dir().map(|home| home.join(".graphmem")))?;
    Some(home.join("models"))
}
