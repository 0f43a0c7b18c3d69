//! Why a certificate is not accepted.
//!
//! Invariant: there is no other way not to be accepted, so nothing is accepted by default.

use std::fmt;

use tempora_evidence::{Exhausted, RuntimeError};

/// A certificate is not accepted.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    /// The components and conjunctions that the nodes are about, if they are about a part of a question.
    pub part: Option<String>,
    /// The node that it is about, counted from 0; `None` if it is about the whole.
    pub node: Option<usize>,
    /// Why.
    pub reason: Reason,
}

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// The model or the query has something that the checker does not know.
    Unsupported(String),
    /// The query is of a kind that no certificate answers, or has another verdict.
    OtherQuestion(String),
    /// The node is none of this network.
    IllFormed(String),
    /// An initial state is in no node.
    StartIsNotCovered(String),
    /// A transition leads to a state outside all nodes.
    SuccessorIsNotCovered(String),
    /// A state of the node is one that must not be reached.
    Bad,
    /// In a state of the node, one side refuses what the other does.
    Refused(String),
    /// In a state of the node, moves on one action lead apart.
    NotDeterministic(String),
    /// In a state of the node, time cannot go on and no output can come.
    Stuck(String),
    /// It is not shown that the environment can bring about an error from a state that is removed.
    NotShownBad(String),
    /// An input leads from a state that is kept to one that is removed.
    LeadsToRemoved(String),
    /// The start of a part is removed, so nothing implements it.
    NothingImplements(String),
    /// The model fails in a state of the node.
    ModelError(RuntimeError),
    /// A condition falls into too many parts.
    TooLarge(String),
    /// The solver did not answer, for this reason.
    Solver(String),
    /// The budget is used up.
    Exhausted(Exhausted),
}

impl Reason {
    /// Returns whether the checker gave up, for a limit of its own or of the user's. Such a refusal says nothing about the
    /// verdict; every other one shows that the certificate is wrong.
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
            Reason::SuccessorIsNotCovered(step) => write!(formatter, "{step} leads to a state outside all nodes"),
            Reason::Bad => formatter.write_str("it contains a bad state"),
            Reason::Refused(what) => write!(formatter, "one side refuses {what}"),
            Reason::NotDeterministic(state) => write!(formatter, "moves on one action have different effects in {state}"),
            Reason::Stuck(state) => write!(formatter, "neither an unbounded delay nor an output is possible in {state}"),
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
                let what = match what {
                    Exhausted::Timeout => "timeout reached",
                    Exhausted::Memory => "memory limit reached",
                    Exhausted::StateLimit => "state limit reached",
                    Exhausted::Cancelled => "interrupted",
                };
                write!(formatter, "{what} before the check was complete")
            }
        }
    }
}
