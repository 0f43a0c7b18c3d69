//! Evaluates terms in states with open variables.
//!
//! Invariant: a result does not depend on the values of open variables.

use tempora_smt::{EvaluationError, Integer, Operator, SymbolId, Term, TermId, TermStore, Value};

/// The values of variables, by position; open variables have none.
pub(crate) type PartialState = Vec<Option<Value>>;

/// The position of each symbol's variable.
#[derive(Clone, Debug)]
pub(crate) struct Positions(pub(crate) Vec<Option<usize>>);

impl Positions {
    pub(crate) fn of(&self, symbol: SymbolId) -> Option<usize> {
        self.0.get(symbol.index()).copied().flatten()
    }
}

/// Evaluates a term. Systems bound the depth of terms, so recursion is safe.
pub(crate) fn evaluate(
    store: &TermStore,
    positions: &Positions,
    state: &[Option<Value>],
    term: TermId,
) -> Result<Option<Value>, EvaluationError> {
    let (operator, arguments) = match store.term(term) {
        Term::Constant(value) => return Ok(Some(value.clone())),
        Term::Symbol(symbol) => {
            return Ok(positions.of(*symbol).and_then(|position| state.get(position)?.clone()));
        }
        Term::Apply(operator, arguments) => (operator, arguments),
    };
    let value = |argument: TermId| evaluate(store, positions, state, argument);
    match (operator, arguments.as_ref()) {
        (Operator::And | Operator::Or, _) => {
            let decisive = *operator == Operator::Or;
            let mut result = Ok(Some(Value::Boolean(!decisive)));
            for argument in arguments {
                match value(*argument) {
                    Ok(Some(Value::Boolean(found))) if found == decisive => {
                        return Ok(Some(Value::Boolean(decisive)));
                    }
                    Ok(Some(_)) => {}
                    Ok(None) => result = result.map(|_| None),
                    Err(error) => result = Err(error),
                }
            }
            result
        }
        (Operator::Not, [argument]) => Ok(match value(*argument)? {
            Some(Value::Boolean(found)) => Some(Value::Boolean(!found)),
            _ => None,
        }),
        (Operator::IfThenElse, [condition, then, otherwise]) => match value(*condition)? {
            Some(Value::Boolean(true)) => value(*then),
            Some(_) => value(*otherwise),
            None => {
                // If both sides agree, the condition does not matter.
                let (then, otherwise) = (value(*then)?, value(*otherwise)?);
                Ok(if then == otherwise { then } else { None })
            }
        },
        (Operator::Add | Operator::Multiply, [first, rest @ ..]) => {
            let Some(mut result) = value(*first)? else { return Ok(None) };
            for argument in rest {
                let Some(next) = value(*argument)? else { return Ok(None) };
                result = match (&result, &next, operator) {
                    (
                        Value::Integer(left @ Integer::Small(_)),
                        Value::Integer(right @ Integer::Small(_)),
                        operator,
                    ) => Value::Integer(match operator {
                        Operator::Add => left.add(right),
                        _ => left.multiply(right),
                    }),
                    _ => operator.apply(store, &[result, next])?,
                };
            }
            Ok(Some(result))
        }
        (_, [left, right]) => {
            let (Some(left), Some(right)) = (value(*left)?, value(*right)?) else { return Ok(None) };
            operator.apply(store, &[left, right]).map(Some)
        }
        (_, arguments) => {
            let mut values = Vec::with_capacity(arguments.len());
            for argument in arguments {
                let Some(value) = value(*argument)? else { return Ok(None) };
                values.push(value);
            }
            operator.apply(store, &values).map(Some)
        }
    }
}
