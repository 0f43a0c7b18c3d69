//! The semantics of specifications at concrete clock values: allowed delays, and successors of actions.
//!
//! Invariant: everything is computed from the definitions when it is requested. The moves of a component are those of
//! its edges whose guard holds and whose target invariant does; an input without such an edge is ignored, or an error.
//! Compositions and conjunctions synchronise on common actions. A quotient moves as its whole and its part do; a move
//! that its part cannot make leads to the universal state, which allows everything. A predicate that must always hold
//! stops time and outputs; an input that violates it is an error. The error state is permissive: time passes, and
//! inputs change nothing.
//!
//! A pruned system is the greatest consistent part of the operator's result, and its operands are pruned too. The
//! operands of a quotient always are.
//!
//! The definitions are those of David, Larsen, Legay, Nyman and Wąsowski, "Timed I/O automata: a complete specification
//! theory for real-time systems" (2010); for the quotient, those of Goorden, Larsen, Legay, Lorber, Nyman and Wąsowski,
//! "Timed I/O automata: it is never too late to complete your timed specification theory" (2023).

use std::cell::RefCell;
use std::collections::BTreeSet;

use tempora_evidence::{Budget, ComponentStart, Rational, RuntimeError, RuntimeErrorKind};
use tempora_model::{
    ChannelPosition, Comparison, Id, Network, ProcessId, SpecExpression, StatePredicate, SynchronisationRole,
    VariableId, channel_offset, component_actions,
};

use crate::clock_formulas::{ClockFormula, DiscreteEdge};
use crate::clocks::linear_delays;
use crate::delay_set::{Cut, DelaySet};
use crate::interpreter::Interpreter;
use crate::rational;
use crate::specification::clock_constants::ClockConstants;
use crate::specification::consistency::Game;
use crate::state::ConcreteState;

/// An action; `None` is the output without a name.
pub(crate) type Action = Option<ChannelPosition>;

/// Why a run is not executed to its end.
#[derive(Debug)]
pub(crate) enum ExecutionFailure {
    /// It is not a run of the specification.
    Wrong(String),
    /// The model fails, or the interpreter reaches a limit.
    Error(RuntimeError),
    /// It is not computed, for this reason.
    Limit(String),
}

impl From<RuntimeError> for ExecutionFailure {
    fn from(error: RuntimeError) -> ExecutionFailure {
        ExecutionFailure::Error(error)
    }
}

/// The options for building a system from an expression.
#[derive(Clone, Copy)]
pub(crate) struct SystemOptions<'budget> {
    pub(crate) budget: &'budget Budget,
    pub(crate) are_missing_inputs_errors: bool,
    /// Whether only the greatest consistent part counts, at every level.
    pub(crate) is_pruned: bool,
}

/// A specification.
pub(crate) struct System<'network> {
    pub(crate) inputs: BTreeSet<Action>,
    pub(crate) outputs: BTreeSet<Action>,
    pub(crate) kind: SystemOperator<'network>,
    /// The number of its components.
    pub(crate) leaves: usize,
    /// The explored part of the consistency game; `None` if the system is not pruned.
    pub(crate) game: Option<RefCell<Game>>,
}

/// The operators of specifications.
pub(crate) enum SystemOperator<'network> {
    Component(Component<'network>),
    /// A composition or a conjunction.
    Both(Box<System<'network>>, Box<System<'network>>),
    Quotient {
        whole: Box<System<'network>>,
        part: Box<System<'network>>,
    },
    /// A system with a predicate that must always hold.
    Restricted(Box<System<'network>>, &'network StatePredicate),
}

/// A process that is alone in its network.
pub(crate) struct Component<'network> {
    pub(crate) interpreter: Interpreter<'network>,
    pub(crate) process: ProcessId,
    /// Its variables, without clocks and channels.
    pub(crate) own_variables: Vec<VariableId>,
    /// The numbers of its clocks.
    pub(crate) own_clocks: Vec<usize>,
    pub(crate) constants: ClockConstants,
    are_missing_inputs_errors: bool,
}

/// A state of a specification.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum SpecificationState {
    Component(ConcreteState),
    /// The states of two operands.
    Pair(Box<SpecificationState>, Box<SpecificationState>),
    /// The universal state of a quotient, which allows everything, with the last states of its operands, whose clocks
    /// go on.
    Universal(Box<SpecificationState>, Box<SpecificationState>),
    /// The error state.
    Error,
}

