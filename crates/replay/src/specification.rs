//! Runs that show why a specification does not refine another, executed component by component.
//!
//! Invariant: everything is computed from the definitions, at concrete clock values, as the run goes: which edges a component
//! takes on an action follows from the action, since specifications are deterministic. The moves of a component are those of
//! its edges whose guard holds and that lead into the invariant of their target; an input without such an edge is ignored.
//! A quotient on the right is executed as what it stands for: `X <= T \\ S` holds exactly if `S || X <= T` does. Other quotients are
//! executed by their rules: whole and part move together, and once the part cannot have come to where it is, anything is allowed. If
//! something was pruned from the left, the run is executed on all of it; that the run does nothing of what was pruned is not
//! shown by that.
//!
//! The definitions are those of David, Larsen, Legay, Nyman and Wąsowski, "Timed I/O automata: a complete specification theory
//! for real-time systems" (2010).

use std::collections::BTreeSet;

use tempora_evidence::{
    Budget, Participation, Rational, RefusedMove, RefusedRun, RuntimeError, Transition, TransitionKind,
};
use tempora_model::{
    ChannelPosition, Comparison, Id, Location, LocationId, LocationKind, Network, ProcessId, SpecExpression,
    SynchronisationRole, Table, channel_offset, component_actions,
};

use crate::clock_formulas::{ClockFormula, DiscreteEdge};
use crate::delay::is_own_limit;
use crate::delay_set::{Cut, DelaySet};
use crate::interpreter::Interpreter;
use crate::state::ConcreteState;
use crate::step::Outcome;

/// What comes of the execution of a run.
pub(crate) enum Replayed {
    /// It shows that the left does not refine the right.
    Shown,
    /// It would show it, if it does nothing that had to be removed from the left.
    Executed,
    /// It is not executed, for this reason.
    NotTried(String),
    /// It is no such run, for this reason.
    Refuted(String),
}

const REMOVED: &str = "a part that cannot be implemented had to be removed";

/// Executes a run.
///
/// If something was removed on the right, the run is executed against all of it: what that does not allow, a part of it does
/// not allow either. If something was removed on the left, it may be what the run does; but a run that all of the left does not
/// have is wrong in any case.
pub(crate) fn replay_refusal(
    components: &Network,
    left: &SpecExpression,
    right: &SpecExpression,
    run: &RefusedRun,
    budget: &Budget,
) -> Replayed {
    let (both, left, right) = match (run.is_of_whole, right) {
        (false, _) => (None, left, right),
        (true, SpecExpression::Quotient(whole, part)) => {
            (Some(SpecExpression::Composition(part.clone(), Box::new(left.clone()))), left, whole.as_ref())
        }
        (true, _) => return Replayed::Refuted("a run of a quotient, and there is none".to_owned()),
    };
    let left = both.as_ref().unwrap_or(left);
    // Without its bad part, the part of a quotient leaves more open than with it.
    if run.is_right_pruned && has_quotient(right) {
        return Replayed::NotTried(REMOVED.to_owned());
    }
    let mut networks = Vec::new();
    for (process, _) in left.components().into_iter().chain(right.components()) {
        networks.push(component_alone(components, process));
    }
    let is_divided = has_quotient(left);
    let mut rest = networks.as_slice();
    let (Some(mut left), Some(mut right)) =
        (Side::new(left, &mut rest, budget), Side::new(right, &mut rest, budget))
    else {
        return Replayed::NotTried("something must always hold in it".to_owned());
    };
    match show(&mut left, &mut right, run) {
        Ok(()) if run.is_left_pruned => Replayed::Executed,
        Ok(()) => Replayed::Shown,
        // What was removed on the right may be what is refused; what was removed from the part of a quotient on the left may be why
        // anything is allowed.
        Err(Trouble::Wrong(_)) if run.is_right_pruned || (run.is_left_pruned && is_divided) => {
            Replayed::NotTried(REMOVED.to_owned())
        }
        Err(Trouble::Wrong(why)) => Replayed::Refuted(why),
        Err(Trouble::Error(error)) if is_own_limit(&error.kind) => Replayed::NotTried(error.to_string()),
        Err(Trouble::Error(error)) => Replayed::Refuted(error.to_string()),
    }
}

