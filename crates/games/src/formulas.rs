//! Formulas about specifications: what is true of all that a specification may do, whatever its environment does.
//!
//! Invariant: a formula is answered for a network of two processes, the component of the specification, as it is before
//! anything is removed, and an environment that may send each input at any time. Nobody has to take outputs. What the formula
//! says of the parts of the specification is said of the component (see [`crate::formula_terms`]).

use std::collections::BTreeMap;
use std::sync::Arc;

use tempora_evidence::{Answer, Budget, Engine, Progress, Rational, Strategy, Task, Trace};
use tempora_explore::ZoneEngine;
use tempora_model::syntax::parse_network;
use tempora_model::{
    Formula, Id, MadeComponent, Network, Query, QueryKind, SpecExpression, elaborate_network,
};
use tempora_source::{Files, Origins};

use crate::explicit::{ExplicitComponent, explicit_component};
use crate::formula_terms::FormulaTerms;
use crate::made::{Detail, in_names};
use crate::stop::Stop;
use crate::theory::{Obstacle, SpecificationId, Theory};

/// What the component is called where the formula is answered.
const COMPONENT: &str = "Specification";

/// What is said of a formula.
pub(crate) struct FormulaAnswer {
    pub(crate) answer: Answer,
    /// The run that shows it, for a reader.
    pub(crate) run: Option<Strategy>,
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
    let explicit = explicit_component(theory, id)?;
    if explicit.locations.iter().any(|location| location.is_chain) {
        return Err(unsupported("formulas about quotients whose part may be gone").into());
    }
    let made = in_names(theory, id, &explicit, None, Detail::Everything)?;
    let task = task_of(theory, id, (&explicit, &made), formula)?;
    let answer = ZoneEngine::default().run(&task, budget, progress).into_iter().next();
    let answer = answer.ok_or_else(|| unsupported("this formula about an expression"))?;
    let run = answer.trace().map(|trace| told(&task.network, &made, trace));
    Ok(FormulaAnswer { answer, run })
}

fn unsupported(what: &str) -> Stop {
    Stop::Unsupported(what.to_owned())
}

/// The component and its environment. Channels get other names, since theirs may be any texts, and all are broadcast.
fn model_text(made: &MadeComponent) -> String {
    let mut channels: BTreeMap<&str, usize> = BTreeMap::new();
    for channel in made.edges.iter().filter_map(|edge| edge.channel.as_deref()) {
        let number = channels.len();
        channels.entry(channel).or_insert(number);
    }
    let mut renamed = made.clone();
    let mut inputs: Vec<String> = Vec::new();
    for (edge, written) in renamed.edges.iter_mut().zip(&made.edges) {
        let Some(number) = written.channel.as_deref().and_then(|channel| channels.get(channel)) else {
            continue;
        };
        let name = format!("action{number}");
        if !edge.is_output && !inputs.contains(&name) {
            inputs.push(name.clone());
        }
        edge.channel = Some(name);
    }
    let names: Vec<String> = (0..channels.len()).map(|number| format!("action{number}")).collect();
    let declared =
        if names.is_empty() { String::new() } else { format!("broadcast chan {};\n", names.join(", ")) };
    let loops: Vec<String> =
        inputs.iter().map(|name| format!("    Any -> Any {{ sync {name}!; }}\n")).collect();
    format!(
        "{declared}{}process Environment {{\n    init location Any;\n{}}}\nsystem {COMPONENT}, Environment;\n",
        renamed.text(COMPONENT),
        loops.concat()
    )
}

fn task_of(
    theory: &Theory<'_>,
    id: SpecificationId,
    (explicit, made): (&ExplicitComponent, &MadeComponent),
    formula: &Formula,
) -> Result<Task, Stop> {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let failed = || unsupported("this formula about an expression");
    let file = files.add("component", model_text(made)).map_err(|_| failed())?;
    let tree = parse_network(&files, file).tree;
    let network = elaborate_network(&files, &mut origins, &tree).network.ok_or_else(failed)?;
    let mut terms = FormulaTerms::new(theory, id, (explicit, made), network, origins.built_in("formula"));
    let mut formula = formula.clone();
    for expression in formula.expressions_mut() {
        terms.say_of_component(expression)?;
    }
    let query =
        Query { text: String::new(), kind: QueryKind::Formula(formula), origin: origins.built_in("formula") };
    Ok(Task { network: Arc::new(terms.into_network()), queries: vec![query] })
}

/// A run as a reader sees it.
fn told(network: &Network, made: &MadeComponent, trace: &Trace) -> Strategy {
    let mut rules = Vec::with_capacity(trace.steps.len());
    let mut time = Rational::from_integer(0);
    for step in &trace.steps {
        time += step.delay;
        let own = step.transition.participants.iter().find(|part| part.process.index() == 0);
        let Some(edge) = own.and_then(|part| made.edges.get(part.edge.index())) else { continue };
        let (sign, who) = if edge.is_output { ('!', "it") } else { ('?', "the environment") };
        let action = edge.channel.as_deref().unwrap_or("(none)");
        let target = &made.locations[edge.target].name;
        rules.push(format!("at {time}: {who} chooses `{action}{sign}`, which leads to {target}"));
    }
    debug_assert_eq!(network.processes.len(), 2);
    Strategy { rules }
}
