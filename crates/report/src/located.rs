//! Answers as plain data in terms of what the user wrote.
//!
//! Invariant: everything in a [`LocatedAnswer`] is text and numbers: no ids, no origins. The states between the steps of a trace are
//! those of the run that was executed when the answer was checked.

use serde::Serialize;
use tempora_certify::CheckedAnswer;
use tempora_evidence::{
    Caveat, Ending, Estimate, Evidence, Limit, MeasuredValue, Rational, Statistics, System, Task, Trace,
    TransitionKind, UnknownReason, Verdict,
};
use tempora_model::{Id, Network, Query, SynchronisationRole, Value, VariableKind};
use tempora_replay::{ConcreteState, Interpreter, Run};
use tempora_source::{Files, Origin, Origins};

use crate::located_symbolic::{LocatedRun, locate_about_symbolic};
use crate::words::{AssuranceWord, EndingWord, TransitionWord, VerdictWord};

/// Where the user's text is.
#[derive(Clone, Copy)]
pub struct Source<'source> {
    /// The texts.
    pub files: &'source Files,
    /// Where everything comes from.
    pub origins: &'source Origins,
}

/// An answer to one query.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LocatedAnswer {
    /// The query, as it was asked.
    pub query: String,
    /// What is known about the query.
    pub verdict: VerdictWord,
    /// Why there is no verdict, or what else has to be known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The engine that answered.
    pub engine: String,
    /// Whether the verdict was checked independently of the engine.
    pub assurance: AssuranceWord,
    /// The values that were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueText>,
    /// The time it took.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub seconds: f64,
    /// What it took.
    pub statistics: StatisticsRecord,
    /// The run that shows the verdict.
    pub evidence: EvidenceRecord,
    /// Further remarks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub caveats: Vec<String>,
}

/// What an answer took.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StatisticsRecord {
    /// States that were kept.
    pub stored: u64,
    /// States whose successors were computed.
    pub explored: u64,
    /// Transitions that were computed.
    pub transitions: u64,
    /// The most memory that was used; zero if it is not known.
    pub peak_bytes: u64,
    /// What the search preserved, if the engine has a choice.
    #[serde(skip)]
    pub profile: Option<&'static str>,
    /// What the abstraction became, if the engine refines one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinement: Option<RefinementRecord>,
    /// What a solver was asked, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<SolverRecord>,
}

/// An abstraction that was refined.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RefinementRecord {
    /// How many times its graph was built, or a part of it.
    pub iterations: u64,
    /// How many nodes the graph has.
    pub nodes: u64,
    /// How many predicates and variables it speaks about.
    pub precision: u64,
}

/// What a solver was asked.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SolverRecord {
    /// How many checks were asked for.
    pub checks: u64,
    /// How long it was waited for.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub seconds: f64,
}

/// What supports an answer.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EvidenceRecord {
    /// A run of a network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<LocatedTrace>,
    /// A run of a symbolic system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<LocatedRun>,
    /// How it comes about, one choice a line; not checked independently.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Other ways in which it comes about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further_choices: Vec<Vec<String>>,
}

/// Values as text, one for each expression that was asked for.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ValueText(pub Vec<String>);

/// A run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LocatedTrace {
    /// The state at the start.
    pub initial: LocatedState,
    /// What happens.
    pub steps: Vec<LocatedStep>,
    /// A delay after the last step.
    pub final_delay: String,
    /// What the run shows at its end.
    pub ending: EndingWord,
    /// The first step of the cycle, from 0, if the run ends in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle_start: Option<usize>,
    /// The error in which the run ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorRecord>,
    /// The state at the end.
    pub last: LocatedState,
}

/// An error of the model.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorRecord {
    /// What went wrong.
    pub message: String,
    /// Where.
    pub place: Option<Place>,
}

/// A state.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LocatedState {
    /// The location of each process.
    pub locations: Vec<(String, String)>,
    /// The values of variables.
    pub variables: Vec<(String, String)>,
    /// The values of clocks.
    pub clocks: Vec<(String, String)>,
}

