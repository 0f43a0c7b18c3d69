//! Compiled predicates of queries.
//!
//! Invariant: operands are evaluated from left to right, with short-circuiting.

use crate::machine::CodeId;

/// A predicate over states. [`crate::Execution::truth`] and [`crate::Execution::atom`] run its code with the values of
/// the enclosing bound variables, outermost first.
#[derive(Clone, Debug)]
pub enum Predicate {
    /// A data condition.
    Data(CodeId),
    /// One comparison of clocks.
    Clocks(CodeId),
    /// No transition is possible, now or after any allowed delay.
    Deadlock,
    /// A negation.
    Not(Box<Predicate>),
    /// A conjunction.
    And(Box<Predicate>, Box<Predicate>),
    /// A disjunction.
    Or(Box<Predicate>, Box<Predicate>),
    /// A conditional.
    Conditional {
        /// A data condition.
        condition: CodeId,
        /// The value if the condition holds.
        then: Box<Predicate>,
        /// The value otherwise.
        otherwise: Box<Predicate>,
    },
    /// A universal or existential quantifier.
    Quantified {
        /// Whether the quantifier is universal.
        is_all: bool,
        /// The least value.
        least: i32,
        /// The greatest value.
        greatest: i32,
        /// The quantified predicate.
        body: Box<Predicate>,
    },
}

impl Predicate {
    /// Returns whether the predicate mentions deadlocks.
    pub fn mentions_deadlock(&self) -> bool {
        match self {
            Predicate::Deadlock => true,
            Predicate::Data(_) | Predicate::Clocks(_) => false,
            Predicate::Not(inner) | Predicate::Quantified { body: inner, .. } => inner.mentions_deadlock(),
            Predicate::And(left, right) | Predicate::Or(left, right) => {
                left.mentions_deadlock() || right.mentions_deadlock()
            }
            Predicate::Conditional { then, otherwise, .. } => {
                then.mentions_deadlock() || otherwise.mentions_deadlock()
            }
        }
    }

    /// Returns whether its value depends on the discrete state alone.
    pub fn is_discrete(&self) -> bool {
        match self {
            Predicate::Data(_) => true,
            Predicate::Clocks(_) | Predicate::Deadlock => false,
            Predicate::Not(inner) | Predicate::Quantified { body: inner, .. } => inner.is_discrete(),
            Predicate::And(left, right) | Predicate::Or(left, right) => {
                left.is_discrete() && right.is_discrete()
            }
            Predicate::Conditional { then, otherwise, .. } => then.is_discrete() && otherwise.is_discrete(),
        }
    }
}
