//! Predicates and integer expressions, evaluated on the representatives of regions.
//!
//! Invariant: `deadlock` is evaluated on the graph, not by the interpreter, which computes it in another way; the tests
//! compare the two.

use tempora_evidence::RuntimeError;
use tempora_model::{BinaryOperator, Comparison, Expression, ExpressionKind, Type};
use tempora_replay::{ConcreteState, Interpreter};

use crate::failure::ExplorationFailure;
use crate::graph::{Graph, RegionDelay};

/// Returns for each node whether a predicate holds in it.
pub(crate) fn satisfying(
    graph: &Graph,
    interpreter: &Interpreter<'_>,
    predicate: &Expression,
) -> Result<Vec<bool>, ExplorationFailure> {
    if !mentions_deadlock(predicate) {
        let holds = |state| interpreter.holds(state, predicate);
        return Ok(graph.states.iter().map(holds).collect::<Result<_, RuntimeError>>()?);
    }
    let (without, with) = (replace_deadlock(predicate, false), replace_deadlock(predicate, true));
    let mut result = Vec::with_capacity(graph.len());
    for (state, is_deadlocked) in graph.states.iter().zip(deadlocked(graph)) {
        result.push(interpreter.holds(state, if is_deadlocked { &with } else { &without })?);
    }
    Ok(result)
}

/// Returns the nodes in which no transition is possible, now or after any delay.
pub(crate) fn deadlocked(graph: &Graph) -> Vec<bool> {
    let mut result: Vec<bool> = graph.actions.iter().map(Vec::is_empty).collect();
    loop {
        let mut has_changed = false;
        for node in (0..graph.len()).rev() {
            if let RegionDelay::To(later) = graph.delays[node]
                && result[node]
                && !result[later]
            {
                result[node] = false;
                has_changed = true;
            }
        }
        if !has_changed {
            return result;
        }
    }
}

/// Returns the value of an integer expression without side effects.
///
/// The interpreter only answers yes or no, so the value is found by bisection.
pub(crate) fn integer_value(
    interpreter: &Interpreter<'_>,
    state: &ConcreteState,
    expression: &Expression,
) -> Result<i32, ExplorationFailure> {
    let is_at_least = |bound: i32| {
        let bound = Expression { kind: ExpressionKind::Integer(bound), ..expression.clone() };
        let comparison = ExpressionKind::Binary {
            operator: BinaryOperator::Compare(Comparison::GreaterOrEqual),
            left: Box::new(expression.clone()),
            right: Box::new(bound),
        };
        let comparison =
            Expression { kind: comparison, value_type: Type::Boolean, origin: expression.origin };
        interpreter.holds(state, &comparison)
    };
    let (mut least, mut greatest) = (i32::MIN, i32::MAX);
    while least < greatest {
        let middle = i64::midpoint(i64::from(least), i64::from(greatest) + 1) as i32;
        if is_at_least(middle)? {
            least = middle;
        } else {
            greatest = middle - 1;
        }
    }
    Ok(least)
}

fn mentions_deadlock(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Deadlock => true,
        ExpressionKind::Unary { operand: inner, .. } | ExpressionKind::Quantified { body: inner, .. } => {
            mentions_deadlock(inner)
        }
        ExpressionKind::Binary { left, right, .. } => mentions_deadlock(left) || mentions_deadlock(right),
        ExpressionKind::Conditional { condition, then, otherwise } => {
            mentions_deadlock(condition) || mentions_deadlock(then) || mentions_deadlock(otherwise)
        }
        // Queries have no truth values elsewhere; otherwise the interpreter would decide.
        _ => false,
    }
}

fn replace_deadlock(expression: &Expression, value: bool) -> Expression {
    let replace = |inner: &Expression| Box::new(replace_deadlock(inner, value));
    let kind = match &expression.kind {
        ExpressionKind::Deadlock => {
            return Expression {
                kind: ExpressionKind::Integer(i32::from(value)),
                value_type: Type::Boolean,
                origin: expression.origin,
            };
        }
        ExpressionKind::Unary { operator, operand } => {
            ExpressionKind::Unary { operator: *operator, operand: replace(operand) }
        }
        ExpressionKind::Quantified { quantifier, binder, body } => ExpressionKind::Quantified {
            quantifier: *quantifier,
            binder: binder.clone(),
            body: replace(body),
        },
        ExpressionKind::Binary { operator, left, right } => {
            ExpressionKind::Binary { operator: *operator, left: replace(left), right: replace(right) }
        }
        ExpressionKind::Conditional { condition, then, otherwise } => ExpressionKind::Conditional {
            condition: replace(condition),
            then: replace(then),
            otherwise: replace(otherwise),
        },
        other => other.clone(),
    };
    Expression { kind, ..expression.clone() }
}
