//! Floating point numbers: their cells, their operations, and the analysis of unread variables.
//!
//! Invariant: a number takes two cells, its low bits first. Results equal those of the reference semantics, bit for
//! bit. A variable counts as unread only if no guard, invariant, channel, index, integer or clock can depend on it; its
//! cells stay zero, so that it is no part of any state.

use tempora_model::{
    BinaryOperator, Comparison, Expression, ExpressionKind, Id, Network, Statement, Type, VariableId,
    VariableKind,
};

use crate::failure::FailureKind;

/// Returns the two cells of a number.
#[inline]
pub(crate) fn to_cells(number: f64) -> [i32; 2] {
    let bits = number.to_bits();
    [bits as u32 as i32, (bits >> 32) as u32 as i32]
}

/// Returns the number in two cells.
#[inline]
pub(crate) fn from_cells(low: i32, high: i32) -> f64 {
    f64::from_bits(u64::from(low as u32) | u64::from(high as u32) << 32)
}

/// Applies an operator to two numbers; `None` if it is only defined on integers.
#[inline]
pub(crate) fn arithmetic(operator: BinaryOperator, left: f64, right: f64) -> Option<f64> {
    Some(match operator {
        BinaryOperator::Add => left + right,
        BinaryOperator::Subtract => left - right,
        BinaryOperator::Multiply => left * right,
        BinaryOperator::Divide => left / right,
        BinaryOperator::Remainder => left % right,
        BinaryOperator::Power => left.powf(right),
        BinaryOperator::Minimum => left.min(right),
        BinaryOperator::Maximum => left.max(right),
        _ => return None,
    })
}

/// Compares two numbers; with "not a number" the result is false, except for inequality.
#[inline]
pub(crate) fn compare(comparison: Comparison, left: f64, right: f64) -> bool {
    match left.partial_cmp(&right) {
        Some(order) => comparison.holds(order),
        None => comparison == Comparison::NotEqual,
    }
}

/// A mathematical function, by its signature.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Function {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Three(fn(f64, f64, f64) -> f64),
    /// Returns an integer, if it fits 32 bits.
    ToInteger(fn(f64) -> Option<i32>),
    TwoToInteger(fn(f64, f64) -> i32),
    /// The second argument is an integer.
    WithInteger(fn(f64, i32) -> f64),
}

impl Function {
    /// Returns the function of a name in the language; `None` for functions that are random or have no fixed meaning.
    pub(crate) fn named(name: &str) -> Option<Function> {
        use Function::{One, ToInteger, Two, TwoToInteger};
        Some(match name {
            "acos" => One(f64::acos),
            "acosh" => One(f64::acosh),
            "asin" => One(f64::asin),
            "asinh" => One(f64::asinh),
            "atan" => One(f64::atan),
            "atanh" => One(f64::atanh),
            "cbrt" => One(f64::cbrt),
            "ceil" => One(f64::ceil),
            "cos" => One(f64::cos),
            "cosh" => One(f64::cosh),
            "exp" => One(f64::exp),
            "exp2" => One(f64::exp2),
            "expm1" => One(f64::exp_m1),
            "fabs" => One(f64::abs),
            "floor" => One(f64::floor),
            "ln" => One(f64::ln),
            "log10" => One(f64::log10),
            "log1p" => One(f64::ln_1p),
            "log2" => One(f64::log2),
            "round" => One(f64::round),
            "sin" => One(f64::sin),
            "sinh" => One(f64::sinh),
            "sqrt" => One(f64::sqrt),
            "tan" => One(f64::tan),
            "tanh" => One(f64::tanh),
            "trunc" => One(f64::trunc),
            "fint" => ToInteger(|x| {
                let whole = x.trunc();
                let fits = whole >= f64::from(i32::MIN) && whole <= f64::from(i32::MAX);
                fits.then_some(whole as i32)
            }),
            "isfinite" => ToInteger(|x| Some(i32::from(x.is_finite()))),
            "isinf" => ToInteger(|x| Some(i32::from(x.is_infinite()))),
            "isnan" => ToInteger(|x| Some(i32::from(x.is_nan()))),
            "isnormal" => ToInteger(|x| Some(i32::from(x.is_normal()))),
            "signbit" => ToInteger(|x| Some(i32::from(x.is_sign_negative()))),
            "isunordered" => TwoToInteger(|x, y| i32::from(x.is_nan() || y.is_nan())),
            "atan2" => Two(f64::atan2),
            "copysign" => Two(f64::copysign),
            "fdim" => Two(|x, y| if x.is_nan() || y.is_nan() { f64::NAN } else { (x - y).max(0.0) }),
            "fmax" => Two(f64::max),
            "fmin" => Two(f64::min),
            "fmod" => Two(|x, y| x % y),
            "hypot" => Two(f64::hypot),
            "pow" => Two(f64::powf),
            "fma" => Function::Three(f64::mul_add),
            "ldexp" => Function::WithInteger(|x, exponent| x * 2f64.powi(exponent)),
            _ => return None,
        })
    }

