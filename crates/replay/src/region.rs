//! Equivalence of states with different clock values.
//!
//! Invariant: equivalent states are bisimilar, so a run from one to the other can be repeated for ever. The equivalence
//! is that of clock regions (Alur and Dill 1994) for the greatest constant in comparisons of clocks, refined by the
//! differences of clocks if the model compares those. With clock rates other than one, regions are not a bisimulation;
//! then only equal states are equivalent.

use tempora_evidence::Rational;
use tempora_model::{Condition, Expression, ExpressionKind, LocalInitial, Network, Statement, Type};

use crate::rational;
use crate::state::ConcreteState;

/// The precision with which clock values are distinguished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Granularity {
    /// No comparison of clocks with a constant beyond this, in either direction, can distinguish two states.
    pub greatest_constant: i64,
    /// Whether differences of clocks are compared.
    pub has_differences: bool,
    /// Whether only equal states are equivalent.
    pub needs_equality: bool,
}

impl Granularity {
    /// Computes the granularity for a network and predicates about it. Too fine is harmless.
    pub fn of<'model>(
        network: &'model Network,
        predicates: impl IntoIterator<Item = &'model Expression>,
    ) -> Granularity {
        let mut search = ConstantSearch { network, compared: 0, assigned: 0, has_differences: false };
        let mut needs_equality = false;
        for expression in network.before_update.iter().chain(&network.after_update) {
            search.expression(expression);
        }
        for function in network.functions.values() {
            function.body.iter().for_each(|statement| search.statement(statement));
        }
        for process in network.processes.values() {
            for location in process.locations.values() {
                search.condition(&location.invariant);
                needs_equality |= location.clock_rates.iter().any(|rate| !is_of_hybrid_clock(network, rate));
            }
            for edge in process.edges.values() {
                search.condition(&edge.guard);
                edge.branches
                    .iter()
                    .flat_map(|branch| &branch.updates)
                    .for_each(|update| search.expression(update));
            }
        }
        for predicate in predicates {
            search.expression(predicate);
        }
        Granularity {
            // After a clock is set, its difference to another is that other's distance from its new value.
            greatest_constant: search.compared.saturating_add(search.assigned),
            has_differences: search.has_differences,
            needs_equality,
        }
    }

    /// Returns whether two states are equivalent.
    pub fn are_equivalent(&self, left: &ConcreteState, right: &ConcreteState) -> bool {
        if left.locations != right.locations || left.variables != right.variables {
            return false;
        }
        if left.clocks == right.clocks {
            return true;
        }
        !self.needs_equality && self.same_region(&left.clocks, &right.clocks).unwrap_or(false)
    }

    /// Returns whether two valuations are in the same region; `None` if a number is too large to decide.
    fn same_region(&self, left: &[Rational], right: &[Rational]) -> Option<bool> {
        let limit = Rational::from_integer(self.greatest_constant);
        let mut small = Vec::new();
        for (&a, &b) in left.iter().zip(right) {
            if a <= limit || b <= limit {
                if !same_unit_interval(a, b) {
                    return Some(false);
                }
                small.push((a.fract(), b.fract()));
            }
        }
        let same_order =
            small.iter().all(|one| small.iter().all(|two| one.0.cmp(&two.0) == one.1.cmp(&two.1)));
        if !same_order {
            return Some(false);
        }
        if self.has_differences {
            for first in 0..left.len() {
                for second in 0..left.len() {
                    let a = rational::subtract(left[first], left[second]).ok()?;
                    let b = rational::subtract(right[first], right[second]).ok()?;
                    if (a <= limit || b <= limit) && (a >= -limit || b >= -limit) && !same_unit_interval(a, b)
                    {
                        return Some(false);
                    }
                }
            }
        }
        Some(true)
    }
}

/// Returns whether two numbers are the same integer, or between the same integers.
fn same_unit_interval(left: Rational, right: Rational) -> bool {
    let floor = |number: Rational| number.numer().div_euclid(*number.denom());
    floor(left) == floor(right) && left.is_integer() == right.is_integer()
}

/// Returns whether a rate belongs to a clock that only statistics read, which distinguishes no states.
fn is_of_hybrid_clock(network: &Network, rate: &Expression) -> bool {
    matches!(&rate.kind, ExpressionKind::RateIs { clock, .. } if network.is_hybrid(clock))
}

/// A search for the constants that clocks are compared with or set to. Clocks that only statistics read do not count.
struct ConstantSearch<'model> {
    network: &'model Network,
    compared: i64,
    assigned: i64,
    has_differences: bool,
}

impl ConstantSearch<'_> {
    fn condition(&mut self, condition: &Condition) {
        condition.data.iter().chain(&condition.clocks).for_each(|part| self.expression(part));
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::CompareClocks { left, right, bound, .. } => {
                self.compared = self.compared.max(self.magnitude(bound));
                self.has_differences |= left.is_some() && right.is_some();
                [left, right].into_iter().flatten().for_each(|clock| self.expression(clock));
                self.expression(bound);
            }
            ExpressionKind::Assign { target, value, .. } => {
                if target.value_type == Type::Clock
                    && value.value_type != Type::Clock
                    && !self.network.is_hybrid(target)
                {
                    self.assigned = self.assigned.max(self.magnitude(value));
                }
                self.expression(target);
                self.expression(value);
            }
            ExpressionKind::Integer(_)
            | ExpressionKind::Double(_)
            | ExpressionKind::Variable(_)
            | ExpressionKind::Local(_)
            | ExpressionKind::At { .. }
            | ExpressionKind::LocationOf(_)
            | ExpressionKind::HasLabel(_)
            | ExpressionKind::Deadlock => {}
            ExpressionKind::Element { array: first, index: second }
            | ExpressionKind::Binary { left: first, right: second, .. }
            | ExpressionKind::RateIs { clock: first, rate: second } => {
                self.expression(first);
                self.expression(second);
            }
            ExpressionKind::Field { record: inner, .. }
            | ExpressionKind::Unary { operand: inner, .. }
            | ExpressionKind::Step { target: inner, .. }
            | ExpressionKind::Quantified { body: inner, .. } => self.expression(inner),
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.expression(condition);
                self.expression(then);
                self.expression(otherwise);
            }
            ExpressionKind::Call { arguments, .. } | ExpressionKind::CallBuiltin { arguments, .. } => {
                arguments.iter().for_each(|argument| self.expression(argument));
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Declare { initial: LocalInitial::Computed(expression), .. }
            | Statement::Evaluate(expression)
            | Statement::Return(Some(expression), _)
            | Statement::Assert(expression) => self.expression(expression),
            Statement::Declare { initial: LocalInitial::Constant(_), .. } | Statement::Return(None, _) => {}
            Statement::Block(statements) => statements.iter().for_each(|inner| self.statement(inner)),
            Statement::If { condition, then, otherwise } => {
                self.expression(condition);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
                self.expression(condition);
                self.statement(body);
            }
            Statement::ForEach { body, .. } => self.statement(body),
        }
    }

    /// Returns a bound on the absolute value of an expression.
    fn magnitude(&self, expression: &Expression) -> i64 {
        match &expression.kind {
            ExpressionKind::Double(value) if value.abs() < 1e9 => value.abs().ceil() as i64,
            _ => self.network.declared_magnitude(expression),
        }
    }
}
