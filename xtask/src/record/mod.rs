//! `cargo xtask record`: records everything a user sees of the program, and compares two records.
//!
//! The command lines are data: the files of `xtask/record`. A record is a folder with a folder for each command line,
//! which holds its output, its exit status and the files that it wrote. Raw output is kept; figures that differ from run to run are
//! masked when records are compared.

pub mod compare;
pub mod inputs;
pub mod list;
pub mod mask;
pub mod prose;
pub mod run;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use inputs::Inputs;
use list::List;

/// The arguments of the task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The folder to keep the record in.
    pub folder: Option<PathBuf>,
    /// The record to compare with.
    pub compare: Option<PathBuf>,
    /// A kept record to compare in place of a new one.
    pub with: Option<PathBuf>,
    /// The program; the release build of the workspace if not given.
    pub program: Option<PathBuf>,
    /// Only groups with a command line that contains this word.
    pub only: Option<String>,
    /// Sentences are not compared.
    pub prose: bool,
    /// Prints the expanded list and runs nothing.
    pub list: bool,
}

/// Records, compares, or both; returns whether nothing differs.
pub fn task(root: &Path, options: &Options, out: &mut impl Write) -> Result<bool, String> {
    if let (Some(old), Some(new)) = (&options.compare, &options.with) {
        return compare::records(old, new, options, out);
    }
    let mut list = read_list(root)?;
    if let Some(word) = &options.only {
        list.restrict(word);
    }
    if options.list {
        for (group, line) in list.command_lines() {
            say(out, &format!("{}: {line}\n", group.id))?;
        }
        return Ok(true);
    }
    let folder = match (&options.folder, &options.compare) {
        (Some(folder), _) => folder.clone(),
        (None, Some(_)) => root.join("target").join("record").join("new"),
        (None, None) => return Err("`record` needs a folder, `--compare OLD`, or both".to_owned()),
    };
    let program = match &options.program {
        Some(path) => std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))?,
        None => built_program(root)?,
    };
    let summary = run::record(root, &program, &list, &folder)?;
    say(out, &summary)?;
    match &options.compare {
        Some(old) => compare::records(old, &folder, options, out),
        None => Ok(true),
    }
}

/// Expands all files of the list.
pub fn read_list(root: &Path) -> Result<List, String> {
    let folder = root.join("xtask").join("record");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "txt"));
    files.sort();
    let inputs = Inputs::new(root);
    let mut list = List::default();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        list.add_file(&name, &text, &inputs)?;
    }
    Ok(list)
}

fn built_program(root: &Path) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["build", "--release", "--quiet", "--package", "tempora-cli"];
    let status = Command::new(cargo).args(arguments).current_dir(root).status();
    match status {
        Ok(status) if status.success() => {
            let name = format!("tempora{}", std::env::consts::EXE_SUFFIX);
            Ok(root.join("target").join("release").join(name))
        }
        Ok(status) => Err(format!("the release build failed with {status}")),
        Err(error) => Err(format!("cannot run cargo: {error}")),
    }
}

pub(crate) fn say(out: &mut impl Write, text: &str) -> Result<(), String> {
    out.write_all(text.as_bytes()).map_err(|error| format!("cannot write the output: {error}"))
}
