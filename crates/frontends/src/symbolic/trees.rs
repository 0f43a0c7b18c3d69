//! Types and expressions as they were written.
//!
//! Invariant: a tree is only as deep as the parser allows; operators that are read from left to right are one flat
//! chain.

use num_bigint::BigInt;
use tempora_smt::{BitOperator, FloatFormat, FloatOperator};
use tempora_source::Span;

/// A type.
#[derive(Clone, Debug)]
pub(crate) enum TypeTree {
    /// By name.
    Named(String, Span),
    /// Words of so many bits.
    Bits(u32),
    /// Floating point numbers.
    Float(FloatFormat),
    /// A map.
    Array(Box<TypeTree>, Box<TypeTree>),
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct ExpressionTree {
    pub(crate) kind: ExpressionKind,
    pub(crate) span: Span,
}

impl ExpressionTree {
    /// Operands that are joined by one operator; a single one is itself.
    pub(crate) fn joined(
        mut parts: Vec<ExpressionTree>,
        make: fn(Vec<ExpressionTree>) -> ExpressionKind,
        span: Span,
    ) -> ExpressionTree {
        match (parts.len(), parts.pop()) {
            (1, Some(only)) => only,
            (_, last) => {
                parts.extend(last);
                ExpressionTree { kind: make(parts), span }
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    Boolean(bool),
    Integer(String),
    /// Numerator and denominator.
    Rational(String, String),
    Name(String),
    /// A word: its width, and its number.
    Bits(u32, BigInt),
    /// A floating point number without sign: its exponent and what is stored of its significand.
    Float(FloatFormat, Box<[BigInt; 2]>),
    /// An operator on floating point numbers.
    FloatOperation(FloatOperator, Vec<ExpressionTree>),
    /// An operator on words.
    BitOperation(BitOperation, Vec<ExpressionTree>),
    Not(Box<ExpressionTree>),
    Negative(Box<ExpressionTree>),
    /// The value of a variable after the step.
    Prime(Box<ExpressionTree>),
    And(Vec<ExpressionTree>),
    Or(Vec<ExpressionTree>),
    /// Operators read from left to right.
    Chain(Box<ExpressionTree>, Vec<(ArithmeticOperator, ExpressionTree)>),
    Relation(Relation, Box<ExpressionTree>, Box<ExpressionTree>),
    IfThenElse(Box<ExpressionTree>, Box<ExpressionTree>, Box<ExpressionTree>),
    Read(Box<ExpressionTree>, Box<ExpressionTree>),
    Write(Box<ExpressionTree>, Box<ExpressionTree>, Box<ExpressionTree>),
    ArrayLiteral {
        index: Option<TypeTree>,
        entries: Vec<(ExpressionTree, ExpressionTree)>,
        rest: Box<ExpressionTree>,
    },
}

/// What is done with words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BitOperation {
    /// What the solver knows.
    Plain(BitOperator),
    /// The same with the operands the other way round.
    Swapped(BitOperator),
    /// To the left, and what falls off comes back.
    RotateLeft,
    /// To the right, and what falls off comes back.
    RotateRight,
    /// To this width.
    Extend { width: u32, is_signed: bool },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArithmeticOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Remainder,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Implies,
    IfAndOnlyIf,
    ExclusiveOr,
}
