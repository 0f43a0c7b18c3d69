//! The mathematical functions that models may call.
//!
//! Invariant: a function that the standard library does not compute precisely, or whose meaning differs between
//! versions of the language, is refused by name. Random functions cannot be replayed and are refused too.

use tempora_evidence::RuntimeErrorKind;
use tempora_model::Value;
use tempora_model::builtins::function_named;

use crate::arithmetic::{double, integer, truth};

/// Computes the value of a function.
pub(crate) fn call(name: &str, arguments: &[Value]) -> Result<Value, RuntimeErrorKind> {
    let Some(function) = function_named(name) else {
        return Err(RuntimeErrorKind::IllFormed("a call of an unknown function"));
    };
    if function.is_random {
        return Err(RuntimeErrorKind::Unsupported(format!("the random function `{name}`")));
    }
    if function.parameters.len() != arguments.len() {
        return Err(RuntimeErrorKind::IllFormed("a call with the wrong number of arguments"));
    }
    if name == "abs" {
        let absolute = integer(&arguments[0])?.checked_abs();
        return absolute.map(Value::Integer).ok_or(RuntimeErrorKind::Overflow);
    }
    if name == "ldexp" {
        return Ok(Value::Double(double(&arguments[0])? * 2f64.powi(integer(&arguments[1])?)));
    }
    let numbers = arguments.iter().map(double).collect::<Result<Vec<f64>, _>>()?;
    match numbers[..] {
        [x] => one_number(name, x),
        [x, y] => two_numbers(name, x, y),
        [x, y, z] if name == "fma" => Ok(Value::Double(x.mul_add(y, z))),
        _ => refused(name),
    }
}