fn has_quotient(expression: &SpecExpression) -> bool {
    match expression {
        SpecExpression::Component { .. } => false,
        SpecExpression::Quotient(..) => true,
        SpecExpression::Composition(left, right) | SpecExpression::Conjunction(left, right) => {
            has_quotient(left) || has_quotient(right)
        }
        SpecExpression::Restricted(system, _) => has_quotient(system),
    }
}

/// Why a run does not come to its end.
enum Trouble {
    Wrong(String),
    Error(RuntimeError),
}

impl From<RuntimeError> for Trouble {
    fn from(error: RuntimeError) -> Trouble {
        Trouble::Error(error)
    }
}

fn wrong<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Wrong(why.into()))
}

fn show<'network>(
    left: &mut Side<'network>,
    right: &mut Side<'network>,
    run: &RefusedRun,
) -> Result<(), Trouble> {
    for (number, chosen) in run.moves.iter().enumerate() {
        for (side, who) in [(&mut *left, "left"), (&mut *right, "right")] {
            if !side.wait(chosen.delay)? {
                return wrong(format!("step {}: time may not pass on the {who}", number + 1));
            }
            if side.knows(chosen.action) && !side.act(chosen.action)? {
                return wrong(format!("step {}: the action is not possible on the {who}", number + 1));
            }
        }
        if !left.knows(chosen.action) && !right.knows(chosen.action) {
            return wrong(format!("step {}: nobody has the action", number + 1));
        }
    }
    if !left.wait(run.delay)? {
        return wrong("time may not pass on the left before what is refused");
    }
    let may_wait = right.wait(run.delay)?;
    let (takes, refuses, action) = match run.refused {
        RefusedMove::Delay if may_wait => return wrong("time may pass on the right"),
        RefusedMove::Delay => return Ok(()),
        _ if !may_wait => return wrong("time may not pass on the right before what is refused"),
        RefusedMove::Output(action) if left.outputs.contains(&action) => (left, right, action),
        RefusedMove::Input(action) if right.inputs.contains(&action) => (right, left, action),
        _ => return wrong("what is refused is no action of the side that does it"),
    };
    if !takes.act(action)? {
        return wrong("what is refused is not possible where it is offered");
    }
    if !refuses.knows(action) || refuses.act(action)? {
        return wrong("what is refused is possible");
    }
    Ok(())
}

type Action = Option<ChannelPosition>;

/// A specification and where it is.
struct Side<'network> {
    inputs: BTreeSet<Action>,
    outputs: BTreeSet<Action>,
    kind: SideKind<'network>,
}

enum SideKind<'network> {
    Component {
        interpreter: Interpreter<'network>,
        process: ProcessId,
        state: ConcreteState,
    },
    /// A composition or a conjunction: both move together on what both know.
    Both(Box<Side<'network>>, Box<Side<'network>>),
    /// What has to be put beside a part to get a whole; nothing of it is left once anything is allowed.
    Quotient(Option<Box<Divided<'network>>>),
}

/// The whole and the part of a quotient.
struct Divided<'network> {
    whole: Side<'network>,
    part: Side<'network>,
}

