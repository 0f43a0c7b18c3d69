//! Register code, and the clock constraints and effects that it emits.
//!
//! Invariant: code jumps only within its own function; registers are relative to the frame of a call, and the frame is
//! as large as the function declares. Addresses in registers are absolute, so that references can cross calls. The
//! result of code is in register 0.

use tempora_model::{BinaryOperator, Comparison, Range};
use tempora_source::Origin;

use crate::failure::FailureKind;

/// A register of a frame.
pub(crate) type Register = u16;

/// One instruction, which writes `target`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Instruction {
    Constant {
        target: Register,
        value: i32,
    },
    Move {
        target: Register,
        source: Register,
    },
    Load {
        target: Register,
        cell: u32,
    },
    Store {
        cell: u32,
        source: Register,
    },
    LoadIndirect {
        target: Register,
        address: Register,
    },
    StoreIndirect {
        address: Register,
        source: Register,
    },
    /// Checks that a value stored through a reference is in the range of the variable behind it.
    CheckCells {
        address: Register,
        size: u32,
        site: u32,
    },
    /// Loads the absolute address of a register of this frame.
    FrameAddress {
        target: Register,
        register: Register,
    },
    /// `base + (index - least) * size`, checked, with the numbers of the site.
    Index {
        target: Register,
        base: Register,
        index: Register,
        site: u32,
    },
    CheckRange {
        register: Register,
        site: u32,
    },
    Truth {
        target: Register,
        source: Register,
    },
    Not {
        target: Register,
        source: Register,
    },
    Negate {
        target: Register,
        source: Register,
    },
    Absolute {
        target: Register,
        source: Register,
        site: u32,
    },
    Binary {
        operator: BinaryOperator,
        target: Register,
        left: Register,
        right: Register,
        site: u32,
    },
    /// Converts an integer to a floating point number, which takes two registers.
    ToDouble {
        target: Register,
        source: Register,
    },
    NegateDouble {
        target: Register,
        source: Register,
    },
    BinaryDouble {
        operator: BinaryOperator,
        target: Register,
        left: Register,
        right: Register,
    },
    CompareDoubles {
        comparison: Comparison,
        target: Register,
        left: Register,
        right: Register,
    },
    /// Tests whether a floating point number is not zero.
    TruthOfDouble {
        target: Register,
        source: Register,
    },
    /// Calls a mathematical function with consecutive arguments; the result takes two registers.
    CallMathematics {
        function: u16,
        target: Register,
        arguments: Register,
        site: u32,
    },
    /// Both operands are addresses.
    CopyBlock {
        target: Register,
        source: Register,
        size: u32,
    },
    EqualBlocks {
        target: Register,
        left: Register,
        right: Register,
        size: u32,
    },
    Jump {
        to: u32,
    },
    /// A backward jump, which counts as a step.
    Loop {
        to: u32,
        site: u32,
    },
    JumpIfZero {
        register: Register,
        to: u32,
    },
    JumpIfNotZero {
        register: Register,
        to: u32,
    },
    /// Calls a function whose frame begins at a register of this one.
    Call {
        function: u32,
        frame: Register,
        site: u32,
    },
    Return,
    HasLabel {
        target: Register,
        label: u32,
    },
    /// Emits a comparison of clocks; the registers hold numbers of clocks, zero for none.
    Compare {
        left: Register,
        right: Register,
        comparison: Comparison,
        bound: Register,
    },
    /// Emits a constraint that no clock value satisfies.
    Impossible,
    ResetClock {
        clock: Register,
        value: Register,
        site: u32,
    },
    CopyClock {
        clock: Register,
        from: Register,
        plus: i32,
    },
    Fail {
        site: u32,
    },
}

/// The origin of an instruction that may fail.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Site {
    pub(crate) origin: Origin,
    pub(crate) detail: SiteDetail,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum SiteDetail {
    None,
    Range(Range),
    Index { range: Range, size: u32 },
    Failure(FailureKind),
}

/// A function of the model, or an expression with its bound variables as parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Routine {
    pub(crate) start: u32,
    pub(crate) frame_size: u32,
}

/// `left - right` is at most, or less than, the constant; clocks count from 1, and 0 is the reference clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClockConstraint {
    /// The clock that counts positively.
    pub left: u16,
    /// The clock that counts negatively.
    pub right: u16,
    /// The bound.
    pub constant: i64,
    /// Whether the bound itself is excluded.
    pub is_strict: bool,
}

/// A comparison of clocks with an evaluated bound; clocks count from 1, and 0 is the reference clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockAtom {
    /// The clock that counts positively.
    pub left: u16,
    /// The clock that counts negatively.
    pub right: u16,
    /// How the difference is compared.
    pub comparison: Comparison,
    /// The bound that the difference is compared with.
    pub bound: i32,
}

/// An assignment to a clock; clocks count from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockEffect {
    /// `clock := value`.
    Reset {
        /// The clock that is assigned.
        clock: u16,
        /// Its new value, not negative.
        value: i32,
    },
    /// `clock := from + plus`.
    Copy {
        /// The clock that is assigned.
        clock: u16,
        /// The clock whose value it gets.
        from: u16,
        /// The number added to it, not negative.
        plus: i32,
    },
}

impl ClockConstraint {
    /// A constraint that no clock values satisfy.
    pub const IMPOSSIBLE: ClockConstraint =
        ClockConstraint { left: 0, right: 0, constant: 0, is_strict: true };
}

impl ClockAtom {
    /// Returns the comparison as a conjunction: one constraint, two for `==`, and `None` for `!=`.
    pub fn constraints(self) -> Option<(ClockConstraint, Option<ClockConstraint>)> {
        let bound = i64::from(self.bound);
        let at_most =
            |is_strict| ClockConstraint { left: self.left, right: self.right, constant: bound, is_strict };
        let at_least =
            |is_strict| ClockConstraint { left: self.right, right: self.left, constant: -bound, is_strict };
        match self.comparison {
            Comparison::Less => Some((at_most(true), None)),
            Comparison::LessOrEqual => Some((at_most(false), None)),
            Comparison::Greater => Some((at_least(true), None)),
            Comparison::GreaterOrEqual => Some((at_least(false), None)),
            Comparison::Equal => Some((at_most(false), Some(at_least(false)))),
            Comparison::NotEqual => None,
        }
    }
}
