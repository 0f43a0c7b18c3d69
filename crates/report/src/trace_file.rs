//! Reads runs from JSON and replays them.
//!
//! Invariant: a [`ReadTrace`] is a replayed run of the network, and all times, states and changes in the file are those
//! of the replayed run. Every fault has a place in the file.

use std::collections::BTreeMap;

use tempora_evidence::{
    Ending, Participation, Rational, RuntimeError, Step, Trace, Transition, TransitionKind,
};
use tempora_model::{EdgeId, Id, LocationId, Network, ProcessId};
use tempora_replay::{ConcreteState, FailureCause, Granularity, Interpreter, Position, ReplayFailure, Run};
use tempora_source::{Code, Diagnostic, FileId, JsonValue, Span, nearest_names, parse_json};

use crate::codes::{TRACE_FORM, TRACE_NOT_A_RUN, TRACE_OF_ANOTHER_MODEL};
use crate::documents::{ChangeRecord, DocumentVersion, StateRecord, StepRecord, TraceRecord};
use crate::json_form::JsonForm;
use crate::located::Source;
use crate::show_network::show_network_run;
use crate::words::{EndingWord, TransitionWord};

static FORM: JsonForm =
    JsonForm { code: &TRACE_FORM, hint: "use a file that `tempora check --save-trace` has written" };

/// A run read from a file.
#[derive(Clone, Debug)]
pub struct ReadTrace {
    /// The text of its query.
    pub query: String,
    /// The run.
    pub trace: Trace,
    /// Its states.
    pub run: Run,
}

/// Reads a run of a network from a file of the source and replays it.
pub fn read_trace(source: Source<'_>, file: FileId, network: &Network) -> Result<ReadTrace, Diagnostic> {
    let whole = parse_json(source.files, file)?;
    let reader = Reader { network };
    let (written, query) = reader.file(&whole)?;
    let read = reader.trace(written)?;
    let read = reader.execute(read, query)?;
    reader.compare(source, written, &read)?;
    Ok(read)
}

/// The places of a step in the file, for diagnostics.
struct StepPlaces {
    delay: Span,
    moves: Span,
}

/// A parsed run that has not been replayed yet.
struct ParsedRun {
    trace: Trace,
    /// Whether the run ends in an error; the file lacks the details to compare it.
    ends_in_error: bool,
    steps: Vec<StepPlaces>,
    initial: Span,
    final_delay: Span,
    ending: Span,
}

struct Reader<'network> {
    network: &'network Network,
}

fn fault(code: &'static Code, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, message).with_primary(span, "")
}

/// Parses a time such as `3` or `7/2`.
fn time(value: &JsonValue, what: &str) -> Result<Rational, Diagnostic> {
    let written = FORM.text(value, what)?;
    let number =
        |part: &str| part.parse::<i64>().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit()));
    let parsed = match written.split_once('/') {
        None => number(written).map(Rational::from_integer),
        Some((above, below)) => match (number(above), number(below)) {
            (Some(above), Some(below)) if below != 0 => Some(Rational::new(above, below)),
            _ => None,
        },
    };
    parsed.ok_or_else(|| {
        fault(&TRACE_FORM, value.span, format!("`{written}` is not a time"))
            .with_hint("use an integer or a fraction, such as `3` or `7/2`")
    })
}

/// Limit on the total time of a run and on the common denominator of its delays, so that computations stay within 64
/// bits.
const LARGEST_TIME: i64 = 1_000_000_000;

/// Returns an error if the times cannot be added exactly.
fn bound_times(delays: impl Iterator<Item = (Rational, Span)>) -> Result<(), Diagnostic> {
    let (mut sum, mut denominator) = (Rational::from_integer(0), 1i64);
    for (delay, span) in delays {
        let common = i128::from(denominator) * i128::from(*delay.denom())
            / i128::from(common_divisor(denominator, *delay.denom()));
        match i64::try_from(common) {
            Ok(common) if common <= LARGEST_TIME && delay <= Rational::from_integer(LARGEST_TIME) => {
                denominator = common;
                sum += delay;
            }
            _ => return Err(too_long(span)),
        }
        if sum > Rational::from_integer(LARGEST_TIME) {
            return Err(too_long(span));
        }
    }
    Ok(())
}