impl<'network> Side<'network> {
    /// At the start; the networks of its components are taken from the front. `None` if something must always hold in it.
    fn new(
        expression: &SpecExpression,
        networks: &mut &'network [Network],
        budget: &Budget,
    ) -> Option<Side<'network>> {
        match expression {
            SpecExpression::Component { process, .. } => {
                let (network, rest) = networks.split_first()?;
                *networks = rest;
                let interpreter = Interpreter::new(network).within(budget);
                let locations = interpreter.initial_choices().next()?;
                let state = interpreter.state_at_start(locations);
                let actions = component_actions(network, &network.processes[*process]);
                let mut outputs: BTreeSet<Action> = actions.outputs.into_iter().map(Some).collect();
                if actions.has_unnamed {
                    outputs.insert(None);
                }
                let inputs = actions.inputs.into_iter().map(Some).collect();
                let kind = SideKind::Component { interpreter, process: *process, state };
                Some(Side { inputs, outputs, kind })
            }
            SpecExpression::Composition(left, right) | SpecExpression::Conjunction(left, right) => {
                let (left, right) = (Side::new(left, networks, budget)?, Side::new(right, networks, budget)?);
                let outputs: BTreeSet<Action> = left.outputs.union(&right.outputs).copied().collect();
                let inputs = left.inputs.union(&right.inputs).copied();
                let inputs = inputs.filter(|action| !outputs.contains(action)).collect();
                Some(Side { inputs, outputs, kind: SideKind::Both(Box::new(left), Box::new(right)) })
            }
            SpecExpression::Quotient(whole, part) => {
                let (whole, part) = (Side::new(whole, networks, budget)?, Side::new(part, networks, budget)?);
                let inputs = whole.inputs.union(&part.outputs).copied().collect();
                let decided = whole.outputs.difference(&part.outputs);
                let outputs = decided.chain(part.inputs.difference(&whole.inputs)).copied().collect();
                let kind = SideKind::Quotient(Some(Box::new(Divided { whole, part })));
                Some(Side { inputs, outputs, kind })
            }
            SpecExpression::Restricted(..) => None,
        }
    }

    /// Until when time may pass.
    fn longest_delay(&self) -> Result<Cut, Trouble> {
        let never = Cut::before(Rational::from_integer(0));
        match &self.kind {
            SideKind::Component { interpreter, state, .. } => {
                Ok(interpreter.allowed_delays(state)?.end().unwrap_or(never))
            }
            SideKind::Both(left, right) => Ok(left.longest_delay()?.min(right.longest_delay()?)),
            SideKind::Quotient(None) => Ok(DelaySet::all().end().unwrap_or(never)),
            SideKind::Quotient(Some(divided)) => {
                let (whole, part) = (divided.whole.longest_delay()?, divided.part.longest_delay()?);
                // The part is gone before the whole has to be.
                Ok(if part <= whole { DelaySet::all().end().unwrap_or(never) } else { whole })
            }
        }
    }

    fn knows(&self, action: Action) -> bool {
        self.inputs.contains(&action) || self.outputs.contains(&action)
    }

    /// Lets time pass; false if it may not.
    fn wait(&mut self, delay: Rational) -> Result<bool, Trouble> {
        match &mut self.kind {
            SideKind::Component { interpreter, state, .. } => {
                match interpreter.attempt_delay(state, delay) {
                    Outcome::Possible(later) => *state = later,
                    Outcome::Impossible(_) => return Ok(false),
                    Outcome::Error(error) => return Err(error.into()),
                }
                Ok(true)
            }
            SideKind::Both(left, right) => Ok(left.wait(delay)? && right.wait(delay)?),
            SideKind::Quotient(divided) => {
                let Some(both) = divided else { return Ok(true) };
                let is_part_first = both.part.longest_delay()? <= both.whole.longest_delay()?;
                if both.part.wait(delay)? {
                    return both.whole.wait(delay);
                }
                *divided = None;
                Ok(is_part_first)
            }
        }
    }

    /// Does what there is to do on an action; false if it is not possible.
    fn act(&mut self, action: Action) -> Result<bool, Trouble> {
        match &mut self.kind {
            SideKind::Component { interpreter, process, state } => {
                let is_input = self.inputs.contains(&action);
                match successor(interpreter, *process, state, action, is_input)? {
                    Next::One(next) => *state = next,
                    Next::None if is_input => {}
                    Next::None => return Ok(false),
                    Next::Several => return wrong("a side is not deterministic"),
                }
                Ok(true)
            }
            SideKind::Both(left, right) => {
                Ok((!left.knows(action) || left.act(action)?)
                    && (!right.knows(action) || right.act(action)?))
            }
            SideKind::Quotient(divided) => {
                let Some(both) = divided else { return Ok(true) };
                if both.part.knows(action) && !both.part.act(action)? {
                    // It does not happen beside this part, so nothing is said of what would follow.
                    *divided = None;
                    return Ok(true);
                }
                Ok(!both.whole.knows(action) || both.whole.act(action)?)
            }
        }
    }
}

