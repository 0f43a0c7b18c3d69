//! Reasons to refuse a certificate.
//!
//! Invariant: every check returns a refusal or accepts explicitly, so nothing is accepted by default.

use std::fmt;

use tempora_evidence::{Exhausted, RuntimeError};

/// A refused certificate.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    /// The components and conjunctions of the node, if it describes a part of a question.
    pub part: Option<String>,
    /// The refuted node, counted from 0; `None` for the whole certificate.
    pub node: Option<usize>,
    /// The reason.
    pub reason: Reason,
}

/// The reason to refuse a certificate.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// A construct of the model or the query that the checker does not support.
    Unsupported(String),
    /// The query has no certificates, or its verdict contradicts the certificate.
    OtherQuestion(String),
    /// The node does not fit the network.
    IllFormed(String),
    /// No node covers an initial state.
    StartIsNotCovered(String),
    /// No node covers a successor.
    SuccessorIsNotCovered(String),
    /// A state of the node is bad.
    Bad,
    /// In a state of the node, one side refuses a move of the other.
    Refused(String),
    /// In a state of the node, moves on one action have different effects.
    NotDeterministic(String),
    /// In a state of the node, neither an unbounded delay nor an output is possible.
    Stuck(String),
    /// A removed state is not shown to be bad.
    NotShownBad(String),
    /// An input leads from a kept state to a removed one.
    LeadsToRemoved(String),
    /// The initial state of a part is removed, so the part is inconsistent.
    NothingImplements(String),
    /// The model has a runtime error in a state of the node.
    ModelError(RuntimeError),
    /// A condition splits into too many zones.
    TooLarge(String),
    /// The solver gave no answer, for this reason.
    Solver(String),
    /// The budget is exhausted.
    Exhausted(Exhausted),
}

impl Reason {
    /// Returns whether the checker gave up because of a limit. Such a refusal says nothing about the verdict; every
    /// other one shows that the certificate is wrong.
    pub fn is_limit(&self) -> bool {
        matches!(
            self,
            Reason::Unsupported(_) | Reason::TooLarge(_) | Reason::Solver(_) | Reason::Exhausted(_)
        )
    }
}

impl Refusal {
    pub(crate) fn whole(reason: Reason) -> Refusal {
        Refusal { part: None, node: None, reason }
    }

    pub(crate) fn at(node: usize, reason: Reason) -> Refusal {
        Refusal { part: None, node: Some(node), reason }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(part) = &self.part {
            write!(formatter, "{part}, ")?;
        }
        if let Some(node) = self.node {
            write!(formatter, "node {node}: ")?;
        }
        match &self.reason {
            Reason::Unsupported(what) => write!(formatter, "the checker does not support {what}"),
            Reason::OtherQuestion(why) | Reason::IllFormed(why) | Reason::TooLarge(why) => {
                formatter.write_str(why)
            }
            Reason::StartIsNotCovered(state) => {
                write!(formatter, "the initial state {state} is in no node")
            }
            Reason::SuccessorIsNotCovered(step) => {
                write!(formatter, "{step} leads to a state outside all nodes")
            }
            Reason::Bad => formatter.write_str("it contains a bad state"),
            Reason::Refused(what) => write!(formatter, "one side refuses {what}"),
            Reason::NotDeterministic(state) => {
                write!(formatter, "moves on one action have different effects in {state}")
            }
            Reason::Stuck(state) => {
                write!(formatter, "neither an unbounded delay nor an output is possible in {state}")
            }
            Reason::NotShownBad(state) => {
                write!(formatter, "the removal of {state} is not justified")
            }
            Reason::LeadsToRemoved(state) => {
                write!(formatter, "an input leads to a removed state, in {state}")
            }
            Reason::NothingImplements(part) => {
                write!(formatter, "no implementation of {part} is shown")
            }
            Reason::ModelError(error) => write!(formatter, "model error: {error}"),
            Reason::Solver(why) => write!(formatter, "the solver gave no answer: {why}"),
            Reason::Exhausted(what) => {
                write!(formatter, "{} before the check was complete", what.describe())
            }
        }
    }
}
