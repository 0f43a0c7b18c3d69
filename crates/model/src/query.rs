//! Queries about a model.
//!
//! Invariant: predicates are type-checked against the network of the model and have no side effects.

use std::sync::Arc;

use tempora_source::Origin;

use crate::PropertyId;
use crate::expression::Expression;
use crate::network::Network;
use crate::specification::SpecificationQuery;

/// A query and its text.
#[derive(Clone, PartialEq, Debug)]
pub struct Query {
    /// The text in the model, on one line.
    pub text: String,
    /// The elaborated query.
    pub kind: QueryKind,
    /// Its origin in the text.
    pub origin: Origin,
}

/// The kind of a query.
#[derive(Clone, PartialEq, Debug)]
pub enum QueryKind {
    /// Whether a formula holds.
    Formula(Formula),
    /// The bounds of expressions over the reachable states.
    Bounds {
        /// Upper bound, lower bound, or both.
        which: BoundsKind,
        /// Restricts the states to those that satisfy it.
        predicate: Option<Expression>,
        /// The expressions.
        expressions: Vec<Expression>,
    },
    /// The earliest or latest time at which a predicate holds.
    Time {
        /// Whether the query asks for the latest time.
        is_latest: bool,
        /// The predicate.
        predicate: Expression,
    },
    /// A query about specifications.
    Specification {
        /// The network of its components, which may differ from the network of the model.
        components: Arc<Network>,
        /// The query about them.
        question: SpecificationQuery,
    },
    /// Whether a symbolic system has one of its properties.
    Property(PropertyId),
    /// A well-formed query of a kind that no engine supports.
    Declined(DeclinedQuery),
}

/// A formula over the runs of a model from its initial state.
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    /// `E<> p`: some reachable state satisfies it.
    Possibly(Expression),
    /// `A[] p`: all reachable states satisfy it.
    Always(Expression),
    /// `E[] p`: all states of some maximal run satisfy it.
    PotentiallyAlways(Expression),
    /// `A<> p`: some state of every maximal run satisfies it.
    Eventually(Expression),
    /// `p --> q`: on every run, whenever the premise holds, the conclusion holds then or later.
    LeadsTo {
        /// The premise.
        premise: Expression,
        /// The conclusion.
        conclusion: Expression,
        /// The deadline for the conclusion, an integer.
        within: Option<Expression>,
    },
    /// `A[] (p imply E<> q)`: whenever the premise holds, the goal is reachable.
    AlwaysPossibly {
        /// The premise; `None` is true.
        premise: Option<Expression>,
        /// The goal.
        goal: Expression,
    },
    /// `buchi: a, b`: some infinite run satisfies each of the predicates infinitely often.
    InfinitelyOften(Vec<Expression>),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    And(Vec<Formula>),
    /// Disjunction.
    Or(Vec<Formula>),
}

impl Formula {
    /// Returns its state predicates and deadlines for modification.
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

/// The requested bounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoundsKind {
    /// `sup`: the least upper bound.
    Supremum,
    /// `inf`: the greatest lower bound.
    Infimum,
    /// `bounds`: all values, as intervals.
    Both,
}

/// A well-formed query that no engine supports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclinedQuery {
    /// The family of queries, such as `statistical model checking`.
    pub family: &'static str,
}
