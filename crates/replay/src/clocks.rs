//! Conditions on clocks as sets of delays.
//!
//! Invariant: with the discrete part of a state fixed, each clock is a linear function of the delay, so a comparison of
//! clocks holds for an interval of delays and a condition for a finite union of intervals. The set computed for a
//! condition contains exactly the delays after which its direct evaluation is true.
//!
//! The right side of `&&` is evaluated only if the left side holds for some delay, and likewise for similar operators.
//! So an error in the right side may be reported although a run avoids it by never waiting so long.

use tempora_evidence::{Rational, RuntimeErrorKind};
use tempora_model::{
    BinaryOperator, Binder, Comparison, Condition, Expression, ExpressionKind, Id, Quantifier, Type,
    UnaryOperator, Value, VariableKind,
};
use tempora_source::Origin;

use crate::delay_set::{Cut, DelaySet};
use crate::evaluate::{Evaluated, Evaluator, at};
use crate::interpreter::{Fuel, Interpreter};
use crate::rational;
use crate::state::ConcreteState;
use crate::value_place::Root;

impl Evaluator<'_> {
    /// Returns the delays of the horizon after which a condition holds.
    ///
    /// If the horizon is only the present, the condition is evaluated directly.
    pub(crate) fn condition_delays(
        &mut self,
        condition: &Condition,
        horizon: &DelaySet,
    ) -> Evaluated<DelaySet> {
        if self.slopes.is_none() {
            let holds = self.first_false(condition)?.is_none();
            return Ok(if holds { horizon.intersection(&DelaySet::now()) } else { DelaySet::empty() });
        }
        for expression in &condition.data {
            if !self.holds(expression)? {
                return Ok(DelaySet::empty());
            }
        }
        let mut delays = horizon.clone();
        for expression in &condition.clocks {
            if delays.is_empty() {
                break;
            }
            delays = delays.intersection(&self.delays(expression)?);
        }
        Ok(delays)
    }

    /// Returns whether all conditions without clocks hold.
    pub(crate) fn all_hold(&mut self, conditions: &[Expression]) -> Evaluated<bool> {
        for condition in conditions {
            if !self.holds(condition)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the first conjunct of a condition that is false now.
    pub(crate) fn first_false<'condition>(
        &mut self,
        condition: &'condition Condition,
    ) -> Evaluated<Option<&'condition Expression>> {
        for expression in condition.data.iter().chain(&condition.clocks) {
            if !self.holds(expression)? {
                return Ok(Some(expression));
            }
        }
        Ok(None)
    }

    /// Returns the delays after which an expression holds; the evaluator must be one for all delays at once.
    pub(crate) fn delays(&mut self, expression: &Expression) -> Evaluated<DelaySet> {
        self.enter(expression.origin)?;
        let delays = self.delays_entered(expression);
        self.leave();
        delays
    }

    /// Returns one call for each kind, so that this recursive function has a small stack frame.
    fn delays_entered(&mut self, expression: &Expression) -> Evaluated<DelaySet> {
        let origin = expression.origin;
        if !self.interpreter.reads_clocks(expression) {
            return self.holds(expression).map(DelaySet::all_if);
        }
        match &expression.kind {
            ExpressionKind::CompareClocks { left, right, comparison, bound } => {
                self.comparison_delays(left.as_deref(), right.as_deref(), *comparison, bound, origin)
            }
            ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
                self.delays(operand).map(|delays| delays.complement())
            }
            ExpressionKind::Binary { operator, left, right } => {
                self.binary_delays(*operator, left, right, origin)
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.conditional_delays(condition, then, otherwise)
            }
            ExpressionKind::Quantified { quantifier, binder, body } => {
                self.quantified_delays(*quantifier, binder, body, origin)
            }
            ExpressionKind::Deadlock => self.interpreter.deadlock_delays(self.state(), self.fuel),
            _ => Err(at(origin)(inside_computation())),
        }
    }

    fn comparison_delays(
        &mut self,
        left: Option<&Expression>,
        right: Option<&Expression>,
        comparison: Comparison,
        bound: &Expression,
        origin: Origin,
    ) -> Evaluated<DelaySet> {
        let (value, slope) = self.clock_difference(left, right, origin)?;
        let bound = self.bound(bound)?;
        linear_delays(value, slope, comparison, bound).map_err(at(origin))
    }

    fn binary_delays(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        origin: Origin,
    ) -> Evaluated<DelaySet> {
        let compares_truth_values = is_truth_value(left) && is_truth_value(right);
        let is_supported = match operator {
            BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Imply => true,
            BinaryOperator::Xor | BinaryOperator::Compare(Comparison::Equal | Comparison::NotEqual) => {
                compares_truth_values
            }
            _ => false,
        };
        if !is_supported {
            return Err(at(origin)(inside_computation()));
        }
        let mut left = self.delays(left)?;
        if operator == BinaryOperator::Imply {
            left = left.complement();
        }
        let is_decided = match operator {
            BinaryOperator::And => left.is_empty(),
            BinaryOperator::Or | BinaryOperator::Imply => left == DelaySet::all(),
            _ => false,
        };
        if is_decided {
            return Ok(left);
        }
        let right = self.delays(right)?;
        let both = left.intersection(&right);
        let one = left.union(&right);
        Ok(match operator {
            BinaryOperator::And => both,
            BinaryOperator::Or | BinaryOperator::Imply => one,
            BinaryOperator::Compare(Comparison::Equal) => both.union(&one.complement()),
            _ => one.intersection(&both.complement()),
        })
    }

    fn conditional_delays(
        &mut self,
        condition: &Expression,
        then: &Expression,
        otherwise: &Expression,
    ) -> Evaluated<DelaySet> {
        let condition = self.delays(condition)?;
        let mut delays = DelaySet::empty();
        if !condition.is_empty() {
            delays = condition.intersection(&self.delays(then)?);
        }
        let opposite = condition.complement();
        if !opposite.is_empty() {
            delays = delays.union(&opposite.intersection(&self.delays(otherwise)?));
        }
        Ok(delays)
    }

    fn quantified_delays(
        &mut self,
        quantifier: Quantifier,
        binder: &Binder,
        body: &Expression,
        origin: Origin,
    ) -> Evaluated<DelaySet> {
        let is_for_all = match quantifier {
            Quantifier::ForAll => true,
            Quantifier::Exists => false,
            Quantifier::Sum => return Err(at(origin)(inside_computation())),
        };
        let mut delays = DelaySet::all_if(is_for_all);
        for value in binder.domain.values() {
            self.bind(binder.local, Value::Integer(value));
            let next = self.delays(body)?;
            delays = if is_for_all { delays.intersection(&next) } else { delays.union(&next) };
            // Further values cannot change the result.
            if delays == DelaySet::all_if(!is_for_all) {
                break;
            }
        }
        Ok(delays)
    }

    /// Collects the rates that an expression gives to clocks.
    fn collect_rates(&mut self, expression: &Expression, rates: &mut [Option<Rational>]) -> Evaluated<()> {
        let origin = expression.origin;
        match &expression.kind {
            ExpressionKind::RateIs { clock, rate } => {
                let place = self.place(clock)?;
                if let Root::Variable(variable) = place.root
                    && self.interpreter.network.variables[variable].kind == VariableKind::Hybrid
                {
                    // Only statistics may read it, so its rate does not matter.
                    return Ok(());
                }
                let cell = self.clock_cell(&place, origin)?;
                let Value::Integer(rate) = self.evaluate(rate)? else {
                    let what = "a clock rate that is not an integer".to_owned();
                    return Err(at(origin)(RuntimeErrorKind::Unsupported(what)));
                };
                let rate = Rational::from_integer(i64::from(rate));
                match rates[cell].replace(rate) {
                    Some(other) if other != rate => Err(at(origin)(RuntimeErrorKind::ConflictingRates)),
                    _ => Ok(()),
                }
            }
            ExpressionKind::Binary { operator: BinaryOperator::And, left, right } => {
                self.collect_rates(left, rates)?;
                self.collect_rates(right, rates)
            }
            ExpressionKind::Quantified { quantifier: Quantifier::ForAll, binder, body } => {
                for value in binder.domain.values() {
                    self.fuel.burn(1, origin)?;
                    self.bind(binder.local, Value::Integer(value));
                    self.collect_rates(body, rates)?;
                }
                Ok(())
            }
            _ => {
                let what = "a clock rate under a condition".to_owned();
                Err(at(origin)(RuntimeErrorKind::Unsupported(what)))
            }
        }
    }
}

