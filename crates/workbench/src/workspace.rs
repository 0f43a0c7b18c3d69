//! Workspaces: files on disk, and files in memory.
//!
//! Invariant: writes are atomic: a reader never sees a partial file, and a failed write keeps the old file.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tempora_frontends::Workspace;
use tempora_interrupt::checkpoint_before;

/// Limit on the size of a file.
const LARGEST_FILE: u64 = 1 << 30;

/// The files on disk.
pub type Disk = DiskWith<SystemSteps>;

/// The files on disk, with the steps of which a write consists.
#[derive(Clone, Debug, Default)]
pub struct DiskWith<Steps> {
    /// The folder to which imports are confined; if `None`, the folder of the importing file.
    pub root: Option<PathBuf>,
    /// The steps of a write.
    pub steps: Steps,
}

/// The number of bytes that are read between two checkpoints.
const PIECE: u64 = 4 << 20;

/// Reads a stream to its end, or until it is longer than a file may be.
fn read_in_pieces(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut stream = stream.take(LARGEST_FILE + 1);
    let mut bytes = Vec::new();
    loop {
        // A full buffer doubles.
        checkpoint_before((bytes.len() as u64).saturating_add(PIECE));
        if stream.by_ref().take(PIECE).read_to_end(&mut bytes)? == 0 {
            return Ok(bytes);
        }
    }
}

/// The steps of which a write consists. Tests let each of them fail.
pub trait WriteSteps: Send + Sync {
    /// Writes a new file with the permissions of the file that it will replace, and waits until the disk has it.
    fn write_new(&self, path: &Path, bytes: &[u8], replaced: Option<&std::fs::Metadata>) -> io::Result<()>;

    /// Renames a file, in place of a file of the new name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The steps of a write as the system executes them.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemSteps;

impl WriteSteps for SystemSteps {
    fn write_new(&self, path: &Path, bytes: &[u8], replaced: Option<&std::fs::Metadata>) -> io::Result<()> {
        let mut file = std::fs::File::options().write(true).create_new(true).open(path)?;
        if let Some(replaced) = replaced {
            file.set_permissions(replaced.permissions())?;
        }
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }
}

impl<Steps: WriteSteps> Workspace for DiskWith<Steps> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let bytes = if path == "-" {
            read_in_pieces(io::stdin().lock())?
        } else {
            let file = std::fs::File::open(path)?;
            if file.metadata()?.is_dir() {
                return Err(io::Error::other("it is a folder"));
            }
            read_in_pieces(file)?
        };
        if bytes.len() as u64 > LARGEST_FILE {
            return Err(io::Error::other("it has more than 1 GiB"));
        }
        Ok(bytes)
    }

    fn is_file(&self, path: &str) -> bool {
        Path::new(path).is_file()
    }

    fn is_folder(&self, path: &str) -> bool {
        Path::new(path).is_dir()
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let entries = std::fs::read_dir(folder)?;
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort();
        Ok(names)
    }

    fn resolve(&self, file: &str, import: &str) -> io::Result<String> {
        let folder = Path::new(file).parent().unwrap_or(Path::new("."));
        let root = match &self.root {
            Some(root) => root.clone(),
            None if folder.as_os_str().is_empty() => PathBuf::from("."),
            None => folder.to_owned(),
        };
        // Resolve symbolic links before the comparison.
        let target = folder.join(import);
        let (real, real_root) = (target.canonicalize()?, root.canonicalize()?);
        if !real.starts_with(&real_root) {
            return Err(outside());
        }
        target.to_str().map(str::to_owned).ok_or_else(|| io::Error::other("its name is not valid Unicode"))
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        // Keep a symbolic link and replace its target. A device or a pipe cannot be replaced.
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| missing_target(path));
        let known = std::fs::metadata(&target).ok();
        if known.as_ref().is_some_and(|known| !known.is_file()) {
            return std::fs::write(&target, bytes);
        }
        if known.is_some() {
            // A read-only file must not be replaced either.
            std::fs::File::options().write(true).open(&target)?;
        }
        if target.file_name().is_none() {
            return Err(io::Error::other("it has no file name"));
        }
        // The file name may have the maximal length, so the temporary name does not contain it.
        let temporary = target.with_file_name(format!(".tempora-{}", unused_number()));
        let written = self.steps.write_new(&temporary, bytes, known.as_ref());
        let written = written.and_then(|()| self.steps.rename(&temporary, &target));
        if written.is_err() {
            let _ = self.steps.remove(&temporary);
        }
        written
    }

    fn identity(&self, path: &str) -> Option<String> {
        identity(path)
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        std::fs::create_dir_all(path)
    }
}

/// Returns the file to which a path leads that has no file yet: the path itself, or the target of its symbolic links.
fn missing_target(path: &str) -> PathBuf {
    /// The number of links after which a path is taken as it is; systems have similar limits.
    const MOST_LINKS: usize = 40;
    let mut target = PathBuf::from(path);
    for _ in 0..MOST_LINKS {
        let Ok(next) = std::fs::read_link(&target) else { return target };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    PathBuf::from(path)
}

/// Returns the identity of a regular file: its device and its number on it.
#[cfg(unix)]
fn identity(path: &str) -> Option<String> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;

    let known = match path {
        "-" => std::fs::File::from(io::stdin().as_fd().try_clone_to_owned().ok()?).metadata().ok()?,
        path => std::fs::metadata(path).ok()?,
    };
    known.is_file().then(|| format!("{}:{}", known.dev(), known.ino()))
}

