//! The job that answers queries.
//!
//! Invariant: the outcome has one answer per query, in the order of the queries, and each was sent as an event before.

use tempora_certify::CheckedAnswer;
use tempora_evidence::{System, SystemKind, Task};
use tempora_interrupt::uninterrupted;
use tempora_report::formats::RunFormat;
use tempora_report::{LocatedAnswer, VerdictWord, locate};

use super::check_files::{RequestedFiles, solver_recording};
use super::job_thread::Accepted;
use super::observed_graphs::ObservedGraphs;
use super::outputs::Output;
use super::{Event, Job, JobContext, ModelRequest, Refused, SearchChoice};
use crate::check::{CheckOptions, check_each};
use crate::loading::Loaded;
use crate::proof::{Proof, check_proof};
use crate::{InputCompletion, RunPreference, ZenoRuns, with_certificates};

/// A request to answer queries.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    /// The model.
    pub model: ModelRequest,
    /// Queries that replace the model's own.
    pub queries: Vec<String>,
    /// A file with a compositional proof, instead of queries.
    pub proof: Option<String>,
    /// The name of an engine, or `auto`.
    pub engine: String,
    /// Options of engines, with their values.
    pub options: Vec<(String, String)>,
    /// The order in which states are explored.
    pub search: SearchChoice,
    /// The seed of random choices.
    pub seed: u64,
    /// The preferred runs of evidence.
    pub preference: RunPreference,
    /// Whether Zeno runs count.
    pub zeno: ZenoRuns,
    /// The maximal number of counterexamples of a refinement.
    pub most_runs: usize,
    /// The treatment of inputs for which a specification has no edge.
    pub completion: InputCompletion,
    /// The path prefix of files with runs.
    pub run_prefix: Option<String>,
    /// The formats of these files.
    pub run_formats: Vec<&'static RunFormat>,
    /// The path for certificates; answers are certified if it is given.
    pub certificates: Option<String>,
    /// The file or folder for components of queries with `save-as`.
    pub components: Option<String>,
}

/// The answers to all queries.
#[derive(Clone, Debug)]
pub struct CheckOutcome {
    /// The answers, in the order of the queries.
    pub answers: Vec<LocatedAnswer>,
    /// The combined verdict.
    pub conclusion: Conclusion,
    /// The requested files.
    pub outputs: Vec<Output>,
    /// A line about the abstract graphs sent as events, if they were requested.
    pub graphs: Option<String>,
    /// The number of solver checks and their seconds, for a symbolic system.
    pub solver: Option<(u64, f64)>,
}

/// The combined verdict of several queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// All queries are satisfied or have a value.
    Satisfied,
    /// A query is violated.
    Violated,
    /// A query is unknown, and none is violated.
    Unknown,
    /// A query has an error, which was sent as an event; the other queries are answered.
    Erroneous,
}

impl Conclusion {
    /// Returns the combined verdict of these answers.
    pub fn of(answers: &[LocatedAnswer]) -> Conclusion {
        let mut verdicts = answers.iter().map(|answer| answer.verdict);
        if verdicts.clone().any(|verdict| verdict == VerdictWord::Violated) {
            Conclusion::Violated
        } else if verdicts.any(|verdict| verdict == VerdictWord::Unknown) {
            Conclusion::Unknown
        } else {
            Conclusion::Satisfied
        }
    }
}

impl Default for CheckRequest {
    fn default() -> CheckRequest {
        CheckRequest {
            model: ModelRequest::default(),
            queries: Vec::new(),
            proof: None,
            engine: "auto".to_owned(),
            options: Vec::new(),
            search: SearchChoice::Auto,
            seed: 0,
            preference: RunPreference::Any,
            zeno: ZenoRuns::Count,
            most_runs: 1,
            completion: InputCompletion::Ignore,
            run_prefix: None,
            run_formats: Vec::new(),
            certificates: None,
            components: None,
        }
    }
}

impl Job for CheckRequest {
    type Outcome = CheckOutcome;