impl Interpreter<'_> {
    /// Returns the rate of each clock in a state: one, unless a location sets it.
    pub(crate) fn rates(&self, state: &ConcreteState, fuel: &Fuel) -> Evaluated<Vec<Rational>> {
        let mut rates = vec![None; self.layout.cell_count()];
        for (id, process) in self.network.processes.iter() {
            for expression in &process.locations[state.locations[id.index()]].clock_rates {
                Evaluator::reading(self, state, fuel).collect_rates(expression, &mut rates)?;
            }
        }
        Ok(rates.into_iter().map(|rate| rate.unwrap_or(Rational::from_integer(1))).collect())
    }
}

/// Returns the delays `d` for which the comparison of `value + slope * d` with the bound holds.
pub(crate) fn linear_delays(
    value: Rational,
    slope: Rational,
    comparison: Comparison,
    bound: Rational,
) -> Result<DelaySet, RuntimeErrorKind> {
    let zero = Rational::from_integer(0);
    if slope == zero {
        return Ok(DelaySet::all_if(comparison.holds(value.cmp(&bound))));
    }
    let meeting = rational::divide(rational::subtract(bound, value)?, slope)?;
    // A falling value is above the bound first and below it later.
    let comparison = if slope > zero { comparison } else { comparison.flipped() };
    Ok(match comparison {
        Comparison::Less => DelaySet::between(Cut::before(zero), Cut::before(meeting)),
        Comparison::LessOrEqual => DelaySet::between(Cut::before(zero), Cut::after(meeting)),
        Comparison::Equal => DelaySet::point(meeting),
        Comparison::NotEqual => DelaySet::point(meeting).complement(),
        Comparison::GreaterOrEqual => DelaySet::between(Cut::before(meeting), Cut::Infinity),
        Comparison::Greater => DelaySet::between(Cut::after(meeting), Cut::Infinity),
    })
}

fn is_truth_value(expression: &Expression) -> bool {
    matches!(expression.value_type, Type::Boolean | Type::Condition(_))
}

fn inside_computation() -> RuntimeErrorKind {
    RuntimeErrorKind::Unsupported("a comparison of clocks inside of a computation".to_owned())
}