/// Returns the identity of a regular file: its path without links.
#[cfg(not(unix))]
fn identity(path: &str) -> Option<String> {
    let real = Path::new(path).canonicalize().ok()?;
    real.is_file().then(|| real.to_string_lossy().into_owned())
}

/// Returns a number for the name of a temporary file, unique over processes and threads.
fn unused_number() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn outside() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "it is outside the folder of the model")
}

/// A workspace that does not overwrite files that were read from it: the inputs of a command are not its outputs.
#[derive(Debug, Default)]
pub struct ProtectedInputs<Files> {
    files: Files,
    /// The identities of the files that were read, with their paths.
    inputs: Mutex<BTreeMap<String, String>>,
}

impl<Files: Workspace> ProtectedInputs<Files> {
    /// Returns a workspace in which nothing was read yet.
    pub fn new(files: Files) -> ProtectedInputs<Files> {
        ProtectedInputs { files, inputs: Mutex::default() }
    }

    /// Returns the workspace without protection.
    pub fn into_inner(self) -> Files {
        self.files
    }

    fn with_inputs<T>(&self, work: impl FnOnce(&mut BTreeMap<String, String>) -> T) -> T {
        work(&mut self.inputs.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl<Files: Workspace> Workspace for ProtectedInputs<Files> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if let Some(identity) = self.files.identity(path) {
            self.with_inputs(|inputs| inputs.entry(identity).or_insert_with(|| path.to_owned()).len());
        }
        self.files.read(path)
    }

    fn is_file(&self, path: &str) -> bool {
        self.files.is_file(path)
    }

    fn is_folder(&self, path: &str) -> bool {
        self.files.is_folder(path)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.files.list(folder)
    }

    fn resolve(&self, file: &str, import: &str) -> io::Result<String> {
        self.files.resolve(file, import)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.check_output(path)?;
        self.files.write(path, bytes)
    }

    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.check_output(path)?;
        self.files.append(path, bytes)
    }

    fn identity(&self, path: &str) -> Option<String> {
        self.files.identity(path)
    }

    fn check_output(&self, path: &str) -> io::Result<()> {
        let Some(identity) = self.files.identity(path) else { return Ok(()) };
        match self.with_inputs(|inputs| inputs.get(&identity).cloned()) {
            None => self.files.check_output(path),
            Some(input) if input == path => Err(io::Error::other("it is an input of this command")),
            Some(input) if input == "-" => {
                Err(io::Error::other("it is standard input, an input of this command"))
            }
            Some(input) => {
                let why = format!("it is the same file as `{input}`, an input of this command");
                Err(io::Error::other(why))
            }
        }
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        self.files.create_folder(path)
    }
}

/// Files in memory, for tests and unsaved texts.
#[derive(Debug, Default)]
pub struct Memory {
    files: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl Memory {
    /// Returns a workspace with these files.
    pub fn new<'text>(files: impl IntoIterator<Item = (&'text str, &'text [u8])>) -> Memory {
        let files = files.into_iter().map(|(path, bytes)| (path.to_owned(), bytes.to_owned()));
        Memory { files: Mutex::new(files.collect()) }
    }

    fn with_files<T>(&self, work: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> T) -> T {
        // A panic cannot leave a partial file: each change is a single operation.
        work(&mut self.files.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl Workspace for Memory {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.with_files(|files| files.get(path).cloned()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn is_file(&self, path: &str) -> bool {
        self.with_files(|files| files.contains_key(path))
    }

    fn is_folder(&self, path: &str) -> bool {
        let inside = format!("{}/", path.trim_end_matches('/'));
        self.with_files(|files| files.keys().any(|file| file.starts_with(&inside)))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let inside = format!("{}/", folder.trim_end_matches('/'));
        let mut names: Vec<String> = self.with_files(|files| {
            let rest = files.keys().filter_map(|file| file.strip_prefix(&inside));
            rest.map(|rest| rest.split('/').next().unwrap_or(rest).to_owned()).collect()
        });
        names.dedup();
        if names.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(names) }
    }

    fn resolve(&self, file: &str, import: &str) -> io::Result<String> {
        let mut parts: Vec<&str> = file.split('/').collect();
        parts.pop();
        for part in Path::new(import).components() {
            match part {
                Component::CurDir => {}
                Component::Normal(name) => parts.push(name.to_str().unwrap_or_default()),
                Component::ParentDir if !parts.is_empty() => {
                    parts.pop();
                }
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return Err(outside()),
            }
        }
        Ok(parts.join("/"))
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.with_files(|files| files.insert(path.to_owned(), bytes.to_owned()));
        Ok(())
    }

    fn create_folder(&self, _path: &str) -> io::Result<()> {
        Ok(())
    }
}
