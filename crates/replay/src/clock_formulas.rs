//! The semantics of a discrete state for all clock values at once: conditions as formulas over clocks, and transitions
//! by their effect on clocks.
//!
//! Invariant: for each clock valuation, a formula has the truth value of the condition in the state with that
//! valuation, as evaluated directly. The clock values of the given state are ignored. A condition without such a
//! formula, such as a computation with the value of a clock, is an error and never a guess.

use tempora_evidence::{Participation, Rational, RuntimeError, RuntimeErrorKind, Transition, TransitionKind};
use tempora_model::{
    BinaryOperator, Binder, ChannelKind, Comparison, EdgeId, EventId, Expression, ExpressionKind, Id,
    ProcessId, Quantifier, SynchronisationRole, Type, UnaryOperator, Value, VariableId,
};

use crate::candidates::channel_kind;
use crate::combinations::Combinations;
use crate::evaluate::{Evaluated, Evaluator, at};
use crate::interpreter::Interpreter;
use crate::state::ConcreteState;
use crate::value_place::Root;

/// A condition on clocks, identified by their numbers in the [`crate::ClockLayout`].
#[derive(Clone, PartialEq, Debug)]
pub enum ClockFormula {
    /// True or false for all valuations.
    Constant(bool),
    /// A comparison of a difference of two clocks.
    Compare(ClockComparison),
    /// The negation.
    Not(Box<ClockFormula>),
    /// The conjunction.
    And(Vec<ClockFormula>),
    /// The disjunction.
    Or(Vec<ClockFormula>),
}

/// A comparison of `left - right` with a bound; a missing clock is zero.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClockComparison {
    /// The minuend.
    pub left: Option<usize>,
    /// The subtrahend.
    pub right: Option<usize>,
    /// The comparison.
    pub comparison: Comparison,
    /// The bound.
    pub bound: Rational,
}

/// The new value of a clock: another clock, or zero, plus a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClockOrigin {
    /// The clock before the transition.
    pub clock: Option<usize>,
    /// The number added to it.
    pub plus: Rational,
}

/// An edge whose guard on data holds, with values for its selects.
#[derive(Clone, PartialEq, Debug)]
pub struct DiscreteEdge {
    /// The process.
    pub process: ProcessId,
    /// The edge.
    pub edge: EdgeId,
    /// The values of the selects.
    pub select_values: Vec<i32>,
    /// The channel on which it synchronises.
    pub channel: Option<DiscreteChannel>,
    /// Its event.
    pub event: Option<EventId>,
    /// The condition on clocks of its guard.
    pub guard: ClockFormula,
}

impl DiscreteEdge {
    /// Returns the transition that takes only this edge, with its first branch, whatever its synchronisation.
    pub fn alone(&self) -> Transition {
        let participant = Participation {
            process: self.process,
            edge: self.edge,
            branch: 0,
            select_values: self.select_values.clone(),
        };
        Transition { kind: TransitionKind::Internal, participants: vec![participant] }
    }
}

/// A channel and the side of it that an edge takes.
#[derive(Clone, PartialEq, Debug)]
pub struct DiscreteChannel {
    /// The variable that is or contains it.
    pub variable: VariableId,
    /// Its position inside of the variable.
    pub path: Vec<usize>,
    /// The kind of channel.
    pub kind: ChannelKind,
    /// The side.
    pub role: SynchronisationRole,
}

impl ClockFormula {
    /// Returns the conjunction, without trivial parts.
    pub fn all(parts: Vec<ClockFormula>) -> ClockFormula {
        let mut left: Vec<ClockFormula> =
            parts.into_iter().filter(|part| *part != ClockFormula::Constant(true)).collect();
        if left.contains(&ClockFormula::Constant(false)) {
            return ClockFormula::Constant(false);
        }
        match (left.pop(), left.is_empty()) {
            (None, _) => ClockFormula::Constant(true),
            (Some(only), true) => only,
            (Some(last), false) => {
                left.push(last);
                ClockFormula::And(left)
            }
        }
    }

