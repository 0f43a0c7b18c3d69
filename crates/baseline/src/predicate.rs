//! Clock conditions in a discrete state, as conjunctions of bounds and as lists of zones.
//!
//! Invariant: guards and invariants become conjunctions, as the type checker ensures; predicates of queries become
//! lists of zones, whatever their form.

use tempora_model::{
    BinaryOperator, Comparison, Evaluator, Expression, ExpressionKind, Network, Quantifier, Type,
    UnaryOperator,
};
use tempora_zones::{Bound, Clock, Constraint, Zone};

use super::layout::ClockLayout;
use super::state::{StateMemory, StepFailure, clock_or_reference};

type StateEvaluator<'network, 'memory, 'search> = Evaluator<'network, 'memory, StateMemory<'search>>;

/// Adds the bounds of a conjunct.
pub(super) fn clock_constraints(
    evaluator: &mut StateEvaluator<'_, '_, '_>,
    network: &Network,
    layout: &ClockLayout,
    conjunct: &Expression,
    constraints: &mut Vec<Constraint>,
) -> Result<(), StepFailure> {
    if !matches!(conjunct.value_type, Type::Condition(_)) {
        if !evaluator.is_true(conjunct)? {
            constraints.push(Constraint::difference(Clock::REFERENCE, Clock::REFERENCE, Bound::LT_ZERO));
        }
        return Ok(());
    }
    match &conjunct.kind {
        ExpressionKind::CompareClocks { .. } => {
            constraints.extend(comparison(evaluator, network, layout, conjunct)?.into_iter().flatten());
            Ok(())
        }
        ExpressionKind::Binary { operator: BinaryOperator::And, left, right } => {
            clock_constraints(evaluator, network, layout, left, constraints)?;
            clock_constraints(evaluator, network, layout, right, constraints)
        }
        ExpressionKind::Binary {
            operator: operator @ (BinaryOperator::Or | BinaryOperator::Imply),
            left,
            right,
        } => {
            // The side without clocks decides whether the other counts.
            let (data, clocks) =
                if matches!(left.value_type, Type::Condition(_)) { (right, left) } else { (left, right) };
            let is_satisfied = evaluator.is_true(data)? == (*operator == BinaryOperator::Or);
            if is_satisfied {
                Ok(())
            } else {
                clock_constraints(evaluator, network, layout, clocks, constraints)
            }
        }
        ExpressionKind::Quantified { quantifier: Quantifier::ForAll, binder, body } => {
            for value in binder.domain.values() {
                evaluator.bind(binder.local, value);
                clock_constraints(evaluator, network, layout, body, constraints)?;
            }
            Ok(())
        }
        _ => Err(StepFailure::Declined("this form of clock condition".to_owned())),
    }
}

