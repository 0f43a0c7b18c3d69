//! The engine: answers questions about specifications.
//!
//! Invariant: every violated precondition is named in the answer; expressions that cannot be composed are not answered,
//! and [`composition_problems`] reports them beforehand.

use std::collections::HashSet;
use std::time::Instant;

use tempora_evidence::{
    Answer, Budget, Caveat, Engine, Evidence, Prepared, Progress, RefusedRun, Statistics, Strategy, Support,
    Task, UnknownReason, Verdict,
};
use tempora_model::{Network, QueryKind, SpecExpression, SpecificationQuery};
use tempora_source::Origin;

use crate::component::InputCompletion;
use crate::emptiness::{because_of, empty_quotients, unimplementable, universal_quotients, vacuous};
use crate::environment_strategy::strategy_against;
use crate::formulas::{FormulaAnswer, answer_formula};
use crate::named_component::computed_component;
use crate::pair::Refused;
use crate::preconditions::{
    Preconditions, determinism_faults, fault_text, nondeterminism_text, preconditions,
};
use crate::proof::{Claim, Term};
use crate::refinement::Refinement;
use crate::search_abort::SearchAbort;
use crate::theory::{Obstacle, Theory};

/// Answers questions about specifications.
#[derive(Clone, Copy, Debug)]
pub struct SpecificationEngine {
    /// The treatment of an input without an edge.
    pub completion: InputCompletion,
    /// The maximal number of runs of a failed refinement; each ends in another pair of states or another refused move.
    pub most_runs: usize,
}

impl Default for SpecificationEngine {
    fn default() -> SpecificationEngine {
        SpecificationEngine { completion: InputCompletion::default(), most_runs: 1 }
    }
}

/// Why the specifications of a question cannot be composed.
#[derive(Clone, PartialEq, Debug)]
pub struct CompositionProblem {
    /// The message, a sentence without full stop.
    pub message: String,
    /// The first component of the offending expression.
    pub origin: Origin,
}

const NAME: &str = "specifications";

impl Engine for SpecificationEngine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare<'task>(&'task self, task: &'task Task) -> Prepared<'task> {
        let support = |kind: &QueryKind| match kind {
            QueryKind::Specification { components, .. } => match components.omissions.first() {
                Some(omission) => Support::Declines(format!(
                    "a component has a construct that no engine supports: {}",
                    omission.construct
                )),
                None => Support::Decides,
            },
            _ => Support::Declines("it answers only questions about specifications".to_owned()),
        };
        let supports = task.queries.iter().map(|query| support(&query.kind)).collect();
        Prepared::new(supports, move |queries, budget, progress| {
            let answer = |&position: &usize| match &task.queries[position].kind {
                QueryKind::Specification { components, question } if components.omissions.is_empty() => {
                    answer(components, question, *self, budget, progress)
                }
                _ => Answer::unsupported(
                    NAME,
                    "it answers only questions about specifications",
                    Some(task.queries[position].origin),
                ),
            };
            queries.iter().map(answer).collect()
        })
    }
}

/// The result of a question: verdict, remarks and evidence.
struct QuestionOutcome {
    holds: bool,
    remarks: Vec<String>,
    /// Runs, and their explanation step by step.
    evidence: Vec<Evidence>,
}

impl QuestionOutcome {
    fn holds() -> QuestionOutcome {
        QuestionOutcome { holds: true, remarks: Vec::new(), evidence: Vec::new() }
    }

    /// Returns a satisfied outcome if there are no remarks.
    fn unless(remarks: Vec<String>) -> QuestionOutcome {
        QuestionOutcome { holds: remarks.is_empty(), remarks, evidence: Vec::new() }
    }

    fn fails(remark: impl Into<String>) -> QuestionOutcome {
        QuestionOutcome::unless(vec![remark.into()])
    }
}