    /// Returns the negation.
    pub fn negated(self) -> ClockFormula {
        match self {
            ClockFormula::Constant(value) => ClockFormula::Constant(!value),
            ClockFormula::Not(inner) => *inner,
            other => ClockFormula::Not(Box::new(other)),
        }
    }
}

/// The first slope when slopes identify clocks: the sum of two of them is not one of them.
const FIRST_SLOPE: i64 = 1 << 40;

impl Interpreter<'_> {
    /// Returns a predicate of a query as a formula over clocks, given whether the state is deadlocked.
    pub fn predicate_formula(
        &self,
        state: &ConcreteState,
        predicate: &Expression,
        is_deadlocked: bool,
    ) -> Result<ClockFormula, RuntimeError> {
        Evaluator::reading(self, state, &self.fuel()).where_deadlocked(is_deadlocked).formula(predicate)
    }

    /// Returns the conjunction of the invariants of the locations of a state.
    pub fn invariant_formula(&self, state: &ConcreteState) -> Result<ClockFormula, RuntimeError> {
        let fuel = self.fuel();
        let mut parts = Vec::new();
        for (process, automaton) in self.network.processes.iter() {
            let invariant = &automaton.locations[state.locations[process.index()]].invariant;
            let mut evaluator = Evaluator::reading(self, state, &fuel);
            for expression in invariant.data.iter().chain(&invariant.clocks) {
                parts.push(evaluator.formula(expression)?);
            }
        }
        Ok(ClockFormula::all(parts))
    }

    /// Returns the edges of all processes that leave their locations and whose guards on data hold.
    pub fn discrete_edges(&self, state: &ConcreteState) -> Result<Vec<DiscreteEdge>, RuntimeError> {
        let fuel = self.fuel();
        let mut found = Vec::new();
        for (process, automaton) in self.network.processes.iter() {
            for (id, edge) in automaton.edges.iter() {
                if edge.source != state.locations[process.index()] {
                    continue;
                }
                let domains: Vec<_> = edge.selects.iter().map(|binder| binder.domain.values()).collect();
                let sizes = edge.selects.iter().map(|binder| binder.domain.size() as usize).collect();
                for choice in Combinations::new(sizes) {
                    fuel.burn(1, edge.origin)?;
                    // A position is below the size of the domain, so the value is in it.
                    let select_values: Vec<i32> = domains
                        .iter()
                        .zip(choice)
                        .map(|(domain, position)| (i64::from(*domain.start()) + position as i64) as i32)
                        .collect();
                    let mut evaluator =
                        Evaluator::reading(self, state, &fuel).with_selects(&edge.selects, &select_values);
                    if !evaluator.all_hold(&edge.guard.data)? {
                        continue;
                    }
                    let channel = match &edge.synchronisation {
                        None => None,
                        Some(synchronisation) => {
                            let place = evaluator.place(&synchronisation.channel)?;
                            let Root::Variable(variable) = place.root else {
                                let what = RuntimeErrorKind::IllFormed("a channel that is not a variable");
                                return Err(at(edge.origin)(what));
                            };
                            let kind = channel_kind(&synchronisation.channel)?;
                            let role = synchronisation.role;
                            Some(DiscreteChannel { variable, path: place.path, kind, role })
                        }
                    };
                    let mut parts = Vec::new();
                    for expression in &edge.guard.clocks {
                        parts.push(evaluator.formula(expression)?);
                    }
                    let guard = ClockFormula::all(parts);
                    if guard == ClockFormula::Constant(false) {
                        continue;
                    }
                    let event = edge.event;
                    found.push(DiscreteEdge { process, edge: id, select_values, channel, event, guard });
                }
            }
        }
        Ok(found)
    }

    /// Returns the discrete state after the updates of a transition, and the origin of the new value of each clock.
    ///
    /// Whether the transition is possible is not checked, and neither are invariants.
    pub fn discrete_successor(
        &self,
        state: &ConcreteState,
        transition: &Transition,
    ) -> Result<(ConcreteState, Vec<ClockOrigin>), RuntimeError> {
        let count = self.layout.cell_count();
        let zero = Rational::from_integer(0);
        let mut before = state.clone();
        before.clocks = vec![zero; count];
        // Each clock grows with a unique slope, so the slope after the updates identifies the clock before them.
        let slopes =
            (0..count).map(|clock| Rational::from_integer(FIRST_SLOPE + clock as i64)).collect::<Vec<_>>();
        let (successor, slopes) = self.apply_moving(&before, Some(slopes), transition, &self.fuel())?;
        let mut origins = Vec::with_capacity(count);
        for (cell, slope) in slopes.unwrap_or_default().into_iter().enumerate() {
            let plus = successor.clocks[cell];
            let clock = if slope == zero {
                None
            } else {
                let number = if slope.is_integer() { slope.to_integer() - FIRST_SLOPE } else { -1 };
                let number = usize::try_from(number).ok().filter(|&number| number < count);
                let origin = self.network.variables[self.layout.owner(cell)].origin;
                let what = "a clock that is set to a combination of clocks".to_owned();
                Some(number.ok_or_else(|| at(origin)(RuntimeErrorKind::Unsupported(what)))?)
            };
            origins.push(ClockOrigin { clock, plus });
        }
        Ok((successor, origins))
    }

    /// Returns the rate of each clock in a state.
    pub fn clock_rates(&self, state: &ConcreteState) -> Result<Vec<Rational>, RuntimeError> {
        self.rates(state, &self.fuel())
    }

    /// Returns the priority of a transition; greater goes first. All are equal in a model without priorities.
    pub fn transition_priority(
        &self,
        state: &ConcreteState,
        transition: &Transition,
    ) -> Result<(usize, u32), RuntimeError> {
        if !self.has_priorities() {
            return Ok((0, 0));
        }
        self.priority(state, transition, &self.fuel())
    }

    /// Returns whether edges of the process with this event fire alone.
    pub fn happens_alone(&self, process: ProcessId, event: EventId) -> bool {
        self.is_asynchronous(process, event)
    }

    /// Returns whether an edge with this event leaves the location of the process.
    pub fn offers_event(&self, state: &ConcreteState, process: ProcessId, event: EventId) -> bool {
        self.has_event_here(state, process, event)
    }
}

