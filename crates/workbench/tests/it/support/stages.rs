//! The stages of cases: each turns a model and an input into the text of an `expect` block.
//!
//! Invariant: a stage returns a text, or an error if it cannot be run. A wrong result, such as a trace that cannot be
//! replayed, is an error, so no expectation can contain it.

use std::fmt::Write as _;
use std::time::Duration;

use tempora_certify::{Assurance, CheckedAnswer};
use tempora_evidence::{
    Budget, Evidence, Progress, RuntimeErrorKind, Support, SystemKind, Task, UnknownReason, Verdict,
};
use tempora_model::{Formula, Query, QueryKind, print_network};
use tempora_report::formats::text::{self, Plain};
use tempora_report::formats::{RUN_FORMATS, RunToWrite};
use tempora_report::{FindingSource, LocatedAnswer, Source, locate, locate_findings};
use tempora_source::{Colour, Diagnostics, Files, render_text};
use tempora_syntax::{Dump, parse_network};
use tempora_workbench::{
    CheckOptions, CheckSelection, EngineChoice, EngineSettings, LintOptions, LoadOptions, Loaded, Resolved,
    SearchOrder, check, check_proof, engines_for, load, load_project,
};

use super::certified::certify_answers;
use super::document::Model;
use super::read_back;

/// Limit on states; more than any case needs.
const MOST_STATES: u64 = 200_000;

/// Limit on the time of an engine that uses a solver.
const PATIENCE: Duration = Duration::from_millis(300);

/// Returns the output of a stage, without trailing white space.
pub(crate) fn run(stage: &str, model: &Model, input: &str) -> Result<String, String> {
    let text = match stage {
        "parse" => parse(model),
        "lower" => lower(model),
        "validate" => validate(model, input),
        "check" => check_compactly(model, input),
        "render" => render(model, input),
        "prove" => prove(model, input),
        "agree" => agree(model, input),
        "convert" => convert(model, input),
        "lint" => lint(model, input),
        "traces" => traces(model, input),
        _ => Err(format!(
            "unknown stage `{stage}`; the stages are parse, lower, validate, check, lint, render, prove, agree, convert and \
             traces"
        )),
    };
    text.map(|text| text.trim_end().to_owned())
}

/// Loads the model; a block `component` is the only component of a project.
fn read(model: &Model) -> Loaded {
    match model.name.as_str() {
        "model.component" => {
            let parts = [("Components/Component.json".to_owned(), model.text.clone().into_bytes())];
            load_project("project", &parts, LoadOptions::default())
        }
        name => load(name, model.text.as_bytes()),
    }
}

/// Returns the syntax tree, or the errors.
fn parse(model: &Model) -> Result<String, String> {
    if model.name != "model.net" {
        return Err("only models fenced as `net` have trees that are shown".to_owned());
    }
    let mut files = Files::new();
    let file = files.add("model.net", &*model.text).map_err(|diagnostic| diagnostic.message)?;
    let parsed = parse_network(&files, file);
    if parsed.diagnostics.is_empty() {
        return Ok(parsed.tree.dump());
    }
    Ok(rendered(&files, parsed.diagnostics))
}

/// Returns the printed network, which must be parsed as the same network.
fn lower(model: &Model) -> Result<String, String> {
    let printed = print_network(without_errors(model)?.network().ok_or("the model has errors")?);
    let again = Model { name: "model.net".to_owned(), text: printed.clone() };
    let again = without_errors(&again).map_err(|why| format!("{printed}\nis not read back:\n{why}"))?;
    let second = print_network(again.network().ok_or("the printed model has errors")?);
    if second == printed {
        Ok(printed)
    } else {
        Err(format!("printed, read and printed again it is\n{second}\nand not\n{printed}"))
    }
}