    /// Reads consecutive arguments from cells, and returns the cells of the result; an integer is in the first.
    pub(crate) fn call(self, cells: &[i32]) -> Result<[i32; 2], FailureKind> {
        let number = |position: usize| from_cells(cells[2 * position], cells[2 * position + 1]);
        Ok(match self {
            Function::One(function) => to_cells(function(number(0))),
            Function::Two(function) => to_cells(function(number(0), number(1))),
            Function::Three(function) => to_cells(function(number(0), number(1), number(2))),
            Function::ToInteger(function) => match function(number(0)) {
                Some(value) => [value, 0],
                None => return Err(FailureKind::Overflow),
            },
            Function::TwoToInteger(function) => [function(number(0), number(1)), 0],
            Function::WithInteger(function) => to_cells(function(number(0), cells[2])),
        })
    }

    /// Returns the number of cells of the arguments.
    pub(crate) fn argument_cells(self) -> u32 {
        match self {
            Function::One(_) | Function::ToInteger(_) => 2,
            Function::Two(_) | Function::TwoToInteger(_) => 4,
            Function::Three(_) => 6,
            Function::WithInteger(_) => 3,
        }
    }
}

/// Returns for each variable whether it is a floating point number on which only other unread ones depend.
pub(crate) fn unread(network: &Network) -> Vec<bool> {
    let mut is_unread: Vec<bool> = network
        .variables
        .values()
        .map(|variable| variable.value_type == Type::Double && variable.kind != VariableKind::Constant)
        .collect();
    // Variables read to compute another; `None` for every other use.
    let mut reads: Vec<(Option<VariableId>, VariableId)> = Vec::new();
    if is_unread.iter().any(|&unread| unread) {
        collect(network, &mut reads);
    }
    loop {
        let mut has_changed = false;
        for &(reader, variable) in &reads {
            let counts = reader.is_none_or(|reader| !is_unread[reader.index()]);
            if counts && is_unread[variable.index()] {
                is_unread[variable.index()] = false;
                has_changed = true;
            }
        }
        if !has_changed {
            return is_unread;
        }
    }
}

fn collect(network: &Network, reads: &mut Vec<(Option<VariableId>, VariableId)>) {
    for process in network.processes.values() {
        for location in process.locations.values() {
            for conjunct in location.invariant.data.iter().chain(&location.invariant.clocks) {
                collect_expression(conjunct, None, reads);
            }
        }
        for edge in process.edges.values() {
            for conjunct in edge.guard.data.iter().chain(&edge.guard.clocks) {
                collect_expression(conjunct, None, reads);
            }
            if let Some(synchronisation) = &edge.synchronisation {
                collect_expression(&synchronisation.channel, None, reads);
            }
            for update in edge.branches.iter().flat_map(|branch| &branch.updates) {
                collect_expression(update, None, reads);
            }
        }
    }
    for update in network.before_update.iter().chain(&network.after_update) {
        collect_expression(update, None, reads);
    }
    for function in network.functions.values() {
        for statement in &function.body {
            collect_statement(statement, reads);
        }
    }
}

