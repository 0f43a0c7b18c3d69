//! Questions about a model.
//!
//! Invariant: predicates are type checked against the network of the model and have no side effects.

use std::sync::Arc;

use tempora_source::Origin;

use crate::PropertyId;
use crate::expression::Expression;
use crate::network::Network;
use crate::specification::SpecificationQuery;

/// A question, with the text in which it was asked.
#[derive(Clone, PartialEq, Debug)]
pub struct Query {
    /// As the user wrote it, on one line.
    pub text: String,
    /// What is asked.
    pub kind: QueryKind,
    /// Where it comes from.
    pub origin: Origin,
}

/// What is asked.
#[derive(Clone, PartialEq, Debug)]
pub enum QueryKind {
    /// Whether a formula holds.
    Formula(Formula),
    /// What values expressions take.
    Bounds {
        /// Largest, smallest, or both.
        which: BoundsKind,
        /// Only states of which this holds count.
        predicate: Option<Expression>,
        /// The expressions.
        expressions: Vec<Expression>,
    },
    /// The earliest or latest time at which a predicate holds.
    Time {
        /// Whether the latest is asked for.
        is_latest: bool,
        /// The predicate.
        predicate: Expression,
    },
    /// A question about specifications.
    Specification {
        /// The components that it speaks of; not the model's own network, which may have others.
        components: Arc<Network>,
        /// What is asked of them.
        question: SpecificationQuery,
    },
    /// Whether a symbolic system has one of its properties.
    Property(PropertyId),
    /// A question of a kind that is read and checked for its form, but that no engine answers yet.
    Declined(DeclinedQuery),
}

/// A formula over the runs of a model, from its initial state on.
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    /// `E<> p`: some reachable state satisfies it.
    Possibly(Expression),
    /// `A[] p`: all reachable states satisfy it.
    Always(Expression),
    /// `E[] p`: some maximal run satisfies it all along.
    PotentiallyAlways(Expression),
    /// `A<> p`: every maximal run satisfies it at some time.
    Eventually(Expression),
    /// `p --> q`: whenever the premise holds, the conclusion holds then or later, on every run.
    LeadsTo {
        /// The premise.
        premise: Expression,
        /// The conclusion.
        conclusion: Expression,
        /// The time within which it must, an integer.
        within: Option<Expression>,
    },
    /// `A[] (p imply E<> q)`: whenever the premise holds, the goal can still be reached.
    AlwaysPossibly {
        /// The premise; `None` is true.
        premise: Option<Expression>,
        /// The goal.
        goal: Expression,
    },
    /// `buchi: a, b`: some infinite run meets each of the predicates again and again.
    InfinitelyOften(Vec<Expression>),
    /// The formula does not hold.
    Not(Box<Formula>),
    /// All hold.
    And(Vec<Formula>),
    /// One holds.
    Or(Vec<Formula>),
}

impl Formula {
    /// What it says of states, to be changed.
    pub fn expressions_mut(&mut self) -> Vec<&mut Expression> {
        match self {
            Formula::Possibly(predicate)
            | Formula::Always(predicate)
            | Formula::PotentiallyAlways(predicate)
            | Formula::Eventually(predicate) => vec![predicate],
            Formula::LeadsTo { premise, conclusion, within } => {
                [premise, conclusion].into_iter().chain(within).collect()
            }
            Formula::AlwaysPossibly { premise, goal } => premise.iter_mut().chain([goal]).collect(),
            Formula::InfinitelyOften(predicates) => predicates.iter_mut().collect(),
            Formula::Not(inner) => inner.expressions_mut(),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter_mut().flat_map(Formula::expressions_mut).collect()
            }
        }
    }
}

/// Which bounds are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoundsKind {
    /// `sup`: the least upper bound.
    Supremum,
    /// `inf`: the greatest lower bound.
    Infimum,
    /// `bounds`: all values, as intervals.
    Both,
}

/// A question that is understood but not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclinedQuery {
    /// Which family it belongs to, such as `statistical model checking`.
    pub family: &'static str,
}
