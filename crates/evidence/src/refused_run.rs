//! Runs of two specifications side by side that end with a move that one of them refuses.
//!
//! Invariant: both sides are deterministic, so delays and actions determine the participants and their edges.

use tempora_model::ChannelPosition;

use crate::Rational;

/// A counterexample to a refinement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedRun {
    /// The moves before the refused one.
    pub moves: Vec<ChosenMove>,
    /// The delay between the last of them and the refused one.
    pub delay: Rational,
    /// The refused move.
    pub refused: RefusedMove,
    /// Whether the left side was pruned, so that it differs from its components as written.
    pub is_left_pruned: bool,
    /// Whether the right side was pruned.
    pub is_right_pruned: bool,
    /// Whether the run belongs to `S || X` on the left and `T` on the right, for a question with a quotient on the
    /// right: `X <= T \\ S` holds exactly if `S || X <= T` does.
    pub is_of_whole: bool,
    /// Whether an input without an edge is an error; otherwise it is ignored.
    pub are_missing_inputs_errors: bool,
}

/// A move of both sides: a delay, then an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChosenMove {
    /// The delay before the action.
    pub delay: Rational,
    /// The action; `None` for an output without a name.
    pub action: Option<ChannelPosition>,
}

/// A move of one side that the other refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusedMove {
    /// The left side allows the last delay, and the right side does not.
    Delay,
    /// The right side does not allow an output of the left.
    Output(Option<ChannelPosition>),
    /// The left side does not accept an input of the right.
    Input(Option<ChannelPosition>),
}
