//! Formulas about specifications: what is true of all that a specification may do, whatever its environment does.
//!
//! Invariant: a formula is answered for a network of two processes, the component of the specification, as it is before
//! anything is removed, and an environment that may send each input at any time. Nobody has to take outputs. What the formula
//! says of the parts of the specification is said of the component: a location of a part is any of the component's that
//! stand for it, clocks keep their values.

use std::collections::BTreeMap;
use std::sync::Arc;

use tempora_evidence::{Answer, Budget, Engine, Progress, Rational, Strategy, Task, Trace};
use tempora_explore::ZoneEngine;
use tempora_model::syntax::{parse_network, parse_query};
use tempora_model::{
    Formula, Id, MadeComponent, Network, ProcessId, Query, QueryKind, SpecExpression, elaborate_network,
    elaborate_query, print_query,
};
use tempora_source::{Files, Origins};

use crate::explicit::{ExplicitComponent, explicit_component};
use crate::made::{Detail, clock_of, in_names};
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
    let question = question_text(theory, id, &explicit, &made, formula)?;
    let model = model_text(&made);
    let task = task_of(&model, &question)?;
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

fn task_of(model: &str, question: &str) -> Result<Task, Stop> {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let failed = || unsupported("this formula about an expression");
    let file = files.add("component", model).map_err(|_| failed())?;
    let tree = parse_network(&files, file).tree;
    let network = elaborate_network(&files, &mut origins, &tree).network.ok_or_else(failed)?;
    let file = files.add("question", question).map_err(|_| failed())?;
    let parsed = parse_query(&files, file);
    let query = elaborate_query(&files, &mut origins, &tree, &parsed.tree).0.ok_or_else(failed)?;
    Ok(Task { network: Arc::new(network), queries: vec![query] })
}

/// The formula with what the component calls locations and clocks.
fn question_text(
    theory: &Theory<'_>,
    id: SpecificationId,
    explicit: &ExplicitComponent,
    made: &MadeComponent,
    formula: &Formula,
) -> Result<String, Stop> {
    let network = theory.network;
    let query = Query {
        text: String::new(),
        kind: QueryKind::Formula(formula.clone()),
        origin: Origins::new().built_in("formula"),
    };
    let written = print_query(network, &query);
    let mut leaves = Vec::new();
    theory.leaves(id, 0, &mut leaves);
    let mut text = String::with_capacity(written.len());
    let mut rest = written.as_str();
    while let Some(first) = rest.chars().next() {
        let is_of_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.';
        let is_start = !text.ends_with(is_of_word);
        let found = network.processes.iter().filter(|_| is_start).find_map(|(process, known)| {
            let behind = rest.strip_prefix(known.name.as_str())?.strip_prefix('.')?;
            let length = behind.find(|letter| !is_of_word(letter)).unwrap_or(behind.len());
            Some((process, &behind[..length], &behind[length..]))
        });
        let Some((process, member, behind)) = found else {
            text.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        if behind.starts_with('[') {
            return Err(unsupported("arrays in formulas about an expression"));
        }
        text.push_str(&said_of_component(theory, id, explicit, made, (process, member), &leaves)?);
        rest = behind;
    }
    Ok(text)
}

fn said_of_component(
    theory: &Theory<'_>,
    id: SpecificationId,
    explicit: &ExplicitComponent,
    made: &MadeComponent,
    (process, member): (ProcessId, &str),
    leaves: &[(ProcessId, u32, u16)],
) -> Result<String, Stop> {
    let network = theory.network;
    let mut copies = leaves.iter().enumerate().filter(|(_, leaf)| leaf.0 == process);
    let (Some((position, leaf)), None) = (copies.next(), copies.next()) else {
        let name = &network.processes[process].name;
        return Err(unsupported(&format!("formulas about one of several copies of `{name}`")));
    };
    let locations = &network.processes[process].locations;
    if let Some((location, _)) =
        locations.iter().find(|(location, _)| network.location_name(process, *location) == member)
    {
        let mut names = Vec::new();
        for (known, made) in explicit.locations.iter().zip(&made.locations) {
            let mut places = Vec::new();
            theory.locations(id, known.state, &mut places);
            if places.get(position) == Some(&Some(location)) {
                names.push(format!("{COMPONENT}.{}", made.name));
            }
        }
        return Ok(if names.is_empty() { "false".to_owned() } else { format!("({})", names.join(" || ")) });
    }
    match clock_of(theory, leaf, member) {
        Some(clock) => Ok(format!("{COMPONENT}.{}", made.clocks[usize::from(clock.0) - 1])),
        None => Err(unsupported(&format!("the variable `{member}` in a formula about an expression"))),
    }
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
