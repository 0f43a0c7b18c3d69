//! `tempora explain`: prints the manual page of a code, or the list of all codes.

use std::fmt::Write as _;
use std::io;

use anstyle::Style;
use tempora_report::documents::{CodeListDocument, CodePageDocument, ErrorsDocument, document_text};
use tempora_source::{Code, Diagnostic, Files, nearest_names};

use super::OutputFormat;
use crate::Status;
use crate::codes::{UNKNOWN_CODE, all_codes};
use crate::console::Console;

/// Show the manual page of a check or an error
///
/// Every message has a code in brackets, such as `error[xml-unknown-entity]`. Without CODE, all codes are listed.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Code, such as `xml-unknown-entity`
    code: Option<String>,

    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Text)]
    output: OutputFormat,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let codes = all_codes();
    let Some(wanted) = &arguments.code else {
        console.print(&list(&codes, arguments.output, console))?;
        return Ok(Status::Success);
    };
    match codes.iter().find(|code| code.name() == wanted) {
        Some(code) => {
            console.print(&page(code, arguments.output, console))?;
            Ok(Status::Success)
        }
        None => refuse(wanted, &codes, arguments.output, console),
    }
}

fn list(codes: &[&'static Code], output: OutputFormat, console: &Console) -> String {
    match output {
        OutputFormat::Json => document_text(&CodeListDocument::new(codes)),
        OutputFormat::Text => {
            let width = codes.iter().map(|code| code.name().len()).max().unwrap_or(0);
            let mut text = String::new();
            for code in codes {
                let name = console.styled(Style::new().bold(), code.name());
                let padding = width - code.name().len();
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{name}{:padding$}  {}", "", code.summary());
            }
            text
        }
    }
}

fn page(code: &'static Code, output: OutputFormat, console: &Console) -> String {
    match output {
        OutputFormat::Json => document_text(&CodePageDocument::new(code)),
        OutputFormat::Text => {
            let markdown = format!("# {}: {}\n\n{}", code.name(), code.summary(), code.page());
            let lines = markdown.lines().map(|line| {
                let shown = if line.starts_with('#') {
                    console.styled(Style::new().bold(), line)
                } else {
                    line.to_owned()
                };
                shown + "\n"
            });
            lines.collect()
        }
    }
}

fn refuse(wanted: &str, codes: &[&Code], output: OutputFormat, console: &mut Console) -> io::Result<Status> {
    let near = nearest_names(wanted, codes.iter().map(|code| code.name()));
    let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    let hint = match near.as_slice() {
        [] => "`tempora explain` lists all codes".to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    let files = Files::new();
    let diagnostic = Diagnostic::error(&UNKNOWN_CODE, format!("unknown code `{wanted}`")).with_hint(hint);
    if output == OutputFormat::Json {
        let errors = ErrorsDocument::new(None, &files, std::slice::from_ref(&diagnostic));
        console.print(&document_text(&errors))?;
    }
    console.report(&files, &[diagnostic]);
    Ok(Status::Error)
}