impl Evaluator<'_> {
    /// Returns an expression as a formula over clocks.
    fn formula(&mut self, expression: &Expression) -> Evaluated<ClockFormula> {
        self.enter(expression.origin)?;
        let formula = self.formula_entered(expression);
        self.leave();
        formula
    }

    fn formula_entered(&mut self, expression: &Expression) -> Evaluated<ClockFormula> {
        if !self.interpreter.reads_clocks(expression) {
            return self.holds(expression).map(ClockFormula::Constant);
        }
        let inside =
            || RuntimeErrorKind::Unsupported("a comparison of clocks inside of a computation".to_owned());
        match &expression.kind {
            ExpressionKind::CompareClocks { left, right, comparison, bound } => {
                let left = self.compared_clock(left.as_deref())?;
                let right = self.compared_clock(right.as_deref())?;
                let bound = self.bound(bound)?;
                Ok(ClockFormula::Compare(ClockComparison { left, right, comparison: *comparison, bound }))
            }
            ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
                self.formula(operand).map(ClockFormula::negated)
            }
            ExpressionKind::Binary { operator, left, right } => {
                self.binary_formula(*operator, left, right, expression)
            }
            ExpressionKind::Conditional { condition, then, otherwise } => match self.formula(condition)? {
                ClockFormula::Constant(true) => self.formula(then),
                ClockFormula::Constant(false) => self.formula(otherwise),
                condition => {
                    let then = ClockFormula::And(vec![condition.clone(), self.formula(then)?]);
                    let otherwise = ClockFormula::And(vec![condition.negated(), self.formula(otherwise)?]);
                    Ok(ClockFormula::Or(vec![then, otherwise]))
                }
            },
            ExpressionKind::Quantified { quantifier, binder, body } => {
                self.quantified_formula(*quantifier, binder, body, expression)
            }
            ExpressionKind::Deadlock => match self.deadlocked {
                Some(is_deadlocked) => Ok(ClockFormula::Constant(is_deadlocked)),
                None => Err(at(expression.origin)(RuntimeErrorKind::Unsupported("`deadlock`".to_owned()))),
            },
            _ => Err(at(expression.origin)(inside())),
        }
    }

    fn compared_clock(&mut self, clock: Option<&Expression>) -> Evaluated<Option<usize>> {
        let Some(clock) = clock else { return Ok(None) };
        let place = self.place(clock)?;
        self.clock_cell(&place, clock.origin).map(Some)
    }

    /// Returns the right side is evaluated unless the left side decides for all clock values.
    fn binary_formula(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        whole: &Expression,
    ) -> Evaluated<ClockFormula> {
        let is_truth = |part: &Expression| matches!(part.value_type, Type::Boolean | Type::Condition(_));
        match operator {
            BinaryOperator::And => match self.formula(left)? {
                ClockFormula::Constant(true) => self.formula(right),
                ClockFormula::Constant(false) => Ok(ClockFormula::Constant(false)),
                left => Ok(ClockFormula::all(vec![left, self.formula(right)?])),
            },
            BinaryOperator::Or | BinaryOperator::Imply => {
                let left = self.formula(left)?;
                let left = if operator == BinaryOperator::Imply { left.negated() } else { left };
                match left {
                    ClockFormula::Constant(true) => Ok(ClockFormula::Constant(true)),
                    ClockFormula::Constant(false) => self.formula(right),
                    left => Ok(ClockFormula::Or(vec![left, self.formula(right)?])),
                }
            }
            BinaryOperator::Xor | BinaryOperator::Compare(Comparison::Equal | Comparison::NotEqual)
                if is_truth(left) && is_truth(right) =>
            {
                let left = self.formula(left)?;
                let right = self.formula(right)?;
                let one = ClockFormula::And(vec![left.clone(), right.clone().negated()]);
                let other = ClockFormula::And(vec![left.negated(), right]);
                let differ = ClockFormula::Or(vec![one, other]);
                let is_equal = operator == BinaryOperator::Compare(Comparison::Equal);
                Ok(if is_equal { differ.negated() } else { differ })
            }
            _ => {
                let what = "a comparison of clocks inside of a computation".to_owned();
                Err(at(whole.origin)(RuntimeErrorKind::Unsupported(what)))
            }
        }
    }

    fn quantified_formula(
        &mut self,
        quantifier: Quantifier,
        binder: &Binder,
        body: &Expression,
        whole: &Expression,
    ) -> Evaluated<ClockFormula> {
        let is_universal = match quantifier {
            Quantifier::ForAll => true,
            Quantifier::Exists => false,
            Quantifier::Sum => {
                let what = "a comparison of clocks inside of a computation".to_owned();
                return Err(at(whole.origin)(RuntimeErrorKind::Unsupported(what)));
            }
        };
        let mut parts = Vec::new();
        for value in binder.domain.values() {
            self.fuel.burn(1, whole.origin)?;
            self.bind(binder.local, Value::Integer(value));
            match self.formula(body)? {
                ClockFormula::Constant(holds) if holds != is_universal => {
                    return Ok(ClockFormula::Constant(holds));
                }
                ClockFormula::Constant(_) => {}
                part => parts.push(part),
            }
        }
        Ok(if is_universal {
            ClockFormula::all(parts)
        } else if parts.is_empty() {
            ClockFormula::Constant(false)
        } else {
            ClockFormula::Or(parts)
        })
    }
}
