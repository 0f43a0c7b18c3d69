//! The largest constant that each clock is compared with, anywhere in a network or a predicate.
//!
//! Invariant: no run compares a clock with a larger constant, for any values of the variables. If declared ranges do
//! not imply a bound, or the covering test would not be sound, the network is declined.

use tempora_model::{
    BinaryOperator, Expression, ExpressionKind, Network, Range, Type, UnaryOperator, Value, VariableKind,
};
use tempora_zones::{Dimension, LuBounds};

use super::layout::ClockLayout;

/// Computes the bounds for the covering test, or returns why the engine declines.
pub(super) fn largest_constants(network: &Network, predicate: &Expression) -> Result<LuBounds, String> {
    for variable in network.variables.values() {
        let declined = match variable.kind {
            VariableKind::Meta => Some("meta variables"),
            VariableKind::Hybrid => Some("hybrid clocks"),
            VariableKind::State if variable.value_type.any_part(&|part| *part == Type::Double) => {
                Some("floating point variables")
            }
            _ => None,
        };
        if let Some(what) = declined {
            return Err(format!("the simple engine does not support {what}, such as `{}`", variable.name));
        }
    }
    let layout = ClockLayout::new(network);
    let dimension = Dimension::for_clocks(layout.count()).map_err(|error| error.to_string())?;
    let mut maxima: Vec<Option<i32>> = vec![None; layout.count()];
    let mut declined = None;
    let mut look_at = |part: &Expression| {
        if let Err(why) = raise(network, &layout, part, &mut maxima) {
            declined.get_or_insert(why);
        }
    };
    for process in network.processes.values() {
        for location in process.locations.values() {
            if !location.clock_rates.is_empty() {
                return Err("the simple engine does not support clock rates".to_owned());
            }
            for conjunct in location.invariant.data.iter().chain(&location.invariant.clocks) {
                conjunct.for_each(&mut look_at);
            }
        }
        for edge in process.edges.values() {
            for conjunct in edge.guard.data.iter().chain(&edge.guard.clocks) {
                conjunct.for_each(&mut look_at);
            }
            for update in edge.branches.iter().flat_map(|branch| &branch.updates) {
                update.for_each(&mut look_at);
            }
        }
    }
    for update in network.before_update.iter().chain(&network.after_update) {
        update.for_each(&mut look_at);
    }
    for function in network.functions.values() {
        for statement in &function.body {
            statement.for_each_expression(&mut look_at);
        }
    }
    predicate.for_each(&mut look_at);
    match declined {
        Some(why) => Err(why),
        None => Ok(LuBounds::from_maxima(dimension, &maxima)),
    }
}

/// Applies one expression, without its subexpressions.
fn raise(
    network: &Network,
    layout: &ClockLayout,
    expression: &Expression,
    maxima: &mut [Option<i32>],
) -> Result<(), String> {
    match &expression.kind {
        ExpressionKind::CompareClocks { left: Some(_), right: Some(_), .. } => {
            Err("the simple engine does not support clock differences".to_owned())
        }
        ExpressionKind::CompareClocks { left, right, bound, .. } => {
            let Some((least, greatest)) = range_of(network, bound) else {
                return Err(
                    "the simple engine cannot determine the largest value of a clock bound".to_owned()
                );
            };
            // `0 - x` is compared with the negated bound.
            let largest = if left.is_some() { greatest } else { -least };
            let largest = i32::try_from(largest.max(0)).unwrap_or(i32::MAX);
            for clock in [left, right].into_iter().flatten() {
                let Some(variable) = root(clock) else {
                    return Err("the simple engine does not support clocks as function parameters".to_owned());
                };
                for clock in layout.clocks_of(network, variable) {
                    let maximum = &mut maxima[usize::from(clock.0) - 1];
                    *maximum = (*maximum).max(Some(largest));
                }
            }
            Ok(())
        }
        ExpressionKind::Assign { target, value, .. }
            if target.value_type == Type::Clock && value.value_type == Type::Clock =>
        {
            Err("the simple engine does not support copies of clocks".to_owned())
        }
        _ => Ok(()),
    }
}

fn root(expression: &Expression) -> Option<tempora_model::VariableId> {
    match &expression.kind {
        ExpressionKind::Variable(variable) => Some(*variable),
        ExpressionKind::Element { array: whole, .. } | ExpressionKind::Field { record: whole, .. } => {
            root(whole)
        }
        _ => None,
    }
}

/// Returns the least and the greatest value of an integer expression; `None` if unknown.
fn range_of(network: &Network, expression: &Expression) -> Option<(i64, i64)> {
    let declared = |range: Range| Some((i64::from(range.least), i64::from(range.greatest)));
    match &expression.kind {
        ExpressionKind::Integer(value) => Some((i64::from(*value), i64::from(*value))),
        ExpressionKind::Variable(variable) => match (&network.variables[*variable], &expression.value_type) {
            (variable, _)
                if variable.kind == VariableKind::Constant
                    && matches!(variable.initial, Value::Integer(_)) =>
            {
                let value = i64::from(variable.initial.as_integer()?);
                Some((value, value))
            }
            (_, Type::Integer(range)) => declared(*range),
            (_, Type::Boolean) => Some((0, 1)),
            _ => None,
        },
        ExpressionKind::Local(_)
        | ExpressionKind::Element { .. }
        | ExpressionKind::Field { .. }
        | ExpressionKind::Call { .. } => match expression.value_type {
            Type::Integer(range) => declared(range),
            Type::Boolean => Some((0, 1)),
            _ => None,
        },
        ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
            let (least, greatest) = range_of(network, operand)?;
            Some((-greatest, -least))
        }
        ExpressionKind::Unary { operator: UnaryOperator::Not, .. } => Some((0, 1)),
        ExpressionKind::Conditional { then, otherwise, .. } => {
            let (then, otherwise) = (range_of(network, then)?, range_of(network, otherwise)?);
            Some((then.0.min(otherwise.0), then.1.max(otherwise.1)))
        }
        ExpressionKind::Binary { operator, left, right } => {
            let (left, right) = (range_of(network, left)?, range_of(network, right)?);
            match operator {
                BinaryOperator::Add => Some((left.0 + right.0, left.1 + right.1)),
                BinaryOperator::Subtract => Some((left.0 - right.1, left.1 - right.0)),
                BinaryOperator::Multiply => {
                    let products = [left.0 * right.0, left.0 * right.1, left.1 * right.0, left.1 * right.1];
                    Some((*products.iter().min()?, *products.iter().max()?))
                }
                BinaryOperator::Minimum => Some((left.0.min(right.0), left.1.min(right.1))),
                BinaryOperator::Maximum => Some((left.0.max(right.0), left.1.max(right.1))),
                BinaryOperator::Compare(_) | BinaryOperator::And | BinaryOperator::Or => Some((0, 1)),
                _ => None,
            }
        }
        _ => None,
    }
    // Accounts for 32-bit wrap-around.
    .map(|(least, greatest)| {
        let word = (i64::from(i32::MIN), i64::from(i32::MAX));
        if word.0 <= least && greatest <= word.1 { (least, greatest) } else { word }
    })
}
