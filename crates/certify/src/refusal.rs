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
    /// A transition leads out of all nodes.
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
            Reason::Unsupported(what) => write!(formatter, "the checker does not know {what}"),
            Reason::OtherQuestion(why) | Reason::IllFormed(why) | Reason::TooLarge(why) => {
                formatter.write_str(why)
            }
            Reason::StartIsNotCovered(state) => {
                write!(formatter, "the initial state {state} is in no node")
            }
            Reason::SuccessorIsNotCovered(step) => write!(formatter, "{step} leads out of all nodes"),
            Reason::Bad => formatter.write_str("it has a state that must not be reached"),
            Reason::Refused(what) => write!(formatter, "one side refuses {what}"),
            Reason::NotDeterministic(state) => write!(formatter, "moves on one action lead apart in {state}"),
            Reason::Stuck(state) => write!(formatter, "neither time nor an output goes on in {state}"),
            Reason::NotShownBad(state) => {
                write!(formatter, "it is not shown that {state} has to be removed")
            }
            Reason::LeadsToRemoved(state) => {
                write!(formatter, "an input leads to what is removed, in {state}")
            }
            Reason::NothingImplements(part) => {
                write!(formatter, "it is not shown that something implements {part}")
            }
            Reason::ModelError(error) => write!(formatter, "the model fails: {error}"),
            Reason::Solver(why) => write!(formatter, "the solver did not answer: {why}"),
            Reason::Exhausted(what) => {
                let what = match what {
                    Exhausted::Timeout => "the time is over",
                    Exhausted::Memory => "the memory is used up",
                    Exhausted::StateLimit => "the limit on states is reached",
                    Exhausted::Cancelled => "it was stopped",
                };
                write!(formatter, "{what} before all was checked")
            }
        }
    }
}
