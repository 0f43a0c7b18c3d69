//! Writes components of queries with `save-as` to a file or folder.
//!
//! Invariant: only a single file named by the user may be overwritten. All named components are written, or none.

use std::collections::BTreeSet;

use tempora_certify::CheckedAnswer;
use tempora_frontends::{Content, Language, language_named, writer_for_file, writer_named};
use tempora_source::{Colour, Diagnostic, render_text};

use super::JobContext;
use super::outputs::{Output, OutputContent};
use crate::codes::{UNKNOWN_FORMAT, UNWRITABLE_FILE};
use crate::components::named_component;
use crate::loading::Loaded;

/// Returns the components of answers as an output for a path.
pub(super) fn save_components(
    path: &str,
    loaded: &Loaded,
    answers: &[CheckedAnswer],
    context: &JobContext<'_>,
) -> Output {
    let components: Vec<_> = answers.iter().filter_map(named_component).collect();
    if components.is_empty() {
        return Output::nothing("no components to write: no query names one with save-as");
    }
    let mut names = BTreeSet::new();
    if let Some((twice, _)) = components.iter().find(|(name, _)| !names.insert(*name)) {
        let message = format!("two components have the name `{twice}`");
        return Output::fault(
            Diagnostic::error(&UNWRITABLE_FILE, message).with_hint("use another name after `save-as`"),
        );
    }
    let workspace = context.session.workspace();
    let writer = match path {
        "-" => writer_named("net"),
        _ if workspace.is_folder(path) => writer_named("ecdar"),
        _ => writer_for_file(path).filter(|writer| !writer.is_symbolic()),
    };
    let Some(writer) = writer else {
        let message = format!("`{path}` does not determine the output language");
        let hint = "use a folder, with a final `/` if it is new, or a file with the extension .xml or .net";
        return Output::fault(Diagnostic::error(&UNKNOWN_FORMAT, message).with_hint(hint));
    };
    let model = loaded.with_components(&components);
    let conversion = match model.writable().map(|model| writer.write(&model)) {
        Some(Ok(conversion)) => conversion,
        Some(Err(problems)) => return Output::fault(unwritable(&model, problems.as_slice())),
        None => return Output::fault(unwritable(&model, model.diagnostics.as_slice())),
    };
    context.report(&model.files, conversion.warnings.as_slice());
    let names: Vec<&str> = components.iter().map(|(name, _)| *name).collect();
    let note = if path == "-" { String::new() } else { format!("written to {path}: {}", names.join(", ")) };
    let path = path.to_owned();
    let folder = language_named(writer.name).and_then(Language::folder);
    let content = match (conversion.content, folder) {
        (Content::Text(text), _) => OutputContent::File { path, bytes: text.into_bytes() },
        (Content::Folder(files), Some(folder)) if (folder.recognises)(workspace, &path) => {
            let files = files.into_iter().filter(|file| (folder.is_addition)(&file.path)).collect();
            OutputContent::FolderParts { path, files }
        }
        (Content::Folder(files), _) => OutputContent::NewFolder { path, files },
    };
    Output { content, note }
}

fn unwritable(model: &Loaded, problems: &[Diagnostic]) -> Diagnostic {
    let why = render_text(&model.files, problems, Colour::Never);
    Diagnostic::error(&UNWRITABLE_FILE, "a component cannot be written in this language")
        .with_note(why.trim_end().to_owned())
        .with_hint("use `.net`, which can express every component")
}