/// Returns the diagnostics of the model and of each line of the input as a query.
fn validate(model: &Model, input: &str) -> Result<String, String> {
    let mut loaded = read(model);
    let mut diagnostics = std::mem::take(&mut loaded.diagnostics);
    if loaded.network().is_some() {
        let asked = loaded.read_queries(&lines_of(input));
        diagnostics.extend(asked.diagnostics);
        loaded.files = asked.files;
    } else if !input.is_empty() {
        return Err(format!("the queries are not looked at:\n{}", rendered(&loaded.files, diagnostics)));
    }
    let text = rendered(&loaded.files, diagnostics);
    Ok(if text.is_empty() { "nothing to complain about".to_owned() } else { text })
}

/// Returns the verdict, number of steps and run of each query.
fn check_compactly(model: &Model, input: &str) -> Result<String, String> {
    let loaded = read(model);
    if loaded.symbolic().is_some() {
        return check_system_compactly(&loaded, input);
    }
    let (asked, task) = task_of(model, input)?;
    let budget = Budget::unlimited().with_max_states(MOST_STATES);
    let answers = check(&task, &CheckOptions::default(), &budget, &Progress::new());
    certify_answers(&task, &answers)?;
    let mut output = String::new();
    for (query, answer) in task.queries.iter().zip(&answers) {
        sound(query, answer)?;
        let located = located(&asked, &task, query, answer);
        let steps = match located.run.as_ref().map(|run| run.steps.len()) {
            None => String::new(),
            Some(1) => ", 1 step".to_owned(),
            Some(count) => format!(", {count} steps"),
        };
        let report = text::answer(&located, true, false, &Plain);
        let run: Vec<&str> = report.lines().skip_while(|line| !is_run_title(line)).skip(1).collect();
        writeln!(output, "{}{steps}: {}", verdict(answer, &located), query.text).unwrap();
        for line in run {
            writeln!(output, "{line}").unwrap();
        }
    }
    Ok(output.trim_end().to_owned())
}

/// Returns whether a line of an answer introduces its run.
fn is_run_title(line: &str) -> bool {
    line.ends_with(", replayed:") || line == "  run:"
}

/// Returns the verdict and run of each property of a symbolic system.
fn check_system_compactly(loaded: &Loaded, input: &str) -> Result<String, String> {
    let asked = loaded.read_task(&lines_of(input));
    let Some(task) = asked.value else {
        return Err(format!("the properties have errors\n{}", rendered(&asked.files, asked.diagnostics)));
    };
    let budget = Budget::unlimited().with_max_states(MOST_STATES).with_timeout(Duration::from_secs(60));
    let answers = check(&task, &CheckOptions::default(), &budget, &Progress::new());
    certify_answers(&task, &answers)?;
    let source = Source { files: &asked.files, origins: &asked.origins };
    let mut output = String::new();
    for (property, answer) in task.queries.iter().zip(&answers) {
        if answer.answer().verdict == Verdict::Fails && answer.assurance() != Assurance::Replayed {
            return Err(format!("{} is violated without a replayed run", property.text));
        }
        let located = locate(source, &task, property, answer);
        let report = text::answer(&located, true, false, &Plain);
        let run: Vec<&str> = report.lines().skip_while(|line| !is_run_title(line)).skip(1).collect();
        writeln!(output, "{}: {}", verdict(answer, &located), property.text).unwrap();
        for line in run {
            writeln!(output, "{line}").unwrap();
        }
    }
    Ok(output.trim_end().to_owned())
}

