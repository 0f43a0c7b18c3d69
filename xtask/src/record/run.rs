//! Runs the list: two groups at a time, each in its own scratch folder, with the workspace as working directory.
//!
//! Invariant: a record depends on the program, the solver, the list and the inputs only; never on the place of the checkout, as far
//! as the program does not print it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::inputs::Inputs;
use super::list::{CommandLine, Group, List, Preparation, Step, scratch_folder};

/// The file that marks a folder as a record, and lists the lines that were skipped.
pub const SUMMARY: &str = "summary";

/// The environment variable that names the solver.
const SOLVER: &str = "TEMPORA_SOLVER";

/// Environment variables that change the output of the program.
const CLEARED: [&str; 7] = [
    "UPPAAL_COMPILE_ONLY",
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
];

/// Commands that take longer are killed.
const LONGEST: Duration = Duration::from_secs(60);

/// Groups that run at the same time.
const WORKERS: usize = 2;

/// Command lines and how long they took.
type Times = Vec<(Duration, String)>;

/// The settings that all groups share.
struct Runner<'a> {
    root: &'a Path,
    program: &'a Path,
    solver: Option<PathBuf>,
    inputs: Inputs,
    record: PathBuf,
}

/// Runs all groups, keeps the record in `folder`, and returns a summary with the slowest lines.
pub fn record(root: &Path, program: &Path, list: &List, folder: &Path) -> Result<String, String> {
    let start = Instant::now();
    prepare_folder(folder)?;
    let record = std::path::absolute(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    remove(&root.join("target").join("record").join("out"))?;
    let runner = Runner { root, program, solver: solver(root), inputs: Inputs::new(root), record };
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Result<Times, String>>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(group) = list.groups.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = runner.run_group(group);
                    if let Ok(mut results) = results.lock() {
                        results.push(result);
                    }
                }
            });
        }
    });
    let results = results.into_inner().map_err(|_| "a worker has panicked".to_owned())?;
    let mut times = Times::new();
    for result in results {
        times.extend(result?);
    }
    let mut summary = String::from("record of tempora\n");
    for line in &list.skipped {
        let _ = writeln!(summary, "skipped {line}");
    }
    write(&folder.join(SUMMARY), summary.as_bytes())?;
    times.sort_by(|left, right| right.cmp(left));
    let mut text = format!(
        "recorded {} command lines in {:.0} s, skipped {}\n",
        times.len(),
        start.elapsed().as_secs_f64(),
        list.skipped.len()
    );
    for (time, line) in times.iter().take_while(|(time, _)| *time >= Duration::from_secs(2)).take(10) {
        let _ = writeln!(text, "slow: {:.1} s: {line}", time.as_secs_f64());
    }
    Ok(text)
}

/// Empties the folder of an earlier record; refuses any other folder that is not empty.
fn prepare_folder(folder: &Path) -> Result<(), String> {
    if folder.is_dir() {
        let is_empty = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
        if !is_empty && !folder.join(SUMMARY).is_file() {
            return Err(format!("{} is neither empty nor a record", folder.display()));
        }
        remove(folder)?;
    }
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    // A record that was interrupted can be overwritten.
    write(&folder.join(SUMMARY), b"incomplete\n")
}

fn remove(folder: &Path) -> Result<(), String> {
    if !folder.exists() {
        return Ok(());
    }
    fs::remove_dir_all(folder).map_err(|error| format!("{} cannot be removed: {error}", folder.display()))
}

/// Finds the solver of this workspace, so that programs of other folders use the same.
fn solver(root: &Path) -> Option<PathBuf> {
    let name = format!("z3{}", std::env::consts::EXE_SUFFIX);
    let named = std::env::var_os(SOLVER).filter(|path| !path.is_empty()).map(PathBuf::from);
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&paths).map(|folder| folder.join(&name));
    let candidates = on_path.chain([root.join("target").join("tools").join(&name)]);
    named.or_else(|| candidates.into_iter().find(|path| path.is_file()))
}