fn answer(
    network: &Network,
    question: &SpecificationQuery,
    engine: SpecificationEngine,
    budget: &Budget,
    progress: &Progress,
) -> Answer {
    let started = Instant::now();
    let mut theory = Theory::new(network, engine.completion, budget);
    theory.is_reduced = is_about_behaviour(question);
    let mut counts = Statistics::default();
    let problem =
        expressions(question).into_iter().find_map(|expression| problem_of(&mut theory, expression));
    let outcome = match problem {
        Some(problem) => Err(Obstacle::Actions(problem.message)),
        None => match question {
            SpecificationQuery::Formula { system, formula } => {
                match answer_formula(&mut theory, system, formula, budget, progress) {
                    Ok(found) => return formula_answer(&mut theory, question, found),
                    Err(obstacle) => Err(obstacle),
                }
            }
            _ => outcome(&mut theory, question, engine.most_runs, &mut counts),
        },
    };
    let unknown = |reason| (Verdict::Unknown(reason), QuestionOutcome::holds());
    let (verdict, outcome) = match outcome {
        Ok(outcome) if outcome.holds => (Verdict::Holds, outcome),
        Ok(outcome) => (Verdict::Fails, outcome),
        Err(Obstacle::Actions(why)) => unknown(UnknownReason::Unsupported(why)),
        Err(Obstacle::Abort(stop)) => unknown(stop.into()),
    };
    let QuestionOutcome { mut remarks, evidence, .. } = outcome;
    if matches!(verdict, Verdict::Holds | Verdict::Fails) {
        remarks.extend(notes_on_quotients(&mut theory, question));
    }
    remarks.extend(theory.completion_remark());
    progress.add_stored(counts.stored);
    progress.add_explored(counts.explored);
    progress.add_transitions(counts.transitions);
    counts.elapsed = started.elapsed();
    counts.peak_bytes = Budget::peak_bytes().unwrap_or(0);
    Answer {
        verdict,
        evidence,
        caveats: remarks.into_iter().map(Caveat::Remark).collect(),
        statistics: counts,
        engine: NAME.to_owned(),
    }
}

/// Returns the answer to a formula, without the remarks about the network that encodes the specification.
fn formula_answer(theory: &mut Theory<'_>, question: &SpecificationQuery, found: FormulaAnswer) -> Answer {
    let FormulaAnswer { answer, runs, explanation } = found;
    let mut remarks = notes_on_quotients(theory, question);
    remarks.extend(theory.completion_remark());
    let remarks = remarks.into_iter().map(Caveat::Remark);
    let runs = runs.into_iter().map(Evidence::SpecificationRun);
    Answer {
        evidence: runs.chain(explanation.map(Evidence::Strategy)).collect(),
        caveats: remarks.collect(),
        engine: NAME.to_owned(),
        ..answer
    }
}

/// Returns what the answer owes to quotients of or by operands without implementations.
fn notes_on_quotients(theory: &mut Theory<'_>, question: &SpecificationQuery) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for expression in expressions(question) {
        // The verdict stands even if the budget does not suffice for the notes.
        notes.extend(universal_quotients(theory, expression).unwrap_or_default());
        if is_about_text(question) {
            notes.extend(empty_quotients(theory, expression).unwrap_or_default());
        }
    }
    let mut seen = HashSet::new();
    notes.retain(|note| seen.insert(note.clone()));
    notes
}

/// Returns whether the answer is about the specification as written, from its initial state.
fn is_about_text(question: &SpecificationQuery) -> bool {
    match question {
        SpecificationQuery::Specification(_)
        | SpecificationQuery::Determinism(_)
        | SpecificationQuery::Formula { .. } => true,
        SpecificationQuery::Reachability { start, .. } => start.is_none(),
        _ => false,
    }
}