fn too_long(span: Span) -> Diagnostic {
    fault(&TRACE_FORM, span, "the times of the run are too long or too fine to be added exactly")
        .with_hint(format!("use a total time and a common denominator of at most {LARGEST_TIME}"))
}

fn common_divisor(left: i64, right: i64) -> i64 {
    if right == 0 { left.max(1) } else { common_divisor(right, left % right) }
}

/// Returns the items of a list of two.
fn pair<'json>(
    value: &'json JsonValue,
    what: &str,
) -> Result<(&'json JsonValue, &'json JsonValue), Diagnostic> {
    match FORM.list(value, what)? {
        [first, second] => Ok((first, second)),
        _ => Err(fault(&TRACE_FORM, value.span, format!("{what} must be a list of two items"))
            .with_hint("write it like `[\"P\", \"Idle\"]`")),
    }
}

impl Reader<'_> {
    /// Returns the run of a file and the text of its query.
    fn file<'json>(&self, whole: &'json JsonValue) -> Result<(&'json JsonValue, String), Diagnostic> {
        if whole.member("results").is_some() && whole.member("trace").is_none() {
            let start = Span::new(whole.span.file, whole.span.start, whole.span.start + 1);
            return Err(fault(
                &TRACE_FORM,
                start,
                "the file contains the answers to all queries, not one run",
            )
            .with_hint("use a file that `tempora check --save-trace PREFIX` has written"));
        }
        let members = FORM.members(
            whole,
            "the file of a run",
            &["version", "model", "query", "verdict", "trace"],
            &[],
        )?;
        let version: i64 = FORM.integer(members.get("version")?, "the version")?;
        if version != i64::from(DocumentVersion::NUMBER) {
            return Err(fault(
                &TRACE_FORM,
                members.get("version")?.span,
                format!("unsupported version {version}"),
            )
            .with_hint("use version 1"));
        }
        FORM.text(members.get("model")?, "the model")?;
        FORM.text(members.get("verdict")?, "the verdict")?;
        let query = FORM.text(members.get("query")?, "the query")?.to_owned();
        Ok((members.get("trace")?, query))
    }

    fn trace(&self, trace: &JsonValue) -> Result<ParsedRun, Diagnostic> {
        let members = FORM.members(
            trace,
            "a run",
            &["initial", "steps", "final_delay", "ending", "last"],
            &["cycle_start", "error"],
        )?;
        let initial = members.get("initial")?;
        let locations = self.locations(initial)?;
        let mut steps = Vec::new();
        let mut places = Vec::new();
        for step in FORM.list(members.get("steps")?, "the steps")? {
            let (step, place) = self.step(step)?;
            steps.push(step);
            places.push(place);
        }
        let ending = members.get("ending")?;
        let mut ends_in_error = false;
        let written = FORM.text(ending, "the ending")?;
        let Some(word) = EndingWord::ALL.iter().find(|word| word.word() == written) else {
            return Err(fault(&TRACE_FORM, ending.span, format!("unknown ending `{written}` of a run"))
                .with_hint(format!("use one of {}", listed(EndingWord::ALL))));
        };
        let meaning = match word {
            EndingWord::Goal => Ending::Goal,
            EndingWord::Deadlock => Ending::Deadlock,
            EndingWord::DelayForever => Ending::DelayForever,
            EndingWord::RefusedMove => Ending::RefusedMove,
            EndingWord::InvariantViolation => Ending::InvariantViolation,
            EndingWord::Lasso => match trace.member("cycle_start") {
                Some(start) => Ending::Lasso { start: FORM.integer(start, "the start of the cycle")? },
                None => {
                    return Err(fault(&TRACE_FORM, ending.span, "the start of the cycle is missing")
                        .with_hint("add the member `cycle_start`"));
                }
            },
            EndingWord::Error => {
                ends_in_error = true;
                Ending::RefusedMove
            }
        };
        let final_delay_value = members.get("final_delay")?;
        let final_delay = time(final_delay_value, "the last delay")?;
        let delays = steps.iter().zip(&places).map(|(step, places)| (step.delay, places.delay));
        bound_times(delays.chain([(final_delay, final_delay_value.span)]))?;
        Ok(ParsedRun {
            trace: Trace { initial: locations, steps, final_delay, ending: meaning },
            ends_in_error,
            steps: places,
            initial: initial.span,
            final_delay: final_delay_value.span,
            ending: ending.span,
        })
    }

    /// Returns the locations of a state, one for each process.
    fn locations(&self, state: &JsonValue) -> Result<Vec<LocationId>, Diagnostic> {
        let members = FORM.members(state, "a state", &["locations", "variables", "clocks"], &[])?;
        let written = members.get("locations")?;
        let mut locations: Vec<Option<LocationId>> = vec![None; self.network.processes.len()];
        for entry in FORM.list(written, "the list of locations")? {
            let (process, location) = pair(entry, "a process with its location")?;
            let process = self.process(process)?;
            locations[process.index()] = Some(self.location(process, location)?);
        }
        let processes = self.network.processes.values().zip(locations);
        processes
            .map(|(process, location)| {
                location.ok_or_else(|| {
                    let message = format!("the state has no location for the process `{}`", process.name);
                    fault(&TRACE_OF_ANOTHER_MODEL, written.span, message)
                        .with_hint("check that the run belongs to this model")
                })
            })
            .collect()
    }

    fn process(&self, value: &JsonValue) -> Result<ProcessId, Diagnostic> {
        let name = FORM.text(value, "the name of a process")?;
        self.network.process_named(name).ok_or_else(|| {
            let names = self.network.processes.values().map(|process| process.name.as_str());
            unknown(value, format!("the model has no process `{name}`"), name, names)
        })
    }

    fn location(&self, process: ProcessId, value: &JsonValue) -> Result<LocationId, Diagnostic> {
        let name = FORM.text(value, "the name of a location")?;
        let ids = self.network.processes[process].locations.ids();
        let names: Vec<(LocationId, String)> =
            ids.map(|id| (id, self.network.location_name(process, id))).collect();
        match names.iter().find(|(_, known)| known == name) {
            Some((id, _)) => Ok(*id),
            None => {
                let message = format!("`{}` has no location `{name}`", self.network.processes[process].name);
                Err(unknown(value, message, name, names.iter().map(|(_, name)| name.as_str())))
            }
        }
    }

    fn step(&self, step: &JsonValue) -> Result<(Step, StepPlaces), Diagnostic> {
        let members =
            FORM.members(step, "a step", &["delay", "time", "kind", "moves", "changes"], &["vector"])?;
        let delay = members.get("delay")?;
        let moves = members.get("moves")?;
        let participants = FORM
            .list(moves, "the moves of a step")?
            .iter()
            .map(|one| self.one_move(one))
            .collect::<Result<Vec<_>, _>>()?;
        let kind = members.get("kind")?;
        let written = FORM.text(kind, "the kind of a step")?;
        let Some(word) = TransitionWord::ALL.iter().find(|word| word.word() == written) else {
            return Err(fault(&TRACE_FORM, kind.span, format!("unknown kind `{written}` of a step"))
                .with_hint(format!("use one of {}", listed(TransitionWord::ALL))));
        };
        let meaning = match word {
            TransitionWord::Internal => TransitionKind::Internal,
            TransitionWord::Binary => TransitionKind::Binary,
            TransitionWord::Broadcast => TransitionKind::Broadcast,
            TransitionWord::Vector => match step.member("vector") {
                Some(number) => {
                    let position: usize = FORM.integer(number, "the number of a vector")?;
                    if position >= self.network.vectors.len() {
                        let message = format!("the model has no synchronisation vector {position}");
                        return Err(fault(&TRACE_OF_ANOTHER_MODEL, number.span, message)
                            .with_hint(format!("it has {}", self.network.vectors.len())));
                    }
                    TransitionKind::Vector(position)
                }
                None => {
                    return Err(fault(
                        &TRACE_FORM,
                        kind.span,
                        "the number of the synchronisation vector is missing",
                    )
                    .with_hint("add the member `vector`"));
                }
            },
        };
        let read =
            Step { delay: time(delay, "a delay")?, transition: Transition { kind: meaning, participants } };
        Ok((read, StepPlaces { delay: delay.span, moves: moves.span }))
    }

    fn one_move(&self, one: &JsonValue) -> Result<Participation, Diagnostic> {
        let members = FORM.members(
            one,
            "a move",
            &["process", "edge", "branch", "from", "to", "place"],
            &["synchronisation", "selects"],
        )?;
        let process = self.process(members.get("process")?)?;
        let known = &self.network.processes[process];
        let number = members.get("edge")?;
        let edge = EdgeId(FORM.integer(number, "the number of an edge")?);
        let Some(taken) = known.edges.get(edge) else {
            let message = format!("`{}` has no edge {}", known.name, edge.0);
            return Err(fault(&TRACE_OF_ANOTHER_MODEL, number.span, message)
                .with_hint(format!("it has {} edges, numbered from 0", known.edges.len())));
        };
        let branch_value = members.get("branch")?;
        let branch: usize = FORM.integer(branch_value, "the number of a branch")?;
        let Some(target) = taken.branches.get(branch).map(|branch| branch.target) else {
            let message = format!("edge {} of `{}` has no branch {branch}", edge.0, known.name);
            return Err(fault(&TRACE_OF_ANOTHER_MODEL, branch_value.span, message)
                .with_hint(format!("it has {} branches, numbered from 0", taken.branches.len())));
        };
        for (name, expected) in [("from", taken.source), ("to", target)] {
            let value = members.get(name)?;
            if self.location(process, value)? != expected {
                let expected = self.network.location_name(process, expected);
                let message = match name {
                    "from" => format!("edge {} of `{}` leaves `{expected}`", edge.0, known.name),
                    _ => format!("edge {} of `{}` leads to `{expected}`", edge.0, known.name),
                };
                return Err(fault(&TRACE_OF_ANOTHER_MODEL, value.span, message)
                    .with_hint("find the run again; the model has probably changed since it was written"));
            }
        }
        let mut select_values = Vec::new();
        if let Some(selects) = one.member("selects") {
            for select in FORM.list(selects, "the selects")? {
                let (name, value) = pair(select, "a select with its value")?;
                FORM.text(name, "the name of a select")?;
                select_values.push(FORM.integer(value, "the value of a select")?);
            }
            if select_values.len() != taken.selects.len() {
                let message =
                    format!("edge {} of `{}` has {} selects", edge.0, known.name, taken.selects.len());
                return Err(fault(&TRACE_OF_ANOTHER_MODEL, selects.span, message)
                    .with_hint("find the run again; the model has probably changed since it was written"));
            }
        } else if !taken.selects.is_empty() {
            let message = format!("edge {} of `{}` has selects", edge.0, known.name);
            return Err(fault(&TRACE_OF_ANOTHER_MODEL, one.span, message)
                .with_hint("add a member `selects` with their values"));
        }
        Ok(Participation { process, edge, branch, select_values })
    }

    /// Replays the run; faults are reported at their place in the file.
    fn execute(&self, mut read: ParsedRun, query: String) -> Result<ReadTrace, Diagnostic> {
        let interpreter = Interpreter::new(self.network);
        let executed = interpreter.execute(&read.trace);
        if let (true, Ok(run)) = (read.ends_in_error, &executed) {
            // The error of the run is the one that the model raises here.
            let error = match &run.stopped {
                Some(ReplayFailure { cause: FailureCause::Error(error), .. }) => Some(error.clone()),
                Some(_) => None,
                None => self.error_at(&interpreter, &run.last),
            };
            match error {
                Some(error) => read.trace.ending = Ending::RuntimeError(error),
                None if run.stopped.is_some() => {}
                None => {
                    let message = "the model does not fail at the end of the run";
                    return Err(fault(&TRACE_NOT_A_RUN, read.ending, message).with_hint(
                        "find the run again; the model has probably changed since it was written",
                    ));
                }
            }
        }
        let checked = executed.and_then(|run| {
            match read.trace.ending {
                // The goal depends on the query, which is not parsed here.
                Ending::Goal => run.check_complete()?,
                _ => {
                    let granularity = Granularity::of(self.network, []);
                    interpreter.check_ending(&read.trace, &run, None, &granularity)?;
                }
            }
            Ok(run)
        });
        let run = checked.map_err(|failure: ReplayFailure| {
            let span = match failure.position {
                Position::Initial => read.initial,
                Position::Delay(step) => read.steps.get(step).map_or(read.ending, |place| place.delay),
                Position::Transition(step) => read.steps.get(step).map_or(read.ending, |place| place.moves),
                Position::FinalDelay => read.final_delay,
                Position::Ending => read.ending,
            };
            let message = format!("this is not a run of the model: {}", failure.describe(self.network));
            fault(&TRACE_NOT_A_RUN, span, message)
                .with_hint("find the run again; the model has probably changed since it was written")
        })?;
        Ok(ReadTrace { query, trace: read.trace, run })
    }

    fn error_at(&self, interpreter: &Interpreter<'_>, state: &ConcreteState) -> Option<RuntimeError> {
        interpreter.enabled_transitions(state).err().or_else(|| interpreter.allowed_delays(state).err())
    }

    /// Checks that the file describes the replayed run.
    fn compare(&self, source: Source<'_>, written: &JsonValue, read: &ReadTrace) -> Result<(), Diagnostic> {
        // Places in the model are not compared: editing its text moves them.
        let shown = show_network_run(source, self.network, &read.trace, &read.run);
        let Some(found) = TraceRecord::new(&shown) else { return Ok(()) };
        let part = |name| written.member(name).ok_or_else(|| missing(written, name));
        compare_state(part("initial")?, &found.initial, "at the start of the run")?;
        let steps = FORM.list(part("steps")?, "the steps")?;
        for (number, (step, found)) in steps.iter().zip(&found.steps).enumerate() {
            compare_step(step, found, number + 1)?;
        }
        if let (Some(error), Some(found)) = (written.member("error"), &found.error) {
            let members = FORM.members(error, "an error", &["message"], &["place"])?;
            let value = members.get("message")?;
            let message = FORM.text(value, "the message of an error")?;
            if message != found.message {
                let message = format!("the error of the run is `{}`, not `{message}`", found.message);
                return Err(fault(&TRACE_NOT_A_RUN, value.span, message).with_hint(CHANGED));
            }
        }
        compare_state(part("last")?, &found.last, "at the end of the run")
    }
}