/// Returns the findings of the default checks, or of those that the input names, one per line; with runs on request.
fn lint(model: &Model, input: &str) -> Result<String, String> {
    let loaded = without_errors(model)?;
    let mut only: Vec<String> = Vec::new();
    let (mut with_runs, mut ends) = (false, std::collections::BTreeSet::new());
    let mut budget = Budget::unlimited().with_max_states(MOST_STATES);
    for line in input.lines() {
        if let Some(end) = line.strip_prefix("end ") {
            ends.insert(end.to_owned());
        } else if let Some(states) = line.strip_prefix("states ") {
            budget = Budget::unlimited().with_max_states(states.parse().map_err(|_| "no number of states")?);
        } else if line == "runs" {
            with_runs = true;
        } else {
            only.push(line.to_owned());
        }
    }
    let selection =
        CheckSelection::new(&only, &[]).map_err(|unknown| format!("unknown check {}", unknown.name))?;
    let options = LintOptions {
        selection,
        ends,
        order: SearchOrder::BreadthFirst,
        is_shortest: true,
        ends_with_first: false,
    };
    let linted = loaded.lint(&options, &budget, &Progress::new()).ok_or("the model has errors")?;
    if let Some(defect) = linted.report.skipped.iter().find(|skipped| skipped.reason.contains("a defect")) {
        return Err(defect.reason.clone());
    }
    let network = loaded.network().ok_or("the model has errors")?;
    let source = Source { files: &loaded.files, origins: &loaded.origins };
    let about = FindingSource { source, network, survey: linted.survey.as_ref(), runs: Some(&linted.runs) };
    let located = locate_findings(about, &linted.report);
    let mut output = String::new();
    for finding in &located.findings {
        let record = &finding.record;
        let line = record.line.map_or(String::new(), |line| format!("{line}: "));
        writeln!(output, "{line}{}[{}]: {}", record.severity, record.code, record.message).unwrap();
        for note in &record.notes {
            writeln!(output, "  {note}").unwrap();
        }
        if let Some(run) = finding.run.as_ref().filter(|_| with_runs) {
            output.push_str(&text::steps(run));
        }
    }
    for skipped in &located.skipped {
        writeln!(output, "{}: not checked: {}", skipped.check, skipped.reason).unwrap();
    }
    Ok(if output.is_empty() { "nothing found".to_owned() } else { output })
}

/// Returns the complete text for users.
fn render(model: &Model, input: &str) -> Result<String, String> {
    let (asked, task) = task_of(model, input)?;
    let budget = Budget::unlimited().with_max_states(MOST_STATES);
    let answers = check(&task, &CheckOptions::default(), &budget, &Progress::new());
    certify_answers(&task, &answers)?;
    let mut texts = Vec::new();
    for (query, answer) in task.queries.iter().zip(&answers) {
        sound(query, answer)?;
        texts.push(text::answer(&located(&asked, &task, query, answer), true, false, &Plain));
    }
    Ok(texts.join("\n").trim_end().to_owned())
}

/// Returns the complete text for a proof, or its errors.
fn prove(model: &Model, input: &str) -> Result<String, String> {
    let loaded = without_errors(model)?;
    let mut asked = loaded.read_proof("proof", input.as_bytes());
    let mut texts = vec![rendered(&asked.files, std::mem::take(&mut asked.diagnostics))];
    texts.retain(|text| !text.is_empty());
    let Some(proof) = &asked.value else { return Ok(texts.join("\n")) };
    let task = loaded.task(proof.queries().to_vec()).ok_or("the model has errors")?;
    let budget = Budget::unlimited().with_max_states(MOST_STATES);
    let answers = check_proof(&task, proof, &CheckOptions::default(), false, &budget, &Progress::new());
    for (query, answer) in task.queries.iter().zip(&answers) {
        sound(query, answer)?;
        texts.push(text::answer(&located(&asked, &task, query, answer), true, false, &Plain));
    }
    Ok(texts.join("\n").trim_end().to_owned())
}