impl Runner<'_> {
    fn run_group(&self, group: &Group) -> Result<Times, String> {
        let scratch = scratch_folder(&group.id);
        let folder = self.root.join(&scratch);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut times = Vec::new();
        for step in &group.steps {
            match step {
                Step::Prepare(preparation) => self.prepare(preparation)?,
                Step::Run(line) => {
                    let number = format!("{:03}", times.len() + 1);
                    let kept = self.record.join(&group.id).join(number);
                    times.push((self.run_line(line, &scratch, &kept)?, line.to_string()));
                }
            }
        }
        Ok(times)
    }

    fn prepare(&self, preparation: &Preparation) -> Result<(), String> {
        let read = |path: &str| {
            fs::read(self.root.join(path)).map_err(|error| format!("`{path}` cannot be read: {error}"))
        };
        match preparation {
            Preparation::Write { path, text } => write(&self.root.join(path), text.as_bytes()),
            Preparation::Copy { from, to } => write(&self.root.join(to), &read(from)?),
            Preparation::Replace { path, old, new } => {
                // The file may be missing or different with a program that is compared; its line will show that.
                let text = read(path).unwrap_or_default();
                let text = String::from_utf8_lossy(&text).replacen(old, new, 1);
                write(&self.root.join(path), text.as_bytes())
            }
        }
    }

    fn run_line(&self, line: &CommandLine, scratch: &str, kept: &Path) -> Result<Duration, String> {
        let folder = self.root.join(scratch);
        let extract = |word: &String| Ok(self.inputs.extract(word, scratch)?.unwrap_or_else(|| word.clone()));
        let mut arguments = line.arguments.iter().map(extract).collect::<Result<Vec<String>, String>>()?;
        let input = match line.standard_input.as_ref().map(extract) {
            Some(path) => {
                let path = path?;
                let file = File::open(self.root.join(&path));
                Stdio::from(file.map_err(|error| format!("`{path}` cannot be read: {error}"))?)
            }
            None => Stdio::null(),
        };
        let solver = self.solver.as_ref().map(|path| path.to_string_lossy().into_owned());
        for argument in &mut arguments {
            *argument = argument.replace("{solver}", solver.as_deref().unwrap_or("no-solver"));
        }
        let before = files_below(&folder);
        fs::create_dir_all(kept).map_err(|error| format!("{}: {error}", kept.display()))?;
        write(&kept.join("command"), format!("{line}\n").as_bytes())?;
        let stream = |name: &str| {
            File::create(kept.join(name)).map_err(|error| format!("{}: {error}", kept.join(name).display()))
        };
        let mut command = Command::new(self.program);
        CLEARED.iter().for_each(|name| {
            command.env_remove(name);
        });
        command.args(&arguments).current_dir(self.root).envs(line.environment.iter().cloned());
        if let Some(path) = &self.solver {
            command.env(SOLVER, path);
        }
        command.stdin(input).stdout(stream("stdout")?).stderr(stream("stderr")?);
        let start = Instant::now();
        let status = run_for(&mut command, LONGEST)
            .map_err(|error| format!("cannot run {}: {error}", self.program.display()))?;
        let time = start.elapsed();
        write(&kept.join("status"), format!("{}\n", status_text(status)).as_bytes())?;
        for (name, contents) in files_below(&folder) {
            if before.get(&name) != Some(&contents) {
                write(&kept.join("files").join(&name), &contents)?;
            }
        }
        Ok(time)
    }
}

fn status_text(status: Option<ExitStatus>) -> String {
    match status {
        None => format!("killed after {} s", LONGEST.as_secs()),
        Some(status) => status.code().map_or_else(|| status.to_string(), |code| code.to_string()),
    }
}

/// Runs a command; kills it when the time is up.
fn run_for(command: &mut Command, longest: Duration) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= longest {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep((start.elapsed() / 10).clamp(Duration::from_millis(1), Duration::from_millis(20)));
    }
}

fn write(path: &Path, contents: &[u8]) -> Result<(), String> {
    let created = path.parent().map_or(Ok(()), fs::create_dir_all);
    created
        .and_then(|()| fs::write(path, contents))
        .map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

/// Reads all files below a folder, by their paths in it.
pub fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(current) = folders.pop() {
        for path in fs::read_dir(&current).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
        {
            if path.is_dir() {
                folders.push(path);
            } else if let (Ok(name), Ok(contents)) = (path.strip_prefix(folder), fs::read(&path)) {
                files.insert(name.to_owned(), contents);
            }
        }
    }
    files
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn kills_a_command_that_hangs() {
        let mut command = Command::new("sleep");
        let status = run_for(command.arg("30"), Duration::from_millis(50)).unwrap();
        assert_eq!(status, None);
        assert_eq!(status_text(None), "killed after 60 s");
    }

    #[test]
    fn refuses_a_folder_that_is_no_record() {
        assert!(prepare_folder(Path::new(env!("CARGO_MANIFEST_DIR"))).is_err());
    }
}