impl<'network> System<'network> {
    /// Builds the system of an expression; the networks of its components are taken from the front.
    pub(crate) fn new(
        expression: &'network SpecExpression,
        networks: &mut &'network [Network],
        options: SystemOptions<'_>,
    ) -> Result<System<'network>, ExecutionFailure> {
        let mut make = |operand: &'network SpecExpression, options| System::new(operand, networks, options);
        let (inputs, outputs, kind) = match expression {
            SpecExpression::Component { process, .. } => {
                let Some((network, rest)) = networks.split_first() else {
                    return Err(ExecutionFailure::Wrong("an unknown component".to_owned()));
                };
                *networks = rest;
                let actions = component_actions(network, &network.processes[*process]);
                let mut outputs: BTreeSet<Action> = actions.outputs.into_iter().map(Some).collect();
                if actions.has_unnamed {
                    outputs.insert(None);
                }
                let inputs = actions.inputs.into_iter().map(Some).collect();
                (inputs, outputs, SystemOperator::Component(Component::new(network, *process, options)))
            }
            SpecExpression::Composition(left, right) => {
                let (left, right) = (make(left, options)?, make(right, options)?);
                let (inputs, outputs) = (&left.inputs | &right.inputs, &left.outputs | &right.outputs);
                (&inputs - &outputs, outputs, SystemOperator::Both(Box::new(left), Box::new(right)))
            }
            SpecExpression::Conjunction(left, right) => {
                let (left, right) = (make(left, options)?, make(right, options)?);
                let (inputs, outputs) = (&left.inputs | &right.inputs, &left.outputs | &right.outputs);
                (inputs, outputs, SystemOperator::Both(Box::new(left), Box::new(right)))
            }
            SpecExpression::Quotient(whole, part) => {
                let operands = SystemOptions { is_pruned: true, ..options };
                let (whole, part) = (make(whole, operands)?, make(part, operands)?);
                let inputs = &whole.inputs | &part.outputs;
                let decided = &whole.outputs - &part.outputs;
                let outputs = &decided | &(&part.inputs - &whole.inputs);
                (inputs, outputs, SystemOperator::Quotient { whole: Box::new(whole), part: Box::new(part) })
            }
            SpecExpression::Restricted(system, predicate) => {
                let mut inner = make(system, options)?;
                if inner.has_quotient() {
                    return Err(ExecutionFailure::Limit(
                        "a predicate must always hold in a quotient".to_owned(),
                    ));
                }
                inner.tell_apart_by(predicate);
                (
                    inner.inputs.clone(),
                    inner.outputs.clone(),
                    SystemOperator::Restricted(Box::new(inner), predicate.as_ref()),
                )
            }
        };
        let leaves = match &kind {
            SystemOperator::Component(_) => 1,
            SystemOperator::Both(left, right) | SystemOperator::Quotient { whole: left, part: right } => {
                left.leaves + right.leaves
            }
            SystemOperator::Restricted(inner, _) => inner.leaves,
        };
        let is_composition = matches!(expression, SpecExpression::Composition(..));
        // A composition of consistent operands is consistent: each operand can proceed beside one that accepts all its
        // outputs. Compositions need no pruning.
        let game = (options.is_pruned && !is_composition).then(RefCell::default);
        Ok(System { inputs, outputs, kind, leaves, game })
    }

    fn has_quotient(&self) -> bool {
        match &self.kind {
            SystemOperator::Component(_) => false,
            SystemOperator::Both(left, right) => left.has_quotient() || right.has_quotient(),
            SystemOperator::Quotient { .. } => true,
            SystemOperator::Restricted(inner, _) => inner.has_quotient(),
        }
    }

    /// Includes the constants of a predicate.
    fn tell_apart_by(&mut self, predicate: &StatePredicate) {
        let mut constants = ClockConstants::default();
        for_each_comparison(predicate, &mut |left, right, bound| {
            constants.has_differences |= left.is_some() && right.is_some();
            for variable in left.iter().chain(&right) {
                constants.tell_apart(*variable, i64::from(bound).abs());
            }
        });
        self.tell_apart(&constants);
    }

    /// Raises the clock constants to at least these.
    pub(crate) fn tell_apart(&mut self, constants: &ClockConstants) {
        match &mut self.kind {
            SystemOperator::Component(component) => component.constants.include(constants),
            SystemOperator::Both(left, right) | SystemOperator::Quotient { whole: left, part: right } => {
                left.tell_apart(constants);
                right.tell_apart(constants);
            }
            SystemOperator::Restricted(inner, _) => inner.tell_apart(constants),
        }
    }

    /// Returns whether it has an action.
    pub(crate) fn knows(&self, action: Action) -> bool {
        self.inputs.contains(&action) || self.outputs.contains(&action)
    }

    /// Returns the initial state, whether or not it is allowed; a quotient by a part without an implementation is
    /// universal.
    pub(crate) fn initial(&self) -> Result<SpecificationState, ExecutionFailure> {
        Ok(match &self.kind {
            SystemOperator::Component(component) => SpecificationState::Component(component.initial()),
            SystemOperator::Both(left, right) => {
                SpecificationState::Pair(Box::new(left.initial()?), Box::new(right.initial()?))
            }
            SystemOperator::Quotient { whole, part } => {
                let (one, other) = (Box::new(whole.initial()?), Box::new(part.initial()?));
                match part.is_error(&other) || !part.is_allowed(&other)? {
                    true => SpecificationState::Universal(one, other),
                    false => SpecificationState::Pair(one, other),
                }
            }
            SystemOperator::Restricted(inner, _) => inner.initial()?,
        })
    }

    /// Returns the state with the given component states; the function is called from the left.
    fn place_of(&self, state: &mut dyn FnMut(&Component<'network>) -> ConcreteState) -> SpecificationState {
        match &self.kind {
            SystemOperator::Component(component) => SpecificationState::Component(state(component)),
            SystemOperator::Both(left, right) | SystemOperator::Quotient { whole: left, part: right } => {
                let left = left.place_of(state);
                SpecificationState::Pair(Box::new(left), Box::new(right.place_of(state)))
            }
            SystemOperator::Restricted(inner, _) => inner.place_of(state),
        }
    }

    /// Returns the state for a start; `None` if the start does not fit the components.
    pub(crate) fn started(&self, starts: &[ComponentStart]) -> Option<SpecificationState> {
        let mut fits = starts.len() == self.leaves;
        let mut rest = starts.iter();
        let place = self.place_of(&mut |component: &Component<'_>| {
            let mut state = component.initial();
            fits &= rest.next().is_some_and(|start| component.put(start, &mut state));
            state
        });
        fits.then_some(place)
    }

    /// Returns the state of each component, from the left, and whether it still matters; nothing for an error state.
    pub(crate) fn components<'place>(
        &self,
        place: &'place SpecificationState,
        found: &mut Vec<(&'place ConcreteState, bool)>,
    ) {
        match (&self.kind, place) {
            (SystemOperator::Component(_), SpecificationState::Component(state)) => found.push((state, true)),
            (
                SystemOperator::Both(left, right) | SystemOperator::Quotient { whole: left, part: right },
                SpecificationState::Pair(one, other) | SpecificationState::Universal(one, other),
            ) => {
                let first = found.len();
                left.components(one, found);
                right.components(other, found);
                if matches!(place, SpecificationState::Universal(..)) {
                    found[first..].iter_mut().for_each(|(_, is_there)| *is_there = false);
                }
            }
            (SystemOperator::Restricted(inner, _), _) => inner.components(place, found),
            _ => {}
        }
    }

    /// Collects the components, from the left.
    pub(crate) fn processes<'system>(&'system self, found: &mut Vec<&'system Component<'network>>) {
        match &self.kind {
            SystemOperator::Component(component) => found.push(component),
            SystemOperator::Both(left, right) | SystemOperator::Quotient { whole: left, part: right } => {
                left.processes(found);
                right.processes(found);
            }
            SystemOperator::Restricted(inner, _) => inner.processes(found),
        }
    }

    /// Returns whether a state is an error state.
    pub(crate) fn is_error(&self, place: &SpecificationState) -> bool {
        match (&self.kind, place) {
            (_, SpecificationState::Error) => true,
            (SystemOperator::Component(component), SpecificationState::Component(state)) => {
                component.has_label(state, "inconsistent")
            }
            (SystemOperator::Both(left, right), SpecificationState::Pair(one, other)) => {
                left.is_error(one) || right.is_error(other)
            }
            (SystemOperator::Quotient { whole, .. }, SpecificationState::Pair(one, _)) => whole.is_error(one),
            (SystemOperator::Restricted(inner, _), _) => inner.is_error(place),
            _ => false,
        }
    }

    /// Returns whether a state is allowed, before any time passes.
    pub(crate) fn is_allowed(&self, place: &SpecificationState) -> Result<bool, ExecutionFailure> {
        Ok(self.allowed_delays(place)?.contains(Rational::from_integer(0)))
    }

    /// Returns the allowed delays.
    pub(crate) fn allowed_delays(&self, place: &SpecificationState) -> Result<DelaySet, ExecutionFailure> {
        let delays = self.delays_of_operator(place)?;
        match self.game {
            Some(_) => self.consistent_delays(place, &delays),
            None => Ok(delays),
        }
    }

    /// Returns the allowed delays before pruning.
    pub(crate) fn delays_of_operator(
        &self,
        place: &SpecificationState,
    ) -> Result<DelaySet, ExecutionFailure> {
        if self.is_error(place) {
            return Ok(DelaySet::all());
        }
        match (&self.kind, place) {
            (SystemOperator::Component(component), SpecificationState::Component(state)) => {
                match component.has_label(state, "universal") {
                    true => Ok(DelaySet::all()),
                    false => Ok(component.interpreter.allowed_delays(state)?),
                }
            }
            (SystemOperator::Both(left, right), SpecificationState::Pair(one, other)) => {
                Ok(left.allowed_delays(one)?.intersection(&right.allowed_delays(other)?))
            }
            (SystemOperator::Quotient { whole, part }, SpecificationState::Pair(one, other)) => {
                let whole = whole.allowed_delays(one)?;
                // The part reaches its time bound before the whole does.
                let is_part_first = end(&part.allowed_delays(other)?) <= end(&whole);
                Ok(if is_part_first { DelaySet::all() } else { whole })
            }
            (SystemOperator::Quotient { .. }, SpecificationState::Universal(..)) => Ok(DelaySet::all()),
            (SystemOperator::Restricted(inner, predicate), _) => {
                let kept = inner.predicate_delays(place, predicate)?;
                Ok(inner.allowed_delays(place)?.intersection(&kept).from_now())
            }
            _ => Err(misplaced()),
        }
    }

    /// Returns the state after a delay; `None` if the delay is not allowed.
    pub(crate) fn wait(
        &self,
        place: &SpecificationState,
        delay: Rational,
    ) -> Result<Option<SpecificationState>, ExecutionFailure> {
        if !self.allowed_delays(place)?.contains(delay) {
            return Ok(None);
        }
        self.after(place, delay).map(Some)
    }

    /// Returns the state after an allowed delay.
    pub(crate) fn after(
        &self,
        place: &SpecificationState,
        delay: Rational,
    ) -> Result<SpecificationState, ExecutionFailure> {
        let both =
            |left: &System<'_>, one: &SpecificationState, right: &System<'_>, other: &SpecificationState| {
                Ok::<_, ExecutionFailure>((
                    Box::new(left.after(one, delay)?),
                    Box::new(right.after(other, delay)?),
                ))
            };
        match (&self.kind, place) {
            (_, SpecificationState::Error) => Ok(SpecificationState::Error),
            (SystemOperator::Component(component), SpecificationState::Component(state)) => {
                let interpreter = &component.interpreter;
                Ok(SpecificationState::Component(interpreter.after(state, delay, &interpreter.fuel())?))
            }
            (SystemOperator::Both(left, right), SpecificationState::Pair(one, other)) => {
                let (one, other) = both(left, one, right, other)?;
                Ok(SpecificationState::Pair(one, other))
            }
            (SystemOperator::Quotient { whole, part }, SpecificationState::Pair(one, other)) => {
                let is_gone = !part.allowed_delays(other)?.contains(delay);
                let (one, other) = both(whole, one, part, other)?;
                Ok(if is_gone {
                    SpecificationState::Universal(one, other)
                } else {
                    SpecificationState::Pair(one, other)
                })
            }
            (SystemOperator::Quotient { whole, part }, SpecificationState::Universal(one, other)) => {
                let (one, other) = both(whole, one, part, other)?;
                Ok(SpecificationState::Universal(one, other))
            }
            (SystemOperator::Restricted(inner, _), _) => inner.after(place, delay),
            _ => Err(misplaced()),
        }
    }

    /// Returns the successors of an action; none if it is not possible.
    pub(crate) fn successors(
        &self,
        place: &SpecificationState,
        action: Action,
    ) -> Result<Vec<SpecificationState>, ExecutionFailure> {
        let found = self.successors_of_operator(place, action)?;
        if self.game.is_none() {
            return Ok(found);
        }
        let mut kept = Vec::with_capacity(found.len());
        for next in found {
            if self.is_consistent(&next)? {
                kept.push(next);
            }
        }
        Ok(kept)
    }

    /// Returns the successors before pruning.
    pub(crate) fn successors_of_operator(
        &self,
        place: &SpecificationState,
        action: Action,
    ) -> Result<Vec<SpecificationState>, ExecutionFailure> {
        if self.is_error(place) {
            return Ok(if self.inputs.contains(&action) { vec![place.clone()] } else { Vec::new() });
        }
        match (&self.kind, place) {
            (SystemOperator::Component(component), SpecificationState::Component(state)) => {
                component.successors(state, action, self.inputs.contains(&action))
            }
            (SystemOperator::Both(left, right), SpecificationState::Pair(one, other)) => {
                let (ones, others) =
                    (left.successors_or_self(one, action)?, right.successors_or_self(other, action)?);
                Ok(pairs(&ones, &others))
            }
            (SystemOperator::Quotient { .. }, SpecificationState::Universal(..)) => Ok(vec![place.clone()]),
            (SystemOperator::Quotient { whole, part }, SpecificationState::Pair(one, other)) => {
                let others = part.successors_or_self(other, action)?;
                if others.is_empty() {
                    // Rules 3 to 5: the part cannot take the action here, so the quotient becomes universal.
                    return Ok(vec![SpecificationState::Universal(one.clone(), other.clone())]);
                }
                let ones = whole.successors_or_self(one, action)?;
                if ones.is_empty() && part.outputs.contains(&action) {
                    // Rule 6: the part does an action that the whole forbids.
                    return Ok(vec![SpecificationState::Error]);
                }
                // Rules 1, 2 and 8.
                Ok(pairs(&ones, &others))
            }
            (SystemOperator::Restricted(inner, predicate), _) => {
                let mut kept = Vec::new();
                for next in inner.successors(place, action)? {
                    let now = Rational::from_integer(0);
                    if inner.is_error(&next) || inner.predicate_delays(&next, predicate)?.contains(now) {
                        kept.push(next);
                    } else if self.inputs.contains(&action) {
                        kept.push(SpecificationState::Error);
                    }
                }
                Ok(kept)
            }
            _ => Err(misplaced()),
        }
    }

    /// Returns the successors of an action, or the state itself if the action is unknown here.
    fn successors_or_self(
        &self,
        place: &SpecificationState,
        action: Action,
    ) -> Result<Vec<SpecificationState>, ExecutionFailure> {
        if self.knows(action) { self.successors(place, action) } else { Ok(vec![place.clone()]) }
    }

    /// Returns the delays after which a predicate holds, whether they are allowed or not. Components of a universal
    /// state are in no location.
    pub(crate) fn predicate_delays(
        &self,
        place: &SpecificationState,
        predicate: &StatePredicate,
    ) -> Result<DelaySet, ExecutionFailure> {
        let (mut states, mut components): (Vec<(&ConcreteState, bool)>, Vec<&Component<'_>>) =
            (Vec::new(), Vec::new());
        self.components(place, &mut states);
        self.processes(&mut components);
        predicate_delays(&components, &states, predicate)
    }
}