/// Returns the verdict of each query, on which all engines that support it must agree.
fn agree(model: &Model, input: &str) -> Result<String, String> {
    let (asked, task) = task_of(model, input)?;
    let mut output = String::new();
    for query in &task.queries {
        let one = Task::about_network(task.system.network().unwrap().clone(), vec![query.clone()]);
        let mut verdicts: Vec<(&str, String)> = Vec::new();
        let mut reasons = Vec::new();
        for engine in engines_for(SystemKind::Network) {
            // Solvers are slow, so they take part only on request.
            if engine.needs_solver && std::env::var_os("AGREE_WITH_SOLVERS").is_none() {
                continue;
            }
            let built = (engine.build)(&EngineSettings::default());
            match built.prepare(&one).support().first().cloned() {
                Some(Support::Declines(why)) => reasons.push(why),
                None => return Err(format!("{} does not say whether it answers", engine.name)),
                Some(support) => {
                    let options = CheckOptions::with_engine(EngineChoice::Chosen(engine));
                    let budget = Budget::unlimited().with_max_states(MOST_STATES);
                    // Some engines may not terminate, and only their verdicts count.
                    let budget = if engine.needs_solver { budget.with_timeout(PATIENCE) } else { budget };
                    let answers = check(&one, &options, &budget, &Progress::new());
                    certify_answers(&one, &answers)?;
                    let answer = answers.first().ok_or("an engine gave no answer")?;
                    sound(query, answer)?;
                    let is_open = matches!(answer.answer().verdict, Verdict::Unknown(_));
                    // An engine that only may decide the query need not have a verdict.
                    if is_open && matches!(support, Support::MayDecide(_)) {
                        continue;
                    }
                    let located = located(&asked, &one, query, answer);
                    verdicts.push((engine.name, verdict(answer, &located)));
                }
            }
        }
        let text = match verdicts.split_first() {
            None => format!("unknown: {}", reasons.join("; ")),
            Some((first, others)) => match others.iter().find(|other| other.1 != first.1) {
                None => first.1.clone(),
                Some(other) => {
                    return Err(format!(
                        "{}: {} says {}, but {} says {}",
                        query.text, first.0, first.1, other.0, other.1
                    ));
                }
            },
        };
        writeln!(output, "{text}: {}", query.text).unwrap();
    }
    Ok(output.trim_end().to_owned())
}

/// Returns the model in the language that the input names, or all constructs that the language cannot express.
fn convert(model: &Model, input: &str) -> Result<String, String> {
    let writer = tempora_frontends::writer_named(input.trim())
        .ok_or_else(|| format!("models cannot be written as `{}`", input.trim()))?;
    let loaded = without_errors(model)?;
    match writer.write(&loaded.writable().unwrap()) {
        Err(problems) => Ok(rendered(&loaded.files, problems)),
        Ok(conversion) => {
            let text = conversion.text();
            let again = read_back(writer, &conversion);
            if again.diagnostics.has_errors() {
                let why = rendered(&again.files, again.diagnostics);
                return Err(format!("{text}\nis not read back:\n{why}"));
            }
            if conversion.warnings.is_empty() {
                return Ok(text);
            }
            Ok(format!("{}\n\n{text}", rendered(&loaded.files, conversion.warnings)))
        }
    }
}

/// Returns the runs of all answers, in the format on the first line of the input; the other lines are queries.
fn traces(model: &Model, input: &str) -> Result<String, String> {
    let (name, queries) = input.split_once('\n').unwrap_or((input, ""));
    let format = RUN_FORMATS.iter().find(|format| format.name == name.trim());
    let format = format.ok_or_else(|| format!("unknown format `{name}` of runs"))?;
    let loaded = read(model);
    if loaded.diagnostics.has_errors() {
        return Err(format!("the model has errors\n{}", rendered(&loaded.files, loaded.diagnostics)));
    }
    let queries: Vec<String> = queries.lines().map(str::to_owned).collect();
    let mut asked = loaded.read_task(&queries);
    let task = asked.value.take().filter(|_| !asked.diagnostics.has_errors());
    let task = task.ok_or("the queries have errors")?;
    if !format.takes(task.system.kind()) {
        return Err(format!("the format `{name}` does not hold runs of this model"));
    }
    let budget = Budget::unlimited().with_max_states(MOST_STATES);
    let answers = check(&task, &CheckOptions::default(), &budget, &Progress::new());
    certify_answers(&task, &answers)?;
    let mut texts = Vec::new();
    for (query, answer) in task.queries.iter().zip(&answers) {
        let located = located(&asked, &task, query, answer);
        let run = located.run.as_ref().ok_or_else(|| format!("{} has no run", query.text))?;
        let written = RunToWrite { model: &model.name, answer: &located, run };
        texts.push((format.write)(&written).unwrap_or_else(|why| format!("not written: {why}\n")));
    }
    Ok(texts.join("\n").trim_end().to_owned())
}