/// A delay and a transition.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LocatedStep {
    /// How much time passes before it.
    pub delay: String,
    /// When it happens.
    pub time: String,
    /// How the edges synchronise.
    pub kind: TransitionWord,
    /// Which synchronisation vector, from 0 in the order of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector: Option<usize>,
    /// What each process does, in the order of the updates.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub moves: Vec<LocatedMove>,
    /// What is different afterwards, but for locations.
    pub changes: Vec<Change>,
}

/// What one process does.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LocatedMove {
    /// The process.
    pub process: String,
    /// Which edge of the process it takes, from 0 in the order of the model.
    pub edge: usize,
    /// Which branch of the edge, from 0 in the order of the model.
    pub branch: usize,
    /// The location that it leaves.
    pub from: String,
    /// The location that it enters.
    pub to: String,
    /// How it synchronises, such as `go[0]!`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synchronisation: Option<String>,
    /// The values of selects, such as `e = 2`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub selects: Vec<(String, i32)>,
    /// Where the edge is written.
    pub place: Option<Place>,
}

/// A variable or clock that is different after a transition.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Change {
    /// Its name.
    pub name: String,
    /// Before.
    pub before: String,
    /// After.
    pub after: String,
}

/// A place in the user's text.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from one.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub line: u32,
    /// The column, from one.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub column: u32,
}

impl LocatedState {
    /// A state of a network; the names of its clocks are given.
    pub fn of(network: &Network, clock_names: &[String], state: &ConcreteState) -> LocatedState {
        located_state(network, clock_names, state)
    }
}

/// Returns an answer in terms of what the user wrote. A run that was not executed is left out.
pub fn locate(source: Source<'_>, task: &Task, query: &Query, checked: &CheckedAnswer) -> LocatedAnswer {
    match &task.system {
        System::Network(network) => locate_about_network(source, network, query, checked),
        System::Symbolic(system) => locate_about_symbolic(source, system, query, checked),
    }
}

fn locate_about_network(
    source: Source<'_>,
    network: &Network,
    query: &Query,
    checked: &CheckedAnswer,
) -> LocatedAnswer {
    let trace = checked.run().map(|(trace, run)| locate_trace(source, network, trace, run));
    // For an impossible run the reason of the missing verdict names the fault.
    let is_refuted = matches!(
        checked.answer().verdict,
        Verdict::Unknown(UnknownReason::EngineBug(_) | UnknownReason::OverApproximation(_))
    );
    let is_left_out = checked.answer().trace().is_some() && trace.is_none() && !is_refuted;
    let mut stories = checked.answer().evidence.iter().filter_map(|evidence| match evidence {
        Evidence::Strategy(strategy) => Some(strategy.rules.clone()),
        _ => None,
    });
    let choices = stories.next().unwrap_or_default();
    let further_choices = stories.collect();
    let evidence = EvidenceRecord { trace, run: None, choices, further_choices };
    let mut located = locate_verdict(source, query.text.clone(), checked, evidence);
    if is_left_out {
        located.caveats.push("the run is not shown: there was no time to execute it again".to_owned());
    }
    located
}

/// The answer to a question with this text, with evidence that has been located already.
pub(crate) fn locate_verdict(
    source: Source<'_>,
    query: String,
    checked: &CheckedAnswer,
    evidence: EvidenceRecord,
) -> LocatedAnswer {
    let answer = checked.answer();
    let (reason, value) = match &answer.verdict {
        Verdict::Holds | Verdict::Fails => (None, None),
        Verdict::Value(values) => (None, Some(ValueText(values.iter().map(measured).collect()))),
        Verdict::Estimated(estimate) => (None, Some(ValueText(vec![estimated(estimate)]))),
        Verdict::Unknown(reason) => (Some(unknown(source, reason)), None),
    };
    let statistics = &answer.statistics;
    let Statistics { stored, explored, transitions, peak_bytes, elapsed, profile, refinement, solver } =
        *statistics;
    LocatedAnswer {
        query,
        verdict: VerdictWord::from(&answer.verdict),
        reason,
        engine: answer.engine.clone(),
        assurance: checked.assurance().into(),
        value,
        seconds: elapsed.as_secs_f64(),
        statistics: StatisticsRecord {
            stored,
            explored,
            transitions,
            peak_bytes,
            profile,
            refinement: refinement.map(|refinement| RefinementRecord {
                iterations: refinement.iterations,
                nodes: refinement.nodes,
                precision: refinement.precision,
            }),
            solver: solver
                .map(|solver| SolverRecord { checks: solver.checks, seconds: solver.waited.as_secs_f64() }),
        },
        evidence,
        caveats: answer
            .caveats
            .iter()
            .map(|caveat| match caveat {
                Caveat::OverApproximates(why) => format!("explored more than the model allows: {why}"),
                Caveat::UnderApproximates(why) => format!("explored less than the model allows: {why}"),
                Caveat::Remark(remark) => remark.clone(),
            })
            .collect(),
    }
}

