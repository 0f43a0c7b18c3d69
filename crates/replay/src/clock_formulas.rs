//! What the plain semantics says of a discrete state whatever the clocks are: conditions as formulas over clocks, and
//! transitions as what they do to clocks.
//!
//! Invariant: for each valuation of the clocks, a formula has the truth value that the condition has in the state with
//! that valuation, evaluated in the plain way. The clocks of the state that is asked about do not count. What has no
//! single answer for all valuations, such as a computation with the value of a clock, is an error and never a guess.

use tempora_evidence::{Participation, Rational, RuntimeError, RuntimeErrorKind, Transition, TransitionKind};
use tempora_model::{
    BinaryOperator, Binder, ChannelKind, Comparison, EdgeId, EventId, Expression, ExpressionKind, Id,
    ProcessId, Quantifier, SynchronisationRole, Type, UnaryOperator, Value, VariableId,
};

use crate::candidates::channel_kind;
use crate::evaluate::{Evaluated, Evaluator, at};
use crate::interpreter::Interpreter;
use crate::place::Root;
use crate::product::Combinations;
use crate::state::ConcreteState;

/// A condition on clocks, by their numbers in the [`crate::ClockLayout`].
#[derive(Clone, PartialEq, Debug)]
pub enum ClockFormula {
    /// It holds for all valuations, or for none.
    Constant(bool),
    /// A difference of two clocks is compared.
    Compare(ClockComparison),
    /// It does not hold.
    Not(Box<ClockFormula>),
    /// All hold.
    And(Vec<ClockFormula>),
    /// One holds.
    Or(Vec<ClockFormula>),
}

/// `left - right` compared with a bound; a missing clock is zero.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClockComparison {
    /// The clock that counts positively.
    pub left: Option<usize>,
    /// The clock that counts negatively.
    pub right: Option<usize>,
    /// The comparison.
    pub comparison: Comparison,
    /// The bound.
    pub bound: Rational,
}

/// What a clock is set to: another clock, or zero, plus a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClockOrigin {
    /// The clock before the transition.
    pub clock: Option<usize>,
    /// What is added to it.
    pub plus: Rational,
}

/// An edge whose conditions without clocks hold, with values for its selects.
#[derive(Clone, PartialEq, Debug)]
pub struct DiscreteEdge {
    /// The process.
    pub process: ProcessId,
    /// The edge.
    pub edge: EdgeId,
    /// The values of the selects.
    pub select_values: Vec<i32>,
    /// The channel that it synchronises on.
    pub channel: Option<DiscreteChannel>,
    /// Its event.
    pub event: Option<EventId>,
    /// For which clocks its guard holds.
    pub guard: ClockFormula,
}

impl DiscreteEdge {
    /// The transition in which it is taken by itself, by its first branch, whatever it synchronises on.
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

/// A channel, and which side of it.
#[derive(Clone, PartialEq, Debug)]
pub struct DiscreteChannel {
    /// The variable that it is, or is inside of.
    pub variable: VariableId,
    /// Where in the variable it is.
    pub path: Vec<usize>,
    /// What kind of channel it is.
    pub kind: ChannelKind,
    /// Which side.
    pub role: SynchronisationRole,
}

impl ClockFormula {
    /// All of them, without those that say nothing.
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

    /// The opposite.
    pub fn negated(self) -> ClockFormula {
        match self {
            ClockFormula::Constant(value) => ClockFormula::Constant(!value),
            ClockFormula::Not(inner) => *inner,
            other => ClockFormula::Not(Box::new(other)),
        }
    }
}

/// Where slopes of clocks begin when they stand for the clocks: the sum of two is none of them.
const FIRST_SLOPE: i64 = 1 << 40;

impl Interpreter<'_> {
    /// A predicate of a query as a formula over clocks, for those values with which the state is deadlocked, or is not.
    pub fn predicate_formula(
        &self,
        state: &ConcreteState,
        predicate: &Expression,
        is_deadlocked: bool,
    ) -> Result<ClockFormula, RuntimeError> {
        Evaluator::reading(self, state, &self.fuel()).where_deadlocked(is_deadlocked).formula(predicate)
    }

    /// The invariants of the locations of a state.
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

    /// The edges of all processes that leave their locations and whose conditions without clocks hold.
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
                                let what = RuntimeErrorKind::IllFormed("a channel that is no variable");
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

    /// The discrete state after the updates of a transition, and where each clock then has its value from.
    ///
    /// Whether the transition is possible is another question, and so are the invariants.
    pub fn discrete_successor(
        &self,
        state: &ConcreteState,
        transition: &Transition,
    ) -> Result<(ConcreteState, Vec<ClockOrigin>), RuntimeError> {
        let count = self.layout.cell_count();
        let zero = Rational::from_integer(0);
        let mut before = state.clone();
        before.clocks = vec![zero; count];
        // A clock that grows with its own slope says after the updates which one it was before them.
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

    /// How fast each clock grows in a state.
    pub fn clock_rates(&self, state: &ConcreteState) -> Result<Vec<Rational>, RuntimeError> {
        self.rates(state, &self.fuel())
    }

    /// The priority of a transition; greater goes first. All are equal in a model without priorities.
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

    /// Whether edges of the process with this event happen without others.
    pub fn happens_alone(&self, process: ProcessId, event: EventId) -> bool {
        self.is_asynchronous(process, event)
    }

    /// Whether an edge with this event leaves the location of the process.
    pub fn offers_event(&self, state: &ConcreteState, process: ProcessId, event: EventId) -> bool {
        self.has_event_here(state, process, event)
    }
}

impl Evaluator<'_> {
    /// For which clocks an expression holds.
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

    /// The right side is looked at unless the left one decides for all clocks.
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
