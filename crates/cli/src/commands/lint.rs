//! `tempora lint`: what is probably not meant in a model.
//!
//! Invariant: the exit status is 2 for an error in the model or the settings, else 1 if something was found that is at least
//! as bad as the chosen severity, else 0.

use std::io;

use tempora_draw::{DrawOptions, Scene, SvgOptions, draw_diagram_with, write_svg};
use tempora_report::formats::{findings_html, findings_json, findings_text, sarif};
use tempora_report::{FindingSource, LocatedFindings, Source, locate_findings};
use tempora_source::{Diagnostic, Severity};
use tempora_workbench::codes::UNWRITABLE_FILE;
use tempora_workbench::{
    CHECK_CODES, CHECKS, CheckSelection, LintOptions, Linted, Loaded, SearchOrder, UnknownCheck,
};

use super::OutputFormat;
use super::answering::{Limits, answered};
use super::check::SearchChoice;
use super::lint_settings::settings_beside;
use super::model::{ModelArguments, load_model, no_network, refuse, write_file};
use crate::Status;
use crate::codes::UNKNOWN_CHECK;
use crate::console::Console;

/// Find what is probably not meant in a model
///
/// Settings beside the model, in tempora.toml, count where the command line says nothing.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// Only these checks, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,

    /// Without these checks, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    skip: Vec<String>,

    /// How bad a finding is for which the exit status is 1
    #[arg(long, value_name = "SEVERITY", value_enum)]
    fail_on: Option<SeverityChoice>,

    /// In which order states are explored; bfs gives the shortest runs
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = SearchChoice::Auto)]
    search: SearchChoice,

    /// Makes another random order
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// End the exploration with the first deadlock, violation of an invariant or error
    #[arg(long)]
    first: bool,

    #[command(flatten)]
    limits: Limits,

    /// How to write the findings
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = FindingFormat::Text)]
    output: FindingFormat,

    /// Show the runs that belong to findings
    #[arg(long)]
    runs: bool,

    /// Draw the templates with what was found in them, as SVG, into this folder
    #[arg(long, value_name = "DIR")]
    draw: Option<String>,
}

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FindingFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For code hosts and editors: SARIF 2.1.
    Sarif,
    /// One page with findings, runs and diagrams, which works offline.
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SeverityChoice {
    /// Only for errors.
    Error,
    /// For warnings too.
    Warning,
    /// For all findings.
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

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let path = arguments.model.path();
    // Errors are told in JSON where something else than text is asked for.
    let errors =
        if arguments.output == FindingFormat::Text { OutputFormat::Text } else { OutputFormat::Json };
    let nothing = tempora_source::Files::new();
    let (options, fail_on) = match options(arguments) {
        Ok(options) => options,
        Err(diagnostic) => return refuse(path, &nothing, &[diagnostic], errors, console),
    };
    let loaded = match load_model(&arguments.model) {
        Ok(loaded) => loaded,
        Err(diagnostic) => return refuse(path, &nothing, &[diagnostic], errors, console),
    };
    if loaded.symbolic().is_some() {
        return refuse(path, &loaded.files, &[no_network()], errors, console);
    }
    if loaded.network().is_none() {
        return refuse(path, &loaded.files, loaded.diagnostics.as_slice(), errors, console);
    }
    let source = Source { files: &loaded.files, origins: &loaded.origins };
    let shows_runs = arguments.runs || arguments.output != FindingFormat::Text;
    let found = answered(&arguments.limits, |budget, progress| {
        let (linted, network) = (loaded.lint(&options, budget, progress)?, loaded.network()?);
        let runs = shows_runs.then_some(linted.runs.as_slice());
        let about = FindingSource { source, network, survey: linted.survey.as_ref(), runs };
        let located = locate_findings(about, &linted.report);
        Some((linted, located))
    });
    let Some((linted, located)) = found else { return Ok(Status::Error) };
    print(arguments, &loaded, &linted, &located, console)?;
    if let Some(folder) = &arguments.draw
        && let Some(diagnostic) = draw(folder, &loaded, &linted, console)?
    {
        return refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console);
    }
    let is_bad = linted.report.findings.iter().any(|finding| finding.diagnostic.severity <= fail_on);
    Ok(if is_bad { Status::Violated } else { Status::Success })
}