/// Returns a trace with the states of its run.
pub(crate) fn locate_trace(source: Source<'_>, network: &Network, trace: &Trace, run: &Run) -> LocatedTrace {
    let clock_names = Interpreter::new(network).clock_layout().names(network);
    let state = |state: &ConcreteState| located_state(network, &clock_names, state);
    let mut time = Rational::from_integer(0);
    let mut steps = Vec::with_capacity(trace.steps.len());
    for (number, step) in trace.steps.iter().enumerate() {
        time += step.delay;
        let before = run.state_before(number);
        let changes = match run.steps.get(number) {
            Some(run_step) => {
                changes(network, &clock_names, &run_step.after_delay, &run_step.after_transition)
            }
            None => Vec::new(),
        };
        let moves = step
            .transition
            .participants
            .iter()
            .map(|participation| {
                let process = &network.processes[participation.process];
                let edge = &process.edges[participation.edge];
                let selects = edge.selects.iter().map(|binder| binder.name.clone());
                LocatedMove {
                    process: process.name.clone(),
                    edge: participation.edge.index(),
                    branch: participation.branch,
                    from: network.location_name(
                        participation.process,
                        before.locations[participation.process.index()],
                    ),
                    to: network
                        .location_name(participation.process, edge.branches[participation.branch].target),
                    synchronisation: edge.synchronisation.as_ref().map(|synchronisation| {
                        let role = match synchronisation.role {
                            SynchronisationRole::Send => '!',
                            SynchronisationRole::Receive => '?',
                        };
                        format!("{}{role}", written(source, synchronisation.channel.origin))
                    }),
                    selects: selects.zip(participation.select_values.iter().copied()).collect(),
                    place: place(source, edge.origin),
                }
            })
            .collect();
        steps.push(LocatedStep {
            delay: step.delay.to_string(),
            time: time.to_string(),
            kind: step.transition.kind.into(),
            vector: match step.transition.kind {
                TransitionKind::Vector(position) => Some(position),
                _ => None,
            },
            moves,
            changes,
        });
    }
    let cycle_start = match &trace.ending {
        Ending::Lasso { start } => Some(*start),
        _ => None,
    };
    let error = match &trace.ending {
        Ending::RuntimeError(error) => {
            Some(ErrorRecord { message: error.to_string(), place: place(source, error.origin) })
        }
        _ => None,
    };
    LocatedTrace {
        initial: state(&run.initial),
        steps,
        final_delay: trace.final_delay.to_string(),
        ending: EndingWord::from(&trace.ending),
        cycle_start,
        error,
        last: state(&run.last),
    }
}

pub(crate) fn located_state(
    network: &Network,
    clock_names: &[String],
    state: &ConcreteState,
) -> LocatedState {
    let mut variables = Vec::new();
    for (id, variable) in network.variables.iter() {
        if variable.kind == VariableKind::State {
            flatten(network.qualified_name(id), &variable.value_type, state.variable(id), &mut variables);
        }
    }
    LocatedState {
        locations: network
            .processes
            .iter()
            .zip(&state.locations)
            .map(|((id, process), location)| (process.name.clone(), network.location_name(id, *location)))
            .collect(),
        variables,
        clocks: clock_names.iter().cloned().zip(state.clocks.iter().map(ToString::to_string)).collect(),
    }
}

/// Names and values of a variable and its parts.
fn flatten(name: String, value_type: &tempora_model::Type, value: &Value, parts: &mut Vec<(String, String)>) {
    use tempora_model::Type;
    match (value, value_type) {
        (Value::Parts(values), Type::Array(array)) => {
            for (index, value) in array.index.values().zip(values) {
                flatten(format!("{name}[{index}]"), &array.element, value, parts);
            }
        }
        (Value::Parts(values), Type::Record(record)) => {
            for (field, value) in record.fields.iter().zip(values) {
                flatten(format!("{name}.{}", field.name), &field.field_type, value, parts);
            }
        }
        (Value::None, _) => {}
        (Value::Integer(value), Type::Boolean) => parts.push((name, (*value != 0).to_string())),
        (value, _) => parts.push((name, value.to_string())),
    }
}

