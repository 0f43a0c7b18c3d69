//! Runs of one specification in an arbitrary environment.
//!
//! Invariant: a run fixes the actions and their times. The edges follow, or are one of several possibilities: the run
//! shows a property if one of them does.

use tempora_model::{LocationId, VariableId};

use crate::{ChosenMove, Ending, Rational};

/// A run of a specification as written, before pruning.
#[derive(Clone, PartialEq, Debug)]
pub struct SpecificationRun {
    /// The state of each component at the start, from the left; `None` for the initial state.
    pub start: Option<Vec<ComponentStart>>,
    /// The moves, in order.
    pub moves: Vec<ChosenMove>,
    /// The delay after the last move.
    pub final_delay: Rational,
    /// The property of its end that the run shows.
    pub ending: Ending,
    /// Whether an input without an edge is an error; otherwise it is ignored.
    pub are_missing_inputs_errors: bool,
}

/// The start of a run in one component. Data variables have their initial values.
#[derive(Clone, PartialEq, Debug)]
pub struct ComponentStart {
    /// The location.
    pub location: LocationId,
    /// The values of the clocks of each variable that has clocks, in order.
    pub clocks: Vec<(VariableId, Vec<Rational>)>,
}