fn options(arguments: &Arguments) -> Result<(LintOptions, Severity), Diagnostic> {
    let settings = settings_beside(arguments.model.path())?;
    let unknown = |UnknownCheck { name }: UnknownCheck| {
        let names = CHECKS.iter().map(|check| check.name());
        let hint = match tempora_source::nearest_names(&name, names).first() {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "`tempora explain` lists all names".to_owned(),
        };
        Diagnostic::error(&UNKNOWN_CHECK, format!("there is no check `{name}`")).with_hint(hint)
    };
    let only = if arguments.only.is_empty() { &settings.only } else { &arguments.only };
    let skip = if arguments.skip.is_empty() { &settings.skip } else { &arguments.skip };
    let mut selection = CheckSelection::new(only, skip).map_err(unknown)?;
    for (name, severity) in &settings.severity {
        selection.set_severity(name, *severity).map_err(unknown)?;
    }
    let fail_on = arguments.fail_on.map(Severity::from).or(settings.fail_on).unwrap_or(Severity::Warning);
    let order = match arguments.search {
        SearchChoice::Auto | SearchChoice::Err => SearchOrder::Adaptive,
        SearchChoice::Bfs => SearchOrder::BreadthFirst,
        SearchChoice::Dfs => SearchOrder::DepthFirst,
        SearchChoice::Random => SearchOrder::Random(arguments.seed),
    };
    let is_shortest = arguments.search == SearchChoice::Bfs;
    Ok((
        LintOptions { selection, ends: settings.ends, order, is_shortest, ends_with_first: arguments.first },
        fail_on,
    ))
}

fn print(
    arguments: &Arguments,
    loaded: &Loaded,
    linted: &Linted,
    located: &LocatedFindings,
    console: &mut Console,
) -> io::Result<()> {
    let path = arguments.model.path();
    let text = match arguments.output {
        FindingFormat::Text => {
            findings_text::findings(&loaded.files, located, arguments.runs, console.output_colour(), console)
        }
        FindingFormat::Json => findings_json::findings(path, located),
        FindingFormat::Html => findings_html::page(path, located, &scenes(loaded, linted)),
        FindingFormat::Sarif => sarif::findings(path, located, CHECK_CODES, env!("CARGO_PKG_VERSION")),
    };
    console.print(&text)
}

/// The templates with what was found in them.
fn scenes(loaded: &Loaded, linted: &Linted) -> Vec<Scene> {
    let diagrams = loaded.diagrams_of_findings(&linted.report).into_iter();
    diagrams
        .map(|(diagram, marks)| draw_diagram_with(&diagram, &DrawOptions::default()).with_overlays(&marks))
        .collect()
}

/// Draws the templates; returns why that is not possible.
fn draw(
    folder: &str,
    loaded: &Loaded,
    linted: &Linted,
    console: &mut Console,
) -> io::Result<Option<Diagnostic>> {
    if let Err(error) = std::fs::create_dir_all(folder) {
        let message = format!("`{folder}` cannot be made: {error}");
        return Ok(Some(Diagnostic::error(&UNWRITABLE_FILE, message).with_hint("--draw names a folder")));
    }
    for scene in scenes(loaded, linted) {
        let svg = write_svg(&scene, &SvgOptions::default());
        let name: String = scene
            .title
            .chars()
            .map(|character| if character.is_alphanumeric() || character == '_' { character } else { '-' })
            .collect();
        let file = std::path::Path::new(folder).join(format!("{name}.svg"));
        if let Some(diagnostic) = write_file(&file.display().to_string(), svg.as_bytes(), console)? {
            return Ok(Some(diagnostic));
        }
    }
    Ok(None)
}