fn outcome(
    theory: &mut Theory<'_>,
    question: &SpecificationQuery,
    most_runs: usize,
    counts: &mut Statistics,
) -> Result<QuestionOutcome, Obstacle> {
    match question {
        SpecificationQuery::Refinement(left, right) => refinement(theory, left, right, most_runs, counts),
        SpecificationQuery::Satisfaction(left, right) => {
            let first = implementation(theory, left)?;
            let second = refinement(theory, left, right, most_runs, counts)?;
            let remarks = first.remarks.into_iter().chain(second.remarks).collect();
            Ok(QuestionOutcome { holds: first.holds && second.holds, remarks, evidence: second.evidence })
        }
        SpecificationQuery::Consistency(system) => {
            let mut remarks = determinism_faults(theory, system, "the specification")?;
            if let Some(culprit) = unimplementable(theory, system)? {
                remarks.push("the specification is not consistent: it has no implementation".to_owned());
                remarks.extend(note_on_operand(theory, system, culprit));
            }
            let mut outcome = QuestionOutcome::unless(remarks);
            // The verdict stands even if the budget does not suffice for a strategy.
            if !outcome.holds
                && let Ok(Some((strategy, culprit))) = strategy_against(theory, system)
            {
                let mut rules = strategy.lines();
                if !culprit.is_copy_of(system) {
                    rules.insert(0, format!("against {} alone:", Term::of(theory.network, culprit)));
                }
                outcome.evidence.push(Evidence::Strategy(Strategy { rules }));
            }
            Ok(outcome)
        }
        SpecificationQuery::LocalConsistency(system) => {
            let id = theory.unpruned(system, true)?;
            if !theory.has_good_start(id)? {
                return Ok(QuestionOutcome::fails("the initial state is inconsistent"));
            }
            Ok(match theory.stuck_state(id)? {
                None => match unimplementable(theory, system)? {
                    None => QuestionOutcome::holds(),
                    Some(culprit) => QuestionOutcome::fails(no_state_of_its_own(theory, system, culprit)),
                },
                Some(fault) => QuestionOutcome::fails(format!(
                    "neither an unbounded delay nor an output is possible {}",
                    fault_text(theory, id, &fault)
                )),
            })
        }
        SpecificationQuery::Specification(system) => {
            let id = theory.unpruned(system, false)?;
            let mut remarks = Vec::new();
            if let Some(fault) = theory.nondeterminism(id)? {
                remarks.push(format!("not deterministic: {}", nondeterminism_text(theory, id, &fault)));
            }
            if let Some(fault) = theory.missing_input(id)? {
                let action = fault.action.map_or("?", |action| theory.names.name(action)).to_owned();
                remarks
                    .push(format!("the input `{action}` is not accepted {}", fault_text(theory, id, &fault)));
            }
            Ok(QuestionOutcome::unless(remarks))
        }
        SpecificationQuery::Implementation(system) => implementation(theory, system),
        SpecificationQuery::Determinism(system) => {
            let id = theory.unpruned(system, true)?;
            Ok(match theory.nondeterminism(id)? {
                None => QuestionOutcome::holds(),
                Some(fault) => QuestionOutcome::fails(nondeterminism_text(theory, id, &fault)),
            })
        }
        SpecificationQuery::Reachability { system, start, goal } => {
            let id = theory.unpruned(system, true)?;
            let Some(reaching) = theory.can_reach(id, start.as_ref(), goal)? else {
                return Ok(QuestionOutcome { holds: false, ..QuestionOutcome::holds() });
            };
            let mut outcome = QuestionOutcome::holds();
            if let Some((rules, run)) = reaching.explanation {
                outcome.evidence.push(Evidence::SpecificationRun(run));
                if !rules.is_empty() {
                    outcome.evidence.push(Evidence::Strategy(Strategy { rules }));
                }
            }
            Ok(outcome)
        }
        // Formulas are answered elsewhere; no verdict may come from here.
        SpecificationQuery::Formula { .. } => {
            Err(SearchAbort::Unsupported("a formula instead of a question about specifications".to_owned())
                .into())
        }
        SpecificationQuery::Component { system, form, name } => {
            let Some(component) = computed_component(theory, system, *form, name.as_deref())? else {
                let mut remarks = vec!["it is not consistent, so no component remains".to_owned()];
                if let Some(culprit) = unimplementable(theory, system)? {
                    remarks.extend(note_on_operand(theory, system, culprit));
                }
                return Ok(QuestionOutcome::unless(remarks));
            };
            let counts = |count: usize, what: &str| match count {
                1 => format!("1 {what}"),
                _ => format!("{count} {what}s"),
            };
            let (locations, edges) = (component.locations.len(), component.edges.len());
            let size =
                format!("the component has {} and {}", counts(locations, "location"), counts(edges, "edge"));
            let mut remarks = vec![size];
            if let Some(culprit) = unimplementable(theory, system)? {
                remarks.extend(note_on_operand(theory, system, culprit));
            }
            Ok(QuestionOutcome {
                remarks,
                evidence: vec![Evidence::Component(component)],
                ..QuestionOutcome::holds()
            })
        }
    }
}