/// Returns all pairs.
fn pairs(ones: &[SpecificationState], others: &[SpecificationState]) -> Vec<SpecificationState> {
    let with = |one: &SpecificationState, other: &SpecificationState| {
        SpecificationState::Pair(Box::new(one.clone()), Box::new(other.clone()))
    };
    ones.iter().flat_map(|one| others.iter().map(move |other| with(one, other))).collect()
}

/// Returns the upper end of delays; for an empty set, an end before zero.
fn end(delays: &DelaySet) -> Cut {
    delays.end().unwrap_or(Cut::before(Rational::from_integer(0)))
}

fn misplaced() -> ExecutionFailure {
    ExecutionFailure::Wrong("a state of another specification".to_owned())
}

impl<'network> Component<'network> {
    fn new(
        network: &'network Network,
        process: ProcessId,
        options: SystemOptions<'_>,
    ) -> Component<'network> {
        let interpreter = Interpreter::new(network).within(options.budget);
        let is_own = |variable: VariableId| network.variables[variable].owner == Some(process);
        let layout = interpreter.clock_layout();
        let own_clocks = (0..layout.cell_count()).filter(|&cell| is_own(layout.owner(cell))).collect();
        let own_variables = network.variables.ids().filter(|&variable| is_own(variable)).collect();
        Component {
            process,
            own_variables,
            own_clocks,
            constants: ClockConstants::of_process(network, process),
            are_missing_inputs_errors: options.are_missing_inputs_errors,
            interpreter,
        }
    }

    fn initial(&self) -> ConcreteState {
        let initial = self.interpreter.initial_choices().next().unwrap_or_default();
        self.interpreter.state_at_start(initial)
    }

    /// Sets a state to a start; returns false if the start does not exist.
    fn put(&self, start: &ComponentStart, state: &mut ConcreteState) -> bool {
        let network = self.interpreter.network();
        if network.processes[self.process].locations.get(start.location).is_none() {
            return false;
        }
        state.locations[self.process.index()] = start.location;
        for (variable, values) in &start.clocks {
            let layout = self.interpreter.clock_layout();
            let mut cells = self.own_clocks.iter().filter(|&&cell| layout.owner(cell) == *variable);
            for value in values {
                let Some(&cell) = cells.next() else { return false };
                if *value < Rational::from_integer(0) {
                    return false;
                }
                state.clocks[cell] = *value;
            }
        }
        true
    }

    /// Returns the constant beyond which the value of a clock does not matter.
    pub(crate) fn greatest_constant(&self, cell: usize) -> i64 {
        self.constants.greatest(self.interpreter.clock_layout().owner(cell))
    }

    fn has_label(&self, state: &ConcreteState, name: &str) -> bool {
        let process = &self.interpreter.network().processes[self.process];
        process.locations[state.locations[self.process.index()]].labels.iter().any(|label| label == name)
    }

    /// Returns whether time can always pass: there are no invariants, and no location is urgent.
    pub(crate) fn time_always_passes(&self) -> bool {
        let locations = &self.interpreter.network().processes[self.process].locations;
        !self.are_missing_inputs_errors
            && locations.values().all(|location| {
                location.invariant.data.is_empty()
                    && location.invariant.clocks.is_empty()
                    && location.kind == tempora_model::LocationKind::Ordinary
                    && location.labels.iter().all(|label| label != "inconsistent")
            })
    }

    fn successors(
        &self,
        state: &ConcreteState,
        action: Action,
        is_input: bool,
    ) -> Result<Vec<SpecificationState>, ExecutionFailure> {
        if self.has_label(state, "universal") {
            return Ok(vec![SpecificationState::Component(state.clone())]);
        }
        let interpreter = &self.interpreter;
        let mut found: Vec<SpecificationState> = Vec::new();
        for edge in interpreter.discrete_edges(state)? {
            if !is_on(interpreter.network(), &edge, action, is_input) || !holds(&edge.guard, &state.clocks)? {
                continue;
            }
            let (mut next, origins) = interpreter.discrete_successor(state, &edge.alone())?;
            let mut clocks = Vec::with_capacity(origins.len());
            for origin in &origins {
                let from = origin.clock.map_or(Rational::from_integer(0), |clock| state.clocks[clock]);
                clocks.push(exact(rational::add(from, origin.plus))?);
            }
            next.clocks = clocks;
            if !holds(&interpreter.invariant_formula(&next)?, &next.clocks)? {
                continue;
            }
            let next = SpecificationState::Component(next);
            if !found.contains(&next) {
                found.push(next);
            }
        }
        if found.is_empty() && is_input {
            found.push(match self.are_missing_inputs_errors {
                true => SpecificationState::Error,
                false => SpecificationState::Component(state.clone()),
            });
        }
        Ok(found)
    }
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

