//! A run of two specifications side by side that ends with a move that one of them refuses.
//!
//! Invariant: both sides are deterministic, so the delays and actions say everything; who takes which edges follows.

use tempora_model::ChannelPosition;

use crate::Rational;

/// Why one specification does not refine another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedRun {
    /// The moves before the refused one.
    pub moves: Vec<ChosenMove>,
    /// The time between the last of them and the refused one.
    pub delay: Rational,
    /// What is refused then.
    pub refused: RefusedMove,
    /// Whether a part of the left side had to be pruned, so that it is not what its components say alone.
    pub is_left_pruned: bool,
    /// The same, for the right side.
    pub is_right_pruned: bool,
    /// Whether it is a run of the part of the quotient on the right, beside the left, against the whole of that quotient: `X <= T \\ S`
    /// holds exactly if `S || X <= T` does.
    pub is_of_whole: bool,
    /// Whether an input that a component says nothing about is an error; else it is ignored.
    pub are_missing_inputs_errors: bool,
}

/// A move of both sides: some time, and then an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChosenMove {
    /// The time before it.
    pub delay: Rational,
    /// The action; `None` for an output without a name.
    pub action: Option<ChannelPosition>,
}

/// What one side does and the other does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusedMove {
    /// The left side lets the last delay pass, and the right side does not.
    Delay,
    /// The right side does not allow an output of the left.
    Output(Option<ChannelPosition>),
    /// The left side does not take an input of the right.
    Input(Option<ChannelPosition>),
}