/// Returns a note if an expression has no implementation because of one of its operands.
fn note_on_operand(theory: &Theory<'_>, system: &SpecExpression, culprit: &SpecExpression) -> Option<String> {
    let what = format!("neither has `{}`", Term::of(theory.network, system));
    (!culprit.is_copy_of(system)).then(|| because_of(theory, culprit, &what))
}

/// Returns why an expression that never stops as written still has no consistent state.
fn no_state_of_its_own(theory: &Theory<'_>, system: &SpecExpression, culprit: &SpecExpression) -> String {
    note_on_operand(theory, system, culprit)
        .unwrap_or_else(|| because_of(theory, culprit, "none of its states is consistent"))
}

/// Returns why a specification is not an implementation.
fn implementation(theory: &mut Theory<'_>, system: &SpecExpression) -> Result<QuestionOutcome, Obstacle> {
    let id = theory.unpruned(system, true)?;
    let mut remarks = Vec::new();
    if !theory.has_good_start(id)? {
        remarks.push("the initial state is inconsistent".to_owned());
    }
    if let Some(fault) = theory.nondeterminism(id)? {
        remarks.push(format!("not deterministic: {}", nondeterminism_text(theory, id, &fault)));
    }
    if let Some(fault) = theory.stuck_state(id)? {
        remarks.push(format!(
            "neither an unbounded delay nor an output is possible {}",
            fault_text(theory, id, &fault)
        ));
    }
    if let Some(fault) = theory.lazy_output(id)? {
        let action = fault.action.map_or("?", |action| theory.names.name(action)).to_owned();
        remarks.push(format!("the output `{action}` is not urgent {}", fault_text(theory, id, &fault)));
    }
    if let Some(culprit) = unimplementable(theory, system)? {
        match note_on_operand(theory, system, culprit) {
            Some(note) => remarks.push(note),
            None if remarks.is_empty() => remarks.push(no_state_of_its_own(theory, system, culprit)),
            None => {}
        }
    }
    Ok(QuestionOutcome::unless(remarks))
}

