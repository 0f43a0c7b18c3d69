//! Predicates of queries, compiled.
//!
//! Invariant: the parts are evaluated from left to right, and only as far as they count.

use crate::machine::CodeId;

/// A predicate over states. Its code is run by [`crate::Execution::truth`] and [`crate::Execution::atom`], with the
/// values of the names that are bound around it, from the outside in.
#[derive(Clone, Debug)]
pub enum Predicate {
    /// A condition without clocks.
    Data(CodeId),
    /// One comparison of clocks.
    Clocks(CodeId),
    /// No transition is possible, now or after any delay that is allowed.
    Deadlock,
    /// The opposite.
    Not(Box<Predicate>),
    /// Both.
    And(Box<Predicate>, Box<Predicate>),
    /// One of them.
    Or(Box<Predicate>, Box<Predicate>),
    /// A choice.
    Conditional {
        /// A condition without clocks.
        condition: CodeId,
        /// What counts if it holds.
        then: Box<Predicate>,
        /// What counts if it does not.
        otherwise: Box<Predicate>,
    },
    /// For all values of a name, or for some.
    Quantified {
        /// Whether for all.
        is_all: bool,
        /// The least value.
        least: i32,
        /// The greatest value.
        greatest: i32,
        /// What is said of each.
        body: Box<Predicate>,
    },
}

impl Predicate {
    /// Whether it asks for deadlocks.
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

    /// Whether its value depends on the discrete state alone.
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