fn one_number(name: &str, x: f64) -> Result<Value, RuntimeErrorKind> {
    let value = match name {
        "acos" => x.acos(),
        "acosh" => x.acosh(),
        "asin" => x.asin(),
        "asinh" => x.asinh(),
        "atan" => x.atan(),
        "atanh" => x.atanh(),
        "cbrt" => x.cbrt(),
        "ceil" => x.ceil(),
        "cos" => x.cos(),
        "cosh" => x.cosh(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "expm1" => x.exp_m1(),
        "fabs" => x.abs(),
        "floor" => x.floor(),
        "ln" => x.ln(),
        "log10" => x.log10(),
        "log1p" => x.ln_1p(),
        "log2" => x.log2(),
        "logb" => match x {
            _ if x == 0.0 => f64::NEG_INFINITY,
            _ if x.is_infinite() => f64::INFINITY,
            _ if x.is_nan() => x,
            _ => f64::from(binary_exponent(x)),
        },
        "round" => x.round(),
        "sin" => x.sin(),
        "sinh" => x.sinh(),
        "sqrt" => x.sqrt(),
        "tan" => x.tan(),
        "tanh" => x.tanh(),
        "trunc" => x.trunc(),
        "fint" => return whole(x.trunc()),
        "ilogb" if x != 0.0 && x.is_finite() => return Ok(Value::Integer(binary_exponent(x))),
        "ilogb" => return Err(RuntimeErrorKind::Overflow),
        "isfinite" => return Ok(truth(x.is_finite())),
        "isinf" => return Ok(truth(x.is_infinite())),
        "isnan" => return Ok(truth(x.is_nan())),
        "isnormal" => return Ok(truth(x.is_normal())),
        "signbit" => return Ok(truth(x.is_sign_negative())),
        // `fpclassify` returns different numbers on different systems, and `log` has another base in other versions;
        // the standard library has neither error functions nor gamma functions.
        _ => return refused(name),
    };
    Ok(Value::Double(value))
}

fn two_numbers(name: &str, x: f64, y: f64) -> Result<Value, RuntimeErrorKind> {
    let value = match name {
        "atan2" => x.atan2(y),
        "copysign" => x.copysign(y),
        "fdim" | "nextafter" if x.is_nan() || y.is_nan() => f64::NAN,
        "fdim" => (x - y).max(0.0),
        "fmax" => x.max(y),
        "fmin" => x.min(y),
        "fmod" => x % y,
        "hypot" => x.hypot(y),
        "nextafter" if x == y => y,
        "nextafter" => {
            if x < y {
                x.next_up()
            } else {
                x.next_down()
            }
        }
        "pow" => x.powf(y),
        "isunordered" => return Ok(truth(x.is_nan() || y.is_nan())),
        _ => return refused(name),
    };
    Ok(Value::Double(value))
}

/// Returns the exponent of the greatest power of two that is not greater; the number is finite and not zero.
fn binary_exponent(x: f64) -> i32 {
    // Subnormal numbers are scaled up first, because their exponent field does not contain the exponent.
    let (x, correction) = if x.is_normal() { (x, 0) } else { (x * 2f64.powi(64), -64) };
    let field = (x.to_bits() >> 52) & 0x7ff;
    field as i32 - 1023 + correction
}

fn whole(x: f64) -> Result<Value, RuntimeErrorKind> {
    if x >= f64::from(i32::MIN) && x <= f64::from(i32::MAX) {
        Ok(Value::Integer(x as i32))
    } else {
        Err(RuntimeErrorKind::Overflow)
    }
}

fn refused(name: &str) -> Result<Value, RuntimeErrorKind> {
    Err(RuntimeErrorKind::Unsupported(format!("the function `{name}`")))
}

#[cfg(test)]
mod tests {
    use super::call;
    use tempora_evidence::RuntimeErrorKind;
    use tempora_model::Value;
    use tempora_model::builtins::{FUNCTIONS, NumberKind};

    #[test]
    fn functions_are_computed_or_refused_by_name() {
        let mut refused = Vec::new();
        for function in FUNCTIONS {
            let arguments: Vec<Value> = function
                .parameters
                .iter()
                .map(|kind| match kind {
                    NumberKind::Integer => Value::Integer(1),
                    NumberKind::Double => Value::Double(1.0),
                })
                .collect();
            match call(function.name, &arguments) {
                Ok(value) => {
                    let is_integer = matches!(value, Value::Integer(_));
                    assert_eq!(is_integer, function.result == NumberKind::Integer, "{}", function.name);
                }
                Err(RuntimeErrorKind::Unsupported(_)) if function.is_random => {}
                Err(RuntimeErrorKind::Unsupported(_)) => refused.push(function.name),
                Err(error) => panic!("{}: {error}", function.name),
            }
        }
        assert_eq!(refused, ["erf", "erfc", "fpclassify", "lgamma", "log", "tgamma"]);
    }

    #[test]
    fn functions_return_known_values() {
        let cases: &[(&str, &[f64], Value)] = &[
            ("fint", &[-2.7], Value::Integer(-2)),
            ("ilogb", &[10.0], Value::Integer(3)),
            ("ilogb", &[f64::MIN_POSITIVE / 4.0], Value::Integer(-1024)),
            ("logb", &[0.0], Value::Double(f64::NEG_INFINITY)),
            ("fdim", &[1.0, 3.0], Value::Double(0.0)),
            ("fdim", &[5.0, 3.0], Value::Double(2.0)),
            ("hypot", &[3.0, 4.0], Value::Double(5.0)),
            ("fma", &[2.0, 3.0, 4.0], Value::Double(10.0)),
            ("atan2", &[0.0, 1.0], Value::Double(0.0)),
            ("nextafter", &[0.0, -1.0], Value::Double(-f64::from_bits(1))),
        ];
        for (name, arguments, expected) in cases {
            let arguments: Vec<Value> = arguments.iter().map(|&number| Value::Double(number)).collect();
            assert_eq!(call(name, &arguments).as_ref(), Ok(expected), "{name}");
        }
        assert_eq!(call("fint", &[Value::Double(1e10)]), Err(RuntimeErrorKind::Overflow));
        assert_eq!(call("abs", &[Value::Integer(i32::MIN)]), Err(RuntimeErrorKind::Overflow));
    }
}