fn refinement(
    theory: &mut Theory<'_>,
    left: &SpecExpression,
    right: &SpecExpression,
    most_runs: usize,
    counts: &mut Statistics,
) -> Result<QuestionOutcome, Obstacle> {
    let Preconditions { failed, left: one, right: other, is_left_consistent, is_right_consistent } =
        preconditions(theory, left, right)?;
    if !failed.is_empty() {
        return Ok(QuestionOutcome::unless(failed));
    }
    if !is_left_consistent {
        let culprit = unimplementable(theory, left)?.unwrap_or(left);
        return Ok(QuestionOutcome { remarks: vec![vacuous(theory, culprit)], ..QuestionOutcome::holds() });
    }
    if !is_right_consistent {
        let culprit = Term::of(theory.network, unimplementable(theory, right)?.unwrap_or(right));
        let why = "has no implementation, but the left side has one";
        return Ok(QuestionOutcome::fails(format!("`{culprit}`, on the right side, {why}")));
    }
    let search = Refinement::search(theory, one, other, most_runs.max(1))?;
    counts.stored += search.nodes.len() as u64;
    counts.explored += search.nodes.len() as u64;
    counts.transitions += search.transitions;
    if search.violations.is_empty() {
        return Ok(QuestionOutcome::holds());
    }
    let mut outcome = QuestionOutcome { holds: false, ..QuestionOutcome::holds() };
    if search.is_cut_short {
        outcome.remarks.push("there may be more runs: the budget ran out after the first ones".to_owned());
    }
    if let SpecExpression::Quotient(whole, part) = right
        // The verdict stands even if the budget does not suffice for an executable run.
        && let Ok(Some((rules, run))) = run_of_whole(theory, left, whole, part)
    {
        outcome.remarks.push(refused_text(theory, search.violations[0].refused));
        let both = SpecExpression::Composition(part.clone(), Box::new(left.clone()));
        let claim = SpecificationQuery::Refinement(both, whole.as_ref().clone());
        let claim = Claim::of(theory.network, &claim).map_or(String::new(), |claim| claim.to_string());
        let law = format!("this is equivalent to a violation of `{claim}`, which this run shows");
        outcome.remarks.push(law);
        outcome.evidence.push(Evidence::RefusedRun(run));
        outcome.evidence.push(Evidence::Strategy(Strategy { rules }));
    }
    let of_whole = usize::from(!outcome.evidence.is_empty());
    let mut explained = HashSet::new();
    for violation in &search.violations {
        let place = (search.states(violation.node), violation.refused);
        if explained.len() + of_whole >= most_runs.max(1) || explained.contains(&place) {
            continue;
        }
        let what = refused_text(theory, violation.refused);
        if !outcome.remarks.contains(&what) {
            outcome.remarks.push(what);
        }
        if let Some((rules, run)) = crate::counterexample::explained_violation(theory, &search, violation)? {
            explained.insert(place);
            outcome.evidence.push(Evidence::RefusedRun(run));
            outcome.evidence.push(Evidence::Strategy(Strategy { rules }));
        }
    }
    Ok(outcome)
}

/// Returns a run of the part beside the left side that the whole refuses, which shows that the left side does not
/// refine the quotient; `None` if the two cannot be compared.
fn run_of_whole(
    theory: &mut Theory<'_>,
    left: &SpecExpression,
    whole: &SpecExpression,
    part: &SpecExpression,
) -> Result<Option<(Vec<String>, RefusedRun)>, Obstacle> {
    let both = SpecExpression::Composition(Box::new(part.clone()), Box::new(left.clone()));
    let found = match preconditions(theory, &both, whole) {
        Err(Obstacle::Actions(_)) => return Ok(None),
        other => other?,
    };
    if !found.failed.is_empty() || !found.is_left_consistent || !found.is_right_consistent {
        return Ok(None);
    }
    let search = Refinement::search(theory, found.left, found.right, 1)?;
    let Some(violation) = search.violations.first() else { return Ok(None) };
    let explained = crate::counterexample::explained_violation(theory, &search, violation)?;
    Ok(explained.map(|(rules, run)| (rules, RefusedRun { is_of_whole: true, ..run })))
}

fn refused_text(theory: &Theory<'_>, refused: Refused) -> String {
    let name = |action| theory.names.name(action);
    match refused {
        Refused::Delay => "time may pass on the left but not on the right".to_owned(),
        Refused::Output(action) => {
            format!("the right side does not allow the output `{}` of the left side", name(action))
        }
        Refused::Input(action) => {
            format!("the left side does not accept the input `{}` of the right side", name(action))
        }
    }
}

