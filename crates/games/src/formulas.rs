//! Formulas about specifications: properties of all behaviour that a specification allows, in any environment.
//!
//! Invariant: a formula is answered on a network of two processes, the explicit automaton of the unpruned specification
//! and an environment that may send each input at any time. Outputs need no receiver. The formula is translated by
//! [`crate::formula_terms`].

use std::sync::Arc;

use tempora_evidence::{
    Answer, Budget, ChosenMove, Engine, Evidence, Progress, Rational, SpecificationRun, Statistics, Strategy,
    Task, Trace, Verdict,
};
use tempora_explore::ZoneEngine;
use tempora_model::{
    ChannelPath, ComputedComponent, Formula, Id, Network, NetworkBuilder, Query, QueryKind, SpecExpression,
    channel_path,
};
use tempora_source::{Origin, Origins};

use crate::component::InputCompletion;
use crate::explicit::{ExplicitComponent, explicit_component};
use crate::formula_terms::FormulaTerms;
use crate::named_component::{Detail, named_component};
use crate::search_abort::SearchAbort;
use crate::theory::{Obstacle, SpecificationId, Theory};

/// The name of the automaton in that network.
const COMPONENT: &str = "Specification";

/// The answer to a formula.
pub(crate) struct FormulaAnswer {
    pub(crate) answer: Answer,
    /// The supporting runs.
    pub(crate) runs: Vec<SpecificationRun>,
    /// An explanation of the first run.
    pub(crate) explanation: Option<Strategy>,
}

/// Answers a formula about an expression.
pub(crate) fn answer_formula(
    theory: &mut Theory<'_>,
    system: &SpecExpression,
    formula: &Formula,
    budget: &Budget,
    progress: &Progress,
) -> Result<FormulaAnswer, Obstacle> {
    let id = theory.unpruned(system, true)?;
    if !theory.has_good_start(id)? {
        return Ok(without_states(formula));
    }
    let explicit = explicit_component(theory, id)?;
    if explicit.locations.iter().any(|location| location.is_chain) {
        return Err(unsupported("formulas about quotients whose state a delay can change").into());
    }
    let made = named_component(theory, id, &explicit, None, Detail::Everything)?;
    let (network, query) = task_of(theory, id, (&explicit, &made), formula)?;
    let task = Task::about_network(network.clone(), vec![query]);
    let answer = ZoneEngine::default().run(&task, budget, progress).into_iter().next();
    let answer = answer.ok_or_else(|| unsupported("this formula about a specification"))?;
    let explanation = answer.trace().map(|trace| explanation(&network, &made, trace));
    let is_verdict = matches!(answer.verdict, Verdict::Holds | Verdict::Fails);
    let runs = answer.evidence.iter().filter_map(|evidence| match evidence {
        Evidence::Trace(trace) if is_verdict => run_of(theory, id, &made, trace),
        _ => None,
    });
    let runs = runs.collect();
    Ok(FormulaAnswer { answer, runs, explanation })
}

/// Answers a formula about a specification that does not allow its initial state, so that it has no runs.
fn without_states(formula: &Formula) -> FormulaAnswer {
    let verdict = if holds_without_runs(formula) { Verdict::Holds } else { Verdict::Fails };
    let (caveats, statistics) = (Vec::new(), Statistics::default());
    let answer = Answer { verdict, evidence: Vec::new(), caveats, statistics, engine: String::new() };
    FormulaAnswer { answer, runs: Vec::new(), explanation: None }
}

fn holds_without_runs(formula: &Formula) -> bool {
    match formula {
        Formula::Possibly(_) | Formula::PotentiallyAlways(_) | Formula::InfinitelyOften(_) => false,
        Formula::Always(_)
        | Formula::Eventually(_)
        | Formula::LeadsTo { .. }
        | Formula::AlwaysPossibly { .. } => true,
        Formula::Not(inner) => !holds_without_runs(inner),
        Formula::And(parts) => parts.iter().all(holds_without_runs),
        Formula::Or(parts) => parts.iter().any(holds_without_runs),
    }
}

fn unsupported(what: &str) -> SearchAbort {
    SearchAbort::Unsupported(what.to_owned())
}

/// Returns the network of the automaton and its environment. All channels are broadcast.
fn network_of(made: &ComputedComponent, origin: Origin) -> Network {
    let mut builder = NetworkBuilder::new(origin);
    builder.component(COMPONENT, made);
    builder.environment("Environment", &made.inputs());
    builder.finish()
}

fn task_of(
    theory: &Theory<'_>,
    id: SpecificationId,
    (explicit, made): (&ExplicitComponent, &ComputedComponent),
    formula: &Formula,
) -> Result<(Arc<Network>, Query), SearchAbort> {
    // The task has no source positions, and its network is never shown.
    let origin = Origins::new().built_in("formula");
    let network = network_of(made, origin);
    let mut terms = FormulaTerms::new(theory, id, (explicit, made), network, origin);
    let mut formula = formula.clone();
    for expression in formula.expressions_mut() {
        terms.translate(expression)?;
    }
    let query = Query { text: String::new(), kind: QueryKind::Formula(formula), origin };
    Ok((Arc::new(terms.into_network()), query))
}

/// Converts a run of the network into one of the specification; `None` if a step has no counterpart.
fn run_of(
    theory: &Theory<'_>,
    id: SpecificationId,
    made: &ComputedComponent,
    trace: &Trace,
) -> Option<SpecificationRun> {
    let alphabet = &theory[id].alphabet;
    let named = |path: &ChannelPath, is_output: bool| {
        let actions = if is_output { &alphabet.outputs } else { &alphabet.inputs };
        let mut positions = actions.iter().filter_map(|&action| theory.names.position(action));
        positions.find(|&position| channel_path(theory.network, position) == *path)
    };
    let inputs = made.inputs();
    let mut moves = Vec::with_capacity(trace.steps.len());
    for step in &trace.steps {
        let participant =
            |process| step.transition.participants.iter().find(|part| part.process.index() == process);
        let action = match (participant(0), participant(1)) {
            (Some(own), _) => {
                let edge = made.edges.get(own.edge)?;
                match &edge.channel {
                    None => None,
                    Some(channel) => Some(named(channel, edge.is_output)?),
                }
            }
            // The input is ignored.
            (None, Some(sent)) => Some(named(inputs.get(sent.edge.index())?, false)?),
            (None, None) => return None,
        };
        moves.push(ChosenMove { delay: step.delay, action });
    }
    Some(SpecificationRun {
        start: None,
        moves,
        final_delay: trace.final_delay,
        ending: trace.ending.clone(),
        are_missing_inputs_errors: theory.completion == InputCompletion::Error,
    })
}

/// Explains a run step by step.
fn explanation(network: &Network, made: &ComputedComponent, trace: &Trace) -> Strategy {
    let mut rules = Vec::with_capacity(trace.steps.len());
    let mut time = Rational::from_integer(0);
    for step in &trace.steps {
        time += step.delay;
        let own = step.transition.participants.iter().find(|part| part.process.index() == 0);
        let Some(edge) = own.and_then(|part| made.edges.get(part.edge)) else { continue };
        let (sign, who) = if edge.is_output { ('!', "the specification") } else { ('?', "the environment") };
        let action = edge.channel.as_ref().map_or_else(|| "(none)".to_owned(), ChannelPath::to_string);
        let target = &made.locations[edge.target].name;
        rules.push(format!("at {time}: {who} sends `{action}{sign}`, which leads to {target}"));
    }
    debug_assert_eq!(network.processes.len(), 2);
    Strategy { rules }
}