/// Returns the parts of the zone in which the predicate has the wanted truth value.
pub(super) fn parts_where(
    evaluator: &mut StateEvaluator<'_, '_, '_>,
    network: &Network,
    layout: &ClockLayout,
    predicate: &Expression,
    wanted: bool,
    zone: &Zone,
) -> Result<Vec<Zone>, StepFailure> {
    if zone.is_empty() {
        return Ok(Vec::new());
    }
    if !matches!(predicate.value_type, Type::Condition(_)) {
        let holds = evaluator.is_true(predicate)?;
        return Ok(if holds == wanted { vec![zone.clone()] } else { Vec::new() });
    }
    let mut both = |first: (&Expression, bool), second: (&Expression, bool)| {
        let mut parts = Vec::new();
        for part in parts_where(evaluator, network, layout, first.0, first.1, zone)? {
            parts.extend(parts_where(evaluator, network, layout, second.0, second.1, &part)?);
        }
        Ok(parts)
    };
    match &predicate.kind {
        ExpressionKind::CompareClocks { .. } => {
            let alternatives = comparison(evaluator, network, layout, predicate)?;
            let mut parts = vec![zone.clone()];
            if wanted {
                let mut found = Vec::new();
                for alternative in alternatives {
                    let mut part = zone.clone();
                    if part.constrain_all(&alternative)? {
                        found.push(part);
                    }
                }
                return Ok(found);
            }
            for alternative in alternatives {
                let mut excluded = zone.clone();
                excluded.constrain_all(&alternative)?;
                let mut rest = Vec::new();
                for part in &parts {
                    rest.extend(part.minus(&excluded)?);
                }
                parts = rest;
            }
            Ok(parts)
        }
        ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
            parts_where(evaluator, network, layout, operand, !wanted, zone)
        }
        ExpressionKind::Binary { operator: BinaryOperator::And, left, right } if wanted => {
            both((left, true), (right, true))
        }
        ExpressionKind::Binary { operator: BinaryOperator::Or, left, right } if !wanted => {
            both((left, false), (right, false))
        }
        ExpressionKind::Binary { operator: BinaryOperator::Imply, left, right } if !wanted => {
            both((left, true), (right, false))
        }
        ExpressionKind::Binary { operator, left, right } => {
            let (left_wanted, right_wanted) = match operator {
                BinaryOperator::And => (false, false),
                BinaryOperator::Or => (true, true),
                BinaryOperator::Imply => (false, true),
                _ => return Err(StepFailure::Declined("this form of clock condition".to_owned())),
            };
            // In order: the right side is evaluated only where the left does not decide.
            let mut parts = parts_where(evaluator, network, layout, left, left_wanted, zone)?;
            for rest in parts_where(evaluator, network, layout, left, !left_wanted, zone)? {
                parts.extend(parts_where(evaluator, network, layout, right, right_wanted, &rest)?);
            }
            Ok(parts)
        }
        ExpressionKind::Conditional { condition, then, otherwise } => {
            let chosen = if evaluator.is_true(condition)? { then } else { otherwise };
            parts_where(evaluator, network, layout, chosen, wanted, zone)
        }
        ExpressionKind::Quantified { quantifier, binder, body } => {
            let needs_all = (*quantifier == Quantifier::ForAll) == wanted;
            let mut parts = if needs_all { vec![zone.clone()] } else { Vec::new() };
            let mut undecided = vec![zone.clone()];
            for value in binder.domain.values() {
                evaluator.bind(binder.local, value);
                if needs_all {
                    let mut next = Vec::new();
                    for part in &parts {
                        next.extend(parts_where(evaluator, network, layout, body, wanted, part)?);
                    }
                    parts = next;
                } else {
                    let mut rest = Vec::new();
                    for part in &undecided {
                        parts.extend(parts_where(evaluator, network, layout, body, wanted, part)?);
                        rest.extend(parts_where(evaluator, network, layout, body, !wanted, part)?);
                    }
                    undecided = rest;
                }
                // Variables bound inside the body may have used the same number.
                evaluator.bind(binder.local, value);
            }
            Ok(parts)
        }
        _ => Err(StepFailure::Declined("this form of clock condition".to_owned())),
    }
}

/// Returns a comparison as a disjunction of conjunctions: one disjunct, two for `!=`.
fn comparison(
    evaluator: &mut StateEvaluator<'_, '_, '_>,
    network: &Network,
    layout: &ClockLayout,
    expression: &Expression,
) -> Result<Vec<Vec<Constraint>>, StepFailure> {
    let ExpressionKind::CompareClocks { left, right, comparison, bound } = &expression.kind else {
        return Ok(Vec::new());
    };
    if bound.value_type == Type::Double {
        return Err(StepFailure::Declined("a clock bound that is not an integer".to_owned()));
    }
    let constant = i64::from(evaluator.integer(bound)?);
    let mut clock = |expression: &Option<Box<Expression>>| match expression {
        None => Ok(None),
        Some(expression) => {
            let place = evaluator.place(expression)?;
            match layout.clock_at(network, &place) {
                Some(clock) => Ok(Some(clock)),
                None => Err(StepFailure::Declined("a clock in a function".to_owned())),
            }
        }
    };
    let (left, right) = (clock_or_reference(clock(left)?), clock_or_reference(clock(right)?));
    let at_most = |is_weak| {
        Ok::<_, StepFailure>(Constraint::difference(left, right, Bound::finite(constant, is_weak)?))
    };
    let at_least = |is_weak| {
        Ok::<_, StepFailure>(Constraint::difference(right, left, Bound::finite(-constant, is_weak)?))
    };
    Ok(match comparison {
        Comparison::Less => vec![vec![at_most(false)?]],
        Comparison::LessOrEqual => vec![vec![at_most(true)?]],
        Comparison::Greater => vec![vec![at_least(false)?]],
        Comparison::GreaterOrEqual => vec![vec![at_least(true)?]],
        Comparison::Equal => vec![vec![at_most(true)?, at_least(true)?]],
        Comparison::NotEqual => vec![vec![at_most(false)?], vec![at_least(false)?]],
    })
}