/// Returns why the specifications of a question cannot be composed, if so.
///
/// Operands of a quotient must be deterministic, so this may search; problems beyond the budget are left to the engine.
pub fn composition_problems(
    network: &Network,
    question: &SpecificationQuery,
    budget: &Budget,
) -> Option<CompositionProblem> {
    let mut theory = Theory::new(network, InputCompletion::default(), budget);
    expressions(question).into_iter().find_map(|expression| problem_of(&mut theory, expression))
}

/// Returns whether the answer depends only on the timed behaviour from the initial state, not on clock values.
fn is_about_behaviour(question: &SpecificationQuery) -> bool {
    match question {
        SpecificationQuery::Refinement(left, right) | SpecificationQuery::Satisfaction(left, right) => {
            !is_restricted(left) && !is_restricted(right)
        }
        SpecificationQuery::Consistency(system)
        | SpecificationQuery::LocalConsistency(system)
        | SpecificationQuery::Specification(system)
        | SpecificationQuery::Implementation(system)
        | SpecificationQuery::Determinism(system) => !is_restricted(system),
        SpecificationQuery::Reachability { .. }
        | SpecificationQuery::Component { .. }
        | SpecificationQuery::Formula { .. } => false,
    }
}

fn is_restricted(expression: &SpecExpression) -> bool {
    match expression {
        SpecExpression::Component { .. } => false,
        SpecExpression::Restricted(..) => true,
        SpecExpression::Composition(left, right)
        | SpecExpression::Conjunction(left, right)
        | SpecExpression::Quotient(left, right) => is_restricted(left) || is_restricted(right),
    }
}

fn expressions(question: &SpecificationQuery) -> Vec<&SpecExpression> {
    match question {
        SpecificationQuery::Refinement(left, right) | SpecificationQuery::Satisfaction(left, right) => {
            vec![left, right]
        }
        SpecificationQuery::Consistency(system)
        | SpecificationQuery::LocalConsistency(system)
        | SpecificationQuery::Specification(system)
        | SpecificationQuery::Implementation(system)
        | SpecificationQuery::Determinism(system)
        | SpecificationQuery::Reachability { system, .. }
        | SpecificationQuery::Component { system, .. }
        | SpecificationQuery::Formula { system, .. } => vec![system],
    }
}

pub(crate) fn problem_of(theory: &mut Theory<'_>, expression: &SpecExpression) -> Option<CompositionProblem> {
    let (left, right) = match expression {
        SpecExpression::Component { .. } => {
            return match theory.unpruned(expression, true) {
                Err(Obstacle::Actions(message)) => Some(problem(expression, message)),
                Err(Obstacle::Abort(SearchAbort::Unsupported(what))) => Some(problem(expression, what)),
                _ => None,
            };
        }
        SpecExpression::Restricted(system, _) => return problem_of(theory, system),
        SpecExpression::Composition(left, right)
        | SpecExpression::Conjunction(left, right)
        | SpecExpression::Quotient(left, right) => (left, right),
    };
    if let Some(found) = problem_of(theory, left).or_else(|| problem_of(theory, right)) {
        return Some(found);
    }
    if let Err(Obstacle::Actions(message)) = theory.unpruned(expression, true) {
        return Some(problem(expression, message));
    }
    if matches!(expression, SpecExpression::Quotient(..)) {
        for (side, who) in
            [(left, "the left operand of a quotient"), (right, "the right operand of a quotient")]
        {
            if let Ok(faults) = determinism_faults(theory, side, who)
                && let Some(fault) = faults.into_iter().next()
            {
                return Some(problem(side, fault));
            }
        }
    }
    None
}

fn problem(expression: &SpecExpression, message: String) -> CompositionProblem {
    CompositionProblem { message, origin: first_origin(expression) }
}

pub(crate) fn first_origin(expression: &SpecExpression) -> Origin {
    match expression {
        SpecExpression::Component { origin, .. } => *origin,
        SpecExpression::Composition(left, _)
        | SpecExpression::Conjunction(left, _)
        | SpecExpression::Quotient(left, _)
        | SpecExpression::Restricted(left, _) => first_origin(left),
    }
}