fn changes(
    network: &Network,
    clock_names: &[String],
    before: &ConcreteState,
    after: &ConcreteState,
) -> Vec<Change> {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for (id, variable) in network.variables.iter() {
        let (was, is) = (before.variable(id), after.variable(id));
        // Names are made only for what is different: runs may be long, and states large.
        if variable.kind == VariableKind::State && was != is {
            flatten(network.qualified_name(id), &variable.value_type, was, &mut old);
            flatten(network.qualified_name(id), &variable.value_type, is, &mut new);
        }
    }
    let variables = old.into_iter().zip(new).filter(|((_, was), (_, is))| was != is);
    let variables = variables.map(|((name, before), (_, after))| Change { name, before, after });
    let clocks = clock_names.iter().zip(before.clocks.iter().zip(&after.clocks));
    let clocks = clocks.filter(|(_, (was, is))| was != is).map(|(name, (was, is))| Change {
        name: name.clone(),
        before: was.to_string(),
        after: is.to_string(),
    });
    variables.chain(clocks).collect()
}

pub(crate) fn place(source: Source<'_>, origin: Origin) -> Option<Place> {
    let location = source.files.locate(source.origins.primary_span(origin)?);
    Some(Place { file: location.file.clone(), line: location.line, column: location.column })
}

/// What the user wrote, on one line.
fn written(source: Source<'_>, origin: Origin) -> String {
    match source.origins.primary_span(origin) {
        Some(span) => source.files.text_at(span).split_whitespace().collect::<Vec<_>>().join(" "),
        None => String::new(),
    }
}

pub(crate) fn unknown(source: Source<'_>, reason: &UnknownReason) -> String {
    match reason {
        UnknownReason::Timeout | UnknownReason::Memory | UnknownReason::StateLimit => reason.describe(),
        UnknownReason::Cancelled => "stopped by the user".to_owned(),
        UnknownReason::Unsupported(what) => format!("not supported: {what}"),
        UnknownReason::ModelError(error) => match place(source, error.origin) {
            Some(place) => format!("model error: {error} ({}:{}:{})", place.file, place.line, place.column),
            None => format!("model error: {error}"),
        },
        UnknownReason::OverApproximation(why) => format!("the engine explores too much: {why}"),
        UnknownReason::NotDerived(why) => format!("not proved: {why}"),
        UnknownReason::EngineBug(why) => format!("a defect of the engine: {why}"),
    }
}

fn measured(value: &MeasuredValue) -> String {
    match value {
        MeasuredValue::NoState => "no state".to_owned(),
        MeasuredValue::Supremum(limit) => match limit {
            Limit::Attained(value) => format!("<= {value}"),
            Limit::Approached(value) => format!("< {value}"),
            Limit::Unbounded => "unbounded".to_owned(),
        },
        MeasuredValue::Infimum(limit) => match limit {
            Limit::Attained(value) => format!(">= {value}"),
            Limit::Approached(value) => format!("> {value}"),
            Limit::Unbounded => "unbounded".to_owned(),
        },
        MeasuredValue::Intervals(intervals) => {
            let texts: Vec<String> = intervals.iter().map(|(low, high)| interval(*low, *high)).collect();
            texts.join(" or ")
        }
    }
}

fn interval(low: Limit, high: Limit) -> String {
    let low = match low {
        Limit::Attained(value) => format!("[{value}"),
        Limit::Approached(value) => format!("({value}"),
        Limit::Unbounded => "(-inf".to_owned(),
    };
    let high = match high {
        Limit::Attained(value) => format!("{value}]"),
        Limit::Approached(value) => format!("{value})"),
        Limit::Unbounded => "inf)".to_owned(),
    };
    format!("{low},{high}")
}

fn estimated(estimate: &Estimate) -> String {
    format!(
        "[{}, {}] with confidence {}, {} runs",
        estimate.low, estimate.high, estimate.confidence, estimate.runs
    )
}