/// The hint for a file that contradicts the replayed run.
const CHANGED: &str = "find the run again; the model or the file has probably changed since it was written";

fn missing(object: &JsonValue, name: &str) -> Diagnostic {
    fault(&TRACE_FORM, object.span, format!("a member `{name}` is missing")).with_hint(FORM.hint)
}

/// Checks the time of a step, its labels, and the variables and clocks that it changes.
fn compare_step(step: &JsonValue, found: &StepRecord<'_>, number: usize) -> Result<(), Diagnostic> {
    let differs = |span: Span, what: &str, is: &str, written: &str| {
        let message = format!("in step {number}, {what} is `{is}`, not `{written}`");
        Err(fault(&TRACE_NOT_A_RUN, span, message).with_hint(CHANGED))
    };
    let part = |name| step.member(name).ok_or_else(|| missing(step, name));
    let written = part("time")?;
    if time(written, "a time")? != found.time.0 {
        return differs(written.span, "the time", &found.time.to_string(), FORM.text(written, "a time")?);
    }
    for (one, found) in FORM.list(part("moves")?, "the moves of a step")?.iter().zip(&found.moves) {
        let synchronisation = found.synchronisation.as_deref().unwrap_or("none");
        if let Some(written) = one.member("synchronisation") {
            let text = FORM.text(written, "a synchronisation")?;
            if text != synchronisation {
                return differs(written.span, "the synchronisation", synchronisation, text);
            }
        }
        let Some(selects) = one.member("selects") else { continue };
        for (select, (found, _)) in FORM.list(selects, "the selects")?.iter().zip(found.selects) {
            let (name, _) = pair(select, "a select with its value")?;
            let text = FORM.text(name, "the name of a select")?;
            if text != found {
                return differs(name.span, "the select", found, text);
            }
        }
    }
    let changes = part("changes")?;
    let mut unlisted: BTreeMap<&str, &ChangeRecord<'_>> =
        found.changes.iter().map(|change| (change.name, change)).collect();
    for entry in FORM.list(changes, "the changes of a step")? {
        let members = FORM.members(entry, "a change", &["name", "before", "after"], &[])?;
        let name = FORM.text(members.get("name")?, "a name")?;
        let Some(change) = unlisted.remove(name) else {
            let message = match found.changes.iter().any(|change| change.name == name) {
                true => format!("in step {number}, the change of `{name}` is listed twice"),
                false => format!("step {number} does not change `{name}`"),
            };
            return Err(fault(&TRACE_NOT_A_RUN, entry.span, message).with_hint(CHANGED));
        };
        for (member, when, is) in [
            ("before", "before the transition", &change.before),
            ("after", "after the transition", &change.after),
        ] {
            let value = members.get(member)?;
            let text = FORM.text(value, "a value")?;
            if text != is {
                return differs(value.span, &format!("the value of `{name}` {when}"), is, text);
            }
        }
    }
    match unlisted.keys().next() {
        Some(name) => {
            let message = format!("step {number} changes `{name}`, but the file does not say so");
            Err(fault(&TRACE_NOT_A_RUN, changes.span, message).with_hint(CHANGED))
        }
        None => Ok(()),
    }
}