fn collect_statement(statement: &Statement, reads: &mut Vec<(Option<VariableId>, VariableId)>) {
    match statement {
        Statement::Evaluate(expression) => collect_expression(expression, None, reads),
        Statement::Block(statements) => {
            statements.iter().for_each(|statement| collect_statement(statement, reads));
        }
        Statement::If { condition, then, otherwise } => {
            collect_expression(condition, None, reads);
            collect_statement(then, reads);
            if let Some(otherwise) = otherwise {
                collect_statement(otherwise, reads);
            }
        }
        Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
            collect_expression(condition, None, reads);
            collect_statement(body, reads);
        }
        Statement::ForEach { body, .. } => collect_statement(body, reads),
        Statement::Declare { .. } | Statement::Return(..) | Statement::Assert(_) => {
            statement.for_each_expression(&mut |part| {
                if let ExpressionKind::Variable(variable) = part.kind {
                    reads.push((None, variable));
                }
            });
        }
    }
}

/// Collects the variables that an expression reads, for the variable that gets the value, if any.
fn collect_expression(
    expression: &Expression,
    reader: Option<VariableId>,
    reads: &mut Vec<(Option<VariableId>, VariableId)>,
) {
    match &expression.kind {
        ExpressionKind::Variable(variable) => reads.push((reader, *variable)),
        ExpressionKind::Assign { target, value, .. } => match target.kind {
            // The assigned variable is not read, and its own old value counts only if it is read elsewhere.
            ExpressionKind::Variable(variable) if reader.is_none() => {
                collect_expression(value, Some(variable), reads);
            }
            _ => {
                collect_expression(target, None, reads);
                collect_expression(value, None, reads);
            }
        },
        ExpressionKind::Step { target, .. }
            if reader.is_none() && matches!(target.kind, ExpressionKind::Variable(_)) => {}
        // A function may use its arguments in any way.
        ExpressionKind::Call { arguments, .. } => {
            arguments.iter().for_each(|argument| collect_expression(argument, None, reads));
        }
        _ => expression.children().into_iter().for_each(|child| collect_expression(child, reader, reads)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Function, from_cells, to_cells};
    use tempora_model::builtins::{FUNCTIONS, NumberKind};

    #[test]
    fn cells_keep_every_bit() {
        for number in [0.0, -0.0, 1.5, f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, -1e-300] {
            let [low, high] = to_cells(number);
            assert_eq!(from_cells(low, high).to_bits(), number.to_bits());
        }
    }

    #[test]
    fn functions_match_language_signatures() {
        let mut refused = Vec::new();
        for declared in FUNCTIONS {
            let Some(function) = Function::named(declared.name) else {
                if !declared.is_random {
                    refused.push(declared.name);
                }
                continue;
            };
            let cells: u32 = declared
                .parameters
                .iter()
                .map(|kind| match kind {
                    NumberKind::Integer => 1,
                    NumberKind::Double => 2,
                })
                .sum();
            assert_eq!(function.argument_cells(), cells, "{}", declared.name);
            let is_integer = matches!(function, Function::ToInteger(_) | Function::TwoToInteger(_));
            assert_eq!(is_integer, declared.result == NumberKind::Integer, "{}", declared.name);
        }
        // `abs` has its own instruction; the others have no meaning common to all versions, or are not in the standard
        // library.
        let expected =
            ["abs", "erf", "erfc", "fpclassify", "ilogb", "lgamma", "log", "logb", "nextafter", "tgamma"];
        assert_eq!(refused, expected);
    }
}