/// Converts an overflow to a limit of this program.
pub(crate) fn exact<T>(number: Result<T, RuntimeErrorKind>) -> Result<T, ExecutionFailure> {
    number.map_err(|_| ExecutionFailure::Limit("a time cannot be represented".to_owned()))
}

/// Returns whether a condition holds for these clocks.
fn holds(formula: &ClockFormula, clocks: &[Rational]) -> Result<bool, ExecutionFailure> {
    Ok(formula_delays(formula, clocks)?.contains(Rational::from_integer(0)))
}

/// Returns the delays after which a condition holds, if the clocks have these values now.
pub(crate) fn formula_delays(
    formula: &ClockFormula,
    clocks: &[Rational],
) -> Result<DelaySet, ExecutionFailure> {
    Ok(match formula {
        ClockFormula::Constant(value) => DelaySet::all_if(*value),
        ClockFormula::Not(inner) => formula_delays(inner, clocks)?.complement(),
        ClockFormula::And(parts) => {
            let mut all = DelaySet::all();
            for part in parts {
                all = all.intersection(&formula_delays(part, clocks)?);
            }
            all
        }
        ClockFormula::Or(parts) => {
            let mut some = DelaySet::empty();
            for part in parts {
                some = some.union(&formula_delays(part, clocks)?);
            }
            some
        }
        ClockFormula::Compare(compared) => {
            let value = |clock: Option<usize>| clock.map(|clock| clocks[clock]);
            difference_delays(
                value(compared.left),
                value(compared.right),
                compared.comparison,
                compared.bound,
            )?
        }
    })
}

