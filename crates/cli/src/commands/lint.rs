//! `tempora lint`: reports likely mistakes in a model.
//!
//! Invariant: the exit status is 2 for an error in the model or the settings, else 1 if a finding has at least the
//! severity of `--fail-on`, else 3 if a signal stopped the checks, else 0.

use std::io;

use tempora_draw::{Scene, SvgOptions, write_svg};
use tempora_report::formats::{findings_html, findings_json, findings_text, sarif};
use tempora_source::{Diagnostic, Severity};
use tempora_workbench::jobs::{LintOutcome, LintRequest};
use tempora_workbench::{CHECK_CODES, Session};

use super::OutputFormat;
use super::check_arguments::SearchArgument;
use super::job_runner::{JobResult, Limits, run_job};
use super::model::{ModelArguments, refuse, report_fault};
use crate::Status;
use crate::console::Console;

/// Report likely mistakes in a model
///
/// The file tempora.toml beside the model may set defaults; the command line takes precedence.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// Run only these checks, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,

    /// Skip these checks, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    skip: Vec<String>,

    /// Lowest severity of a finding that makes the exit status 1
    #[arg(long, value_name = "SEVERITY", value_enum)]
    fail_on: Option<SeverityChoice>,

    /// Order in which states are explored; bfs gives the shortest runs
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = SearchArgument::Auto)]
    search: SearchArgument,

    /// Seed for `--search random`
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Stop the exploration at the first deadlock, invariant violation or model error
    #[arg(long)]
    first: bool,

    #[command(flatten)]
    limits: Limits,

    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = FindingFormat::Text)]
    output: FindingFormat,

    /// Show the run of each finding
    #[arg(long)]
    runs: bool,

    /// Draw the templates with their findings as SVG files into this folder
    #[arg(long, value_name = "DIR")]
    draw: Option<String>,
}

/// The output format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FindingFormat {
    /// Plain text.
    Text,
    /// JSON.
    Json,
    /// SARIF 2.1, for code hosts and editors.
    Sarif,
    /// A self-contained web page with findings, runs and diagrams.
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SeverityChoice {
    /// Errors only.
    Error,
    /// Errors and warnings.
    Warning,
    /// All findings.
    Info,
}

impl From<SeverityChoice> for Severity {
    fn from(choice: SeverityChoice) -> Severity {
        match choice {
            SeverityChoice::Error => Severity::Error,
            SeverityChoice::Warning => Severity::Warning,
            SeverityChoice::Info => Severity::Info,
        }
    }
}

impl Arguments {
    fn request(&self) -> LintRequest {
        LintRequest {
            model: self.model.request(),
            only: self.only.clone(),
            skip: self.skip.clone(),
            fail_on: self.fail_on.map(Severity::from),
            search: self.search.into(),
            seed: self.seed,
            ends_with_first: self.first,
            runs: self.runs || self.output != FindingFormat::Text,
            scenes: self.draw.is_some() || self.output == FindingFormat::Html,
        }
    }

    fn print(&self, linted: &LintOutcome, console: &mut Console) -> io::Result<()> {
        let (path, findings) = (self.model.path(), &linted.findings);
        let text = match self.output {
            FindingFormat::Text => {
                findings_text::findings(&linted.files, findings, self.runs, console.output_colour(), console)
            }
            FindingFormat::Json => findings_json::findings(path, findings),
            FindingFormat::Html => findings_html::page(path, findings, &linted.scenes),
            FindingFormat::Sarif => sarif::findings(path, findings, CHECK_CODES, env!("CARGO_PKG_VERSION")),
        };
        console.print(&text)
    }
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let JobResult { outcome, files, is_stopped, .. } =
        run_job(arguments.request(), &arguments.limits, console);
    let linted = match outcome {
        Ok(linted) => linted,
        Err(refused) => {
            // Every output format other than text reports errors as JSON.
            let is_text = arguments.output == FindingFormat::Text;
            let output = if is_text { OutputFormat::Text } else { OutputFormat::Json };
            return refuse(arguments.model.path(), &refused, output, console);
        }
    };
    arguments.print(&linted, console)?;
    if let Some(folder) = &arguments.draw
        && let Err(fault) = draw(folder, &linted.scenes, Session::new(&files))
    {
        return report_fault(&fault, console);
    }
    Ok(match linted.is_bad {
        true => Status::Violated,
        false if is_stopped => Status::Unknown,
        false => Status::Success,
    })
}

/// Draws the templates into a folder.
fn draw(folder: &str, scenes: &[Scene], session: Session<'_>) -> Result<(), Diagnostic> {
    session.create_folder(folder, "--draw takes a folder")?;
    for scene in scenes {
        let svg = write_svg(scene, &SvgOptions::default());
        let allowed = |character: char| character.is_alphanumeric() || character == '_';
        let name: String =
            scene.title.chars().map(|letter| if allowed(letter) { letter } else { '-' }).collect();
        let file = std::path::Path::new(folder).join(format!("{name}.svg"));
        session.write(&file.display().to_string(), svg.as_bytes(), "`-` writes to standard output")?;
    }
    Ok(())
}
