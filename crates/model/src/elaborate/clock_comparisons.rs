//! Elaborates comparisons of clocks and clock rates.
//!
//! Invariant: a comparison is in the normal form of [`ExpressionKind::CompareClocks`], with the positive clock on the
//! left if there is one; a comparison without such a form is recorded as an omission.

use tempora_source::Span;

use super::expressions::can_assign;
use super::{Elaborator, Result};
use crate::codes::meaning as codes;
use crate::expression::{BinaryOperator, Comparison, Expression, ExpressionKind};
use crate::network::VariableKind;
use crate::types::{ConditionCategory, Range, Type};
use tempora_syntax::ast;

impl Elaborator<'_> {
    /// `x' == rate`, in either order.
    pub(super) fn rate(
        &mut self,
        left: &ast::Expression,
        right: &ast::Expression,
        span: Span,
    ) -> Result<Option<Expression>> {
        let (clock, rate) = match (&left.without_parentheses().kind, &right.without_parentheses().kind) {
            (ast::ExpressionKind::Derivative(clock), _) => (clock, right),
            (_, ast::ExpressionKind::Derivative(clock)) => (clock, left),
            _ => return Ok(None),
        };
        let clock_value = self.expression(clock)?;
        if clock_value.value_type != Type::Clock {
            return self.error(&codes::TYPE_MISMATCH, clock.span, "only clocks have rates");
        }
        let is_outer = self.in_statistics;
        self.in_statistics |= self.network.is_hybrid(&clock_value);
        let rate_value = self
            .expression(rate)
            .and_then(|value| self.require_value(&Type::Double, &value, rate.span).map(|()| value));
        self.in_statistics = is_outer;
        let rate_value = rate_value?;
        let kind = ExpressionKind::RateIs { clock: Box::new(clock_value), rate: Box::new(rate_value) };
        Ok(Some(self.node(kind, Type::Condition(ConditionCategory::Invariant), span)))
    }

    /// Brings a comparison of clocks into its normal form.
    pub(super) fn compare_clocks(
        &mut self,
        comparison: Comparison,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Result<Expression> {
        for side in [&left, &right] {
            if !matches!(side.value_type, Type::Clock | Type::ClockDifference)
                && !can_assign(&Type::Double, &side.value_type)
            {
                let found = self.type_name(&side.value_type);
                let message = format!("a clock cannot be compared with {found}");
                return self.error(&codes::TYPE_MISMATCH, span, message);
            }
        }
        let mut sum = ClockSum::default();
        sum.add(left.clone(), false);
        sum.add(right.clone(), true);
        // A clock on both sides cancels out.
        let common =
            sum.positive.iter().position(|clock| sum.negative.iter().any(|other| other.kind == clock.kind));
        if let Some(position) = common {
            let clock = sum.positive.remove(position);
            if let Some(other) = sum.negative.iter().position(|other| other.kind == clock.kind) {
                sum.negative.remove(other);
            }
        }
        if sum.positive.is_empty() && sum.negative.is_empty() {
            let (zero, bound) = (self.integer(0, span), self.sum_of_offsets(sum.offsets, true, span)?);
            return self.comparison(comparison, zero, bound, span);
        }
        if sum.positive.len() > 1 || sum.negative.len() > 1 {
            self.omit(span, "the value of a clock in arithmetic");
            let operator = BinaryOperator::Compare(comparison);
            let kind = ExpressionKind::Binary { operator, left: Box::new(left), right: Box::new(right) };
            return Ok(self.node(kind, Type::Boolean, span));
        }
        let (left, right) = (sum.positive.pop().map(Box::new), sum.negative.pop().map(Box::new));
        // sum + offsets ~ 0, so left - right ~ -offsets; with no positive clock, the negated comparison.
        let is_negated = left.is_none();
        let bound = self.sum_of_offsets(sum.offsets, !is_negated, span)?;
        self.warn_about_default_range(&bound, span);
        let category = match comparison {
            Comparison::Equal => ConditionCategory::Guard,
            Comparison::NotEqual => ConditionCategory::Constraint,
            Comparison::GreaterOrEqual | Comparison::Greater if bound.value_type == Type::Double => {
                ConditionCategory::Guard
            }
            _ => ConditionCategory::Invariant,
        };
        let kind = if is_negated {
            ExpressionKind::CompareClocks {
                left: right,
                right: None,
                comparison: comparison.flipped(),
                bound: Box::new(bound),
            }
        } else {
            ExpressionKind::CompareClocks { left, right, comparison, bound: Box::new(bound) }
        };
        Ok(self.node(kind, Type::Condition(category), span))
    }

    /// Warns about a clock compared with an integer of the default range, which raises its bound to 32767.
    fn warn_about_default_range(&mut self, bound: &Expression, span: Span) {
        if self.in_query {
            return;
        }
        let mut name = None;
        bound.for_each(&mut |part| {
            if let ExpressionKind::Variable(id) = part.kind
                && let variable = &self.network.variables[id]
                && variable.kind == VariableKind::State
                && part.value_type == Type::Integer(Range::DEFAULT)
            {
                name.get_or_insert_with(|| variable.name.clone());
            }
        });
        if let Some(name) = name {
            self.warning(
                &codes::DEFAULT_RANGE,
                span,
                format!(
                    "a clock is compared with `{name}`, which may be as large as {}",
                    Range::DEFAULT.greatest
                ),
                format!("declare `{name}` with the range that it needs, such as `int[0,10]`"),
            );
        }
    }

    /// Returns the sum of signed offsets, optionally negated.
    fn sum_of_offsets(
        &mut self,
        offsets: Vec<(Expression, bool)>,
        is_negated: bool,
        span: Span,
    ) -> Result<Expression> {
        let mut positive = Vec::new();
        let mut negative = Vec::new();
        for (offset, is_subtracted) in offsets {
            if is_subtracted == is_negated { &mut positive } else { &mut negative }.push(offset);
        }
        let mut sum: Option<Expression> = None;
        for offset in positive {
            sum = Some(match sum {
                None => offset,
                Some(sum) => self.arithmetic(BinaryOperator::Add, sum, offset, span)?,
            });
        }
        for offset in negative {
            sum = Some(match (sum, &offset.kind) {
                (None, ExpressionKind::Integer(value)) if *value != i32::MIN => self.integer(-value, span),
                (None, _) => {
                    let zero = self.integer(0, span);
                    self.arithmetic(BinaryOperator::Subtract, zero, offset, span)?
                }
                (Some(sum), _) => self.arithmetic(BinaryOperator::Subtract, sum, offset, span)?,
            });
        }
        Ok(match sum {
            Some(sum) => sum,
            None => self.integer(0, span),
        })
    }
}

/// Clocks and offsets of both sides of a comparison, brought to the left.
#[derive(Default)]
struct ClockSum {
    positive: Vec<Expression>,
    negative: Vec<Expression>,
    /// The offsets, each with a flag that is set if it is subtracted.
    offsets: Vec<(Expression, bool)>,
}

impl ClockSum {
    fn add(&mut self, expression: Expression, is_subtracted: bool) {
        let is_clock = matches!(expression.value_type, Type::Clock | Type::ClockDifference);
        match expression.kind {
            ExpressionKind::Binary { operator: BinaryOperator::Add, left, right } if is_clock => {
                self.add(*left, is_subtracted);
                self.add(*right, is_subtracted);
            }
            ExpressionKind::Binary { operator: BinaryOperator::Subtract, left, right } if is_clock => {
                self.add(*left, is_subtracted);
                self.add(*right, !is_subtracted);
            }
            _ if is_clock && is_subtracted => self.negative.push(expression),
            _ if is_clock => self.positive.push(expression),
            ExpressionKind::Integer(0) => {}
            _ => self.offsets.push((expression, is_subtracted)),
        }
    }
}
