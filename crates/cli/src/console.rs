//! Standard output and standard error, with or without colours.
//!
//! Invariant: colours are used only on a terminal, and not if `NO_COLOR` is set.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use tempora_report::formats::text::Emphasis;
use tempora_source::{Colour, Diagnostic, Files, render_text};

/// Standard output and standard error.
pub(crate) struct Console {
    output_colour: Colour,
    error_colour: Colour,
}

impl Console {
    pub(crate) fn new() -> Console {
        Console {
            output_colour: colour(AutoStream::choice(&io::stdout())),
            error_colour: colour(AutoStream::choice(&io::stderr())),
        }
    }

    /// Writes a result to standard output; a closed pipe is not an error.
    pub(crate) fn print(&mut self, text: &str) -> io::Result<()> {
        let mut output = io::stdout().lock();
        match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            outcome => outcome,
        }
    }

    /// Writes diagnostics to standard error.
    pub(crate) fn report(&mut self, files: &Files, diagnostics: &[Diagnostic]) {
        self.complain(&render_text(files, diagnostics, self.error_colour));
    }

    /// Writes to standard error; write errors are ignored.
    pub(crate) fn complain(&mut self, text: &str) {
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// Writes a line to standard error, unless it is empty.
    pub(crate) fn note(&mut self, line: &str) {
        if !line.is_empty() {
            self.complain(&format!("{line}\n"));
        }
    }

    /// Returns whether standard output shows colours.
    pub(crate) fn output_colour(&self) -> Colour {
        self.output_colour
    }

    /// Returns the text in a style if standard output shows colours.
    pub(crate) fn styled(&self, style: Style, text: &str) -> String {
        match self.output_colour {
            Colour::Never => text.to_owned(),
            Colour::Always => format!("{style}{text}{style:#}"),
        }
    }
}

impl Emphasis for Console {
    fn good(&self, text: &str) -> String {
        self.styled(AnsiColor::Green.on_default().bold(), text)
    }

    fn bad(&self, text: &str) -> String {
        self.styled(AnsiColor::Red.on_default().bold(), text)
    }

    fn open(&self, text: &str) -> String {
        self.styled(AnsiColor::Yellow.on_default().bold(), text)
    }

    fn faint(&self, text: &str) -> String {
        self.styled(Style::new().dimmed(), text)
    }
}

fn colour(choice: ColorChoice) -> Colour {
    match choice {
        ColorChoice::Never => Colour::Never,
        _ => Colour::Always,
    }
}