/// Returns the delays after which a comparison of a difference of clocks with a bound holds; a missing clock is zero.
fn difference_delays(
    left: Option<Rational>,
    right: Option<Rational>,
    comparison: Comparison,
    bound: Rational,
) -> Result<DelaySet, ExecutionFailure> {
    let zero = Rational::from_integer(0);
    let value = exact(rational::subtract(left.unwrap_or(zero), right.unwrap_or(zero)))?;
    let slope = i64::from(left.is_some()) - i64::from(right.is_some());
    exact(linear_delays(value, Rational::from_integer(slope), comparison, bound))
}

fn predicate_delays(
    components: &[&Component<'_>],
    states: &[(&ConcreteState, bool)],
    predicate: &StatePredicate,
) -> Result<DelaySet, ExecutionFailure> {
    let of = |inner: &StatePredicate| predicate_delays(components, states, inner);
    Ok(match predicate {
        StatePredicate::Truth(truth) => DelaySet::all_if(*truth),
        StatePredicate::At { component, location } => {
            let is_there = match (components.get(*component), states.get(*component)) {
                (Some(part), Some((state, true))) => state.locations[part.process.index()] == *location,
                _ => false,
            };
            DelaySet::all_if(is_there)
        }
        StatePredicate::Clocks { left, right, comparison, bound } => {
            let value = |place: &Option<(usize, VariableId)>| match place {
                None => Ok(None),
                Some((component, variable)) => {
                    let part = components.get(*component).ok_or_else(misplaced)?;
                    let layout = part.interpreter.clock_layout();
                    let cell = part.own_clocks.iter().find(|&&cell| layout.owner(cell) == *variable);
                    match (cell, states.get(*component)) {
                        (Some(&cell), Some((state, _))) => Ok(Some(state.clocks[cell])),
                        _ => Err(ExecutionFailure::Limit("an unknown clock".to_owned())),
                    }
                }
            };
            let bound = Rational::from_integer(i64::from(*bound));
            difference_delays(value(left)?, value(right)?, *comparison, bound)?
        }
        StatePredicate::Not(inner) => of(inner)?.complement(),
        StatePredicate::And(one, other) => of(one)?.intersection(&of(other)?),
        StatePredicate::Or(one, other) => of(one)?.union(&of(other)?),
    })
}

/// Visits the comparisons of clocks in a predicate: the clocks of both sides, and the bound.
fn for_each_comparison(
    predicate: &StatePredicate,
    look: &mut dyn FnMut(Option<VariableId>, Option<VariableId>, i32),
) {
    match predicate {
        StatePredicate::Truth(_) | StatePredicate::At { .. } => {}
        StatePredicate::Clocks { left, right, bound, .. } => {
            look(left.map(|(_, clock)| clock), right.map(|(_, clock)| clock), *bound);
        }
        StatePredicate::Not(inner) => for_each_comparison(inner, look),
        StatePredicate::And(one, other) | StatePredicate::Or(one, other) => {
            for_each_comparison(one, look);
            for_each_comparison(other, look);
        }
    }
}
