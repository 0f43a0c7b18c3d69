//! What a run shows about values that a query asks for: that one is attained, or come near to.
//!
//! Invariant: a value is shown by a run if the last state counts and its own value is the one that is said to be attained, or is
//! less than one away from the one that is said to be approached, on the right side. That no other run goes further is shown by
//! no run; it is the word of the engine.

use tempora_evidence::{Limit, MeasuredValue, Rational, RuntimeError, Trace};
use tempora_model::{Expression, QueryKind, Type, Value};

use crate::evaluate::Evaluator;
use crate::interpreter::Interpreter;
use crate::trace::Run;

/// What one value of a query is about.
pub(crate) struct Measured<'query> {
    /// Only states in which this holds count.
    predicate: Option<&'query Expression>,
    /// What is measured; without it, the time since the start.
    expression: Option<&'query Expression>,
    pub(crate) value: &'query MeasuredValue,
}

/// The values of an answer with what they are about, as far as a run can show them.
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
    /// Whether a run that is not at the value shows nothing wrong: there are others that go on and on.
    pub(crate) fn has_no_end(&self) -> bool {
        match self.value {
            MeasuredValue::NoState => false,
            MeasuredValue::Supremum(limit) | MeasuredValue::Infimum(limit) => *limit == Limit::Unbounded,
            MeasuredValue::Intervals(intervals) => {
                intervals.last().is_some_and(|last| last.1 == Limit::Unbounded)
            }
        }
    }

    /// Whether a run shows the value: the greatest, if all are asked for.
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
            Limit::Unbounded => self.grows_on(interpreter, run),
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
                "something else is asked for than a number",
            ))),
        }
    }

    /// Whether the run can wait for ever at its end, in states that count.
    fn grows_on(&self, interpreter: &Interpreter<'_>, run: &Run) -> Result<bool, RuntimeError> {
        let mut delays = interpreter.allowed_delays(&run.last)?;
        if let Some(predicate) = self.predicate {
            delays = delays.intersection(&interpreter.predicate_delays(&run.last, predicate)?);
        }
        let is_about_time = self.expression.is_none_or(|expression| expression.value_type == Type::Clock);
        Ok(is_about_time && delays.is_unbounded())
    }
}