/// Rejects wrong results: a defect found by the reference interpreter, or a missing run for a verdict that a run can
/// confirm.
fn sound(query: &Query, answer: &CheckedAnswer) -> Result<(), String> {
    let verdict = &answer.answer().verdict;
    if let Verdict::Unknown(UnknownReason::EngineBug(why)) = verdict {
        return Err(format!("{}: a defect of the engine: {why}", query.text));
    }
    let is_shown_by_run = matches!(
        (&query.kind, verdict),
        (
            QueryKind::Formula(
                Formula::Possibly(_) | Formula::PotentiallyAlways(_) | Formula::InfinitelyOften(_)
            ),
            Verdict::Holds
        ) | (
            QueryKind::Formula(
                Formula::Always(_) | Formula::Eventually(_) | Formula::LeadsTo { within: None, .. }
            ),
            Verdict::Fails
        )
    );
    // The interpreter has its own limits, which an endless evaluation exceeds.
    let is_endless = matches!(verdict, Verdict::Unknown(UnknownReason::ModelError(error))
        if error.kind == RuntimeErrorKind::StepLimit);
    // A run to an extreme value, past a deadline, or to a state without continuations does not by itself prove the
    // verdict.
    let is_only_illustrated = matches!(verdict, Verdict::Value(_))
        || matches!(
            &query.kind,
            QueryKind::Formula(Formula::AlwaysPossibly { .. } | Formula::LeadsTo { within: Some(_), .. })
        );
    let has_specification_run = answer
        .answer()
        .evidence
        .iter()
        .any(|evidence| matches!(evidence, Evidence::RefusedRun(_) | Evidence::SpecificationRun(_)));
    let has_trace = answer.answer().trace().is_some() && !is_endless && !is_only_illustrated;
    let has_run = has_trace || has_specification_run;
    if (is_shown_by_run || has_run) && answer.assurance() != Assurance::Replayed {
        return Err(format!("{}: no run that was replayed shows {verdict:?}", query.text));
    }
    Ok(())
}

fn verdict(answer: &CheckedAnswer, located: &LocatedAnswer) -> String {
    match &answer.answer().verdict {
        Verdict::Holds => "holds".to_owned(),
        Verdict::Fails => "fails".to_owned(),
        Verdict::Value(_) | Verdict::Estimated(_) => {
            located.value.as_ref().map_or(String::new(), |value| value.join(", "))
        }
        Verdict::Unknown(_) => format!("unknown: {}", located.reason.clone().unwrap_or_default()),
    }
}

fn located<T>(asked: &Resolved<T>, task: &Task, query: &Query, answer: &CheckedAnswer) -> LocatedAnswer {
    let source = Source { files: &asked.files, origins: &asked.origins };
    locate(source, task, query, answer)
}

/// Returns the queries of the input, or else those of the model.
fn task_of(model: &Model, input: &str) -> Result<(Resolved<Task>, Task), String> {
    let mut asked = without_errors(model)?.read_task(&lines_of(input));
    match asked.value.take() {
        Some(task) if task.queries.is_empty() => Err("no query".to_owned()),
        Some(task) => Ok((asked, task)),
        None => Err(rendered(&asked.files, asked.diagnostics)),
    }
}

fn lines_of(input: &str) -> Vec<String> {
    input.lines().map(str::to_owned).collect()
}

fn without_errors(model: &Model) -> Result<Loaded, String> {
    let mut loaded = read(model);
    if loaded.diagnostics.has_errors() || loaded.network().is_none() {
        let diagnostics = std::mem::take(&mut loaded.diagnostics);
        return Err(format!("the model has errors\n{}", rendered(&loaded.files, diagnostics)));
    }
    Ok(loaded)
}

fn rendered(files: &Files, diagnostics: Diagnostics) -> String {
    render_text(files, &diagnostics.into_sorted(files), Colour::Never).trim_end().to_owned()
}
