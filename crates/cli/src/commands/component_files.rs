//! Components that queries make, written to a file or a folder.
//!
//! Invariant: nothing that is there already is overwritten but a single file that the user names. What is written are the
//! components that a query gives a name with `save-as`, all of them or none.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use tempora_certify::CheckedAnswer;
use tempora_frontends::{Content, FolderFile, writer_for_file, writer_named};
use tempora_source::{Colour, Diagnostic, render_text};
use tempora_workbench::codes::UNWRITABLE_FILE;
use tempora_workbench::{Disk, Loaded, Workspace, named_component};

use super::convert::write_folder;
use super::model::write_file;
use crate::codes::UNKNOWN_FORMAT;
use crate::console::Console;

/// Writes the components of answers; says where, or why they cannot be written.
pub(crate) fn save_components(
    path: &str,
    loaded: &Loaded,
    answers: &[CheckedAnswer],
    console: &mut Console,
) -> io::Result<Option<Diagnostic>> {
    let components: Vec<_> = answers.iter().filter_map(named_component).collect();
    if components.is_empty() {
        console.complain("no query makes a component with a name, so none is written\n");
        return Ok(None);
    }
    let mut names = BTreeSet::new();
    if let Some((twice, _)) = components.iter().find(|(name, _)| !names.insert(*name)) {
        let message = format!("two components are to be called `{twice}`");
        return Ok(Some(
            Diagnostic::error(&UNWRITABLE_FILE, message).with_hint("write another name behind `save-as`"),
        ));
    }
    let folder = Path::new(path);
    let writer = match path {
        "-" => writer_named("net"),
        _ if folder.is_dir() => writer_named("ecdar"),
        _ => writer_for_file(path).filter(|writer| !writer.is_symbolic()),
    };
    let Some(writer) = writer else {
        let message = format!("`{path}` does not say in which language to write");
        let hint = "name a folder, with `/` behind it if it is new, or a file that ends with .xml or .net";
        return Ok(Some(Diagnostic::error(&UNKNOWN_FORMAT, message).with_hint(hint)));
    };
    let model = loaded.with_components(&components);
    let conversion = match model.writable().map(|model| writer.write(&model)) {
        Some(Ok(conversion)) => conversion,
        Some(Err(problems)) => return Ok(Some(unwritable(&model, problems.as_slice()))),
        None => return Ok(Some(unwritable(&model, model.diagnostics.as_slice()))),
    };
    console.report(&model.files, conversion.warnings.as_slice());
    let problem = match conversion.content {
        Content::Text(text) => write_file(path, text.as_bytes(), console)?,
        Content::Folder(files) if folder.join("Components").is_dir() => add_to_project(folder, &files),
        Content::Folder(files) => write_folder(path, &files),
    };
    if problem.is_none() && path != "-" {
        let names: Vec<&str> = components.iter().map(|(name, _)| *name).collect();
        console.complain(&format!("written to {path}: {}\n", names.join(", ")));
    }
    Ok(problem)
}

/// Puts components beside those of a project.
fn add_to_project(folder: &Path, files: &[FolderFile]) -> Option<Diagnostic> {
    let components: Vec<&FolderFile> =
        files.iter().filter(|file| file.path.starts_with("Components/")).collect();
    if let Some(known) = components.iter().find(|file| folder.join(&file.path).exists()) {
        let message = format!("there is a file `{}` already", folder.join(&known.path).display());
        let hint = "write another name behind `save-as`, or remove the file";
        return Some(Diagnostic::error(&UNWRITABLE_FILE, message).with_hint(hint));
    }
    components.iter().find_map(|file| {
        let full = folder.join(&file.path);
        Disk::default().write(&full.to_string_lossy(), &file.bytes).err().map(|error| {
            let message = format!("`{}` cannot be written: {error}", full.display());
            Diagnostic::error(&UNWRITABLE_FILE, message).with_hint("name a folder that can be written to")
        })
    })
}

fn unwritable(model: &Loaded, problems: &[Diagnostic]) -> Diagnostic {
    let why = render_text(&model.files, problems, Colour::Never);
    Diagnostic::error(&UNWRITABLE_FILE, "a component cannot be written in this language")
        .with_note(why.trim_end().to_owned())
        .with_hint("`.net` can say everything")
}