    fn run(self, context: &JobContext<'_>) -> Result<CheckOutcome, Refused> {
        let engine = self.engine_choice()?;
        let loaded = context.open_system(&self.model)?;
        let kind = loaded.system.as_ref().map_or(SystemKind::Network, System::kind);
        if let Some(diagnostic) = self.refused_for_model(&loaded, engine, kind) {
            return Err(Refused::about(&loaded.files, [diagnostic]));
        }
        if let Some(model) = &loaded.lowered {
            return self.check_plans(&loaded, &**model, (engine, kind), context);
        }
        let AskedTask { asked, proof, has_errors } = self.read_task(&loaded, context)?;
        let task = &asked.value;
        let options = match self.refused_for_task(task) {
            Some(diagnostic) => Err(diagnostic),
            None => self.check_options(engine, kind),
        };
        let options = options.map_err(|diagnostic| Refused::about(&asked.files, [diagnostic]))?;
        self.refuse_inputs_as_outputs(context.session, &options.settings, task.queries.len())
            .map_err(|diagnostic| Refused::about(&asked.files, [diagnostic]))?;
        // From here on, every query gets an answer: engines are interrupted one by one.
        let outcome =
            uninterrupted(|| self.answers(&loaded, &asked, proof.as_ref(), (options, kind), context))?;
        let conclusion = if has_errors { Conclusion::Erroneous } else { outcome.conclusion };
        Ok(CheckOutcome { conclusion, ..outcome })
    }
}

/// The task of a request.
struct AskedTask {
    asked: Accepted<Task>,
    proof: Option<Proof>,
    /// Whether some of its queries cannot be asked.
    has_errors: bool,
}

impl CheckRequest {
    /// Answers the queries of a task, and makes the requested files.
    fn answers(
        &self,
        loaded: &Loaded,
        asked: &Accepted<Task>,
        proof: Option<&Proof>,
        (mut options, kind): (CheckOptions, SystemKind),
        context: &JobContext<'_>,
    ) -> Result<CheckOutcome, Refused> {
        let (task, source) = (&asked.value, asked.source());
        let graphs = ObservedGraphs::new(&mut options.settings, context);
        let (budget, progress) = (&context.budget, context.progress);
        let wants_certificates = self.certificates.is_some();
        let mut located: Vec<Option<LocatedAnswer>> = vec![None; task.queries.len()];
        let mut found = |number: usize, answer: &CheckedAnswer| {
            let answer = locate(source, task, &task.queries[number], answer);
            context.send(Event::Answered(number, Box::new(answer.clone())));
            located[number] = Some(answer);
        };
        let answers = match proof {
            Some(proof) => {
                let answers = check_proof(task, proof, &options, wants_certificates, budget, progress);
                answers.iter().enumerate().for_each(|(number, answer)| found(number, answer));
                answers
            }
            None if wants_certificates => {
                let answers = check_each(task, &options, budget, progress, &mut |_, _| {});
                let answers = with_certificates(task, answers, &options.settings, budget, progress);
                answers.iter().enumerate().for_each(|(number, answer)| found(number, answer));
                answers
            }
            None => check_each(task, &options, budget, progress, &mut found),
        };
        let located: Vec<LocatedAnswer> = located.into_iter().flatten().collect();
        let meter = &options.settings.solver.meter;
        let outputs =
            RequestedFiles { request: self, context, loaded, task, answers: &answers, located: &located };
        let mut outputs = outputs.make();
        solver_recording(&options.settings, &mut outputs);
        Ok(CheckOutcome {
            conclusion: Conclusion::of(&located),
            outputs,
            graphs: graphs.map(|graphs| graphs.note()),
            solver: (kind == SystemKind::Symbolic).then(|| (meter.checks(), meter.waited().as_secs_f64())),
            answers: located,
        })
    }

    /// Parses the task of the request's proof or queries, or of the model's own queries.
    fn read_task(&self, loaded: &Loaded, context: &JobContext<'_>) -> Result<AskedTask, Refused> {
        let Some(file) = &self.proof else {
            let (asked, has_errors) = context.accepted_in_part(loaded.read_task(&self.queries))?;
            return Ok(AskedTask { asked, proof: None, has_errors });
        };
        let bytes = context
            .session
            .read(file, "pass a file with a proof to --proof")
            .map_err(|diagnostic| Refused::about(&loaded.files, [diagnostic]))?;
        let Accepted { value: proof, files, origins } = context.accepted(loaded.read_proof(file, &bytes))?;
        let value = loaded.task(proof.queries().to_vec()).ok_or_else(Refused::default)?;
        let asked = Accepted { value, files, origins };
        Ok(AskedTask { asked, proof: Some(proof), has_errors: false })
    }
}
