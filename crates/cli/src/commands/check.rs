//! `tempora check`: answers the queries of a model.
//!
//! Invariant: the exit status is 2 for an error in the model or a query, else 1 if a query is violated, else 3 if a
//! verdict is unknown, else 0.

use std::io;

use tempora_report::{LocatedAnswer, formats};
use tempora_workbench::jobs::Conclusion;

use super::OutputFormat;
use super::check_arguments::TraceChoice;
use super::job_runner::{JobResult, run_job_with_answers, save_outputs};
use super::model::{refuse, report_fault};
use crate::Status;
use crate::console::Console;

pub(crate) use super::check_arguments::Arguments;

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let mut print = |answers: &[LocatedAnswer], console: &mut Console| {
        arguments.print(answers, console)?;
        // A query without an answer may be missing.
        Ok(match Conclusion::of(answers) {
            Conclusion::Violated => Status::Violated,
            Conclusion::Erroneous => Status::Error,
            Conclusion::Satisfied | Conclusion::Unknown => Status::Unknown,
        })
    };
    let job = arguments.request();
    let JobResult { outcome, unwritten, files, .. } =
        run_job_with_answers(job, &arguments.limits, console, &mut print);
    let checked = match outcome {
        Ok(checked) => checked,
        Err(refused) => return refuse(arguments.model.path(), &refused, arguments.output, console),
    };
    arguments.print(&checked.answers, console)?;
    if let (true, Some((checks, seconds))) = (arguments.stats, checked.solver) {
        console.note(&format!("solver: {checks} checks, {seconds:.3} s"));
    }
    if let Some(fault) = save_outputs(&checked.outputs, &files, console)?.or(unwritten) {
        return report_fault(&fault, console);
    }
    console.note(&checked.graphs.unwrap_or_default());
    Ok(match checked.conclusion {
        Conclusion::Satisfied => Status::Success,
        Conclusion::Violated => Status::Violated,
        Conclusion::Unknown => Status::Unknown,
        Conclusion::Erroneous => Status::Error,
    })
}

impl Arguments {
    fn print(&self, answers: &[LocatedAnswer], console: &mut Console) -> io::Result<()> {
        if self.output == OutputFormat::Json {
            return console.print(&formats::json::answers(self.model.path(), answers));
        }
        for (number, answer) in answers.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            let with_trace = self.trace != TraceChoice::None;
            let text = formats::text::answer(answer, with_trace, self.stats, console);
            console.print(&format!("{separator}{text}"))?;
        }
        Ok(())
    }
}