/// Checks that a state of the file is the one of the run.
fn compare_state(written: &JsonValue, found: &StateRecord<'_>, when: &str) -> Result<(), Diagnostic> {
    let members = FORM.members(written, "a state", &["locations", "variables", "clocks"], &[])?;
    let locations = found.locations.iter().map(|(name, location)| (*name, (*location).to_owned()));
    let clocks = found.clocks.iter().map(|(name, value)| (*name, value.to_string()));
    for (name, found) in [
        ("locations", locations.collect::<Vec<_>>()),
        ("variables", found.variables.clone()),
        ("clocks", clocks.collect()),
    ] {
        let value = members.get(name)?;
        let entries = FORM.list(value, "a part of a state")?;
        let known: BTreeMap<&str, &str> = found.iter().map(|(name, value)| (*name, value.as_str())).collect();
        for entry in entries {
            let (of, is) = pair(entry, "a name with its value")?;
            let (of, is) = (FORM.text(of, "a name")?, FORM.text(is, "a value")?);
            let (code, message): (&'static Code, _) = match known.get(of) {
                Some(known) if *known == is => continue,
                Some(known) => (&TRACE_NOT_A_RUN, format!("{when} `{of}` is `{known}`, not `{is}`")),
                None => (&TRACE_OF_ANOTHER_MODEL, format!("the model has no `{of}`")),
            };
            return Err(fault(code, entry.span, message).with_hint(CHANGED));
        }
        if entries.len() != found.len() {
            let message = format!("the model has {} {name}, but the run has {}", found.len(), entries.len());
            return Err(fault(&TRACE_OF_ANOTHER_MODEL, value.span, message).with_hint(CHANGED));
        }
    }
    Ok(())
}

/// Returns words separated by commas.
fn listed(words: &[impl ToString]) -> String {
    words.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn unknown<'names>(
    value: &JsonValue,
    message: String,
    name: &str,
    names: impl Iterator<Item = &'names str>,
) -> Diagnostic {
    let hint = match nearest_names(name, names).first() {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "check that the run belongs to this model".to_owned(),
    };
    fault(&TRACE_OF_ANOTHER_MODEL, value.span, message).with_hint(hint)
}
