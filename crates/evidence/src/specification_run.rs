//! A run of one specification, whose environment sends what it likes.
//!
//! Invariant: a run says when which action happens. Which edges are taken follows from that, or is one of several ways: a run shows
//! something if one of the ways does.

use tempora_model::{LocationId, VariableId};

use crate::{ChosenMove, Ending, Rational};

/// A run of a specification as it is written, before anything is removed from it.
#[derive(Clone, PartialEq, Debug)]
pub struct SpecificationRun {
    /// Where it starts, for each component from the left; `None` for the initial state.
    pub start: Option<Vec<ComponentStart>>,
    /// The moves, one after the other.
    pub moves: Vec<ChosenMove>,
    /// A last delay after all moves.
    pub final_delay: Rational,
    /// What the run shows at its end.
    pub ending: Ending,
    /// Whether an input that a component says nothing about is an error; else it is ignored.
    pub are_missing_inputs_errors: bool,
}

/// Where a component starts. Its data are as at every start.
#[derive(Clone, PartialEq, Debug)]
pub struct ComponentStart {
    /// The location.
    pub location: LocationId,
    /// The values of the clocks of each of its variables that has some, in order.
    pub clocks: Vec<(VariableId, Vec<Rational>)>,
}
