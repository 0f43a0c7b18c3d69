//! Answers queries about a lowered model by plans.
//!
//! Invariant: the outcome has one answer per query, in the order of the queries, and each was sent as an event before.
//! Runs are runs of the original model, with places in its text.

use tempora_evidence::SystemKind;
use tempora_frontends::LoweredModel;
use tempora_interrupt::uninterrupted;
use tempora_report::locate_with_run;
use tempora_source::Diagnostic;

use super::check::{CheckOutcome, CheckRequest, Conclusion};
use super::check_files::{refused_formats, run_files, solver_recording};
use super::observed_graphs::ObservedGraphs;
use super::outputs::Output;
use super::{Event, JobContext, Refused};
use crate::codes::{MISPLACED_OPTION, NO_QUERY};
use crate::engines::EngineChoice;
use crate::loading::Loaded;
use crate::plans::{check_plan, shown_lifted_run};

impl CheckRequest {
    /// Answers the queries about a lowered model.
    pub(super) fn check_plans(
        &self,
        loaded: &Loaded,
        model: &dyn LoweredModel,
        (engine, kind): (EngineChoice, SystemKind),
        context: &JobContext<'_>,
    ) -> Result<CheckOutcome, Refused> {
        let asked = context.accepted(loaded.read_plans(&self.queries))?;
        let (plans, source) = (&asked.value, asked.source());
        let refused = |diagnostic| Refused::about(&asked.files, [diagnostic]);
        if plans.is_empty() {
            let diagnostic = Diagnostic::error(&NO_QUERY, "no query to answer");
            return Err(refused(diagnostic.with_hint("add one with --query")));
        }
        if let Some(diagnostic) = refused_formats(&self.run_formats, kind) {
            return Err(refused(diagnostic));
        }
        if self.components.is_some() {
            let message = "--save-components needs a network, but this model is lowered to another system";
            return Err(refused(Diagnostic::error(&MISPLACED_OPTION, message).with_hint("remove it")));
        }
        let mut options = self.check_options(engine, kind).map_err(refused)?;
        self.refuse_inputs_as_outputs(context.session, &options.settings, plans.len()).map_err(refused)?;
        let graphs = ObservedGraphs::new(&mut options.settings, context);
        let mut answers = Vec::with_capacity(plans.len());
        for (number, plan) in plans.iter().enumerate() {
            let located = uninterrupted(|| {
                let found = check_plan(plan, Some(model), &options, &context.budget, context.progress);
                let run = found.runs.first().map(|run| shown_lifted_run(source, run));
                locate_with_run(source, &plan.text, &found.answer, run)
            });
            context.send(Event::Answered(number, Box::new(located.clone())));
            answers.push(located);
        }
        let mut outputs = Vec::new();
        if self.certificates.is_some() {
            outputs.push(Output::nothing("no certificates to write: no answer is certified"));
        }
        run_files(self, kind, &answers, &mut outputs);
        solver_recording(&options.settings, &mut outputs);
        let meter = &options.settings.solver.meter;
        Ok(CheckOutcome {
            conclusion: Conclusion::of(&answers),
            outputs,
            graphs: graphs.map(|graphs| graphs.note()),
            solver: (kind == SystemKind::Symbolic).then(|| (meter.checks(), meter.waited().as_secs_f64())),
            answers,
        })
    }
}
