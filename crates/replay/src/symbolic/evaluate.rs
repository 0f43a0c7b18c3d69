//! Evaluates terms independently of the engines.
//!
//! Invariant: it follows the definitions of the operators one by one, with numbers of any size, and shares no code with
//! the evaluator of the engines.

use num_bigint::{BigInt, Sign};
use tempora_model::Id;
use tempora_smt::{ArrayValue, BigRational, Integer, Operator, Sort, Term, TermId, Value};
use tempora_transition::SymbolicSystem;

/// Evaluates a term in a state, or returns why it has no value. Validation bounds the depth of terms.
pub(super) fn evaluate(system: &SymbolicSystem, values: &[Value], term: TermId) -> Result<Value, String> {
    let (operator, arguments) = match system.store.term(term) {
        Term::Constant(value) => return Ok(value.clone()),
        Term::Symbol(symbol) => {
            let variable = system.variables.iter().find(|(_, variable)| variable.symbol == *symbol);
            let (id, _) = variable.ok_or("a term contains a symbol that is not a variable")?;
            return values.get(id.index()).cloned().ok_or_else(|| "a variable has no value".to_owned());
        }
        Term::Apply(operator, arguments) => (operator, arguments),
    };
    let value_of = |position: usize| match arguments.get(position) {
        Some(argument) => evaluate(system, values, *argument),
        None => Err("an operator has too few arguments".to_owned()),
    };
    match operator {
        Operator::Not => Ok(Value::Boolean(!truth(&value_of(0)?)?)),
        Operator::And => {
            for argument in arguments {
                if !truth(&evaluate(system, values, *argument)?)? {
                    return Ok(Value::Boolean(false));
                }
            }
            Ok(Value::Boolean(true))
        }
        Operator::Or => {
            for argument in arguments {
                if truth(&evaluate(system, values, *argument)?)? {
                    return Ok(Value::Boolean(true));
                }
            }
            Ok(Value::Boolean(false))
        }
        Operator::IfThenElse => value_of(if truth(&value_of(0)?)? { 1 } else { 2 }),
        Operator::Equal => Ok(Value::Boolean(value_of(0)? == value_of(1)?)),
        Operator::LessEqual => Ok(Value::Boolean(number(&value_of(0)?)? <= number(&value_of(1)?)?)),
        Operator::Less => Ok(Value::Boolean(number(&value_of(0)?)? < number(&value_of(1)?)?)),
        Operator::Add | Operator::Multiply => {
            let is_real = *system.store.sort(term) == Sort::Real;
            let mut result = number(&value_of(0)?)?;
            for argument in &arguments[1..] {
                let next = number(&evaluate(system, values, *argument)?)?;
                result = if *operator == Operator::Add { result + next } else { result * next };
            }
            if is_real { Ok(Value::Real(Box::new(result))) } else { Ok(whole(result.to_integer())) }
        }
        Operator::DivideReal => {
            let (dividend, divisor) = (number(&value_of(0)?)?, number(&value_of(1)?)?);
            if divisor == BigRational::default() {
                return Err(BY_ZERO.to_owned());
            }
            Ok(Value::Real(Box::new(dividend / divisor)))
        }
        Operator::DivideEuclidean
        | Operator::ModuloEuclidean
        | Operator::DivideTruncated
        | Operator::RemainderTruncated
        | Operator::Remainder => {
            let (dividend, divisor) =
                (number(&value_of(0)?)?.to_integer(), number(&value_of(1)?)?.to_integer());
            divide(operator, &dividend, &divisor).map(whole)
        }
        Operator::Bits(operator) => {
            let values = (0..arguments.len()).map(value_of).collect::<Result<Vec<_>, _>>()?;
            super::bits::evaluate(*operator, &values)
        }
        Operator::Floats(operator) => {
            let values = (0..arguments.len()).map(value_of).collect::<Result<Vec<_>, _>>()?;
            super::floats::evaluate(*operator, &values)
        }
        Operator::ToReal => Ok(Value::Real(Box::new(number(&value_of(0)?)?))),
        Operator::Select => {
            let array = value_of(0)?;
            Ok(map(&array)?.select(&value_of(1)?).clone())
        }
        Operator::Store => {
            let array = value_of(0)?;
            Ok(Value::Array(map(&array)?.store(value_of(1)?, value_of(2)?).into()))
        }
        Operator::ConstantArray(index) => {
            Ok(Value::Array(ArrayValue::constant(&system.store, index.clone(), value_of(0)?).into()))
        }
    }
}

const BY_ZERO: &str = "division by zero has no value";

/// Divides. Quotient `q` and remainder `r` satisfy `dividend = q * divisor + r`; the operators differ in the sign of
/// `r`.
fn divide(operator: &Operator, dividend: &BigInt, divisor: &BigInt) -> Result<BigInt, String> {
    if divisor.sign() == Sign::NoSign {
        return Err(BY_ZERO.to_owned());
    }
    let (quotient, remainder) = (dividend / divisor, dividend % divisor);
    // The machine's division leaves a remainder with the sign of the dividend.
    let (euclidean_quotient, euclidean_remainder) = match (remainder.sign(), divisor.sign()) {
        (Sign::Minus, Sign::Minus) => (&quotient + 1, &remainder - divisor),
        (Sign::Minus, _) => (&quotient - 1, &remainder + divisor),
        _ => (quotient.clone(), remainder.clone()),
    };
    Ok(match operator {
        Operator::DivideEuclidean => euclidean_quotient,
        Operator::ModuloEuclidean => euclidean_remainder,
        Operator::DivideTruncated => quotient,
        Operator::RemainderTruncated => remainder,
        _ if divisor.sign() == Sign::Minus => -euclidean_remainder,
        _ => euclidean_remainder,
    })
}

fn whole(number: BigInt) -> Value {
    Value::Integer(Integer::from(number))
}

fn truth(value: &Value) -> Result<bool, String> {
    match value {
        Value::Boolean(value) => Ok(*value),
        _ => Err("expected a truth value".to_owned()),
    }
}

fn number(value: &Value) -> Result<BigRational, String> {
    match value {
        Value::Integer(value) => Ok(BigRational::from_integer(value.to_big())),
        Value::Real(value) => Ok((**value).clone()),
        _ => Err("expected a number".to_owned()),
    }
}

fn map(value: &Value) -> Result<&ArrayValue, String> {
    match value {
        Value::Array(array) => Ok(array),
        _ => Err("expected an array".to_owned()),
    }
}
