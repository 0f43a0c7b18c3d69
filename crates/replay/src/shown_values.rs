//! Decides whether a run shows a value of an answer: that it is attained or approached.
//!
//! Invariant: a run shows a value if its last state satisfies the predicate and the value there is the one claimed as
//! attained, or is less than one away from the one claimed as approached, on the right side. No run shows that no other
//! run goes further; that part is not independently checked.

use tempora_evidence::{Limit, MeasuredValue, Rational, RuntimeError, Trace};
use tempora_model::{Expression, QueryKind, Type, Value};

use crate::evaluate::Evaluator;
use crate::interpreter::Interpreter;
use crate::trace::Run;

/// A value of a query.
pub(crate) struct Measured<'query> {
    /// Only states that satisfy this predicate count.
    predicate: Option<&'query Expression>,
    /// The measured expression; without it, the time since the start.
    expression: Option<&'query Expression>,
    pub(crate) value: &'query MeasuredValue,
}

/// Returns the values of an answer with their predicates and expressions, as far as a run can show them.
pub(crate) fn measured<'query>(
    kind: &'query QueryKind,
    values: &'query [MeasuredValue],
) -> Vec<Measured<'query>> {
    let mut all: Vec<Measured<'_>> = match kind {
        QueryKind::Bounds { predicate, expressions, .. } => {
            let about = |(expression, value)| Measured {
                predicate: predicate.as_ref(),
                expression: Some(expression),
                value,
            };
            expressions.iter().zip(values).map(about).collect()
        }
        QueryKind::Time { predicate, .. } => {
            let about = |value| Measured { predicate: Some(predicate), expression: None, value };
            values.iter().take(1).map(about).collect()
        }
        _ => Vec::new(),
    };
    all.retain(|measured| *measured.value != MeasuredValue::NoState);
    all
}

impl Measured<'_> {
    /// Returns whether a run may miss the value without contradiction, because the value is unbounded.
    pub(crate) fn is_value_unbounded(&self) -> bool {
        match self.value {
            MeasuredValue::NoState => false,
            MeasuredValue::Supremum(limit) | MeasuredValue::Infimum(limit) => *limit == Limit::Unbounded,
            MeasuredValue::Intervals(intervals) => {
                intervals.last().is_some_and(|last| last.1 == Limit::Unbounded)
            }
        }
    }

    /// Returns whether a run shows the value; of all values, the greatest.
    pub(crate) fn is_shown_by(
        &self,
        interpreter: &Interpreter<'_>,
        trace: &Trace,
        run: &Run,
    ) -> Result<bool, RuntimeError> {
        if let Some(predicate) = self.predicate
            && !interpreter.holds(&run.last, predicate)?
        {
            return Ok(false);
        }
        let own = self.value_in(interpreter, trace, run)?;
        let one = Rational::from_integer(1);
        let is_near_from_below = |limit: Limit| match limit {
            Limit::Attained(value) => Ok(own == value),
            Limit::Approached(value) => Ok(own < value && own > value - one),
            Limit::Unbounded => self.can_wait_for_ever(interpreter, run),
        };
        match self.value {
            MeasuredValue::NoState => Ok(false),
            MeasuredValue::Supremum(limit) => is_near_from_below(*limit),
            MeasuredValue::Infimum(limit) => Ok(match limit {
                Limit::Attained(value) => own == *value,
                Limit::Approached(value) => own > *value && own < *value + one,
                Limit::Unbounded => false,
            }),
            MeasuredValue::Intervals(intervals) => {
                intervals.last().map_or(Ok(false), |last| is_near_from_below(last.1))
            }
        }
    }

    fn value_in(
        &self,
        interpreter: &Interpreter<'_>,
        trace: &Trace,
        run: &Run,
    ) -> Result<Rational, RuntimeError> {
        let Some(expression) = self.expression else {
            return Ok(trace.steps.iter().map(|step| step.delay).sum::<Rational>() + trace.final_delay);
        };
        let fuel = interpreter.fuel();
        let mut evaluator = Evaluator::reading(interpreter, &run.last, &fuel);
        if expression.value_type == Type::Clock {
            let place = evaluator.place(expression)?;
            let cell = evaluator.clock_cell(&place, expression.origin)?;
            return Ok(run.last.clocks[cell]);
        }
        match evaluator.evaluate(expression)? {
            Value::Integer(value) => Ok(Rational::from_integer(i64::from(value))),
            _ => Err(crate::evaluate::at(expression.origin)(tempora_evidence::RuntimeErrorKind::IllFormed(
                "expected a number",
            ))),
        }
    }

    /// Returns whether the run can wait for ever at its end, in states that satisfy the predicate.
    fn can_wait_for_ever(&self, interpreter: &Interpreter<'_>, run: &Run) -> Result<bool, RuntimeError> {
        let mut delays = interpreter.allowed_delays(&run.last)?;
        if let Some(predicate) = self.predicate {
            delays = delays.intersection(&interpreter.predicate_delays(&run.last, predicate)?);
        }
        let is_about_time = self.expression.is_none_or(|expression| expression.value_type == Type::Clock);
        Ok(is_about_time && delays.is_unbounded())
    }
}