/// What an action leads to.
enum Next {
    None,
    One(ConcreteState),
    Several,
}

fn successor(
    interpreter: &Interpreter<'_>,
    process: ProcessId,
    state: &ConcreteState,
    action: Action,
    is_input: bool,
) -> Result<Next, RuntimeError> {
    let location = &interpreter.network().processes[process].locations[state.locations[process.index()]];
    if location.labels.iter().any(|label| label == "universal") {
        return Ok(Next::One(state.clone()));
    }
    let mut found: Option<ConcreteState> = None;
    for edge in interpreter.discrete_edges(state)? {
        if !is_on(interpreter.network(), &edge, action, is_input) || !holds(&edge.guard, &state.clocks) {
            continue;
        }
        let participant =
            Participation { process, edge: edge.edge, branch: 0, select_values: edge.select_values };
        let transition = Transition { kind: TransitionKind::Internal, participants: vec![participant] };
        let (mut next, origins) = interpreter.discrete_successor(state, &transition)?;
        next.clocks = origins
            .iter()
            .map(|origin| {
                origin.clock.map_or(Rational::from_integer(0), |clock| state.clocks[clock]) + origin.plus
            })
            .collect();
        if !holds(&interpreter.invariant_formula(&next)?, &next.clocks) {
            continue;
        }
        match &found {
            Some(other) if *other != next => return Ok(Next::Several),
            _ => found = Some(next),
        }
    }
    Ok(found.map_or(Next::None, Next::One))
}

fn is_on(network: &Network, edge: &DiscreteEdge, action: Action, is_input: bool) -> bool {
    match &edge.channel {
        None => action.is_none(),
        Some(channel) => {
            let value_type = &network.variables[channel.variable].value_type;
            let offset = channel_offset(value_type, &channel.path);
            let position = ChannelPosition { variable: channel.variable, offset };
            action == Some(position) && is_input == (channel.role == SynchronisationRole::Receive)
        }
    }
}

/// Whether a condition holds for these clocks.
fn holds(formula: &ClockFormula, clocks: &[Rational]) -> bool {
    match formula {
        ClockFormula::Constant(value) => *value,
        ClockFormula::Not(inner) => !holds(inner, clocks),
        ClockFormula::And(parts) => parts.iter().all(|part| holds(part, clocks)),
        ClockFormula::Or(parts) => parts.iter().any(|part| holds(part, clocks)),
        ClockFormula::Compare(compared) => {
            let value = |clock: Option<usize>| clock.map_or(Rational::from_integer(0), |clock| clocks[clock]);
            let difference = value(compared.left) - value(compared.right);
            match compared.comparison {
                Comparison::Less => difference < compared.bound,
                Comparison::LessOrEqual => difference <= compared.bound,
                Comparison::Equal => difference == compared.bound,
                Comparison::NotEqual => difference != compared.bound,
                Comparison::GreaterOrEqual => difference >= compared.bound,
                Comparison::Greater => difference > compared.bound,
            }
        }
    }
}

/// The network in which all other processes have nothing to do and nothing to say about time.
pub fn component_alone(network: &Network, process: ProcessId) -> Network {
    let mut alone = network.clone();
    alone.vectors.clear();
    for (id, other) in network.processes.iter() {
        if id == process {
            continue;
        }
        let silent = &mut alone.processes[id];
        silent.edges = Table::new();
        silent.locations = other
            .locations
            .values()
            .take(1)
            .map(|location| Location {
                invariant: tempora_model::Condition::default(),
                clock_rates: Vec::new(),
                kind: LocationKind::Ordinary,
                ..location.clone()
            })
            .collect();
        silent.initial = vec![LocationId(0)];
    }
    alone
}
